package verify

import (
	"slices"
	"strings"

	"digesto"
	"digesto/text"
	"digesto/text/cite"
	"digesto/text/figure"
	"digesto/text/lazyregexp"
	"digesto/text/sentence"
)

// leastCover is the share of a sentence's words that a retrieved unit must have which
// the sentence names and the answer does not quote.
const leastCover = .3

// sentences checks what an answer says in its own words, sentence by sentence: it may
// not hang on a unit that says nothing of it, nor say plainly the contrary of the unit
// that it cites. What is neither is a paraphrase, and left to the quotation beside it.
func (c *Checked) sentences(g Grounds) (failed []Check) {
	var an text.Analyser
	read := map[string]*Passage{} // each unit once
	passage := func(x Ground) *Passage {
		key := x.Norm.ID + "/" + x.Unit.ID
		if read[key] == nil {
			read[key] = x.passage(&an)
		}
		return read[key]
	}
	quoted := quotes(c.Answer.Citations)
	for _, s := range sentence.Split(without(c.Answer.Answer, quoted)) {
		named := g.named(s.Text)
		said := s.Text
		for _, m := range named.mentions {
			said = strings.Replace(said, m, " ", 1)
		}
		claim := NewClaim(&an, "", said, nil)
		var cited, other []Ground
		for _, x := range g.List {
			in := len(named.units) == 0 || slices.ContainsFunc(named.units, x.is)
			switch {
			case in && slices.ContainsFunc(c.Answer.Citations, x.quoted):
				cited = append(cited, x)
			case in && len(named.units) > 0:
				other = append(other, x)
			}
		}
		if len(cited) == 0 && len(other) > 0 && !slices.ContainsFunc(other, func(x Ground) bool {
			got, ok := passage(x).Check(claim)
			return !ok || got.Cover >= leastCover
		}) {
			failed = append(failed, CheckLabel)
		}
		if contrary(claim, cited, passage, g.Locale) {
			failed = append(failed, CheckContrary)
		}
	}
	return failed
}

// passage is the ground's text as claims are judged by it.
func (g Ground) passage(an *text.Analyser) *Passage {
	return NewPassage(an, strings.Join(append(slices.Clone(g.Unit.Path), g.Unit.Label, g.Unit.Rubric), "\n"), g.Version.Text)
}

// contrary says that a unit denies a claim, or bounds it the other way, and none
// supports it. Figures have a check of their own; who acts is told by too many words.
func contrary(claim *Claim, list []Ground, passage func(Ground) *Passage, loc figure.Locale) bool {
	found := false
	for _, x := range list {
		switch j := passage(x).Judge(claim, loc); {
		case j.Holding == Supported:
			return false
		case j.Holding != Contradicted:
		case j.Differs == DiffersLimit, j.Differs == DiffersNegation && !bounding.MatchString(text.Fold(claim.text)):
			found = true
		}
	}
	return found
}

// bounding are ways to say without a negation what law says with one: "al menos
// treinta" for "no menos de treinta".
var bounding = lazyregexp.New(`\b(?:al|por lo|cuando|como) (?:menos|minimo|mucho|maximo)\b|\b(?:a lo sumo|minim[oa]|maxim[oa]|hasta|desde|a partir de|sol[oa](?:mente)?|unic[oa](?:mente)?)\b`)

// mentioned are the units that a sentence names, and the words that name them.
type mentioned struct {
	units    []cite.Mention
	mentions []string
}

func (g Grounds) named(s string) (out mentioned) {
	if g.Table == nil {
		return out
	}
	for _, m := range g.Table.Find(s) {
		out.mentions = append(out.mentions, m.Text)
		if m.Unit != "" && !m.Relative && m.Kind != digesto.KindSection {
			out.units = append(out.units, m)
		}
	}
	return out
}

func (x Ground) is(m cite.Mention) bool {
	return x.Unit.ID == m.Unit && (m.Norm == "" || m.Norm == x.Norm.ID || slices.Contains(m.Also, x.Norm.ID))
}

func (x Ground) quoted(c digesto.Citation) bool {
	return c.Ref.Document == x.Norm.ID && c.Ref.Unit == x.Unit.ID
}
