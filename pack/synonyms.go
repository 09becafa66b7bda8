package pack

import (
	"bufio"
	"io"
	"slices"
	"strings"
	"sync"

	"digesto"
)

// Synonyms holds groups of expressions that mean the same. A question that
// holds one of a group gets the others as alternatives (never joined by and),
// for the lexical lists only.
type Synonyms struct {
	groups [][]string // folded
	shown  [][]string // as written
	phrases
	plurals phrases // the same with every word without the ending of its plural
}

// phrases finds expressions in the words of a question. What is added is cut into
// words when it is first looked for: a command loads the lexicons of every pack, and
// a question needs those of one.
type phrases struct{ *phraseTable }

type phraseTable struct {
	once  sync.Once
	added []phrase
	index map[string][]int // folded expression → what it stands for
	first map[string]int   // first word → longest expression that begins so
}

type phrase struct {
	text string
	id   int
}

func newPhrases() phrases { return phrases{&phraseTable{}} }

func newSynonyms() *Synonyms { return &Synonyms{phrases: newPhrases(), plurals: newPhrases()} }

// longest finds the longest expression at word i, as written or in another number.
func (s *Synonyms) longest(words []string, i int) (int, []int) {
	if n, g := s.phrases.longest(words, i); n > 0 {
		return n, g
	}
	bare := make([]string, 0, maxExpression)
	for _, w := range words[i:min(len(words), i+maxExpression)] {
		bare = append(bare, singular(w))
	}
	return s.plurals.longest(bare, 0)
}

// maxExpression is the longest expression looked for in another number, in words.
const maxExpression = 8

// singular takes the ending of the plural from a folded word, and the e that some
// singulars share with it, so that both numbers come out the same.
func singular(w string) string {
	if len(w) < 4 {
		return w
	}
	return strings.TrimSuffix(strings.TrimSuffix(w, "s"), "e")
}

// Len counts the groups.
func (s *Synonyms) Len() int { return len(s.groups) }

// Expand gives the alternatives for the expressions found in a question, in
// order of appearance, without repeats and without what the question says already.
// The longest expression at a place wins.
func (s *Synonyms) Expand(question string) []string { return s.ExpandBeside(question, nil) }

// ExpandBeside is Expand without the expressions that stand within a longer one
// of the terms named: there the whole term says what is meant ("baja" in "baja
// por paternidad").
func (s *Synonyms) ExpandBeside(question string, named []Named) []string {
	return Says(s.Alternatives(question, named))
}

// Alternative is another way to say some words of a question.
type Alternative struct {
	Of  string // the words of the question, folded
	Say string
}

// Says gives what alternatives say.
func Says(list []Alternative) []string {
	var out []string
	for _, a := range list {
		out = append(out, a.Say)
	}
	return out
}

// Alternatives is ExpandBeside with the words that each stands for.
func (s *Synonyms) Alternatives(question string, named []Named) []Alternative {
	if s == nil {
		return nil
	}
	words := Words(question)
	whole := " " + strings.Join(words, " ") + " "
	seen := map[string]bool{}
	var out []Alternative
	for i := 0; i < len(words); {
		n, groups := s.longest(words, i)
		if n == 0 || withinLonger(named, i, i+n) {
			i += max(1, n)
			continue
		}
		for _, g := range groups {
			for k, e := range s.groups[g] {
				if !seen[e] && !strings.Contains(whole, " "+e+" ") {
					seen[e] = true
					out = append(out, Alternative{strings.Join(words[i:i+n], " "), s.shown[g][k]})
				}
			}
		}
		i += n
	}
	return out
}

func withinLonger(named []Named, from, to int) bool {
	return slices.ContainsFunc(named, func(n Named) bool { return n.From <= from && to <= n.To && to-from < n.To-n.From })
}

// found gives the expressions of a question, folded, with those that mean the same.
func (s *Synonyms) found(question string) map[string][]string {
	out := map[string][]string{}
	words := Words(question)
	for i := 0; i < len(words); {
		n, groups := s.longest(words, i)
		for _, g := range groups {
			said := strings.Join(words[i:i+n], " ")
			out[said] = append(out[said], s.groups[g]...)
		}
		i += max(1, n)
	}
	return out
}

// Has says whether an expression is one of a group.
func (s *Synonyms) Has(expression string) bool {
	return s != nil && len(s.index[key(expression)]) > 0
}

// longest finds the longest expression that begins at word i: its words and
// what it stands for.
func (p phrases) longest(words []string, i int) (int, []int) {
	t := p.ready()
	for n := min(t.first[words[i]], len(words)-i); n > 0; n-- {
		if g, ok := t.index[strings.Join(words[i:i+n], " ")]; ok {
			return n, g
		}
	}
	return 0, nil
}

// add makes an expression, which has a word at least, stand for id too. Nothing may
// be added once something was looked for.
func (p phrases) add(expression string, id int) { p.added = append(p.added, phrase{expression, id}) }

// ready gives the table with everything added.
func (p phrases) ready() *phraseTable {
	t := p.phraseTable
	t.once.Do(func() {
		t.index, t.first = make(map[string][]int, len(t.added)), map[string]int{}
		for _, a := range t.added {
			words := Words(a.text)
			if len(words) == 0 {
				continue
			}
			f := strings.Join(words, " ")
			t.index[f] = append(t.index[f], a.id)
			t.first[words[0]] = max(t.first[words[0]], len(words))
		}
	})
	return t
}

func (s *Synonyms) group(group []string) {
	id := len(s.groups)
	var folded, shown []string
	for _, e := range group {
		w := Words(e)
		folded, shown = append(folded, strings.Join(w, " ")), append(shown, e)
		s.add(e, id)
		bare := make([]string, len(w))
		for k := range w {
			bare[k] = singular(w[k])
		}
		s.plurals.add(strings.Join(bare, " "), id)
	}
	s.groups, s.shown = append(s.groups, folded), append(s.shown, shown)
}

// read adds the groups of a file. A line is a group, its expressions separated
// by "=" or ";"; "#" begins a comment.
func (s *Synonyms) read(file string, r io.Reader) []Problem {
	var bad []Problem
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		line, _, _ := strings.Cut(sc.Text(), "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		var group []string
		dup := map[string]bool{}
		for _, e := range strings.FieldsFunc(line, func(r rune) bool { return r == '=' || r == ';' }) {
			e = strings.TrimSpace(e)
			k := key(e)
			switch {
			case k == "":
				bad = append(bad, Problem{file, n, "hay una expresión vacía entre separadores"})
			case dup[k]:
				bad = append(bad, Problem{file, n, "la expresión «" + e + "» se repite en la línea"})
			default:
				dup[k] = true
				group = append(group, e)
			}
		}
		if len(group) < 2 {
			bad = append(bad, Problem{file, n, "un grupo de sinónimos necesita al menos dos expresiones separadas por «=»"})
			continue
		}
		s.group(group)
	}
	if err := sc.Err(); err != nil {
		bad = append(bad, Problem{file, 0, "no se puede leer: " + digesto.Told(err)})
	}
	return bad
}
