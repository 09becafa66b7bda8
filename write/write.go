package write

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
	"digesto/extract"
	"digesto/ground"
	"digesto/model"
	"digesto/pack"
	"digesto/passage"
	"digesto/query"
	"digesto/question"
	"digesto/retrieve"
	"digesto/text/sentence"
	"digesto/verify"
)

// Draft is an answer before it is verified.
type Draft struct {
	ground.Grounds
	End        *query.Ending // an outcome without citations
	Answer     string
	Citations  []digesto.Citation
	Confidence float64
	Mode       string
	Degraded   []string
	Prompt     string // version of the writer's prompt
	Steps      []digesto.Step
	Missing    []string
	Last       []string // notes that stand behind all others
	Standing   verify.Standing
	Plain      string // the same in short sentences, each with its mark; "" = there is none
}

// The modes of writing.
const (
	ModeExtractive = "extractive"
	ModeCalculator = "calculator"
	ModeModel      = "model"
)

// Write lets the model write what was written by extraction (the third writer, the
// calculator's template, needs no grounds: see calculated). Where a model fails the
// extraction stands, and says so.
func (e *Composer) Write(ctx context.Context, d Draft) (Draft, error) {
	if e.Writer == nil || d.End != nil {
		return d, nil
	}
	m, why := e.modelled(ctx, d.Grounds, d.Citations)
	if ctx.Err() != nil { // who asked has gone: nobody reads an answer by extraction
		return d, model.Cancelled(ctx)
	}
	if why != "" {
		m.Standing.Dropped, m.Standing.Kept = m.Standing.Dropped+m.Standing.Kept, 0
		d.Degraded, d.Prompt, d.Standing = append(d.Degraded, why), m.Prompt, m.Standing
		return d, nil
	}
	m.Keep(d)
	m.addConflicts()
	return m, nil
}

// Keep puts what extraction quoted first before what the model quoted, the rest of it
// behind as far as there is room, and the deciding clause behind the model's words where
// those do not have it: what a model leaves out is not lost, and all that it quoted stays
// beside what it said of it.
func (d *Draft) Keep(x Draft) {
	if d.End != nil {
		return
	}
	own := d.Citations
	first, rest := x.Citations[:1], x.Citations[1:]
	if len(own) >= verify.MaxQuotes { // no room: the model's own of the decided places lead
		first, rest = nil, nil
		slices.SortStableFunc(own, func(a, b digesto.Citation) int {
			return cmp.Compare(extract.OneIf(decided(d.Grounds, b)), extract.OneIf(decided(d.Grounds, a)))
		})
	}
	d.Citations = nil
	var marks []string // of the model's citations, before and after
	for k, c := range slices.Concat(first, own, rest) {
		at := slices.IndexFunc(d.Citations, func(o digesto.Citation) bool { return quotedBy(c, o) })
		if at < 0 && (len(d.Citations) < verify.MaxQuotes || k < len(first)+len(own)) {
			at = len(d.Citations)
			d.Citations = append(d.Citations, c)
		}
		if n := k - len(first); n >= 0 && n < len(own) {
			marks = append(marks, "["+c.Ref.Label+"]", "["+LabelOf(at)+"]")
		}
	}
	for k := range d.Citations {
		ref := *d.Citations[k].Ref
		ref.Label = LabelOf(k)
		d.Citations[k].Ref = &ref
	}
	d.Answer, d.Confidence = strings.NewReplacer(marks...).Replace(d.Answer), min(d.Confidence, x.Confidence)
	decides := d.Citations[0]
	if clause := "«" + decides.Quote + "» [C1]"; !strings.Contains(d.Answer, decides.Quote) && utf8.RuneCountInString(d.Answer)+utf8.RuneCountInString(clause) < verify.MaxAnswer-2 {
		d.Answer += "\n\n" + clause
	}
}

func LabelOf(k int) string { return fmt.Sprintf("C%d", k+1) }

// quotedBy says that what a citation quotes is part of what another one does.
func quotedBy(c, o digesto.Citation) bool {
	return c.Ref.Document == o.Ref.Document && c.Ref.Unit == o.Ref.Unit && c.Ref.Version == o.Ref.Version && c.Ref.Start >= o.Ref.Start && c.Ref.End <= o.Ref.End
}

// ByExtraction writes by extraction: the stretches that answer, word for word, the
// line of their source, and the notes that time and rank demand.
func ByExtraction(g ground.Grounds) Draft {
	if g.Guide != nil {
		return extractGuide(g)
	}
	for budget := extract.MaxQuoted; ; budget -= quotedStep {
		d := extractWithin(g, budget)
		if utf8.RuneCountInString(d.Answer) <= verify.MaxAnswer || budget <= 2*quotedStep {
			return d
		}
	}
}

// quotedStep is by how much less is quoted where long names of sources and the
// other side of a conflict would make an answer too long.
const quotedStep = 300

