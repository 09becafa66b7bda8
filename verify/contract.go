package verify

import (
	"encoding/json"
	"math"
	"strings"

	"digesto"
	"digesto/text"
	"digesto/text/cite"
	"digesto/text/figure"
	"digesto/text/jsonx"
	"digesto/text/quote"
)

// Grounds is what a written answer may stand on.
type Grounds struct {
	List       []Ground
	AsOf       digesto.Date  // day of the law; empty = today's
	Confidence float64       // computed from the evidence: the most an answer may claim (0–1)
	Tools      []string      // texts with the figures that calculators gave
	Locale     figure.Locale // how figures of the answer are written
	Table      *cite.Table   // recognises the articles that an answer names; nil = not checked
	// Strict takes no paraphrase: of a writer that is not known to understand what it reads a
	// sentence stands only where a unit that it cites says all of it. See [Stands].
	Strict bool
	// Prepared gives a version's text ready to be searched for quotations, kept from
	// before perhaps; nil = it is prepared each time.
	Prepared func(digesto.Version) *quote.Text
}

// Checked is the result of validating a model's object.
type Checked struct {
	Answer digesto.Answer // safe to show, whatever the result: citations are stored text
	Result Result         // the gravest of the checks that failed
	Failed []Check        // in the order found
}

// Contract validates what a model wrote, in the order of the contract: extract,
// schema, grounding, policy. The citations of the answer are the stored text,
// with place, page, version and hash; nothing that was not proved is in them.
func Contract(raw []byte, g Grounds) Checked {
	var c Checked
	d, ok := c.read(raw)
	if !ok {
		c.Answer = parseError()
		return c
	}
	c.Answer = digesto.Answer{Answer: d.answer, Citations: []digesto.Citation{}, Confidence: d.confidence, Refusal: d.refusal, Notes: d.notes}
	if !d.refusal {
		c.ground(d.citations, g)
	}
	c.policy(d, g)
	return c
}

func (c *Checked) fail(k Check) {
	c.Failed = append(c.Failed, k)
	r := rowOf(k).Result
	if weight[r] > weight[c.Result] {
		c.Result = r
	}
}

var weight = map[Result]int{"": 0, ResultOK: 1, ResultNote: 2, ResultRefusal: 3, ResultParseError: 4}

func parseError() digesto.Answer {
	note := "Fallo de formato de la salida del modelo."
	return digesto.Answer{Answer: parseErrorText, Citations: []digesto.Citation{}, Refusal: true, Notes: &note, ParseError: true}
}

// draft is a model's object once its types are known.
type draft struct {
	answer     string
	citations  []said
	confidence float64
	refusal    bool
	notes      *string
}

type said struct {
	Quote  string `json:"quote"`
	Source string `json:"source"`
	Page   *int   `json:"page"`
}

func (c *Checked) read(raw []byte) (draft, bool) {
	if len(raw) > jsonx.MaxBytes {
		c.fail(CheckTooLarge)
		return draft{}, false
	}
	obj, cut, ok := Extract(raw)
	if !ok {
		c.fail(CheckNoJSON)
		return draft{}, false
	}
	if cut {
		c.fail(CheckCutOff)
	}
	d, ok := typed(obj)
	if !ok {
		c.fail(CheckFields)
		return draft{}, false
	}
	d.answer = strings.TrimSpace(d.answer)
	switch n := runes(d.answer); {
	case n < MinAnswer || n > MaxAnswer:
		c.fail(CheckAnswerLength)
	case !Spanish(d.answer):
		c.fail(CheckLanguage)
	case !(d.confidence >= 0 && d.confidence <= 1):
		c.fail(CheckConfidence)
	default:
		return d, true
	}
	return draft{}, false
}

// typed reads the five fields with their types; members that the contract does
// not know are never looked at. notes alone may be absent.
func typed(obj map[string]json.RawMessage) (d draft, ok bool) {
	var conf *float64
	var refusal *bool
	var answer *string
	var cites *[]*said
	for name, into := range map[string]any{"answer": &answer, "citations": &cites, "confidence": &conf, "refusal": &refusal, "notes": &d.notes} {
		raw, present := obj[name]
		if !present && name == "notes" {
			continue
		}
		if !present || json.Unmarshal(raw, into) != nil {
			return d, false
		}
	}
	if answer == nil || cites == nil || conf == nil || refusal == nil || math.IsNaN(*conf) {
		return d, false
	}
	d.answer, d.confidence, d.refusal = *answer, *conf, *refusal
	for _, s := range *cites {
		if s == nil {
			return d, false
		}
		d.citations = append(d.citations, *s)
	}
	return d, true
}

