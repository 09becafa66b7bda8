package verify

import (
	"strings"
	"sync"

	"digesto/text"
	"digesto/text/sentence"
)

// Claim is a statement to be checked against legal texts: what is said, and what
// it is said about (the question that it answers). Make it with NewClaim.
type Claim struct {
	said, about []claimWord
	total       float64 // sum of the weights of said
	aboutTotal  float64
	pairs       []claimPair // neighbours of said, the last word of about before its first
	pairTotal   float64
	denied      map[string]bool // stems that the claim denies: the word after "no", "sin", "nunca"
	text        string          // said, as written
}

type claimWord struct {
	plain  string
	stem   string
	weight float64
	limit  bool // changes what a rule says: "no", "solo", "todos"
	figure bool
}

type claimPair struct {
	a, b   string
	weight float64
}

// NewClaim reads a claim. weight gives what a stem tells (its idf, or how far it
// sets this claim apart from others); nil weighs all alike.
func NewClaim(an *text.Analyser, about, said string, weight func(stem string) float64) *Claim {
	if weight == nil {
		weight = func(string) float64 { return 1 }
	}
	c := &Claim{denied: map[string]bool{}, text: said}
	c.about, c.aboutTotal = claimWords(an, about, weight)
	c.said, c.total = claimWords(an, said, weight)
	prev := ""
	if n := len(c.about); n > 0 {
		prev = c.about[n-1].stem
	}
	for _, t := range an.Terms(said) {
		if t.Stem == "" || t.Part {
			continue
		}
		if denies(prev) {
			c.denied[t.Stem] = true
		}
		if prev != "" {
			w := weight(prev) + weight(t.Stem)
			c.pairs = append(c.pairs, claimPair{strings.Clone(prev), strings.Clone(t.Stem), w})
			c.pairTotal += w
		}
		prev = strings.Clone(t.Stem)
	}
	return c
}

func claimWords(an *text.Analyser, s string, weight func(string) float64) (out []claimWord, total float64) {
	seen := map[string]bool{}
	for _, t := range an.Terms(s) {
		if t.Stem == "" || t.Part || seen[t.Stem] {
			continue
		}
		w := claimWord{plain: strings.Clone(t.Plain), stem: strings.Clone(t.Stem), weight: weight(t.Stem), limit: limiting[t.Plain], figure: isFigure(t.Stem)}
		seen[w.stem] = true
		out, total = append(out, w), total+w.weight
	}
	return out, total
}

// limiting are words that narrow or turn a rule, folded.
var limiting = text.WordSet("no sin nunca ningun ninguna ninguno jamas tampoco solo solamente unicamente exclusivamente exclusiva siempre todo todos toda todas excepto salvo cualquier cualquiera")

func denies(stem string) bool {
	return stem == "no" || stem == "sin" || stem == "nunca" || stem == "tampoc"
}

func isFigure(stem string) bool { return stem != "" && stem[0] >= '0' && stem[0] <= '9' }

// Passage is a unit's text read for checking claims. It may be used by any
// number of goroutines once made.
type Passage struct {
	sents []passageSentence
	head  map[string]bool // stems of rubric and headings
	all   map[string]bool // of the whole unit

	once   sync.Once
	groups map[int]bool // of bodies that it names, once asked for
}

type passageSentence struct {
	sentence.Sentence
	seq   []string
	stems map[string]bool
	lead  int // the sentence that announces the list it is an item of; -1 = none
}

// NewPassage reads a unit: its headings and its text.
func NewPassage(an *text.Analyser, headings, body string) *Passage {
	p := &Passage{head: map[string]bool{}, all: map[string]bool{}}
	for _, s := range sentence.Split(body) {
		p.sents = append(p.sents, readSentence(an, s, p.all))
	}
	for _, t := range an.Terms(headings) {
		if t.Stem != "" {
			p.head[strings.Clone(t.Stem)] = true
		}
	}
	for i := range p.sents {
		p.sents[i].lead = p.leadOf(i)
	}
	return p
}

func readSentence(an *text.Analyser, s sentence.Sentence, all map[string]bool) passageSentence {
	out := passageSentence{Sentence: s, stems: map[string]bool{}}
	for _, t := range an.Terms(s.Text) {
		if t.Stem == "" {
			continue
		}
		stem := strings.Clone(t.Stem)
		out.stems[stem], all[stem] = true, true
		if !t.Part {
			out.seq = append(out.seq, stem)
		}
	}
	return out
}

// leadOf finds the sentence with a colon that announces the list of sentence i.
func (p *Passage) leadOf(i int) int {
	for !p.sents[i].First {
		i--
	}
	kind := p.sents[i].Marker
	if kind == sentence.NoMarker {
		return -1
	}
	for k := i - 1; k >= 0; k-- {
		if p.sents[k].Last && p.sents[k].Lead() && p.sents[k+1].Marker == kind {
			return k
		}
		if p.sents[k].First && p.sents[k].Marker != sentence.NoMarker && p.sents[k].Marker < kind {
			return -1
		}
	}
	return -1
}

