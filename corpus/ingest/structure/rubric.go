package structure

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto/corpus/ingest/dating"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// rubricStyle says how a norm writes the rubrics of its articles. It is learnt
// from the whole norm: one short first sentence may be the whole law.
type rubricStyle struct {
	known  bool // most articles have one beside their number
	inline bool // "Artículo 3. Rubric. Text…" in one paragraph
	mostly bool // more often so than in a paragraph of its own
	alone  bool // "Artículo 3. Rubric." in a paragraph of its own
	always bool // nearly every heading is a rubric: even one with a verb is
}

func learnRubrics(s *scan) rubricStyle {
	inline, alone, total := 0, 0, 0
	for i, h := range s.Heads {
		if !s.Unit[i] || h.Kind != heading.Article && h.Kind != heading.Disposition && h.Kind != heading.Norm {
			continue
		}
		if h.Rest == "" || repealMark.MatchString(h.Rest) {
			continue
		}
		total++
		first, more := firstSentence(h.Rest)
		switch {
		case more == "" && s.textAfter(i) && looksRubric(h.Rest, 250):
			alone++
		case more != "" && looksRubric(first, 110):
			inline++
		}
	}
	known := total > 0 && (inline+alone)*100 >= total*60
	return rubricStyle{known: known, inline: known && inline > 0, mostly: known && inline > alone, alone: known, always: total > 3 && alone*100 >= total*85}
}

var repealMark = lazyregexp.New(`(?i)^[\s\[(*]*(derogad[oa]s?|suprimid[oa]s?|sin contenido|anulad[oa]s?|abrogad[oa]s?|sin efecto|dejad[oa] sin efecto|eliminad[oa]|vetad[oa]|observad[oa])\b`)

// split divides what follows the number of a unit into rubric and text.
func (r rubricStyle) split(s *scan, i int, h heading.Head, l line.Line) (rubric, body string) {
	rest, _ := dating.CutNoteMarks(h.Rest)
	rest = strings.TrimSpace(rest)
	if k := heading.NoteMark(rest); k > 0 { // "Artículo 62.- (75) PLAZO": a note call
		rest = strings.TrimSpace(rest[k:])
	}
	if rest == "" || repealMark.MatchString(rest) && utf8.RuneCountInString(rest) < 60 || dating.IsNote(line.Line{Text: rest}) {
		return "", rest
	}
	if strings.HasPrefix(rest, "[") {
		if end := strings.IndexByte(rest, ']'); end > 1 && !repealMark.MatchString(rest) {
			return strings.TrimSpace(rest[1:end]), strings.TrimLeft(rest[end+1:], " .*")
		}
	}
	official := l.Level >= 5 || l.Bold && !strings.HasSuffix(rest, ":")
	first, more := firstSentence(rest)
	switch {
	case wholeSentence(first) && !(r.always && !finiteVerb(first)):
		return "", rest
	case official && s.textAfter(i) && more == "" && (looksRubric(rest, 400) || l.Level >= 5 && r.always && !strings.HasSuffix(rest, ":")):
		return trimRubric(rest), ""
	case r.mostly && more != "" && looksRubric(first, 140) && !(s.textAfter(i) && strings.HasSuffix(more, ".") && looksRubric(more, 60)):
		return trimRubric(first), more
	case official && l.Level >= 5 && r.alone && s.textAfter(i) && utf8.RuneCountInString(rest) < 300 && looksRubric(rest, 300):
		return trimRubric(rest), ""
	case r.alone && more == "" && s.textAfter(i) && looksRubric(rest, 300):
		return trimRubric(rest), ""
	case r.inline && more != "" && looksRubric(first, 140):
		return trimRubric(first), more
	case h.Kind != heading.Article && more == "" && s.textAfter(i) && looksRubric(rest, 300):
		return trimRubric(rest), ""
	}
	return "", rest
}

// sentenceStart begins a sentence of law rather than a title: an article or another determiner, a
// condition, a verb that does what it says ("Créase").
var sentenceStart = lazyregexp.New(`^(?i:el|la|los|las|un|una|tod[oa]s?|cualquier|cada|quien|quienes|aquell[oa]s|cuando|si|en caso|ning[uú]n|ninguna|[a-záéíóú]{3,}[aáeé](?:nse|se))\b`)

// wholeSentence says whether what stands beside a number is law rather than a rubric, whether or
// not its verb is known: it begins as a sentence and is one of some length. A title that is left in
// the text does no harm; law that is taken for a title cannot be quoted.
func wholeSentence(s string) bool {
	return strings.HasSuffix(s, ".") && len(strings.Fields(s)) >= 8 && !heading.IsUpper(s) && sentenceStart.MatchString(s)
}

func trimRubric(s string) string { return strings.Trim(s, " .:-–—*[]") }

