package pack

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"digesto"
	"digesto/text/cite"
)

type manifest struct {
	Name          string            `yaml:"name"`
	Title         string            `yaml:"title"`
	Description   string            `yaml:"description"`
	Version       string            `yaml:"version"`
	Jurisdictions []string          `yaml:"jurisdictions"`
	Locale        string            `yaml:"locale"`
	Places        map[string]string `yaml:"places"`
	Units         []Unit            `yaml:"units"`
	FirstQuestion string            `yaml:"first_question"`
	Examples      []string          `yaml:"examples"`
	Install       Install           `yaml:"install"`
	Bodies        []Body            `yaml:"bodies"`
	Collections   []Collection      `yaml:"collections"`
	Retrieval     Retrieval         `yaml:"retrieval"`
	Filter        map[string]string `yaml:"filter"`
	Stamp         string            `yaml:"stamp"`
	Rulings       []string          `yaml:"rulings"`
	Courts        []string          `yaml:"courts"`
	Anchors       []string          `yaml:"anchors"`
	Principal     []string          `yaml:"principal"`
	Regimes       []string          `yaml:"regimes"`
	Favourable    []string          `yaml:"favourable"`
	Everyday      []string          `yaml:"everyday"`
	Tools         []string          `yaml:"tools"`
	Prompts       []rawPrompt       `yaml:"prompts"`
	ChatTypes     []ChatType        `yaml:"chat_types"`
	Files         manifestFiles     `yaml:"files"`
}

// manifestFiles names the data of a pack; names may hold "*" and begin with "../".
type manifestFiles struct {
	Aliases     []string `yaml:"aliases"`
	Synonyms    []string `yaml:"synonyms"`
	Lay         []string `yaml:"lay"`
	Fiches      []string `yaml:"fiches"`
	Rules       []string `yaml:"rules"`
	Sources     []string `yaml:"sources"`
	Ranks       []string `yaml:"ranks"`
	Territories []string `yaml:"territories"`
	Glossary    []string `yaml:"glossary"`
	Sections    []string `yaml:"sections"`
}

type rawPrompt struct {
	Name    string `yaml:"name"`
	Version string `yaml:"version"`
	File    string `yaml:"file"`
	Window  int    `yaml:"window"`
	Cut     int    `yaml:"cut"`
	Trial   bool   `yaml:"trial"` // used only where an operator tries it; see Pack.Try
}

// Load reads the pack in a directory of fsys ("." for fsys itself). Its error
// is a *digesto.Error that lists every fault found, each with file and line.
func Load(fsys fs.FS, dir string) (*Pack, error) {
	r := &reader{fsys: fsys, dir: dir, sum: sha256.New()}
	var m manifest
	if _, _, ok := r.yaml("pack.yaml", &m); !ok {
		return nil, r.err(dir)
	}
	p := &Pack{
		Name: m.Name, Title: m.Title, Description: m.Description, Version: m.Version, Jurisdictions: m.Jurisdictions,
		Locale: m.Locale, Places: m.Places, Units: m.Units, FirstQuestion: m.FirstQuestion, Examples: m.Examples, Install: m.Install, Bodies: m.Bodies,
		Collections: m.Collections, Retrieval: m.Retrieval, Filter: m.Filter, Stamp: m.Stamp, Principal: m.Principal, Everyday: m.Everyday, ToolNames: m.Tools,
		Synonyms: newSynonyms(), spelt: &spelling{}, levels: &sync.Map{}, Prompts: map[string]Prompt{}, Phrases: map[string]string{}, ChatTypes: m.ChatTypes, fill: fillers{},
	}
	r.required(m)
	r.rulings(p, m.Rulings)
	p.Courts, p.Anchors = m.Courts, m.Anchors
	r.aliases(p, m.Files.Aliases)
	for _, f := range r.names(m.Files.Synonyms) {
		if file, data, ok := r.open(f); ok {
			r.bad = append(r.bad, p.Synonyms.read(file, strings.NewReader(string(data)))...)
		}
	}
	r.lay(p, m.Files.Lay)
	r.glossary(p, m.Files.Glossary)
	r.fiches(p, m.Files.Fiches)
	asks, _ := fs.Glob(fsys, path.Join(dir, "digest/*.txt"))
	packed, _ := fs.Glob(fsys, path.Join(dir, "digest.zst"))
	p.Digest = len(asks)+len(packed) > 0
	r.rules(p, m.Files.Rules)
	r.sources(p, m.Files.Sources)
	r.ranks(p, m.Files.Ranks)
	r.territories(p, m.Files.Territories)
	r.regimes(p, m.Regimes)
	r.collections(p)
	for _, w := range m.Favourable {
		p.Favourable = append(p.Favourable, key(w))
	}
	r.sections(p, m.Files.Sections)
	r.prompts(p, m.Prompts)
	if err := r.err(dir); err != nil {
		return nil, err
	}
	p.hash = hex.EncodeToString(r.sum.Sum(nil))
	return p, nil
}

