package brief

import (
	"slices"
	"sort"
	"strings"

	"digesto"
	"digesto/text"
	"digesto/text/figure"
	"digesto/text/lazyregexp"
	"digesto/text/sentence"
	"digesto/verify"
	"digesto/verify/read"
)

// Claim is what the sentence around a citation without quotation says, held against
// the unit cited, as in force on the day asked.
type Claim struct {
	// Verdict is "supported", "contradicted" or "not_shown". The last is said of
	// whatever is not plainly one of the others, and asks for a reading.
	Verdict verify.Holding `json:"verdict"`
	// Differs is in what they contradict each other: "figure", "negation", "body",
	// "limit"; "" otherwise.
	Differs verify.Difference `json:"differs"`
	Said    string            `json:"said"` // the words of the text that differ
	Law     string            `json:"law"`  // those of the law in their place
	Reason  string            `json:"reason"`
	// Quote is the sentence of the law that decides, at Ref; "" and null when nothing is shown.
	Quote string       `json:"quote"`
	Ref   *digesto.Ref `json:"ref"`
	// Start and End are the sentence of the text, in code points.
	Start int `json:"start"`
	End   int `json:"end"`
}

// stated is a sentence of the text with what it says beside its citations.
type stated struct {
	start, end int
	from, to   int  // where what it says stands
	quotes     bool // it has a quotation: that is judged by its words
}

// sentences notes each sentence that cites. What stands in brackets behind a full stop
// belongs to the sentence before.
func (j *checker) sentences(mentions []read.Mention, quotes []read.Quotation) {
	j.mentions = mentions
	j.ends = make([]int, len(mentions)) // the last end among a citation and those before it
	end := 0
	for i, m := range mentions {
		end = max(end, m.End)
		j.ends[i] = end
	}
	var before, now *stated
	para, last, lastBefore := -1, -1, -1 // paragraphs in which they begin, and end
	take := func() {
		if now == nil {
			return
		}
		now.to, now.quotes = now.end, read.Overlaps(now.start, now.end, quotes)
		now.from = now.start
		cites := j.cited(now.start, now.end)
		if before != nil && para == lastBefore && j.runes[now.start] == '(' && len(text.First(j.without(now.from, now.to), bracketWords+1)) <= bracketWords {
			now.start, now.from, now.to, now.quotes = before.start, before.from, before.to, now.quotes || before.quotes
		}
		if cites {
			j.said = append(j.said, *now)
		}
		before, lastBefore = now, last
	}
	for i, done := 0, 0; i < len(mentions); i++ {
		if mentions[i].Start < done {
			continue
		}
		from := mentions[i].Start // of the paragraphs about it
		for ; from > done && !read.BlankAt(j.runes, from-1); from-- {
		}
		done = read.ParagraphEnd(j.runes, max(mentions[i].Start, mentions[i].End-1))
		before, now = nil, nil
		sentence.Walk(j.runes[from:done], func(start, end, at int) bool {
			start, end = from+start, from+end
			if now != nil && j.spans(now.end, start) {
				now.end, last = end, at // a full stop of the citation's own
				return true
			}
			take()
			now, para, last = &stated{start: start, end: end}, at, at
			return true
		})
		take()
	}
}

// spans says whether a citation goes over the end of a sentence and the beginning of the next.
func (j *checker) spans(end, next int) bool {
	k := sort.Search(len(j.mentions), func(i int) bool { return j.mentions[i].Start >= end }) - 1
	return k >= 0 && j.ends[k] > next
}

// cited says whether there is a citation in a stretch.
func (j *checker) cited(from, to int) bool {
	k := sort.Search(len(j.mentions), func(i int) bool { return j.mentions[i].Start >= to }) - 1
	return k >= 0 && j.ends[k] > from
}

// bracketWords is how many words beside the citation a bracket may have ("véase")
// that only says where the sentence before it comes from.
const bracketWords = 3

// without gives a stretch of the text without its citations of installed units:
// what else it names ("el apartado 3 del artículo anterior") is part of what it says.
func (j *checker) without(from, to int) string {
	out := slices.Clone(j.runes[from:to])
	for k := sort.Search(len(j.mentions), func(i int) bool { return j.mentions[i].Start >= to }) - 1; k >= 0 && j.ends[k] > from; k-- {
		m := j.mentions[k]
		if m.End <= from {
			continue
		}
		if places := j.places([]read.Mention{m}); m.Relative || len(places) == 0 || places[0].missing || places[0].unit == "" {
			continue
		}
		for i := max(m.Start, from); i < min(m.End, to); i++ {
			out[i-from] = ' '
		}
	}
	return strings.TrimSpace(callInText.ReplaceAllString(string(out), ""))
}

