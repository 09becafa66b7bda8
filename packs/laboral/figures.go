package laboral

import (
	"strings"

	"github.com/govalues/decimal"

	"digesto"
	"digesto/pack"
	"digesto/text"
)

// Figure is a figure of the law that changes over time: one row of
// data/figures.tsv.
type Figure struct {
	Key   string       `json:"key"`
	Name  string       `json:"name"`
	From  digesto.Date `json:"from"`
	To    digesto.Date `json:"to,omitempty"` // first day it no longer holds; empty = none known
	Value string       `json:"value"`        // decimal string
	Unit  string       `json:"unit"`         // "EUR", "%", "semanas"
	Norm  string       `json:"norm"`
	Place string       `json:"place"`
	Note  string       `json:"note,omitempty"`

	article string
	amount  decimal.Decimal
	words   []pack.Pattern
}

func readFigures(data []byte) ([]Figure, error) {
	rows, err := table("figures.tsv", data, "key", "name", "from", "to", "value", "unit", "norm", "article", "place", "words", "note")
	if err != nil {
		return nil, err
	}
	var out []Figure
	for _, r := range rows {
		f := Figure{Key: r["key"], Name: r["name"], From: digesto.Date(r["from"]), To: digesto.Date(r["to"]), Value: r["value"], Unit: r["unit"],
			Norm: r["norm"], Place: r["place"], Note: r["note"], article: r["article"]}
		_, e1 := parseDay(r["from"])
		var e2, e3, e4 error
		if f.To != "" {
			if _, e2 = parseDay(r["to"]); e2 == nil && f.To <= f.From {
				e2 = bad("figures.tsv", r, "acaba antes de empezar")
			}
		}
		f.amount, e3 = decimal.Parse(f.Value)
		f.words, e4 = patterns(r["words"])
		if first(e1, e2, e3, e4) != nil {
			return nil, bad("figures.tsv", r, "fecha, valor o palabras no válidos")
		}
		if n := len(out); n > 0 && out[n-1].Key == f.Key && (out[n-1].To == "" || out[n-1].To > f.From) {
			return nil, bad("figures.tsv", r, "se pisa con la fila anterior")
		}
		out = append(out, f)
	}
	return out, nil
}

// Figures gives the table, oldest first within each figure.
func (c *Calc) Figures() []Figure { return append([]Figure(nil), c.figures...) }

// shown writes the value with its unit.
func (f Figure) shown() string {
	switch f.Unit {
	case "EUR":
		return Euros(f.amount)
	case "%":
		return local(f.amount) + " %"
	}
	return number(f.amount) + " " + f.Unit
}

// Text is the row as a sentence: what a citation of it quotes.
func (f Figure) Text() string {
	t := f.Name + ": " + f.shown() + ", desde el " + longISO(f.From)
	if f.To != "" {
		t += " hasta el " + longISO(dayBefore(f.To))
	}
	if f.Note != "" {
		t += "; " + strings.ToLower(f.Note[:1]) + f.Note[1:]
	}
	return t + " (" + f.Place + ")."
}

// core is the figure alone, as its article has it; none for one that the article
// no longer holds.
func (f Figure) core() string {
	if f.To != "" && f.To <= reviewed {
		return ""
	}
	unit := " " + f.Unit
	if f.Unit == "EUR" {
		unit = " euros"
	}
	return strings.ReplaceAll(f.Value, ".", ",") + unit + " (" + string(f.From[:4]) + ")."
}

func (f Figure) row() string { return "tcifra-" + f.Key + "-" + string(f.From) }

func (f Figure) source() Source {
	return Source{Norm: f.Norm, Unit: f.article, Place: f.Place, Text: f.Text(), row: f.row(), core: f.core(), about: f.Name + " " + f.shown()}
}

func longISO(d digesto.Date) string {
	t, err := parseDay(string(d))
	if err != nil {
		return string(d)
	}
	return text.LongDay(t)
}

func dayBefore(d digesto.Date) digesto.Date {
	t, err := parseDay(string(d))
	if err != nil {
		return d
	}
	return digesto.Date(iso(t.AddDate(0, 0, -1)))
}

// at says whether the figure holds on a day.
func (f Figure) at(d digesto.Date) bool { return f.From <= d && (f.To == "" || d < f.To) }

// figure looks a figure up: on a day, over a year, or today. What holds today is
// said to hold today; what does not, with the dates it held.
func (c *Calc) figure(in *input) (Result, error) {
	key := strings.TrimSpace(in.args["nombre"])
	r := newResult(FnFigures, key, "")
	var all []Figure
	var names []string
	for _, f := range c.figures {
		if f.Key == key {
			all = append(all, f)
		}
		if len(names) == 0 || names[len(names)-1] != f.Key {
			names = append(names, f.Key)
		}
	}
	if len(all) == 0 {
		return r, invalid("Las que hay: "+list(names)+".", "La cifra «%s» no existe", key)
	}
	from, to, err := in.period()
	if err != nil {
		return r, err
	}
	r.Unit = all[0].Unit
	var hit []Figure
	for _, f := range all {
		if f.From <= to && (f.To == "" || from < f.To) {
			hit = append(hit, f)
		}
	}
	if len(hit) == 0 {
		r.lastKnown(all, from)
		return r, nil
	}
	r.holding(hit, in.today)
	return r, nil
}

// figureOf gives the row of a figure that holds on the day of the calculation: the
// one said as «fecha», or today.
func (c *Calc) figureOf(key string, in *input) (Figure, bool) {
	day := in.today
	if d, ok, err := in.day("fecha"); err == nil && ok {
		day = digesto.Date(iso(d))
	}
	for _, f := range c.figures {
		if f.Key == key && f.at(day) {
			return f, true
		}
	}
	return Figure{}, false
}

// period gives the first and the last day asked about.
func (in *input) period() (from, to digesto.Date, err error) {
	y, byYear, err := in.whole("year", "el año", 1950, 2100)
	if err != nil {
		return
	}
	if byYear {
		return digesto.Date(iso(date(y, 1, 1))), digesto.Date(iso(date(y, 12, 31))), nil
	}
	d, ok, err := in.day("fecha")
	if err != nil {
		return
	}
	if ok {
		return digesto.Date(iso(d)), digesto.Date(iso(d)), nil
	}
	return in.today, in.today, nil
}

// holding answers with the rows that hold in the period asked about.
func (r *Result) holding(hit []Figure, today digesto.Date) {
	low, high := hit[0].amount, hit[0].amount
	for _, f := range hit {
		if f.amount.Cmp(low) < 0 {
			low = f.amount
		}
		if f.amount.Cmp(high) > 0 {
			high = f.amount
		}
		r.say(f.Text())
		r.step(f.Name+", desde el "+longISO(f.From), f.amount, f.Unit, f.Place)
		r.source(f.source())
	}
	r.between(low, high)
	if last := hit[len(hit)-1]; !last.at(today) {
		r.warn("No es una cifra de hoy: valió hasta el " + longISO(dayBefore(last.To)) + ".")
	}
}

// lastKnown refuses to give a figure for a day that no row holds, and says the
// nearest one with its dates.
func (r *Result) lastKnown(all []Figure, at digesto.Date) {
	near := all[0]
	for _, f := range all {
		if f.From <= at {
			near = f
		}
	}
	r.say("No tengo " + near.Name + " del " + longISO(at) + ".")
	r.say("La cifra más próxima que conozco es otra, con su fecha. " + near.Text())
	r.unknown("la cifra de esa fecha", "Compruebe si hay una norma posterior; la última que conozco no se da por vigente.")
	r.source(near.source())
}
