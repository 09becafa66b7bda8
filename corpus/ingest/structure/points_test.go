package structure_test

import (
	"fmt"
	"strings"
	"testing"

	"digesto/internal/ingesttest"
)

// An instruction is divided by its numbered points; a formula under a heading stays in its
// article; an article may have five digits. Invented.
func TestPointsAndHeadings(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string // ids of units that must be there
		never    string   // prefix of ids that must not
	}{
		{"instruction", "---\ntitle: \"Instrucción 3/2020, sobre faros\"\nidentifier: \"INS-3\"\ncountry: \"es\"\nrank: \"instruccion\"\n---\n# Instrucción 3/2020, sobre faros\n\nVistas las leyes de faros, se dictan las normas que siguen.\n\n##### 1. Consideraciones generales.\n\nEl farero lleva un libro.\n\n##### 2. Encendido.\n\n2.1 Horas de encendido. El farero enciende la luz al anochecer.\n\n2.2 Averías. El farero avisa al puerto.\n", []string{"s1-consideraciones-generales", "s2.1-horas-de-encendido", "s2.2-averias"}, ""},
		{"formula", "---\ntitle: \"Ley 3/2020, de faros\"\nidentifier: \"LEY-3\"\ncountry: \"es\"\nrank: \"ley\"\n---\n# Ley 3/2020, de faros\n\n###### Artículo 1. Aceite.\n\nEl aceite de cada faro se calcula con esta fórmula:\n\n### A = H x C\n\nDonde H son las horas de luz y C el consumo de la lámpara.\n\n###### Artículo 2. Luz.\n\nEl farero enciende la luz.\n", []string{"a1", "a2"}, "s"},
		{"long series", longSeries(), []string{"a9999", "a10000", "a10003"}, "s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			docs, _, err := ingesttest.ReadBytes("faros.md", c.in)
			if err != nil || len(docs) != 1 {
				t.Fatal(err, len(docs))
			}
			have := map[string]string{}
			for _, u := range docs[0].Units {
				have[u.ID] = u.Versions[0].Text
				if c.never != "" && strings.HasPrefix(u.ID, c.never) {
					t.Errorf("%s: %s", u.ID, u.Versions[0].Text)
				}
			}
			for _, id := range c.want {
				if have[id] == "" {
					t.Errorf("no %s", id)
				}
			}
			if c.name == "formula" && !strings.Contains(have["a1"], "consumo de la lámpara") {
				t.Errorf("a1 is cut: %s", have["a1"])
			}
		})
	}
}

func longSeries() string {
	var b strings.Builder
	b.WriteString("---\ntitle: \"Ley 4/2020, de faros\"\nidentifier: \"LEY-4\"\ncountry: \"es\"\nrank: \"ley\"\n---\n# Ley 4/2020, de faros\n\n")
	for i := 1; i <= 10003; i++ {
		fmt.Fprintf(&b, "##### Artículo %d. Regla.\n\nEl farero %d enciende la luz.\n\n", i, i)
	}
	return b.String()
}
