package main

import (
	"fmt"
	"strings"

	"digesto"
	"digesto/app"
)

// reading is how a question was understood before it was searched.
type reading struct {
	Question string      `json:"question"`
	Mended   string      `json:"mended,omitempty"` // its spelling corrected, when that changed it
	Searched string      `json:"searched"`         // what is left to search
	Struck   []string    `json:"struck"`           // what was taken out: the names of the norms recognised
	Norms    []normNamed `json:"norms"`
	Units    []string    `json:"units"`
	Also     []string    `json:"also"` // words added for the lexical lists
	Weight   float64     `json:"also_weight,omitempty"`
	Cover    float64     `json:"cover"` // best lexical score ÷ the most it could reach
}

type normNamed struct {
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
}

// readingOf says how a text became a query and how far its words met.
func readingOf(t *app.Searched, text string, q digesto.Query, res digesto.Results) reading {
	mended := t.Mended(text)
	r := reading{Question: text, Searched: q.Text, Struck: taken(mended, q.Text), Norms: []normNamed{}, Units: app.NonNil(q.Units), Also: app.NonNil(q.Also)}
	if mended != text {
		r.Mended = mended
	}
	if len(q.Also) > 0 {
		if r.Weight = q.AlsoWeight; r.Weight == 0 {
			r.Weight = 1
		}
	}
	for _, id := range q.Norms {
		r.Norms = append(r.Norms, normNamed{id, t.Title(id)})
	}
	if res.Reach > 0 {
		r.Cover = res.Best / res.Reach
	}
	return r
}

// taken gives the runs of words of a text that its rest no longer has.
func taken(text, rest string) []string {
	out := []string{}
	left := strings.Fields(rest)
	var run []string
	flush := func() {
		if len(run) > 0 {
			out = append(out, strings.Join(run, " "))
		}
		run = nil
	}
	for _, w := range strings.Fields(text) {
		if len(left) > 0 && left[0] == w {
			left = left[1:]
			flush()
			continue
		}
		run = append(run, w)
	}
	flush()
	return out
}

// print writes the reading, one line a fact.
func (r reading) print(a *program, m digesto.Means) {
	st := a.outStyle()
	line := func(name, format string, args ...any) {
		fmt.Fprintf(a.out, "%s %s\n", st.dim(fmt.Sprintf("%-16s", name)), clean(fmt.Sprintf(format, args...)))
	}
	line("se busca", "«%s»", r.Searched)
	if r.Mended != "" {
		line("corregida", "«%s»", r.Mended)
	}
	for _, s := range r.Struck {
		line("tachado", "«%s»", s)
	}
	for _, n := range r.Norms {
		line("norma reconocida", "%s  %s", n.ID, n.Title)
	}
	for _, u := range r.Units {
		line("unidad citada", "%s", u)
	}
	if len(r.Also) > 0 {
		line("palabras añadidas", "%s (peso %.1f)", strings.Join(r.Also, "; "), r.Weight)
	}
	line("alcance", "las palabras llegan a %.2f de lo que podían (cov)", r.Cover)
	switch {
	case m.Vectors == "":
		line("vectores", "no: %s", firstOf(m.Why, "el índice no los tiene"))
	case m.Near > 0:
		line("vectores", "%s para los %d primeros, regla %s, α = %.2f", m.Vectors, m.Near, m.Fusion, m.Alpha)
	default:
		line("vectores", "%s, regla %s, α = %.2f", m.Vectors, m.Fusion, m.Alpha)
	}
	if m.Vectors != "" && m.Why != "" {
		line("", "%s", m.Why)
	}
	fmt.Fprintln(a.out)
}

func firstOf(all ...string) string {
	for _, s := range all {
		if s != "" {
			return s
		}
	}
	return ""
}

// whyNot asks the searcher why a unit is not among the hits.
func (c searchCmd) whyNot(a *program, t *app.Searched, q digesto.Query) (*digesto.WhyNot, error) {
	if c.WhyNot == "" {
		return nil, nil
	}
	s, ok := t.Searcher.(digesto.WhyNotter)
	if !ok {
		return nil, &digesto.Error{Code: digesto.CodeUnavailable, Message: "Este buscador no sabe decir por qué falta una unidad", Hint: "Busque en la ley instalada o con --corpus."}
	}
	w, err := s.WhyNot(a.Context, q, c.WhyNot)
	if err != nil {
		return nil, err
	}
	return &w, nil
}

// printWhyNot says it in sentences.
func printWhyNot(a *program, w *digesto.WhyNot) {
	if w == nil {
		return
	}
	fmt.Fprintf(a.out, "%s\n", a.outStyle().bold("¿Por qué no "+clean(w.Unit)+"?"))
	for _, n := range w.Notes {
		fmt.Fprintln(a.out, indentAll(clean(n), a.columns(), 4))
	}
	if w.Cosine != 0 {
		fmt.Fprintf(a.out, "    Por significado, su vector tiene coseno %.3f con la pregunta.\n", w.Cosine)
	}
	for _, t := range w.Terms {
		fmt.Fprintf(a.out, "      término %q en %s: tf %d, idf %.2f → %.3f\n", clean(t.Term), t.Field, t.TF, t.IDF, t.Score)
	}
}
