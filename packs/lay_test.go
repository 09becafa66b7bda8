package packs_test

import (
	"slices"
	"testing"

	"digesto/pack"
	"digesto/packs"
)

// TestLay: each country's lexicon is large enough, shared by its packs, sound,
// and knows what people say.
func TestLay(t *testing.T) {
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	least := map[string]int{"es": 400, "ar": 150, "ar-x": 150, "pe": 150}
	says := map[string]map[string]string{
		"laboral":   {"me han echado sin carta": "despido", "cuánto se cobra de paro": "prestación por desempleo", "mi casero": "arrendador"},
		"clara":     {"me quieren embargar la nómina": "bienes inembargables", "la manutención de mi hijo": "pensión de alimentos"},
		"argentina": {"me rajaron del laburo": "despido", "no me pasa la cuota alimentaria": "alimentos"},
		"jus":       {"cuánto cobra un abogado": "honorarios profesionales"},
		"peru":      {"cómo saco mi CTS": "compensación por tiempo de servicios", "me llegó una papeleta": "infracción de tránsito"},
	}
	for _, p := range all {
		if n := p.Lay.Len(); n < least[p.Jurisdiction()] || n == 0 {
			t.Errorf("%s: %d entries", p.Name, n)
		}
		for _, b := range pack.Check(p) {
			t.Errorf("%s: %v", p.Name, b)
		}
		for q, want := range says[p.Name] {
			if got := p.Lay.Expand(q); !slices.Contains(got, want) {
				t.Errorf("%s: %q gives %v, not %q", p.Name, q, got, want)
			}
		}
	}
}
