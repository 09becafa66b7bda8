package eval

import (
	"encoding/json"
	"slices"
	"strings"

	"digesto"
	"digesto/store"
)

// Draft is a case made of an answer that a person marked: its question as it was asked,
// what was answered, and why it was marked. Whoever corrects it writes
// «expect» and takes the draft's own fields out; until then it measures nothing.
type Draft struct {
	ID       string            `json:"_id"`
	Question string            `json:"question"`
	Pack     string            `json:"pack,omitempty"`
	AsOf     digesto.Date      `json:"as_of,omitempty"`
	History  []digesto.Message `json:"history,omitempty"`
	Category string            `json:"category"` // "feedback"
	Comment  string            `json:"comment,omitempty"`
	Trace    string            `json:"trace_id"`
	Outcome  digesto.Outcome   `json:"given_outcome"`
	Given    string            `json:"given_answer"`
	Places   []string          `json:"given_places"` // "norm/unit" cited
}

// Kept is what is kept of an answer: its question as asked, and the answer itself.
type Kept struct {
	ID, Pack string
	Question digesto.Question
	Answer   json.RawMessage
}

// Drafts makes a draft of every answer that was rated so, 1 or −1, and whose trace is
// kept, oldest first, each question of a pack once. missing counts those without a trace.
func Drafts(ratings []store.Feedback, rating int, runs []store.Run, get func(trace string) (Kept, error)) (out []Draft, missing int) {
	seen := map[string]bool{}
	for _, f := range ratings {
		if f.Rating != rating {
			continue
		}
		run, ok := runOf(runs, f)
		if !ok {
			missing++
			continue
		}
		rec, err := get(run.Trace)
		if err != nil {
			missing++
			continue
		}
		d := draftOf(rec, f)
		if key := d.Pack + "\x00" + d.Question; !seen[key] {
			seen[key] = true
			out = append(out, d)
		}
	}
	return out, missing
}

// runOf finds the run whose answer was rated: the last of its conversation that was
// asked before it.
func runOf(runs []store.Run, f store.Feedback) (store.Run, bool) {
	best := -1
	for k, r := range runs {
		if r.Conversation == f.Conversation && r.Turn < f.Seq && (best < 0 || r.Turn > runs[best].Turn) {
			best = k
		}
	}
	if best < 0 {
		return store.Run{}, false
	}
	return runs[best], true
}

func draftOf(r Kept, f store.Feedback) Draft {
	d := Draft{ID: "draft-" + r.ID, Question: strings.TrimSpace(r.Question.Text), Pack: r.Pack, AsOf: r.Question.AsOf, History: r.Question.History,
		Category: "feedback", Comment: f.Comment, Trace: r.ID, Places: []string{}}
	var a digesto.Answer
	if json.Unmarshal(r.Answer, &a) == nil {
		d.Given, d.Outcome = a.Answer, outcomeOf(a)
		for _, c := range a.Citations {
			if c.Ref == nil {
				continue
			}
			if p := c.Ref.Document + "/" + c.Ref.Unit; !slices.Contains(d.Places, p) {
				d.Places = append(d.Places, p)
			}
		}
	}
	return d
}
