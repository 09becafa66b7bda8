package dating

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/line"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// A norm's own words on when it takes effect. Only a clause that speaks of the
// whole norm without exception is believed: "entrará en vigor el día siguiente
// al de su publicación", "a los dos meses de…", "el 1 de enero de 2023".

var (
	takesEffect = lazyregexp.New(`^(?:1\. ?|unic[oa]\. ?)?(?:el|la|este|esta|estos|las|los)\b.{0,160}? (?:entrara|entraran|entra|entran) en (?:vigor|vigencia)(?:,? (?:el|al|a|en|a partir del?|desde el))* `)
	exception   = lazyregexp.New(`\b(?:excepto|excepcion|excepciones|salvo|sin perjuicio|particularidades|no obstante)\b`)
	// signed begins what follows the last disposition: who sanctioned the norm, and where.
	signed     = lazyregexp.New(`^(?:dad[oa] (?:el|en)\b|por tanto\b|en consecuencia, ordeno|[a-z -]{3,40}, (?:a )?\d{1,2} de [a-z]+ de(?:l)? \d{4})`)
	dayClause  = lazyregexp.New(`^(mismo |propio )?(?:dia )?(siguiente )?(?:dia )?(?:al? |de |del |al de |a la de |a su )*(?:su )?publicacion`)
	firstOf2   = lazyregexp.New(`^(?:dia )?(?:1|uno|primero|primer dia) del (segundo |tercer |sexto )?mes (?:natural )?siguiente`)
	afterCount = lazyregexp.New(`^(?:los |las |cabo de (?:los )?)?([a-z]+|\d{1,3}) (dias?|mes|meses|anos?)(?: naturales| habiles)? (?:de|desde|despues de|siguientes? a(?:l de)?|posteriores? a(?:l de)?|contados desde(?: la de)?|a contar desde) (?:la |su |el )*(?:dia )?(?:siguiente al de )?(?:su |la )?(?:completa )?publicacion`)
	periodOf   = lazyregexp.New(`periodo comprendido entre el (\d{1,2} de [a-z]+)(?: de(?:l)? (\d{4}))? y el (\d{1,2} de [a-z]+) de(?:l)? (\d{4})`)
	laterUnits = lazyregexp.New(`,? (?:con excepcion de|excepto|salvo) (?:el |los )?articulos? (\d{1,3}(?:(?:, | y |, y )\d{1,3})*)\b[^.;]{0,120}?,? (?:que|los cuales|el cual) (entrara|entraran|entra|entran) (en (?:vigor|vigencia) [^.;]{5,120})[.;]?`)
	unitNumber = lazyregexp.New(`\d+`)
	countWords = map[string]int{"un": 1, "uno": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10, "doce": 12, "quince": 15, "dieciocho": 18, "veinte": 20, "treinta": 30, "cuarenta": 40, "sesenta": 60, "noventa": 90}
)

// setEntry reads the clause of a norm on its entry into force, and the period
// for which it was made, if it says one: then it was never changed, but ran out.
func setEntry(d *corpus.Document) (period bool) {
	n := &d.Norm
	for i := len(d.Units) - 1; i >= 0; i-- {
		u := &d.Units[i]
		rubric := text.Fold(u.Rubric)
		if u.Amending || !strings.Contains(rubric, "en vigor") && !strings.Contains(rubric, "vigencia") {
			continue
		}
		body := u.Versions[len(u.Versions)-1].Text
		f := text.Fold(line.Clip(body, 1500))
		if m := periodOf.FindStringSubmatch(f); m != nil {
			year := line.FirstOf(m[2], m[4])
			n.InForce = DayOf(m[1] + " de " + year)
			if n.Status == digesto.StatusRepealed && n.RepealedFrom == "" {
				n.RepealedFrom = nextDay(DayOf(m[3] + " de " + m[4]))
			}
			return true
		}
		if !takesEffect.MatchString(f) && !strings.Contains(rubric, "en vigor") {
			continue
		}
		clause, rest, _ := strings.Cut(f, "\n")
		clause = laterEntry(d, clause)
		if !exception.MatchString(clause) && (rest == "" || signed.MatchString(rest)) {
			n.InForce = entryDay(clause, n.Published)
		}
		return false
	}
	return false
}

