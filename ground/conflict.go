package ground

import (
	"context"
	"slices"
	"strings"

	"digesto"
	"digesto/passage"
	"digesto/query"
	"digesto/question"
	"digesto/retrieve"
	"digesto/text"
	"digesto/text/figure"
	"digesto/text/lazyregexp"
	"digesto/text/sentence"
)

// conflict is a lower norm that states another quantity on the same matter as
// the unit that governs.
type conflict struct {
	Top    retrieve.Hit // that governs
	Low    retrieve.Hit
	At     int // its sentence
	better bool
}

// Bounds of the search for conflicts.
const (
	ConflictRoom = 800 // code points of an answer that a conflict takes
	conflictK    = 12
)

// conflicts finds the lower norms that contradict what governs: they refer to it,
// speak of what is asked, and give another quantity of the same unit. It is done
// by code, so that it is the same whoever writes.
func (e *Weigher) conflicts(ctx context.Context, g *Grounds) error {
	if len(g.Govern) == 0 || !g.Govern[0].Law || g.Law.Empty() || g.Focus.Kind != question.KindPeriod && g.Focus.Kind != question.KindAmount {
		return nil
	}
	top := g.Govern[0]
	said := quantitiesAt(top)
	if len(said) == 0 {
		return nil
	}
	lower, err := g.lowerNorms(ctx, top)
	if err != nil {
		return err
	}
	for _, x := range lower {
		if at, ok := g.contradicts(x, said); ok {
			c := conflict{Top: top, Low: x, At: at}
			c.better = g.improves(quantities(x.Prepared.Sentences[at].Text), said)
			g.Conflicting = append(g.Conflicting, c)
			g.Log("conflict", "rules", x.Key()+" contra "+top.Key())
			return nil
		}
	}
	return nil
}

// quantitiesAt are those of the sentence that answers, or where it has none of the first
// behind it in its paragraph that has.
func quantitiesAt(x retrieve.Hit) (said []figure.Figure) {
	all := x.Prepared.Sentences
	for i := x.Pick.At; i < len(all) && all[i].Para == all[x.Pick.At].Para && len(said) == 0; i++ {
		said = quantities(all[i].Text)
	}
	return said
}

// lowerNorms searches the ranks below the governing norm for units that refer to
// the governing unit.
func (g *Grounds) lowerNorms(ctx context.Context, top retrieve.Hit) ([]retrieve.Hit, error) {
	level := g.Pack.Level(top.Norm.Jurisdiction, top.Norm.Rank)
	var norms []string
	for n := range g.Law.Snapshot.Each() {
		if l := g.Pack.Level(n.Jurisdiction, n.Rank); level > 0 && l > level && g.Pack.Sees(n) && !n.Amending {
			norms = append(norms, n.ID)
		}
	}
	if len(norms) == 0 {
		return nil, nil
	}
	f := retrieve.PackFilter(g.Hits.Intent, true)
	f.In["norm"] = norms
	q := retrieve.Query(g.Hits.Intent, conflictK, f)
	q.Explain, q.NoTotal, q.Norms, q.Units = false, true, nil, nil
	r, err := g.Law.Searcher.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	var out []retrieve.Hit
	for _, f := range r.Hits {
		_, unit, _ := strings.Cut(f.Unit, "/")
		x, ok := g.Ground(g.Law, f.Norm, unit)
		if !ok || x.Unit.Amending || x.Unit.Kind != digesto.KindArticle || !g.refersTo(x, top) || g.Pack.Special(query.HeadingOf(&x.Ground), g.Text) {
			continue
		}
		x.Law, x.Prepared = true, g.Units.Get(g.An, x.Ground)
		out = append(out, x)
	}
	return out, nil
}

func (g *Grounds) refersTo(x, top retrieve.Hit) bool {
	return slices.ContainsFunc(x.Version.Refs, func(r digesto.Reference) bool {
		n, ok := g.Installed(r.Norm)
		return ok && n.ID == top.Norm.ID && r.Unit == top.Unit.ID
	})
}

