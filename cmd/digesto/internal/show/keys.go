package show

import (
	"fmt"
	"strings"
	"time"

	"digesto/cmd/digesto/internal/terminal"
	"digesto/store"
)

// Keys lists users, each with its keys as they are at a moment.
func Keys(w terminal.Screen, users []store.User, keys []store.Key, now time.Time) {
	for _, u := range users {
		fmt.Fprintf(w, "%s · %s · desde %s\n", terminal.Clean(u.ID), terminal.Clean(u.Plan), u.Created.Format("2006-01-02"))
		if u.KeyHash != "" {
			fmt.Fprintln(w, "  clave de la primera forma: se cambia de hash cuando se use")
		}
		for _, k := range keys {
			if k.User == u.ID {
				fmt.Fprintf(w, "  %s · %s · desde %s%s\n", terminal.Clean(k.ID), strings.Join(k.Scopes, ","), k.Created.Format("2006-01-02"), endOf(k, now))
			}
		}
	}
}

// endOf says when a key ends.
func endOf(k store.Key, now time.Time) string {
	switch {
	case k.Expires == nil:
		return ""
	case now.Before(*k.Expires):
		return " · hasta " + k.Expires.Format("2006-01-02 15:04")
	}
	return " · caducada"
}
