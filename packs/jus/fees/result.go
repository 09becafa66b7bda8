package fees

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/govalues/decimal"

	"digesto"
)

// Result is what every calculation gives; its JSON is the form of docs for
// `digesto jus … --json`. Amounts are decimal strings with a point. When
// nothing can be calculated Result, Low and High are null and Warnings or
// NotCalculable say why.
type Result struct {
	Unit          string         `json:"unit"`           // of the amounts: "ARS" or "JUS"
	Kind          string         `json:"kind,omitempty"` // "fixed", "range", "minimum", "maximum", "period"
	Result        *string        `json:"result"`
	Low           *string        `json:"low"`
	High          *string        `json:"high"`
	Per           *string        `json:"per"`
	JusLow        *string        `json:"jus_low,omitempty"` // sum of the lines in JUS, when all are counted in it
	JusHigh       *string        `json:"jus_high,omitempty"`
	ValueDate     *digesto.Date  `json:"value_date"` // since when the JUS value used is in force
	JusValue      *string        `json:"jus_value"`
	From          *Point         `json:"from,omitempty"`
	To            *Point         `json:"to,omitempty"`
	Changes       []Point        `json:"changes,omitzero"` // of the value inside a period
	Items         []Line         `json:"items,omitempty"`
	Cases         []Line         `json:"cases"`
	NotCalculable []Missing      `json:"not_calculable"`
	Steps         []digesto.Step `json:"steps"`
	Sources       []Source       `json:"sources"`
	Warnings      []string       `json:"warnings"`

	direct       []string // sentences of the direct answer
	norms        []string // places in the law, in order of use
	ok           bool     // something was calculated
	onePatronage bool     // of several lawyers of one party
	bases        []string // how a base was reckoned
	stale        bool     // the value used is the last known: another may have come since
}

// Point is a day, the value of one JUS on it and what was calculated with it.
type Point struct {
	Date      digesto.Date  `json:"date"`
	Value     *string       `json:"value"`      // pesos a JUS; of a compared service: its pesos, null when unknown
	ValueDate *digesto.Date `json:"value_date"` // since when that JUS value is in force
	JusValue  *string       `json:"jus_value,omitempty"`
	Kind      string        `json:"kind,omitempty"`
	Result    *string       `json:"result,omitempty"`
	Low       *string       `json:"low,omitempty"`
	High      *string       `json:"high,omitempty"`
}

// Line is one item of a budget or one case of a service.
type Line struct {
	Code      string  `json:"code"`
	Name      string  `json:"name"`
	Kind      string  `json:"kind"`
	Quantity  string  `json:"quantity"`
	Condition string  `json:"condition,omitempty"`
	Per       *string `json:"per"`
	JusLow    *string `json:"jus_low"`
	JusHigh   *string `json:"jus_high"`
	Result    *string `json:"result"`
	Low       *string `json:"low"`
	High      *string `json:"high"`
	Article   string  `json:"article"`

	low, high decimal.Decimal // pesos
	share     string          // the percentage, and what it is of
	limited   bool            // a percentage of the law stands beside the minimum
	both      string          // for two lawyers together
	each      string          // what one of several comes to
	counted   string          // what the quantity counts: "reunión", "audiencia"
}

// Missing is an item that cannot be calculated and what it lacks.
type Missing struct {
	Code     string   `json:"code"`
	Name     string   `json:"name"`
	Reason   string   `json:"reason"`
	Needs    []string `json:"needs,omitempty"`    // facts that would decide: "convenio", "letrados", "base"
	Question string   `json:"question,omitempty"` // to ask for them

	cases bool     // its cases are listed
	rule  bool     // its rule is told: an answer without an amount
	lines []string // what is known of it

	most    decimal.Decimal // in pesos, where only the least is not known
	capped  bool            // the scale gives its most, not its least
	changed string          // what circumstance of the case decides the share
}

// Source is a row of the tables or a place in the law that an input rests on.
// Norm and Unit name the unit whose text is quotable.
type Source struct {
	Norm string       `json:"norm"`
	Unit string       `json:"unit"`
	Text string       `json:"text"`
	Date digesto.Date `json:"date,omitempty"`
	Law  string       `json:"law,omitempty"` // unit of the law that states the rule

	Words string `json:"-"` // decisive words of that unit, to the letter
}

func newResult(unit string) Result {
	return Result{Unit: unit, Cases: []Line{}, NotCalculable: []Missing{}, Steps: []digesto.Step{}, Sources: []Source{}, Warnings: []string{}}
}

// Calculated says whether the result holds an amount.
func (r *Result) Calculated() bool { return r.ok }

// Text is the answer for people: what was asked for, the province, the date of
// the JUS value used and the place in the law, then what to beware of.
func (r *Result) Text() string {
	var b strings.Builder
	b.WriteString(r.Body())
	for _, w := range r.Warnings {
		b.WriteString("\n\nAviso: " + w)
	}
	return b.String()
}

