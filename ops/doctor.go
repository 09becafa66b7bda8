package ops

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"digesto"
	"digesto/app"
	"digesto/app/law"
	"digesto/disk"
	"digesto/model/vectorfile"
	"digesto/pack"
)

// Finding is one thing looked at. State is "ok", "warn" or "fail".
type Finding struct {
	What   string `json:"what"`
	State  string `json:"state"`
	Detail string `json:"detail"`
}

// Doctor looks at everything that the program needs.
func Doctor(a *app.App) (all []Finding) {
	add := func(what, state, format string, args ...any) {
		all = append(all, Finding{what, state, fmt.Sprintf(format, args...)})
	}
	doctorSettings(a, add)
	doctorData(a, add)
	w, err := a.Open(a.Context)
	if err != nil {
		add("contenido propio", "fail", "%s", app.Advised(err))
	} else {
		defer w.Close()
		for _, p := range w.Packs {
			if bad := pack.Check(p); len(bad) > 0 {
				add("paquete "+p.Name, "warn", "%d defectos: «digesto pack check»", len(bad))
			} else {
				add("paquete "+p.Name, "ok", "%d fichas", len(p.Fiches))
			}
		}
		doctorLaw(a.Context, w, a.LostLibrary(), add)
	}
	doctorKept(a, add)
	doctorModels(a, add)
	return all
}

// doctorData says whether the data folder can be read and written.
func doctorData(a *app.App, add func(what, state, format string, args ...any)) {
	if a.Settings.Data == "" {
		add("carpeta de datos", "warn", "%s; nombre una con --data o DIGESTO_DATA", a.Settings.DataWhy)
		return
	}
	st, err := os.Stat(a.Settings.Data)
	switch {
	case os.IsNotExist(err) && a.Settings.Origins["data"] != "":
		add("carpeta de datos", "fail", "%s no existe. Si la había, devuélvala a su sitio o restaure una copia («digesto restore»); si es nueva, se crea al añadir textos", a.Settings.Data)
	case os.IsNotExist(err):
		add("carpeta de datos", "ok", "%s todavía no existe: se crea al añadir textos", a.Settings.Data)
	case err != nil:
		add("carpeta de datos", "fail", "no se puede mirar %s: %s", a.Settings.Data, digesto.Told(err))
	case !st.IsDir():
		add("carpeta de datos", "fail", "%s no es una carpeta", a.Settings.Data)
	default:
		f, err := os.CreateTemp(a.Settings.Data, ".doctor-")
		if err != nil {
			add("carpeta de datos", "warn", "%s se puede leer, pero no escribir", a.Settings.Data)
			return
		}
		f.Close()
		_ = os.Remove(filepath.Join(a.Settings.Data, filepath.Base(f.Name())))
		add("carpeta de datos", "ok", "%s", a.Settings.Data)
	}
}

// doctorLaw opens library and index as a question would, and proves every stored byte
// of the texts.
func doctorLaw(ctx context.Context, w *app.Workspace, lost error, add func(what, state, format string, args ...any)) {
	if lost != nil {
		add("ley instalada", "fail", "%s", app.Advised(lost))
		return
	}
	v, done, err := w.Law.View()
	switch {
	case err != nil:
		add("ley instalada", "fail", "%s", app.Advised(err))
	case v.Snapshot == nil:
		add("ley instalada", "warn", "ninguna: solo fichas. Para instalar: digesto corpus add CARPETA --pack PAQUETE")
		done()
	default:
		defer done()
		bad, err := v.Snapshot.Problems(ctx)
		switch {
		case err != nil:
			add("ley instalada", "fail", "%s", app.Advised(err))
		case len(bad) > 0:
			add("ley instalada", "fail", "%d textos dañados, que no se citan («digesto corpus check» los dice): añada de nuevo sus ficheros, o restaure una copia. El primero: %s", len(bad), bad[0])
		default:
			add("ley instalada", "ok", "%d normas, instantánea %.12s, enteras, con su índice", len(v.Snapshot.Norms()), v.Snapshot.Hash())
		}
		doctorVectors(w.Law, v.Snapshot.Content(), add)
	}
}

// doctorVectors looks at the vectors of the articles, where there are any. Without them
// a search goes on by its first stage: what is wrong with them is no failure.
func doctorVectors(l *law.Installed, hash string, add func(what, state, format string, args ...any)) {
	path := law.KeptPath(l.Dir, hash)
	if l.Model == nil || l.Model.Second == nil || !disk.Exists(path) {
		return
	}
	if f, err := vectorfile.Open(path, l.Model.Space); err != nil {
		add("vectores de los artículos", "warn", "%s", app.Advised(err))
	} else {
		add("vectores de los artículos", "ok", "%d textos, enteros", f.Len())
	}
}
