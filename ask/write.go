package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
	"digesto/model"
	"digesto/pack"
	"digesto/text/sentence"
	"digesto/verify"
)

// draft is an answer before it is verified.
type draft struct {
	grounds
	end        *ending // an outcome without citations
	answer     string
	citations  []digesto.Citation
	confidence float64
	mode       string
	degraded   []string
	prompt     string // version of the writer's prompt
	steps      []digesto.Step
	missing    []string
	last       []string // notes that stand behind all others
	standing   verify.Standing
	plain      string // the same in short sentences, each with its mark; "" = there is none
}

// The modes of writing.
const (
	ModeExtractive = "extractive"
	ModeCalculator = "calculator"
	ModeModel      = "model"
)

// write lets the model write what was written by extraction (the third writer, the
// calculator's template, needs no grounds: see calculated). Where a model fails the
// extraction stands, and says so.
func (e *Engine) write(ctx context.Context, d draft) (draft, error) {
	if e.opt.Writer == nil || d.end != nil {
		return d, nil
	}
	m, why := e.modelled(ctx, d.grounds, d.citations)
	if ctx.Err() != nil { // who asked has gone: nobody reads an answer by extraction
		return d, model.Cancelled(ctx)
	}
	if why != "" {
		m.standing.Dropped, m.standing.Kept = m.standing.Dropped+m.standing.Kept, 0
		d.degraded, d.prompt, d.standing = append(d.degraded, why), m.prompt, m.standing
		return d, nil
	}
	m.keep(d)
	m.addConflicts()
	return m, nil
}

// keep puts what extraction quoted first before what the model quoted, the rest of it
// behind as far as there is room, and the deciding clause behind the model's words where
// those do not have it: what a model leaves out is not lost, and all that it quoted stays
// beside what it said of it.
func (d *draft) keep(x draft) {
	if d.end != nil {
		return
	}
	own := d.citations
	first, rest := x.citations[:1], x.citations[1:]
	if len(own) >= verify.MaxQuotes { // no room: the model's own of the decided places lead
		first, rest = nil, nil
		slices.SortStableFunc(own, func(a, b digesto.Citation) int {
			return cmp.Compare(boolOf(d.decided(b)), boolOf(d.decided(a)))
		})
	}
	d.citations = nil
	var marks []string // of the model's citations, before and after
	for k, c := range slices.Concat(first, own, rest) {
		at := slices.IndexFunc(d.citations, func(o digesto.Citation) bool { return quotedBy(c, o) })
		if at < 0 && (len(d.citations) < verify.MaxQuotes || k < len(first)+len(own)) {
			at = len(d.citations)
			d.citations = append(d.citations, c)
		}
		if n := k - len(first); n >= 0 && n < len(own) {
			marks = append(marks, "["+c.Ref.Label+"]", "["+labelOf(at)+"]")
		}
	}
	for k := range d.citations {
		ref := *d.citations[k].Ref
		ref.Label = labelOf(k)
		d.citations[k].Ref = &ref
	}
	d.answer, d.confidence = strings.NewReplacer(marks...).Replace(d.answer), min(d.confidence, x.confidence)
	decides := d.citations[0]
	if clause := "«" + decides.Quote + "» [C1]"; !strings.Contains(d.answer, decides.Quote) && utf8.RuneCountInString(d.answer)+utf8.RuneCountInString(clause) < verify.MaxAnswer-2 {
		d.answer += "\n\n" + clause
	}
}

func labelOf(k int) string { return fmt.Sprintf("C%d", k+1) }

// quotedBy says that what a citation quotes is part of what another one does.
func quotedBy(c, o digesto.Citation) bool {
	return c.Ref.Document == o.Ref.Document && c.Ref.Unit == o.Ref.Unit && c.Ref.Version == o.Ref.Version && c.Ref.Start >= o.Ref.Start && c.Ref.End <= o.Ref.End
}

// extract writes by extraction: the stretches that answer, word for word, the
// line of their source, and the notes that time and rank demand.
func extract(g grounds) draft {
	if g.guide != nil {
		return extractGuide(g)
	}
	for budget := maxQuoted; ; budget -= quotedStep {
		d := extractWithin(g, budget)
		if utf8.RuneCountInString(d.answer) <= verify.MaxAnswer || budget <= 2*quotedStep {
			return d
		}
	}
}

