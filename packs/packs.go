// Package packs holds the five packs of the program, embedded, so that a bare
// binary answers offline. Each is a directory of editable files (see package
// pack); es, ar and pe hold what several packs of one country share. Only
// packs/jus has code, because its law calculates.
package packs

import (
	"embed"
	"io/fs"

	"digesto/pack"
	"digesto/packs/jus"
)

//go:embed es ar pe laboral clara argentina peru
//go:embed jus/*.yaml jus/*.tsv jus/*.txt jus/prompts
var files embed.FS

// Names are the packs in the order in which people see them.
var names = []string{"peru", "jus", "laboral", "argentina", "clara"}

// FS gives the embedded files: every pack is a directory of it.
func FS() fs.FS { return files }

// Options says what replaces embedded tables.
type Options struct {
	JUS jus.Options // tables of the calculator of packs/jus
}

// All loads the five packs as embedded, with their calculators attached.
func All() ([]*pack.Pack, error) { return Load(Options{}) }

// Load loads the five packs, with their calculators attached.
func Load(opt Options) ([]*pack.Pack, error) {
	var out []*pack.Pack
	for _, n := range names {
		p, err := pack.Load(files, n)
		if err != nil {
			return nil, err
		}
		if n == "jus" {
			if err := jus.Attach(p, opt.JUS); err != nil {
				return nil, err
			}
		}
		out = append(out, p)
	}
	return out, nil
}

// One loads a pack by name; ok is false when there is none of that name.
func One(packs []*pack.Pack, name string) (p *pack.Pack, ok bool) {
	for _, p := range packs {
		if p.Name == name {
			return p, true
		}
	}
	return nil, false
}
