package jus

import (
	"slices"
	"strings"

	"digesto/text/lazyregexp"
)

// joiner is what ties a clause to the one before it.
var joiner = lazyregexp.New(`(?i)^(y|e|pero|también|tambien|además|ademas)[\s,]+`)

// parts gives the stretches of a question that need an answer of their own, in
// order; nil when one answer says it all. Clauses go together when one
// calculation covers them: the items of a sum, or a value beside the conversion
// or the quote that uses it. A clause that asks nothing, such as a
// condition or the case, belongs to its neighbour.
func (q question) parts() []string {
	type part struct {
		text string
		reading
	}
	var list []part
	for k, r := range q.clauses {
		if r.refused != "" {
			continue
		}
		if n := len(list); n > 0 && (!r.asks() || !list[n-1].asks() || r.bareAsk() || together(list[n-1].reading, r)) {
			last := &list[n-1]
			last.text += " " + q.texts[k]
			last.classes = append(last.classes, r.classes...)
			last.words = append(last.words, r.words...)
			last.dates.found = append(last.dates.found, r.dates.found...)
			last.services = append(last.services, r.services...)
			continue
		}
		list = append(list, part{q.texts[k], r})
	}
	if len(list) < 2 {
		return nil
	}
	var out []string
	for _, p := range list {
		out = append(out, strings.TrimSpace(joiner.ReplaceAllString(strings.TrimLeft(p.text, " ?!¿¡,;.:"), "")))
	}
	return out
}

// together says whether one calculation answers two clauses.
func together(a, b reading) bool {
	x, y := a.function(), b.function()
	dated := len(a.dates.found) > 0 && len(b.dates.found) > 0
	switch {
	case x == ClassRule || y == ClassRule, x == ClassCompare || y == ClassCompare:
		return x == y
	case x == ClassQuote && y == ClassQuote:
		return true
	case x == y:
		return false // two values, two conversions: their dates or amounts differ
	case x == ClassValue || y == ClassValue:
		return !dated
	}
	return false
}

// function is the class that decides how a clause is answered.
func (r reading) function() string {
	for _, c := range []string{ClassCompare, ClassConvert, ClassQuote} {
		if slices.Contains(r.classes, c) {
			return c
		}
	}
	if len(r.services) > 0 {
		return ClassQuote // a service by itself: its quantity
	}
	if slices.Contains(r.classes, ClassValue) {
		return ClassValue
	}
	return ClassRule
}

var askWords = set(`cuanto cuantos cuanta cuantas que cual cuales quien quienes como cuando donde convertir converti convertime pasame
	pasa arma armame suma sumame sumar calcula calculame compara comparame decime dime`)

// asks says whether a clause of a class is a question or a request.
func (r reading) asks() bool {
	for i, w := range r.words {
		if askWords[w] && (i < 2 || !relativeWords[w]) {
			return len(r.classes) > 0
		}
	}
	return false
}

// relativeWords are words that inside a clause join and do not ask: "el testigo que vio".
var relativeWords = set("que quien quienes como cuando donde cual cuales")

// bareAsk says that a clause asks how much and names nothing of its own.
func (r reading) bareAsk() bool {
	much := false
	for _, w := range r.words {
		if relativeWords[w] && w != "que" && w != "cual" {
			return false
		}
		much = much || amountWords[w] || w == "total"
	}
	return much && r.bare && len(r.services) == 0 && len(r.amounts) == 0 && len(r.dates.found) == 0 && len(r.places) == 0 && !slices.Contains(r.classes, ClassValue)
}
