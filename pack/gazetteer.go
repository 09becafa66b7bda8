package pack

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"digesto/text/sentence"
)

// Territory is a place that narrows which law applies.
type Territory struct {
	Name   string
	Code   string // "xx-yy" of the region, or "xx-yy/slug" of a municipality
	Kind   string // "region", "municipality" or "demonym"
	Region string // code of the region it implies (its own for a region)
	Weak   bool   // also an ordinary word or another place: counts only after a preposition of place
}

// demonym is the kind of a name for what is of a place: "galés", its health service, its aids.
const demonym = "demonym"

// Gazetteer finds territories in a question.
type Gazetteer struct {
	rows   []row // of its files, in order; read by places when a place is first asked for
	once   sync.Once
	byName map[string][]Territory
	abroad map[string]bool   // names of other countries: the place before one is another of that name
	never  map[string]bool   // expressions that hold a name and mean no place
	names  map[string]string // the first name of each place, by code
}

// Len counts the names.
func (g *Gazetteer) Len() int {
	if g == nil {
		return 0
	}
	return len(g.places().byName)
}

// all gives every name, folded.
func (g *Gazetteer) all() iter.Seq[string] {
	if g == nil {
		return func(func(string) bool) {}
	}
	return maps.Keys(g.places().byName)
}

// maxGram is the longest name searched, in words.
const maxGram = 5

// Detect gives the territory that a question names: in what it asks, if that names one, or
// else in what it tells ("we were registered in one place and live in another: …?").
// First a name after "en" (the surest), then names of several words, then single words, then
// what somebody or something of a place is called; a weak name counts only after "en" or a
// word for living in or governing a place. In each phase the longest, then the first, wins. A
// municipality is preferred to a region of the same name only when the text says "ciudad" or
// "ayuntamiento". A name in an address ("calle Sevilla"), in an expression that means no
// place, or followed by another country is none. ok is false when none is named.
func (g *Gazetteer) Detect(question string) (Territory, bool) {
	if g == nil {
		return Territory{}, false
	}
	if t, ok := g.detect(sentence.Asked(question)); ok {
		return t, true
	}
	return g.detect(question)
}

func (g *Gazetteer) detect(text string) (Territory, bool) {
	words := Words(text)
	blocked := g.places().blocked(words)
	const demonyms = 3
	for k, phase := range []func(i, n int) bool{
		func(i, n int) bool { return i > 0 && g.after(words, i) },
		func(i, n int) bool { return n > 1 },
		func(i, n int) bool { return n == 1 },
		demonyms: func(i, n int) bool { return true },
	} {
		for n := min(maxGram, len(words)); n >= 1; n-- {
			for i := 0; i+n <= len(words); i++ {
				if !phase(i, n) || slices.Contains(blocked[i:i+n], true) {
					continue
				}
				if t, ok := g.at(words, i, n); ok && (t.Kind == demonym) == (k == demonyms) && (!t.Weak || strong(words, i)) {
					return t, true
				}
			}
		}
	}
	return Territory{}, false
}

// Territory is the place of that name or code; ok is false where this pack knows none.
func (p *Pack) Territory(named string) (t Territory, ok bool) {
	if g := p.Territories; g != nil {
		for _, t := range g.places().byName[key(g.names[named])] {
			if t.Code == named {
				return t, true
			}
		}
		if t, ok = g.Detect("en " + named); ok {
			return t, true
		}
	}
	for code, name := range p.Places {
		if named == code || key(named) == key(name) {
			return Territory{Name: name, Code: code, Kind: "region", Region: code}, true
		}
	}
	return Territory{}, false
}

// PlaceNames are those of countries and their parts that [Pack.Territory] knows, one a
// place, in no order: towns, which are thousands, are known and not listed.
func (p *Pack) PlaceNames() []string {
	names := maps.Clone(p.Places)
	if g := p.Territories; g != nil {
		if names == nil {
			names = map[string]string{}
		}
		for code, name := range g.places().names {
			if !strings.Contains(code, "/") {
				names[code] = name
			}
		}
	}
	return slices.Collect(maps.Values(names))
}