// quotedStep is by how much less is quoted where long names of sources and the
// other side of a conflict would make an answer too long.
const quotedStep = 300

// extractWithin quotes at most budget code points.
func extractWithin(g grounds, budget int) draft {
	d := draft{grounds: g, mode: ModeExtractive, confidence: g.verdict.Confidence}
	d.notes = slices.Clone(g.notes)
	var body []string
	most := verify.MaxQuotes
	if len(g.conflicting) > 0 { // room for the other side
		budget, most = budget-conflictRoom, most-1
	}
	main := slices.DeleteFunc(slices.Clone(g.govern), func(x hit) bool { return x.beside })
	for k, x := range g.govern {
		f := g.focus
		if x.own != nil {
			f = x.own
		}
		left := max(1, len(main)-k)
		parts, more := x.parts(f, budget/left, max(1, most-(left-1)))
		if x.beside {
			if more || most < 1 || budget <= 0 {
				continue
			}
			more = false
		}
		var quoted []string
		for _, p := range parts {
			c, ok := x.Cite(p.start, p.end)
			if !ok {
				continue
			}
			c.Ref.Label = fmt.Sprintf("C%d", len(d.citations)+1)
			d.citations = append(d.citations, c)
			quoted = append(quoted, "«"+c.Quote+"» ["+c.Ref.Label+"]")
			budget -= p.end - p.start
			most--
		}
		if len(quoted) == 0 {
			continue
		}
		line := sourceLine(x)
		if g.pack.HasGuides() { // every paragraph ends in its mark
			line += " " + strings.Join(labelled.FindAllString(strings.Join(quoted, " "), -1), " ")
		}
		if c := d.caution(x); c != "" {
			body = append(body, c)
		}
		if lead := g.datedLead(x); lead != "" {
			body = append(body, lead)
		}
		body = append(body, strings.Join(quoted, "\n"))
		if l := x.plainly(d.citations[len(d.citations)-len(quoted):]); l != "" {
			body = append(body, lineLead+l)
		}
		body = append(body, line)
		if more {
			d.notes = append(d.notes, "El texto sigue: "+nonEmpty(x.Unit.Label, "la unidad")+" dice más de lo que cabe en la respuesta; léalo entero en su fuente.")
		}
		d.notes = append(d.notes, timeNotes(g, x)...)
	}
	if len(d.citations) == 0 {
		g.verdict = Verdict{Reason: ReasonThin}
		d.end = g.refusal()
		return d
	}
	if !g.govern[0].law {
		d.notes = append(d.notes, g.ficheNotes(g.govern[0])...)
	}
	body = append(body, d.quoteConflicts(1)...)
	if n := g.relatedNote(d.citations); n != "" {
		d.notes = append(d.notes, n)
	}
	if g.pack.Stamp != "" {
		body = append(body, g.pack.Stamp)
	}
	d.answer = strings.Join(body, "\n\n")
	d.last = g.installNote()
	return d
}

// lineLead stands before the plain line of an entry. It is ours and shorter than the law:
// of 300 drawn by lot and judged against their articles 263 were right, and most of the
// others left a condition out, so the law stands first.
const lineLead = "En pocas palabras (resumen de Digesto, vale el texto citado): "

// plainly gives the plain lines whose sentence is quoted, each with its mark.
func (x hit) plainly(cites []digesto.Citation) string {
	var out []string
	for _, l := range x.plain {
		at := x.unit.sents[l.at[0]].Start
		for _, c := range cites {
			if c.Ref.Start <= at && at < c.Ref.End {
				out = append(out, l.text+" ["+c.Ref.Label+"]")
				break
			}
		}
	}
	return strings.Join(out, " ")
}

// parts chooses what of a unit is quoted.
func (x hit) parts(f *focus, budget, most int) ([]stretch, bool) {
	if d, ok := x.unit.detailSpan(x.detail); ok && x.detail != "" {
		return x.unit.stretches([]span{d}, budget, most)
	}
	if x.exact && (f.kind == KindText || len(f.terms) == 0 || x.pick.score < .3) {
		return x.unit.opening(budget, most)
	}
	spans := x.unit.choose(f, x.pick, x.only)
	if len(x.plain) == 0 {
		return x.unit.stretches(spans, budget, most)
	}
	if x.unit.runes() <= wholeRunes {
		if all, more := x.unit.stretches(x.unit.rules(), budget, most); !more {
			return all, false
		}
	}
	best, _ := x.unit.best(f)
	return x.unit.fitting(x.proof(best.at, spans), budget, most)
}

