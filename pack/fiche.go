package pack

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"digesto"
)

// Label is what every fiche says of itself, wherever it is shown.
const Label = "Ficha de Digesto, no es el texto oficial"

// SummaryLabel stands wherever what an entry of the digest answers is shown as a source.
const SummaryLabel = "Resumen de Digesto, no es el texto oficial"

// FichePrefix begins the ids of norms that stand for fiches.
const FichePrefix = "ficha-"

// SummaryPrefix begins the ids of norms that stand for the entries of a digest.
const SummaryPrefix = "resumen-"

// FicheCollection is the collection of what a pack carries itself: its fiches, tables and summaries.
const FicheCollection = "fichas"

// FicheRank is the rank of every fiche: below every norm.
const FicheRank = "ficha"

// Fiche is a set of facts on one matter, in our own words. Norm and Units are
// its form as a text of the corpus; a unit is one fact, one sentence.
type Fiche struct {
	ID    string
	Title string
	Norm  digesto.Norm
	Units []digesto.Unit
	Facts []Fact // one a unit, same order
	File  string
	Line  int
}

// Fact is what stands under one unit of a fiche: the official place of it.
type Fact struct {
	Unit     string       // id of the unit in its fiche
	Ask      string       // a question that it answers
	Text     string       // the sentence without its locator
	Norm     string       // official norm; "" = the fact stands on an official page alone
	Place    string       // id of the official unit: "a38"; "" = the norm as a whole
	Ref      string       // locator as shown
	URL      string       // official page
	Reviewed digesto.Date // day on which it was compared with the law
	Year     string       // of a figure that changes by year
	Line     int
}

type ficheFile struct {
	Jurisdiction string               `yaml:"jurisdiction"`
	Collection   string               `yaml:"collection"`
	Reviewed     string               `yaml:"reviewed"`
	Norms        map[string]ficheNorm `yaml:"norms"`
	Fiches       []rawFiche           `yaml:"fiches"`
}

// ficheNorm is an official norm that facts of the file refer to.
type ficheNorm struct {
	Name   string `yaml:"name"`   // with its article: "del Código X", "de la Ley 1/2000"
	URL    string `yaml:"url"`    // official page
	Anchor bool   `yaml:"anchor"` // the page has an anchor named by the unit id
}

type rawFiche struct {
	ID        string    `yaml:"id"`
	Title     string    `yaml:"title"`
	Territory string    `yaml:"territory"`
	Facts     []rawFact `yaml:"facts"`

	line int
}

// UnmarshalYAML keeps the line.
func (r *rawFiche) UnmarshalYAML(n *yaml.Node) error {
	type plain rawFiche
	err := strict(n, (*plain)(r))
	r.line = n.Line
	return err
}

type rawFact struct {
	ID       string   `yaml:"id"`
	Ask      string   `yaml:"ask"`
	Also     []string `yaml:"also"` // other ways of asking the same
	Text     string   `yaml:"text"`
	Norm     string   `yaml:"norm"`
	Unit     string   `yaml:"unit"`
	Ref      string   `yaml:"ref"`
	URL      string   `yaml:"url"`
	Reviewed string   `yaml:"reviewed"`
	Year     string   `yaml:"year"`

	line int
}

// UnmarshalYAML keeps the line.
func (r *rawFact) UnmarshalYAML(n *yaml.Node) error {
	type plain rawFact
	err := strict(n, (*plain)(r))
	r.line = n.Line
	return err
}

