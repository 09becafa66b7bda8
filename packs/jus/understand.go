package jus

import (
	_ "embed"
	"sort"
	"strings"

	"github.com/govalues/decimal"

	"digesto"
	"digesto/pack"
	"digesto/text"
)

//go:embed data/classes.tsv
var embeddedClasses []byte

//go:embed data/facts.tsv
var embeddedFacts []byte

// The seven classes.
const (
	ClassRule    = "normativa"
	ClassValue   = "valor_jus"
	ClassConvert = "calculo"
	ClassQuote   = "presupuesto"
	ClassCompare = "comparacion"
	ClassOutside = "fuera_de_dominio"
	ClassAdvice  = "asesoramiento"
)

// classOrder is the order in which classes are given.
var classOrder = []string{ClassRule, ClassValue, ClassConvert, ClassQuote, ClassCompare, ClassOutside, ClassAdvice}

type classRule struct {
	yes, no []pack.Pattern
}

func (r classRule) match(words []string) bool {
	for _, p := range r.yes {
		if !p.Match(words) {
			continue
		}
		for _, n := range r.no {
			if n.Match(words) {
				return false
			}
		}
		return true
	}
	return false
}

func readClasses(data []byte) (map[string]classRule, error) {
	list, lines, err := rows("classes.tsv", data, "class", "effect", "pattern")
	if err != nil {
		return nil, err
	}
	out := map[string]classRule{}
	for i, r := range list {
		p, err := pack.ParsePattern(r[2])
		if err != nil || !has(classOrder, r[0]) || r[1] != "yes" && r[1] != "no" {
			return nil, invalid("Corrija la fila.", "classes.tsv:%d: clase, efecto o patrón no válidos", lines[i])
		}
		c := out[r[0]]
		if r[1] == "yes" {
			c.yes = append(c.yes, p)
		} else {
			c.no = append(c.no, p)
		}
		out[r[0]] = c
	}
	return out, nil
}

// mentioned is a service or group named in a question: words[from:to].
type mentioned struct {
	code     string
	group    bool
	from, to int
	quantity decimal.Decimal
}

// reading is what the rules understand of one clause.
type reading struct {
	words    []string
	amounts  []amount
	dates    span
	services []mentioned
	places   []placeFound
	facts    Facts
	classes  []string
	refused  string // class that refuses the clause, or ""
	partly   bool   // names another jurisdiction beside this one
}

// typos are ways in which people miswrite the unit.
var typos = set("juz juss yus jusz")

// read understands one clause.
func (c *Calc) read(s string, today digesto.Date) reading {
	toks := text.Tokens(nil, s)
	for i := range toks {
		if typos[toks[i].Text] {
			toks[i].Text = "jus"
		}
	}
	words := tokenWords(toks)
	r := reading{words: words, amounts: findAmounts(s, toks)}
	r.dates = findDates(words, today, func(i int) bool {
		for _, a := range r.amounts {
			if a.unit != "" && i >= a.from && i < a.to {
				return true
			}
		}
		return false
	})
	r.amounts = r.withoutDates()
	r.places = findPlaces(c.places, words)
	r.services = c.findServices(words, r.amounts)
	r.facts = c.findFacts(words)
	c.classify(&r)
	return r
}

// withoutDates leaves out numbers that are part of a date.
func (r *reading) withoutDates() []amount {
	var out []amount
	for _, a := range r.amounts {
		inside := false
		for _, d := range r.dates.found {
			inside = inside || a.unit == "" && a.from >= d.from && a.from < d.to
		}
		if !inside {
			out = append(out, a)
		}
	}
	return out
}

// findServices gives the services named, the most specific pattern first where
// several overlap, with the quantity that stands before each.
func (c *Calc) findServices(words []string, amounts []amount) []mentioned {
	type candidate struct {
		mentioned
		size int
	}
	var all []candidate
	try := func(code string, group bool, patterns []pack.Pattern) {
		for _, p := range patterns {
			if from, to, ok := p.Find(words); ok {
				all = append(all, candidate{mentioned{code, group, from, to, decimal.One}, p.Size()})
			}
		}
	}
	for _, g := range c.groups {
		try(g.Code, true, g.Words)
	}
	for _, s := range c.services {
		try(s.Code, false, s.Words)
	}
	sort.SliceStable(all, func(i, j int) bool {
		if all[i].size != all[j].size {
			return all[i].size > all[j].size
		}
		return all[i].from < all[j].from
	})
	var out []mentioned
	for _, k := range all {
		free := true
		for _, o := range out {
			free = free && (k.to <= o.from || k.from >= o.to) && k.code != o.code
		}
		if free {
			out = append(out, k.mentioned)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].from < out[j].from })
	for i := range out {
		for _, a := range amounts {
			if a.unit == "" && a.to == out[i].from && a.value.IsInt() && a.value.Cmp(hundred) < 0 {
				out[i].quantity = a.value
			}
		}
	}
	return out
}

// factRule says that words of a question state a fact.
type factRule struct {
	key, value string
	pattern    pack.Pattern
}

func readFacts(data []byte) ([]factRule, error) {
	list, lines, err := rows("facts.tsv", data, "fact", "pattern")
	if err != nil {
		return nil, err
	}
	var out []factRule
	for i, r := range list {
		key, val, ok := strings.Cut(r[0], "=")
		p, err := pack.ParsePattern(r[1])
		if _, known := FactKeys[key]; err != nil || !ok || !known || val == "" {
			return nil, invalid("Corrija la fila.", "facts.tsv:%d: hecho o patrón no válidos", lines[i])
		}
		out = append(out, factRule{key, val, p})
	}
	return out, nil
}

// findFacts gives the facts that a clause states; one said both ways counts neither.
func (c *Calc) findFacts(words []string) Facts {
	out, both := Facts{}, map[string]bool{}
	for _, f := range c.facts {
		if old, ok := out[f.key]; ok && old == f.value || !f.pattern.Match(words) {
			continue
		} else if ok {
			both[f.key] = true
		}
		out[f.key] = f.value
	}
	for k := range both {
		delete(out, k)
	}
	return out
}
