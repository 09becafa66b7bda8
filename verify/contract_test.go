package verify

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"digesto/text/cite"
	"digesto/text/figure"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files anew")

func grounds() Grounds {
	s, list := library()
	return Grounds{List: list, Confidence: .9, Locale: figure.LocaleOf("es-ES"), Table: cite.NewTable(nil, s.Norms())}
}

// object writes a model's object; change edits it before it is encoded.
func object(change func(m map[string]any)) string {
	m := map[string]any{
		"answer":     "El titular de los faros presenta su memoria en el plazo de 4 días.",
		"citations":  []any{map[string]any{"quote": "El titular de los faros de la clase 1 presentará su memoria en el plazo de 4 días.", "source": "Codigo-de-Costas.pdf", "page": 2}},
		"confidence": .95, "refusal": false, "notes": nil,
	}
	if change != nil {
		change(m)
	}
	raw, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func cites(list ...map[string]any) func(map[string]any) {
	return func(m map[string]any) {
		out := []any{}
		for _, c := range list {
			out = append(out, c)
		}
		m["citations"] = out
	}
}

func quoted(quote, source string, page any) map[string]any {
	return map[string]any{"quote": quote, "source": source, "page": page}
}

func set(field string, v any) func(map[string]any) { return func(m map[string]any) { m[field] = v } }

func TestContractTable(t *testing.T) {
	good := "El titular de los faros de la clase 1 presentará su memoria en el plazo de 4 días."
	for _, c := range []struct {
		name   string
		raw    string
		result Result
		failed []Check
		quotes int
	}{
		{"valid", object(nil), ResultOK, []Check{CheckCeiling}, 1},
		{"fenced", "Aquí está:\n```json\n" + object(nil) + "\n```\nEspero que sirva.", ResultOK, []Check{CheckCeiling}, 1},
		{"prose", "Respuesta: " + object(nil) + " Saludos.", ResultOK, []Check{CheckCeiling}, 1},
		{"nested", `{"response": ` + object(nil) + `}`, ResultOK, []Check{CheckCeiling}, 1},
		{"two objects", object(nil) + object(set("answer", "Otra respuesta que no se lee nunca.")), ResultOK, []Check{CheckCeiling}, 1},
		{"extra field", object(set("reasoning", "secreto")), ResultOK, []Check{CheckCeiling}, 1},
		{"no JSON", "El plazo es de cuatro días.", ResultParseError, []Check{CheckNoJSON}, 0},
		{"empty", "", ResultParseError, []Check{CheckNoJSON}, 0},
		{"cut before the end", object(nil)[:90], ResultParseError, []Check{CheckCutOff, CheckFields}, 0},
		{"too large", strings.Repeat(" ", 1<<20+1), ResultParseError, []Check{CheckTooLarge}, 0},
		{"answer missing type", object(set("answer", 7)), ResultParseError, []Check{CheckFields}, 0},
		{"answer null", object(set("answer", nil)), ResultParseError, []Check{CheckFields}, 0},
		{"refusal as text", object(set("refusal", "false")), ResultParseError, []Check{CheckFields}, 0},
		{"citations null", object(set("citations", nil)), ResultParseError, []Check{CheckFields}, 0},
		{"citation null", object(set("citations", []any{nil})), ResultParseError, []Check{CheckFields}, 0},
		{"page as text", object(cites(quoted(good, "Codigo-de-Costas.pdf", "2"))), ResultParseError, []Check{CheckFields}, 0},
		{"NaN", strings.Replace(object(nil), "0.95", "NaN", 1), ResultParseError, []Check{CheckNoJSON}, 0},
		{"answer short", object(set("answer", "4 días")), ResultParseError, []Check{CheckAnswerLength}, 0},
		{"answer long", object(set("answer", strings.Repeat("La ley es así. ", 140))), ResultParseError, []Check{CheckAnswerLength}, 0},
		{"english", object(set("answer", "The owner of the lighthouse shall file it within the term.")), ResultParseError, []Check{CheckLanguage}, 0},
		{"confidence over", object(set("confidence", 1.2)), ResultParseError, []Check{CheckConfidence}, 0},
		{"confidence under", object(set("confidence", -.2)), ResultParseError, []Check{CheckConfidence}, 0},
		{"quote of 19", object(cites(quoted(good[:19], "Codigo-de-Costas.pdf", 2))), ResultRefusal, []Check{CheckQuoteLength, CheckNoneLeft}, 0},
		{"quote of 501", object(cites(quoted(strings.Repeat("x", 501), "Codigo-de-Costas.pdf", 2), quoted(good, "Codigo-de-Costas.pdf", 2))), ResultNote, []Check{CheckQuoteLength, CheckCeiling}, 1},
		{"altered word", object(cites(quoted(strings.Replace(good, "presentará", "entregará", 1), "Codigo-de-Costas.pdf", 2))), ResultRefusal, []Check{CheckQuote, CheckNoneLeft}, 0},
		{"altered figure", object(cites(quoted(strings.Replace(good, "4 días", "5 días", 1), "Codigo-de-Costas.pdf", 2))), ResultRefusal, []Check{CheckQuote, CheckNoneLeft}, 0},
		{"wrong document", object(cites(quoted(good, "Reglamento-de-Puertos.pdf", 2))), ResultRefusal, []Check{CheckQuote, CheckNoneLeft}, 0},
		{"unknown document", object(cites(quoted(good, "Inventado.pdf", 2))), ResultRefusal, []Check{CheckSource, CheckNoneLeft}, 0},
		{"no document", object(cites(quoted(good, "", 2))), ResultRefusal, []Check{CheckSource, CheckNoneLeft}, 0},
		{"former wording", object(cites(quoted("El titular de los faros quedaba exento de toda memoria durante 2 años.", "Codigo-de-Costas.pdf", 1))), ResultRefusal, []Check{CheckQuote, CheckNoneLeft}, 0},
		{"wrong page", object(cites(quoted(good, "Codigo-de-Costas.pdf", 30))), ResultNote, []Check{CheckPage, CheckCeiling}, 1},
		{"no page", object(cites(quoted(good, "Codigo-de-Costas.pdf", nil))), ResultOK, []Check{CheckCeiling}, 1},
		{"spaces and hyphen", object(cites(quoted("El titular de los  faros de la clase 1 presen-\ntará su memoria en el plazo de 4 días.", "codigo-de-costas.pdf", 2))), ResultOK, []Check{CheckCeiling}, 1},
		{"no citations", object(cites()), ResultRefusal, []Check{CheckNoCitations}, 0},
		{"figure from nowhere", object(set("answer", "El titular presenta su memoria en el plazo de 9 días.")), ResultRefusal, []Check{CheckFigure}, 0},
		{"article from nowhere", object(set("answer", "Según el artículo 99, el titular presenta su memoria en el plazo de 4 días.")), ResultRefusal, []Check{CheckLabel}, 0},
		{"named article", object(set("answer", "Según el artículo 1, el titular presenta su memoria en el plazo de 4 días.")), ResultOK, []Check{CheckCeiling}, 1},
		{"low without note", object(set("confidence", .4)), ResultNote, []Check{CheckLow}, 1},
		{"low with note", object(func(m map[string]any) { m["confidence"] = .4; m["notes"] = "Puede haber más." }), ResultOK, nil, 1},
		{"refusal", object(func(m map[string]any) {
			m["refusal"], m["citations"], m["confidence"] = true, []any{}, 0
		}), ResultOK, nil, 0},
		{"refusal that cites", object(set("refusal", true)), ResultNote, []Check{CheckRefusal}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Contract([]byte(c.raw), grounds())
			if got.Result == "" {
				got.Result = ResultOK
			}
			if got.Result != c.result {
				t.Errorf("result %s, want %s", got.Result, c.result)
			}
			if d := cmp.Diff(c.failed, got.Failed); d != "" {
				t.Error(d)
			}
			if n := len(got.Answer.Citations); n != c.quotes {
				t.Errorf("%d citations, want %d", n, c.quotes)
			}
			sound(t, got)
		})
	}
}

