package pack_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"digesto/pack"
)

// withGlossary is the sixth pack with a glossary and special regimes.
func withGlossary(t *testing.T, rows, manifest string) (*pack.Pack, error) {
	t.Helper()
	m := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS("testdata"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(os.DirFS("testdata"), name)
		m[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	y := m["sexto/pack.yaml"]
	y.Data = []byte(strings.Replace(string(y.Data), "files:\n", manifest+"files:\n  glossary: [glossary.tsv]\n", 1))
	m["sexto/glossary.tsv"] = &fstest.MapFile{Data: []byte("term\tlegal\thint\tnote\n" + rows)}
	return pack.Load(m, "sexto")
}

const glossaryRows = "pluriempleo | dos trabajos\tvarios empleos\tLEY-1 a7; LEY-2 a3\tart. 7\n" +
	"empleo\tocupación\t\tpara probar que gana la más larga\n" +
	"alta y baja\taltas y bajas\tLEY-1 a9\tart. 9\n"

func TestGlossaryFindsTheLongest(t *testing.T) {
	p, err := withGlossary(t, glossaryRows, "")
	if err != nil {
		t.Fatal(err)
	}
	got := p.Glossary.Find("¿Tengo dos trabajos, es PLURIEMPLEO? El alta y baja del empleo")
	var names []string
	for _, n := range got {
		names = append(names, n.Term.Forms[0])
	}
	if strings.Join(names, ",") != "pluriempleo,pluriempleo,alta y baja,empleo" {
		t.Errorf("%v", names)
	}
	if n := got[0]; n.From != 1 || n.To != 3 || len(n.Term.Hints) != 2 || n.Term.Hints[1] != (pack.Hint{Norm: "LEY-2", Unit: "a3"}) {
		t.Errorf("%+v", n)
	}
	var none *pack.Glossary
	if none.Len() != 0 || none.Find("pluriempleo") != nil {
		t.Error("a pack without glossary")
	}
}

func TestGlossaryFaults(t *testing.T) {
	for rows, says := range map[string]string{
		"\tlegal\t\t\n":                   "necesita cómo se dice",
		"término\t\t\t\n":                 "necesita cómo se dice",
		"término\tlegal\tLEY-1\t\n":       "no es un lugar",
		"término\tlegal\tLEY-1 a1 a2\t\n": "no es un lugar",
	} {
		if _, err := withGlossary(t, rows, ""); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", rows, err)
		}
	}
	p, err := withGlossary(t, "uno | dos\tlegal\tLEY-INEXISTENTE a1\t\ndos\tlegal\t\t\n", "")
	if err != nil {
		t.Fatal(err)
	}
	var all string
	for _, b := range pack.Check(p) {
		all += b.String() + "\n"
	}
	for _, says := range []string{"«dos» está dos veces", "LEY-INEXISTENTE"} {
		if !strings.Contains(all, says) {
			t.Errorf("%q is not reported:\n%s", says, all)
		}
	}
}

// TestHintsAgainstTheLaw: a hint to an article that deals with something else is
// reported, as is one to an article that there is not.
func TestHintsAgainstTheLaw(t *testing.T) {
	p, err := withGlossary(t, glossaryRows, "")
	if err != nil {
		t.Fatal(err)
	}
	law := map[string]string{"LEY-1/a7": "Se llama pluriempleo a tener dos patronos.", "LEY-2/a3": "La cotización adicional por horas extraordinarias.", "LEY-1/a9": ""}
	held, bad := p.Glossary.CheckHints(func(h pack.Hint) (string, bool) {
		body, ok := law[h.Norm+"/"+h.Unit]
		return body, ok
	})
	if len(held) != 1 || len(bad) != 2 {
		t.Fatalf("held %v, bad %v", held, bad)
	}
	if bad[0].Hint.Unit != "a3" || !strings.Contains(bad[0].Why, "no habla") || !strings.Contains(bad[1].Why, "no tiene esa unidad") {
		t.Errorf("%+v", bad)
	}
	if file, line := bad[0].Term.At(); line != 2 || !strings.HasSuffix(file, "glossary.tsv") {
		t.Errorf("%s:%d", file, line)
	}
}

func TestSpecialRegimes(t *testing.T) {
	p, err := withGlossary(t, glossaryRows, "regimes: [\"gente de mar\", \"minero|mineros\"]\nfavourable: [permiso, Vacación]\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		heading, question string
		special           bool
	}{
		{"Reglamento de la gente de mar", "¿Cuántos días descanso?", true},
		{"Reglamento de la gente de mar", "¿Cuánto descansa la gente de mar?", false},
		{"Estatuto de los mineros", "Soy minero, ¿cuánto descanso?", false},
		{"Estatuto general", "¿Cuántos días descanso?", false},
	} {
		if got := p.Special(c.heading, c.question); got != c.special {
			t.Errorf("%s / %s: %v", c.heading, c.question, got)
		}
	}
	if len(p.Favourable) != 2 || p.Favourable[1] != "vacacion" {
		t.Errorf("%v", p.Favourable)
	}
	if _, err := withGlossary(t, glossaryRows, "regimes: [\"?opcional\"]\n"); err == nil {
		t.Error("a pattern without an obligatory word passes")
	}
}
