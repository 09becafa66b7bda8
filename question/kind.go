package question

import (
	"cmp"
	"slices"
	"strings"

	"digesto/text"
	"digesto/text/sentence"
)

// Kind is what a question asks for: it decides what the answering sentence must
// hold and how much of its unit comes with it.
type Kind string

// The kinds of question.
const (
	KindOpen       Kind = "open"       // none of the others
	KindAmount     Kind = "amount"     // money, a percentage, a quantity
	KindPeriod     Kind = "period"     // how long, until when
	KindDate       Kind = "date"       // when
	KindWho        Kind = "who"        // a person, an organ
	KindList       Kind = "list"       // requirements, causes, documents: whole lists
	KindDefinition Kind = "definition" // what something is
	KindYesNo      Kind = "yesno"      // whether something may, must or can be
	KindHow        Kind = "how"        // a procedure
	KindText       Kind = "text"       // what a named article says
)

// asks holds, in order of precedence, the wording of each kind. A pattern is a
// row of folded words; "_" stands for one to three words of any kind, a final
// "*" for any ending, "^" for the beginning of a clause.
var asks = []struct {
	kind     Kind
	patterns []string
}{
	{KindText, []string{"que dice", "que establece", "que dispone", "que regula", "que senala", "que contiene", "texto de*", "que prescribe", "que preve", "de que trata"}},
	{KindPeriod, []string{"plazo*", "cuanto tiempo", "cuantos dias", "cuantas semanas", "cuantos meses", "cuantos anos", "cuantas horas", "cuanto dura*", "duracion*",
		"hasta cuando", "cuando prescribe*", "prescrib*", "prescripcion", "cada cuanto", "que antelacion", "cuanta antelacion", "que antiguedad", "cuanto tarda*", "cuanto puede durar", "cuanto puede _ durar", "periodicidad", "caduca*", "dias _ corresponden", "vigencia de", "numero de dias", "preaviso", "que edad", "edad"}},
	{KindAmount, []string{"cuanto cuesta*", "cuanto vale*", "cuanto cobr*", "cuanto pag*", "cuanto se paga", "cuanto es", "cuanto son", "cuanto me", "cuanto hay", "cuantia*", "importe*",
		"monto*", "porcentaje*", "tasa de", "tipo de gravamen", "alicuota*", "que cantidad", "que interes", "que tanto", "de cuanto", "cuanto", "multa* _ de", "a cuanto", "cuantos", "cuantas", "por ciento", "que mayoria", "que numero", "que indemnizacion*", "que reduccion*", "que recargo*", "que multa*", "que compensacion", "interes de", "interes moratorio", "cual es el valor", "que valor tiene*", "^ valor", "tope de", "tope maximo", "limite de", "que limite*", "que salario"}},
	{KindDate, []string{"^ cuando", "desde cuando", "que fecha", "que dia", "a partir de que", "en que momento", "en que fecha", "que ano", "entrada en vigor"}},
	{KindWho, []string{"^ quien", "^ quienes", "a quien", "a quienes", "ante quien", "por quien", "que organo*", "que organismo*", "que autoridad*", "que juez*", "que juzgado*", "que tribunal*",
		"que administracion*", "que ministerio", "cual es el organo", "organo competente", "competente para", "de quien", "con quien", "que entidad*", "ante que", "por que organo", "a que organo", "que ministro"}},
	{KindList, []string{"requisito*", "que documento*", "que documentacion", "documentacion", "cuales son", "que causa*", "que supuesto*", "en que caso*", "en que supuesto*", "que obligacion*", "que derecho*", "que funcion*",
		"que tipo*", "que clase*", "que sancion*", "que infraccion*", "enumer*", "que condicion*", "motivos", "que papeles", "que necesito", "que hace falta", "que casos", "que competencias", "quienes", "que debe contener", "que datos", "que medidas", "que elementos", "que principios", "que excepciones"}},
	{KindDefinition, []string{"que es", "que son", "que se entiende", "que significa*", "definicion*", "concepto de", "que se considera*", "define*", "en que consiste*", "que quiere decir", "se define", "que entiende", "que constituye"}},
	{KindHow, []string{"^ como", "procedimiento*", "que pasos", "tramite*", "de que manera", "de que forma", "que forma", "donde"}},
	{KindYesNo, []string{"^ puedo", "^ puede*", "^ podria*", "^ debo", "^ debe*", "^ es", "^ son", "^ tengo", "^ tiene*", "^ hay", "^ esta*", "^ se puede*", "^ se debe*", "^ existe*", "^ me puede*", "^ me pueden", "^ corresponde*",
		"^ cabe*", "^ necesito", "^ requiere*", "^ pueden", "^ estoy", "^ si", "tengo derecho", "es obligatori*", "es legal", "es posible", "es valido", "esta permitid*", "esta prohibid*"}},
}

