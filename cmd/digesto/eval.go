package main

import (
	"digesto/app"
	"digesto/cmd/digesto/internal/show"
	"digesto/disk"
	"digesto/eval"
	evalrun "digesto/eval/run"
)

// evalCmd groups the measures.
type evalCmd struct {
	Retrieval  evalRetrievalCmd  `cmd:"" help:"Mide la búsqueda con un conjunto en formato BEIR."`
	Places     evalPlacesCmd     `cmd:"" help:"Mide a qué lugar de la ley lleva cada pregunta."`
	Answers    evalAnswersCmd    `cmd:"" help:"Hace muchas preguntas y prueba cada cita."`
	Refusals   evalRefusalsCmd   `cmd:"" help:"Quita leyes del índice y cuenta qué se contesta de todos modos."`
	Temporal   evalTemporalCmd   `cmd:"" help:"Pregunta lo mismo en varias fechas y prueba que cada respuesta es de la suya."`
	References evalReferencesCmd `cmd:"" help:"Compara las referencias halladas al añadir la ley con las de pasajes etiquetados a mano."`
	Exam       evalExamCmd       `cmd:"" help:"Contesta un examen de opciones solo con lo que dice la ley."`
	Dialogues  evalDialoguesCmd  `cmd:"" help:"Lleva conversaciones escritas de antemano y cuenta cómo acaban."`
	Models     evalModelsCmd     `cmd:"" help:"Compara las respuestas sin modelo, con el configurado y con uno de guion."`
	Draft      evalDraftCmd      `cmd:"" help:"Hace casos de las respuestas que alguien marcó como malas, con su traza."`
	Verify     evalVerifyCmd     `cmd:"" help:"Comprueba textos cuya verdad se sabe y cuenta los falsos que pasan y los ciertos que se reconocen."`
	Pack       evalPackCmd       `cmd:"" help:"Ejecuta los casos propios de un paquete y los compara con las cifras de referencia."`
}

// Examples of the group.
func (evalCmd) Examples() []string {
	return []string{"digesto eval retrieval ./conjunto", "digesto eval retrieval ./conjunto --ablation", "digesto eval answers preguntas.jsonl --pack laboral"}
}

// evalRetrievalCmd measures search alone.
type evalRetrievalCmd struct {
	Queries  string `name:"queries" placeholder:"FICHERO" help:"Preguntas; sin él, DIR/queries.jsonl."`
	Qrels    string `name:"qrels" placeholder:"FICHERO" help:"Juicios; sin él, DIR/qrels.tsv."`
	GroupBy  string `name:"group-by" enum:",law" default:"" placeholder:"law" help:"law: ordena leyes, no artículos."`
	Lay      string `name:"lay" enum:"auto,off" default:"auto" placeholder:"auto|off" help:"auto: añade las palabras de la ley a las de la calle según el país del corpus; off: no."`
	Vectors  string `name:"vectors" enum:"auto,full,static,off" default:"auto" placeholder:"auto|full|static|off" help:"auto: palabras y vectores; full: también los vectores propios de los artículos cuando la pregunta nombra su norma (minutos la primera vez); static: sin los propios; off: solo palabras."`
	Ablation bool   `name:"ablation" help:"Quita cada etapa por turno y compara: una tabla, con lo que cada una gana o pierde."`
	Run_     string `name:"run" placeholder:"FICHERO" help:"Guarda los resultados en JSON Lines."`
	Dir      string `arg:"" placeholder:"DIR" help:"Carpeta con corpus.jsonl, queries.jsonl y qrels.tsv."`
}

// Examples of the command.
func (evalRetrievalCmd) Examples() []string {
	return []string{"digesto eval retrieval ./conjunto", "digesto eval retrieval ./conjunto --ablation", "digesto eval retrieval ./conjunto --group-by law --run resultados.jsonl --json"}
}

// Run measures and prints the metrics.
func (c evalRetrievalCmd) Run(a *program) error {
	a.NoVectors, a.OneStage = c.Vectors == "off", c.Vectors == "static"
	a.EveryNorm = c.Vectors == "full"
	a.Budget = -1 // figures must not depend on how fast the machine is
	all, err := a.Packs()
	if err != nil {
		return err
	}
	opt := eval.RetrievalOptions{Build: a.BuildIndexOf, Queries: c.Queries, Qrels: c.Qrels, ByLaw: c.GroupBy == "law", Aliases: app.AliasesOf(all), Packs: all}
	if c.Ablation {
		return c.ablation(a, opt)
	}
	opt.Query = evalrun.Queries(all, c.Lay != "off", true)
	out, flush, err := disk.Results(c.Run_)
	if err != nil {
		return err
	}
	if out != nil {
		opt.Run = out
	}
	rep, err := eval.Retrieval(a.Context, c.Dir, opt)
	if err != nil {
		return err
	}
	if err := flush(); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(rep)
	}
	return show.Retrieval(a.screen(), rep)
}
