package app

import (
	"digesto"
	"digesto/corpus"
	"digesto/text/cite"
)

// FindNorm finds a norm by id or by how people call it, in the law or the fiches.
func (a *App) FindNorm(w *Workspace, name string) (*corpus.Snapshot, digesto.Norm, error) {
	law, err := a.Snapshot(w)
	if err != nil {
		return nil, digesto.Norm{}, err
	}
	if n, ok := law.Norm(name); ok {
		return law, n, nil
	}
	var aliases []cite.Alias
	for _, p := range w.Packs {
		aliases = append(aliases, p.Aliases...)
	}
	for _, id := range cite.NewTable(aliases, law.Norms()).Recognise(name).Norms {
		if n, ok := law.Norm(id); ok {
			return law, n, nil
		}
	}
	law.Close()
	if n, ok := w.Embedded.Snapshot.Norm(name); ok {
		return w.Embedded.Snapshot, n, nil
	}
	return nil, digesto.Norm{}, &digesto.Error{Code: digesto.CodeNotFound, Message: "La norma «" + name + "» no está instalada", Hint: "Las instaladas: digesto corpus list"}
}

// FindUnit finds a unit by its id, its number or as one would cite it.
func FindUnit(w *Workspace, snap *corpus.Snapshot, n digesto.Norm, place string) (digesto.Unit, error) {
	if u, ok := snap.Cited(n.ID, place); ok {
		return u, nil
	}
	return snap.Load(n.ID, place) // for its error
}
