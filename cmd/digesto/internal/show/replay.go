package show

import (
	"errors"
	"fmt"

	"digesto/app"
	"digesto/cmd/digesto/internal/terminal"
)

// Replayed says how the answers compare.
func Replayed(w terminal.Screen, p app.Replayed, size int) error {
	var errs []error
	line := func(format string, args ...any) {
		_, err := fmt.Fprintln(w, terminal.Clean(fmt.Sprintf(format, args...)))
		errs = append(errs, err)
	}
	if p.Same {
		line("%s: %d octetos iguales (SHA-256 %s), ley de %s, corpus %s", w.Bold("La misma respuesta"), size, p.SHA256, p.AsOf, p.Corpus)
	} else {
		line("%s (ley de %s, corpus %s)", w.Bold("La respuesta no es la misma"), p.AsOf, p.Corpus)
	}
	for _, c := range p.Changed {
		line("Ha cambiado: %s.", c)
	}
	for i, d := range p.Differences {
		if i == 20 {
			line("… y %d campos más (todos con --json).", len(p.Differences)-i)
			break
		}
		line("  %s\n    antes: %s\n    ahora: %s", d.Field, orAbsent(d.Recorded), orAbsent(d.Now))
	}
	return errors.Join(errs...)
}

func orAbsent(s string) string {
	if s == "" {
		return "(no estaba)"
	}
	return s
}
