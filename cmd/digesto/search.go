package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"digesto"
	"digesto/app"
	"digesto/app/law"
	"digesto/cmd/digesto/internal/show"
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
			v["reading"] = show.ReadingOf(t, text, f.query, f.res)
		}
		if f.why != nil {
			v["why_not"] = f.why
		}
		return a.printJSON(v)
	}
	if c.Explain {
		show.ReadingOf(t, text, f.query, f.res).Print(a.screen(), f.res.Means)
	}
	show.Hits(a.screen(), rows, append(slices.Clone(c.Filter), c.Collection...))
	show.WhyNot(a.screen(), f.why)
	return nil
}
