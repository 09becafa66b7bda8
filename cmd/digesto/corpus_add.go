package main

import (
	"fmt"
	"time"

	"digesto"
	"digesto/app"
	"digesto/cmd/digesto/internal/show"
	"digesto/cmd/digesto/internal/terminal"
	"digesto/corpus"
	"digesto/corpus/ingest"
	"digesto/ops"

	"github.com/schollz/progressbar/v3"
)

// corpusAddCmd reads files into the library.
type corpusAddCmd struct {
	Pack       string   `name:"pack" placeholder:"PAQUETE" help:"Paquete al que se añaden; sin él valen para todos."`
	Collection string   `name:"collection" placeholder:"C" help:"Colección: normativa, sentencias… Sin ella, la que diga el fichero."`
	Jobs       int      `name:"jobs" placeholder:"N" help:"Ficheros que se leen a la vez (0: tantos como procesadores)."`
	History    bool     `name:"history" default:"true" negatable:"" help:"En un repositorio git, lee también los textos anteriores cuyo día está probado (con --no-history, no)."`
	Replace    bool     `name:"replace" help:"Un texto aportado puede ocupar el lugar de la copia instalada de su norma."`
	Path       []string `arg:"" placeholder:"RUTA" help:"Ficheros o carpetas."`
}

// Examples of the command.
func (corpusAddCmd) Examples() []string {
	return []string{
		"digesto corpus add ./leyes --pack laboral",
		"digesto corpus add codigo.pdf --pack peru",
		"digesto corpus add ./legalize-es/es/BOE-A-2015-11430.md --pack laboral",
		"digesto corpus add sentencias.jsonl --pack laboral --collection sentencias",
	}
}

// Run adds what is new or changed and reports every defect.
func (c corpusAddCmd) Run(a *program) error {
	w, err := a.OpenPack(c.Pack)
	if err != nil {
		return err
	}
	defer w.Close()
	if c.Jobs < 0 {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "--jobs no puede ser negativo", Hint: "Use 0 para tantos como procesadores."}
	}
	lib, data, err := a.Library()
	if err != nil {
		return err
	}
	defer lib.Close()
	rep, err := a.Texts(w).Ingest(a.Context, lib, data, c.Path, ingest.Options{Pack: c.Pack, Collection: c.Collection, Jobs: c.Jobs, NoHistory: !c.History, Replace: c.Replace})
	if err != nil {
		a.skipped(rep.Skipped)
		return err
	}
	app.Prune(lib, data)
	if a.json {
		if err := a.printJSON(rep); err != nil {
			return err
		}
	} else {
		show.Added(a.screen(), rep)
	}
	if rep.Norms == 0 && rep.Unchanged == 0 {
		hint := "La lista de arriba dice por qué no se ha aceptado cada fichero: corríjalo y repita la orden."
		if rep.Files == 0 {
			hint = "No hay ficheros que se lean: dé uno, o una carpeta con PDF, Markdown, HTML, DOCX, texto o JSON Lines."
		}
		return &quietError{&digesto.Error{Code: digesto.CodeInvalid, Message: "no se ha añadido ningún texto", Hint: hint}}
	}
	return nil
}

// terminalBar draws a bar on a terminal and nothing elsewhere. done may be called
// more than once.
func (a *program) terminalBar(what string) (show func(n, total int), done func()) {
	if !a.errTerm {
		return func(int, int) {}, func() {}
	}
	var bar *progressbar.ProgressBar
	show = func(n, total int) {
		if bar == nil {
			bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(a.err), progressbar.OptionSetDescription(what),
				progressbar.OptionShowCount(), progressbar.OptionThrottle(65*time.Millisecond), progressbar.OptionClearOnFinish(), progressbar.OptionSetWidth(30))
		}
		_ = bar.Set(n)
	}
	return show, func() {
		if bar != nil {
			_ = bar.Finish()
			bar = nil
		}
	}
}

// skipped names files not taken, where it cannot spoil JSON.
func (a *program) skipped(list []corpus.Defect) {
	to := a.screen()
	if a.json {
		to.Writer = a.err
	}
	show.Skipped(to, list)
}

// corpusCheckCmd proves library and index sound.
type corpusCheckCmd struct{}

// Examples of the command.
func (corpusCheckCmd) Examples() []string {
	return []string{"digesto corpus check", "digesto corpus check --json"}
}

// Run checks every stored byte; exit 7 when something is wrong.
func (corpusCheckCmd) Run(a *program) error {
	r, err := ops.CheckLibrary(a.App)
	if err != nil {
		return err
	}
	if a.json {
		if err := a.printJSON(r); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(a.out, "Biblioteca: %d normas, instantánea %.12s\nÍndice: %s\n", r.Norms, r.Corpus, r.Index)
		show.Effects(a.screen(), r.Effects)
		for _, p := range r.Problems {
			fmt.Fprintln(a.out, a.outStyle().Bad("fallo:"), terminal.Clean(p))
		}
		if len(r.Problems) == 0 {
			fmt.Fprintln(a.out, a.outStyle().Good("Todo íntegro."))
		}
	}
	if len(r.Problems) > 0 {
		return checkFailed("hay fallos en la biblioteca", "Añada de nuevo los ficheros de las normas dañadas, o restaure una copia de seguridad.")
	}
	return nil
}
