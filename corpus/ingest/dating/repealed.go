package dating

import (
	"slices"
	"strings"

	"digesto"
	"digesto/corpus/ingest/line"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// A source may print the text of a unit that a note says was repealed as a whole.

// eventYear is the year of an event ("elecciones generales de 2026").
var eventYear = lazyregexp.New(`^[^.;\d]{0,40}? de(?:l)? (?:ano )?((?:19|20)\d{2})\b`)

// ofUnit begins a note that speaks of a unit as a whole.
var ofUnit = lazyregexp.New(`^[\s(*_"\d)]*(?:el |este )?(?:articulo|art\.|disposicion)\s*[^,.;:]{0,40}?\b(?:incorporad|modificad|sustituid|substituid|anadid|agregad|introducid|derogad|abrogad|suprimid)`)

// repealOf gives the place among the reforms of a version of that which repealed its
// unit, if none came after it; -1 = it was not repealed.
func repealOf(v *digesto.Version) int {
	whole, told := false, ""
	for _, n := range oneActEach(v.Notes) {
		f := text.Fold(line.Clip(n, 400))
		switch next := nextAct.MatchString(". " + n); {
		case ofUnit.MatchString(f):
			whole = !ofPart.MatchString(strings.SplitN(f, " por ", 2)[0])
		case !next:
			whole = false
		}
		if whole && changesText(n) && actIn(strings.SplitN(f, " por ", 2)[0]) == digesto.ActRepeals {
			told = f
		}
	}
	if told == "" {
		return -1
	}
	at := -1
	for i, r := range v.Reforms {
		switch {
		case r.Act == digesto.ActRepeals && r.Day() != "" && bearsDay(told, r.Day()):
			at = i
		case at >= 0 && r.Day() >= v.Reforms[at].Day(), r.Day() == "":
			at = -1
		}
	}
	for _, r := range v.Reforms {
		if at >= 0 && r.Day() > v.Reforms[at].Day() {
			return -1
		}
	}
	return at
}

// endRepealed ends a version with the repeal of its unit that its notes tell of: on the
// day given for it, else on that of its publication, from which on nothing proves it.
func endRepealed(v *digesto.Version) {
	at := repealOf(v)
	if at < 0 || v.ValidTo != "" {
		return
	}
	r := v.Reforms[at]
	before := *v
	before.Reforms = append(append([]digesto.Reform(nil), v.Reforms[:at]...), v.Reforms[at+1:]...)
	before.Published, before.ValidFrom = "", ""
	DateVersion(&before)
	v.Published, v.ValidFrom = before.Published, before.ValidFrom
	v.Current = false
	if v.ValidTo = r.From; v.ValidTo == "" {
		v.Replaced = max(r.Published, yearOfEvent(v.Notes))
		v.Defects = slices.DeleteFunc(v.Defects, func(d digesto.TextDefect) bool { return d.Kind == digesto.DefectConditional })
	}
}

// yearOfEvent gives the first day of the year of the event that the force of a change
// waits for; "" = none is named.
func yearOfEvent(notes []string) (day digesto.Date) {
	for _, n := range notes {
		f := unglue(text.Fold(line.Clip(n, 2000)))
		if m := uponEvent.FindStringIndex(f); m != nil {
			if y := eventYear.FindStringSubmatch(f[m[1]:]); y != nil {
				day = max(day, digesto.Date(y[1]+"-01-01"))
			}
		}
	}
	return day
}