// wholeRunes is how long a unit is quoted whole: its second half may be the exception.
const wholeRunes = 900

// rules are the sentences of a unit that are no notes of the editor.
func (u *unitText) rules() (out []span) {
	for i := range u.sents {
		if !u.sents[i].note {
			out = append(out, span{i, i})
		}
	}
	return out
}

// runes is how long the sentences of a unit are together, without the editor's notes.
func (u *unitText) runes() (n int) {
	for i := range u.sents {
		if s := &u.sents[i]; !s.note {
			n += s.End - s.Start
		}
	}
	return n
}

// proof puts what proves the plain lines of a unit before what else is quoted of it: each
// deciding sentence with what announces it, then what supports the lines; after the first,
// the sentence that is nearest to the question's own words (best; -1 = none).
func (x hit) proof(best int, rest []span) (out []span) {
	add := func(s span) {
		if !covered(out, s.from) || !covered(out, s.to) {
			out = append(out, outside(s, out))
		}
	}
	decides := func(at int) {
		if lead := x.unit.leadOf(at); lead >= 0 {
			add(span{lead, lead})
		}
		add(x.unit.widen(at))
	}
	for k, l := range x.plain {
		decides(l.at[0])
		if k == 0 && best >= 0 {
			decides(best)
		}
		for _, k := range l.at[1:] {
			add(span{k, k})
		}
	}
	for _, s := range rest {
		add(s)
	}
	return out
}

// opening is the beginning of a unit, as much as fits in whole sentences.
func (u *unitText) opening(budget, most int) ([]stretch, bool) {
	return u.stretches([]span{{0, len(u.sents) - 1}}, min(budget, 1200), most)
}

// ficheNotes labels an answer that stands on the program's own words.
func (g grounds) ficheNotes(x hit) []string {
	_, fact, ok := g.pack.FicheOf(x.Norm.ID, x.Unit.ID)
	if !ok {
		return nil
	}
	return []string{"Respuesta de una ficha del programa, que no es el texto oficial (" + fact.Ref + ", " + fact.URL + "), revisada el " + day(fact.Reviewed) + "."}
}

// datedLead says, before what a fiche answers, that its figure is of another year
// than the one asked for, or that it was written after the day asked for.
func (g grounds) datedLead(x hit) string {
	_, fact, ok := g.pack.FicheOf(x.Norm.ID, x.Unit.ID)
	if !ok {
		return ""
	}
	year, _ := g.yearAsked()
	switch at := g.asOf(); {
	case fact.Year != "" && fact.Year != year:
		return "La cifra de " + year + " no está aquí; la más próxima que consta es la de " + fact.Year + "."
	case fact.Year == "" && at < fact.Reviewed:
		return "Según la ley del " + day(fact.Reviewed) + "; lo que regía el " + day(at) + " no está comprobado."
	}
	return ""
}

// installNote gives the command that installs the law, when the pack has none:
// the last words of such an answer.
func (g grounds) installNote() []string {
	if g.lawCount() > 0 {
		return nil
	}
	return []string{strings.TrimSpace(g.installHint())}
}

// calculated writes a calculator's result.
func (e *Engine) calculated(g grounds) draft {
	r := g.result
	d := draft{grounds: g, mode: ModeCalculator, steps: r.Steps, missing: r.Missing}
	d.notes = append(slices.Clone(g.notes), r.Warnings...)
	if r.Outcome != digesto.OutcomeAnswer && r.Outcome != "" {
		d.end = &ending{outcome: r.Outcome, text: r.Text, notes: d.notes, classes: g.classes, options: r.Options, missing: r.Missing}
		return d
	}
	d.answer, d.confidence, d.last = r.Text, .95, g.installNote()
	if r.Doubtful {
		d.confidence = doubtCeiling
	}
	for _, s := range r.Sources {
		if c, ok := e.sourceCitation(g, s); ok && len(d.citations) < verify.MaxQuotes && !cited(d.citations, c) {
			c.Ref.Label = fmt.Sprintf("C%d", len(d.citations)+1)
			d.citations = append(d.citations, c)
		}
	}
	if len(d.citations) == 0 {
		d.end = &ending{outcome: digesto.OutcomeRefusal, text: "El cálculo no tiene una fuente que se pueda citar.", notes: d.notes, classes: g.classes}
	}
	return d
}

