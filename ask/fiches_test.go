package ask

import (
	"slices"
	"strings"
	"testing"

	"digesto/packs"
	"digesto/passage"
	"digesto/text"
	"digesto/text/cite"
	"digesto/text/figure"
)

// byReference are parts that take a figure from another part of their article.
var byReference = map[string]string{"a59 artículo 59.4 del Estatuto de los Trabajadores": "lo previsto en el apartado anterior"}

// TestFichesNameTheirPart: the paragraph or letter that a fiche names is in the
// installed article, and holds every figure of the fiche that the article holds: what is
// quoted for the fiche is that part alone.
func TestFichesNameTheirPart(t *testing.T) {
	_, law := sharedEngine(t)
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	an, table, seen := &text.Analyser{}, cite.NewTable(nil, nil), 0
	for _, p := range all {
		for _, f := range p.Fiches {
			for _, x := range f.Facts {
				refs := table.Find(x.Ref)
				if x.Place == "" || len(refs) == 0 || refs[0].Detail == "" {
					continue
				}
				v, err := law.Snapshot.Text(x.Norm, x.Place, "")
				if err != nil {
					continue // not among the texts at hand
				}
				u := passage.New(an, "", v.Text)
				part, ok := u.DetailSpan(refs[0].Detail)
				if !ok {
					t.Errorf("%s: %s is not in %s/%s: %s", p.Name, x.Ref, x.Norm, x.Place, x.Text)
					continue
				}
				seen++
				if lead := u.LeadOf(part.From); lead >= 0 {
					part.From = lead
				}
				rs := []rune(v.Text)
				said := text.Fold(string(rs[u.Sentences[part.From].Start:u.Sentences[part.To].End]))
				inPart := values(figure.FindAll(string(rs[u.Sentences[part.From].Start:u.Sentences[part.To].End]), p.Figures()))
				inUnit := values(figure.FindAll(v.Text, p.Figures()))
				for _, g := range figure.FindAll(x.Text, p.Figures()) {
					first, _, _ := strings.Cut(text.Fold(strings.TrimSpace(g.Text)), " ")
					if slices.Contains(inUnit, g.Value) && !slices.Contains(inPart, g.Value) && !strings.Contains(said, first) && byReference[x.Place+" "+x.Ref] == "" {
						t.Errorf("%s: «%s» stands in the article, not in %s: %s", p.Name, strings.TrimSpace(g.Text), x.Ref, x.Text)
					}
				}
			}
		}
	}
	if t.Logf("%d parts", seen); seen < 300 {
		t.Errorf("only %d parts seen", seen)
	}
}

func values(list []figure.Figure) []string {
	var out []string
	for _, f := range list {
		out = append(out, f.Value)
	}
	return out
}
