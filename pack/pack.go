package pack

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"digesto"
	"digesto/text/cite"
	"digesto/text/figure"
)

// Pack is one domain, loaded. It is read-only after Load and safe for any
// number of goroutines.
type Pack struct {
	Name          string // what --pack takes
	Title         string // for people
	Description   string
	Version       string
	Jurisdictions []string          // "es", "ar-x"; the first is the pack's own
	Locale        string            // "es-ES": how its figures are written
	Places        map[string]string // names of jurisdictions and territories, by their codes
	Units         []Unit            // units of account of the domain
	FirstQuestion string            // an example that the embedded fiches answer
	Examples      []string          // further examples
	Install       Install
	Bodies        []Body
	Collections   []Collection
	Retrieval     Retrieval
	Filter        map[string]string // mandatory filters of every search in this pack
	Rulings       []*regexp.Regexp  // forms in which rulings of its courts are cited
	Courts        []string          // their initials
	Anchors       []string          // beginnings of addresses whose pages have an anchor for each article; see Anchored
	Stamp         string            // line that ends every answer, such as the territory it holds for; "" = none
	Principal     []string          // ids of the norms that govern the domain when a question names none, most general first

	Aliases     []cite.Alias
	Synonyms    *Synonyms
	Lay         *Lay
	Glossary    *Glossary // concepts and the places that they lead to
	Favourable  []string  // beginnings of words for what whom the law protects gains by having more of
	Regimes     []Regime  // special regimes: law for some alone, see Special
	Fiches      []Fiche
	Digest      bool // questions lead to places of the law: see package digest
	Classes     []Class
	Detectors   []Detector
	Ambiguities []Ambiguity
	Assumptions []Ambiguity // bare topics that are clear: one option, nothing to ask
	Signals     []Signal
	Sources     []Source
	Ranks       []Rank
	ChatTypes   []ChatType        // what a conversation may be narrowed to
	Phrases     map[string]string // what the program says in this pack's voice; see Say
	Prompts     map[string]Prompt // by name, newest version
	History     []Prompt          // every version, oldest first
	Territories *Gazetteer        // nil when the pack does not narrow by place
	Sections    []Section         // of its guides, with the words that ask for each
	Urgent      []Urgent          // needs that get their official contact first
	Everyday    []string          // abbreviations that need no explaining, such as those of identity papers

	ToolNames  []string   // calculators that the manifest declares
	Tools      []Tool     // attached by the program that holds them
	Classifier Classifier // nil: classes come from Classes' patterns alone

	asking map[string]bool // words that ask for a section
	trials map[string][]Trial
	spelt  *spelling // kept words; nil = made anew for each question
	levels *sync.Map // jurisdiction and rank → level, once asked for; nil = each time anew

	fill fillers // filler words of the pack beside the common ones
	hash string
	at   places
}

// places are where the parts of a pack stand, for the reports of Check; each
// list runs beside the part's.
type places struct{ aliases, sources, detectors, ambiguities []place }

type place struct {
	file string
	line int
}

// of gives the place of part i; parts that were not read from a file have none.
func (at places) of(list []place, i int, what string) (string, int) {
	if i < len(list) {
		return list[i].file, list[i].line
	}
	return what, 0
}

// Place is what people call a jurisdiction or territory; "" when this pack does not say.
func (p *Pack) Place(code string) string {
	if name := p.Places[code]; name != "" || p.Territories == nil {
		return name
	}
	return p.Territories.places().names[code]
}

// Install says how the law of this pack comes in.
type Install struct {
	Pull string `yaml:"pull"` // digesto corpus pull …
	Add  string `yaml:"add"`  // digesto corpus add …
}

// Command is the command that an answer without installed law ends with.
func (i Install) Command() string {
	if i.Add != "" {
		return i.Add
	}
	return i.Pull
}

// Unit is a unit of account in which a domain counts, beside money.
type Unit struct {
	Name  string   `yaml:"name"`  // as shown
	Words []string `yaml:"words"` // as written in texts, folding ignored
}

// Figures is how figures are written in this pack: its locale and its units.
func (p *Pack) Figures() figure.Locale {
	loc := figure.LocaleOf(p.Locale)
	for _, u := range p.Units {
		loc.Units = append(loc.Units, figure.Unit{Name: u.Name, Words: u.Words})
	}
	return loc
}

// Body is an organ to ask when the pack does not hold the answer.
type Body struct {
	Name  string   `yaml:"name"`
	For   string   `yaml:"for"` // what it is asked about
	URL   string   `yaml:"url"`
	Words []string `yaml:"words"` // patterns of questions that it is the one to ask for
}

// Collection is a class of documents with its weight in the merge.
type Collection struct {
	Name   string  `yaml:"name"`
	Title  string  `yaml:"title"`
	Weight float64 `yaml:"weight"`
	Empty  string  `yaml:"empty"` // what an answer says when nothing is installed in it
	// Asks are patterns of the questions that ask for it by name ("jurisprudencia"):
	// their answer says when it is empty.
	Asks []string `yaml:"asks"`

	asks []Pattern
}

// Asked says whether a question asks for the collection by name.
func (c Collection) Asked(question string) bool {
	words := Words(question)
	return slices.ContainsFunc(c.asks, func(p Pattern) bool {
		_, _, ok := p.Find(words)
		return ok
	})
}

