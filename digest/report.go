package digest

import (
	"path/filepath"
	"slices"
	"strings"

	"digesto/pack"
	"digesto/text"
)

// Law is the installed law that entries are held against.
type Law interface {
	// Installed says whether a norm is there.
	Installed(norm string) bool
	// Current gives the text in force of a unit; ok is false when there is none.
	Current(norm, unit string) (text string, ok bool)
}

// Report is what a check of files found.
type Report struct {
	Norms     int            `json:"norms"`
	Places    int            `json:"places"`    // different places with an entry
	Entries   int            `json:"entries"`   // one a matter
	Asks      map[Kind]int   `json:"asks"`      // by kind
	Elsewhere int            `json:"elsewhere"` // entries of what is not in the law at hand
	Skipped   int            `json:"skipped"`   // groups of units left out, with a reason
	Compared  int            `json:"compared"`  // entries held against installed law
	Problems  []pack.Problem `json:"-"`
}

// Check proves files sound: each entry in itself, asks against each other, and,
// with law, each entry against its unit. An entry whose norm is not installed is
// not compared; one whose unit or words are no longer there is a problem.
func Check(files []File, law Law) Report {
	var an text.Analyser
	r := Report{Asks: map[Kind]int{}}
	places := map[string]bool{}
	for _, f := range files {
		r.Norms++
		r.Skipped += len(f.Skipped)
		for _, e := range f.Entries {
			r.add(e, places)
			r.Problems = append(r.Problems, e.Form()...)
			if law != nil && !e.Elsewhere() && law.Installed(e.Norm) {
				r.Compared++
				r.Problems = append(r.Problems, e.beside(&an, law)...)
			}
		}
	}
	r.Places = len(places)
	r.Problems = append(r.Problems, Twice(&an, files)...)
	return r
}

func (r *Report) add(e Entry, places map[string]bool) {
	if e.Elsewhere() {
		r.Elsewhere++
	} else {
		r.Entries++
		places[e.Place()] = true
	}
	for _, k := range Kinds {
		r.Asks[k] += e.Count(k)
	}
}

// beside holds an entry against the law installed.
func (e Entry) beside(an *text.Analyser, law Law) []pack.Problem {
	unit, ok := law.Current(e.Norm, e.Unit)
	if !ok {
		return []pack.Problem{{File: e.File, Line: e.Line, Text: "«" + e.Unit + "» no es una unidad vigente de " + e.Norm}}
	}
	return e.Against(an, unit)
}

// ByPack groups files by the pack whose folder holds them: the element of their
// name before "digest"; "" where there is none.
func ByPack(files []File) map[string][]File {
	out := map[string][]File{}
	for _, f := range files {
		dir := strings.Split(filepath.ToSlash(f.Name), "/")
		name := ""
		if i := slices.Index(dir, "digest"); i > 0 {
			name = dir[i-1]
		}
		out[name] = append(out[name], f)
	}
	return out
}
