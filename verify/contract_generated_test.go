package verify

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"digesto"
	"digesto/internal/long"
)

// generated is one way in which a model's output may go, with the row of the
// table where it must land ("" = none) and the result.
type generated struct {
	name   string
	make   func(r *rand.Rand) string
	check  Check
	result Result
}

const goodQuote = "El titular de los faros de la clase 1 presentará su memoria en el plazo de 4 días."

// kinds of output. Each builds its text from chance, within its kind.
var kinds = []generated{
	{"valid", func(*rand.Rand) string { return object(nil) }, "", ResultOK},
	{"fenced", func(r *rand.Rand) string { return pick(r, "```json\n", "```\n", "```JSON\n") + object(nil) + "\n```" }, "", ResultOK},
	{"prose around", func(r *rand.Rand) string {
		return pick(r, "Claro:\n", "Aquí tiene. ", "Respuesta → ") + object(nil) + pick(r, "\nEspero que sirva.", "", "\n\n")
	}, "", ResultOK},
	{"two objects", func(r *rand.Rand) string {
		return object(nil) + pick(r, "\n", " ", "\n\n") + object(set("answer", "El titular de otra cosa no presenta nada."))
	}, "", ResultOK},
	{"smart quotes", func(*rand.Rand) string {
		return object(cites(quoted("“"+goodQuote+"”", "Codigo-de-Costas.pdf", 2)))
	}, "-", ""},
	{"nothing", func(r *rand.Rand) string {
		return pick(r, "", " \n", "No lo sé.", "null", "[]", "{}", `{"respuesta":1}`)
	}, CheckNoJSON, ResultParseError},
	{"too large", func(*rand.Rand) string { return strings.Repeat(" ", 1<<20) + object(nil) }, CheckTooLarge, ResultParseError},
	{"truncated in the notes", func(r *rand.Rand) string {
		s := object(set("zz", strings.Repeat("x", 60)))
		return s[:len(s)-1-r.IntN(50)]
	}, CheckCutOff, ResultNote},
	{"answer of a wrong type", func(r *rand.Rand) string { return object(set("answer", wrong(r))) }, CheckFields, ResultParseError},
	{"citations of a wrong type", func(r *rand.Rand) string { return object(set("citations", pick[any](r, "una", 4, true))) }, CheckFields, ResultParseError},
	{"refusal of a wrong type", func(r *rand.Rand) string { return object(set("refusal", pick[any](r, "no", 0, []any{}))) }, CheckFields, ResultParseError},
	{"confidence as a word", func(r *rand.Rand) string { return object(set("confidence", pick[any](r, "alta", true, []any{1}))) }, CheckFields, ResultParseError},
	{"missing field", func(r *rand.Rand) string {
		f := pick(r, "citations", "confidence", "refusal")
		return object(func(m map[string]any) { delete(m, f) })
	}, CheckFields, ResultParseError},
	{"answer too short", func(r *rand.Rand) string { return object(set("answer", strings.Repeat("a", r.IntN(10)))) }, CheckAnswerLength, ResultParseError},
	{"answer too long", func(r *rand.Rand) string {
		return object(set("answer", strings.Repeat("el faro ", 260+r.IntN(40))))
	}, CheckAnswerLength, ResultParseError},
	{"wrong language", func(r *rand.Rand) string {
		return object(set("answer", pick(r, "The owner of the lighthouse must present the report within the time that is set by the law.",
			"Le titulaire des phares est tenu de présenter son mémoire dans les délais qui sont fixés par la loi.")))
	}, CheckLanguage, ResultParseError},
	{"NaN", func(*rand.Rand) string { return strings.Replace(object(nil), "0.95", "NaN", 1) }, "-", ""},
	{"confidence out of range", func(r *rand.Rand) string { return object(set("confidence", pick(r, -.1, 1.01, 95, -3))) }, CheckConfidence, ResultParseError},
	{"quote of 19", func(*rand.Rand) string {
		return object(cites(quoted(goodQuote, "Codigo-de-Costas.pdf", 2), quoted(string([]rune(goodQuote)[:19]), "Codigo-de-Costas.pdf", 2)))
	}, CheckQuoteLength, ResultNote},
	{"quote of 501", func(*rand.Rand) string {
		return object(cites(quoted(goodQuote, "Codigo-de-Costas.pdf", 2), quoted(strings.Repeat("a", 501), "Codigo-de-Costas.pdf", 2)))
	}, CheckQuoteLength, ResultNote},
	{"unknown source", func(r *rand.Rand) string {
		return object(cites(quoted(goodQuote, "Codigo-de-Costas.pdf", 2), quoted("La tasa anual de los faros será de 107 euros", pick(r, "Otro.pdf", "", "Código"), 3)))
	}, CheckSource, ResultNote},
	{"invented quote", func(r *rand.Rand) string {
		return object(cites(quoted(goodQuote, "Codigo-de-Costas.pdf", 2), quoted("El titular "+pick(r, "nunca", "siempre", "jamás")+" presentará memoria alguna.", "Codigo-de-Costas.pdf", 2)))
	}, CheckQuote, ResultNote},
	{"wrong page", func(r *rand.Rand) string {
		return object(cites(quoted(goodQuote, "Codigo-de-Costas.pdf", 3+r.IntN(40))))
	}, CheckPage, ResultNote},
	{"only invented quotes", func(*rand.Rand) string {
		return object(cites(quoted("El titular nunca presentará memoria alguna.", "Codigo-de-Costas.pdf", 2)))
	}, CheckNoneLeft, ResultRefusal},
	{"no citations", func(*rand.Rand) string { return object(cites()) }, CheckNoCitations, ResultRefusal},
	{"figure from nowhere", func(r *rand.Rand) string {
		return object(set("answer", "El titular de los faros presenta su memoria en el plazo de "+pick(r, "77", "365", "1.250")+" días."))
	}, CheckFigure, ResultRefusal},
	{"nine citations", func(*rand.Rand) string {
		list := make([]map[string]any, 9)
		for i := range list {
			list[i] = quoted(goodQuote, "Codigo-de-Costas.pdf", 2)
		}
		return object(cites(list...))
	}, "-", ""},
	{"refuses with citations", func(*rand.Rand) string { return object(set("refusal", true)) }, CheckRefusal, ResultNote},
	{"sure of itself", func(r *rand.Rand) string { return object(set("confidence", pick(r, .91, .99, 1))) }, CheckCeiling, ResultOK},
	{"low confidence", func(r *rand.Rand) string { return object(set("confidence", pick(r, .1, .5, .69))) }, CheckLow, ResultNote},
	{"nested JSON", func(*rand.Rand) string { return `{"resultado":` + object(nil) + `}` }, "-", ""},
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

func wrong(r *rand.Rand) any { return pick[any](r, 5, true, []any{"a"}, map[string]any{"a": 1}) }

// TestGeneratedOutputs: 20,000 outputs (4,000 without DIGESTO_LONG) of the ways in which models fail. Each
// lands in its row, whatever stands around it, and what may be shown keeps the
// contract. "-" = any row of the table; the rest still holds.
func TestGeneratedOutputs(t *testing.T) {
	g := grounds()
	r := rand.New(rand.NewPCG(1, 2))
	n := long.Of(20000, 4000)
	rows := map[Check]bool{}
	for _, row := range Rows {
		rows[row.Check] = true
	}
	bad := map[string]int{}
	for i := range n {
		k := kinds[i%len(kinds)]
		if k.name == "too large" && i > 10*len(kinds) { // a megabyte each
			continue
		}
		raw := k.make(r)
		c := Contract([]byte(raw), g)
		for _, f := range c.Failed {
			if !rows[f] {
				t.Fatalf("%s: %s is no row of the table", k.name, f)
			}
		}
		if err := shown(c.Answer); err != "" {
			t.Fatalf("%s: %s\n%.300s", k.name, err, raw)
		}
		if k.check == "-" {
			continue
		}
		if k.check != "" && !slices.Contains(c.Failed, k.check) || k.result != "" && c.Result != k.result && bad[k.name] < 3 {
			bad[k.name]++
			t.Errorf("%s: %v %s, want %s %s\n%.300s", k.name, c.Failed, c.Result, k.check, k.result, raw)
		}
	}
}

// shown says what is wrong with an answer that may be shown; "" = nothing.
func shown(a digesto.Answer) string {
	switch n := len([]rune(a.Answer)); {
	case n < MinAnswer || n > 2000:
		return "an answer of a length that is not allowed"
	case a.Confidence < 0 || a.Confidence > 1 || a.Confidence != a.Confidence:
		return "a confidence out of range"
	case a.Refusal && (len(a.Citations) > 0 || a.Confidence != 0):
		return "a refusal with citations or confidence"
	case !a.Refusal && !a.ParseError && a.Confidence < .7 && (a.Notes == nil || *a.Notes == ""):
		return "low confidence without a note"
	}
	for _, c := range a.Citations {
		if n := len([]rune(c.Quote)); n < MinQuote || n > MaxQuote || c.Ref == nil {
			return "a citation that the contract does not allow"
		}
	}
	return ""
}