// Retrieval holds the counts of the retrieval row; a zero means the default of
// the engine.
type Retrieval struct {
	Dense     int    `yaml:"dense"`      // candidates of the vector list, a query and collection
	Sparse    int    `yaml:"sparse"`     // candidates of the lexical list
	Fused     int    `yaml:"fused"`      // kept after fusion, a collection
	Top       int    `yaml:"top"`        // kept after weighting, a query
	Merged    int    `yaml:"merged"`     // kept over all queries
	Rerank    int    `yaml:"rerank"`     // kept after reranking
	Chunks    int    `yaml:"chunks"`     // units in the prompt
	Strategy  string `yaml:"strategy"`   // rerank strategy: "none", "heuristic", "model", "cross-encoder"
	Refs      int    `yaml:"refs"`       // references followed a hit
	RefsTotal int    `yaml:"refs_total"` // references followed in all
	Rounds    int    `yaml:"rounds"`     // rounds of context evaluation
	Needs     int    `yaml:"needs"`      // NEED lines a round
	Queries   int    `yaml:"queries"`    // self-contained queries of one question
	Recipe    string `yaml:"recipe"`     // of the search: "measured" (default), "collections" or "auto": see package ask
}

// Source is an official norm that the pack expects to be installed.
type Source struct {
	ID       string // in its source
	Title    string // official title
	Short    string
	Rank     string
	URL      string
	Articles int // 0 = not stated
	// Territory is the code of the place whose law it is; "" = the whole jurisdiction, or not known.
	Territory string
}

// Rank is the place of a rank of norm in the hierarchy of a jurisdiction.
// Ranks of one level are equal: the later or the special norm prevails.
type Rank struct {
	Jurisdiction string
	Name         string // as sources write it, folded when compared
	Level        int    // 1 is the highest
}

// Prompt is one version of one prompt.
type Prompt struct {
	Name    string
	Version string
	File    string
	Text    string
	Window  int // last messages shown to it
	Cut     int // runes kept of each of them; 0 = whole
}

// Prompt gives the newest version of a prompt.
func (p *Pack) Prompt(name string) (Prompt, bool) {
	pr, ok := p.Prompts[name]
	return pr, ok
}

// Jurisdiction is the pack's own, the first of the manifest.
func (p *Pack) Jurisdiction() string {
	if len(p.Jurisdictions) == 0 {
		return ""
	}
	return p.Jurisdictions[0]
}

// Weight gives the weight of a collection: 1 for one the manifest does not name.
func (p *Pack) Weight(collection string) float64 {
	for _, c := range p.Collections {
		if c.Name == collection {
			return c.Weight
		}
	}
	return 1
}

// Level gives the level of a rank of norm in a jurisdiction, 0 when unknown. A
// subdivision ("ar-x") falls back on its country.
func (p *Pack) Level(jurisdiction, rank string) int {
	if p.levels == nil { // made by hand
		return p.level(jurisdiction, rank)
	}
	at := [2]string{jurisdiction, rank}
	if l, ok := p.levels.Load(at); ok {
		return l.(int)
	}
	l := p.level(jurisdiction, rank)
	p.levels.Store(at, l)
	return l
}

func (p *Pack) level(jurisdiction, rank string) int {
	want := rankKey(rank)
	for j := jurisdiction; ; j = parent(j) {
		for _, r := range p.Ranks {
			if r.Jurisdiction == j && rankKey(r.Name) == want {
				return r.Level
			}
		}
		if j == "" || parent(j) == j {
			return 0
		}
	}
}

// rankKey compares names of ranks: "real_decreto" of a file's metadata is "Real Decreto".
func rankKey(s string) string { return key(strings.ReplaceAll(s, "_", " ")) }

// Hash names the pack's files as loaded: part of cache keys and traces.
func (p *Pack) Hash() string { return p.hash }

// SourceOf gives the official norm that an id stands for, or another copy's id that the
// pack knows as a name of it.
func (p *Pack) SourceOf(norm string) (Source, bool) {
	at := func(id string) int { return slices.IndexFunc(p.Sources, func(s Source) bool { return s.ID == id }) }
	k := at(norm)
	if k < 0 && norm != "" {
		if a := slices.IndexFunc(p.Aliases, func(a cite.Alias) bool { return a.Name == norm }); a >= 0 {
			k = at(p.Aliases[a].Norm)
		}
	}
	if k < 0 {
		return Source{}, false
	}
	return p.Sources[k], true
}

// FactOf gives the fact that an entry of the digest leads to, and its fiche; ok is false where it
// leads to law. It is asked of every entry.
func (p *Pack) FactOf(norm, unit string) (f Fiche, x Fact, ok bool) {
	if !strings.HasPrefix(norm, FichePrefix) {
		return f, x, false
	}
	return p.FicheOf(norm, unit)
}

// FicheOf gives the fiche that a norm id stands for and the fact of one of its units.
func (p *Pack) FicheOf(norm, unit string) (Fiche, Fact, bool) {
	for _, f := range p.Fiches {
		if f.Norm.ID != norm {
			continue
		}
		for _, x := range f.Facts {
			if x.Unit == unit {
				return f, x, true
			}
		}
	}
	return Fiche{}, Fact{}, false
}

// Sum names what the pack brings of its own to be quoted, its fiches and tables: the
// SHA-256 of their ids and texts, in hex.
func (p *Pack) Sum() string {
	h := sha256.New()
	for n, units := range p.Norms {
		fmt.Fprintln(h, n.ID, len(units))
		for _, u := range units {
			for _, v := range u.Versions {
				fmt.Fprintln(h, u.ID, len(v.Text), v.Text)
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Norms gives the norms and units of all fiches, in the form a corpus takes.
func (p *Pack) Norms(yield func(digesto.Norm, []digesto.Unit) bool) {
	for _, f := range p.Fiches {
		if !yield(f.Norm, f.Units) {
			return
		}
	}
}

func parent(j string) string {
	for i := len(j) - 1; i >= 0; i-- {
		if j[i] == '-' {
			return j[:i]
		}
	}
	return ""
}
