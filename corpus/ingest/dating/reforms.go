package dating

import (
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/corpus/ingest/line"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// What reform notes tell: which norm changed the text, when it was published,
// since when the change holds. Three schools of notes are read: "Se modifica el
// apartado 2, con efectos de …, por el art. 3 de la Ley 1/2020, de 2 de marzo"
// with a following "Esta modificación entra en vigor el …"; "(Artículo sustituido
// por art. 3° de la Ley N° 1.234 B.O. 1/2/2020. Vigencia: …)"; and "Artículo
// modificado por el Artículo 3 de la Ley N° 1234, publicada el 1 de febrero de 2020".

// DayWords is a written day, in a folded text.
const DayWords = `(\d{1,2}(?:[º°]|ro\.?)? ?(?:de )?(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre),? (?:del? )?(?:ano )?\d{4}|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4})`

var (
	reforming = lazyregexp.New(`^\W*(?:su |la |el |los |las |segundo |tercer |cuarto |quinto |ultimo |primer )?(?:se (?:modifica|anade|deroga|suprime|sustitu|renumera|reordena|deja|da nueva|redacta|introduce|incorpora|adiciona|elimina|numera|actualiza|corrige)|redactad[oa]s?|[^:]{0,160}\b(?:sustitui|substitui|modifica|incorpora|deroga|abroga|agrega|suprimi|reemplaza|anadi|introduci|rectifica|restableci|inserta|elimina|adiciona)d[oa]s?\b)`)
	followOn  = lazyregexp.New(`(?:est[ae]|la|dicha) (?:modificacion|actualizacion|disposicion|derogacion|supresion|adicion|redaccion|reforma|nueva redaccion|cuantia)[^.]{0,40}? (?:entra|entrara|entro|produce|producira|surte|surtira|tiene|tendra)n? (?:en vigor |efectos |en vigencia )(?:economicos )?(?:el|desde el|a partir del|desde|al|de)? ?(?:dia )?` + DayWords)
	effects   = lazyregexp.New(`(,| y)? ?con efectos (?:economicos )?(?:de|del|desde|desde el|a partir del?|al)? ?(?:el )?(?:dia )?` + DayWords)
	inForceOn = lazyregexp.New(`(?:vigencia|vigente|en vigor|aplicable|aplicacion):? ?(?:desde|a partir del?|de aplicacion a partir del?|el)(?: el)? ?(?:dia )?` + DayWords)
	sameDay   = lazyregexp.New(`vigencia:? ?(?:a partir del|desde el|el) (?:dia|fecha|mismo dia)?(?: de)? ?(?:su |la )publicacion`)
	dayAfter  = lazyregexp.New(`vigencia:? ?(?:a partir del|desde el|el) (?:dia )?siguiente (?:dia )?(?:al?|de|del)? ?(?:de |la de )?(?:su |la )?publicacion`)
	printed   = lazyregexp.New(`(?:publicad[oa]s?(?: en [^,]{0,40}?(?:,| de))? ?(?:el )?(?:dia )?|b\.? ?o\.? ?(?:n[°º]? ?\d+ )?(?:del? )?)` + DayWords)
	reformer  = lazyregexp.New(`(real decreto legislativo|real decreto[- ]ley|real decreto|ley organica|ley foral|ley|\bdl|decreto[- ]ley|decreto legislativo|decreto supremo|decreto de urgencia|decreto nacional|decreto|orden ministerial|orden|resolucion de superintendencia|resolucion)( (?:[a-z]{2,4}/)?(?:n(?:ro|um)?\.*o?\.* ?)?(\d[\d.]*)(?:[-/](\d{2,4}))?(?:[-/][a-z]{2,6}(?:/[a-z]+)?)?)?(?:,? de(?:l)? (\d{1,2} de [a-z]+)(?: de(?:l)? (\d{4}))?)?`)
)

// ofHeading is of a note that tells of the end of a chapter: it stands behind the unit
// before that chapter, of which it says nothing. accordingTo gives the norm alone: "(según art. 3, ley 1.234)".
var (
	ofHeading   = lazyregexp.New(`^\W*(?:capitulo|titulo|seccion|libro)s? [ivxl\d]+[^:]{0,60}? (?:derog|abrog|suprimid)`)
	accordingTo = lazyregexp.New(`^\W*segun (?:el |la )?(?:art(?:iculo)?s?\b|ley\b|decreto\b)`)
)

// ReformsOf reads the notes of a unit. They come in the order of the notes, each
// change once.
func ReformsOf(notes []string) []digesto.Reform {
	var out []digesto.Reform
	listed := digesto.Act("") // what a note says that the norms listed below it did
	for _, note := range oneActEach(notes) {
		if r, ok := listedReform(note, listed); ok {
			out = append(out, r)
			continue
		}
		listed = listsReforms(note)
		f := unglue(text.Fold(line.Clip(note, 2000)))
		if changesText(note) && (reforming.MatchString(f) || accordingTo.MatchString(f)) && !ofHeading.MatchString(f) {
			out = append(out, reformsIn(note, f)...)
		}
		if m := followOn.FindStringSubmatch(f); m != nil && len(out) > 0 && !reformEffects(f) {
			out[len(out)-1].From = DayOf(m[1])
		}
	}
	return out
}

// reformEffects says that the follow-on speech speaks of a part of the change only.
func reformEffects(f string) bool {
	return strings.Contains(f, "salvo ") || strings.Contains(f, "excepto") || strings.Contains(f, "en cuanto a")
}

// reformsIn reads the norms that one note names as reforming. What stands
// before "por" is what was changed, and may name norms too.
func reformsIn(note, f string) []digesto.Reform {
	at := strings.Index(f, " por ")
	if at < 0 {
		at = max(0, strings.Index(f, " conforme "))
	}
	parts, act := partsIn(f[:at]), actIn(f[:max(at, min(len(f), 40))])
	f = f[at:]
	var out []digesto.Reform
	for _, m := range reformer.FindAllStringSubmatch(f, 8) {
		r := reformOf(m)
		if r.Name == "" || len(out) > 0 && strings.Contains(note, "citad") && out[len(out)-1].Name == r.Name {
			continue
		}
		r.Parts, r.Act = parts, act
		out = append(out, r)
		if len(out) == 2 {
			break
		}
	}
	if len(out) == 0 {
		return nil
	}
	last := &out[len(out)-1]
	last.Norm = line.OfficialID.FindString(note)
	if m := printed.FindStringSubmatch(f); m != nil {
		last.Published = DayOf(m[1])
	}
	last.From = fromIn(unglue(text.Fold(line.Clip(note, 2000))), last.Published)
	return out
}

// What a note says was done, by the stems of its verbs.
var (
	actChanges = lazyregexp.New(`\b(?:modific|sustitu|substitu|redact|da nueva|rectific|reempla|actualiz|corrige|renumer|reorden|numera|restablec|deja)`)
	actAdds    = lazyregexp.New(`\b(?:anad|introdu|incorpor|adicion|agreg|insert)`)
	actRepeals = lazyregexp.New(`\b(?:derog|suprim|abrog|elimin)`)
)

// actIn gives what the words of a note before "por" say was done; of several
// acts a change, which is what they come to.
func actIn(f string) digesto.Act {
	adds, repeals := actAdds.MatchString(f), actRepeals.MatchString(f)
	switch {
	case actChanges.MatchString(f), adds && repeals:
		return digesto.ActAmends
	case adds:
		return digesto.ActAdds
	case repeals:
		return digesto.ActRepeals
	}
	return ""
}

var (
	partNumbers = lazyregexp.New(`\b(?:apartados?|numeral(?:es)?) ((?:(?:y |a |al |, |e |del? )*(?:los? |el |las? )?(?:se [a-z]+ (?:los? |el |las? )?)?\d{1,2}(?:\.\d+)*(?:\.?[a-z]\)?)?[º°]?(?:\b|\s|,|$) ?)+)`)
	oneOrTwo    = lazyregexp.New(`(\d{1,2})(?:\.[\d.a-z)]+)?(?: (?:a|al) (?:el )?(\d{1,2})\b)?`)
	whole       = lazyregexp.New(`se (?:modifica|anade|deroga|sustituye)n?,? (?:por|con|los parrafos|el parrafo|la rubrica|el titulo|la denominacion|el epigrafe|las letras|la letra [a-z]\)?$)`)
)

// partsIn gives the numbers of the paragraphs that the words before "por" name;
// none where they name something else too, or the unit as a whole.
func partsIn(f string) []string {
	f = effects.ReplaceAllString(f, "")
	if whole.MatchString(f) {
		return nil
	}
	var out []string
	for _, m := range partNumbers.FindAllStringSubmatch(f, 8) {
		for _, n := range oneOrTwo.FindAllStringSubmatch(m[1], 20) {
			from, _ := strconv.Atoi(n[1])
			to := from
			if n[2] != "" {
				to, _ = strconv.Atoi(n[2])
			}
			for ; from <= to && len(out) < 60; from++ {
				out = append(out, strconv.Itoa(from))
			}
		}
	}
	return out
}

// reformOf makes a reform of a match: a name without number needs its date.
func reformOf(m []string) digesto.Reform {
	var r digesto.Reform
	m[1] = strings.TrimSuffix(m[1], " nacional")
	year := m[6]
	if year == "" {
		year = m[4]
	}
	if len(year) == 2 {
		year = century(year)
	}
	if m[5] != "" && len(year) == 4 {
		r.Enacted = DayOf(m[5] + " de " + year)
	}
	if m[2] == "" && r.Enacted == "" {
		return digesto.Reform{}
	}
	r.Name = titleRank(m[1]) + " " + strings.TrimRight(numberMark.ReplaceAllString(strings.ToUpper(m[2]), ""), ".")
	if m[2] == "" {
		r.Name = titleRank(m[1]) + " de " + m[5] + " de " + year
	}
	return r
}

var numberMark = lazyregexp.New(`^ (?:N(?:RO|UM)?\.*O?\.* ?)?`)

// titleRank writes a folded rank as titles do.
func titleRank(f string) string {
	if len(f) == 2 { // the initials of a rank
		return strings.ToUpper(f)
	}
	s := strings.NewReplacer("organica", "Orgánica", "resolucion", "Resolución").Replace(f)
	for _, w := range []string{"ley", "real", "decreto", "legislativo", "supremo", "orden", "foral"} {
		if i := strings.Index(s, w); i == 0 || i > 0 && s[i-1] == ' ' {
			s = s[:i] + strings.ToUpper(w[:1]) + w[1:] + s[i+len(w):]
		}
	}
	return s
}

func century(yy string) string {
	n, _ := strconv.Atoi(yy)
	if n > 50 {
		return "19" + yy
	}
	return "20" + yy
}

// fromIn gives the day since which a change holds, if the note gives one for
// the whole change.
func fromIn(f string, published digesto.Date) digesto.Date {
	all := effects.FindAllStringSubmatch(f, 3)
	switch {
	case len(all) > 1 || len(all) == 1 && all[0][1] == " y":
		return "" // of a part of the change
	case len(all) == 1:
		return DayOf(all[0][2])
	}
	if m := inForceOn.FindStringSubmatch(f); m != nil && !conditional.MatchString(f) {
		return DayOf(m[1])
	}
	if dayAfter.MatchString(f) {
		return nextDay(published)
	}
	if sameDay.MatchString(f) {
		return published
	}
	return ""
}

var shortYear = lazyregexp.New(`^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2})$`)

// DayOf reads one written day; "" if it is none.
func DayOf(s string) digesto.Date {
	s = strings.NewReplacer("1ro.", "1", "1ro", "1", "º", "", "°", "", ",", "").Replace(s)
	if m := shortYear.FindStringSubmatch(s); m != nil {
		s = m[1] + "/" + m[2] + "/" + century(m[3])
	}
	d := DateIn(strings.ReplaceAll(s, ".", "/"))
	if d == "" {
		return ""
	}
	if _, err := time.Parse(time.DateOnly, string(d)); err != nil {
		return ""
	}
	return d
}

func nextDay(d digesto.Date) digesto.Date {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return ""
	}
	return isoDay(t.AddDate(0, 0, 1))
}