// extractWithin quotes at most budget code points.
func extractWithin(g ground.Grounds, budget int) Draft {
	d := Draft{Grounds: g, Mode: ModeExtractive, Confidence: g.Verdict.Confidence}
	d.Notes = slices.Clone(g.Notes)
	var body []string
	most := verify.MaxQuotes
	if len(g.Conflicting) > 0 { // room for the other side
		budget, most = budget-ground.ConflictRoom, most-1
	}
	for k, x := range g.Govern {
		f := g.Focus
		if x.Own != nil {
			f = x.Own
		}
		left := len(g.Govern) - k
		parts, more := Parts(x, f, budget/left, max(1, most-(left-1)))
		var quoted []string
		for _, p := range parts {
			c, ok := x.Cite(p.Start, p.End)
			if !ok {
				continue
			}
			c.Ref.Label = fmt.Sprintf("C%d", len(d.Citations)+1)
			d.Citations = append(d.Citations, c)
			quoted = append(quoted, "«"+c.Quote+"» ["+c.Ref.Label+"]")
			budget -= p.End - p.Start
			most--
		}
		if len(quoted) == 0 {
			continue
		}
		line := ground.SourceLine(x)
		if g.Pack.HasGuides() { // every paragraph ends in its mark
			line += " " + strings.Join(Labelled.FindAllString(strings.Join(quoted, " "), -1), " ")
		}
		if c := d.Caution(x); c != "" {
			body = append(body, c)
		}
		if lead := datedLead(g, x); lead != "" {
			body = append(body, lead)
		}
		body = append(body, strings.Join(quoted, "\n"))
		if l := plainly(x, d.Citations[len(d.Citations)-len(quoted):]); l != "" {
			body = append(body, LineLead+l)
		}
		body = append(body, line)
		if more {
			d.Notes = append(d.Notes, "El texto sigue: "+cmp.Or(x.Unit.Label, "la unidad")+" dice más de lo que cabe en la respuesta; léalo entero en su fuente.")
		}
		d.Notes = append(d.Notes, ground.TimeNotes(g, x)...)
	}
	if len(d.Citations) == 0 {
		g.Verdict = ground.Verdict{Reason: ground.ReasonThin}
		d.End = g.Refusal()
		return d
	}
	if !g.Govern[0].Law {
		d.Notes = append(d.Notes, ficheNotes(g, g.Govern[0])...)
	}
	body = append(body, d.quoteConflicts(1)...)
	if n := g.RelatedNote(d.Citations); n != "" {
		d.Notes = append(d.Notes, n)
	}
	if g.Pack.Stamp != "" {
		body = append(body, g.Pack.Stamp)
	}
	d.Answer = strings.Join(body, "\n\n")
	d.Last = g.InstallNote()
	return d
}

// LineLead stands before the plain line of an entry. It is ours and shorter than the law:
// of 300 drawn by lot and judged against their articles 263 were right, and most of the
// others left a condition out, so the law stands first.
const LineLead = "En pocas palabras (resumen de Digesto, vale el texto citado): "

// plainly gives the plain lines whose sentence is quoted, each with its mark.
func plainly(x retrieve.Hit, cites []digesto.Citation) string {
	var out []string
	for _, l := range x.Plain {
		at := x.Prepared.Sentences[l.At[0]].Start
		for _, c := range cites {
			if c.Ref.Start <= at && at < c.Ref.End {
				out = append(out, l.Text+" ["+c.Ref.Label+"]")
				break
			}
		}
	}
	return strings.Join(out, " ")
}

// Parts chooses what of a unit is quoted.
func Parts(x retrieve.Hit, f *extract.Focus, budget, most int) ([]extract.Stretch, bool) {
	if d, ok := x.Prepared.DetailSpan(x.Detail); ok && x.Detail != "" {
		return extract.Stretches(x.Prepared, []passage.Span{d}, budget, most)
	}
	if x.Exact && (f.Kind == question.KindText || len(f.Terms) == 0 || x.Pick.Score < .3) {
		return extract.Opening(x.Prepared, budget, most)
	}
	spans := f.Choose(x.Prepared, x.Pick)
	if len(x.Plain) == 0 {
		return extract.Stretches(x.Prepared, spans, budget, most)
	}
	if x.Prepared.Runes() <= wholeRunes {
		if all, more := extract.Stretches(x.Prepared, x.Prepared.Rules(), budget, most); !more {
			return all, false
		}
	}
	near := f.Asked(x.Prepared, x.Plain[0].At[0])
	if best, ok := f.Best(x.Prepared); ok {
		near = append(near, best.At)
	}
	return extract.Fitting(x.Prepared, extract.WithAntecedents(x.Prepared, ground.Proof(x, near, spans)), budget, most)
}

// wholeRunes is how long a unit is quoted whole: its second half may be the exception.
const wholeRunes = 900