// ground keeps the quotations that are in the retrieved text.
func (c *Checked) ground(list []said, g Grounds) {
	seen := map[string]bool{}
	for _, s := range list {
		if n := runes(strings.TrimSpace(s.Quote)); n < MinQuote || n > MaxQuote {
			c.fail(CheckQuoteLength)
			continue
		}
		cit, failed := locate(s, g)
		if failed != "" {
			c.fail(failed)
			continue
		}
		if s.Page != nil && !same(s.Page, cit.Page) {
			c.fail(CheckPage)
		}
		key := cit.Ref.Document + "\x00" + cit.Ref.Unit + "\x00" + cit.Quote
		if !seen[key] {
			seen[key] = true
			c.Answer.Citations = append(c.Answer.Citations, cit)
		}
	}
	if len(list) > 0 && len(c.Answer.Citations) == 0 {
		c.fail(CheckNoneLeft)
	}
}

// locate finds a quotation in the grounds of the document that it names. When
// it stands in several, the one on the named page is taken.
func locate(s said, g Grounds) (digesto.Citation, Check) {
	var found []digesto.Citation
	failed := CheckSource
	for _, gr := range g.List {
		if !named(gr, s.Source) {
			continue
		}
		if failed == CheckSource {
			failed = CheckQuote
		}
		for _, m := range g.prepared(gr.Version).FindAll(s.Quote) {
			cit, ok := gr.Cite(m.Start, m.End)
			if n := m.End - m.Start; !ok || n < MinQuote || n > MaxQuote {
				continue
			}
			if !gr.Citable(g.AsOf) {
				failed = CheckHistory
				continue
			}
			found = append(found, cit)
		}
	}
	for _, f := range found {
		if same(f.Page, s.Page) {
			return f, ""
		}
	}
	if len(found) > 0 {
		return found[0], ""
	}
	return digesto.Citation{}, failed
}

func (g Grounds) prepared(v digesto.Version) *quote.Text {
	if g.Prepared == nil {
		return quote.Prepare(v.Text)
	}
	return g.Prepared(v)
}

// named says whether source names the ground's document: registered name,
// title, identifier or the mark it had in the prompt, modulo case and accents.
func named(g Ground, source string) bool {
	s := text.Fold(strings.TrimSpace(source))
	if s == "" {
		return false
	}
	for _, n := range append([]string{g.Norm.Source, g.Source(), g.Norm.Title, g.Norm.Short, g.Norm.ID, g.Label}, g.Norm.IDs...) {
		if n != "" && text.Fold(n) == s {
			return true
		}
	}
	return false
}

// policy applies what binds the object as a whole.
func (c *Checked) policy(d draft, g Grounds) {
	a := &c.Answer
	if a.Notes != nil && len(c.prose(*a.Notes, g)) > 0 {
		a.Notes = nil
		c.fail(CheckNotes)
	}
	if d.refusal {
		if len(d.citations) > 0 || d.confidence != 0 {
			c.fail(CheckRefusal)
		}
		if len(Addresses(a.Answer, nil, g.official())) > 0 {
			a.Answer = refusalNoneLeft
			c.fail(CheckRefusal)
		}
		a.Confidence = 0
		c.note()
		return
	}
	if len(d.citations) == 0 {
		c.fail(CheckNoCitations)
	}
	if len(a.Citations) > 0 {
		failed := c.prose(a.Answer, g)
		if len(failed) == 0 {
			failed = c.sentences(g)
		}
		for _, k := range failed {
			c.fail(k)
		}
	}
	if c.Result == ResultRefusal {
		c.refuse()
		return
	}
	if len(a.Citations) > MaxQuotes {
		c.fail(CheckManyQuotes)
	}
	if a.Confidence > g.Confidence {
		a.Confidence = g.Confidence
		c.fail(CheckCeiling)
	}
	if a.Confidence < Sure && a.Notes == nil {
		c.fail(CheckLow)
	}
	c.note()
}

// refuse turns the answer into the refusal of the first check that asks for it.
func (c *Checked) refuse() {
	text := refusalNoneLeft
	for _, k := range c.Failed {
		if r := rowOf(k); r.Result == ResultRefusal {
			text = r.Text
			break
		}
	}
	c.Answer = digesto.Answer{Answer: text, Citations: []digesto.Citation{}, Refusal: true}
	c.note()
}

// note writes the fixed texts of the failed checks behind the model's own note.
func (c *Checked) note() {
	var parts []string
	if n := c.Answer.Notes; n != nil && strings.TrimSpace(*n) != "" {
		parts = append(parts, strings.TrimSpace(*n))
	}
	seen := map[string]bool{}
	for _, k := range c.Failed {
		if r := rowOf(k); r.Result == ResultNote && r.Text != "" && !seen[r.Text] {
			seen[r.Text] = true
			parts = append(parts, r.Text)
		}
	}
	c.Answer.Notes = nil
	if len(parts) > 0 {
		s := strings.Join(parts, " ")
		c.Answer.Notes = &s
	}
}

func quotes(list []digesto.Citation) []string {
	out := make([]string, len(list))
	for i, c := range list {
		out[i] = c.Quote
	}
	return out
}
