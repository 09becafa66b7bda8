package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"digesto"
	"digesto/app"
	"digesto/app/law"
)

// searchCmd is retrieval alone, for people or in batches for programs.
type searchCmd struct {
	Pack       string   `name:"pack" placeholder:"PAQUETE" help:"Busca solo en ese paquete."`
	Collection []string `name:"collection" placeholder:"C" help:"Busca solo en esa colección; se puede repetir."`
	Filter     []string `name:"filter" sep:"none" placeholder:"K=V" help:"Filtro campo=valor; se puede repetir."`
	AsOf       string   `name:"as-of" placeholder:"FECHA" help:"Busca en el texto de ese día."`
	K          int      `name:"k" short:"k" default:"10" placeholder:"N" help:"Cuántos resultados."`
	Explain    bool     `name:"explain" help:"Dice por qué está cada resultado donde está."`
	WhyNot     string   `name:"why-not" placeholder:"NORMA/UNIDAD" help:"Dice además por qué esa unidad no está entre los resultados."`
	Lay        string   `name:"lay" enum:"auto,off" default:"auto" placeholder:"auto|off" help:"auto: añade las palabras de la ley a las de la calle; off: no."`
	Vectors    string   `name:"vectors" enum:"auto,static,off" default:"auto" placeholder:"auto|static|off" help:"auto: palabras y vectores; static: sin ordenar los primeros por sus vectores propios; off: solo palabras."`
	Budget     string   `name:"budget" placeholder:"TIEMPO" help:"Cuánto se puede tardar en calcular vectores que faltan (si no se dice: 300ms; con --batch, 0s)."`
	Batch      string   `name:"batch" placeholder:"FICHERO|-" help:"Preguntas en JSON Lines {\"_id\",\"text\"}; responde una línea por pregunta, en orden."`
	Corpus     string   `name:"corpus" placeholder:"FICHERO.jsonl" help:"Busca en ese fichero JSON Lines en vez de en la ley instalada."`
	Text       []string `arg:"" optional:"" placeholder:"TEXTO" help:"Lo que se busca."`
}

// Examples of the command.
func (searchCmd) Examples() []string {
	return []string{
		`digesto search "vacaciones anuales" --pack laboral -k 5`,
		`digesto search "plazo de reclamación" --filter jurisdiction=pe --explain`,
		`digesto search "despido" --explain --why-not BOE-A-2015-11430/a54`,
		`digesto search --batch preguntas.jsonl --corpus corpus.jsonl > resultados.jsonl`,
	}
}

// Run searches.
func (c searchCmd) Run(a *program) error {
	if err := c.means(a); err != nil {
		return err
	}
	if c.K < 1 || c.K > 1000 {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("-k %d no vale", c.K), Hint: "Use un número de 1 a 1000."}
	}
	filter, err := app.FilterOf(c.Filter, c.Collection, c.AsOf)
	if err != nil {
		return err
	}
	if c.Batch != "" {
		return c.batch(a, filter)
	}
	text := strings.TrimSpace(strings.Join(c.Text, " "))
	if text == "" {
		return &digesto.Error{Code: digesto.CodeUsage, Message: "Falta el texto que se busca", Hint: `Escríbalo entre comillas: digesto search "…"; o dé un fichero con --batch.`}
	}
	t, err := a.Target(c.Corpus, c.Pack, c.Lay == "off")
	if err != nil {
		return err
	}
	defer t.Close()
	q := t.Query(text)
	q.K, q.Explain, q.Filter = c.K, c.Explain, t.Narrow(filter)
	res, err := t.Search(a.Context, q)
	if err != nil {
		return err
	}
	why, err := c.whyNot(a, t, q)
	if err != nil {
		return err
	}
	return c.print(a, t, text, found{q, res, why})
}

// found is what a search found, by which query.
type found struct {
	query digesto.Query
	res   digesto.Results
	why   *digesto.WhyNot // nil = not asked
}

// means sets by what the search goes.
func (c searchCmd) means(a *program) (err error) {
	a.NoVectors, a.OneStage, a.Budget = c.Vectors == "off", c.Vectors == "static", law.DefaultBudget
	if c.Batch != "" {
		a.Budget = 0
	}
	if c.Budget != "" {
		if a.Budget, err = time.ParseDuration(c.Budget); err != nil || a.Budget < 0 {
			return &digesto.Error{Code: digesto.CodeInvalid, Message: "El tiempo «" + c.Budget + "» no vale", Hint: "Escríbalo como 300ms, 2s o 1m."}
		}
	}
	return nil
}

func (c searchCmd) print(a *program, t *app.Searched, text string, f found) error {
	rows := []app.HitRow{}
	for _, h := range f.res.Hits {
		rows = append(rows, t.Row(h))
	}
	if a.json {
		v := t.Found(f.query, f.res, rows)
		if c.Explain {
			v["reading"] = readingOf(t, text, f.query, f.res)
		}
		if f.why != nil {
			v["why_not"] = f.why
		}
		return a.printJSON(v)
	}
	st := a.outStyle()
	if c.Explain {
		readingOf(t, text, f.query, f.res).print(a, f.res.Means)
	}
	if len(rows) == 0 {
		where := ""
		if len(c.Filter)+len(c.Collection) > 0 {
			where = " con " + strings.Join(append(slices.Clone(c.Filter), c.Collection...), ", ")
		}
		fmt.Fprintln(a.out, clean("Nada encontrado"+where+". Pruebe con otras palabras o mire qué hay instalado: digesto coverage"))
	}
	for i, r := range rows {
		name := strings.Trim(strings.Join([]string{r.Label, r.Rubric}, ". "), ". ")
		fmt.Fprintf(a.out, "%s %s  %s\n", st.num(fmt.Sprintf("%2d.", i+1)), st.bold(clean(name)), st.dim(fmt.Sprintf("%.3f  %s", r.Score, clean(r.ID))))
		fmt.Fprintln(a.out, indentAll(clean(r.Title), a.columns(), 4))
		fmt.Fprintln(a.out, st.dim(indentAll(clean(firstWords(r.Text, 220)), a.columns(), 4)))
		if r.Explain != nil {
			printExplain(a, *r.Explain)
		}
	}
	printWhyNot(a, f.why)
	return nil
}

// printExplain says what each list and term gave to a hit.
func printExplain(a *program, e digesto.Explain) {
	for _, l := range e.Lists {
		fmt.Fprintf(a.out, "      lista %-8s puesto %d, %.3f\n", l.List, l.Rank, l.Score)
	}
	for _, t := range e.Terms {
		fmt.Fprintf(a.out, "      término %q en %s: tf %d, idf %.2f → %.3f\n", clean(t.Term), t.Field, t.TF, t.IDF, t.Score)
	}
	for _, n := range e.Notes {
		fmt.Fprintf(a.out, "      %s\n", clean(n))
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
