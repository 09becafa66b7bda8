package app

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/disk"
	"digesto/store"
)

// YesAny says whether one of some settings is on.
func (a *App) YesAny(keys ...string) (bool, error) {
	for _, k := range keys {
		if yes, err := a.Settings.Yes(k); err != nil || yes {
			return yes, err
		}
	}
	return false, nil
}

// mayFetch refuses downloads where nothing may leave the machine.
func (a *App) mayFetch() error {
	local, err := a.Settings.Yes("local_only")
	if err == nil && local {
		return &digesto.Error{Code: digesto.CodeForbidden, Message: "no se descarga nada: «local_only» está puesto", Hint: "descargue los textos en otra máquina y añádalos con «digesto corpus add», o quite «local_only»"}
	}
	return err
}

// StaysHere refuses databases on other machines where nothing may leave this one.
func (a *App) StaysHere() error {
	local, err := a.Settings.Yes("local_only")
	if err != nil || !local {
		return err
	}
	for _, key := range []string{"store", "index"} {
		u, err := url.Parse(a.Settings.Get(key))
		if err == nil && (u.Host == "" && u.Scheme != "postgres" && u.Scheme != "postgresql" || hereHost(u.Host)) {
			continue
		}
		return &digesto.Error{Code: digesto.CodeForbidden, Message: "«local_only» está puesto y «" + key + "» lleva a otra máquina", Hint: "use una base de datos en 127.0.0.1, deje «" + key + "» vacío para guardar en la carpeta de datos, o quite «local_only»"}
	}
	return nil
}

// Logger writes what happens, in the form configured.
func (a *App) Logger(level slog.Level) (*slog.Logger, error) {
	opt := &slog.HandlerOptions{Level: level}
	switch form := a.Settings.Get("log"); form {
	case "text", "":
		return slog.New(slog.NewTextHandler(a.Diagnostics, opt)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(a.Diagnostics, opt)), nil
	default:
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "no existe la forma de registro «" + form + "»", Hint: "use log: text o log: json"}
	}
}

// OpenKept opens what keeps questions and answers. Where nothing may be kept,
// conversations live as long as the program and there is nothing else but the keys.
func (a *App) OpenStored(w *Workspace) error {
	none, err := a.Settings.Yes("no_log")
	if err != nil {
		return err
	}
	fresh := a.missingData() && a.Settings.Get("store") == ""
	if fresh {
		if err := a.markKeys(); err != nil {
			return err
		}
		a.Say("La carpeta de datos «%s» no existía: se empieza sin nada, y la administración queda cerrada hasta que haya una clave («digesto keys add NOMBRE --scopes ask,read,manage,admin»). Si esperaba encontrar ahí la suya, pare el servidor y revise --data o el disco.", a.Settings.Data)
	}
	open := a.OpenStore
	if none {
		open = a.openKeysOnly
	}
	var without bool
	w.Store, without, err = open()
	w.closed = fresh || without && a.Settings.Data != ""
	if err != nil {
		return err
	}
	if err := a.OpenTraces(w, ""); err != nil {
		return err
	}
	w.Audit, err = a.OpenAudit()
	return err
}

// markKeys makes the file that says that only a key lets run the server.
func (a *App) markKeys() error {
	err := os.MkdirAll(a.Settings.Data, 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(a.Settings.Data, keysMade), nil, 0o600)
	}
	if err != nil {
		return disk.Error(err, a.Settings.Data, "")
	}
	return nil
}

// Retention is how long conversations are kept, by plan; "" is the plan of all
// that name none. Nothing = until they are deleted.
type Retention map[string]time.Duration

func (a *App) Retention() (Retention, error) {
	out := Retention{}
	for part := range strings.SplitSeq(a.Settings.Get("retention"), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		plan, days, named := strings.Cut(part, "=")
		if !named {
			plan, days = "", part
		}
		n, err := strconv.Atoi(days)
		if err != nil || n < 1 || n > 36500 {
			return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "la conservación «" + part + "» no es válida", Hint: "escriba DÍAS o PLAN=DÍAS, por ejemplo retention: 365 o libre=30,profesional=365"}
		}
		out[plan] = time.Duration(n) * 24 * time.Hour
	}
	return out, nil
}

// Of is how long conversations of a plan are kept; 0 = until they are deleted.
func (r Retention) Of(plan string) time.Duration {
	if d, ok := r[plan]; ok {
		return d
	}
	return r[""]
}

// String says it for people.
func (r Retention) String() string {
	if len(r) == 0 {
		return "hasta que se borren"
	}
	var out []string
	for plan, d := range r {
		out = append(out, fmt.Sprintf("%s %d días", Or(plan == "", "todas", "plan "+plan), int(d.Hours()/24)))
	}
	return strings.Join(out, ", ")
}

// Or is one of two values by a condition.
func Or[T any](cond bool, a, b T) T {
	if cond {
		return a
	}
	return b
}

// Sweep erases for good, with their traces, the conversations whose time is over.
// It finds them by what was answered in them.
func (a *App) Sweep(ctx context.Context, s store.Store, r Retention) (erased int, err error) {
	if len(r) == 0 {
		return 0, nil
	}
	plans := map[string]string{}
	users, err := s.Users(ctx)
	if err != nil {
		return 0, err
	}
	for _, u := range users {
		plans[u.ID] = u.Plan
	}
	runs, err := s.Runs(ctx, time.Time{}, time.Time{})
	if err != nil {
		return 0, err
	}
	seen := map[string]bool{}
	for _, x := range runs {
		plan, known := plans[x.User]
		if !known {
			plan = a.Settings.Get("plan")
		}
		keep := r.Of(plan)
		if keep == 0 || seen[x.Conversation] || a.Now().Sub(x.At) < keep {
			continue
		}
		seen[x.Conversation] = true
		c, err := s.Get(ctx, x.User, x.Conversation)
		if digesto.CodeOf(err) == digesto.CodeNotFound || err == nil && a.Now().Sub(c.Updated) < keep {
			continue
		}
		if err == nil {
			err = s.Erase(ctx, x.User, x.Conversation)
		}
		if err != nil {
			return erased, err
		}
		erased++
	}
	return erased, nil
}

// SweepDaily sweeps now and once a day until ctx ends.
func (a *App) SweepDaily(ctx context.Context, w *Workspace, r Retention) {
	tick := time.NewTicker(24 * time.Hour)
	defer tick.Stop()
	for {
		if n, err := a.Sweep(ctx, w.Store, r); err != nil && ctx.Err() == nil {
			w.Log.Warn("retention", "error", err)
		} else if n > 0 {
			w.Log.Info("retention", "erased", n)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
