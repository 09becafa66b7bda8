package view

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/text/lazyregexp"
	"digesto/text/sentence"
)

// Document is a text that someone brought, and what it says of a question.
type Document struct {
	ID, Name, Error, Question, Text string
	Gone                            bool
	Words                           string
	Paragraphs                      [][]run
	Clauses                         []clause
	Law                             *ladder // what the law says of the same
	LawURL, LawTitle                string
	LawSources                      []link
	Packs                           []packView
	Options                         []optionView // where the law depends on what was not said
}

// clause is a stretch of the text that is about what was asked.
type clause struct {
	Text, URL string
	N         int
}

// Document is a text by its id, name and words, with what it says of a question and
// what the law answers; nil = nothing yet.
func (s *Site) Document(law *corpus.Snapshot, id, name, text string, q digesto.Question, answer *digesto.Answer) Document {
	p := Document{Packs: s.packViews(law, q.Pack), ID: id, Name: name, Text: text, Question: q.Text, Words: count(len(strings.Fields(text)), "palabra", "palabras")}
	found := clauses(text, q.Text)
	var marks [][2]int
	for i, c := range found {
		marks = append(marks, [2]int{c.Start, c.End})
		p.Clauses = append(p.Clauses, clause{Text: c.Text, N: i + 1, URL: "#parte-" + strconv.Itoa(i+1)})
	}
	p.Paragraphs = linkedParagraphs(text, nil, marks...)
	p.number(found)
	if answer != nil {
		p.Law, p.LawSources = turnOf(q.Text, *answer)
		if m := answer.Meta; m != nil {
			p.Options = s.options(m, q.Text)
			if m.TraceID != "" {
				p.LawURL = "/respuestas/" + url.PathEscape(m.TraceID)
			}
		}
	}
	return p
}

// number gives each clause found its address in the text.
func (p *Document) number(found []sentence.Sentence) {
	for _, ps := range p.Paragraphs {
		for k := range ps {
			for i, c := range found {
				if ps[k].Mark && strings.HasPrefix(c.Text, strings.TrimSpace(ps[k].Text)) {
					ps[k].ID = "parte-" + strconv.Itoa(i+1)
				}
			}
		}
	}
}

// itself is how a question names the text it is asked of: no word of it helps to find anything.
var itself = lazyregexp.New(`(?i)\b(?:este|esta|mi|el|la)\s+(?:contrato|documento|carta|escrito|texto|papel|acuerdo|notificación)\b`)

// clausesShown is how many stretches of a text are shown for a question.
const clausesShown = 3

// clauses are the sentences of a text that have most of what a question asks, the best
// first; words that the whole text repeats count little.
func clauses(text, question string) []sentence.Sentence {
	wanted := stemsOf(itself.ReplaceAllString(question, ""))
	all := headed(text)
	if len(wanted) == 0 {
		return nil
	}
	stems, in := make([]map[string]bool, len(all)), map[string]int{}
	for i, x := range all {
		stems[i] = stemsOf(x.Text)
		for k := range stems[i] {
			in[k]++
		}
	}
	score := make([]float64, len(all))
	best, most := 0.0, 0.0
	for k := range wanted {
		most += math.Log(1 + float64(len(all))/float64(max(1, in[k])))
	}
	for i := range all {
		for k := range stems[i] {
			if wanted[k] {
				score[i] += math.Log(1 + float64(len(all))/float64(in[k]))
			}
		}
		best = max(best, score[i])
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	var out []sentence.Sentence
	for _, i := range order[:min(len(order), clausesShown)] {
		if score[i] > 0 && score[i] >= .6*best && 3*score[i] >= most {
			out = append(out, all[i])
		}
	}
	return out
}

// headed are the sentences of a text, each with the number or title that opens its
// paragraph: "Segunda." alone says nothing.
func headed(text string) (out []sentence.Sentence) {
	r := []rune(text)
	for _, x := range sentence.Split(text) {
		if k := len(out) - 1; k >= 0 && out[k].Para == x.Para && out[k].First && len(strings.Fields(out[k].Text)) <= 3 {
			out[k].End, out[k].Text = x.End, string(r[out[k].Start:x.End])
			continue
		}
		out = append(out, x)
	}
	return out
}