func (r *reader) err(dir string) error {
	if len(r.bad) == 0 {
		return nil
	}
	lines := make([]string, len(r.bad))
	for i, b := range r.bad {
		lines[i] = b.String()
	}
	return &digesto.Error{Code: digesto.CodeInvalid,
		Message: fmt.Sprintf("El paquete «%s» tiene %d errores:\n%s", dir, len(lines), strings.Join(lines, "\n")),
		Hint:    "Corrija los archivos indicados y repita con «digesto pack check»."}
}

func (r *reader) required(m manifest) {
	line := 0
	for _, f := range []struct{ name, val string }{
		{"name", m.Name}, {"title", m.Title}, {"locale", m.Locale}, {"first_question", m.FirstQuestion},
		{"install.add o install.pull", m.Install.Command()},
	} {
		if f.val == "" {
			r.fail("pack.yaml", line, "falta el campo «%s»", f.name)
		}
	}
	if len(m.Jurisdictions) == 0 {
		r.fail("pack.yaml", line, "falta el campo «jurisdictions»")
	}
	if len(m.Bodies) == 0 {
		r.fail("pack.yaml", line, "falta al menos un organismo en «bodies»")
	}
}

func (r *reader) names(list []string) []string {
	var out []string
	for _, n := range list {
		out = append(out, r.glob(n)...)
	}
	return out
}

func (r *reader) aliases(p *Pack, names []string) {
	for _, n := range r.names(names) {
		file, rows := r.tsv(n, "name", "norm", "weak", "jurisdiction")
		for _, w := range rows {
			if w.cells[0] == "" || w.cells[1] == "" {
				r.fail(file, w.line, "un alias necesita nombre y norma")
				continue
			}
			if w.cells[2] != "" && w.cells[2] != "weak" {
				r.fail(file, w.line, "la columna «weak» solo puede decir «weak» o quedar vacía")
				continue
			}
			p.Aliases = append(p.Aliases, cite.Alias{Name: w.cells[0], Norm: w.cells[1], Weak: w.cells[2] == "weak",
				Jurisdiction: first(w.cells[3], p.Jurisdiction())})
			p.at.aliases = append(p.at.aliases, place{file, w.line})
		}
	}
}

func (r *reader) fiches(p *Pack, names []string) {
	for _, n := range r.names(names) {
		var f ficheFile
		file, _, ok := r.yaml(n, &f)
		if !ok {
			continue
		}
		f.Jurisdiction = first(f.Jurisdiction, p.Jurisdiction())
		f.Collection = first(f.Collection, FicheCollection)
		got, bad := f.fiches(p.Name, file)
		p.Fiches = append(p.Fiches, got...)
		r.bad = append(r.bad, bad...)
	}
}

// rulings reads the expressions of the manifest.
func (r *reader) rulings(p *Pack, list []string) {
	for _, s := range list {
		re, err := regexp.Compile(s)
		if err != nil {
			r.fail("pack.yaml", 0, "«%s» no es una expresión regular: %v", s, err)
			continue
		}
		p.Rulings = append(p.Rulings, re)
	}
}

func (r *reader) sources(p *Pack, names []string) {
	for _, n := range r.names(names) {
		file, rows := r.tsv(n, "id", "title", "short", "rank", "url", "articles", "territory?")
		for _, w := range rows {
			s := Source{ID: w.cells[0], Title: w.cells[1], Short: w.cells[2], Rank: w.cells[3], URL: w.cells[4], Territory: w.cells[6]}
			if w.cells[5] != "" {
				a, err := strconv.Atoi(w.cells[5])
				if err != nil || a <= 0 {
					r.fail(file, w.line, "«%s» no es un número de artículos", w.cells[5])
				}
				s.Articles = a
			}
			if s.ID == "" || s.Title == "" {
				r.fail(file, w.line, "una fuente necesita identificador y título")
			}
			p.Sources = append(p.Sources, s)
			p.at.sources = append(p.at.sources, place{file, w.line})
		}
	}
}

func (r *reader) ranks(p *Pack, names []string) {
	for _, n := range r.names(names) {
		file, rows := r.tsv(n, "jurisdiction", "level", "rank")
		for _, w := range rows {
			l, err := strconv.Atoi(w.cells[1])
			if err != nil || l < 1 || w.cells[2] == "" {
				r.fail(file, w.line, "un rango necesita un nivel (1 es el más alto) y un nombre")
				continue
			}
			p.Ranks = append(p.Ranks, Rank{w.cells[0], w.cells[2], l})
		}
	}
}

func (r *reader) prompts(p *Pack, list []rawPrompt) {
	for _, x := range list {
		file, data, ok := r.open(x.File)
		if !ok {
			continue
		}
		if x.Name == "" || x.Version == "" || strings.TrimSpace(string(data)) == "" {
			r.fail(file, 0, "un prompt necesita nombre, versión y texto")
			continue
		}
		pr := Prompt{x.Name, x.Version, file, strings.TrimSpace(string(data)), x.Window, x.Cut}
		p.History = append(p.History, pr)
		if !x.Trial {
			p.Prompts[x.Name] = pr
		}
	}
}