// fiches turns a file into fiches.
func (f ficheFile) fiches(pack, file string) ([]Fiche, []Problem) {
	var out []Fiche
	var bad []Problem
	for _, r := range f.Fiches {
		at := r.line
		miss := func(l int, what string) { bad = append(bad, Problem{file, l, what}) }
		if r.ID == "" || r.Title == "" {
			miss(at, "la ficha necesita «id» y «title»")
			continue
		}
		id := FichePrefix + pack + "-" + r.ID
		fi := Fiche{ID: r.ID, Title: r.Title, File: file, Line: at, Norm: digesto.Norm{
			ID: id, Title: r.Title + " (" + Label + ")", Short: r.Title, Rank: FicheRank,
			Jurisdiction: f.Jurisdiction, Territory: r.Territory, Collection: f.Collection, Packs: []string{pack},
			TextAsOf: digesto.Date(f.Reviewed),
			Source:   "Ficha «" + r.Title + "» de Digesto (no es el texto oficial)", Format: digesto.FormatFiche,
		}}
		if len(r.Facts) == 0 {
			miss(at, "la ficha «"+r.ID+"» no tiene ningún dato en «facts»")
		}
		for _, x := range r.Facts {
			fact, why := f.fact(x)
			fact.Line = x.line
			for _, w := range why {
				miss(fact.Line, fmt.Sprintf("ficha «%s», dato «%s»: %s", r.ID, x.ID, w))
			}
			for k, ask := range append([]string{x.Ask}, x.Also...) { // a unit for each way of asking
				one := fact
				if one.Ask = ask; k > 0 {
					one.Unit = fmt.Sprintf("%s-%d", fact.Unit, k+1)
				}
				fi.Facts = append(fi.Facts, one)
				fi.Units = append(fi.Units, one.unit(fi))
			}
			if fi.Norm.URL == "" {
				fi.Norm.URL = fact.URL
			}
		}
		out = append(out, fi)
	}
	return out, bad
}

// fact fills a fact from the file's norms and says what it lacks.
func (f ficheFile) fact(x rawFact) (Fact, []string) {
	var bad []string
	n, known := f.Norms[x.Norm]
	out := Fact{Unit: "s" + x.ID, Ask: x.Ask, Text: strings.TrimSpace(x.Text), Norm: x.Norm, Place: x.Unit, URL: x.URL,
		Year: x.Year, Reviewed: digesto.Date(first(x.Reviewed, f.Reviewed))}
	if x.ID == "" || out.Text == "" || x.Ask == "" {
		bad = append(bad, "faltan «id», «ask» o «text»")
	}
	switch {
	case x.Ref == "" || x.Norm == "" && x.URL == "":
		bad = append(bad, "falta la referencia oficial: «norm» y «ref», o «ref» y «url» de la página oficial")
	case x.Norm != "" && !known:
		bad = append(bad, "la norma «"+x.Norm+"» no está en «norms»")
	}
	out.Ref = strings.TrimSpace(x.Ref + " " + n.Name)
	if out.URL == "" {
		out.URL = n.URL
		if n.Anchor && x.Unit != "" && out.URL != "" {
			out.URL += "#" + x.Unit
		}
	}
	return out, bad
}

// unit is the fact as a unit of its fiche: its sentence with the locator in it.
func (x Fact) unit(f Fiche) digesto.Unit {
	body := strings.TrimSuffix(x.Text, ".") + " ("
	text := body + x.Ref + ")."
	start := utf8.RuneCountInString(body)
	sum := sha256.Sum256([]byte(text))
	note := Label + ". Fuente: " + x.Ref + ", " + x.URL + ". Revisada el " + string(x.Reviewed) + "."
	var refs []digesto.Reference
	if x.Norm != "" {
		refs = []digesto.Reference{{Start: start, End: start + utf8.RuneCountInString(x.Ref), Norm: x.Norm, Name: x.Ref, Unit: x.Place}}
	}
	return digesto.Unit{
		Norm: f.Norm.ID, ID: x.Unit, Kind: digesto.KindSection, Number: strings.TrimPrefix(x.Unit, "s"),
		Label: "Ficha", Rubric: x.Ask, Path: []string{f.Title},
		Versions: []digesto.Version{{
			ID: string(x.Reviewed), Text: text, Current: true, Notes: []string{note},
			Refs:   refs,
			SHA256: hex.EncodeToString(sum[:]),
		}},
	}
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
