package show

import (
	"cmp"
	"fmt"
	"strings"

	"digesto"
	"digesto/app"
	"digesto/cmd/digesto/internal/terminal"
)

// Reading is how a question was understood before it was searched.
type Reading struct {
	Question string   `json:"question"`
	Mended   string   `json:"mended,omitempty"` // its spelling corrected, when that changed it
	Searched string   `json:"searched"`         // what is left to search
	Struck   []string `json:"struck"`           // what was taken out: the names of the norms recognised
	Norms    []Norm   `json:"norms"`
	Units    []string `json:"units"`
	Also     []string `json:"also"` // words added for the lexical lists
	Weight   float64  `json:"also_weight,omitempty"`
	Cover    float64  `json:"cover"` // best lexical score ÷ the most it could reach
}

// Norm is a norm that was recognised.
type Norm struct {
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
}

// ReadingOf says how a text became a query and how far its words met.
func ReadingOf(t *app.Searched, text string, q digesto.Query, res digesto.Results) Reading {
	mended := t.Mended(text)
	r := Reading{Question: text, Searched: q.Text, Struck: taken(mended, q.Text), Norms: []Norm{}, Units: app.NonNil(q.Units), Also: app.NonNil(q.Also)}
	if mended != text {
		r.Mended = mended
	}
	if len(q.Also) > 0 {
		if r.Weight = q.AlsoWeight; r.Weight == 0 {
			r.Weight = 1
		}
	}
	for _, id := range q.Norms {
		r.Norms = append(r.Norms, Norm{id, t.Title(id)})
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

// Print writes the reading, one line a fact.
func (r Reading) Print(w terminal.Screen, m digesto.Means) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%s %s\n", w.Dim(fmt.Sprintf("%-16s", name)), terminal.Clean(fmt.Sprintf(format, args...)))
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
		line("vectores", "no: %s", cmp.Or(m.Why, "el índice no los tiene"))
	case m.Near > 0:
		line("vectores", "%s para los %d primeros, regla %s, α = %.2f", m.Vectors, m.Near, m.Fusion, m.Alpha)
	default:
		line("vectores", "%s, regla %s, α = %.2f", m.Vectors, m.Fusion, m.Alpha)
	}
	if m.Vectors != "" && m.Why != "" {
		line("", "%s", m.Why)
	}
	fmt.Fprintln(w)
}

// WhyNot says in sentences why a unit was not found; nil says nothing.
func WhyNot(w terminal.Screen, why *digesto.WhyNot) {
	if why == nil {
		return
	}
	fmt.Fprintf(w, "%s\n", w.Bold("¿Por qué no "+terminal.Clean(why.Unit)+"?"))
	for _, n := range why.Notes {
		fmt.Fprintln(w, terminal.Indent(terminal.Clean(n), w.Columns(), 4))
	}
	if why.Cosine != 0 {
		fmt.Fprintf(w, "    Por significado, su vector tiene coseno %.3f con la pregunta.\n", why.Cosine)
	}
	for _, t := range why.Terms {
		fmt.Fprintf(w, "      término %q en %s: tf %d, idf %.2f → %.3f\n", terminal.Clean(t.Term), t.Field, t.TF, t.IDF, t.Score)
	}
}

// Hits prints what was found; none says under which filters nothing was.
func Hits(w terminal.Screen, rows []app.HitRow, filters []string) {
	if len(rows) == 0 {
		where := ""
		if len(filters) > 0 {
			where = " con " + strings.Join(filters, ", ")
		}
		fmt.Fprintln(w, terminal.Clean("Nada encontrado"+where+". Pruebe con otras palabras o mire qué hay instalado: digesto coverage"))
	}
	for i, r := range rows {
		name := strings.Trim(strings.Join([]string{r.Label, r.Rubric}, ". "), ". ")
		fmt.Fprintf(w, "%s %s  %s\n", w.Num(fmt.Sprintf("%2d.", i+1)), w.Bold(terminal.Clean(name)), w.Dim(fmt.Sprintf("%.3f  %s", r.Score, terminal.Clean(r.ID))))
		fmt.Fprintln(w, terminal.Indent(terminal.Clean(r.Title), w.Columns(), 4))
		fmt.Fprintln(w, w.Dim(terminal.Indent(terminal.Clean(firstWords(r.Text, 220)), w.Columns(), 4)))
		if r.Explain != nil {
			explained(w, *r.Explain)
		}
	}
}

// explained says what each list and term gave to a hit.
func explained(w terminal.Screen, e digesto.Explain) {
	for _, l := range e.Lists {
		fmt.Fprintf(w, "      lista %-8s puesto %d, %.3f\n", l.List, l.Rank, l.Score)
	}
	for _, t := range e.Terms {
		fmt.Fprintf(w, "      término %q en %s: tf %d, idf %.2f → %.3f\n", terminal.Clean(t.Term), t.Field, t.TF, t.IDF, t.Score)
	}
	for _, n := range e.Notes {
		fmt.Fprintf(w, "      %s\n", terminal.Clean(n))
	}
}

// firstWords cuts a text at a space before n runes.
func firstWords(s string, n int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) <= n {
		return string(r)
	}
	for n > 0 && r[n] != ' ' {
		n--
	}
	return string(r[:n]) + " …"
}
