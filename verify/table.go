package verify

// Result is what a failed check of the contract leads to.
type Result string

// The results, mildest first.
const (
	ResultOK         Result = "ok"          // nothing to say
	ResultNote       Result = "note"        // the answer stands, corrected, and a note says what was done
	ResultRefusal    Result = "refusal"     // the answer becomes a refusal after generation
	ResultParseError Result = "parse_error" // a fixed sentence and _parse_error: true; nothing of the raw text is shown
)

// Check names one way in which a model's object may break the contract.
type Check string

// The checks, in the order in which they run.
const (
	CheckNoJSON       Check = "no_json"
	CheckTooLarge     Check = "too_large"
	CheckCutOff       Check = "cut_off"
	CheckFields       Check = "fields"
	CheckAnswerLength Check = "answer_length"
	CheckLanguage     Check = "language"
	CheckConfidence   Check = "confidence"
	CheckQuoteLength  Check = "quote_length"
	CheckSource       Check = "source"
	CheckQuote        Check = "quote"
	CheckHistory      Check = "history"
	CheckPage         Check = "page"
	CheckNoneLeft     Check = "none_left"
	CheckNoCitations  Check = "no_citations"
	CheckFigure       Check = "figure"
	CheckLabel        Check = "label"
	CheckNorm         Check = "norm"
	CheckAddress      Check = "address"
	CheckUnquoted     Check = "unquoted"
	CheckDisguise     Check = "disguise"
	CheckContrary     Check = "contrary"
	CheckUnsaid       Check = "unsaid"
	CheckNotes        Check = "notes"
	CheckManyQuotes   Check = "many_quotes"
	CheckRefusal      Check = "refusal_form"
	CheckCeiling      Check = "ceiling"
	CheckLow          Check = "low_confidence"
)

// Row is one line of the table of outcomes.
type Row struct {
	Check  Check
	Step   string // "extract", "schema", "grounding", "policy"
	When   string // what was found, in Spanish
	Result Result
	Text   string // the fixed sentence or note that people see; "" = none
}