// contradicts finds the sentence of a unit that gives, for all cases, another
// quantity of a unit in which the governing sentence counts, and none of its own. A
// rule for a special regime differs by right.
func (g *Grounds) contradicts(x retrieve.Hit, said []figure.Figure) (int, bool) {
	best, at := 0.0, -1
	seen := g.Focus.Over(x.Prepared)
	for i, s := range x.Prepared.Sentences {
		rule := text.Fold(unmarked(s.Text))
		if passage.OpensCase(rule) || ofSome.MatchString(rule) {
			continue // a special case is no contradiction
		}
		differs, agrees := compare(quantities(s.Text), said)
		if agrees && question.RubricAsked(g.Focus.Kind, s.Text) {
			return 0, false // the unit says the same
		}
		if !differs || agrees {
			continue
		}
		cover := g.Focus.Covers(seen.Around(i))
		if !question.RubricAsked(g.Focus.Kind, s.Text) || !general.MatchString(rule) {
			continue
		}
		if v := cover + g.Focus.Score(x.Prepared, i).Score/4; v > best {
			best, at = v, i
		}
	}
	return at, at >= 0
}

// general is the wording of a rule for all cases.
var general = lazyregexp.New(`^con caracter general|tendran? una duracion|\bduraran?\b|\bseran? de\b`)

// ofSome opens a rule for those whom another place names.
var ofSome = lazyregexp.New(`^(?:\S+ ){0,8}a (?:los |las |el |la )?que se refieren? `)

// unmarked drops the number or letter of a paragraph and a joining word.
func unmarked(s string) string {
	rs := []rune(s)
	n, _ := sentence.Mark(rs)
	s = strings.TrimSpace(string(rs[n:]))
	for _, w := range []string{"Asimismo, ", "Igualmente, ", "También "} {
		s = strings.TrimPrefix(s, w)
	}
	return s
}

// quantities are the figures with a unit that a sentence states.
func quantities(s string) []figure.Figure {
	var out []figure.Figure
	for _, f := range figure.FindAll(s, figure.Locale{}) {
		if f.Kind == figure.Duration || f.Kind == figure.Percent || f.Kind == figure.Money {
			out = append(out, f)
		}
	}
	return out
}

// compare says whether two rows of quantities name another amount of one unit,
// and whether they share one.
func compare(a, b []figure.Figure) (differs, agrees bool) {
	for _, x := range a {
		for _, y := range b {
			if x.Unit == y.Unit && x.Kind == y.Kind {
				if x.Value == y.Value {
					agrees = true
				} else {
					differs = true
				}
			}
		}
	}
	return differs, agrees
}

// improves says that a lower norm gives more of what the pack says is in favour
// of whom the law protects.
func (g *Grounds) improves(low, high []figure.Figure) bool {
	if !slices.ContainsFunc(g.Pack.Favourable, func(w string) bool { return strings.Contains(" "+text.Fold(g.Text), " "+w) }) {
		return false
	}
	for _, x := range low {
		for _, y := range high {
			if x.Unit == y.Unit && x.Kind == y.Kind {
				return more(x.Value, y.Value)
			}
		}
	}
	return false
}

// more compares decimal strings of like form.
func more(a, b string) bool {
	wa, fa, _ := strings.Cut(a, ".")
	wb, fb, _ := strings.Cut(b, ".")
	if len(wa) != len(wb) {
		return len(wa) > len(wb)
	}
	if wa != wb {
		return wa > wb
	}
	return fa > fb
}

// ConflictNote says which of two norms prevails and why, in the words of the law
// when they are quoted by their marks.
func (g Grounds) ConflictNote(c conflict, highMark, lowMark string) string {
	top := c.Top
	name := func(x retrieve.Hit) string { return query.Lowered(x.Unit.Label) + " " + query.Of(g.ShortName(x.Norm)) }
	s := "Conflicto entre normas: " + strings.TrimSpace("el "+name(top)+" "+highMark) + " y el " + name(c.Low) + " " + lowMark + " dan cifras distintas. "
	if c.better {
		return s + "La norma inferior puede mejorar lo que da la superior: se aplica la más favorable."
	}
	return s + "Prevalece la de mayor rango: el " + name(top) + " (" + strings.ReplaceAll(top.Norm.Rank, "_", " ") + ")."
}
