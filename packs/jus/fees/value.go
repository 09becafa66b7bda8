package fees

import (
	"fmt"
	"sort"

	"digesto"
)

// unitPlace and payPlace are where the law has the unit, and what is regulated and paid in it.
var (
	unitPlace = Service{Article: "35", Law: "la unidad arancelaria de honorarios profesionales del presente régimen"}
	payPlace  = Service{Article: "34", Law: "computados en Jus, al valor del día en que se practiquen"}
)

// inForce is the value on a day: the newest at or before it.
type inForce struct {
	Value
	ok       bool
	stale    bool     // the last known: another may have come since
	warnings []string // gap, staleness, future
	refusal  string   // why there is none
}

// known says how sure it is that the value held.
func (v inForce) known() string {
	if v.stale {
		return "último conocido"
	}
	return "vigente"
}

// on is the step that takes the value of a day.
func (v inForce) on(d digesto.Date) string {
	return "Valor de 1 JUS " + v.known() + " al " + LongDate(d) + " (desde el " + LongDate(v.Date) + ")"
}

// at looks a day up. Before the series of this law there is no value, not even
// that of the former regime; in a flagged gap and after the last month covered
// it is the last known, with a warning.
func (c *Tables) at(d, today digesto.Date) inForce {
	i := sort.Search(len(c.values), func(i int) bool { return c.values[i].Date > d }) - 1
	if i < 0 {
		return inForce{refusal: c.before(d)}
	}
	v := inForce{Value: c.values[i], ok: true}
	last := i == len(c.values)-1
	covered := lastOfMonth(v.Date)
	switch {
	case last && d > covered:
		v.stale = true
		v.warnings = append(v.warnings, fmt.Sprintf("No hay valores cargados después de %s y se usa el último conocido: el que rija el %s puede ser otro.", monthOf(v.Date), LongDate(d)))
	case !last && c.values[i+1].Flags["gap"] && d > covered:
		v.stale = true
		v.warnings = append(v.warnings, fmt.Sprintf("El %s cae en un tramo con huecos: el último valor conocido es del %s y el siguiente, del %s; pudo haber otros entre medio.",
			LongDate(d), LongDate(v.Date), LongDate(c.values[i+1].Date)))
	}
	if today != "" && d > today && v.stale {
		v.warnings = append(v.warnings, "El "+LongDate(d)+" es una fecha futura: el valor de ese día todavía no existe.")
	}
	return v
}

// before says why a day before the series has no value.
func (c *Tables) before(d digesto.Date) string {
	start := c.values[0]
	for i := len(c.former) - 1; i >= 0; i-- {
		if f := c.former[i]; f.Date <= d {
			return fmt.Sprintf("No se conoce el valor del JUS al %s. La serie de la %s empieza el %s. El último dato anterior es %s, del %s, y es del régimen anterior: no es el JUS de esta ley.",
				LongDate(d), LawName, LongDate(start.Date), Pesos(f.Amount), LongDate(f.Date))
		}
	}
	return fmt.Sprintf("No se conoce el valor del JUS al %s. La serie de la %s empieza el %s.", LongDate(d), LawName, LongDate(start.Date))
}

func monthOf(d digesto.Date) string {
	if !ValidDate(d) {
		return string(d)
	}
	p, err := Month(string(d[:7]))
	if err != nil {
		return string(d)
	}
	return p.Name
}

// ends gives the values in force at both ends of a period. When it begins
// before the series, its first end is the first value of this law inside it.
func (c *Tables) ends(p Period, today digesto.Date) (from, to inForce, fromDay, toDay digesto.Date, note string) {
	fromDay, toDay = p.From, p.To
	if today != "" && toDay > today && fromDay <= today {
		toDay = today
		note = "El período no ha terminado: su final se toma al " + LongDate(today) + "."
	}
	from, to = c.at(fromDay, today), c.at(toDay, today)
	if !from.ok && to.ok {
		note = joinNotes(from.refusal, note)
		fromDay = c.values[0].Date
		from = c.at(fromDay, today)
	}
	return from, to, fromDay, toDay, note
}

