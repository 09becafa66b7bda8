package main

import (
	"os"
	"path/filepath"

	"digesto"
	"digesto/cmd/digesto/internal/show"
	"digesto/disk"
	"digesto/eval"
	evalrun "digesto/eval/run"
	"digesto/pack"
	"digesto/store"
)

// evalPackCmd runs the cases that lie beside a pack.
type evalPackCmd struct {
	Pack     string `arg:"" optional:"" default:"all" placeholder:"PAQUETE|all" help:"Paquete, o all: todos."`
	All      bool   `name:"all" help:"Todos los paquetes; es lo mismo que all."`
	Baseline string `name:"baseline" placeholder:"FICHERO" help:"Cifras de referencia; sin él, las que trae el programa."`
	Update   bool   `name:"update" help:"Escribe las cifras de referencia (en --baseline, o en eval/golden)."`
	Set      string `name:"set" placeholder:"CARPETA" help:"Carpeta BEIR de guías: pasa por el recuperador del paquete en lugar de los casos."`
	Strategy string `name:"strategy" placeholder:"heuristic|model|cross|none" help:"Reordenación de las guías (también RAG_RERANK_STRATEGY); model y cross piden un lector o un reordenador configurados."`
	Ablation bool   `name:"ablation" help:"Quita cada etapa del buscador de guías por turno y dice qué gana o pierde."`
	Report   string `name:"report" placeholder:"FICHERO" help:"Informe: .md, .html (una página, con las trazas) o .json."`
	Misses   bool   `name:"misses" help:"Dice cada caso que falla."`
}

// Examples of the command.
func (evalPackCmd) Examples() []string {
	return []string{"digesto eval pack clara", "digesto eval pack all --report informe.html", "digesto eval pack clara --set ./guias --json", "digesto eval pack jus --update"}
}

// Run runs the cases and prints the figures; exit 7 when they are worse than the baseline.
func (c evalPackCmd) Run(a *program) error {
	w, err := a.Open(a.Context)
	if err != nil {
		return err
	}
	w.Store = store.Memory(a.Now)
	defer w.Close()
	which := w.Packs
	if c.All {
		c.Pack = "all"
	}
	if c.Pack != "all" {
		p, err := w.Pack(c.Pack)
		if err != nil {
			return err
		}
		which = []*pack.Pack{p}
		if c.Ablation {
			return c.ablation(a, w, p)
		}
	} else if c.Baseline != "" || c.Set != "" || c.Ablation {
		return &digesto.Error{Code: digesto.CodeUsage, Message: "--baseline, --set y --ablation son de un solo paquete", Hint: "Dé el nombre del paquete en lugar de all."}
	}
	var reports []eval.PackReport
	worse := false
	for _, p := range which {
		rep, err := evalrun.PackRun(c).One(a.App, w, p)
		if err != nil {
			return err
		}
		if c.Set == "" {
			if err := evalrun.PackRun(c).Compare(a.App, p, &rep); err != nil {
				return err
			}
		}
		worse = worse || rep.Compared != nil && rep.Compared.Worst
		reports = append(reports, rep)
	}
	if err := c.write(a, reports); err != nil {
		return err
	}
	if worse && !c.Update {
		return checkFailed("peor que las cifras de referencia", noWorse)
	}
	return nil
}

// write prints the figures and the report asked for.
func (c evalPackCmd) write(a *program, list []eval.PackReport) error {
	if c.Report != "" {
		var data []byte
		switch filepath.Ext(c.Report) {
		case ".md":
			data = eval.Markdown(list)
		case ".html":
			data = eval.Page(list)
		case ".json":
			data = eval.JSON(list)
		default:
			return &digesto.Error{Code: digesto.CodeUsage, Message: "no se sabe en qué forma escribir " + c.Report, Hint: "Dele un nombre que acabe en .md, .html o .json."}
		}
		if err := os.WriteFile(c.Report, data, 0o644); err != nil {
			return disk.Error(err, c.Report, "")
		}
	}
	if a.json {
		return a.printJSON(map[string]any{"packs": list, "metrics": eval.Flat(list)})
	}
	for _, p := range list {
		show.PackReport(a.screen(), p)
	}
	return nil
}