// sound holds what every result keeps: the schema, stored quotations, and no
// raw text of the model in a parse error.
func sound(t interface{ Errorf(string, ...any) }, c Checked) {
	if err := Valid(c.Answer); err != nil {
		t.Errorf("%v: %+v", err, c.Answer)
	}
	for _, q := range c.Answer.Citations {
		if v := Quote(q, soundLibrary(), ""); v != Proved {
			t.Errorf("%s: %q", v, q.Quote)
		}
	}
	if c.Answer.ParseError && c.Answer.Answer != parseErrorText {
		t.Errorf("raw text shown: %q", c.Answer.Answer)
	}
	if !c.Answer.Refusal && c.Answer.Confidence < Sure && c.Answer.Notes == nil {
		t.Errorf("low confidence without a note")
	}
}

// soundLibrary is built once: fuzzing asks for it thousands of times.
var soundLibrary = sync.OnceValue(func() Library { s, _ := library(); return s })

func TestExtractIsBounded(t *testing.T) {
	for _, unit := range []string{"{", "{\"a\":", "[{", "\"{", "{\"a\":[", "```", "{\"a\":\"\\"} {
		began := time.Now()
		Extract([]byte(strings.Repeat(unit, 1<<17/len(unit))))
		if d := time.Since(began); d > 20*time.Second {
			t.Errorf("%q ×: %v", unit, d)
		}
	}
}

