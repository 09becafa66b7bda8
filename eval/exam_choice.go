package eval

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"digesto/text"
)

// sharpness turns scores into shares: the softmax of sharpness × score.
const sharpness = 3.0

// least is the share of the chosen option below which the sitting abstains.
const leastShare = .28

// choose picks the option that the evidence supports most, or least where the
// one that the law does not say is asked for.
func (l *ExamLine) choose(asked string, options []string) {
	l.Inverted = inverted(asked)
	scores := make([]float64, len(l.Options))
	for i, o := range l.Options {
		if scores[i] = o.Score; l.Inverted {
			scores[i] = -o.Score
		}
	}
	l.summaries(scores, options)
	at := 0
	for i := range scores {
		if scores[i] > scores[at]+1e-9 {
			at = i
		}
	}
	l.Share = round4(share(scores, at))
	deciding := l.Options[at]
	if l.Inverted { // the words that decide are those of the rule that it departs from
		deciding = slices.MaxFunc(l.Options, func(a, b OptionSupport) int { return cmp.Compare(a.Part.About, b.Part.About) })
	}
	l.Unit, l.Quote = deciding.Unit, deciding.quote
	if l.Share >= leastShare && deciding.Unit != "" {
		l.Chosen = at
	}
}

func share(scores []float64, at int) float64 {
	sum := 0.0
	for _, v := range scores {
		sum += math.Exp(sharpness * (v - scores[at]))
	}
	return 1 / sum
}

// summaries scores the options that speak of the others: "all are right" is as
// well supported as the worst of them, and a little more likely for being offered.
func (l *ExamLine) summaries(scores []float64, options []string) {
	for i, o := range options {
		folded := text.Fold(o)
		all := strings.Contains(folded, "todas")
		none := strings.Contains(folded, "ningun")
		if !all && !none || len(text.Tokens(nil, o)) > 7 || !strings.Contains(folded, "correct") && !strings.Contains(folded, "anterior") {
			continue
		}
		var rest []float64
		for k, s := range scores {
			if k != i {
				rest = append(rest, s)
			}
		}
		slices.Sort(rest)
		switch {
		case all && rest[0] > rest[len(rest)-1]-allSpread:
			scores[i] = rest[len(rest)-1] + .2
		case none && rest[len(rest)-1] < noneBelow:
			scores[i] = rest[len(rest)-1] + .2
		default:
			scores[i] = rest[0] - .1
		}
	}
}

const (
	allSpread = .9 // options that differ by less may all be right
	noneBelow = .9 // no option is supported
)

// inverted says that the question asks for the option that the law does not say.
func inverted(asked string) bool {
	folded := text.Fold(asked)
	for _, w := range strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) }) {
		switch w {
		case "incorrecta", "incorrecto", "incorrectas", "falsa", "falso", "erronea", "erroneo", "excepto":
			return true
		}
	}
	if strings.Contains(asked, " NO ") {
		return true
	}
	for _, p := range []string{"no es correct", "no es ciert", "no sea correct", "cual de los siguientes no ", "cual de las siguientes no ", "cual de estos no ", "cual de estas no ", "que no es ", "no es un ", "no es una ", "no seria "} {
		if strings.Contains(folded, p) {
			return true
		}
	}
	return false
}

// matter is what the stem is about, without the words that only put the question.
func matter(asked string) string { return asked }
