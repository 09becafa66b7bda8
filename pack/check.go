package pack

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/text/lazyregexp"
	"digesto/text/sentence"
)

// Check proves a loaded pack sound: no dangling alias, no id twice, no fiche
// without reference, address and date, no amount without its year, no detector
// that fails its own examples or overlaps another. It gives every problem found,
// ordered by file and line; none means sound.
func Check(p *Pack) []Problem {
	c := &checker{p: p}
	c.fiches()
	c.aliases()
	c.sources()
	c.detectors()
	c.urgent()
	c.ambiguities()
	c.glossary()
	c.lay()
	c.manifest()
	sort.SliceStable(c.bad, func(i, j int) bool {
		if c.bad[i].File != c.bad[j].File {
			return c.bad[i].File < c.bad[j].File
		}
		return c.bad[i].Line < c.bad[j].Line
	})
	return c.bad
}

type checker struct {
	p   *Pack
	bad []Problem
}

func (c *checker) add(file string, line int, text string) {
	c.bad = append(c.bad, Problem{file, line, text})
}

var (
	isoDay = lazyregexp.New(`^\d{4}-\d{2}-\d{2}$`)
	year   = lazyregexp.New(`\b(19|20)\d\d\b`)
	money  = lazyregexp.New(`(\d[\d.,]*\s*(€|euros?\b|pesos\b|soles\b))|((S/|\$)\s*\d)`)
)

func (c *checker) fiches() {
	seen := map[string]bool{}
	for _, f := range c.p.Fiches {
		if seen[f.Norm.ID] {
			c.add(f.File, f.Line, "la ficha «"+f.ID+"» está dos veces")
		}
		seen[f.Norm.ID] = true
		if f.Norm.Official || f.Norm.Rank != FicheRank {
			c.add(f.File, f.Line, "la ficha «"+f.ID+"» no puede ser oficial ni tener otro rango que «"+FicheRank+"»")
		}
		units := map[string]bool{}
		for i, x := range f.Facts {
			if units[x.Unit] {
				c.add(f.File, x.Line, "el dato «"+x.Unit+"» de la ficha «"+f.ID+"» está dos veces")
			}
			units[x.Unit] = true
			c.fact(f, x, f.Units[i])
		}
	}
}

func (c *checker) fact(f Fiche, x Fact, u digesto.Unit) {
	say := func(s string) {
		c.add(f.File, x.Line, "ficha «"+f.ID+"», dato «"+strings.TrimPrefix(x.Unit, "s")+"»: "+s)
	}
	if x.Ref == "" || x.Norm == "" && x.Place != "" {
		say("sin referencia oficial")
	}
	if c.p.HasGuides() {
		for _, why := range sentence.Plain(x.Text, sentence.Limits{Known: c.abbreviations(f)}) {
			say(why)
		}
	}
	if !strings.HasPrefix(x.URL, "https://") && !strings.HasPrefix(x.URL, "http://") {
		say("sin dirección oficial")
	}
	if !isoDay.MatchString(string(x.Reviewed)) {
		say("sin fecha de revisión (AAAA-MM-DD)")
	}
	if money.MatchString(x.Text) && !year.MatchString(x.Text) {
		say("tiene un importe sin el año al que corresponde")
	}
	if n := utf8.RuneCountInString(u.Versions[0].Text); n < 20 || n > 500 {
		say("la frase con su referencia debe tener entre 20 y 500 caracteres")
	}
	if !strings.HasSuffix(x.Text, ".") {
		say("la frase debe acabar en punto")
	}
	if sentences(x.Text) > 1 {
		say("tiene más de una frase: un dato es una sola")
	}
	if x.Place != "" && !c.known(x.Norm) {
		say("cita la norma «" + x.Norm + "», que no está en las fuentes del paquete")
	}
}

var sentenceEnd = lazyregexp.New(`[a-záéíóúñ)»][.?!]\s+[A-ZÁÉÍÓÚÑ¿¡]`)

func sentences(s string) int { return len(sentenceEnd.FindAllString(s, -1)) + 1 }

// abbreviations are those that a guide may use: the ones that its title explains
// and those that are everyday names themselves.
func (c *checker) abbreviations(f Fiche) []string {
	return append(sentence.Abbreviations(f.Title), c.p.Everyday...)
}

// known says whether a norm is among the pack's sources; a pack without
// sources knows none and is not held to it.
func (c *checker) known(norm string) bool {
	if len(c.p.Sources) == 0 {
		return true
	}
	for _, s := range c.p.Sources {
		if s.ID == norm {
			return true
		}
	}
	return false
}

func (c *checker) aliases() {
	targets := map[string]string{}
	for i, a := range c.p.Aliases {
		file, line := c.p.at.of(c.p.at.aliases, i, "aliases")
		k := key(a.Name) + "|" + a.Jurisdiction
		if key(a.Name) == "" {
			c.add(file, line, "el alias «"+a.Name+"» no tiene ninguna palabra")
		}
		if was, ok := targets[k]; ok && was != a.Norm {
			c.add(file, line, "el alias «"+a.Name+"» lleva a dos normas: «"+was+"» y «"+a.Norm+"»")
		} else if ok {
			c.add(file, line, "el alias «"+a.Name+"» está dos veces")
		}
		targets[k] = a.Norm
		// Every norm that has a name is a source, installed or not: an answer that
		// misses it can then say its title and where to find it.
		if !c.known(a.Norm) {
			c.add(file, line, "el alias «"+a.Name+"» lleva a la norma «"+a.Norm+"», que no está en las fuentes")
		}
	}
}