// Support says how far a claim stands in a passage. Shares are 0–1.
type Support struct {
	Score  float64 // of all that follows, for ordering; below 0 = contradicted more than supported
	Cover  float64 // weight of its words in the deciding sentence, less for those only around it
	Order  float64 // weight of its neighbouring words that are neighbours there, in that order
	About  float64 // weight of what it is about, there and around
	Whole  float64 // weight of its words in the whole unit
	Figure int     // figures of the claim that the sentence and what it is read with lack
	Limit  int     // words such as "no", "solo", "todos" that only the claim has
	Denied int     // words of the claim that the sentence denies and the claim does not
	// Start and End are the deciding sentence, in code points of the passage's body.
	Start, End int

	at int // the deciding sentence, counted
}

// Weights of the parts of a score: what decides is the claim's words in one
// sentence, in their order; a figure or limit that is not there counts against it.
const (
	claimCover  = 1.0
	claimOrder  = .6
	claimAbout  = .7
	claimWhole  = .2
	claimFigure = -.45
	claimLimit  = -.2
	claimDenied = -.25
)

// Check finds the sentence that supports a claim best. ok is false for a passage
// without sentences or a claim without words.
func (p *Passage) Check(c *Claim) (best Support, ok bool) {
	if len(c.said) == 0 {
		return best, false
	}
	whole := 0.0
	for _, w := range c.said {
		if p.all[w.stem] || p.head[w.stem] {
			whole += w.weight
		}
	}
	for i := range p.sents {
		s := p.support(c, i)
		s.Whole = whole / max(c.total, 1e-9)
		s.Score += claimWhole * s.Whole
		if !ok || s.Score > best.Score+1e-9 {
			best, ok = s, true
		}
	}
	return best, ok
}

func (p *Passage) support(c *Claim, i int) Support {
	x := &p.sents[i]
	s := Support{Start: x.Start, End: x.End, at: i}
	for _, w := range c.said {
		near := p.near(i, w.stem)
		s.Cover += w.weight * near
		if near < nearParagraph && w.figure {
			s.Figure++
		}
		if near < nearParagraph && w.limit {
			s.Limit++
		}
	}
	for _, w := range c.about {
		s.About += w.weight * p.nearAbout(i, w.stem)
	}
	seq := x.seq
	if x.lead >= 0 {
		seq = append(append([]string(nil), p.sents[x.lead].seq...), x.seq...)
	}
	s.Order = c.inOrder(seq)
	s.Denied = c.deniedIn(seq)
	s.Cover /= max(c.total, 1e-9)
	s.About /= max(c.aboutTotal, 1e-9)
	s.Score = claimCover*s.Cover + claimOrder*s.Order + claimAbout*s.About*(.3+.7*s.Cover) +
		claimFigure*float64(min(s.Figure, 2)) + claimLimit*float64(min(s.Limit, 2)) + claimDenied*float64(min(s.Denied, 2))
	return s
}

// How much a word counts that stands beside a sentence instead of in it.
const (
	nearLead      = .9
	nearParagraph = .7
	nearHead      = .5
	nearUnit      = .25
)

func (p *Passage) near(i int, stem string) float64 {
	x := &p.sents[i]
	switch {
	case x.stems[stem]:
		return 1
	case x.lead >= 0 && p.sents[x.lead].stems[stem]:
		return nearLead
	case p.inParagraph(i, stem):
		return nearParagraph
	case p.head[stem]:
		return nearHead
	case p.all[stem]:
		return nearUnit
	}
	return 0
}

// nearAbout is near for the matter: the heading of a unit says what all of it is about.
func (p *Passage) nearAbout(i int, stem string) float64 {
	if v := p.near(i, stem); v >= nearLead || !p.head[stem] {
		return v
	}
	return nearLead
}

func (p *Passage) inParagraph(i int, stem string) bool {
	para := p.sents[i].Para
	for k := i - 1; k >= 0 && p.sents[k].Para == para; k-- {
		if p.sents[k].stems[stem] {
			return true
		}
	}
	for k := i + 1; k < len(p.sents) && p.sents[k].Para == para; k++ {
		if p.sents[k].stems[stem] {
			return true
		}
	}
	return false
}

// inOrder is the weight of the claim's neighbours that stand at most two words
// apart in seq, in the same order.
func (c *Claim) inOrder(seq []string) float64 {
	if c.pairTotal == 0 {
		return 0
	}
	got := 0.0
	for _, p := range c.pairs {
		if follow(seq, p.a, p.b) {
			got += p.weight
		}
	}
	return got / c.pairTotal
}

func follow(seq []string, a, b string) bool {
	for i, s := range seq {
		if s != a {
			continue
		}
		for k := i + 1; k < len(seq) && k <= i+2; k++ {
			if seq[k] == b {
				return true
			}
		}
	}
	return false
}

// deniedIn counts the words of the claim that seq denies and the claim does not.
func (c *Claim) deniedIn(seq []string) int {
	n := 0
	for i := 0; i+1 < len(seq); i++ {
		if denies(seq[i]) && !c.denied[seq[i+1]] && c.says(seq[i+1]) {
			n++
		}
	}
	return n
}

func (c *Claim) says(stem string) bool {
	for _, w := range c.said {
		if w.stem == stem {
			return true
		}
	}
	return false
}
