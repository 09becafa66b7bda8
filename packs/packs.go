// Package packs holds the five packs of the program, embedded, so that a bare
// binary answers offline. Each is a directory of editable files (see package
// pack); es, ar and pe hold what several packs of one country share, all what
// every pack shares. Only packs/jus and packs/laboral have code, because their
// law calculates. Of the digests the binary carries what `digesto pack digest
// --make packs` makes of their files: compressed texts, vectors and words.
package packs

import (
	"embed"
	"io/fs"
	"path"
	"slices"

	"digesto"
	"digesto/pack"
	"digesto/packs/jus"
	"digesto/packs/laboral"

	"golang.org/x/sync/errgroup"
)

//go:embed es/*.tsv ar/*.tsv pe/*.tsv clara/*.tsv laboral/*.tsv jus/*.tsv
//go:generate sh -c "go run digesto/pack/trees */*.yaml"
//go:embed */*.yaml */*.tree */synonyms.txt */prompts */digest.zst clara/eval argentina/eval peru/eval jus/eval
//go:embed laboral/eval/temporal.jsonl laboral/eval/questions.jsonl
var files embed.FS

// DigestVectors holds the vectors and words of the digest's questions, in the form of package
// search.
//
//go:embed digest.vec
var DigestVectors []byte

// Fiches is the index of the fiches and tables of the packs, in the form of index.Packed.
//
//go:generate go run digesto/app/fiches fiches.idx
//go:embed fiches.idx
var Fiches []byte

// Decide holds the weights of what decides whether a place answers, as
// `digesto tune --out packs/decide.json` writes them.
//
//go:embed decide.json
var Decide []byte

// Names are the packs in the order in which people see them.
var names = []string{"peru", "jus", "laboral", "argentina", "clara"}

// FS gives the embedded files: every pack is a directory of it.
func FS() fs.FS { return files }

// Options says what replaces embedded tables.
type Options struct {
	JUS jus.Options // tables of the calculator of packs/jus
	// More holds packs beside the program's, a directory each; nil = none.
	More fs.FS
}

// Load loads the five packs, with their calculators attached, and those beside them.
// They are read side by side: it is the longest part of the start of the program.
func Load(opt Options) ([]*pack.Pack, error) {
	out := make([]*pack.Pack, len(names))
	var g errgroup.Group
	for i, n := range names {
		g.Go(func() (err error) {
			if out[i], err = pack.Load(files, n); err != nil {
				return err
			}
			switch n {
			case "jus":
				return jus.Attach(out[i], opt.JUS)
			case "laboral":
				return laboral.Attach(out[i])
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	more, err := beside(opt.More)
	return append(out, more...), err
}

// beside loads the packs of a file system: the directories of it that have a manifest.
func beside(more fs.FS) (out []*pack.Pack, err error) {
	if more == nil {
		return nil, nil
	}
	manifests, err := fs.Glob(more, "*/pack.yaml")
	for _, m := range manifests {
		p, err := pack.Load(more, path.Dir(m))
		if err == nil && (p.Name != path.Dir(m) || slices.Contains(names, p.Name)) {
			err = &digesto.Error{Code: digesto.CodeInvalid, Message: "El paquete de la carpeta «" + path.Dir(m) + "» se llama «" + p.Name + "»", Hint: "Un paquete se llama como su carpeta, y no como uno del programa."}
		}
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, err
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