func (c *checker) sources() {
	seen := map[string]bool{}
	for i, s := range c.p.Sources {
		file, line := c.p.at.of(c.p.at.sources, i, "sources")
		if seen[s.ID] {
			c.add(file, line, "la fuente «"+s.ID+"» está dos veces")
		}
		seen[s.ID] = true
		if s.Rank != "" && len(c.p.Ranks) > 0 && c.p.Level(c.p.Jurisdiction(), s.Rank) == 0 {
			c.add(file, line, "la fuente «"+s.ID+"» tiene el rango «"+s.Rank+"», que no está en la tabla de rangos")
		}
	}
}

func (c *checker) detectors() {
	for i := range c.p.Detectors {
		d := &c.p.Detectors[i]
		file, line := c.p.at.of(c.p.at.detectors, i, "rules")
		name := "detector «" + d.Name + "»: "
		if len(d.When) == 0 {
			c.add(file, line, name+"no tiene patrones")
		}
		if len(d.Examples) == 0 || len(d.Near) == 0 {
			c.add(file, line, name+"necesita ejemplos («examples») y casos cercanos («near_misses»)")
		}
		for _, e := range d.Examples {
			if !d.matches(saidIn(e)) {
				c.add(file, line, name+"no reconoce su ejemplo «"+e+"»")
			}
			if o, ok := c.other(d, e); ok {
				c.add(file, line, name+"su ejemplo «"+e+"» también es de «"+o+"»")
			}
		}
		for _, n := range d.Near {
			if d.matches(saidIn(n)) {
				c.add(file, line, name+"salta con el caso cercano «"+n+"»")
			}
		}
	}
}

// other finds a detector of another outcome that takes the same example.
func (c *checker) other(d *Detector, example string) (string, bool) {
	for i := range c.p.Detectors {
		o := &c.p.Detectors[i]
		if o != d && o.Outcome != d.Outcome && o.matches(saidIn(example)) {
			return o.Name, true
		}
	}
	return "", false
}

func (c *checker) ambiguities() {
	seen := map[string]bool{}
	for i := range c.p.Ambiguities {
		a := &c.p.Ambiguities[i]
		file, line := c.p.at.of(c.p.at.ambiguities, i, "rules")
		for _, t := range a.Topics {
			if seen[key(t)] {
				c.add(file, line, "el tema ambiguo «"+t+"» está dos veces")
			}
			seen[key(t)] = true
			if got, ok := c.p.Ambiguous(t); !ok || got != a {
				c.add(file, line, "el tema ambiguo «"+t+"» no se reconoce")
			}
		}
		for _, o := range a.Options {
			if got, ok := a.Resolve(o.Label); !ok || got.Label != o.Label {
				c.add(file, line, "la opción «"+o.Label+"» no se distingue de las demás")
			}
			if _, ok := c.p.Ambiguous(o.Query); ok {
				c.add(file, line, "la pregunta de la opción «"+o.Label+"» es ella misma ambigua")
			}
		}
	}
}

func (c *checker) manifest() {
	file := "pack.yaml"
	names := map[string]bool{}
	for _, x := range c.p.Collections {
		if names[x.Name] {
			c.add(file, 0, "la colección «"+x.Name+"» está dos veces")
		}
		names[x.Name] = true
		if x.Weight <= 0 {
			c.add(file, 0, "la colección «"+x.Name+"» necesita un peso mayor que cero")
		}
	}
	for _, k := range c.p.Classes {
		for _, t := range k.Tiers {
			if !names[t.Collection] {
				c.add(file, 0, "la clase «"+k.Name+"» busca en la colección «"+t.Collection+"», que no está en el manifiesto")
			}
		}
		if k.Tool != "" && !slices.Contains(c.p.ToolNames, k.Tool) {
			c.add(file, 0, "la clase «"+k.Name+"» usa la herramienta «"+k.Tool+"», que no está en el manifiesto")
		}
	}
	for _, t := range c.p.ToolNames {
		if !c.attached(t) {
			c.add(file, 0, "la herramienta «"+t+"» no está en este programa")
		}
	}
	for _, b := range c.p.Bodies {
		for _, w := range b.Words {
			if _, err := ParsePattern(w); err != nil {
				c.add(file, 0, "organismo «"+b.Name+"»: "+err.Error())
			}
		}
	}
	if len(c.p.Fiches) == 0 && !c.p.Digest {
		c.add(file, 0, "el paquete no tiene ninguna ficha ni preguntas («digest/»): sin ley instalada no podría contestar nada")
	}
}

func (c *checker) attached(tool string) bool {
	for _, t := range c.p.Tools {
		if t.Name() == tool {
			return true
		}
	}
	return false
}
