package ask

import (
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"digesto"
	"digesto/corpus"
	"digesto/pack"
)

// TestConflict: a lower norm that takes up the governing article and gives all cases
// another figure contradicts it; one that gives a figure of its own matter, or of a
// special regime, does not.
func TestConflict(t *testing.T) {
	fsys := maps.Clone(manifest)
	fsys["costa/pack.yaml"] = &fstest.MapFile{Data: []byte(strings.Replace(string(fsys["costa/pack.yaml"].Data), "files:", "files:\n  ranks: [ranks.tsv]", 1))}
	fsys["costa/ranks.tsv"] = &fstest.MapFile{Data: []byte("jurisdiction\tlevel\trank\nxx\t3\tley\nxx\t5\tdecreto\n")}
	p, err := pack.Load(fsys, "costa")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, rule string
		conflict   bool
	}{
		{"another figure for all", "El descanso anual del farero del artículo 2 de la Ley de Faros tendrá una duración de quince días naturales.", true},
		{"the same figure", "El descanso anual del farero del artículo 2 de la Ley de Faros tendrá una duración de veintidós días naturales.", false},
		{"a figure of another matter", "Quien vuelva del descanso anual del farero que fija el artículo 2 de la Ley de Faros firmará la vuelta, y el plazo y la duración de esa firma son tres días naturales.", false},
		{"a rule for those named elsewhere", "2. Los empleados a que se refiere el apartado anterior tendrán una duración del descanso anual del farero, que es con carácter general la del artículo 2 de la Ley de Faros, de diez días naturales.", false},
		{"what the other gives for all cases, named", "Al cambiar de faro se podrá reducir el descanso anual del farero del artículo 2 de la Ley de Faros hasta una duración de siete días naturales, y se compensa hasta lo fijado con carácter general.", false},
		{"a special regime", "Los faros de isla a que se refiere el artículo 2 de la Ley de Faros deberán partir la duración del descanso anual del farero en turnos de diez días naturales.", false},
	} {
		w := newWorld(t, true)
		w.packs = []*pack.Pack{p}
		v := digesto.Version{ID: "2020-05-06", Text: c.rule, Published: "2020-05-06", Current: true, Refs: []digesto.Reference{{Norm: "LEY-1", Unit: "a2"}}}
		w.law = view(t, append(lawDocs(), corpus.Document{
			Norm:  digesto.Norm{ID: "DEC-9", Title: "Decreto 9/2003, de Descansos", Rank: "decreto", Jurisdiction: "xx", Collection: "normativa", Packs: []string{"costa"}, Published: "2003-03-03", TextAsOf: "2020-05-06", Source: "DEC-9.md"},
			Units: []digesto.Unit{{Norm: "DEC-9", ID: "a1", Kind: digesto.KindArticle, Number: "1", Label: "Artículo 1", Versions: []digesto.Version{v}}},
		}))
		a := ask(t, w.engine(t, nil), "¿Cuántos días dura el descanso anual del farero?")
		if got := strings.Contains(a.Answer, "Conflicto entre normas"); got != c.conflict || !strings.Contains(places(a), "LEY-1/a2") {
			t.Errorf("%s: conflict %v, want %v: %s\n%s", c.name, got, c.conflict, places(a), a.Answer)
		}
	}
}
