package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"digesto"
	"digesto/eval"
	"digesto/packs"
)

// evalTemporalCmd asks the same questions on several days.
type evalTemporalCmd struct {
	Pack  string   `name:"pack" placeholder:"PAQUETE" help:"Solo los casos de ese paquete."`
	Texts string   `name:"texts" placeholder:"CARPETA" help:"Carpeta con copias fechadas (NORMA@AAAA-MM-DD.md): cada cita se busca en la de su día."`
	File  []string `arg:"" optional:"" placeholder:"FICHERO.jsonl" help:"Casos; sin ficheros, los de los paquetes."`
}

// Examples of the command.
func (evalTemporalCmd) Examples() []string {
	return []string{"digesto eval temporal", "digesto eval temporal --pack laboral --texts ./historico --json"}
}

// Run prints what missed and the totals; exit 7 when law that did not hold was
// cited or an answer is wrong.
func (c evalTemporalCmd) Run(a *app) error {
	w, err := a.openPack(c.Pack)
	if err != nil {
		return err
	}
	defer w.close()
	cases, err := c.cases()
	if err != nil {
		return err
	}
	engine, err := a.engine(w)
	if err != nil {
		return err
	}
	law, done, err := w.laws.view()
	if err != nil {
		return err
	}
	defer done()
	if law.Snapshot == nil {
		return &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ley instalada", Hint: "Instálela con «digesto corpus add CARPETA»."}
	}
	opt := eval.TemporalOptions{Law: law.Snapshot, Out: a.err,
		Ask: func(ctx context.Context, q digesto.Question) (digesto.Answer, error) { return engine.Ask(ctx, q, nil) }}
	if c.Texts != "" {
		opt.Copy = datedCopies(c.Texts)
	}
	n, err := eval.Temporal(a.ctx, cases, opt)
	if err != nil {
		return err
	}
	if a.json {
		err = a.printJSON(map[string]any{"metrics": map[string]float64{"right": share(n.Right, n.Dates), "repealed_as_current": float64(n.Repealed)}, "counts": n, "queries": n.Questions})
	} else {
		_, err = fmt.Fprintf(a.out, "%d preguntas en %d fechas: %d bien (%.3f), %d sin respuesta, %d en otro lugar, %d de otra fecha; %d comparadas con su copia fechada\nDerecho no vigente citado como vigente: %d\n",
			n.Questions, n.Dates, n.Right, share(n.Right, n.Dates), n.Refused, n.Elsewhere, n.Wrong, n.States, n.Repealed)
	}
	if err != nil {
		return err
	}
	if n.Repealed > 0 || n.Wrong > 0 {
		return checkFailed("hay respuestas de otra fecha", "Cada línea dice qué falla en su caso.")
	}
	return nil
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// cases reads the files named, or those that the packs bring.
func (c evalTemporalCmd) cases() (out []eval.TemporalCase, err error) {
	add := func(name string, data []byte, err error) error {
		if err != nil {
			return &digesto.Error{Code: digesto.CodeNotFound, Message: "No se puede leer «" + name + "»", Hint: "Compruebe la ruta.", Err: err}
		}
		list, err := eval.ReadTemporal(data)
		for _, x := range list {
			if c.Pack == "" || x.Pack == c.Pack {
				out = append(out, x)
			}
		}
		return err
	}
	if len(c.File) > 0 {
		for _, name := range c.File {
			data, err := os.ReadFile(name)
			if err := add(name, data, err); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	names, err := fs.Glob(packs.FS(), "*/eval/temporal.jsonl")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := fs.ReadFile(packs.FS(), name)
		if err := add(name, data, err); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// datedCopies finds the copy of a norm of a day in a folder or below it.
func datedCopies(dir string) func(norm, state string) (string, error) {
	read := map[string]string{}
	return func(norm, state string) (string, error) {
		key := norm + "@" + state
		if s, ok := read[key]; ok {
			return s, nil
		}
		for _, pattern := range []string{key + ".md", "*/" + key + ".md", norm + ".md", "*/" + norm + ".md", "*/*/" + norm + ".md", "*/*/*/" + norm + ".md", "*/*/" + key + ".md"} {
			found, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil || len(found) == 0 {
				continue
			}
			data, err := os.ReadFile(found[0])
			read[key] = string(data)
			return read[key], err
		}
		return "", &digesto.Error{Code: digesto.CodeNotFound, Message: "No está la copia de " + norm + " del " + state, Hint: "Indique con --texts la carpeta que la contiene."}
	}
}
