package dating

import (
	"slices"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// What a norm says that it does to others: its repealing dispositions, and articles
// that repeal. Only words that do it are read ("queda derogada", "derógase"), never
// those that tell of it, and of what follows them only what stands where an object
// stands: a norm named in the title of another is not repealed with it. Whether the
// norms named are installed is not known here: see [corpus.Effect].

const saysDay = `(\d{1,2}(?:[º°o]|ro\.?)? ?(?:de )?(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre),? (?:del? )?(?:ano )?\d{4}|\d{1,2}[/.-]\d{1,2}[/.-]\d{4})`

var (
	repealVerb = lazyregexp.New(`\b(?:queda(?:n|ra|ran)?(?:,? (?:[a-z]+mente|por tanto|tambien))? (?:derogad|abrogad)[oa]s?|se (?:derogan?|abrogan?)|(?:derog|abrog)(?:[au]e?se|[au]e?nse)|queda(?:n|ra|ran)? sin efecto|dej[ae]n?se sin efecto)\b`)
	tells      = lazyregexp.New(`\b(?:que|cuando|donde|como|si|ya|no|cual|cuales|preve|prevee)(?: expresamente)? $`)
	strong     = lazyregexp.New(`;|\basi como\b|\ben (?:particular|especial|concreto)\b|\b(?:especial|expresa|especifica|concreta|singular)mente\b|\bde (?:forma|modo|manera) (?:expresa|especifica)\b|\bentre otras\b|\b(?:las|los) siguientes(?: (?:normas|disposiciones|preceptos|articulos))?\b`)
	pure       = lazyregexp.New(`^(?:[\s,.:()\x{2013}\x{2014}-]|\b(?:y|e|la|el|los|las|lo|asi|como|asimismo|tambien|igualmente|expresamente|en|su|totalidad|integridad|mencionad[oa]s?|citad[oa]s?|tambien|norma|normas|disposicion|disposiciones|nacional|provincial)\b)*$`)
	ofNorm     = lazyregexp.New(`^[\s,.:()-]*\b(?:de la|del|de los|de las|en la|en el)\s*$`)
	partWord   = lazyregexp.New(`\b(?:parrafos?|apartados?|incisos?|letras?|numeros?|numerales?|reglas?|puntos?|frases?|capitulos?|titulos?|seccion(?:es)?|libros?|anexos?|anejos?|disposicion(?:es)?|articulos?|preceptos?|referencias?|partes?|acapites?)\b`)
	namedDay   = lazyregexp.New(`^\s*,? de \d{1,2} de [a-z]+(?: de(?:l)? \d{4})?`)
	listMark   = lazyregexp.New(`^\s*(?:[a-zñ]{1,2}\)|\d{1,2}(?:\.[ªº°]|[ªº°]\.?|\.-?|\))|[ivx]{1,5}[.)]|[\x{2013}\x{2014}•*-])\s*`)
	approvedBy = lazyregexp.New(`\baprobad[oa]s? (?:por|mediante|en virtud del?)(?: (?:el|la))?\s*$`)
	excepts    = lazyregexp.New(`\b(?:salvo|excepto|a excepcion|con (?:la|las) excepcion|con excepcion|exceptuand|sin perjuicio|en (?:todo )?(?:lo|cuanto)(?: que)? (?:se |le |les )?(?:opon|contra|afect|refier|resulte)|en (?:todo )?cuanto|en la medida|con el alcance|en los terminos|hasta (?:que|tanto|la)|mientras|permaneciendo|manteniendose|unicamente|exclusivamente|en lo (?:que|relativo|referente|referido|concerniente))`)
	keeps      = lazyregexp.New(`\b(?:mantendran?|permaneceran?|continuaran?|conservaran?|seguiran?|mantienen?) (?:en vigor|vigentes?|su vigencia|aplicando|siendo)`)
	stillLater = lazyregexp.New(`(?:a partir del?|desde el|con efectos? (?:desde|de|del|a partir del?)(?: el)?|con vigencia (?:desde|a partir del?)(?: el)?) ?(?:dia )?` + saysDay)
	clause     = lazyregexp.New(`\b(?:cuant[oa]s|tod[oa]s|igual o inferior|opong|opus|contra(?:di|ri|ve)|incompatib|dispuesto|establecido|previsto)`)
	headOfText = lazyregexp.New(`^[\s,.:-]*(?:el|la|los|las)?\s*(?:reglamento|texto|codigo|estatuto|ordenanza|ley|plan|instruccion|tarifas?|arancel)\b`)
)

// Sayings gives what the current text of each unit says that it repeals.
func Sayings(units []digesto.Unit) (out []corpus.Statement) {
	for i := range units {
		u := &units[i]
		if u.Kind == digesto.KindPreamble {
			continue
		}
		for j := range u.Versions {
			if v := &u.Versions[j]; v.Current && len(v.Refs) > 0 {
				out = append(out, repealsIn(u, v)...)
				out = append(out, changesIn(u, v)...)
			}
		}
	}
	return out
}

// speech is a text that repeals, folded rune by rune so that places are those of its references.
type speech struct {
	runes []rune // as written
	f     []rune // folded
	refs  []digesto.Reference
}

func repealsIn(u *digesto.Unit, v *digesto.Version) (out []corpus.Statement) {
	if !strings.Contains(v.Text, "erog") && !strings.Contains(v.Text, "ERÓG") && !strings.Contains(v.Text, "eróg") && !strings.Contains(v.Text, "bróg") && !strings.Contains(v.Text, "brog") && !strings.Contains(v.Text, "sin efecto") {
		return nil
	}
	s := newSpeech(v)
	kept := keeps.MatchString(string(s.f))
	for _, it := range s.items() {
		for _, o := range s.objects(it) {
			o.Act, o.By = digesto.ActRepeals, u.ID
			o.Excepted = o.Excepted || kept
			out = append(out, o)
		}
	}
	return out
}

func newSpeech(v *digesto.Version) *speech {
	s := &speech{runes: []rune(v.Text)}
	s.f = make([]rune, len(s.runes))
	for i, r := range s.runes {
		s.f[i] = foldRune(r)
	}
	q := quoteDepth{runes: s.runes}
	s.refs = slices.Clone(v.Refs)
	slices.SortStableFunc(s.refs, func(a, b digesto.Reference) int { return a.Start - b.Start })
	s.refs = slices.DeleteFunc(s.refs, func(r digesto.Reference) bool { return q.at(r.Start) || r.End > len(s.runes) })
	return s
}

func foldRune(r rune) rune {
	if r < utf8.RuneSelf && (r < 'A' || r > 'Z') || r == 'º' || r == 'ª' || r == '°' {
		return r // of ordinals: days and numbers are read with them
	}
	if f := []rune(text.Fold(string(r))); len(f) == 1 {
		return f[0]
	}
	return r
}

// item is a stretch of a text that names what is repealed: what follows the verb, or
// an element of the list that it announces.
type item struct {
	from, to int
	excepted bool         // the words around the verb limit it
	since    digesto.Date // said for all of it
}

// items finds the stretches that name what is repealed.
func (s *speech) items() (out []item) {
	paras := s.paragraphs()
	for p := 0; p < len(paras); p++ {
		from, to := paras[p][0], paras[p][1]
		f := string(s.f[from:to])
		for at := 0; ; {
			m := repealVerb.FindStringIndex(f[at:])
			if m == nil {
				break
			}
			begin, verb, end := at, at+m[0], at+m[1]
			at = end
			lead := f[sentenceStart(f, begin, verb):verb]
			if tells.MatchString(lead) || s.quotedAt(from+utf8.RuneCountInString(f[:verb])) {
				continue
			}
			stop := sentenceEnd(f, end)
			it := item{from: from + utf8.RuneCountInString(f[:end]), to: from + utf8.RuneCountInString(f[:stop])}
			it.excepted = excepts.MatchString(lead)
			if d := stillLater.FindStringSubmatch(lead); d != nil {
				it.since = DayOf(d[1])
			}
			if !strings.HasSuffix(strings.TrimSpace(f[end:stop]), ":") || stop < len(strings.TrimRight(f, " ")) {
				out = append(out, it)
				continue
			}
			it.excepted = it.excepted || limitsAll(f[end:stop])
			out = append(out, it)
			for p+1 < len(paras) && s.listed(paras[p+1]) {
				p++
				out = append(out, item{paras[p][0], paras[p][1], it.excepted, it.since})
			}
			break
		}
	}
	return out
}

// limitsAll says that the words which announce a list limit the repeal of all that is in
// it, not only that of whatever else opposes the new norm.
func limitsAll(f string) bool {
	loc := excepts.FindStringIndex(f)
	return loc != nil && !strings.Contains(f[:loc[0]], "cuantas") && !strings.Contains(f[:loc[0]], "todas") && !strings.Contains(f[:loc[0]], "disposiciones") && !strings.Contains(f[:loc[0]], "normas")
}

func (s *speech) quotedAt(place int) bool {
	q := quoteDepth{runes: s.runes}
	return q.at(place)
}

func (s *speech) paragraphs() (out [][2]int) {
	from := 0
	for i := 0; i <= len(s.runes); i++ {
		if i == len(s.runes) || s.runes[i] == '\n' {
			out = append(out, [2]int{from, i})
			from = i + 1
		}
	}
	return out
}

// listed says that a paragraph is an element of a list of what is repealed.
func (s *speech) listed(p [2]int) bool {
	f := string(s.f[p[0]:p[1]])
	if repealVerb.MatchString(f) {
		return false
	}
	if listMark.MatchString(f) {
		return true
	}
	for _, w := range RankWords {
		for _, article := range []string{"", "la ", "el "} {
			if strings.HasPrefix(f, article+w+" ") {
				return true
			}
		}
	}
	return false
}

var sentenceStop = lazyregexp.New(`\. [a-z0-9"«]`)

// sentenceEnd gives where the sentence ends that place at of a folded paragraph is in.
func sentenceEnd(f string, at int) int {
	for base := at; ; {
		m := sentenceStop.FindStringIndex(f[base:])
		if m == nil {
			return len(f)
		}
		k := base + m[0]
		if w := wordBefore(f[:k]); len(w) > 3 || w == "" || strings.Trim(w, "0123456789") == "" && !startsNumber(f[k+2:]) {
			return k
		}
		base = k + 1
	}
}

func startsNumber(f string) bool { return f != "" && f[0] >= '0' && f[0] <= '9' }

func sentenceStart(f string, from, at int) int {
	for at > from {
		e := sentenceEnd(f, from)
		if e >= at {
			return from
		}
		from = e + 1
	}
	return from
}

func wordBefore(f string) string {
	return f[strings.LastIndexAny(f, " \t(")+1:]
}

// objects gives what an item names where an object stands.
func (s *speech) objects(it item) (out []corpus.Statement) {
	pos, open, own := it.from, true, -1 // own: the statement that the units which follow belong to ("De la Ley 1/2000, los artículos…")
	mark := listMark.FindString(string(s.f[it.from:it.to]))
	pos += utf8.RuneCountInString(mark)
	mark = strings.TrimSpace(mark)
	head := pos
	for k := range s.refs {
		r := &s.refs[k]
		if r.Start < it.from || r.End <= pos || r.End > it.to {
			continue
		}
		if r.Start < pos { // the mark of the list was taken for a letter of the article
			r.Start, r.Detail = pos, strings.TrimSpace(strings.TrimPrefix(r.Detail, mark))
		}
		gap := string(s.f[pos:r.Start])
		if own >= 0 && r.Unit != "" && (r.Norm == "" || r.Norm == out[own].Norm) && !excepts.MatchString(gap) {
			out[own].Places = append(out[own].Places, placeOf(r))
			pos = r.End
			continue
		}
		if b := lastBoundary(gap); b >= 0 {
			gap, open, own, head = gap[b:], true, -1, r.Start-utf8.RuneCountInString(gap[b:])
		}
		o, ok := s.object(r, gap, open)
		switch {
		case ok:
		case r.Unit == "" && approvedBy.MatchString(gap) && headOfText.MatchString(string(s.f[head:r.Start])) && !excepts.MatchString(string(s.f[head:r.Start])):
			o = corpus.Statement{Norm: r.Norm, Name: s.nameOf(r)}
			for n := len(out) - 1; n >= 0 && out[n].At >= head; n-- {
				out = out[:n] // the head was taken for another norm of that name
			}
		default:
			open, pos = false, r.End
			continue
		}
		o.At = r.Start
		pos = r.End
		if m := namedDay.FindString(string(s.f[r.End:min(len(s.f), r.End+50)])); m != "" {
			pos += utf8.RuneCountInString(m)
		}
		tail := string(s.f[pos:s.tailEnd(pos, it.to)])
		o.Excepted = o.Excepted || it.excepted || excepts.MatchString(tail)
		o.From = it.since
		if d := stillLater.FindStringSubmatch(tail); d != nil {
			o.From = DayOf(d[1])
		}
		if o.Of && r.Unit == "" {
			own = len(out)
		}
		out = append(out, o)
		open = true
	}
	return slices.DeleteFunc(out, func(o corpus.Statement) bool { return o.Name == "" && o.Norm == "" })
}

// tailEnd is where what is said of an object ends: at the next strong boundary.
func (s *speech) tailEnd(from, to int) int {
	for i := from; i < to; i++ {
		if s.f[i] == ';' {
			return i
		}
	}
	return to
}

func lastBoundary(gap string) int {
	all := strong.FindAllStringIndex(gap, -1)
	if all == nil {
		return -1
	}
	return all[len(all)-1][1]
}

// maxPartWords bounds, in characters, what may name a part of a norm before the norm
// ("los apartados 2 y 3 del artículo 4, y el capítulo II de la"). The longest such list in the
// repealing dispositions of our collection has 190.
const maxPartWords = 220

// object says what a reference is after the words before it: a norm as a whole, units of one, or a part of one.
func (s *speech) object(r *digesto.Reference, gap string, open bool) (o corpus.Statement, ok bool) {
	if !open || excepts.MatchString(gap) || approvedBy.MatchString(gap) {
		return o, false
	}
	o = corpus.Statement{Norm: r.Norm, Name: s.nameOf(r)}
	if r.Unit != "" {
		o.Places = []corpus.Place{placeOf(r)}
	}
	switch {
	case pure.MatchString(gap):
		return o, true
	case ofNorm.MatchString(gap) && r.Unit == "":
		o.Of = true
		return o, true
	case partWord.MatchString(gap) && utf8.RuneCountInString(gap) < maxPartWords && !clause.MatchString(gap):
		if r.Unit == "" {
			o.Of = true
			o.Heading = strings.Join(strings.Fields(gap), " ")
		} else {
			for i := range o.Places {
				o.Places[i].Detail = strings.TrimSpace(o.Places[i].Detail + " " + strings.Join(strings.Fields(gap), " "))
			}
		}
		return o, true
	}
	return o, false
}

func placeOf(r *digesto.Reference) corpus.Place {
	p := corpus.Place{Unit: r.Unit, Detail: r.Detail}
	if r.To != "" {
		p.To = r.To
	}
	return p
}

// nameOf is the norm as named, with the day that it bears.
func (s *speech) nameOf(r *digesto.Reference) string {
	if r.Name == "" {
		return ""
	}
	end := r.End
	if m := namedDay.FindString(string(s.f[r.End:min(len(s.f), r.End+50)])); m != "" {
		end += utf8.RuneCountInString(m)
		return r.Name + string(s.runes[r.End:end])
	}
	return r.Name
}

// RankWords are the names with which titles begin, longest first.
var RankWords = []string{"real decreto legislativo", "real decreto-ley", "real decreto ley", "real decreto", "decreto-ley foral", "decreto foral legislativo", "decreto foral", "decreto-ley", "decreto ley", "decreto legislativo", "decreto supremo", "decreto", "ley organica", "ley foral", "ley", "orden", "resolucion", "instruccion", "circular", "constitucion", "acuerdo"}
