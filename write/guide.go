package write

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/extract"
	"digesto/ground"
	"digesto/pack"
	"digesto/passage"
	"digesto/text"
	"digesto/verify"
)

// extractGuide writes what a guide says: each fact in plain words with the mark
// of its source, and under it the sentences of the law that it restates, letter by
// letter, or the fiche itself where the law is not installed. Every paragraph ends
// in its mark. What does not fit in an answer is left out, and that is said.
func extractGuide(g ground.Grounds) Draft {
	d := Draft{Grounds: g, Mode: ModeExtractive, Confidence: g.Verdict.Confidence}
	d.Notes = slices.Clone(g.Notes)
	var p paragraphs
	budget := extract.MaxQuoted
	for k, x := range g.Guide.Items {
		one := d
		one.Citations = slices.Clone(d.Citations)
		next := p.clone()
		if left := budget; !one.say(x, &next, &left, len(g.Guide.Items)-k) {
			continue
		} else if next.runes(g.Guide.Title) > verify.MaxAnswer {
			d.Notes = append(d.Notes, "La guía dice más de lo que cabe en la respuesta: pregunte por una sola cosa.")
			break
		} else {
			budget = left
		}
		d, p = one, next
	}
	if len(d.Citations) == 0 {
		g.Verdict = ground.Verdict{Reason: ground.ReasonThin}
		d.End = g.Refusal()
		return d
	}
	d.Plain, d.Answer = p.join(g.Guide.Title)
	d.Last = g.InstallNote()
	return d
}

// paragraphs are the parts of an answer from a guide.
type paragraphs struct {
	plain, body []string
	sources     []string            // without marks, each once
	marks       map[string][]string // of each source
}

func (p paragraphs) clone() paragraphs {
	out := paragraphs{slices.Clone(p.plain), slices.Clone(p.body), slices.Clone(p.sources), map[string][]string{}}
	for k, v := range p.marks {
		out.marks[k] = slices.Clone(v)
	}
	return out
}

func (p *paragraphs) source(line string, marks []string) {
	line = strings.TrimSuffix(line, ".") + "."
	if !slices.Contains(p.sources, line) {
		p.sources = append(p.sources, line)
	}
	for _, m := range marks {
		if !slices.Contains(p.marks[line], m) {
			p.marks[line] = append(p.marks[line], m)
		}
	}
}

// join gives the plain sentences and the whole answer, both opened by the name of
// the procedure.
func (p paragraphs) join(title string) (plain, answer string) {
	all := slices.Clone(p.body)
	for _, s := range p.sources {
		all = append(all, s+" "+strings.Join(p.marks[s], " "))
	}
	sentences := slices.Clone(p.plain)
	for _, list := range [][]string{sentences, all} {
		if len(list) > 0 {
			list[0] = title + ": " + strings.TrimPrefix(list[0], "En pocas palabras: ")
		}
	}
	return strings.Join(sentences, "\n\n"), strings.Join(all, "\n\n")
}

func (p paragraphs) runes(title string) int {
	_, a := p.join(title)
	return utf8.RuneCountInString(a)
}

// say adds what one fact gives; false: nothing that can be cited.
func (d *Draft) say(x ground.GuideItem, p *paragraphs, budget *int, left int) bool {
	if !x.Has {
		c, ok := x.Own.Cite(0, utf8.RuneCountInString(x.Own.Version.Text))
		if !ok || len(d.Citations) == verify.MaxQuotes {
			return false
		}
		mark := d.Cite(c)
		p.plain = append(p.plain, x.Fact.Text+" "+mark)
		p.body = append(p.body, "«"+c.Quote+"» "+mark)
		p.source(ground.SourceLine(x.Own), []string{mark})
		d.Notes = append(slices.Clone(d.Notes), ficheNotes(d.Grounds, x.Own)...)
		return true
	}
	marks, quoted := d.restated(x, budget, left)
	if len(marks) == 0 {
		return false
	}
	all := strings.Join(marks, " ")
	p.plain = append(p.plain, x.Fact.Text+" "+all)
	p.body = append(p.body, "En pocas palabras: "+x.Fact.Text+" "+all)
	if len(quoted) > 0 {
		p.body = append(p.body, strings.Join(quoted, "\n"))
	}
	p.source(ground.SourceLine(x.Law), marks)
	d.Notes = slices.Clone(d.Notes)
	if c := d.Caution(x.Law); c != "" {
		d.Notes = append(d.Notes, c)
	}
	d.Notes = append(d.Notes, ground.TimeNotes(d.Grounds, x.Law)...)
	return true
}

