package packs_test

import (
	"testing"

	"digesto/packs"
)

func TestTerritoriesOfClara(t *testing.T) {
	all, err := packs.All()
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
