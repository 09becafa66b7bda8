package ask

import (
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"digesto/pack"
)

// TestDatedFigure: the figure of a year that the pack embeds answers before the law
// that only says what the figure is for, and for its own year only.
func TestDatedFigure(t *testing.T) {
	fsys := maps.Clone(manifest)
	raw := string(fsys["costa/fiches.yaml"].Data)
	raw = strings.Replace(raw, "fiches:\n", "  DEC-5: {name: del Decreto 5/2024, url: \"https://example.org/DEC-5\"}\nfiches:\n", 1) + `
      - {id: tasa-2025, ask: "¿Cuánto fue la unidad de puerto en 2025?", text: "En 2025 la unidad de puerto fue de 80 euros.", norm: DEC-5, unit: a1, ref: artículo 1, year: "2025"}
`
	fsys["costa/fiches.yaml"] = &fstest.MapFile{Data: []byte(raw)}
	p, err := pack.Load(fsys, "costa")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, true)
	w.packs = []*pack.Pack{p}
	w.own = embeddedView(t, p)
	docs := lawDocs()
	for k := range docs[0].Units {
		if u := &docs[0].Units[k]; u.ID == "a4" {
			u.Versions[0].Text = "1. La tasa de luz se paga en unidades de puerto. La unidad de puerto es un valor de referencia que fija cada año un decreto."
		}
	}
	w.law = view(t, docs)
	e := w.engine(t, nil)
	for q, want := range map[string]bool{
		"¿Cuánto fue la unidad de puerto en 2025?": true,
		"¿Cuánto es la unidad de puerto en 2025?":  true,
		"¿Cuánto fue la unidad de puerto en 2019?": false,
		"¿Qué es la unidad de puerto?":             false,
	} {
		if a := ask(t, e, q); strings.Contains(a.Answer, "80 euros") != want {
			t.Errorf("%s: the figure of 2025 %v, want %v\n%s", q, !want, want, a.Answer)
		}
	}
}
