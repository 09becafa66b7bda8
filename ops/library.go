package ops

import (
	"path/filepath"

	"digesto"
	"digesto/app"
	"digesto/app/law"
	"digesto/corpus"
	"digesto/disk"
	"digesto/index"
)

// LibraryCheck is what was found of the library and its index.
type LibraryCheck struct {
	Corpus   string   `json:"corpus"`
	Norms    int      `json:"norms"`
	Problems []string `json:"problems"`
	Index    string   `json:"index"`

	Effects []corpus.Effect `json:"effects"` // of norms on others, each with what became of it
}

// CheckLibrary checks every stored byte of the library, and its index.
func CheckLibrary(a *app.App) (r LibraryCheck, err error) {
	data, err := a.NeedData()
	if err != nil {
		return r, err
	}
	if err := a.LostLibrary(); err != nil {
		return r, err
	}
	l, err := a.OpenLaws()
	if err != nil {
		return r, err
	}
	defer l.Close()
	snap, err := a.Snapshot(&app.Workspace{Law: l})
	if err != nil {
		return r, err
	}
	defer snap.Close()
	if snap.Hash() == "" && !disk.Exists(filepath.Join(data, "corpus", "CURRENT")) {
		return r, &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay biblioteca en «" + data + "»: no hay nada que comprobar", Hint: "Si la había, restaure una copia («digesto restore»); si no, cree una con «digesto corpus add»."}
	}
	r = LibraryCheck{Corpus: snap.Hash(), Norms: len(snap.Norms()), Index: "sin índice: no hay normas", Effects: app.EffectsOf(snap)}
	if r.Problems, err = snap.Problems(a.Context); err != nil {
		return r, err
	}
	if r.Problems == nil {
		r.Problems = []string{}
	}
	if snap.Hash() != "" {
		r.Index = "íntegro"
		switch err := checkIndex(a, data, snap); {
		case digesto.CodeOf(err) == digesto.CodeNotFound: // after an upgrade, or a backup put back
			r.Index = "aún no hecho: se hará al usarlo"
		case err != nil:
			r.Index = "dañado: se reconstruirá al usarlo"
			r.Problems = append(r.Problems, digesto.Told(err))
		}
	}
	return r, nil
}

func checkIndex(a *app.App, data string, snap *corpus.Snapshot) error {
	ix, err := index.Open(law.IndexDir(data, snap.Content()), index.OpenOptions{})
	if err != nil {
		return err
	}
	defer ix.Close()
	return ix.Check(a.Context)
}
