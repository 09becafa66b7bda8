package verify

import (
	"encoding/json"
	"slices"
	"strings"

	"digesto"
	"digesto/text"
	"digesto/text/lazyregexp"
	"digesto/text/sentence"
)

// markup are marks of languages that programs read: of an answer with such marks nothing is
// picked out.
const markup = "<>{}|"

// leastSaid is the share of a sentence's words that the units quoted beside it must have:
// what shares less with them is no paraphrase of theirs.
const leastSaid = .5

// Standing counts the sentences of a model's answer.
type Standing struct {
	Kept    int
	Dropped int
}

// Stands validates what a model wrote as [Contract] does, but an answer whose quotations
// stand loses only the sentences that do not: those that fail a check of their own or have
// too few words of the units quoted. Where those are most of it, the whole fails.
func Stands(raw []byte, g Grounds) (Checked, Standing) {
	whole := Contract(raw, g)
	var c Checked
	d, ok := c.read(raw)
	if !ok || d.refusal {
		return whole, Standing{}
	}
	c.ground(d.citations, g)
	said := sentence.Split(d.answer)
	if len(c.Answer.Citations) == 0 {
		return whole, Standing{Dropped: len(said)}
	}
	if strings.ContainsAny(without(d.answer, quotes(c.Answer.Citations)), markup) {
		return whole, Standing{Dropped: len(said)}
	}
	near := vocabularyOf(g, c)
	n, kept, end := Standing{}, "", 0
	rs := []rune(d.answer)
	for _, s := range said {
		if c.loose(s.Text, near, g) {
			n.Dropped++
			continue
		}
		if n.Kept++; n.Kept > 1 && strings.Contains(string(rs[end:s.Start]), "\n\n") {
			kept += "\n\n"
		} else if n.Kept > 1 {
			kept += " "
		}
		kept, end = kept+s.Text, s.End
	}
	switch {
	case n.Dropped == 0:
		return whole, n
	case n.Dropped > n.Kept:
		n.Dropped, n.Kept = len(said), 0
		if whole.Result != ResultRefusal && whole.Result != ResultParseError {
			whole.fail(CheckUnsaid)
			whole.refuse()
		}
		return whole, n
	}
	rest, err := json.Marshal(map[string]any{"answer": kept, "citations": d.citations, "confidence": d.confidence, "refusal": false, "notes": d.notes})
	if err != nil {
		return whole, n
	}
	return Contract(rest, g), n
}

// Loose gives the sentences of an answer as it is shown that do not stand by its own
// citations, which were proved before: those that [Stands] drops.
func Loose(a digesto.Answer, g Grounds) (out []string) {
	c := Checked{Answer: a}
	near := vocabularyOf(g, c)
	for _, s := range sentence.Split(labelMark.ReplaceAllString(a.Answer, "")) {
		if c.loose(s.Text, near, g) {
			out = append(out, s.Text)
		}
	}
	return out
}

// labelMark is how an answer marks a citation.
var labelMark = lazyregexp.New(` ?\[C\d+\]`)

// loose says that a sentence fails a check of its own or has too few words of the units
// quoted.
func (c *Checked) loose(sentence string, near *vocabulary, g Grounds) bool {
	one := Checked{Answer: c.Answer}
	one.Answer.Answer = sentence
	rest := without(sentence, quotes(c.Answer.Citations))
	return len(one.prose(sentence, g)) > 0 || len(one.sentences(g)) > 0 || !near.has(sentence, rest) || g.Strict && rest == sentence && !c.supported(sentence, g)
}

// supported says that a unit quoted says all that a sentence does.
func (c *Checked) supported(sentence string, g Grounds) bool {
	var an text.Analyser
	claim := NewClaim(&an, "", labelMark.ReplaceAllString(sentence, ""), nil)
	return slices.ContainsFunc(g.List, func(x Ground) bool {
		return slices.ContainsFunc(c.Answer.Citations, x.quoted) && x.passage(&an).Judge(claim, g.Locale).Holding == Supported
	})
}

// vocabulary is the words of the units quoted, as stems.
type vocabulary struct {
	an    text.Analyser
	stems map[string]bool
}

func vocabularyOf(g Grounds, c Checked) *vocabulary {
	s := &vocabulary{stems: map[string]bool{}}
	for _, x := range g.List {
		if !slices.ContainsFunc(c.Answer.Citations, x.quoted) {
			continue
		}
		for _, t := range s.an.Terms(strings.Join(append(slices.Clone(x.Unit.Path), x.Norm.Title, x.Norm.Short, x.Unit.Label, x.Unit.Rubric, x.Version.Text), "\n")) {
			if t.Stem != "" {
				s.stems[strings.Clone(t.Stem)] = true
			}
		}
	}
	return s
}

// has says that enough of a sentence's words of substance are theirs. What is left beside
// a quotation, rest, may be a few words that lead to it.
func (s *vocabulary) has(sentence, rest string) bool {
	theirs, all := 0, 0
	for _, t := range s.an.Terms(rest) {
		if t.Stem == "" || t.Part || text.IsStop(t.Plain) {
			continue
		}
		if all++; s.stems[t.Stem] {
			theirs++
		}
	}
	return float64(theirs) >= leastSaid*float64(all) || rest != sentence && all <= leadWords
}

// leadWords is how many words of its own may lead to a quotation.
const leadWords = 4
