package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"digesto"
	"digesto/model/vectorfile"
	"digesto/pack"
)

// doctorCmd looks at everything the program needs.
type doctorCmd struct{}

// Examples of the command.
func (doctorCmd) Examples() []string { return []string{"digesto doctor", "digesto doctor --json"} }

// finding is one thing looked at. State is "ok", "warn" or "fail".
type finding struct {
	What   string `json:"what"`
	State  string `json:"state"`
	Detail string `json:"detail"`
}

// Run prints the findings; exit 7 when one fails.
func (doctorCmd) Run(a *app) error {
	var all []finding
	add := func(what, state, format string, args ...any) {
		all = append(all, finding{what, state, fmt.Sprintf(format, args...)})
	}
	a.doctorSettings(add)
	a.doctorData(add)
	w, err := a.open(a.ctx)
	if err != nil {
		add("contenido propio", "fail", "%s", advised(err))
	} else {
		defer w.close()
		for _, p := range w.packs {
			if bad := pack.Check(p); len(bad) > 0 {
				add("paquete "+p.Name, "warn", "%d defectos: «digesto pack check»", len(bad))
			} else {
				add("paquete "+p.Name, "ok", "%d fichas", len(p.Fiches))
			}
		}
		doctorLaw(a.ctx, w, a.lostLibrary(), add)
	}
	a.doctorKept(add)
	a.doctorModels(add)
	return printFindings(a, all)
}

// doctorData says whether the data folder can be read and written.
func (a *app) doctorData(add func(what, state, format string, args ...any)) {
	if a.conf.data == "" {
		add("carpeta de datos", "warn", "%s; nombre una con --data o DIGESTO_DATA", a.conf.dataWhy)
		return
	}
	st, err := os.Stat(a.conf.data)
	switch {
	case os.IsNotExist(err) && a.conf.origins["data"] != "":
		add("carpeta de datos", "fail", "%s no existe. Si la había, devuélvala a su sitio o restaure una copia («digesto restore»); si es nueva, se crea al añadir textos", a.conf.data)
	case os.IsNotExist(err):
		add("carpeta de datos", "ok", "%s todavía no existe: se crea al añadir textos", a.conf.data)
	case err != nil:
		add("carpeta de datos", "fail", "no se puede mirar %s: %s", a.conf.data, digesto.Told(err))
	case !st.IsDir():
		add("carpeta de datos", "fail", "%s no es una carpeta", a.conf.data)
	default:
		f, err := os.CreateTemp(a.conf.data, ".doctor-")
		if err != nil {
			add("carpeta de datos", "warn", "%s se puede leer, pero no escribir", a.conf.data)
			return
		}
		f.Close()
		_ = os.Remove(filepath.Join(a.conf.data, filepath.Base(f.Name())))
		add("carpeta de datos", "ok", "%s", a.conf.data)
	}
}

// doctorLaw opens library and index as a question would, and proves every stored byte
// of the texts.
func doctorLaw(ctx context.Context, w *world, lost error, add func(what, state, format string, args ...any)) {
	if lost != nil {
		add("ley instalada", "fail", "%s", advised(lost))
		return
	}
	v, done, err := w.laws.view()
	switch {
	case err != nil:
		add("ley instalada", "fail", "%s", advised(err))
	case v.Snapshot == nil:
		add("ley instalada", "warn", "ninguna: solo fichas. Para instalar: digesto corpus add CARPETA --pack PAQUETE")
		done()
	default:
		defer done()
		bad, err := v.Snapshot.Problems(ctx)
		switch {
		case err != nil:
			add("ley instalada", "fail", "%s", advised(err))
		case len(bad) > 0:
			add("ley instalada", "fail", "%d textos dañados, que no se citan («digesto corpus check» los dice): añada de nuevo sus ficheros, o restaure una copia. El primero: %s", len(bad), bad[0])
		default:
			add("ley instalada", "ok", "%d normas, instantánea %.12s, enteras, con su índice", len(v.Snapshot.Norms()), v.Snapshot.Hash())
		}
		doctorVectors(w.laws, v.Snapshot.Content(), add)
	}
}

// doctorVectors looks at the vectors of the articles, where there are any. Without them
// a search goes on by its first stage: what is wrong with them is no failure.
func doctorVectors(l *laws, hash string, add func(what, state, format string, args ...any)) {
	path := keptPath(l.dir, hash)
	if l.model == nil || l.model.second == nil || !exists(path) {
		return
	}
	if f, err := vectorfile.Open(path, l.model.space); err != nil {
		add("vectores de los artículos", "warn", "%s", advised(err))
	} else {
		add("vectores de los artículos", "ok", "%d textos, enteros", f.Len())
	}
}

func printFindings(a *app, all []finding) error {
	failed := false
	for _, f := range all {
		failed = failed || f.State == "fail"
	}
	if a.json {
		if err := a.printJSON(map[string]any{"ok": !failed, "findings": all}); err != nil {
			return err
		}
	} else {
		st := a.outStyle()
		for _, f := range all {
			mark := map[string]string{"ok": st.good("bien "), "warn": st.mark("ojo  "), "fail": st.bad("FALLO")}[f.State]
			fmt.Fprintf(a.out, "%s  %s: %s\n", mark, f.What, clean(f.Detail))
		}
	}
	if failed {
		return checkFailed("hay fallos", "Cada línea «FALLO» dice qué hacer.")
	}
	return nil
}
