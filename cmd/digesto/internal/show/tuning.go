package show

import (
	"fmt"
	"maps"
	"slices"

	"digesto/cmd/digesto/internal/terminal"
	"digesto/decide"
	evalrun "digesto/eval/run"
)

// Tuned writes the shares of a set by kind, and its calibration.
func Tuned(w terminal.Screen, name string, list []evalrun.JudgedCase, each bool) {
	if len(list) == 0 {
		return
	}
	by := map[string][]evalrun.JudgedCase{}
	for _, x := range list {
		by[""] = append(by[""], x)
		by[x.Kind] = append(by[x.Kind], x)
		if each {
			fmt.Fprintf(w, "%s\t%s\t%v\t%d\t%.3f\t%.3f\n", x.ID, x.Kind, x.Covered, x.Rank, x.First, x.More)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(by)) {
		l := by[k]
		share := func(is func(evalrun.JudgedCase) bool) float64 {
			n := 0
			for _, x := range l {
				if is(x) {
					n++
				}
			}
			return float64(n) / float64(len(l))
		}
		fmt.Fprintf(w, "%s %s: %d preguntas, con entrada hallada %.2f, primero %.2f, en 3 %.2f, en 10 %.2f; a %.1f o más %.2f, de ellas acertadas %.2f\n", name, k, len(l),
			share(func(x evalrun.JudgedCase) bool { return x.Covered }), share(func(x evalrun.JudgedCase) bool { return x.Rank == 1 }), share(func(x evalrun.JudgedCase) bool { return x.Rank > 0 && x.Rank <= 3 }),
			share(func(x evalrun.JudgedCase) bool { return x.Rank > 0 && x.Rank <= 10 }), decide.Sure, share(func(x evalrun.JudgedCase) bool { return x.First >= decide.Sure }),
			share(func(x evalrun.JudgedCase) bool { return x.First >= decide.Sure && x.Rank == 1 })/max(1e-9, share(func(x evalrun.JudgedCase) bool { return x.First >= decide.Sure })))
	}
	for _, b := range decide.Calibration(evalrun.Outcomes(list)) {
		fmt.Fprintf(w, "  %.1f–%.1f: %d, dice %.2f, acierta %.2f\n", b.From, b.From+.2, b.N, b.Stated, b.Right)
	}
}
