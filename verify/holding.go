package verify

import (
	"strings"

	"digesto/text"
	"digesto/text/figure"
)

// Holding says whether a passage bears a claim out.
type Holding string

// The holdings. What is not plainly the one or the other is not shown: a person
// has to read it.
const (
	Supported    Holding = "supported"
	Contradicted Holding = "contradicted"
	NotShown     Holding = "not_shown"
)

// Difference is in what a passage contradicts a claim.
type Difference string

// The differences.
const (
	DiffersFigure   Difference = "figure"   // an amount, a period, a share
	DiffersNegation Difference = "negation" // one denies what the other says
	DiffersBody     Difference = "body"     // another person, court or authority
	DiffersLimit    Difference = "limit"    // at most for at least, before for after
)

// Judgement is what a passage says of a claim, by the sentence that decides.
type Judgement struct {
	Holding Holding
	Differs Difference // when contradicted
	// Said and Law are the words that differ: the claim's and the passage's.
	Said, Law string
	// Except says that the deciding sentence has an exception, or other cases, that the
	// claim does not have.
	Except bool
	Words  int // words of substance of the claim
	Support
}

// LeastWords is how many words of substance a claim must have.
const LeastWords = 3

// mayMiss is the share of a claim's words that a passage may lack where it is said
// to contradict the rest.
const mayMiss = .15

// Judge says whether the passage supports or contradicts a claim made without
// weights. It never takes a claim for supported that has a word of substance, a
// figure or a limit that the deciding sentence and what it is read with lack.
func (p *Passage) Judge(c *Claim, loc figure.Locale) Judgement {
	best, ok := p.Check(c)
	out := Judgement{Holding: NotShown, Support: best}
	if !ok {
		return out
	}
	x := &comparison{p: p, c: c, at: best.at, loc: loc}
	x.read()
	out.Words = x.words
	if x.words < LeastWords {
		return out
	}
	switch {
	case x.near(x.alien + len(x.bodies)): // so is what lacks nothing
		x.number, x.clean = x.figures()
		x.polar = x.polarity()
		x.contradict(&out)
	case x.alien > 0 || len(x.bodies) > 0:
		if d, at := x.stray(); at >= 0 {
			sent := x.p.sents[at].Sentence
			out.Holding, out.Differs, out.Said, out.Law = Contradicted, DiffersFigure, d.said, d.law
			out.Start, out.End = sent.Start, sent.End
		}
		return out
	}
	if out.Holding == NotShown && x.supports() {
		out.Holding = Supported
		out.Except = x.cases || x.exception()
	}
	return out
}

// comparison is a claim beside the sentence that decides on it.
type comparison struct {
	p   *Passage
	c   *Claim
	at  int
	loc figure.Locale

	context string // the deciding sentence and the announcement of its list
	law     []polarWord
	words   int      // of substance, figures and bodies included
	alien   int      // of them, neither in the sentence nor in what it is read with; bodies apart
	bodies  []string // of the claim, that the unit does not name
	cases   bool     // the sentence tells several cases apart

	number, polar pair // in which the two differ: see figures and polarity
	clean         bool
}

func (x *comparison) read() {
	x.context = x.p.context(x.at)
	counted := map[string]bool{} // words of figures, which are compared as figures
	for _, f := range x.counted() {
		for s := range stemsOf(f.Text) {
			counted[s] = true
		}
		counted[f.Value] = true
	}
	turned := x.limits().said
	for _, w := range x.c.said {
		if w.limit || light[w.stem] {
			continue
		}
		if x.words++; counted[w.stem] || w.plain == turned || x.there(w.stem) {
			continue
		}
		if g := bodyOf(w.plain); g != 0 {
			if !x.names(g) {
				x.bodies = append(x.bodies, w.plain)
			}
			continue
		}
		x.alien++
	}
}

// context gives a sentence with the announcement of its list.
func (p *Passage) context(at int) string {
	s := &p.sents[at]
	if s.lead >= 0 {
		return p.sents[s.lead].Text + " " + s.Text
	}
	return s.Text
}

// near says that so few words are missing that the rest is plainly the same matter.
func (x *comparison) near(missing int) bool {
	return float64(missing) <= mayMiss*float64(x.words)+float64(len(x.bodies))
}