// sourceCitation finds a calculator's source in what the packs embed or in the law.
func (e *Engine) sourceCitation(g grounds, s pack.ToolSource) (digesto.Citation, bool) {
	if s.Rather != nil {
		if c, ok := e.sourceCitation(g, *s.Rather); ok {
			return c, true
		}
	}
	if s.Quote == "" {
		return g.ruleCitation(s)
	}
	if c, ok := rowCitation(e.opt.Embedded, s); ok || g.law.Snapshot == nil {
		return c, ok
	}
	x, ok := g.ground(g.law, s.Norm, s.Unit)
	if !ok {
		return digesto.Citation{}, false
	}
	return citeWords(x.Ground, s.Quote)
}

// rowCitation quotes the row of a table that a calculator took a datum from. The
// calculator chose it for the day asked; the row is quoted whenever it was entered.
func rowCitation(tables View, s pack.ToolSource) (digesto.Citation, bool) {
	if tables.Snapshot == nil {
		return digesto.Citation{}, false
	}
	n, ok := tables.Snapshot.Norm(s.Norm)
	if !ok || n.Format != digesto.FormatTable {
		return digesto.Citation{}, false
	}
	u, ok := tables.Snapshot.Unit(s.Norm, s.Unit)
	if !ok {
		return digesto.Citation{}, false
	}
	for i := range u.Versions {
		if c, ok := citeWords(verify.Ground{Norm: n, Unit: u, Version: corpus.Proven(n, u, i)}, s.Quote); ok {
			return c, true
		}
	}
	return digesto.Citation{}, false
}

// citeWords quotes words of a ground where they stand in it.
func citeWords(g verify.Ground, words string) (digesto.Citation, bool) {
	i := strings.Index(g.Version.Text, words)
	if i < 0 {
		return digesto.Citation{}, false
	}
	start := utf8.RuneCountInString(g.Version.Text[:i])
	return g.Cite(start, start+utf8.RuneCountInString(words))
}

// citeSentence quotes the sentence in which words of a ground stand.
func citeSentence(g verify.Ground, words string) (digesto.Citation, bool) {
	text := g.Version.Text
	from, to, ok := sentence.Around(text, words, verify.MaxQuote)
	if !ok {
		return digesto.Citation{}, false
	}
	return g.Cite(utf8.RuneCountInString(text[:from]), utf8.RuneCountInString(text[:to]))
}

// ruleCitation quotes the sentence of an installed unit that states a
// calculator's rule: the one that holds most of its words, figures above all.
func (g grounds) ruleCitation(s pack.ToolSource) (digesto.Citation, bool) {
	if g.law.Snapshot == nil {
		return digesto.Citation{}, false
	}
	x, ok := g.ground(g.law, s.Norm, s.Unit)
	if !ok {
		return digesto.Citation{}, false
	}
	if c, ok := citeSentence(x.Ground, s.About); ok {
		return c, true
	}
	h := g.hits
	x.unit = h.units.get(h.analyser(), x)
	f := newFocus(h.analyser(), s.About, s.About, nil, nil, func(string) float64 { return 1 })
	f.kind = KindOpen
	h.weighIn(f, x.unit)
	p, ok := x.unit.best(f)
	if !ok {
		return digesto.Citation{}, false
	}
	parts, _ := x.unit.stretches([]span{{p.at, p.at}}, verify.MaxQuote, 1)
	if len(parts) == 0 {
		return digesto.Citation{}, false
	}
	return x.Cite(parts[0].start, parts[0].end)
}

func cited(list []digesto.Citation, c digesto.Citation) bool {
	for _, o := range list {
		if o.Ref.Document == c.Ref.Document && o.Ref.Unit == c.Ref.Unit && o.Ref.Start == c.Ref.Start && o.Ref.Version == c.Ref.Version {
			return true
		}
	}
	return false
}
