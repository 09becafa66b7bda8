package laboral

import (
	"strings"

	"github.com/govalues/decimal"

	"digesto"
)

// Result is what every calculation gives; its JSON is the form of
// `digesto laboral … --json`. Amounts are decimal strings with a point, days are
// ISO dates. Where a datum that decides is missing Result is null, Low and High
// are the ends, and Unknown names the datum.
type Result struct {
	Function string         `json:"function"`
	Kind     string         `json:"kind,omitempty"`
	Unit     string         `json:"unit"` // "EUR", "días", "fecha", "%", "semanas"
	Result   *string        `json:"result"`
	Low      *string        `json:"low"`
	High     *string        `json:"high"`
	Parts    []Part         `json:"parts"`
	Unknown  []Unknown      `json:"unknown"`
	Steps    []digesto.Step `json:"steps"`
	Sources  []Source       `json:"sources"`
	Warnings []string       `json:"warnings"`

	direct []string // sentences of the direct answer
}

// Part is one line of a result that has several.
type Part struct {
	Name   string  `json:"name"`
	Unit   string  `json:"unit"`
	Result *string `json:"result"`
	Low    *string `json:"low"`
	High   *string `json:"high"`
	Place  string  `json:"place,omitempty"`
}

// Unknown is a datum that decides and was not given.
type Unknown struct {
	Name   string `json:"name"`
	Effect string `json:"effect"` // what it changes, in Spanish
}

// Source is the article that a step rests on, and our row that restates it.
type Source struct {
	Norm  string `json:"norm"`
	Unit  string `json:"unit"`
	Place string `json:"place"`
	Text  string `json:"text"` // of our row

	row   string // id of the row as a citable unit; "" = none
	core  string // figures that the article must hold, in words; "" = the article does not state them itself
	about string // words of the rule, to find its sentence in the article by
}

func newResult(function, kind, unit string) Result {
	return Result{Function: function, Kind: kind, Unit: unit, Parts: []Part{}, Unknown: []Unknown{}, Steps: []digesto.Step{}, Sources: []Source{}, Warnings: []string{}}
}

// Text is the answer for people.
func (r *Result) Text() string {
	var b strings.Builder
	b.WriteString(strings.Join(r.direct, "\n"))
	for _, u := range r.Unknown {
		b.WriteString("\n\nFalta un dato: " + u.Name + ". " + u.Effect)
	}
	for _, w := range r.Warnings {
		b.WriteString("\n\nAviso: " + w)
	}
	return b.String()
}

func (r *Result) say(s ...string) { r.direct = append(r.direct, s...) }

func (r *Result) warn(s string) {
	for _, w := range r.Warnings {
		if w == s {
			return
		}
	}
	r.Warnings = append(r.Warnings, s)
}

func (r *Result) unknown(name, effect string) {
	for _, u := range r.Unknown {
		if u.Name == name {
			return
		}
	}
	r.Unknown = append(r.Unknown, Unknown{name, effect})
}

func (r *Result) source(list ...Source) {
	for _, s := range list {
		seen := false
		for _, o := range r.Sources {
			seen = seen || o.Norm == s.Norm && o.Unit == s.Unit && o.Text == s.Text
		}
		if !seen && s.Norm != "" {
			r.Sources = append(r.Sources, s)
		}
	}
}

func (r *Result) step(text string, value decimal.Decimal, unit, place string) {
	r.Steps = append(r.Steps, digesto.Step{Text: text, Result: value.String(), Unit: unit, Source: place})
}

func (r *Result) note(text, place string) {
	r.Steps = append(r.Steps, digesto.Step{Text: text, Source: place})
}

// between sets the result: one value, or both ends.
func (r *Result) between(low, high decimal.Decimal) {
	r.Result, r.Low, r.High = ends(low, high)
}

func ends(low, high decimal.Decimal) (result, lo, hi *string) {
	a, b := low.String(), high.String()
	if low.Cmp(high) == 0 {
		return &a, &a, &b
	}
	return nil, &a, &b
}

func (r *Result) part(name, unit string, low, high decimal.Decimal, place string) {
	p := Part{Name: name, Unit: unit, Place: place}
	p.Result, p.Low, p.High = ends(low, high)
	r.Parts = append(r.Parts, p)
}

// span writes one amount or both ends.
func span(low, high decimal.Decimal) string {
	if low.Cmp(high) == 0 {
		return Euros(low)
	}
	return "entre " + Euros(low) + " y " + Euros(high)
}
