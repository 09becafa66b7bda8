package verify

import (
	"strings"
	"testing"

	"digesto/text"
	"digesto/text/figure"
)

const lighthouse = `1. El farero dispondrá de un descanso anual no inferior a treinta días naturales. El descanso no podrá sustituirse por dinero.
2. La tasa de amarre se pagará cada tres meses al encargado del muelle y ascenderá a 45,50 euros.
3. El permiso de faro lo concede el consejo de puertos y dura cuatro años, salvo que una orden lo acorte.
4. No tendrán derecho al permiso los barcos retirados del registro.
5. Las sanciones leves las impone el secretario y las graves, el ministro.
6. El recurso se presentará antes de la botadura, en el plazo máximo de diez días si el barco es propio y de veinte días si es arrendado.`

func judge(said string) Judgement {
	an := &text.Analyser{}
	return NewPassage(an, "Artículo 7. Descanso, tasas y permisos del muelle", lighthouse).Judge(NewClaim(an, "", said, nil), figure.Locale{})
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		said string
		want Holding
		how  Difference
	}{
		{"el farero tiene un descanso anual de treinta días naturales", NotShown, ""}, // "no inferior a" is not said
		{"el descanso anual del farero no será inferior a 30 días", Supported, ""},
		{"el descanso anual del farero no será inferior a 25 días", Contradicted, DiffersFigure},
		{"el descanso anual del farero no será inferior a treinta días hábiles", Contradicted, DiffersFigure},
		{"el descanso anual del farero no será superior a treinta días", Contradicted, DiffersLimit},
		{"el descanso no puede sustituirse por dinero", Supported, ""},
		{"el descanso puede sustituirse por dinero", Contradicted, DiffersNegation},
		{"la tasa de amarre se paga cada tres meses", Supported, ""},
		{"la tasa de amarre no se paga cada tres meses", Contradicted, DiffersNegation},
		{"la tasa de amarre asciende a 54,50 euros", Contradicted, DiffersFigure},
		{"la tasa de amarre asciende a 45,50 euros y se paga cada tres meses", Supported, ""},
		{"la tasa de amarre se paga doble cada tres meses", NotShown, ""},
		{"el permiso de faro lo concede el consejo de puertos", Supported, ""},
		{"el permiso de faro dura cuatro años", Supported, ""},
		{"el permiso de faro dura 48 meses", Supported, ""},
		{"el permiso de faro lo concede el ayuntamiento", Contradicted, DiffersBody},
		{"el permiso de faro lo concede solo el consejo de puertos", NotShown, ""},
		{"los barcos retirados del registro tienen derecho al permiso", Contradicted, DiffersNegation},
		{"los barcos retirados del registro no tienen derecho al permiso", Supported, ""},
		{"las sanciones leves las impone el ministro y las graves, el secretario", NotShown, ""},
		{"el recurso se presenta después de la botadura", Contradicted, DiffersLimit},
		{"si el barco es arrendado el plazo máximo del recurso es de diez días", NotShown, ""},
		{"los pescadores pagan por el pan", NotShown, ""},
		{"el plazo máximo del recurso es de diez días si el barco es propio", Supported, ""},
		{"el plazo máximo del recurso es de veinte días si el barco es propio", NotShown, ""},
		{"el farero", NotShown, ""},
	} {
		got := judge(c.said)
		if got.Holding != c.want || got.Differs != c.how {
			t.Errorf("%q: %s %s (%q / %q), want %s %s", c.said, got.Holding, got.Differs, got.Said, got.Law, c.want, c.how)
		}
	}
}

func TestJudgeWords(t *testing.T) {
	j := judge("la tasa de amarre asciende a 54,50 euros")
	if j.Said != "54,50 euros" || j.Law != "45,50 euros" {
		t.Errorf("figures: %q / %q", j.Said, j.Law)
	}
	if s, _ := Slice(lighthouse, j.Start, j.End); !strings.HasPrefix(s, "2. La tasa") {
		t.Errorf("decided by %q", s)
	}
	if j = judge("el permiso de faro dura cuatro años"); !j.Except {
		t.Error("the exception of the rule is not told")
	}
	if j = judge("el descanso puede sustituirse por dinero"); !strings.Contains(j.Law, "no podrá") || !strings.Contains(j.Said, "puede") {
		t.Errorf("negation: %q / %q", j.Said, j.Law)
	}
}

// One word more than the law has keeps a claim from being supported, whatever it is.
func TestJudgeAddedWord(t *testing.T) {
	said := strings.Fields("el descanso anual del farero no será inferior a 30 días")
	for i := range said {
		for _, more := range []string{"retribuido", "minero", "siempre", "sin", "autonómico"} {
			w := append(append(append([]string{}, said[:i]...), more), said[i:]...)
			if j := judge(strings.Join(w, " ")); j.Holding == Supported {
				t.Errorf("supported: %q", strings.Join(w, " "))
			}
		}
	}
}

func FuzzJudge(f *testing.F) {
	f.Add(lighthouse, "la tasa no se paga en 3 meses")
	f.Add("no no. a) 1.º:", "sin 12 meses de año, juez")
	f.Fuzz(func(t *testing.T, body, said string) {
		if len(body)+len(said) > 1<<12 {
			t.Skip()
		}
		body, said = strings.ToValidUTF8(body, "?"), strings.ToValidUTF8(said, "?")
		an := &text.Analyser{}
		j := NewPassage(an, "", body).Judge(NewClaim(an, "", said, nil), figure.Locale{})
		if (j.Holding == Contradicted) != (j.Differs != "") {
			t.Fatalf("%+v", j)
		}
		if _, ok := Slice(body, j.Start, j.End); !ok {
			t.Fatalf("no such place: %+v", j)
		}
	})
}
