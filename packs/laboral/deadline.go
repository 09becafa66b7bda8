package laboral

import (
	"strconv"
	"strings"
	"time"

	"digesto/pack"
	"digesto/text"
)

// deadlineRule is one row of data/deadlines.tsv.
type deadlineRule struct {
	code, name   string
	n            int
	unit         string // "hábiles" (of courts), "hábiles-adm", "naturales", "años"
	august       string // "si": its days count; "": not settled
	conciliation string // "suspende", "interrumpe", "": none
	from         string
	at, also     Source
	words        []pack.Pattern
}

func readDeadlines(data []byte) ([]deadlineRule, error) {
	rows, err := table("deadlines.tsv", data, "code", "name", "n", "unit", "august", "conciliation", "from", "norm", "article", "place", "norm2", "article2", "place2", "words")
	if err != nil {
		return nil, err
	}
	var out []deadlineRule
	for _, r := range rows {
		d := deadlineRule{code: r["code"], name: r["name"], unit: r["unit"], august: r["august"], conciliation: r["conciliation"], from: r["from"]}
		var e1, e2 error
		d.n, e1 = strconv.Atoi(r["n"])
		d.words, e2 = patterns(r["words"])
		if first(e1, e2) != nil || d.n < 1 || !strings.Contains(" hábiles hábiles-adm naturales años ", " "+d.unit+" ") {
			return nil, bad("deadlines.tsv", r, "cantidad, unidad o palabras no válidas")
		}
		d.at = Source{Norm: r["norm"], Unit: r["article"], Place: r["place"], row: "tplazo-" + d.code, about: d.length() + " " + d.name + " caducidad prescripción plazo"}
		d.at.Text = d.text()
		if d.code != "sancion" { // it sends to the term of dismissals
			d.at.core = strconv.Itoa(d.n) + " días."
			if d.unit == "años" {
				d.at.core = d.length() + "."
			}
		}
		if r["norm2"] != "" {
			d.also = Source{Norm: r["norm2"], Unit: r["article2"], Place: r["place2"], about: d.at.about}
		}
		out = append(out, d)
	}
	return out, nil
}

func (d deadlineRule) length() string {
	switch d.unit {
	case "hábiles", "hábiles-adm":
		return plural(d.n, "día hábil", "días hábiles")
	case "naturales":
		return plural(d.n, "día", "días")
	}
	return plural(d.n, "año", "años")
}

// text is the row as a sentence: what a citation of it quotes.
func (d deadlineRule) text() string {
	t := d.name + ": " + d.length() + " desde " + d.from
	return t + " (" + d.at.Place + ")."
}

// The places that the counting rests on.
var (
	offDays = Source{Norm: "BOE-A-2011-15936", Unit: "a103", Place: "artículo 103.1 de la Ley reguladora de la jurisdicción social",
		about: "no se computarán los sábados, domingos ni festivos en la sede del órgano jurisdiccional"}
	adminDays = Source{Norm: "BOE-A-2015-10565", Unit: "a30", Place: "artículo 30.2 de la Ley 39/2015",
		about: "plazos por días hábiles: se excluyen del cómputo sábados, domingos y declarados festivos"}
	augustRule = Source{Norm: "BOE-A-2011-15936", Unit: "a43", Place: "artículo 43.4 de la Ley reguladora de la jurisdicción social",
		about: "días del mes de agosto inhábiles salvo en las modalidades procesales de despido"}
	suspension = Source{Norm: "BOE-A-2011-15936", Unit: "a65", Place: "artículo 65.1 de la Ley reguladora de la jurisdicción social",
		about: "solicitud de conciliación suspenderá la caducidad reanudándose al día siguiente quince días hábiles"}
	nextDay = Source{Norm: "BOE-A-2011-15936", Unit: "a45", Place: "artículo 45.1 de la Ley reguladora de la jurisdicción social",
		about: "presentación de un escrito hasta las quince horas del día hábil siguiente al del vencimiento"}
)

