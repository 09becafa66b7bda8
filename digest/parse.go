package digest

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"digesto/pack"
)

// Load reads every file of a folder, in the order of their names; where it is one of packs,
// whose digests are folders or archives, only theirs. What is wrong with a line is a problem;
// the rest of the file is read on.
func Load(dir fs.FS) (files []File, problems []pack.Problem, err error) {
	keep := func(f File, bad []pack.Problem) { files, problems = append(files, f), append(problems, bad...) }
	packs, err := Packs(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range packs {
		if err := read(dir, p, entries, keep); err != nil {
			return nil, nil, err
		}
	}
	if len(packs) > 0 {
		return files, problems, nil
	}
	err = fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !entries(name) {
			return err
		}
		raw, err := fs.ReadFile(dir, name)
		if err != nil {
			return err
		}
		keep(Parse(name, string(raw)))
		return nil
	})
	return files, problems, err
}

// Packs are the folders of a folder that have a digest, sorted.
func Packs(dir fs.FS) (out []string, err error) {
	for _, of := range []string{"digest", Archive} {
		found, err := fs.Glob(dir, "*/"+of)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			out = append(out, path.Dir(f))
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// entries says that a file has entries.
func entries(name string) bool { return path.Ext(name) == ".txt" }

// All is the folder of what every pack shares: matters that no law answers.
const All = "all"

// Shared is the file of a pack's folder that names files of other packs, a line each
// ("laboral/digest/NORM.txt"): law that its people ask about too.
const Shared = "digest/shared.list"

// Pack reads the files of one pack of a folder of packs, and those that all share.
func Pack(dir fs.FS, name string) (files []File, problems []pack.Problem, err error) {
	files, problems, err = gather(dir, name)
	for i := range files {
		if err == nil {
			err = files[i].open()
		}
	}
	return files, problems, err
}

// Lazy is Pack for who looks at few entries: of an archive each is without text, words and asks
// until it is opened.
func Lazy(dir fs.FS, name string) ([]File, error) {
	files, _, err := gather(dir, name)
	return files, err
}

// gather opens the files of a pack: its own, those that all share, and those that others lend.
func gather(dir fs.FS, name string) (files []File, problems []pack.Problem, err error) {
	var lent []string
	keep := func(x stored) error {
		if x.name == name+"/"+Shared {
			text, err := x.text()
			lent = strings.Fields(text)
			return err
		}
		f, bad, err := x.file()
		files, problems = append(files, f), append(problems, bad...)
		return err
	}
	for _, n := range []string{name, All} {
		if err := each(dir, n, keep); err != nil {
			return nil, nil, err
		}
	}
	for _, owner := range owners(lent) {
		err := each(dir, owner, func(x stored) error {
			if !slices.Contains(lent, x.name) {
				return nil
			}
			return keep(x)
		})
		if err != nil {
			return nil, nil, err
		}
	}
	for _, n := range lent {
		if !slices.ContainsFunc(files, func(f File) bool { return f.Name == n }) {
			return nil, nil, &fs.PathError{Op: "open", Path: n, Err: fs.ErrNotExist}
		}
	}
	return files, problems, nil
}

// owners are the packs that files are of, in their order.
func owners(files []string) (out []string) {
	for _, f := range files {
		if of, _, _ := strings.Cut(f, "/"); !slices.Contains(out, of) {
			out = append(out, of)
		}
	}
	return out
}

// Parse reads one file.
func Parse(name, text string) (File, []pack.Problem) {
	sum := sha256.Sum256([]byte(text))
	p := parser{file: File{Name: name, Sum: sum[:]}}
	p.lines(text)
	p.close()
	p.file.Entries = slices.Clone(p.file.Entries)
	return p.file, p.bad
}

// lines reads on.
func (p *parser) lines(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		p.line++
		p.read(strings.TrimRight(line, " \t\r"))
	}
}

type parser struct {
	file      File
	elsewhere bool
	talk      bool
	open      *Entry // being read
	last      *string
	line      int
	bad       []pack.Problem
}

func (p *parser) say(what string, args ...any) {
	p.bad = append(p.bad, pack.Problem{File: p.file.Name, Line: p.line, Text: fmt.Sprintf(what, args...)})
}

func (p *parser) read(line string) {
	switch unit, begins := strings.CutPrefix(line, "=="); {
	case line == "" || line[0] == '#':
	case begins:
		p.close()
		p.begin(strings.TrimSpace(unit))
	case strings.HasPrefix(line, "  "):
		if p.last == nil {
			p.say("la línea sigue a otra que no hay")
			return
		}
		*p.last += " " + strings.TrimSpace(line)
	default:
		key, value, ok := strings.Cut(line, ":")
		if value = strings.TrimSpace(value); !ok || value == "" {
			p.say("se espera «clave: valor», no «%s»", clip(line))
			return
		}
		if p.open == nil {
			p.head(key, value)
			return
		}
		p.field(key, value)
	}
}

func (p *parser) begin(unit string) {
	if unit == "" || strings.ContainsAny(unit, " /") {
		p.say("«== %s» no es el identificador de una unidad", clip(unit))
	}
	if p.file.Norm == "" && !p.elsewhere {
		p.say("falta «norm:» al principio del archivo")
	}
	p.open = &Entry{Norm: p.file.Norm, Unit: unit, Talk: p.talk, File: p.file.Name, Line: p.line}
}

func (p *parser) close() {
	if p.open != nil {
		p.open.Asks = slices.Clone(p.open.Asks) // without the room to grow
		p.file.Entries = append(p.file.Entries, *p.open)
	}
	p.open, p.last = nil, nil
}

func (p *parser) head(key, value string) {
	switch key {
	case "norm":
		p.file.Norm = value
	case "elsewhere":
		p.elsewhere, p.talk = value == "yes" || value == "talk", value == "talk"
	case "title":
	case "skip":
		units, why, _ := strings.Cut(value, "|")
		if why = strings.TrimSpace(why); why == "" {
			p.say("«skip» necesita el motivo detrás de «|»")
		}
		p.file.Skipped = append(p.file.Skipped, Skipped{splitList(units), why})
	default:
		p.say("«%s» no es una clave de la cabecera", clip(key))
	}
}

func (p *parser) field(key, value string) {
	e := p.open
	switch key {
	case "text":
		p.once(&e.Text, key, value)
	case "words":
		p.once(&e.Words, key, value)
	case "same":
		e.Same, p.last = append(e.Same, splitList(value)...), nil
	case "until":
		e.Until, p.last = append(e.Until, splitList(value)...), nil
	default:
		if k := slices.Index(kindNames[:], key); k >= 0 {
			e.Asks = append(e.Asks, Ask{Kind: Kind(k), Text: value, Line: int32(p.line)})
			p.last = &e.Asks[len(e.Asks)-1].Text
			return
		}
		p.say("«%s» no es una clave de una entrada", clip(key))
	}
}

func (p *parser) once(field *string, key, value string) {
	if *field != "" {
		p.say("«%s» está dos veces en la misma entrada", key)
	}
	*field, p.last = value, field
}

func clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}