// KindOf reads what a question asks for from the wording of what it asks: what it tells may
// have "cuánto" in it too.
func KindOf(question string) Kind {
	question = cmp.Or(sentence.Asked(question), question)
	toks := text.Tokens(nil, question)
	words := make([]string, len(toks))
	starts := make([]bool, len(toks))
	for i, t := range toks {
		words[i] = t.Text
		starts[i] = i == 0 || strings.ContainsAny(question[toks[i-1].End:t.Start], "¿?.,;:¡!") || i == 1 && leadWord(words[0])
	}
	for _, a := range asks {
		for _, p := range a.patterns {
			if matchAsk(strings.Fields(p), words, starts) {
				return a.kind
			}
		}
	}
	if asksForSeveral(words, starts) {
		return KindList
	}
	return KindOpen
}

// asksForSeveral says that a clause opens with "qué" and a plural noun: "¿qué servicios…?".
func asksForSeveral(words []string, starts []bool) bool {
	for i, w := range words {
		if w != "que" || i+1 == len(words) || !starts[i] && (i == 0 || len(words[i-1]) > 4 || !starts[i-1]) {
			continue
		}
		if n := words[i+1]; len(n) > 4 && strings.HasSuffix(n, "s") && !LightWords[n] && !secondPerson(n) {
			return true
		}
	}
	return false
}

// secondPerson is a verb that looks like a plural: "¿qué debes…?".
func secondPerson(w string) bool {
	switch w {
	case "debes", "tienes", "puedes", "haces", "quieres", "necesitas", "dices", "sabes", "opinas", "piensas", "recomiendas", "crees", "entiendes":
		return true
	}
	return false
}

// leadWord is a word that may stand before the question proper.
func leadWord(w string) bool {
	switch w {
	case "y", "pero", "entonces", "hola", "a", "en", "de", "con", "por", "no", "que":
		return true
	}
	return false
}

func matchAsk(pattern, words []string, starts []bool) bool {
	anchored := pattern[0] == "^"
	if anchored {
		pattern = pattern[1:]
	}
	for i := range words {
		if anchored && !starts[i] {
			continue
		}
		if matchFrom(pattern, words[i:]) {
			return true
		}
	}
	return false
}

func matchFrom(pattern, words []string) bool {
	if len(pattern) == 0 {
		return true
	}
	if pattern[0] == "_" {
		for n := 1; n <= 3 && n < len(words); n++ {
			if matchFrom(pattern[1:], words[n:]) {
				return true
			}
		}
		return false
	}
	if len(words) == 0 {
		return false
	}
	if stem, ok := strings.CutSuffix(pattern[0], "*"); ok && !strings.HasPrefix(words[0], stem) || !ok && pattern[0] != words[0] {
		return false
	}
	return matchFrom(pattern[1:], words[1:])
}

// Kinds is a set of kinds of question.
type Kinds uint16

func (k Kind) Bit() Kinds {
	switch k {
	case KindPeriod:
		return 1
	case KindAmount:
		return 2
	case KindWho:
		return 4
	case KindList:
		return 8
	case KindDefinition:
		return 16
	case KindHow:
		return 32
	case KindYesNo:
		return 64
	case KindDate:
		return 128
	}
	return 0
}

// HeadingKinds are the kinds of question that a rubric answers by its words.
func HeadingKinds(rubric string) (out Kinds) {
	for _, t := range text.Tokens(nil, rubric) {
		for k, list := range askedRubrics {
			if slices.ContainsFunc(list, func(w string) bool { return strings.HasPrefix(t.Text, w) }) {
				out |= k.Bit()
			}
		}
	}
	return out
}

// askedRubrics are the words with which the rubrics of laws name what a unit says.
var askedRubrics = map[Kind][]string{
	KindPeriod:     {"duracion", "plazo", "prescripcion", "caducidad", "jornada", "tiempo", "vigencia", "periodo", "computo"},
	KindAmount:     {"cuantia", "importe", "determinacion", "tarifa", "tasa", "tipo", "prestacion", "base", "composicion", "sancion"},
	KindWho:        {"competencia", "organo", "legitimacion", "sujeto", "titular", "beneficiari", "composicion"},
	KindList:       {"requisito", "causa", "condicion", "beneficiari", "obligacion", "derecho", "documenta", "supuesto", "clase", "funcion", "atribucion", "competencia", "principio"},
	KindDefinition: {"concepto", "definicion", "objeto", "nocion", "naturaleza"},
	KindHow:        {"procedimiento", "tramitacion", "solicitud", "iniciacion", "forma", "presentacion", "interposicion"},
	KindYesNo:      {"derecho", "prohibicion", "limite", "obligacion", "incompatibilidad"},
	KindDate:       {"nacimiento", "entrada", "fecha", "devengo", "inicio"},
}

// RubricAsked says that a rubric answers a kind of question by its words.
func RubricAsked(k Kind, rubric string) bool { return HeadingKinds(rubric)&k.Bit() != 0 }