// ficheNotes labels an answer that stands on the program's own words.
func ficheNotes(g ground.Grounds, x retrieve.Hit) []string {
	_, fact, ok := g.Pack.FicheOf(x.Norm.ID, x.Unit.ID)
	if !ok {
		return nil
	}
	return []string{"Respuesta de una ficha del programa, que no es el texto oficial (" + fact.Ref + ", " + fact.URL + "), revisada el " + ground.Day(fact.Reviewed) + "."}
}

// datedLead says, before what a fiche answers, that its figure is of another year
// than the one asked for, or that it was written after the day asked for.
func datedLead(g ground.Grounds, x retrieve.Hit) string {
	_, fact, ok := g.Pack.FicheOf(x.Norm.ID, x.Unit.ID)
	if !ok {
		return ""
	}
	year, _ := ground.YearAsked(g.Hits)
	switch at := g.AsOf(); {
	case fact.Year != "" && fact.Year != year:
		return "La cifra de " + year + " no está aquí; la más próxima que consta es la de " + fact.Year + "."
	case fact.Year == "" && at < fact.Reviewed:
		return "Según la ley del " + ground.Day(fact.Reviewed) + "; lo que regía el " + ground.Day(at) + " no está comprobado."
	}
	return ""
}

// Calculated writes a calculator's result.
func (e *Composer) Calculated(g ground.Grounds) Draft {
	r := g.Result
	d := Draft{Grounds: g, Mode: ModeCalculator, Steps: r.Steps, Missing: r.Missing}
	d.Notes = append(slices.Clone(g.Notes), r.Warnings...)
	if r.Outcome != digesto.OutcomeAnswer && r.Outcome != "" {
		d.End = &query.Ending{Outcome: r.Outcome, Text: r.Text, Notes: d.Notes, Classes: g.Classes, Options: r.Options, Missing: r.Missing}
		return d
	}
	d.Answer, d.Confidence, d.Last = r.Text, .95, g.InstallNote()
	// What the law of everybody gives is not said out loud to those who have one of their own.
	if r.Doubtful || len(g.Pack.RegimesSaid(g.Text)) > 0 {
		d.Confidence = doubtCeiling
	}
	for _, s := range r.Sources {
		if c, ok := e.sourceCitation(g, s); ok && len(d.Citations) < verify.MaxQuotes && !cited(d.Citations, c) {
			c.Ref.Label = fmt.Sprintf("C%d", len(d.Citations)+1)
			d.Citations = append(d.Citations, c)
		}
	}
	if len(d.Citations) == 0 {
		d.End = &query.Ending{Outcome: digesto.OutcomeRefusal, Text: "El cálculo no tiene una fuente que se pueda citar.", Notes: d.Notes, Classes: g.Classes}
	}
	return d
}

// sourceCitation finds a calculator's source in what the packs embed or in the law.
func (e *Composer) sourceCitation(g ground.Grounds, s pack.ToolSource) (digesto.Citation, bool) {
	if s.Rather != nil {
		if c, ok := e.sourceCitation(g, *s.Rather); ok {
			return c, true
		}
	}
	if s.Quote == "" {
		return ruleCitation(g, s)
	}
	if c, ok := rowCitation(e.Embedded, s); ok || g.Law.Snapshot == nil {
		return c, ok
	}
	x, ok := g.Ground(g.Law, s.Norm, s.Unit)
	if !ok {
		return digesto.Citation{}, false
	}
	return citeWords(x.Ground, s.Quote)
}

// rowCitation quotes the row of a table that a calculator took a datum from. The
// calculator chose it for the day asked; the row is quoted whenever it was entered.
func rowCitation(tables query.View, s pack.ToolSource) (digesto.Citation, bool) {
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
func ruleCitation(g ground.Grounds, s pack.ToolSource) (digesto.Citation, bool) {
	if g.Law.Snapshot == nil {
		return digesto.Citation{}, false
	}
	x, ok := g.Ground(g.Law, s.Norm, s.Unit)
	if !ok {
		return digesto.Citation{}, false
	}
	if c, ok := citeSentence(x.Ground, s.About); ok {
		return c, true
	}
	h := g.Hits
	x.Prepared = h.Units.Get(h.Analyser(), x.Ground)
	f := extract.NewFocus(h.Analyser(), s.About, s.About, nil, nil, func(string) float64 { return 1 })
	f.Kind = question.KindOpen
	f.WeighIn(x.Prepared)
	p, ok := f.Best(x.Prepared)
	if !ok {
		return digesto.Citation{}, false
	}
	parts, _ := extract.Stretches(x.Prepared, []passage.Span{{From: p.At, To: p.At}}, verify.MaxQuote, 1)
	if len(parts) == 0 {
		return digesto.Citation{}, false
	}
	return x.Cite(parts[0].Start, parts[0].End)
}

func cited(list []digesto.Citation, c digesto.Citation) bool {
	for _, o := range list {
		if o.Ref.Document == c.Ref.Document && o.Ref.Unit == c.Ref.Unit && o.Ref.Start == c.Ref.Start && o.Ref.Version == c.Ref.Version {
			return true
		}
	}
	return false
}