// Rows is the table of outcomes of the contract: docs/contract.md prints it and
// a test holds both equal.
var Rows = []Row{
	{CheckTooLarge, "extract", "la salida pasa de 1 MiB", ResultParseError, parseErrorText},
	{CheckNoJSON, "extract", "no hay en la salida un objeto JSON con el campo answer", ResultParseError, parseErrorText},
	{CheckCutOff, "extract", "el objeto llegó cortado; se lee lo que estaba completo", ResultNote, "La salida del modelo llegó incompleta: solo se ha usado lo que estaba entero."},
	{CheckFields, "schema", "falta un campo obligatorio o tiene otro tipo", ResultParseError, parseErrorText},
	{CheckAnswerLength, "schema", "answer no tiene entre 10 y 2000 caracteres", ResultParseError, parseErrorText},
	{CheckLanguage, "schema", "answer no está en español", ResultParseError, parseErrorText},
	{CheckConfidence, "schema", "confidence no está entre 0 y 1", ResultParseError, parseErrorText},
	{CheckQuoteLength, "schema", "una cita no tiene entre 20 y 500 caracteres: se retira", ResultNote, "Se ha retirado una cita que no tenía entre 20 y 500 caracteres."},
	{CheckSource, "grounding", "source no es ninguno de los documentos recuperados, o el texto está en otro: se retira", ResultNote, "Se ha retirado una cita atribuida a un documento que no la contiene."},
	{CheckQuote, "grounding", "la cita no está, palabra por palabra, en el texto recuperado: se retira", ResultNote, "Se ha retirado una cita que no está en los documentos."},
	{CheckHistory, "grounding", "el texto citado no consta como vigente en la fecha consultada: se retira", ResultNote, "Se ha retirado una cita de un texto que no consta como vigente."},
	{CheckPage, "grounding", "la página no es la del texto: se corrige", ResultNote, "Se ha corregido la página de una cita según el documento guardado."},
	{CheckNoneLeft, "grounding", "no queda ninguna cita comprobada", ResultRefusal, refusalNoneLeft},
	{CheckNoCitations, "policy", "responde sin ninguna cita", ResultRefusal, refusalNoneLeft},
	{CheckFigure, "policy", "una cifra de answer no está en ninguna cita ni la dio un cálculo", ResultRefusal, refusalFigure},
	{CheckLabel, "policy", "answer nombra un artículo que ni se ha recuperado ni está en una cita, o uno que no habla de lo que dice la frase", ResultRefusal, refusalLabel},
	{CheckNorm, "policy", "answer nombra una norma que ni es de los textos recuperados ni está en una cita", ResultRefusal, refusalNorm},
	{CheckAddress, "policy", "answer lleva una dirección, un enlace, una imagen o HTML que no es de una cita ni la dirección oficial de una fuente", ResultRefusal, refusalAddress},
	{CheckUnquoted, "policy", "answer pone entre comillas palabras que ningún texto recuperado dice", ResultRefusal, refusalUnquoted},
	{CheckDisguise, "policy", "answer lleva caracteres invisibles, letras o cifras de otra escritura, o texto cifrado", ResultRefusal, refusalDisguise},
	{CheckContrary, "policy", "una frase de answer dice lo contrario que el texto que cita", ResultRefusal, refusalContrary},
	{CheckUnsaid, "policy", "más de la mitad de las frases de answer no pasan estas comprobaciones por sí solas, o menos de la mitad de sus palabras son de los textos citados; si son menos, se retiran esas frases", ResultRefusal, refusalUnsaid},
	{CheckNotes, "policy", "notes no pasa las comprobaciones de answer: se retira", ResultNote, ""},
	{CheckManyQuotes, "policy", "hay más de cinco citas", ResultNote, "La respuesta lleva más de cinco citas."},
	{CheckRefusal, "policy", "rechaza con citas o con confianza, o con una dirección: quedan [], 0 y un texto fijo", ResultNote, ""},
	{CheckCeiling, "policy", "confidence del modelo es mayor que la de la evidencia: vale la menor", ResultOK, ""},
	{CheckLow, "policy", "confidence es menor que 0,7 y no hay nota: se añade", ResultNote, lowConfidence},
}

const (
	parseErrorText  = "No se ha podido leer una respuesta válida. No se muestra ningún texto sin comprobar; vuelva a preguntar."
	refusalNoneLeft = "No encontré en los documentos un texto que respalde una respuesta a esta pregunta."
	refusalFigure   = "No puedo dar la respuesta: contenía una cifra que no está en los textos citados."
	refusalLabel    = "No puedo dar la respuesta: nombraba un artículo que no está en los textos recuperados."
	refusalNorm     = "No puedo dar la respuesta: nombraba una norma que no está en los textos recuperados."
	refusalAddress  = "No puedo dar la respuesta: llevaba una dirección que no es de las fuentes."
	refusalUnquoted = "No puedo dar la respuesta: ponía entre comillas palabras que ningún texto dice."
	refusalContrary = "No puedo dar la respuesta: decía lo contrario que el texto citado."
	refusalUnsaid   = "No puedo dar la respuesta: casi nada de lo que decía está en los textos citados."
	refusalDisguise = "No puedo dar la respuesta: llevaba caracteres que ocultan lo que dice."
	lowConfidence   = "La evidencia es limitada: el texto citado puede no resolver exactamente el caso; compruébelo en la fuente o con un profesional."
)

// LowConfidence is the note that an answer with a confidence below Sure carries.
const LowConfidence = lowConfidence

// rowOf gives the line of a check. Every check has one: a test counts them.
func rowOf(c Check) Row {
	for _, r := range Rows {
		if r.Check == c {
			return r
		}
	}
	return Row{Check: c, Step: "policy", Result: ResultParseError, Text: parseErrorText}
}
