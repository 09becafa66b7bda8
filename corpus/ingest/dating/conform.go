package dating

import (
	"slices"

	"digesto"
	"digesto/corpus/ingest/line"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// Some notes tell of a change the other way round: "De conformidad con el artículo 3
// de la Ley N° 1234, publicada el 1 de enero de 2020, se modifica el inciso b) del
// artículo 9…". They stand beside a unit for many reasons; only one that names the
// unit itself tells of a change of it, and only with the new wording below it is
// that change in the text.

var (
	conforming  = lazyregexp.New(`^\W*(?:\(?[\d*]{1,3}\)\W*)?de con\w*formidad con (.{10,600}?),? se (?:dispone (?:la )?)?((?:modific|sustitu|reemplaz|derog|incorpor|adicion|suprim)\w*) (.{0,300})`)
	namesUnit   = lazyregexp.New(`\b(?:articulo|art\.) (\d{1,4}(?:-[a-z])?)`)
	thisUnit    = lazyregexp.New(`^(?:[a-z ]{0,40}\b)?(?:del? )?(?:el )?presente (?:articulo|inciso|numeral|parrafo|literal)`)
	conditional = lazyregexp.New(`(?:vigencia|vigor)\b.{0,120}?\b(siempre que .{10,200})`)
	// uponEvent is an entry into force that waits for an event of which no day is given.
	uponEvent = lazyregexp.New(`entr\w+ en (?:vigencia|vigor) (?:a partir de(?:l| las?)?|desde(?: el| la)?|en|con)(?: la| el| las| los)? (?:(?:proxim|siguiente|primer)[a-z]* elecciones|(?:misma )?fecha (?:de|en que) (?:entr|la (?:entrada|publicacion)))`)
)

// conform reads such notes of a version of a unit, and what a note makes its entry
// into force depend on.
func conform(u *digesto.Unit, v *digesto.Version) {
	for _, note := range v.Notes {
		f := unglue(text.Fold(line.Clip(note, 2000)))
		if reforming.MatchString(f) && conditional.MatchString(f) || uponEvent.MatchString(f) && tellsLatest(v, f) {
			v.Defects = append(v.Defects, digesto.TextDefect{Kind: digesto.DefectConditional,
				Detail: "La fuente hace depender de una condición la entrada en vigor de esta redacción, y no dice si se cumplió: «" + line.Clip(note, 320) + "»"})
		}
		if r, ok := undone(f, v.Reforms); ok {
			v.Unseen = append(v.Unseen, r)
			v.Defects = append(v.Defects, digesto.TextDefect{Kind: digesto.DefectUnseenReform,
				Detail: "La fuente avisa de que se derogó la disposición que lo incorporó, y sigue imprimiendo el texto: «" + line.Clip(note, 320) + "»"})
		}
		r, ok := conformingReform(f, u.Number)
		if !ok {
			continue
		}
		if announcesText(note) {
			v.Reforms = append(v.Reforms, r)
			continue
		}
		v.Unseen = append(v.Unseen, r)
		v.Defects = append(v.Defects, digesto.TextDefect{Kind: digesto.DefectUnseenReform,
			Detail: "La fuente avisa de una reforma cuyo texto no imprime en su sitio: «" + line.Clip(note, 320) + "»"})
	}
}

// tellsLatest says that a folded note tells of the last change of a version.
func tellsLatest(v *digesto.Version, f string) bool {
	for _, r := range v.Reforms {
		if day := r.Day(); day == "" || !bearsDay(f, day) && !slices.ContainsFunc(v.Reforms, func(o digesto.Reform) bool { return o.Day() >= day && bearsDay(f, o.Day()) }) {
			return false
		}
	}
	return true
}

// bearsDay says that a folded note gives a day of publication.
func bearsDay(f string, day digesto.Date) bool {
	for _, m := range printed.FindAllStringSubmatch(f, 8) {
		if DayOf(m[1]) == day {
			return true
		}
	}
	return false
}

// providerGone is of a note that tells of the end of an article of another norm.
var providerGone = lazyregexp.New(`^.*\bart(?:iculo|\.) \d+[°º]? de (?:la|el|del) (.{5,60}?) (?:derogado|abrogado) (por .{5,200})`)

// undone gives the repeal of the article by which the text of a unit was put in.
func undone(f string, reforms []digesto.Reform) (digesto.Reform, bool) {
	m := providerGone.FindStringSubmatch(f)
	if m == nil {
		return digesto.Reform{}, false
	}
	x := reformer.FindStringSubmatch(m[1])
	if x == nil {
		return digesto.Reform{}, false
	}
	provider := reformOf(x).Name
	if !slices.ContainsFunc(reforms, func(r digesto.Reform) bool { return r.Name == provider && r.Act != digesto.ActRepeals }) {
		return digesto.Reform{}, false
	}
	list := reformsIn(m[2], " "+m[2])
	if len(list) == 0 {
		return digesto.Reform{}, false
	}
	r := list[0]
	r.Act, r.Parts = digesto.ActRepeals, nil
	return r, true
}

// conformingReform gives the change of the unit of that number that a folded note tells of.
func conformingReform(f, number string) (digesto.Reform, bool) {
	m := conforming.FindStringSubmatch(f)
	if m == nil {
		return digesto.Reform{}, false
	}
	named := namesUnit.FindStringSubmatch(m[3])
	if !thisUnit.MatchString(m[3]) && (named == nil || number == "" || named[1] != text.Fold(number)) {
		return digesto.Reform{}, false
	}
	var r digesto.Reform
	for _, x := range reformer.FindAllStringSubmatch(m[1], 6) {
		if named := reformOf(x); named.Name != "" {
			r = named
			break
		}
	}
	if r.Name == "" {
		return r, false
	}
	r.Act = actIn("se " + m[2])
	if p := printed.FindStringSubmatch(m[1]); p != nil {
		r.Published = DayOf(p[1])
	}
	r.From = fromIn(f, r.Published)
	return r, true
}

var gluedWords = lazyregexp.New(`\b(vigencia|vigor|publicad[oa]|dia|el|del|desde)(a partir|el \d|\d)`)

// unglue parts words that lost the blank between them in a folded note: "en
// vigenciaa partir", "publicado el29".
func unglue(f string) string { return gluedWords.ReplaceAllString(f, "$1 $2") }