// calendar tells working days from others.
type calendar struct {
	holidays map[time.Time]bool // given
	august   bool               // days of August count
}

// works says whether a day counts: no Saturday, Sunday or holiday. The four
// national holidays that nobody may replace are known; one that falls on a
// Sunday is kept on the Monday after.
func (c calendar) works(t time.Time) bool {
	if t.Weekday() == time.Saturday || t.Weekday() == time.Sunday || c.holidays[t] {
		return false
	}
	if national(t) || t.Weekday() == time.Monday && national(t.AddDate(0, 0, -1)) {
		return false
	}
	return c.august || t.Month() != time.August && !yearEnd(t)
}

func national(t time.Time) bool {
	switch [2]int{int(t.Month()), t.Day()} {
	case [2]int{1, 1}, [2]int{5, 1}, [2]int{10, 12}, [2]int{12, 25}:
		return true
	}
	return false
}

// yearEnd are the days at the turn of the year that rest with August.
func yearEnd(t time.Time) bool {
	return t.Month() == time.December && t.Day() >= 24 || t.Month() == time.January && t.Day() <= 6
}

// after gives the nth working day after t.
func (c calendar) after(t time.Time, n int) time.Time {
	for n > 0 {
		if t = t.AddDate(0, 0, 1); c.works(t) {
			n--
		}
	}
	return t
}

// between counts the working days after a and before b.
func (c calendar) between(a, b time.Time) int {
	n := 0
	for t := a.AddDate(0, 0, 1); t.Before(b); t = t.AddDate(0, 0, 1) {
		if c.works(t) {
			n++
		}
	}
	return n
}

func (c *Calc) deadline(in *input) (Result, error) {
	r := newResult(FnDeadline, in.args["tipo"], "fecha")
	d, err := c.deadlineOf(in.args["tipo"])
	if err != nil {
		return r, err
	}
	from, err := in.need("desde", "la fecha desde la que se cuenta: "+d.from)
	if err != nil {
		return r, err
	}
	r.note("Se cuenta desde el día siguiente a "+text.LongDay(from)+", "+d.from, d.at.Place)
	r.source(d.at, d.also)
	if d.unit == "hábiles" || d.unit == "hábiles-adm" {
		return r, d.working(&r, in, from)
	}
	end := from.AddDate(0, 0, d.n)
	if d.unit == "años" {
		end = addMonths(from, 12*d.n)
	}
	end, err = d.sixMonths(&r, in, end)
	if err != nil {
		return r, err
	}
	d.conclude(&r, end, end)
	if d.conciliation == "interrumpe" {
		r.warn("Reclamar por escrito o pedir la conciliación interrumpe el plazo, que vuelve a empezar entero.")
	}
	return r, nil
}

// sixMonths bounds the time for a worker's offence by the day it was committed.
func (d deadlineRule) sixMonths(r *Result, in *input, end time.Time) (time.Time, error) {
	if !strings.HasPrefix(d.code, "falta-") {
		return end, nil
	}
	day, ok, err := in.day("comision")
	if err != nil {
		return end, err
	}
	if !ok {
		r.unknown("el día en que se cometió la falta", "En todo caso prescribe a los seis meses de cometerse: dígalo con «comision».")
		return end, nil
	}
	last := addMonths(day, 6)
	r.note("En todo caso, seis meses desde que se cometió: "+text.LongDay(last), d.at.Place)
	if last.Before(end) {
		return last, nil
	}
	return end, nil
}

// deadlineOf finds a rule.
func (c *Calc) deadlineOf(code string) (deadlineRule, error) {
	var names []string
	for _, d := range c.deadlines {
		if d.code == code {
			return d, nil
		}
		names = append(names, d.code)
	}
	return deadlineRule{}, invalid("Los que hay: "+list(names)+".", "El plazo «%s» no existe", code)
}

