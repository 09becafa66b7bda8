package app

import (
	"os"
	"path/filepath"

	"digesto"
	"digesto/app/law"
	"digesto/corpus"
	"digesto/corpus/sync"
	"digesto/index"
)

// Library opens the library of the data folder for writing; the folder is made.
func (a *App) Library() (*corpus.Library, string, error) {
	data, err := a.NeedData()
	if err != nil {
		return nil, "", err
	}
	if err := os.MkdirAll(data, 0o755); err != nil {
		return nil, "", &digesto.Error{Code: digesto.CodeInvalid, Message: "No se puede escribir en la carpeta de datos «" + data + "»", Err: err,
			Hint: "Elija otra con --data CARPETA o DIGESTO_DATA."}
	}
	lib, err := corpus.Open(filepath.Join(data, "corpus"), a.corpusOptions())
	return lib, data, err
}

// BeforeSwap builds the index of a new snapshot before anyone can read it.
func (a *App) BeforeSwap(data string) func(*corpus.Snapshot) error {
	return func(s *corpus.Snapshot) error {
		if s.Hash() == "" || len(s.Norms()) == 0 {
			return nil
		}
		m, err := a.Meaning()
		if err != nil || a.soundIndex(data, s, m) {
			return err
		}
		err = law.BuildIndex(a.Context, data, s, m)
		if err == nil || m == nil || m.Own || a.Context.Err() != nil {
			return err
		}
		a.Say("No se puede hacer el índice del modelo de vectores configurado (%s): se hace con el que trae el programa. %s", digesto.Told(err), digesto.HintOf(err))
		return law.BuildIndex(a.Context, data, s, law.OwnEmbedding(true))
	}
}

// soundIndex says whether the index of a snapshot is there already, whole and with
// the vectors that are wanted: what is indexed did not change.
func (a *App) soundIndex(data string, s *corpus.Snapshot, m *law.Embedding) bool {
	ix, err := index.Open(law.IndexDir(data, s.Content()+m.Suffix()), m.Opened())
	if err != nil {
		return false
	}
	defer ix.Close()
	return (m == nil || ix.Model() == m.First.Name()) && ix.Check(a.Context) == nil
}

// Prune keeps the index of the current snapshot and of the one before it.
func Prune(lib *corpus.Library, data string) {
	var keep []string
	var states []*corpus.Snapshot
	for _, state := range []func() (*corpus.Snapshot, error){lib.Current, lib.Previous} {
		if s, err := state(); err == nil {
			keep, states = append(keep, s.Content()), append(states, s)
			defer s.Close()
		}
	}
	if len(keep) > 0 {
		law.PruneIndexes(data, keep...)
		law.PruneKept(data, keep...)
		sync.PruneOriginals(data, states...)
	}
}

// Snapshot opens the installed texts alone, without their index.
func (a *App) Snapshot(w *Workspace) (*corpus.Snapshot, error) {
	if w.Law.Library == nil {
		return corpus.Memory(), nil
	}
	snap, err := w.Law.Library.Current()
	return snap, w.Law.Unsound(err)
}

// InPack says whether a norm is of a pack; one of none is of all.
func InPack(n digesto.Norm, pack string) bool {
	for _, p := range n.Packs {
		if p == pack {
			return true
		}
	}
	return len(n.Packs) == 0
}

// OpenTexts opens as OpenPack does, and the installed texts alone, without their index.
func (a *App) OpenTexts(name string) (w *Workspace, snap *corpus.Snapshot, done func(), err error) {
	if w, err = a.OpenPack(name); err != nil {
		return nil, nil, nil, err
	}
	if snap, err = a.Snapshot(w); err != nil {
		w.Close()
		return nil, nil, nil, err
	}
	return w, snap, func() { _ = snap.Close(); w.Close() }, nil
}
