package main

import (
	"fmt"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"digesto"
	"digesto/app"
	"digesto/app/law"
	"digesto/corpus"
	"digesto/corpus/ingest"
	"digesto/disk"
	"digesto/index"

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
		printSkipped(a, rep.Skipped)
		return err
	}
	app.Prune(lib, data)
	if a.json {
		if err := a.printJSON(rep); err != nil {
			return err
		}
	} else {
		printReport(a, rep)
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

// printReport says what was added and everything that was found wrong.
func printReport(a *program, r ingest.Report) {
	st := a.outStyle()
	fmt.Fprintf(a.out, "%d ficheros: %d leídos, %d sin cambios, %d no aceptados · %s\n", r.Files, r.Changed, r.Unchanged, len(r.Skipped), r.Elapsed.Round(10*time.Millisecond))
	if r.Norms > 0 {
		fmt.Fprintf(a.out, "%d normas, %d artículos y otras unidades, %d versiones, %d referencias (%d resueltas)\n", r.Norms, r.Units, r.Versions, r.References, r.Resolved)
	}
	printSkipped(a, r.Skipped)
	if len(r.Defects) > 0 {
		fmt.Fprintln(a.out, st.bold(fmt.Sprintf("Defectos de los textos aceptados: %d", len(r.Defects))))
		for _, d := range r.Defects {
			fmt.Fprintln(a.out, "  "+app.DefectLine(d))
		}
	}
	if len(r.Kinds) > 0 {
		var kinds []string
		for k, n := range r.Kinds {
			kinds = append(kinds, fmt.Sprintf("%s %d", k, n))
		}
		sort.Strings(kinds)
		fmt.Fprintln(a.out, st.dim("por clase: "+strings.Join(kinds, ", ")))
	}
	if r.Snapshot != "" {
		fmt.Fprintln(a.out, st.dim("instantánea "+r.Snapshot))
	}
}

// printSkipped names files not taken. It writes where it cannot spoil JSON.
func printSkipped(a *program, skipped []corpus.Defect) {
	w := a.out
	if a.json {
		w = a.err
	}
	for _, d := range skipped {
		fmt.Fprintln(w, a.outStyle().bad("no aceptado:"), app.DefectLine(d))
	}
}

// corpusCheckCmd proves library and index sound.
type corpusCheckCmd struct{}

// Examples of the command.
func (corpusCheckCmd) Examples() []string {
	return []string{"digesto corpus check", "digesto corpus check --json"}
}

type checkReport struct {
	Corpus   string   `json:"corpus"`
	Norms    int      `json:"norms"`
	Problems []string `json:"problems"`
	Index    string   `json:"index"`

	Effects []corpus.Effect `json:"effects"` // of norms on others, each with what became of it
}

// Run checks every stored byte; exit 7 when something is wrong.
func (corpusCheckCmd) Run(a *program) error {
	data, err := a.NeedData()
	if err != nil {
		return err
	}
	if err := a.LostLibrary(); err != nil {
		return err
	}
	l, err := a.OpenLaws()
	if err != nil {
		return err
	}
	defer l.Close()
	snap, err := a.Snapshot(&app.Workspace{Law: l})
	if err != nil {
		return err
	}
	defer snap.Close()
	if snap.Hash() == "" && !disk.Exists(filepath.Join(data, "corpus", "CURRENT")) {
		return &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay biblioteca en «" + data + "»: no hay nada que comprobar", Hint: "Si la había, restaure una copia («digesto restore»); si no, cree una con «digesto corpus add»."}
	}
	r := checkReport{Corpus: snap.Hash(), Norms: len(snap.Norms()), Index: "sin índice: no hay normas", Effects: app.EffectsOf(snap)}
	if r.Problems, err = snap.Problems(a.Context); err != nil {
		return err
	}
	if r.Problems == nil {
		r.Problems = []string{}
	}
	if snap.Hash() != "" {
		r.Index = "íntegro"
		switch err := checkIndex(a.App, data, snap); {
		case digesto.CodeOf(err) == digesto.CodeNotFound: // after an upgrade, or a backup put back
			r.Index = "aún no hecho: se hará al usarlo"
		case err != nil:
			r.Index = "dañado: se reconstruirá al usarlo"
			r.Problems = append(r.Problems, digesto.Told(err))
		}
	}
	return r.print(a)
}

func checkIndex(a *app.App, data string, snap *corpus.Snapshot) error {
	ix, err := index.Open(law.IndexDir(data, snap.Content()), index.OpenOptions{})
	if err != nil {
		return err
	}
	defer ix.Close()
	return ix.Check(a.Context)
}

func (r checkReport) print(a *program) error {
	if a.json {
		if err := a.printJSON(r); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(a.out, "Biblioteca: %d normas, instantánea %.12s\nÍndice: %s\n", r.Norms, r.Corpus, r.Index)
		printEffects(a, r.Effects)
		for _, p := range r.Problems {
			fmt.Fprintln(a.out, a.outStyle().bad("fallo:"), clean(p))
		}
		if len(r.Problems) == 0 {
			fmt.Fprintln(a.out, a.outStyle().good("Todo íntegro."))
		}
	}
	if len(r.Problems) > 0 {
		return checkFailed("hay fallos en la biblioteca", "Añada de nuevo los ficheros de las normas dañadas, o restaure una copia de seguridad.")
	}
	return nil
}