// working counts a term of working days: with and without August where that is
// not settled.
func (d deadlineRule) working(r *Result, in *input, from time.Time) error {
	holidays, err := in.days("festivos")
	if err != nil {
		return err
	}
	august, said, err := in.yes("agosto")
	if err != nil {
		return err
	}
	if !said {
		august = true
	}
	low, err := d.last(r, in, from, calendar{holidays, august})
	if err != nil {
		return err
	}
	high := low
	if !said && d.august == "" {
		quiet := newResult("", "", "")
		if high, err = d.last(&quiet, in, from, calendar{holidays, false}); err != nil {
			return err
		}
		if !high.Equal(low) {
			r.unknown("si agosto y los días del 24 de diciembre al 6 de enero cuentan", "La ley los hace hábiles para unas materias y no para otras; la fecha prudente es la primera.")
		}
	}
	if d.unit == "hábiles" {
		r.source(augustRule, nextDay)
		if !in.has("papeleta") && d.conciliation == "suspende" {
			r.warn("Pedir la conciliación suspende el plazo hasta el día siguiente de intentarla o de quince días hábiles (" + suspension.Place + "): dígalo con «papeleta» y «conciliacion».")
		}
		r.note("Agosto y el fin de año "+map[bool]string{true: "cuentan", false: "no cuentan"}[august], augustRule.Place)
		r.warn("El escrito puede presentarse hasta las quince horas del día hábil siguiente al último (" + nextDay.Place + ").")
	}
	if len(holidays) == 0 {
		r.unknown("los festivos de la comunidad y de la localidad", "Solo se han descontado los cuatro nacionales que no pueden sustituirse; cada uno de los demás que caiga dentro retrasa el final un día hábil.")
	}
	d.conclude(r, low, high)
	return nil
}

// last gives the last day of a term of working days, with the stop that a
// request for conciliation brings.
func (d deadlineRule) last(r *Result, in *input, from time.Time, c calendar) (time.Time, error) {
	off := offDays
	if d.unit == "hábiles-adm" {
		off = adminDays
	}
	r.note("No cuentan sábados, domingos ni festivos", off.Place)
	r.source(off)
	filed, ok, err := in.day("papeleta")
	if err != nil || !ok {
		return c.after(from, d.n), err
	}
	if d.conciliation != "suspende" {
		return from, invalid("Quite «papeleta».", "La conciliación no suspende el plazo «%s»", d.code)
	}
	end := c.after(from, d.n)
	if !filed.After(from) || filed.After(end) {
		return from, invalid("Revise las fechas: el plazo acababa el "+iso(end)+".", "La papeleta (%s) no está dentro del plazo", iso(filed))
	}
	used := c.between(from, filed)
	held, attempted, err := in.day("conciliacion")
	if err != nil {
		return from, err
	}
	if attempted && held.Before(filed) {
		return from, invalid("Revise las fechas.", "La conciliación (%s) es anterior a la papeleta (%s)", iso(held), iso(filed))
	}
	stop := c.after(filed, 15)
	if attempted && held.Before(stop) {
		stop = held
	}
	r.source(suspension)
	r.note(plural(used, "día hábil gastado", "días hábiles gastados")+" hasta la papeleta del "+text.LongDay(filed)+"; el cómputo sigue al día siguiente de "+text.LongDay(stop), suspension.Place)
	return c.after(stop, d.n-used), nil
}

func (d deadlineRule) conclude(r *Result, low, high time.Time) {
	a, b := iso(low), iso(high)
	r.Low, r.High = &a, &b
	said := d.name + ": el último día es el " + text.LongDay(low)
	if low.Equal(high) {
		r.Result = &a
	} else {
		said += ", o el " + text.LongDay(high) + " según cómo se cuente"
	}
	r.say(said+".", "Regla: "+d.text())
	r.note("Último día: "+text.LongDay(low), d.at.Place)
}