// laterEntry reads the articles that a clause excepts with a day of their own ("con
// excepción de los artículos 62 y 63, que entran en vigencia a los nueve meses…"), and
// gives the clause without them.
func laterEntry(d *corpus.Document, f string) string {
	m := laterUnits.FindStringSubmatchIndex(f)
	if m == nil || exception.MatchString(f[m[6]:m[7]]) {
		return f
	}
	day := entryDay("la norma entra "+f[m[6]:m[7]], d.Norm.Published)
	if day == "" {
		return f
	}
	numbers := unitNumber.FindAllString(f[m[2]:m[3]], -1)
	for i := range d.Units {
		u := &d.Units[i]
		v := &u.Versions[0]
		if u.Kind == digesto.KindArticle && slices.Contains(numbers, u.Number) && !strings.Contains(u.ID, "~") && v.ValidFrom == "" && len(v.Notes) == 0 {
			v.ValidFrom = day
		}
	}
	return f[:m[0]] + "."
}

// entryDay computes the day of a clause; "" if its words are not understood.
func entryDay(f string, published digesto.Date) digesto.Date {
	m := takesEffect.FindString(f)
	if m == "" {
		return ""
	}
	rest := strings.TrimPrefix(f[len(m):], "dia ")
	if d := regexp.MustCompile(`^` + DayWords).FindString(rest); d != "" {
		return DayOf(d)
	}
	t, err := time.Parse(time.DateOnly, string(published))
	if err != nil {
		return ""
	}
	if m := dayClause.FindStringSubmatch(rest); m != nil {
		if m[2] != "" {
			t = t.AddDate(0, 0, 1)
		}
		return isoDay(t)
	}
	if m := firstOf2.FindStringSubmatch(rest); m != nil {
		months := map[string]int{"": 1, "segundo ": 2, "tercer ": 3, "sexto ": 6}[m[1]]
		return isoDay(time.Date(t.Year(), t.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC))
	}
	if m := afterCount.FindStringSubmatch(rest); m != nil {
		return addCount(t, m[1], m[2])
	}
	return ""
}

func addCount(t time.Time, count, unit string) digesto.Date {
	n, ok := countWords[count]
	if !ok {
		var err error
		if n, err = strconv.Atoi(count); err != nil {
			return ""
		}
	}
	switch unit[0] {
	case 'd':
		return isoDay(t.AddDate(0, 0, n))
	case 'm':
		return addMonths(t, n)
	}
	return addMonths(t, 12*n)
}

// addMonths counts from day to day; a month too short ends it on its last day.
func addMonths(t time.Time, n int) digesto.Date {
	to := t.AddDate(0, n, 0)
	if to.Day() != t.Day() {
		to = to.AddDate(0, 0, -to.Day())
	}
	return isoDay(to)
}

func isoDay(t time.Time) digesto.Date { return digesto.Date(t.Format(time.DateOnly)) }

// Reformers are the installed norms by id: what they say of themselves completes
// the reforms that notes beside other texts tell of.
type Reformers map[string]*digesto.Norm

// NewReformers takes the norms whose day of publication is known.
func NewReformers(norms []digesto.Norm) Reformers {
	m := make(Reformers, len(norms))
	for i := range norms {
		if norms[i].Published != "" {
			m[norms[i].ID] = &norms[i]
		}
	}
	return m
}

// Complete dates the reforms of a document by the norms that made them, and
// then the texts that they led to.
func (m Reformers) Complete(d *corpus.Document) {
	for i := range d.Units {
		versions := d.Units[i].Versions
		v := &versions[len(versions)-1]
		changed := false
		for k := range v.Reforms {
			r := &v.Reforms[k]
			n := m[r.Norm]
			if n == nil || r.Norm == d.Norm.ID {
				continue
			}
			if r.Published == "" {
				r.Published, changed = n.Published, true
			}
			if r.From == "" && n.InForce != "" {
				r.From, changed = n.InForce, true
			}
		}
		if changed && len(versions) == 1 {
			v.Published, v.ValidFrom = "", ""
			DateVersion(v)
		}
	}
}