// firstSentence cuts at the first full stop that is not an abbreviation's.
func firstSentence(s string) (first, more string) {
	for i := 0; i < len(s); i++ {
		if s[i] != '.' && s[i] != ':' || i+1 < len(s) && s[i+1] != ' ' && s[i+1] != '-' {
			continue
		}
		rest := strings.TrimLeft(s[i+1:], " -–—")
		if s[i] == ':' && rest == "" {
			return s, ""
		}
		if rest == "" {
			return s, ""
		}
		r, _ := utf8.DecodeRuneInString(rest)
		w := lastWordOf(s[:i])
		if unicode.IsLower(r) && !ListItem(rest) || len(w) <= 2 && !heading.IsUpper(w) || abbreviation[text.Fold(w)] {
			continue
		}
		if s[i] == ':' {
			return s[:i], rest
		}
		return s[:i+1], rest
	}
	return s, ""
}

var abbreviation = map[string]bool{"art": true, "arts": true, "inc": true, "incs": true, "no": true, "num": true, "pag": true, "sr": true, "sra": true, "dr": true, "etc": true, "ss": true, "cap": true, "tit": true, "secc": true, "ref": true, "b": true, "o": true, "ee": true, "uu": true}

func lastWordOf(s string) string {
	i := strings.LastIndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if i < 0 {
		return s
	}
	_, w := utf8.DecodeRuneInString(s[i:])
	return s[i+w:]
}

// looksRubric says whether a sentence can be a title: short, begins with a
// capital, says nothing of its own (no finite verb in its main clause).
func looksRubric(s string, limit int) bool {
	s = strings.TrimSpace(s)
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, "«“\"¿("))
	if s == "" || utf8.RuneCountInString(s) > limit || !unicode.IsUpper(r) && !unicode.IsDigit(r) || strings.HasSuffix(s, ":") || strings.HasSuffix(s, ";") {
		return false
	}
	return heading.IsUpper(s) || !finiteVerb(s)
}

var verbs = map[string]bool{"es": true, "son": true, "tiene": true, "tienen": true, "puede": true, "pueden": true, "debe": true, "deben": true,
	"corresponde": true, "corresponden": true, "constituye": true, "constituyen": true, "rige": true, "rigen": true, "queda": true, "quedan": true, "procede": true, "establece": true, "establecen": true,
	"comprende": true, "comprenden": true, "considera": true, "consideran": true, "entiende": true, "entienden": true, "aplica": true, "aplican": true, "grava": true, "gravan": true, "regula": true, "regulan": true,
	"garantiza": true, "garantizan": true, "reconoce": true, "reconocen": true, "goza": true, "gozan": true, "hay": true, "existe": true, "existen": true, "incumbe": true, "compete": true, "competen": true, "sera": true, "seran": true,
	"adopta": true, "sostiene": true, "gobierna": true, "delibera": true, "fija": true, "presume": true, "presumen": true, "adquiere": true, "adquieren": true, "pierde": true, "extingue": true, "produce": true, "producen": true, "determina": true, "ejerce": true, "ejercen": true,
	"suspende": true, "interrumpe": true, "nace": true, "dispone": true, "incurre": true, "incurren": true, "obliga": true, "responde": true, "responden": true, "pertenece": true, "pertenecen": true, "forma": false, "crea": true, "aprueba": true, "modifica": true, "deroga": true, "entra": true, "autoriza": true, "faculta": true, "declara": true, "emana": true, "consiste": true, "consta": true, "sirve": true, "requiere": true, "requieren": true}

var relative = map[string]bool{"que": true, "quien": true, "quienes": true, "cuyo": true, "cuya": true, "cuyos": true, "cuyas": true, "donde": true, "cuando": true, "como": true, "si": true}

var (
	tense      = lazyregexp.New(`(?i)^(?:\p{L}{2,}(?:rá|rán|aron|ieron)|est(?:á|án))$`)
	enclitic   = lazyregexp.New(`^[a-zñ]{3,}(?:ase|anse|ese|ense)$`)
	noEnclitic = map[string]bool{"clase": true, "interese": true, "base": true, "fase": true, "frase": true, "envase": true}
)

// finiteVerb looks for a verb of a main clause. It is a guess made to err on
// the side of leaving words in the text.
func finiteVerb(s string) bool {
	words := 0
	for _, part := range strings.Split(s, ",") { // where a relative clause ends
		shield := 0
		for _, w := range strings.FieldsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) }) {
			words++
			switch f := text.Fold(w); {
			case relative[f]:
				shield = 6
			case shield > 0:
				shield--
			case verbs[f] || tense.MatchString(w) || words == 1 && enclitic.MatchString(f) && !noEnclitic[f]:
				return true
			}
		}
	}
	return false
}