func joinNotes(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// constant says that one value held from one end of a period to the other.
func (c *Tables) constant(from, to inForce) bool { return from.ok && to.ok && from.Date == to.Date }

// changes are the values that begin inside a period, its first day left out.
func (c *Tables) changes(from, to digesto.Date) []Point {
	out := []Point{}
	for _, v := range c.values {
		if v.Date > from && v.Date <= to {
			out = append(out, Point{Date: v.Date, Value: money(v.Amount), ValueDate: dateOf(v.Date)})
		}
	}
	return out
}

// Value gives the value of one JUS on a day, or at both ends of a month or
// year with every change in it.
func (c *Tables) Value(when Period, today digesto.Date) Result {
	r := newResult("ARS")
	r.rule(Service{}, unitPlace)
	if when.IsDay() {
		return c.valueOn(r, when.From, today)
	}
	r.Kind = "period"
	from, to, fd, td, note := c.ends(when, today)
	if !to.ok {
		r.say(to.refusal)
		return r
	}
	r.ok = fd <= today || !from.stale // of what is to come there is no value to answer with
	r.Warn(note)
	r.Warn(append(from.warnings, to.warnings...)...)
	r.value(from.Value)
	r.value(to.Value)
	r.From, r.To, r.Changes = point(fd, from), point(td, to), c.changes(fd, td)
	r.Low, r.High = minmax(from.Value, to.Value)
	r.step(from.on(fd), from.Amount, "ARS", from.unit())
	r.step(to.on(td), to.Amount, "ARS", to.unit())
	r.say(c.periodText(when, fd, td, from, to, r.Changes))
	return r
}

func (c *Tables) valueOn(r Result, d, today digesto.Date) Result {
	v := c.at(d, today)
	if !v.ok {
		r.say(v.refusal)
		return r
	}
	r.ok, r.stale = d <= today || !v.stale, v.stale
	r.Warn(v.warnings...)
	r.value(v.Value)
	r.Result, r.Low, r.High = money(v.Amount), money(v.Amount), money(v.Amount)
	r.ValueDate, r.JusValue = dateOf(v.Date), money(v.Amount)
	r.step(v.on(d), v.Amount, "ARS", v.unit())
	lead := "El JUS vale "
	switch {
	case d < today && v.stale:
		lead = "El último valor conocido del JUS al " + LongDate(d) + " es "
	case d < today:
		lead = "Al " + LongDate(d) + " el JUS valía "
	case len(v.warnings) > 0:
		lead = "El último valor conocido del JUS es "
	}
	r.say(lead + Pesos(v.Amount) + ", desde el " + LongDate(v.Date) + ".")
	return r
}

func (c *Tables) periodText(p Period, fd, td digesto.Date, from, to inForce, changes []Point) string {
	if len(changes) == 0 && to.stale {
		return fmt.Sprintf("El último valor conocido del JUS para %s es %s, desde el %s.", p.Name, Pesos(to.Amount), LongDate(to.Date))
	}
	if len(changes) == 0 {
		return fmt.Sprintf("En %s el JUS valió %s todo el período, sin cambios.", p.Name, Pesos(from.Amount))
	}
	s := fmt.Sprintf("En %s el JUS pasó de %s (%s al %s) a %s (%s al %s). Cambios en el período: ",
		p.Name, Pesos(from.Amount), from.known(), LongDate(fd), Pesos(to.Amount), to.known(), LongDate(td))
	for i, ch := range changes {
		if i > 0 {
			s += "; "
		}
		s += LongDate(ch.Date) + ", " + Pesos(mustParse(*ch.Value))
	}
	return s + "."
}

func point(d digesto.Date, v inForce) *Point {
	return &Point{Date: d, Value: money(v.Amount), ValueDate: dateOf(v.Date)}
}

func minmax(a, b Value) (low, high *string) {
	if a.Amount.Cmp(b.Amount) > 0 {
		a, b = b, a
	}
	return money(a.Amount), money(b.Amount)
}
