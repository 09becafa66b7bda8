package view

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
	"digesto/text/lazyregexp"
)

// run is a stretch of text, highlighted when it is the quotation.
type run struct {
	Number, Item string // what opens a paragraph of an article: "1.", "b)"; it is no part of Text then
	Text         string
	Mark         bool
	ID           string // of the first of a source: what its number in the answer leads to
	link
}

// paragraphs cuts a text at line feeds and marks the quotations, given as
// ranges [start, end) in code points. Ranges outside the text mark nothing.
func paragraphs(text string, quotes ...[2]int) [][]run { return linkedParagraphs(text, nil, quotes...) }

// placedLink is a link over the code points [from, to) of a text.
type placedLink struct {
	from, to int
	link
}

// linkedParagraphs are paragraphs whose references lead somewhere.
func linkedParagraphs(text string, links []placedLink, quotes ...[2]int) [][]run {
	r := []rune(text)
	marked := make([]int, len(r)+1) // 1: quoted; above: the number of its link
	for i, l := range links {
		for k := max(l.from, 0); k < min(l.to, len(r)); k++ {
			marked[k] = 2 * (i + 1)
		}
	}
	for _, q := range quotes {
		if q[0] < 0 || q[1] > len(r) {
			continue
		}
		for i := q[0]; i < q[1]; i++ {
			marked[i] |= 1
		}
	}
	var out [][]run
	for from := 0; from <= len(r); {
		to := from
		for to < len(r) && (r[to] != '\n' || goesOn(r[from:to], r[to+1:])) {
			to++
		}
		if p := runs(r[from:to], marked[from:to], links); len(p) > 0 {
			out = append(out, p)
		}
		from = to + 1
	}
	return out
}

var (
	numberOf = lazyregexp.New(`^(\d{1,2}(?:\.\d{1,2})?(?: bis| ter| quater)?\.)(?:\s|$)`)
	itemOf   = lazyregexp.New(`^\p{Ll}\)`)
)

// numbered sets what numbers the paragraphs of an article apart, for the reader's pages.
func numbered(ps [][]run) [][]run {
	for _, p := range ps {
		if len(p) == 0 || p[0].URL != "" {
			continue
		}
		x := &p[0]
		if m := numberOf.FindStringSubmatch(x.Text); m != nil {
			x.Number = m[1]
		}
		x.Item = itemOf.FindString(x.Text)
		x.Text = x.Text[len(x.Number)+len(x.Item):]
	}
	return ps
}

// goesOn says that a line feed stands within a sentence: its source breaks lines by width.
func goesOn(line, next []rune) bool {
	last := strings.TrimRight(string(line), " ")
	end, _ := utf8.DecodeLastRuneInString(last)
	if !unicode.IsLetter(end) && end != ',' {
		return false
	}
	return lineGoesOn.MatchString(string(next[:min(len(next), 24)]))
}

// lineGoesOn is how the rest of a sentence begins: in lower case, but for the letter or
// number of an item, or with a figure in brackets.
var lineGoesOn = lazyregexp.New(`^(?:\p{Ll}{2,}[ ,;]|[yaoeu] |\(\d+\) \p{Ll})`)

// runs gives the stretches of one paragraph.
func runs(r []rune, marked []int, links []placedLink) []run {
	var out []run
	for from := 0; from < len(r); {
		to := from
		for to < len(r) && marked[to] == marked[from] {
			to++
		}
		x := run{Text: string(r[from:to]), Mark: marked[from]&1 != 0}
		if k := marked[from] >> 1; k > 0 {
			x.link = links[k-1].link
		}
		out = append(out, x)
		from = to
	}
	return out
}

// named gives the first marked stretch an address.
func named(ps [][]run, id string) [][]run {
	for _, p := range ps {
		for i := range p {
			if p[i].Mark {
				p[i].ID = id
				return ps
			}
		}
	}
	return ps
}

// around keeps the paragraphs with the quotation and one on either side.
func around(ps [][]run) [][]run {
	first, last := len(ps), -1
	for i, p := range ps {
		for _, r := range p {
			if r.Mark {
				first, last = min(first, i), max(last, i)
			}
		}
	}
	if last < 0 {
		return ps[:min(len(ps), 2)]
	}
	return ps[max(first-1, 0):min(last+2, len(ps))]
}

// span is a stretch of an answer: text, the mark of a source, or a link.
type span struct {
	Text  string
	N     int
	Label string
	URL   string
	Mark  string // "C1"
}

var markPattern = lazyregexp.New(`\s*\[C(\d+)\]`)

// spans turns the marks "[C2]" of an answer into links to its sources. place
// gives the number of the source of a mark, 0 for none.
func spans(text string, place func(label string) (n int, title string)) []span {
	var out []span
	at := 0
	for _, m := range markPattern.FindAllStringSubmatchIndex(text, -1) {
		n, title := place("C" + text[m[2]:m[3]])
		if n == 0 {
			continue
		}
		out = append(out, span{Text: text[at:m[0]]}, span{N: n, Label: "Fuente " + strconv.Itoa(n) + ": " + title, Mark: "C" + text[m[2]:m[3]]})
		at = m[1]
	}
	if at < len(text) {
		out = append(out, span{Text: text[at:]})
	}
	return out
}

// once leaves out marks that are there already.
func once(in []span) []span {
	seen := map[int]bool{0: false} // 0 is text
	return slices.DeleteFunc(in, func(s span) bool {
		again := seen[s.N]
		seen[s.N] = s.N != 0
		return again
	})
}

func refTitle(c digesto.Citation) string {
	if c.Ref != nil && c.Ref.Title != "" {
		head, norm, of := strings.Cut(c.Ref.Title, " — ")
		if label, rubric, ok := strings.Cut(head, ". "); ok {
			head = label + ". " + corpus.HeadingOf(rubric)
		}
		return unlabelled(head + or(of, " — "+norm, ""))
	}
	return c.Source
}

// ownLabel opens the titles of rows and fiches of ours: it says nothing to people.
var ownLabel = lazyregexp.New(`^(?:Fila|Ficha)\. `)

func unlabelled(title string) string { return UpperFirst(ownLabel.ReplaceAllString(title, "")) }

var addressPattern = lazyregexp.New(`https?://[^\s)»"]*[^\s)»".,;:]`)

// linked turns the addresses in a note into links.
func linked(text string) []span {
	var out []span
	at := 0
	for _, m := range addressPattern.FindAllStringIndex(text, -1) {
		u := webURL(text[m[0]:m[1]])
		if u == "" {
			continue
		}
		out = append(out, span{Text: text[at:m[0]]}, span{Text: u, URL: u})
		at = m[1]
	}
	return append(out, span{Text: text[at:]})
}

// lines cuts an answer into its paragraphs.
func lines(s string) []string {
	var out []string
	for l := range strings.SplitSeq(s, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}
