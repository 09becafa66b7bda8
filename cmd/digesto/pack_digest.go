package main

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"digesto"
	"digesto/app"
	"digesto/cmd/digesto/internal/show"
	"digesto/digest"
	"digesto/disk"
	"digesto/pack"
	"digesto/packs"
	"digesto/text"
)

// packDigestCmd counts and checks the digest: the questions that lead to each place.
type packDigestCmd struct {
	Paths    []string `arg:"" optional:"" placeholder:"RUTA" help:"Archivos o carpetas; sin ellos, lo que trae el programa."`
	Law      bool     `help:"Comprueba además cada entrada con la ley instalada."`
	Norms    bool     `help:"Enseña, norma por norma de la ley instalada, a cuántas de sus unidades llevan preguntas, y las entradas retiradas."`
	Apart    string   `placeholder:"CARPETA" help:"Conjuntos de evaluación a cuyas preguntas ninguna ha de parecerse."`
	Make     string   `placeholder:"CARPETA" help:"Hace, en una carpeta de paquetes, lo que el programa lleva de sus preguntas: los textos comprimidos, y sus vectores y palabras."`
	Families int      `default:"12" help:"Entradas que han de compartir un patrón de pregunta para que se diga."`
}

// Examples of the command.
func (packDigestCmd) Examples() []string {
	return []string{"digesto pack digest", "digesto pack digest --norms", "digesto pack digest --json"}
}

// Run prints counts by pack and every problem; exit 7 when there is one.
func (c packDigestCmd) Run(a *program) error {
	if c.Make != "" {
		return a.MakeDigest(c.Make)
	}
	files, bad, err := c.load()
	if err != nil {
		return err
	}
	near, err := c.near(files)
	if err != nil {
		return err
	}
	bad = append(bad, near...)
	var law digest.Held
	if c.Law || c.Norms {
		w, err := a.Open(a.Context)
		if err != nil {
			return err
		}
		defer w.Close()
		v, done, err := w.Law.View()
		if err != nil {
			return err
		}
		defer done()
		if v.Snapshot == nil {
			return &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ley instalada con la que comparar", Hint: "Instale la ley con «digesto corpus add»."}
		}
		law = digest.Over(v.Snapshot, w.Embedded.Snapshot)
	}
	if c.Norms {
		return c.coverage(a, files, law)
	}
	return c.report(a, files, bad, law)
}

// coverage prints, by pack and norm, to how much of the installed law questions lead.
func (c packDigestCmd) coverage(a *program, files []digest.File, law digest.Held) error {
	by := map[string]digest.Coverage{}
	for name, group := range digest.ByPack(files) {
		by[name] = digest.Cover(group, law)
	}
	if a.json {
		return a.printJSON(by)
	}
	show.DigestCoverage(a.screen(), by)
	return nil
}

// near gives the asks that are too near a question of the evaluation sets named.
func (c packDigestCmd) near(files []digest.File) ([]pack.Problem, error) {
	if c.Apart == "" {
		return nil, nil
	}
	questions, err := digest.Questions(os.DirFS(c.Apart))
	if err != nil {
		return nil, disk.Error(err, c.Apart, "Dé una carpeta con conjuntos de preguntas en JSON Lines.")
	}
	return digest.Apart(&text.Analyser{}, files, questions), nil
}

func (c packDigestCmd) report(a *program, files []digest.File, bad []pack.Problem, law digest.Held) error {
	reports := map[string]digest.Report{}
	for name, group := range digest.ByPack(files) {
		if law == nil {
			reports[name] = digest.Check(group, nil)
		} else {
			reports[name] = digest.Check(group, law)
		}
		bad = append(bad, reports[name].Problems...)
	}
	families := digest.Families(files, c.Families)
	if a.json {
		if err := a.printJSON(map[string]any{"packs": reports, "families": len(families), "problems": app.NonNil(app.Lines(bad))}); err != nil {
			return err
		}
	} else {
		show.Digest(a.screen(), reports, families, bad)
	}
	if len(bad) > 0 {
		return checkFailed("hay defectos", "Corrija los archivos indicados y repita la orden.")
	}
	return nil
}

// load reads the files named, or those of the program.
func (c packDigestCmd) load() (files []digest.File, bad []pack.Problem, err error) {
	if len(c.Paths) == 0 {
		return digest.Load(packs.FS())
	}
	for _, p := range c.Paths {
		st, err := os.Stat(p)
		if err != nil {
			return nil, nil, disk.Error(err, p, "Dé un archivo de entradas o una carpeta que los tenga.")
		}
		dir, only := p, "."
		if !st.IsDir() {
			dir, only = filepath.Split(p)
		}
		f, b, err := readDigest(os.DirFS(cmp.Or(dir, ".")), only, dir)
		if err != nil {
			return nil, nil, disk.Error(err, p, "Compruebe el archivo.")
		}
		files, bad = append(files, f...), append(bad, b...)
	}
	return files, bad, nil
}

func readDigest(dir fs.FS, only, base string) ([]digest.File, []pack.Problem, error) {
	if only == "." {
		files, bad, err := digest.Load(dir)
		for i := range files {
			files[i].Name = path.Join(filepath.ToSlash(base), files[i].Name)
		}
		return files, bad, err
	}
	raw, err := fs.ReadFile(dir, only)
	if err != nil {
		return nil, nil, err
	}
	f, bad := digest.Parse(path.Join(filepath.ToSlash(base), only), string(raw))
	return []digest.File{f}, bad, nil
}
