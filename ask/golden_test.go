package ask

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGoldenAnswers holds the five fields of answers of every kind, byte for
// byte: what changes here changes for people.
func TestGoldenAnswers(t *testing.T) {
	var b strings.Builder
	for _, installed := range []bool{true, false} {
		e := newWorld(t, installed).engine(t, nil)
		for _, q := range []string{
			"¿Cuántos días de vacaciones tiene el farero?", "requisitos para ser farero", "¿Cuánto es la tasa de luz?", "¿Puede el farero apagar la luz de noche?",
			"art. 7 bis LFB", "artículos 1 y 3 de la Ley de Mercados", "¿Qué plazo fija la Ley de Puertos Secos para descargar?",
			"¿Qué dice el artículo 99 de la Ley de Faros?", "¿Cuántos satélites orbitan el planeta Marte?", "¿Me conviene recurrir?", "¿Quién eres?",
			"Where does the keeper of the lighthouse have to live and for how long?",
		} {
			a := ask(t, e, q)
			outcome := a.Meta.Outcome
			a.Meta = nil
			raw, err := json.MarshalIndent(a, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString("# " + q + "\n# " + string(outcome) + "\n" + string(raw) + "\n\n")
		}
	}
	const path = "testdata/answers.golden"
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("answers changed (go test ./ask -update writes them anew):\n%s", d)
	}
}
