package ask

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"digesto"
	"digesto/extract"
	"digesto/passage"
	"digesto/question"
	"digesto/text"
	"digesto/text/figure"
	"digesto/text/sentence"
)

// conflict is a lower norm that states another quantity on the same matter as
// the unit that governs.
type conflict struct {
	top    hit // that governs
	low    hit
	at     int // its sentence
	better bool
}

// Bounds of the search for conflicts.
const (
	conflictRoom  = 800 // code points of an answer that a conflict takes
	conflictK     = 12
	conflictCover = .45 // of the question's information in the lower norm's sentence and headings
)

// conflicts finds the lower norms that contradict what governs: they refer to it,
// speak of what is asked, and give another quantity of the same unit. It is done
// by code, so that it is the same whoever writes.
func (e *Weigher) conflicts(ctx context.Context, g *grounds) error {
	if len(g.govern) == 0 || !g.govern[0].law || g.law.empty() || g.focus.Kind != question.KindPeriod && g.focus.Kind != question.KindAmount {
		return nil
	}
	top := g.govern[0]
	said := quantities(top.unit.Sentences[top.pick.At].Text)
	if len(said) == 0 {
		return nil
	}
	lower, err := g.lowerNorms(ctx, top)
	if err != nil {
		return err
	}
	for _, x := range lower {
		if at, ok := g.contradicts(x, said); ok {
			c := conflict{top: top, low: x, at: at}
			c.better = g.improves(quantities(x.unit.Sentences[at].Text), said)
			g.conflicting = append(g.conflicting, c)
			g.log("conflict", "rules", x.key()+" contra "+top.key())
			return nil
		}
	}
	return nil
}

// lowerNorms searches the ranks below the governing norm for units that refer to
// the governing unit.
func (g *grounds) lowerNorms(ctx context.Context, top hit) ([]hit, error) {
	level := g.pack.Level(top.Norm.Jurisdiction, top.Norm.Rank)
	var norms []string
	for n := range g.law.Snapshot.Each() {
		if l := g.pack.Level(n.Jurisdiction, n.Rank); level > 0 && l > level && g.pack.Sees(n) && !n.Amending {
			norms = append(norms, n.ID)
		}
	}
	if len(norms) == 0 {
		return nil, nil
	}
	f := g.packFilter(true)
	f.In["norm"] = norms
	q := g.query(conflictK, f)
	q.Explain, q.NoTotal, q.Norms, q.Units = false, true, nil, nil
	r, err := g.law.Searcher.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	var out []hit
	for _, f := range r.Hits {
		_, unit, _ := strings.Cut(f.Unit, "/")
		x, ok := g.ground(g.law, f.Norm, unit)
		if !ok || x.Unit.Amending || x.Unit.Kind != digesto.KindArticle || !g.refersTo(x, top) || g.pack.Special(headingOf(&x.Ground), g.text) {
			continue
		}
		x.law, x.unit = true, g.units.get(g.an, x.Ground)
		out = append(out, x)
	}
	return out, nil
}

func (g *grounds) refersTo(x, top hit) bool {
	return slices.ContainsFunc(x.Version.Refs, func(r digesto.Reference) bool {
		n, ok := g.installed(r.Norm)
		return ok && n.ID == top.Norm.ID && r.Unit == top.Unit.ID
	})
}

// contradicts finds the sentence of a unit that gives, for all cases, another
// quantity of a unit in which the governing sentence counts, and none of its own. A
// rule for a special regime differs by right.
func (g *grounds) contradicts(x hit, said []figure.Figure) (int, bool) {
	best, at := 0.0, -1
	seen := g.focus.Over(x.unit)
	for i, s := range x.unit.Sentences {
		rule := text.Fold(unmarked(s.Text))
		if passage.OpensCase(rule) || ofSome.MatchString(rule) {
			continue // a special case is no contradiction
		}
		differs, agrees := compare(quantities(s.Text), said)
		if agrees && question.RubricAsked(g.focus.Kind, s.Text) {
			return 0, false // the unit says the same
		}
		if !differs || agrees {
			continue
		}
		cover := g.focus.Covers(seen.Around(i))
		if cover < conflictCover || !question.RubricAsked(g.focus.Kind, s.Text) || !general.MatchString(rule) {
			continue
		}
		if v := cover + g.focus.Score(x.unit, i).Score/4; v > best {
			best, at = v, i
		}
	}
	return at, at >= 0
}

// general is the wording of a rule for all cases.
var general = regexp.MustCompile(`^con caracter general|tendran? una duracion|\bduraran?\b|\bseran? de\b`)

// ofSome opens a rule for those whom another place names.
var ofSome = regexp.MustCompile(`^(?:\S+ ){0,8}a (?:los |las |el |la )?que se refieren? `)

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
func (g *grounds) improves(low, high []figure.Figure) bool {
	if !slices.ContainsFunc(g.pack.Favourable, func(w string) bool { return strings.Contains(" "+text.Fold(g.text), " "+w) }) {
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

// conflictNote says which of two norms prevails and why, in the words of the law
// when they are quoted by their marks.
func (g grounds) conflictNote(c conflict, highMark, lowMark string) string {
	top := c.top
	name := func(x hit) string { return lowered(x.Unit.Label) + " " + of(g.shortName(x.Norm)) }
	s := "Conflicto entre normas: " + strings.TrimSpace("el "+name(top)+" "+highMark) + " y el " + name(c.low) + " " + lowMark + " dan cifras distintas. "
	if c.better {
		return s + "La norma inferior puede mejorar lo que da la superior: se aplica la más favorable."
	}
	return s + "Prevalece la de mayor rango: el " + name(top) + " (" + strings.ReplaceAll(top.Norm.Rank, "_", " ") + ")."
}

// quoteConflicts quotes the other side of each conflict and says which prevails.
// It gives the lines of the answer; the note stands among the notes too.
func (d *draft) quoteConflicts(most int) []string {
	var out []string
	for _, c := range d.conflicting {
		parts, _ := extract.Stretches(c.low.unit, []passage.Span{{From: c.at, To: c.at}}, extract.MaxQuoted, 1)
		if len(parts) == 0 || most < 1 || len(d.citations) == 0 {
			continue
		}
		q, ok := c.low.Cite(parts[0].Start, parts[0].End)
		if !ok {
			continue
		}
		q.Ref.Label = fmt.Sprintf("C%d", len(d.citations)+1)
		mark := ""
		for _, o := range d.citations {
			if mark == "" && o.Ref.Document == c.top.Norm.ID && o.Ref.Unit == c.top.Unit.ID {
				mark = "[" + o.Ref.Label + "]"
			}
		}
		note := d.conflictNote(c, mark, "["+q.Ref.Label+"]")
		d.citations = append(d.citations, q)
		most--
		out = append(out, note, "«"+q.Quote+"» ["+q.Ref.Label+"]", sourceLine(c.low))
		d.notes = append(d.notes, note)
	}
	return out
}
