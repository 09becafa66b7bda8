package ops

import (
	"context"
	"log/slog"
	"time"

	"digesto/app"
)

// doctorSettings reads every setting as the commands that need it do: what a server
// would be refused for, or nobody could come in by, is told before it is started.
func doctorSettings(a *app.App, add func(what, state, format string, args ...any)) {
	sound := true
	for _, read := range []func() error{
		func() error { _, err := a.Plans(); return err },
		func() error { _, err := a.Proxies(); return err },
		func() error { _, err := a.Retention(); return err },
		func() error { _, err := a.Flags(); return err },
		func() error { _, err := a.Logger(slog.LevelError); return err },
		func() error { _, err := a.Settings.Amount("traces_days"); return err },
		func() error { _, err := a.Settings.Yes("no_log"); return err },
		func() error { _, err := a.Settings.Yes("oidc.required"); return err },
		func() error { return doctorSpans(a) },
		func() error { return doctorGate(a) },
	} {
		if err := read(); err != nil {
			sound = false
			add("configuración", "fail", "%s", app.Advised(err))
		}
	}
	switch {
	case sound && a.Settings.File != "":
		add("configuración", "ok", "leída de %s", a.Settings.File)
	case sound:
		add("configuración", "ok", "sin fichero: valen los valores por defecto")
	}
}

// doctorSpans tries the settings of the collector, without sending anything to it.
func doctorSpans(a *app.App) error {
	w := &app.Workspace{Log: slog.New(slog.DiscardHandler)}
	_, err := a.NewSpans(w)
	for _, end := range w.Closers {
		end()
	}
	return err
}

// doctorGate asks the identity provider, where there is one, what it is. No key is made for it.
func doctorGate(a *app.App) error {
	g, err := a.Gate(func() ([]byte, error) { return make([]byte, 32), nil })
	if err != nil || g == nil {
		return err
	}
	ctx, stop := context.WithTimeout(a.Context, 10*time.Second)
	defer stop()
	return g.Reach(ctx)
}