// Body is the text without the warnings, which an answer of the engine has as notes.
func (r *Result) Body() string {
	var b strings.Builder
	b.WriteString(strings.Join(r.direct, "\n"))
	b.WriteString("\n\nprovincia: " + Province)
	b.WriteString("\nvalor del JUS: " + r.valueLine())
	norms := r.norms
	if len(norms) == 0 {
		norms = []string{LawName + ", artículo 35"}
	}
	b.WriteString("\nnorma: " + strings.ReplaceAll(strings.Join(norms, "; "), "; "+LawName+", ", "; "))
	return b.String()
}

func (r *Result) valueLine() string {
	one := func(v *string, d *digesto.Date) string {
		if v == nil || d == nil {
			return "no se conoce"
		}
		if r.stale {
			return Pesos(decimal.MustParse(*v)) + ", último conocido, desde el " + LongDate(*d)
		}
		return Pesos(decimal.MustParse(*v)) + ", vigente desde el " + LongDate(*d)
	}
	if r.From != nil && r.To != nil {
		f, t := r.From.jus(), r.To.jus()
		if f != nil && t != nil && *f == *t && *r.From.ValueDate == *r.To.ValueDate {
			return one(t, r.To.ValueDate)
		}
		return "al " + LongDate(r.From.Date) + ", " + one(f, r.From.ValueDate) + "; al " + LongDate(r.To.Date) + ", " + one(t, r.To.ValueDate)
	}
	if r.JusValue == nil {
		return "no se conoce para la fecha pedida"
	}
	return one(r.JusValue, r.ValueDate)
}

func (p *Point) jus() *string {
	if p.JusValue != nil {
		return p.JusValue
	}
	if p.ValueDate == nil {
		return nil
	}
	return p.Value
}

func (r *Result) Warn(s ...string) {
	for _, w := range s {
		if w == "" || slices.Contains(r.Warnings, w) {
			continue
		}
		r.Warnings = append(r.Warnings, w)
	}
}

func (r *Result) say(s ...string) { r.direct = append(r.direct, s...) }

func (r *Result) norm(place string) {
	if !slices.Contains(r.norms, place) {
		r.norms = append(r.norms, place)
	}
}

// value notes that a row of the series is an input.
func (r *Result) value(v Value) {
	s := Source{Norm: ValuesNorm, Unit: v.unit(), Text: v.text(), Date: v.Date}
	for _, o := range r.Sources {
		if o == s {
			return
		}
	}
	r.Sources = append(r.Sources, s)
	if v.Flags["doubtful"] || v.Flags["fall"] {
		r.Warn("Sobre el valor del " + LongDate(v.Date) + ": " + v.Note)
	}
}

// service notes that a row of the fee table is an input.
func (r *Result) service(s Service) {
	r.rule(s, s)
}

// rule notes that a place of the law is an input of a service: its row stands for it
// where the law is not installed.
func (r *Result) rule(s, at Service) {
	src := Source{Norm: ServicesNorm, Unit: s.unit(), Text: s.text(), Date: s.Since, Law: at.LawUnit(), Words: at.Law}
	if s.Code == "" { // no row stands for it
		src = Source{Norm: Law, Unit: at.LawUnit(), Text: at.Law, Words: at.Law}
	}
	r.norm(at.Place())
	for _, o := range r.Sources {
		if o == src {
			return
		}
	}
	r.Sources = append(r.Sources, src)
}

func (r *Result) step(text string, result decimal.Decimal, unit, source string) {
	r.Steps = append(r.Steps, digesto.Step{Text: text, Result: result.String(), Unit: unit, Source: source})
}

// Comparison is the result of Compare: the two ends always stand in it.
type Comparison struct {
	Result
	Difference *string `json:"difference"`
	Percent    *string `json:"percent"`
	Jus        *Trend  `json:"jus,omitempty"` // of one JUS over the same time, when the service's own is not known
}

// Trend is the movement of one JUS between two days.
type Trend struct {
	From       Point  `json:"from"`
	To         Point  `json:"to"`
	Difference string `json:"difference"`
	Percent    string `json:"percent"`
}

// MarshalJSON keeps the embedded fields flat.
func (c Comparison) MarshalJSON() ([]byte, error) {
	type flat Result
	return json.Marshal(struct {
		flat
		Difference *string `json:"difference"`
		Percent    *string `json:"percent"`
		Jus        *Trend  `json:"jus,omitempty"`
	}{flat(c.Result), c.Difference, c.Percent, c.Jus})
}

func str(d decimal.Decimal) *string { s := d.String(); return &s }

func money(d decimal.Decimal) *string { s := d.Pad(2).String(); return &s }

func strOf(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func dateOf(d digesto.Date) *digesto.Date { return &d }