// callInText calls a note; its number says nothing.
var callInText = lazyregexp.New(`\[\^[\w-]{1,12}\]`)

// claim holds the sentence around a citation against the text cited; nil when the
// sentence says nothing of its own, or quotes.
func (j *checker) claim(m read.Mention, g verify.Ground) *Claim {
	k := sort.Search(len(j.said), func(i int) bool { return j.said[i].end >= m.End })
	if k == len(j.said) || j.said[k].start > m.Start {
		return nil
	}
	st := j.said[k]
	if st.quotes || st.to-st.from > longestClaim {
		return nil
	}
	said := j.without(st.from, st.to)
	if len(said) > maxClaim {
		return nil
	}
	c := verify.NewClaim(&j.an, "", said, nil)
	got := j.passage(g).Judge(c, locale(g.Norm.Jurisdiction))
	if got.Words < verify.LeastWords {
		return nil
	}
	out := &Claim{Verdict: got.Holding, Differs: got.Differs, Said: got.Said, Law: got.Law, Start: st.start, End: st.end}
	if got.Holding != verify.NotShown {
		if c, ok := g.Cite(got.Start, got.End); ok {
			out.Quote, out.Ref = c.Quote, c.Ref
		}
	}
	out.Reason = claimReason(got)
	return out
}

// maxClaim bounds what a sentence says, in bytes; longestClaim, in code points, a sentence
// with its citations.
const (
	maxClaim     = 1500
	longestClaim = 8 * maxClaim
)

func claimReason(j verify.Judgement) string {
	switch {
	case j.Holding == verify.Contradicted:
		return map[verify.Difference]string{
			verify.DiffersFigure:   "La cifra no es la misma",
			verify.DiffersNegation: "Lo uno niega lo que afirma lo otro",
			verify.DiffersBody:     "No es la misma persona o institución",
			verify.DiffersLimit:    "El límite es el contrario",
		}[j.Differs] + ": el texto dice «" + j.Said + "» y el artículo, «" + j.Law + "»."
	case j.Holding == verify.Supported && j.Except:
		return "El artículo lo dice, con una excepción o distinción de casos que la frase no recoge: léala."
	case j.Holding == verify.Supported:
		return "El artículo lo dice."
	}
	return "No se ha podido comprobar con las palabras del artículo que diga esto: hay que leerlo."
}

// passage is a text of law read for claims; each is read once.
func (j *checker) passage(g verify.Ground) *verify.Passage {
	key := keyOf(g)
	p := j.passages[key]
	if p == nil {
		j.keep(len(g.Version.Text))
		p = verify.NewPassage(&j.an, strings.Join(append(slices.Clone(g.Unit.Path), g.Unit.Label, g.Unit.Rubric), "\n"), g.Version.Text)
		j.passages[key] = p
	}
	return p
}

// locale says how numbers are written where a norm rules.
func locale(jurisdiction string) figure.Locale {
	return figure.LocaleOf("es-" + strings.ToUpper(digesto.Country(jurisdiction)))
}

// settle lowers what was said of one citation of a sentence where another citation
// of the same sentence supports it: they may share the work.
func settle(list []Finding) {
	supported := map[int]bool{}
	for _, f := range list {
		if f.Claim != nil && f.Claim.Verdict == verify.Supported {
			supported[f.Claim.Start] = true
		}
	}
	for _, f := range list {
		if c := f.Claim; c != nil && c.Verdict == verify.Contradicted && supported[c.Start] {
			*c = Claim{Verdict: verify.NotShown, Reason: "Lo dice otro de los artículos que cita la frase.", Start: c.Start, End: c.End}
		}
	}
	for k := range list { // what the article contradicts is not proved by its being there
		if f := &list[k]; f.Verdict == Verified && f.Quote == nil && f.Claim != nil && f.Claim.Verdict == verify.Contradicted {
			f.say(contradicted, f.Claim.Reason)
		}
	}
}
