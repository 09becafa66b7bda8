package app

import (
	"cmp"
	"strings"
	"sync"

	"digesto/corpus"
	"digesto/pack"
)

// NormNames is what the packs know of norms, made once.
type NormNames struct {
	once sync.Once
	all  map[string]corpus.Known
}

// of takes it from packs that are loaded.
func (k *NormNames) of(all []*pack.Pack) map[string]corpus.Known {
	if k == nil {
		return knownNames(all)
	}
	k.once.Do(func() { k.all = knownNames(all) })
	return k.all
}

// CorpusOptions open every library alike: the law is read on the day of today, and its
// norms are called as the packs know them.
func (a *App) corpusOptions() corpus.Options {
	return corpus.Options{Today: a.Today, Known: func() map[string]corpus.Known {
		if a.Names != nil && a.Names.all != nil {
			return a.Names.all
		}
		all, err := a.Packs()
		if err != nil {
			return nil // who needs the packs is told
		}
		return a.Names.of(all)
	}}
}

// knownNames gives what the packs know of norms by identifier. A norm that two packs
// know has the first customary name and the first page of its own.
func knownNames(all []*pack.Pack) map[string]corpus.Known {
	out, customary := map[string]corpus.Known{}, map[string]bool{}
	for _, p := range all {
		for _, s := range p.Sources {
			id := strings.ToLower(s.ID)
			k := out[id]
			if k.Name == "" || s.Short != "" && !customary[id] {
				k.Name, customary[id] = s.Name(), s.Short != ""
			}
			k.Page = cmp.Or(k.Page, s.Page())
			k.Anchors = k.Anchors || k.Page == s.Page() && p.Anchored(k.Page)
			out[id] = k
		}
	}
	return out
}
