package read

import (
	"fmt"
	"testing"
)

func TestLevels(t *testing.T) {
	for detail, want := range map[string]string{
		"4": "0[4]", "inc. b": "1[b]", "apartado 2, letra a)": "0[2] 1[a]", "2.b)": "0[2] 1[b]", "4 y 5": "0[4 5]", "apartados 1 a 3": "0[1 2 3]", "letras a) y c)": "1[a c]",
		"párrafo segundo": "2[2]", "último párrafo": "2[-1]", "ordinal 2º": "0[2]", "in fine": "2[-1]", "88.4": "0[88.4]", "b bis": "1[bbis]", "apartado primero, letra K": "0[1] 1[k]",
		"literal g del inciso 24": "1[g] 0[24]", "según se verá": "",
	} {
		levels, _ := LevelsOf(detail)
		got := ""
		for _, l := range levels {
			if got != "" {
				got += " "
			}
			got += fmt.Sprintf("%d%v", l.Kind, l.Values)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", detail, got, want)
		}
	}
}