// after says whether words[i] follows "en", articles and the words for a kind of place skipped.
func (g *Gazetteer) after(words []string, i int) bool {
	for i--; i >= 0; i-- {
		switch words[i] {
		case "en":
			return true
		case "la", "el", "las", "los", "comunidad", "ciudad", "provincia", "municipio", "ayuntamiento", "de", "foral", "autonoma":
			continue
		}
		return false
	}
	return false
}

// strong says whether the words before a weak name make it a place: "en", or a word for
// living in or governing one; an article between makes it a common noun again.
func strong(words []string, i int) bool {
	if i == 0 {
		return false
	}
	if words[i-1] == "en" {
		return true
	}
	if i < 2 || words[i-1] != "de" {
		return false
	}
	switch words[i-2] {
	case "ciudad", "provincia", "municipio", "ayuntamiento", "comunidad", "soy", "somos", "vengo", "vecino", "vecina", "padron", "alcaldia":
		return true
	}
	return false
}

// blocked marks the words that cannot be part of a place's name.
func (g *Gazetteer) blocked(words []string) []bool {
	out := make([]bool, len(words))
	for i := range words {
		for n := min(maxGram, len(words)-i); n >= 1; n-- {
			k := strings.Join(words[i:i+n], " ")
			if g.never[k] {
				for j := i; j < i+n; j++ {
					out[j] = true
				}
			}
			if g.abroad[k] && !ofHome(words, i) {
				for j := max(0, i-3); j < i; j++ { // "Córdoba (Argentina)", "León, en México"
					out[j] = out[j] || len(g.byName[words[j]]) > 0
				}
			}
		}
		if i+1 < len(words) && streetWord(words[i]) {
			for j := i + 1; j < min(i+5, len(words)) && words[j] != "en"; j++ {
				out[j] = true
			}
		}
	}
	return out
}

// ofHome says whether a country's name says where somebody comes from: "soy de Perú".
func ofHome(words []string, i int) bool {
	for j := max(0, i-2); j < i; j++ {
		switch words[j] {
		case "soy", "vengo", "desde", "nacido", "nacida":
			return true
		}
	}
	return false
}

func streetWord(w string) bool {
	switch w {
	case "calle", "avenida", "avda", "plaza", "paseo", "ronda", "glorieta", "travesia", "carretera", "c":
		return true
	}
	return false
}

func (g *Gazetteer) at(words []string, i, n int) (Territory, bool) {
	list := g.byName[strings.Join(words[i:i+n], " ")]
	if len(list) == 0 {
		return Territory{}, false
	}
	municipal := false
	for k := max(0, i-4); k < i; k++ {
		municipal = municipal || words[k] == "ciudad" || words[k] == "ayuntamiento" || words[k] == "municipio"
	}
	for _, t := range list {
		if (t.Kind == "municipality") == municipal {
			return t, true
		}
	}
	return list[0], true
}

func (r *reader) territories(p *Pack, names []string) {
	for _, n := range r.names(names) {
		if p.Territories == nil {
			p.Territories = &Gazetteer{}
		}
		file, rows := r.tsv(n, "name", "code", "kind", "region", "weak")
		for _, w := range rows {
			name, code, kind := w.cells[0], w.cells[1], w.cells[2]
			if name == "" || kind != "abroad" && kind != "never" && (code == "" || kind != "region" && kind != "municipality" && kind != demonym) {
				r.fail(file, w.line, "un territorio necesita nombre, código y clase («region», «municipality», «demonym»; o «abroad» y «never», sin código)")
			}
		}
		p.Territories.rows = append(p.Territories.rows, rows...)
	}
}

// places is the gazetteer with its rows read.
func (g *Gazetteer) places() *Gazetteer {
	g.once.Do(func() {
		g.byName, g.names = make(map[string][]Territory, len(g.rows)), make(map[string]string, len(g.rows))
		g.abroad, g.never = map[string]bool{}, map[string]bool{}
		for _, w := range g.rows {
			t := Territory{w.cells[0], w.cells[1], w.cells[2], first(w.cells[3], w.cells[1]), w.cells[4] == "weak"}
			k := key(t.Name)
			switch t.Kind {
			case "abroad":
				g.abroad[k] = true
				continue
			case "never":
				g.never[k] = true
				continue
			}
			if g.names[t.Code] == "" && t.Kind != demonym {
				g.names[t.Code] = t.Name
			}
			g.byName[k] = append(g.byName[k], t)
		}
		g.rows = nil
	})
	return g
}