func TestNinthCitationIsNoted(t *testing.T) {
	g := grounds()
	var list []map[string]any
	for _, gr := range g.List[:9] {
		first, _, _ := strings.Cut(gr.Version.Text, "\n")
		list = append(list, quoted(first, gr.Norm.Source, nil))
	}
	got := Contract([]byte(object(cites(list...))), g)
	if len(got.Answer.Citations) != 9 || got.Result != ResultNote || got.Answer.Notes == nil {
		t.Errorf("%d citations, %s", len(got.Answer.Citations), got.Result)
	}
	sound(t, got)
}

// TestAdversarialQuotes is the promise of the contract: of 1,000 generated
// quotations with altered words, from another document or page, or of an
// invented article, none passes as it was written.
func TestAdversarialQuotes(t *testing.T) {
	g := grounds()
	lib, _ := library()
	passed, n := 0, 0
	var log []string
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			n++
			gr := g.List[rapid.IntRange(0, len(g.List)-1).Draw(t, "ground")]
			q := strings.Split(gr.Version.Text, "\n")[rapid.IntRange(0, 1).Draw(t, "paragraph")]
			switch kind := rapid.SampledFrom([]string{"word", "drop", "swap", "figure", "document", "page", "article", "offset"}).Draw(t, "kind"); kind {
			case "document", "page":
				if adversarialPlace(kind, q, gr, g) {
					passed++
					log = append(log, kind+": "+q)
				}
			case "article", "offset":
				if adversarialRef(kind, q, gr, lib) {
					passed++
					log = append(log, kind+": "+q)
				}
			default:
				if adversarialWords(t, kind, q, gr, g) {
					passed++
					log = append(log, kind+": "+q)
				}
			}
		}
	})
	least := 1000 // rapid runs 100 checks of 10, and a fifth of them with -short
	if testing.Short() {
		least = 200
	}
	if passed > 0 || n < least {
		t.Errorf("%d of %d passed, such as %.5q", passed, n, log[:min(5, len(log))])
	}
}

// neutral is an object whose answer has no figure: what fails is the citation.
func neutral(c map[string]any) []byte {
	return []byte(object(func(m map[string]any) {
		m["answer"] = "El titular cumple lo que dice el texto citado."
		m["citations"] = []any{c}
	}))
}

func adversarialWords(t *rapid.T, kind, q string, gr Ground, g Grounds) bool {
	w := strings.Fields(q)
	i := rapid.IntRange(1, len(w)-3).Draw(t, "at")
	switch kind {
	case "word":
		w[i] = rapid.SampledFrom([]string{"no", "siempre", "nunca", "cualquier", "meses"}).Draw(t, "word")
	case "drop":
		w = append(w[:i], w[i+1:]...)
	case "swap":
		w[i], w[i+1] = w[i+1], w[i]
	case "figure":
		for k := range w {
			if w[k][0] >= '0' && w[k][0] <= '9' {
				w[k] = "9" + w[k]
			}
		}
	}
	altered := strings.Join(w, " ")
	if altered == strings.Join(strings.Fields(q), " ") {
		return false
	}
	got := Contract(neutral(quoted(altered, gr.Norm.Source, nil)), g)
	return len(got.Answer.Citations) > 0
}

func adversarialPlace(kind, q string, gr Ground, g Grounds) bool {
	if kind == "document" {
		other := "Reglamento-de-Puertos.pdf"
		if gr.Norm.Source == other {
			other = "Codigo-de-Costas.pdf"
		}
		return len(Contract(neutral(quoted(q, other, nil)), g).Answer.Citations) > 0
	}
	got := Contract(neutral(quoted(q, gr.Norm.Source, 39)), g)
	return len(got.Answer.Citations) != 1 || *got.Answer.Citations[0].Page == 39
}