// there says whether a word, or one of its root, is in the sentence or in what it
// is read with: its list's announcement, its paragraph, the headings.
func (x *comparison) there(stem string) bool {
	if x.p.near(x.at, stem) >= nearHead {
		return true
	}
	root := rooted(stem)
	for k, s := range x.p.sents {
		if k != x.at && k != x.p.sents[x.at].lead && s.Para != x.p.sents[x.at].Para {
			continue
		}
		for known := range s.stems {
			if akin(rooted(known), root) {
				return true
			}
		}
	}
	for known := range x.p.head {
		if akin(rooted(known), root) {
			return true
		}
	}
	return false
}

// akin says that one root goes on from the other ("anual", "anualidad").
func akin(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= 4 && strings.HasPrefix(b, a) && !isFigure(a)
}

// rooted gives a stem whether or not its vowel breaks under stress ("asciende", "ascenderá").
func rooted(stem string) string {
	if strings.Contains(stem, "ie") || strings.Contains(stem, "ue") {
		return broken.Replace(stem)
	}
	return stem
}

var broken = strings.NewReplacer("ie", "e", "ue", "o")

// names says whether the whole unit names a body of a group.
func (x *comparison) names(group int) bool {
	x.p.once.Do(func() {
		x.p.groups = map[int]bool{}
		for _, s := range x.p.sents {
			for _, t := range text.Tokens(nil, s.Text) {
				x.p.groups[bodyOf(t.Text)] = true
			}
		}
	})
	return x.p.groups[group]
}

// contradict looks for the one point in which the sentence says something else.
func (x *comparison) contradict(out *Judgement) {
	figures, polar := x.number, x.polar
	switch {
	case figures.said != "" && len(x.bodies) == 0 && polar.said == "" && !polar.unsure:
		out.Holding, out.Differs, out.Said, out.Law = Contradicted, DiffersFigure, figures.said, figures.law
	case !x.clean:
	case polar.said != "" && len(x.bodies) == 0:
		out.Holding, out.Differs, out.Said, out.Law = Contradicted, DiffersNegation, polar.said, polar.law
	case polar.unsure || polar.said != "":
	case len(x.bodies) > 0:
		if other := x.otherBody(); other != "" && out.Order >= .4 {
			out.Holding, out.Differs, out.Said, out.Law = Contradicted, DiffersBody, strings.Join(x.bodies, " "), other
		}
	default:
		if d := x.limits(); d.said != "" {
			out.Holding, out.Differs, out.Said, out.Law = Contradicted, DiffersLimit, d.said, d.law
		}
	}
}

// supports says whether nothing of the claim is missing or turned.
func (x *comparison) supports() bool {
	if x.alien > 0 || len(x.bodies) > 0 {
		return false
	}
	if !x.clean || x.polar.said != "" || x.polar.unsure {
		return false
	}
	return x.limits().said == "" && !x.unlimited() && x.placed()
}

// unlimited says that the claim narrows or widens the rule by a word that the
// sentence does not have.
func (x *comparison) unlimited() bool {
	for _, w := range x.c.said {
		if w.limit && !denying[w.plain] && x.p.near(x.at, w.stem) < nearParagraph {
			return true
		}
	}
	return false
}

// placed says that the words of the claim stand in the order of the sentence, where
// the sentence names several bodies: who does what is told by order alone.
func (x *comparison) placed() bool {
	groups := map[int]bool{}
	for _, t := range text.Tokens(nil, x.context) {
		if g := bodyOf(t.Text); g != 0 {
			groups[g] = true
		}
	}
	s := x.p.support(x.c, x.at)
	if len(groups) >= 2 {
		return s.Order >= .5
	}
	return s.Order >= .25
}

func (x *comparison) otherBody() string {
	mine := map[int]bool{}
	for _, w := range x.c.said {
		mine[bodyOf(w.plain)] = true
	}
	for _, t := range text.Tokens(nil, x.context) {
		if g := bodyOf(t.Text); g != 0 && !mine[g] {
			return x.context[t.Start:t.End]
		}
	}
	return ""
}

// exception says that the sentence excepts something and the claim does not.
func (x *comparison) exception() bool {
	for _, t := range text.Tokens(nil, x.context) {
		if excepting[t.Text] && !x.c.says(t.Text) {
			return true
		}
	}
	return false
}
