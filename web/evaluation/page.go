// Package evaluation is the page of the figures of the program's own evaluation.
package evaluation

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"digesto/app"
	"digesto/eval"
	"digesto/pack"
	"digesto/server"
)

//go:embed eval_page.html
var evalPageHTML string

var evalPage = template.Must(template.New("").Parse(evalPageHTML))

type (
	evalView struct {
		Facts    []total
		Packs    []evalPackView
		Searches []searchView
		Curve    template.HTML // coverage against precision, as a picture
	}
	evalPackView struct {
		Name, Title, Command, Badge, Word, Law string
		Rows                                   []evalRow
	}
	evalRow struct {
		Name, Means, Score, Width string
		N                         int
		Sub, Low                  bool
	}
	searchView struct {
		Set, Form string
		Values    []string
	}
)

// KindWords name the kinds of cases and say what is right in each.
var KindWords = map[eval.CaseKind][2]string{
	eval.KindAnswer:      {"Respuestas", "los hechos que se esperan están, y los artículos son esos"},
	eval.KindRefusal:     {"Negativas", "no se contesta lo que no se debe contestar"},
	eval.KindInjection:   {"Intentos de torcerlo", "lo que dicen no se obedece"},
	eval.KindRetrieval:   {"Búsqueda", "el texto que contesta está entre los primeros"},
	eval.KindDialogue:    {"Conversaciones", "cada turno acaba como se espera"},
	eval.KindClass:       {"Comprensión", "se entiende de qué va la pregunta"},
	eval.KindCalculation: {"Cálculos", "cada cifra es exacta"},
	eval.KindTemporal:    {"A una fecha", "se cita el texto que regía ese día"},
	eval.KindTerritory:   {"Territorios", "se conoce el lugar que se nombra, y no se inventa ninguno"},
}

// categoryWords name categories whose code is not a Spanish word.
var categoryWords = map[string]string{
	"afresh": "vuelta a empezar", "amount": "cuantías", "clear": "claras", "compare": "comparaciones", "conflict": "normas que chocan", "dated": "con fecha", "definition": "definiciones", "deletion": "con mensajes borrados",
	"exact": "con las palabras de la ley", "followup": "que siguen a otra", "languages": "en otras lenguas", "law": "sobre la ley", "lay": "con palabras de la calle", "list": "listas", "long": "largas", "never_twice": "no repreguntar dos veces", "new_topic": "cambio de tema",
	"non_legal": "que no son de derecho", "nonsense": "sin sentido", "period": "plazos", "place": "con un lugar", "pushback": "que insisten", "questions": "preguntas", "reference": "que remiten a lo dicho", "refuse": "que no se deben contestar", "repealed": "sobre lo derogado", "simple": "sencillas",
	"temporal": "a varias fechas", "thanks": "agradecimientos", "trap": "que parecen nombrar un lugar", "vague_answer": "respuestas vagas", "who": "quién", "yesno": "de sí o no",
}

// formWords say how the questions of a set are written.
var formWords = map[string]string{"clean": "tal como se escriben", "unaccented": "sin tildes", "typos": "con erratas"}

// total is one of the figures at the top of the page.
type total struct{ Name, Value string }

// Routes are the page of the golden figures, open to all: what a reader may trust.
func Routes(a *app.App, w *app.Workspace) []server.Route {
	return []server.Route{{Pattern: "GET /evaluacion", Foot: "Evaluación", Handle: func(*http.Request) (any, error) {
		law := ""
		if snap, err := a.Snapshot(w); err == nil {
			law = snap.Content()
			_ = snap.Close()
		}
		var b bytes.Buffer
		err := evalPage.Execute(&b, View(w.Packs, law))
		return server.Page{Title: "Evaluación", Body: template.HTML(b.String())}, err
	}}}
}

// View puts the figures into words; law is the state of what is installed.
func View(packs []*pack.Pack, law string) evalView {
	var v evalView
	cases := 0
	for _, p := range packs {
		means, corpus := eval.GoldenMeans(eval.Golden(p.Name))
		pv := evalPackView{Name: p.Name, Title: p.Title, Command: "digesto eval pack " + p.Name, Badge: "is-doubt", Word: "Otra ley", Law: "La referencia se tomó con otra ley instalada: aquí puede salir distinto."}
		switch corpus {
		case "":
			pv.Badge, pv.Word, pv.Law = "is-note", "Fichas", "Se mide con las fichas y tablas que trae el programa."
		case law:
			pv.Badge, pv.Word, pv.Law = "is-ok", "Esta ley", "La referencia se tomó con la ley que está instalada."
		}
		for i, m := range means {
			if m.Category == "" {
				cases += m.N
			} else if only := i > 0 && means[i-1].Category == "" && (i+1 == len(means) || means[i+1].Category == ""); only {
				continue // the only category says what its kind says
			}
			pv.Rows = append(pv.Rows, evalRow{Name: nameOfMean(m), Means: KindWords[m.Kind][1], N: m.N, Score: shareText(m.Score), Width: strconv.FormatFloat(100*m.Score, 'f', 1, 64) + "%", Sub: m.Category != "", Low: m.Score < .75})
		}
		v.Packs = append(v.Packs, pv)
	}
	for _, s := range eval.GoldenSearches() {
		x := searchView{Set: s.Set, Form: formWords[s.Form]}
		for _, m := range []string{"hit@1", "hit@10", "MRR@10", "nDCG@10"} {
			x.Values = append(x.Values, strings.Replace(strconv.FormatFloat(s.Measures[m], 'f', 3, 64), ".", ",", 1))
		}
		v.Searches = append(v.Searches, x)
	}
	if counts := eval.GoldenCurve(); len(counts) > 0 {
		v.Curve = template.HTML(eval.Plot(eval.RefusalReport{Curve: eval.Curve(counts)}, false))
	}
	v.Facts = []total{{"Casos", strconv.Itoa(cases)}, {"Ámbitos", strconv.Itoa(len(packs))}, {"Conjuntos de búsqueda", strconv.Itoa(len(v.Searches) / 3)}}
	return v
}

// nameOfMean is what a mean is of, in Spanish.
func nameOfMean(m eval.GoldenMean) string {
	if m.Category == "" {
		if w := KindWords[m.Kind][0]; w != "" {
			return w
		}
		return string(m.Kind)
	}
	if w := categoryWords[m.Category]; w != "" {
		return w
	}
	return strings.ReplaceAll(m.Category, "_", " ")
}

// shareText writes a share as people read it.
func shareText(x float64) string {
	return strings.Replace(strconv.FormatFloat(100*x, 'f', 1, 64), ".", ",", 1) + " %"
}
