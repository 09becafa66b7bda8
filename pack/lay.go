package pack

import (
	"strings"
	"unicode"
)

// Lay is a lexicon from the words of the street to those of the law, one for a
// jurisdiction. Unlike synonyms it is read one way only, and what it adds to a
// search weighs less than the question's own words: a formal question uses words
// such as "plazo" on purpose, a lay one has no better.
type Lay struct {
	Entries []LayEntry
	found   phrases
}

// LayEntry is one row: expressions of the street, what the law says instead, and
// why or where.
type LayEntry struct {
	Forms []string // of one expression: gender, number, verb
	Legal []string
	Note  string
	place
}

// Len counts the entries.
func (l *Lay) Len() int {
	if l == nil {
		return 0
	}
	return len(l.Entries)
}

// Expand gives the words of the law for the expressions found in a question, in
// order of appearance, without repeats and without what the question says
// already. The longest expression at a place wins, and words count whole.
func (l *Lay) Expand(question string) []string { return l.ExpandBeside(question, nil) }

// ExpandBeside is Expand without what stands within a longer one of the terms
// named: see [Synonyms.ExpandBeside].
func (l *Lay) ExpandBeside(question string, named []Named) []string {
	return Says(l.Alternatives(question, named))
}

// Alternatives is ExpandBeside with the words that each stands for.
func (l *Lay) Alternatives(question string, named []Named) []Alternative {
	if l.Len() == 0 {
		return nil
	}
	words := Words(question)
	whole := " " + strings.Join(words, " ") + " "
	seen := map[string]bool{}
	var out []Alternative
	for i := 0; i < len(words); {
		n, rows := l.found.longest(words, i)
		if withinLonger(named, i, i+n) {
			rows = nil
		}
		for _, r := range rows {
			for _, e := range l.Entries[r].Legal {
				if k := key(e); !seen[k] && !strings.Contains(whole, " "+k+" ") {
					seen[k] = true
					out = append(out, Alternative{strings.Join(words[i:i+n], " "), e})
				}
			}
		}
		i += max(1, n)
	}
	return out
}

// AlternativeWeight is what alternatives weigh in a search beside the words that
// the question says, once the lexicon has given any: measured on the lay questions
// in packs/es/eval (their tune half) without loss on the formal sets.
const AlternativeWeight = 0.7

// lay reads the lexicon files of a pack.
func (r *reader) lay(p *Pack, names []string) {
	p.Lay = &Lay{found: newPhrases()}
	for _, n := range r.names(names) {
		file, rows := r.tsv(n, "lay", "legal", "note")
		for _, w := range rows {
			e := LayEntry{Forms: cells(w.cells[0], "|"), Legal: cells(w.cells[1], ";"), Note: w.cells[2], place: place{file, w.line}}
			if len(e.Forms) == 0 || len(e.Legal) == 0 {
				r.fail(file, w.line, "una entrada necesita una expresión y al menos una alternativa con palabras")
				continue
			}
			for _, f := range e.Forms {
				p.Lay.found.add(f, len(p.Lay.Entries))
			}
			p.Lay.Entries = append(p.Lay.Entries, e)
		}
	}
}

// hasWord says whether Words would find any: a letter or a digit is enough.
func hasWord(s string) bool {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return true
		}
	}
	return false
}

// cells splits a cell and drops parts without words.
func cells(s, sep string) []string {
	var out []string
	for x := range strings.SplitSeq(s, sep) {
		if x = strings.TrimSpace(x); hasWord(x) {
			out = append(out, x)
		}
	}
	return out
}

// lay checks the lexicon: no expression twice, no entry without its note, none
// that only says itself.
func (c *checker) lay() {
	seen := map[string]bool{}
	for _, e := range c.p.Lay.Entries {
		if e.Note == "" {
			c.add(e.file, e.line, "la expresión «"+e.Forms[0]+"» no tiene nota")
		}
		own := map[string]bool{}
		for _, f := range e.Forms {
			if seen[key(f)] {
				c.add(e.file, e.line, "la expresión «"+f+"» está dos veces")
			}
			seen[key(f)], own[key(f)] = true, true
		}
		legal := map[string]bool{}
		for _, a := range e.Legal {
			if legal[key(a)] {
				c.add(e.file, e.line, "la alternativa «"+a+"» está dos veces")
			}
			legal[key(a)] = true
			if len(own) == 1 && own[key(a)] {
				c.add(e.file, e.line, "la alternativa «"+a+"» es la expresión misma")
			}
		}
	}
}