// Cite adds a citation, or finds the one that is there, and gives its mark.
func (d *Draft) Cite(c digesto.Citation) string {
	for _, o := range d.Citations {
		if o.Ref.Document == c.Ref.Document && o.Ref.Unit == c.Ref.Unit && o.Ref.Start == c.Ref.Start && o.Ref.End == c.Ref.End {
			return "[" + o.Ref.Label + "]"
		}
	}
	c.Ref.Label = fmt.Sprintf("C%d", len(d.Citations)+1)
	d.Citations = append(d.Citations, c)
	return "[" + c.Ref.Label + "]"
}

// restated quotes the sentences of the law that a fact restates: marks are those of
// the fact, quoted the quotations that are new.
func (d *Draft) restated(x ground.GuideItem, budget *int, left int) (marks, quoted []string) {
	room := verify.MaxQuotes - len(d.Citations)
	if room <= 0 {
		return nil, nil
	}
	most := max(1, room-(left-1))
	parts, _ := extract.Stretches(x.Law.Prepared, restating(d.Grounds, x), min(max(*budget/left, verify.MaxQuote), 2*verify.MaxQuote), min(most, 2))
	for _, p := range parts {
		c, ok := x.Law.Cite(p.Start, p.End)
		if !ok {
			continue
		}
		n := len(d.Citations)
		m := d.Cite(c)
		marks = append(marks, m)
		if len(d.Citations) > n {
			quoted = append(quoted, "«"+c.Quote+"» "+m)
			*budget -= p.End - p.Start
		}
	}
	return marks, quoted
}

// restating finds the sentences of a unit that a fact restates: the one that says
// most of it, figures above all, and one more that holds what the first lacks.
func restating(g ground.Grounds, x ground.GuideItem) []passage.Span {
	u := x.Law.Prepared
	part := passage.Span{From: 0, To: len(u.Sentences) - 1}
	if s, ok := u.DetailSpan(g.DetailOf(x.Fact)); ok {
		part = s
	}
	said := focusOfFact(g, x.Fact, u)
	figures := figuresOf(g.Analyser(), x.Fact)
	seen := said.Over(u)
	have, more := make(extract.Bits, seen.Width), make(extract.Bits, seen.Width) // what is said already; what a sentence adds
	told := map[uint64]bool{}
	var out []passage.Span
	for len(out) < 2 {
		at, top := -1, .0
		if len(out) > 0 {
			top = .2 // a second sentence must say something of its own
		}
		for i := part.From; i <= part.To; i++ {
			if passage.Covered(out, i) || u.Sentences[i].Note {
				continue
			}
			for k, b := range seen.Sent(i) {
				more[k] = b &^ have[k]
			}
			v := said.Nears(more)
			for _, n := range figures {
				v += extract.OneIf(!told[n] && u.SentHas(i, n))
			}
			if v > top+1e-9 {
				at, top = i, v
			}
		}
		if at < 0 {
			break
		}
		w := extract.Widen(u, at)
		w.From = max(w.From, part.From)
		for i := w.From; i <= w.To; i++ {
			have.Or(seen.Sent(i))
			for _, n := range figures {
				told[n] = told[n] || u.SentHas(i, n)
			}
		}
		out = append(out, w)
	}
	if len(out) == 0 {
		out = []passage.Span{extract.Widen(u, part.From)}
	}
	return passage.InOrder(out)
}

// figuresOf gives the keys of the figures of a fact, each once, without its year.
func figuresOf(an *text.Analyser, f pack.Fact) []uint64 {
	var out []uint64
	for _, t := range an.Terms(f.Text) {
		if t.Stem != "" && t.Stem[0] >= '0' && t.Stem[0] <= '9' && !t.Part && t.Stem != f.Year && !slices.Contains(out, passage.Key(t.Stem)) {
			out = append(out, passage.Key(t.Stem))
		}
	}
	return out
}

// focusOfFact weighs a fact's own words by how few of a unit's sentences hold them.
func focusOfFact(g ground.Grounds, fact pack.Fact, u *passage.Unit) *extract.Focus {
	h := g.Hits
	f := extract.NewFocus(h.Analyser(), fact.Text, fact.Text, nil, nil, func(string) float64 { return 1 })
	f.WeighIn(u)
	return f
}
