package pack

import (
	"slices"
	"strings"
)

// Glossary is the list of the concepts of a domain: what people call each, what
// the law calls it, and the places that it leads to. It completes searches and
// tells which concepts a question puts side by side.
type Glossary struct {
	Terms []Term
	found phrases
}

// Term is one row of a glossary.
type Term struct {
	Forms []string // as people say it; the first is the name shown
	Legal []string // as the law says it
	Hints []Hint   // where the law deals with it, the defining place first
	place
}

// Hint is a place in the law.
type Hint struct {
	Norm string
	Unit string
}

// Named is a term found in a question, with the words that name it.
type Named struct {
	Term     *Term
	From, To int // words of the question, To excluded
}

// Len counts the terms.
func (g *Glossary) Len() int {
	if g == nil {
		return 0
	}
	return len(g.Terms)
}

// Find gives the terms that a question names, in order of appearance. The
// longest expression at a place wins; words count whole.
func (g *Glossary) Find(question string) []Named {
	if g.Len() == 0 {
		return nil
	}
	words := Words(question)
	var out []Named
	for i := 0; i < len(words); {
		n, rows := g.found.longest(words, i)
		for _, r := range rows {
			out = append(out, Named{&g.Terms[r], i, i + n})
		}
		i += max(1, n)
	}
	return out
}

// glossary reads the glossary files of a pack: forms and legal words separated
// by "|" and ";", hints as "norm unit" separated by ";".
func (r *reader) glossary(p *Pack, names []string) {
	p.Glossary = &Glossary{found: newPhrases()}
	for _, n := range r.names(names) {
		file, rows := r.tsv(n, "term", "legal", "hint", "note")
		for _, w := range rows {
			t := Term{Forms: cells(w.cells[0], "|"), Legal: cells(w.cells[1], ";"), place: place{file, w.line}}
			if len(t.Forms) == 0 || len(t.Legal) == 0 {
				r.fail(file, w.line, "un término necesita cómo se dice y cómo lo dice la ley")
				continue
			}
			for h := range strings.SplitSeq(w.cells[2], ";") {
				f := strings.Fields(h)
				if len(f) == 0 {
					continue
				}
				if len(f) != 2 {
					r.fail(file, w.line, "«%s» no es un lugar: se escribe NORMA unidad, por ejemplo BOE-A-2015-11430 a38", strings.TrimSpace(h))
					continue
				}
				t.Hints = append(t.Hints, Hint{f[0], f[1]})
			}
			for _, f := range t.Forms {
				p.Glossary.found.add(f, len(p.Glossary.Terms))
			}
			p.Glossary.Terms = append(p.Glossary.Terms, t)
		}
	}
}

// glossary checks the terms: none twice, every hint in a norm that the pack knows.
func (c *checker) glossary() {
	if c.p.Glossary.Len() == 0 {
		return
	}
	seen := map[string]bool{}
	for _, t := range c.p.Glossary.Terms {
		for _, f := range t.Forms {
			if seen[key(f)] {
				c.add(t.file, t.line, "el término «"+f+"» está dos veces")
			}
			seen[key(f)] = true
		}
		for _, h := range t.Hints {
			if !slices.ContainsFunc(c.p.Sources, func(s Source) bool { return s.ID == h.Norm }) {
				c.add(t.file, t.line, "el término «"+t.Forms[0]+"» lleva a la norma «"+h.Norm+"», que no está en las fuentes del paquete")
			}
		}
	}
}

// Misled is a hint that the installed law does not bear out.
type Misled struct {
	Term *Term
	Hint Hint
	Why  string
}

// CheckHints compares the hints with the law: text gives the words of a unit,
// its headings included, and false where the norm is not installed; a norm that
// is there without the unit gives "" and true. A hint holds when its unit says
// the term, in one of its forms or in the words of the law.
func (g *Glossary) CheckHints(text func(Hint) (string, bool)) (held []Hint, bad []Misled) {
	for i := range g.Terms {
		t := &g.Terms[i]
		for _, h := range t.Hints {
			body, ok := text(h)
			switch {
			case !ok:
			case body == "":
				bad = append(bad, Misled{t, h, "la norma no tiene esa unidad"})
			case !t.Said(body):
				bad = append(bad, Misled{t, h, "el texto de esa unidad no habla de ello"})
			default:
				held = append(held, h)
			}
		}
	}
	return held, bad
}

// Said says whether a text holds the term: all content words of one of its
// expressions, in any form that begins alike.
func (t *Term) Said(body string) bool {
	words := map[string]bool{}
	for _, w := range Words(body) {
		words[stub(w)] = true
	}
	for _, e := range append(slices.Clone(t.Forms), t.Legal...) {
		all, n := true, 0
		for _, w := range Words(e) {
			if len(w) < 4 {
				continue
			}
			n++
			all = all && words[stub(w)]
		}
		if all && n > 0 {
			return true
		}
	}
	return false
}

// stub is what words of one family have in common: their beginning.
func stub(w string) string {
	if n := len(w) - 2; n > 5 {
		return w[:min(n, 8)]
	} else if len(w) > 5 {
		return w[:5]
	}
	return strings.TrimSuffix(w, "s")
}

// At gives the file and line of a term.
func (t *Term) At() (file string, line int) { return t.file, t.line }
