// Package judge holds the role of a judge of candidates: who says which of a few places of
// the law answers a question, or that none does. There are three: the program's own
// decision ([Own]), a model that writes ([Generator]) and one that orders ([Reranker]).
// What a judge says never decides by itself: it is one feature more of package decide,
// whose weight comes from a probe ([Try]), and a judge that proved to be no help there is
// not asked ([Probe.May]).
package judge

import (
	"context"
	"math"
	"strings"

	"digesto"
	"digesto/model"
)

// Most is how many candidates a judge looks at: one line each is what small models hold.
const Most = 10

// Candidate is a place as a judge sees it.
type Candidate struct {
	Place string  // NORM/unit, or the name of a matter that is elsewhere; judges do not see it
	Title string  // "Ley 1/2001, artículo 4"
	Line  string  // what it answers, in one line
	Text  string  // what of its text answers best; "" = there is none at hand
	P     float64 // the program's own probability that it answers
}

// Verdict shares one vote among the candidates and "none of them".
type Verdict struct {
	Votes []float64 // one a candidate, each 0–1
	None  float64
}

// Judge says which candidate answers a question.
//
// The votes and None sum to 1; candidates behind the first [Most] get no vote. Without
// candidates the vote is for none, and nobody is asked. What a judge cannot make a vote
// of is an error, never a vote: *digesto.Error with a [model.Fault] inside, or
// CodeCancelled when ctx ends. It is safe for any number of goroutines.
type Judge interface {
	Judge(ctx context.Context, question string, list []Candidate) (Verdict, error)
}

// For gives the whole vote to one of n candidates; to none with k < 0.
func For(k, n int) Verdict {
	v := Verdict{Votes: make([]float64, n)}
	if k < 0 || k >= n {
		v.None = 1
		return v
	}
	v.Votes[k] = 1
	return v
}

// Best is the candidate with most of the vote, the first of equals; -1 where none has more.
func (v Verdict) Best() int {
	best, most := -1, v.None
	for k, s := range v.Votes {
		if s > most {
			best, most = k, s
		}
	}
	return best
}

// sound says that a verdict keeps the promises.
func (v Verdict) sound(n int) bool {
	sum := v.None
	for _, s := range v.Votes {
		if !(s >= 0 && s <= 1+1e-9) {
			return false
		}
		sum += s
	}
	return len(v.Votes) == n && v.None >= 0 && math.Abs(sum-1) < 1e-6
}

// Reranker lets a model that orders texts choose the first of its order. It always
// chooses: its scores have no scale that would tell when nothing answers.
func Reranker(r model.Reranker) Judge { return reranker{r} }

type reranker struct{ model.Reranker }

// docRunes is how much of a candidate's text a reranker gets.
const docRunes = 1500

// Judge implements [Judge].
func (r reranker) Judge(ctx context.Context, question string, list []Candidate) (Verdict, error) {
	seen := list[:min(len(list), Most)]
	if len(seen) == 0 {
		return For(-1, len(list)), nil
	}
	docs := make([]string, len(seen))
	for k, c := range seen {
		docs[k] = oneLine(c.Title+". "+c.Line+" "+c.Text, docRunes)
	}
	out, err := r.Rerank(ctx, oneLine(question, docRunes), docs, 1)
	switch {
	case ctx.Err() != nil:
		return Verdict{}, model.Cancelled(ctx)
	case err != nil:
		return Verdict{}, err
	case len(out) == 0 || out[0].Index < 0 || out[0].Index >= len(seen):
		return Verdict{}, garbled("no order")
	}
	return For(out[0].Index, len(list)), nil
}

func garbled(detail string) error {
	return model.NewError(&model.Fault{Kind: model.KindGarbled, Detail: detail})
}

// oneLine joins the lines of a text, so that nothing in it can pass for a line of the
// prompt, and cuts it at n runes.
func oneLine(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	r := []rune(s)
	if len(r) > n {
		return strings.TrimSpace(string(r[:n])) + "…"
	}
	return s
}

// Of makes the judge of the models at hand: the reader, else the writer, else the
// reranker; nil when there is none.
func Of(reader, writer model.Generator, r model.Reranker, size Size) Judge {
	if size == "" {
		size = Small
	}
	switch {
	case reader != nil:
		return Generator(reader, size)
	case writer != nil:
		return Generator(writer, size)
	case r != nil:
		return Reranker(r)
	}
	return nil
}

// Unavailable is the error where a model is asked for and none is configured.
var Unavailable = &digesto.Error{Code: digesto.CodeInvalid, Message: "No hay ningún modelo configurado", Hint: "Configure un lector, un redactor o un reordenador: docs/models.md."}
