package jus

import (
	_ "embed"
	"slices"
	"sort"
	"strings"

	"github.com/govalues/decimal"

	"digesto"
	"digesto/pack"
	"digesto/packs/jus/fees"
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
	list, lines, err := fees.Rows("classes.tsv", data, "class", "effect", "pattern")
	if err != nil {
		return nil, err
	}
	out := map[string]classRule{}
	for i, r := range list {
		p, err := pack.ParsePattern(r[2])
		if err != nil || !slices.Contains(classOrder, r[0]) || r[1] != "yes" && r[1] != "no" {
			return nil, fees.Invalid("Corrija la fila.", "classes.tsv:%d: clase, efecto o patrón no válidos", lines[i])
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

// reading is what the rules understand of one clause.
type reading struct {
	clause   *clause
	words    []string
	amounts  []amount
	dates    span
	services []mentioned
	places   []placeFound
	place    *placeFound // the last one told up to here
	facts    Facts
	classes  []string
	refused  string          // class that refuses the clause, or ""
	partly   bool            // names another jurisdiction beside this one
	other    string          // what is said of a thing that this law does not fix; "" = none
	unread   []string        // items of a list that name no service
	several  decimal.Decimal // a number of things that may or may not count the service
	unused   []string        // numbers that were not taken for anything
	percent  *amount         // a percentage that is said
	unknown  int             // words that are no part of services, numbers, facts and dates
	bare     bool            // there are none
	asked    bool            // it stands between question marks
	rule     bool            // a rule is asked for (whether, when, by whom), not a price
}

// typos are ways in which people miswrite the unit.
var typos = set("juz juss yus jusz")

// chat are the shortenings of people who type in haste; "x" before a number counts.
var chat = map[string]string{"q": "que", "d": "de", "p": "para", "x": "por", "xq": "porque", "tb": "tambien", "dr": "doctor", "abog": "abogado", "hon": "honorarios", "expte": "expediente", "min": "minimo", "max": "maximo"}

// read understands one clause.
func (c *Calc) read(s string, today digesto.Date, meant string, before *placeFound) reading {
	toks := initials(s, text.Tokens(nil, s))
	for i := range toks {
		switch w := toks[i].Text; {
		case typos[w]:
			toks[i].Text = "jus"
		case chat[w] != "" && (w != "x" || i+1 < len(toks) && (toks[i+1].Text[0] < '0' || toks[i+1].Text[0] > '9')):
			toks[i].Text = chat[w]
		}
	}
	words := tokenWords(toks)
	r := reading{words: words, amounts: findAmounts(s, toks), asked: strings.ContainsAny(s, "¿?")}
	r.dates = findDates(words, today, func(i int) bool {
		for _, a := range r.amounts {
			if a.unit != "" && i >= a.from && i < a.to {
				return true
			}
		}
		return false
	})
	r.amounts = withFees(words, withMonths(words, r.withoutDates()))
	for i, a := range r.amounts {
		if a.unit == "%" {
			r.percent = &r.amounts[i]
		}
	}
	r.places, r.place = decide(findPlaces(c.places, words), before, words)
	k := newClause(s, toks, words, &r)
	r.clause = k
	r.services = c.findServices(k, meant)
	r.facts = c.findFacts(k.stems, k.starts)
	r.services = c.withoutFacts(k, r.services)
	r.amounts = k.summed(r.services, r.amounts)
	c.segments(k, r.services, r.amounts)
	r.other = c.otherThan(k.stems, len(r.services) > 0)
	c.classify(&r)
	c.leftovers(k, &r)
	return r
}

// initials joins letters with points between them into the word they stand for: "S.R.L.".
func initials(s string, toks []text.Token) []text.Token {
	var out []text.Token
	for i, t := range toks {
		if n := len(out); n > 0 && isLetter(t) && isLetter(toks[i-1]) && strings.TrimSpace(s[toks[i-1].End:t.Start]) == "." {
			out[n-1].Text += t.Text
			out[n-1].End = t.End
			continue
		}
		out = append(out, t)
	}
	return out
}

func isLetter(t text.Token) bool { return len(t.Text) == 1 && t.Text[0] >= 'a' && t.Text[0] <= 'z' }

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

// factRule says that words of a question state a fact.
type factRule struct {
	key, value string
	pattern    pack.Pattern
}

func readFacts(data []byte) ([]factRule, error) {
	list, lines, err := fees.Rows("facts.tsv", data, "fact", "pattern")
	if err != nil {
		return nil, err
	}
	var out []factRule
	for i, r := range list {
		key, val, ok := strings.Cut(r[0], "=")
		p, err := singularPattern(r[1])
		if key == fees.NotFact {
			ok, val = true, fees.NotFact
		}
		if _, known := FactKeys[key]; err != nil || !ok || !known && key != fees.NotFact || val == "" {
			return nil, fees.Invalid("Corrija la fila.", "facts.tsv:%d: hecho o patrón no válidos", lines[i])
		}
		out = append(out, factRule{key, val, p})
		if turned, ok := turned(r[1]); ok {
			if p, err = singularPattern(turned); err != nil {
				return nil, err
			}
			out = append(out, factRule{key, val, p})
		}
	}
	return out, nil
}

// turned gives a pattern of two words, both of which say something, the other way round:
// "letrado único", "único letrado".
func turned(pattern string) (string, bool) {
	steps := strings.Fields(pattern)
	if len(steps) != 2 {
		return "", false
	}
	for _, s := range steps {
		if strings.HasPrefix(s, "?") || s == "_" || s == "..." || slices.ContainsFunc(strings.Split(s, "|"), text.IsStop) {
			return "", false
		}
	}
	return steps[1] + " " + steps[0], true
}

// findFact gives every place of a fact's words, with or without the articles between them.
func findFact(p pack.Pattern, words []string) [][2]int {
	out := findAll(p, words)
	var bare []string
	var at []int
	for i, w := range words {
		if !articles[w] {
			bare, at = append(bare, w), append(at, i)
		}
	}
	for _, x := range findAll(p, bare) {
		found := [2]int{at[x[0]], at[x[1]-1] + 1}
		if !slices.ContainsFunc(out, func(o [2]int) bool { return o[0] < found[1] && found[0] < o[1] }) {
			out = append(out, found)
		}
	}
	return out
}

// articles are left out between the words of a fact; without their plurals.
var articles = set("el la lo del al su mi")

// findFacts gives the facts that a clause states; one said both ways counts neither. Of
// words that say it both ways, one inside the other ("sin homologar convenio"), those
// that begin first say it. A fact that the words before it in its conjunct deny
// ("nadie llegó a oponer excepciones") is its contrary.
func (c *Calc) findFacts(words []string, starts []bool) Facts {
	words = append([]string(nil), words...)
	type found struct {
		factRule
		from, to int
	}
	byKey := map[string][]found{}
	for _, f := range c.facts {
		for _, at := range findFact(f.pattern, words) {
			if f.key != fees.NotFact {
				x := found{f, at[0], at[1]}
				if contrary := map[string]string{"si": "no", "no": "si"}[x.value]; contrary != "" && !slices.ContainsFunc(words[at[0]:at[1]], func(w string) bool { return denials[w] }) {
					if by := deniedBy(words, starts, at[0]); by < at[0] {
						x.value, x.from = contrary, by
					}
				}
				byKey[f.key] = append(byKey[f.key], x)
				continue
			}
			for i := at[0]; i < at[1]; i++ {
				words[i] = fees.NotFact
			}
		}
	}
	out := Facts{}
	for key, list := range byKey {
		sort.SliceStable(list, func(i, j int) bool {
			return list[i].from < list[j].from || list[i].from == list[j].from && list[i].to > list[j].to
		})
		value, end, both := "", 0, false
		for _, f := range list {
			if f.from < end {
				continue
			}
			both = both || value != "" && value != f.value
			value, end = f.value, f.to
		}
		if !both {
			out[key] = value
		}
	}
	return out
}

// denials make what follows them its contrary.
var denials = set("no sin ni nada nadie ningun ninguna ninguno nunca jamas tampoco")

// maxDenied is how many words may stand between a denial and what it denies; "sin" denies
// what follows it at once.
const maxDenied = 3

// deniedBy gives the place of the word that denies what begins at a place, or that place.
func deniedBy(words []string, starts []bool, at int) int {
	for i := at; i > 0 && at-i <= maxDenied && (len(starts) == 0 || !starts[i]) && !opposes[words[i]]; i-- {
		if w := words[i-1]; denials[w] && (w != "sin" || i == at || words[i] == "que") {
			return i - 1
		}
	}
	return at
}

// opposes begin what a denial before them does not reach.
var opposes = set("y e mas pero aunque sino si sin con")
