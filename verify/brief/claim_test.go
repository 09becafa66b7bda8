package brief

import (
	"strings"
	"testing"

	"digesto/verify"
)

// claims gives "holding differs" of each sentence of a text that cites without quoting.
func claims(r Report) string {
	var out []string
	for _, f := range r.Citations {
		if f.Claim != nil {
			out = append(out, strings.TrimSpace(string(f.Claim.Verdict)+" "+string(f.Claim.Differs)))
		}
	}
	return strings.Join(out, "; ")
}

func TestClaims(t *testing.T) {
	o := harbour(t)
	for _, c := range []struct{ name, text, want string }{
		{"true", "La tasa de luz es de 45,50 euros por cada arribada (art. 3 LFB).", "supported"},
		{"behind a full stop", "La tasa de luz es de 45,50 euros por cada arribada. (Véase el art. 3 LFB.)", "supported"},
		{"at the start", "Según el artículo 2 de la Ley 2/2002, los puestos abrirán de siete a quince horas.", "supported"},
		{"figure", "Conforme al art. 3 LFB, la tasa de luz será de 54,50 euros por cada arribada.", "contradicted figure"},
		{"negation", "Los barcos de pesca que arriben por temporal declarado pagan tasa: se cobrará tasa, art. 3 LFB.", "contradicted negation"},
		{"negation dropped", "El farero podrá renunciar a su descanso a cambio de dinero (art. 2 LFB).", "contradicted negation"},
		{"negation kept", "El farero no puede renunciar a su descanso a cambio de dinero (art. 2 LFB).", "supported"},
		{"more than it says", "El farero no puede renunciar a su descanso a cambio de dinero ni de permisos (art. 2 LFB).", "not_shown"},
		{"another matter", "El demandante vendió sus redes el lunes (art. 2 LFB).", "not_shown"},
		{"two articles, one supports", "La tasa de luz es de 45,50 euros por cada arribada (arts. 1 y 3 LFB).", "not_shown; supported"},
		{"a quotation is judged by its words", "La tasa es de 45,50 euros, y el art. 3 LFB dice «La tasa de luz será de 45,50 euros por cada arribada».", ""},
		{"nothing said", "Véase el art. 3 LFB.", ""},
		{"a whole norm", "Todo esto lo regula la Ley de Faros.", ""},
		{"former wording", "El descanso anual del farero durará veinte días naturales (art. 2 LFB).", "not_shown"},
	} {
		r := check(t, o, c.text)
		if got := claims(r); got != c.want {
			t.Errorf("%s: %q, want %q (%+v)", c.name, got, c.want, r.Citations)
		}
	}
}

func TestClaimSays(t *testing.T) {
	r := check(t, harbour(t), "Hechos probados. Conforme al art. 3 LFB, la tasa de luz será de 54,50 euros por cada arribada. Otra frase.")
	if len(r.Citations) != 1 || r.Citations[0].Claim == nil {
		t.Fatalf("%+v", r)
	}
	c := r.Citations[0].Claim
	if c.Said != "54,50 euros" || c.Law != "45,50 euros" || !strings.Contains(c.Quote, "45,50") || c.Ref == nil || c.Ref.Unit != "a3" || c.Start != 17 || r.Claims[verify.Contradicted] != 1 {
		t.Errorf("%+v", c)
	}
}