func adversarialRef(kind, q string, gr Ground, lib Library) bool {
	at := strings.Index(gr.Version.Text, q)
	start := len([]rune(gr.Version.Text[:at]))
	c, _ := gr.Cite(start, start+len([]rune(q)))
	if Quote(c, lib, "") != Proved {
		return true // a right citation that fails is as wrong
	}
	if kind == "article" {
		c.Ref.Unit = "a404"
	} else {
		c.Ref.Start, c.Ref.End = c.Ref.Start+1, c.Ref.End+1
	}
	return Quote(c, lib, "") == Proved
}

func TestGeneratedOutputsLandInTheTable(t *testing.T) {
	g := grounds()
	first, _, _ := strings.Cut(g.List[3].Version.Text, "\n")
	rapid.Check(t, func(t *rapid.T) {
		raw := object(func(m map[string]any) {
			for _, f := range []string{"answer", "citations", "confidence", "refusal", "notes"} {
				switch rapid.IntRange(0, 9).Draw(t, f) {
				case 0:
					delete(m, f)
				case 1:
					m[f] = rapid.SampledFrom([]any{nil, 1, "x", true, []any{}, map[string]any{}, -3.5, strings.Repeat("ñ ", 1500)}).Draw(t, "value")
				case 2:
					if f == "citations" {
						m[f] = []any{quoted(first, "Codigo-de-Costas.pdf", rapid.IntRange(-2, 50).Draw(t, "page")), quoted("“"+first+"”", "x", nil)}
					}
				}
			}
		})
		wrap := rapid.SampledFrom([]string{"%s", "```json\n%s\n```", "Claro: %s.", `{"a":{"b":%s}}`, "%s%[1]s", "[%s]", "“%s”"}).Draw(t, "wrap")
		out := fmt.Sprintf(wrap, raw)
		if n := rapid.IntRange(0, 4).Draw(t, "cut"); n == 0 {
			out = out[:rapid.IntRange(0, len(out)).Draw(t, "length")]
		}
		got := Contract([]byte(out), g)
		sound(t, got)
		for _, k := range got.Failed {
			if rowOf(k).Check != k || rowOf(k).When == "" {
				t.Errorf("%s has no row", k)
			}
		}
	})
}

func TestFigures(t *testing.T) {
	loc := figure.LocaleOf("es-ES")
	for _, c := range []struct {
		answer string
		quotes []string
		want   int
	}{
		{"Son treinta días.", []string{"será de 30 días naturales como mínimo"}, 1}, // días, not días naturales: another unit of time
		{"Son treinta días naturales.", []string{"será de 30 días naturales como mínimo"}, 0},
		{"Son 1.250,50 euros.", []string{"una tasa de 1250,50 euros"}, 0},
		{"Son 1.250,50 euros.", []string{"una tasa de 1.205,50 euros"}, 1},
		{"Un recargo del 5 %.", []string{"un recargo del cinco por ciento"}, 0},
		{"La ley no da cifras.", nil, 0},
		{"Véase el artículo 62-A de la Ley 39/2015 [C1].", nil, 0},
	} {
		got := Figures(c.answer, c.quotes, nil, loc)
		if len(got) != c.want {
			t.Errorf("%q: %v", c.answer, got)
		}
	}
}

func TestContractDocument(t *testing.T) {
	path := filepath.Join("..", "docs", "contract.md")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(raw), "<!-- table -->\n")
	if !ok {
		t.Fatal("docs/contract.md has no place for the table")
	}
	old, after, _ := strings.Cut(rest, "<!-- end -->")
	if now := tableText(); old != now {
		if !*update {
			t.Fatalf("docs/contract.md is not the table of the code: run go test ./verify -update\n%s", cmp.Diff(old, now))
		}
		if err := os.WriteFile(path, []byte(before+"<!-- table -->\n"+now+"<!-- end -->"+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func tableText() string {
	var b strings.Builder
	b.WriteString("| paso | comprobación | cuándo | resultado | qué se muestra |\n|---|---|---|---|---|\n")
	for _, r := range Rows {
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s |\n", r.Step, r.Check, r.When, r.Result, nonEmpty(r.Text, "—"))
	}
	return b.String()
}

func nonEmpty(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func FuzzContract(f *testing.F) {
	f.Add(object(nil))
	f.Add("```json\n{\"answer\": \"x\"")
	g := grounds()
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1<<13 {
			t.Skip()
		}
		sound(t, Contract([]byte(s), g))
	})
}
