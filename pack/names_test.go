package pack

import "testing"

func TestSourceName(t *testing.T) {
	for _, c := range []struct{ title, short, want string }{
		{"Ley de Ferias (Ley 20.744)", "Ley de Ferias", "Ley 20.744 de Ferias"},
		{"Salud (Ley 26.529)", "Ley de Derechos del Feriante", "Ley 26.529 de Derechos del Feriante"},
		{"Reglamento de la Ley 24557 (Decreto 170/1996)", "Reglamento de la Ley de Riesgos", "Reglamento de la Ley de Riesgos (Decreto 170/1996)"},
		{"Ley Orgánica 4/2000, de 11 de enero, sobre ferias", "Ley de Ferias", "Ley Orgánica 4/2000 de Ferias"},
		{"Ley 27972, Ley Orgánica de Puestos", "Ley Orgánica de Puestos", "Ley Orgánica de Puestos (Ley 27972)"},
		{"Real Decreto Legislativo 2/2015, de 23 de octubre, por el que se aprueba", "Estatuto de los Feriantes", "Estatuto de los Feriantes (Real Decreto Legislativo 2/2015)"},
		{"Orden PJC/617/2025, de 13 de junio, de tasas", "Orden de Tasas", "Orden PJC/617/2025 de Tasas"},
		{"Real Decreto de 14 de septiembre de 1882 por el que se aprueba la Ley de Ferias", "Ley de Ferias", "Ley de Ferias"},
		{"Constitución Política de 1993", "Constitución Política", "Constitución Política"},
		{"Decreto Supremo 301-2025-EF, valor del puesto", "Decreto del puesto 2026", "Decreto Supremo 301-2025-EF del puesto 2026"},
		{"Reglamento (UE) 2016/679 de ferias", "", "Reglamento (UE) 2016/679 de ferias"},
		{"Ley 1/2000, de 7 de enero, de un nombre oficial que es tan largo que nadie lo dice así en una línea", "", "Ley 1/2000"},
		{"Ley 1/2000, de 7 de enero", "RD 1/2000", "RD 1/2000"},
	} {
		if got := (Source{Title: c.title, Short: c.short}).Name(); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.title, c.short, got, c.want)
		}
	}
}

// TestSourcePage: the address of a service as a whole is no page of a norm.
func TestSourcePage(t *testing.T) {
	p := &Pack{Anchors: []string{"https://boletin.example/act?"}}
	for address, want := range map[string]struct {
		page     string
		anchored bool
	}{
		"https://boletin.example/act?id=1":  {"https://boletin.example/act?id=1", true},
		"https://boletin.example/pdf/1.pdf": {"https://boletin.example/pdf/1.pdf", false},
		"https://boletin.example/":          {"", false},
		"https://boletin.example":           {"", false},
		"javascript:alert(1)":               {"", false},
	} {
		page := Source{URL: address}.Page()
		if page != want.page || p.Anchored(page) != want.anchored {
			t.Errorf("%s: %q %v", address, page, p.Anchored(page))
		}
	}
}
