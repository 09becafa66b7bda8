package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"digesto"
	"digesto/ask"
	"digesto/digest"
	"digesto/pack"
	"digesto/packs"
	"digesto/text"
)

// packDigestCmd counts and checks the digest: the questions that lead to each place.
type packDigestCmd struct {
	Paths    []string `arg:"" optional:"" placeholder:"RUTA" help:"Archivos o carpetas; sin ellos, lo que trae el programa."`
	Law      bool     `help:"Comprueba además cada entrada con la ley instalada."`
	Apart    string   `placeholder:"CARPETA" help:"Conjuntos de evaluación a cuyas preguntas ninguna ha de parecerse."`
	Vectors  string   `placeholder:"FICHERO" help:"Escribe además los vectores de las preguntas, que el programa lleva dentro."`
	Families int      `default:"12" help:"Entradas que han de compartir un patrón de pregunta para que se diga."`
}

// Examples of the command.
func (packDigestCmd) Examples() []string {
	return []string{"digesto pack digest", "digesto pack digest --json"}
}

// Run prints counts by pack and every problem; exit 7 when there is one.
func (c packDigestCmd) Run(a *app) error {
	files, bad, err := c.load()
	if err != nil {
		return err
	}
	if c.Vectors != "" {
		return a.writeAskVectors(files, c.Vectors)
	}
	near, err := c.near(files)
	if err != nil {
		return err
	}
	bad = append(bad, near...)
	var law digest.Law
	if c.Law {
		w, err := a.open(a.ctx)
		if err != nil {
			return err
		}
		defer w.close()
		v, done, err := w.laws.view()
		if err != nil {
			return err
		}
		defer done()
		if v.Snapshot == nil {
			return &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ley instalada con la que comparar", Hint: "Instale la ley con «digesto corpus add»."}
		}
		law = installed{v}
	}
	return c.report(a, files, bad, law)
}

// near gives the asks that are too near a question of the evaluation sets named.
func (c packDigestCmd) near(files []digest.File) ([]pack.Problem, error) {
	if c.Apart == "" {
		return nil, nil
	}
	questions, err := digest.Questions(os.DirFS(c.Apart))
	if err != nil {
		return nil, fileError(err, c.Apart, "Dé una carpeta con conjuntos de preguntas en JSON Lines.")
	}
	return digest.Apart(&text.Analyser{}, files, questions), nil
}

func (c packDigestCmd) report(a *app, files []digest.File, bad []pack.Problem, law digest.Law) error {
	reports := map[string]digest.Report{}
	for name, group := range digest.ByPack(files) {
		reports[name] = digest.Check(group, law)
		bad = append(bad, reports[name].Problems...)
	}
	families := digest.Families(files, c.Families)
	if a.json {
		if err := a.printJSON(map[string]any{"packs": reports, "families": len(families), "problems": nonNil(texts(bad))}); err != nil {
			return err
		}
	} else {
		c.print(a, reports, families, bad)
	}
	if len(bad) > 0 {
		return checkFailed("hay defectos", "Corrija los archivos indicados y repita la orden.")
	}
	return nil
}

func (c packDigestCmd) print(a *app, reports map[string]digest.Report, families []digest.Family, bad []pack.Problem) {
	for _, p := range bad {
		fmt.Fprintln(a.out, clean(p.String()))
	}
	for _, f := range families {
		fmt.Fprintf(a.out, "%d preguntas con un mismo patrón: %s (p. ej. %s:%d «%s»)\n", len(f.Asks), f.Skeleton, f.Asks[0].Entry.File, f.Asks[0].Ask.Line, clean(f.Asks[0].Ask.Text))
	}
	names := make([]string, 0, len(reports))
	for n := range reports {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		r := reports[n]
		fmt.Fprintf(a.out, "%s: %d normas, %d lugares, %d entradas, %d de lo que no está; preguntas:", n, r.Norms, r.Places, r.Entries, r.Elsewhere)
		for _, k := range digest.Kinds {
			fmt.Fprintf(a.out, " %s %d", k, r.Asks[k])
		}
		fmt.Fprintf(a.out, "; %d comparadas con la ley\n", r.Compared)
	}
	fmt.Fprintf(a.out, "%d defectos\n", len(bad))
}

func texts(bad []pack.Problem) (out []string) {
	for _, p := range bad {
		out = append(out, p.String())
	}
	return out
}

// load reads the files named, or those of the program.
func (c packDigestCmd) load() (files []digest.File, bad []pack.Problem, err error) {
	if len(c.Paths) == 0 {
		return digest.Load(packs.FS())
	}
	for _, p := range c.Paths {
		st, err := os.Stat(p)
		if err != nil {
			return nil, nil, fileError(err, p, "Dé un archivo de entradas o una carpeta que los tenga.")
		}
		dir, only := p, "."
		if !st.IsDir() {
			dir, only = filepath.Split(p)
		}
		f, b, err := readDigest(os.DirFS(cmp.Or(dir, ".")), only, dir)
		if err != nil {
			return nil, nil, fileError(err, p, "Compruebe el archivo.")
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

// installed is the law of a library as the digest is held against it.
type installed struct{ ask.View }

func (l installed) Installed(norm string) bool {
	_, ok := l.Snapshot.Norm(norm)
	return ok
}

func (l installed) Current(norm, unit string) (string, bool) {
	v, err := l.Snapshot.Text(norm, unit, "")
	return v.Text, err == nil
}
