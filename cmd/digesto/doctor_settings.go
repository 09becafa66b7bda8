package main

import (
	"context"
	"log/slog"
	"time"
)

// doctorSettings reads every setting as the commands that need it do: what a server
// would be refused for, or nobody could come in by, is told before it is started.
func (a *app) doctorSettings(add func(what, state, format string, args ...any)) {
	sound := true
	for _, read := range []func() error{
		func() error { _, err := a.plans(); return err },
		func() error { _, err := a.proxies(); return err },
		func() error { _, err := a.retention(); return err },
		func() error { _, err := a.flags(); return err },
		func() error { _, err := a.logger(slog.LevelError); return err },
		func() error { _, err := a.conf.amount("traces_days"); return err },
		func() error { _, err := a.conf.yes("no_log"); return err },
		func() error { _, err := a.conf.yes("oidc.required"); return err },
		a.doctorSpans,
		a.doctorGate,
	} {
		if err := read(); err != nil {
			sound = false
			add("configuración", "fail", "%s", advised(err))
		}
	}
	switch {
	case sound && a.conf.file != "":
		add("configuración", "ok", "leída de %s", a.conf.file)
	case sound:
		add("configuración", "ok", "sin fichero: valen los valores por defecto")
	}
}

// doctorSpans tries the settings of the collector, without sending anything to it.
func (a *app) doctorSpans() error {
	w := &world{log: slog.New(slog.DiscardHandler)}
	_, err := a.newSpans(w)
	for _, end := range w.closers {
		end()
	}
	return err
}

// doctorGate asks the identity provider, where there is one, what it is. No key is made for it.
func (a *app) doctorGate() error {
	g, err := a.gate(func() ([]byte, error) { return make([]byte, 32), nil })
	if err != nil || g == nil {
		return err
	}
	ctx, stop := context.WithTimeout(a.ctx, 10*time.Second)
	defer stop()
	return g.Reach(ctx)
}
