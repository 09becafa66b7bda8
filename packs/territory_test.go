package packs_test

import (
	"encoding/json"
	"testing"

	"digesto/packs"
)

func TestTerritoriesOfClara(t *testing.T) {
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, _ := packs.One(all, "clara")
	tests := []struct{ in, code, region string }{
		{"ayudas en Madrid", "es-md/madrid", "es-md"},
		{"¿…en Madrid?", "es-md/madrid", "es-md"},
		{"renta en la Comunidad de Madrid", "es-md", "es-md"},
		{"ayudas en Andalucía", "es-an", "es-an"},
		{"empadronarme en Lérida", "es-ct/lleida", "es-ct"},
		{"empadronarme en Lleida", "es-ct/lleida", "es-ct"},
		{"vivo en A Coruña", "es-ga/a-coruna", "es-ga"},
		{"en DONOSTIA", "es-pv/san-sebastian", "es-pv"},
		{"San Sebastián de los Reyes", "es-md/san-sebastian-de-los-reyes", "es-md"},
		{"renta garantizada euskadi", "es-pv", "es-pv"},
		{"ciudad de Ceuta", "es-ce", "es-ce"},
		{"padrón de Castellón", "es-vc/castellon-de-la-plana", "es-vc"},
		{"castilla y leon ayudas", "es-cl", "es-cl"},
		{"vivo en León", "es-cl/leon", "es-cl"},
		{"vivo en paz", "", ""},
		{"en general", "", ""},
		{"carnet en regla", "", ""},
		{"el león es un animal", "", ""},
		{"la palma de la mano", "", ""},
		{"¿qué requisitos tiene el IMV?", "", ""},
		{"se parla catalán", "", ""},
	}
	for _, x := range tests {
		got, ok := p.Territories.Detect(x.in)
		if ok != (x.code != "") || got.Code != x.code || got.Region != x.region {
			t.Errorf("%q: %q in %q, want %q in %q", x.in, got.Code, got.Region, x.code, x.region)
		}
	}
	if p.Territories.Len() < 100 {
		t.Errorf("%d names", p.Territories.Len())
	}
}

// TestTerritoryTable: every phrase of the table, place or trap, to the letter.
func TestTerritoryTable(t *testing.T) {
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, _ := packs.One(all, "clara")
	f, err := packs.FS().Open("clara/eval/territory.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	phrases, traps := 0, 0
	for dec := json.NewDecoder(f); dec.More(); {
		var c struct {
			Text      string `json:"text"`
			Territory string `json:"territory"`
		}
		if err := dec.Decode(&c); err != nil {
			t.Fatal(err)
		}
		phrases++
		if c.Territory == "" {
			traps++
		}
		if got, _ := p.Territories.Detect(c.Text); got.Code != c.Territory {
			t.Errorf("%q: %q, want %q", c.Text, got.Code, c.Territory)
		}
	}
	if phrases < 300 || traps < 60 {
		t.Errorf("%d phrases, %d traps", phrases, traps)
	}
}
