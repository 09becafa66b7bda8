package app

import (
	"digesto"
	"digesto/corpus"
	"digesto/pack"
)

// PackCoverage is what is installed of one pack.
type PackCoverage struct {
	Pack        string         `json:"pack"`
	Title       string         `json:"title"`
	Norms       int            `json:"norms"`
	Units       int            `json:"units"`
	Versions    int            `json:"versions"`
	Fiches      int            `json:"fiches"`
	Collections map[string]int `json:"collections"`
	Oldest      digesto.Date   `json:"oldest_text,omitempty"`
	Newest      digesto.Date   `json:"newest_text,omitempty"`
	Undated     int            `json:"undated"`
	Missing     []string       `json:"missing"`  // sources the pack expects that are not there
	Gaps        []string       `json:"gaps"`     // collections with nothing in them
	Damaged     []string       `json:"damaged"`  // installed norms whose stored text cannot be read
	Supplied    int            `json:"supplied"` // norms that somebody gave, of which nothing proves who published them
	Install     string         `json:"install,omitempty"`

	Sources []NormCompleteness `json:"sources"` // norm by norm
}

// coverage is what is installed of every pack.
type coverage struct {
	AsOf    digesto.Date   `json:"as_of"`
	Corpus  string         `json:"corpus"`
	Defects int            `json:"defects"`
	Packs   []PackCoverage `json:"packs"`

	Effects []corpus.Effect `json:"effects"` // of norms on others, each with what became of it
}

// MeasureCoverage says what is installed of one pack, or of all.
func MeasureCoverage(a *App, w *Workspace, pack string) (coverage, error) {
	if _, err := w.Pack(pack); err != nil {
		return coverage{}, err
	}
	snap, err := a.Snapshot(w)
	if err != nil {
		return coverage{}, err
	}
	defer snap.Close()
	out := coverage{AsOf: a.Today(), Corpus: snap.Hash(), Defects: len(snap.Defects()), Packs: []PackCoverage{}, Effects: EffectsOf(snap)}
	for _, p := range w.Packs {
		if pack != "" && p.Name != pack {
			continue
		}
		pc, err := coverageOf(snap, p)
		if err != nil {
			return coverage{}, err
		}
		out.Packs = append(out.Packs, pc)
	}
	return out, nil
}

func coverageOf(snap *corpus.Snapshot, p *pack.Pack) (PackCoverage, error) {
	pc := PackCoverage{Pack: p.Name, Title: p.Title, Fiches: len(p.Fiches), Collections: map[string]int{}, Missing: []string{}, Gaps: []string{}, Damaged: []string{}}
	for _, n := range snap.Norms() {
		if !p.Sees(n) {
			continue
		}
		pc.Norms++
		pc.Collections[n.Collection]++
		if n.Supplied {
			pc.Supplied++
		}
		if n.TextAsOf == "" {
			pc.Undated++
		} else {
			if pc.Oldest == "" || n.TextAsOf < pc.Oldest {
				pc.Oldest = n.TextAsOf
			}
			pc.Newest = max(pc.Newest, n.TextAsOf)
		}
		for u, err := range snap.All(n.ID) {
			if digesto.CodeOf(err) == digesto.CodeCheck {
				pc.Damaged = append(pc.Damaged, corpus.NameOf(n))
				break
			}
			if err != nil {
				return pc, err
			}
			pc.Units++
			pc.Versions += len(u.Versions)
		}
	}
	var err error
	if pc.Sources, err = completeness(snap, p.Sources); err != nil {
		return pc, err
	}
	for _, s := range pc.Sources {
		if !s.Installed {
			pc.Missing = append(pc.Missing, s.Title)
		}
	}
	for _, col := range p.Collections {
		if pc.Collections[col.Name] == 0 && col.Empty != "" {
			pc.Gaps = append(pc.Gaps, col.Empty)
		}
	}
	if pc.Norms == 0 {
		pc.Install = p.Install.Command()
	}
	return pc, nil
}
