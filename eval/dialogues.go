package eval

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"digesto"
	"digesto/text"
)

// Dialogue is a scripted conversation.
type Dialogue struct {
	ID    string         `json:"_id"`
	Kind  string         `json:"kind"` // what it tries: "clear", "vague", "new_topic"…
	Pack  string         `json:"pack,omitempty"`
	Turns []DialogueTurn `json:"turns"`
}

// DialogueTurn is one message and what must come of it.
type DialogueTurn struct {
	Say     string   `json:"say"`
	Expect  string   `json:"expect"`            // outcome, or "clara": searched, whatever the law says
	Prompt  string   `json:"prompt,omitempty"`  // "initial", "followup"
	Query   []string `json:"query,omitempty"`   // words of the self-contained question, folded
	Not     []string `json:"not,omitempty"`     // words that it must not have
	Options int      `json:"options,omitempty"` // of a clarification, at least
	Delete  int64    `json:"delete,omitempty"`  // message to delete before this turn, by its sequence
}

// DialogueOptions says how a dialogue is held.
type DialogueOptions struct {
	// Ask answers in a conversation; the question's Conversation is "new" or its id.
	Ask func(ctx context.Context, q digesto.Question) (digesto.Answer, error)
	// Delete deletes a message of the conversation softly.
	Delete func(ctx context.Context, session string, seq int64) error
	Pack   string    // of dialogues that name none
	Out    io.Writer // gets a line for each turn that went wrong; nil = nothing
}

// DialogueReport adds up dialogues.
type DialogueReport struct {
	Dialogues int     `json:"dialogues"`
	Turns     int     `json:"turns"`
	Exact     int     `json:"turns_exact"`
	Whole     int     `json:"dialogues_exact"`
	Clear     int     `json:"clear_turns"`     // turns that need no clarification
	Unneeded  int     `json:"unneeded"`        // clarifications among them
	Twice     int     `json:"clarified_twice"` // clarifications in a row
	Share     float64 `json:"outcome_exact"`   // Exact/Turns
	Needless  float64 `json:"unneeded_share"`  // Unneeded/Clear
}

// ReadDialogues reads JSON Lines; an error names its line.
func ReadDialogues(r io.Reader) ([]Dialogue, error) {
	var out []Dialogue
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	for n := 1; sc.Scan(); n++ {
		if strings.TrimSpace(sc.Text()) == "" {
			continue
		}
		var d Dialogue
		dec := json.NewDecoder(strings.NewReader(sc.Text()))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&d); err != nil || len(d.Turns) == 0 {
			return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("línea %d: no es un diálogo", n), Hint: "Cada línea es {\"_id\",\"kind\",\"turns\":[{\"say\",\"expect\"}]}.", Err: err}
		}
		out = append(out, d)
	}
	return out, sc.Err()
}

// Dialogues holds the dialogues one after the other.
func Dialogues(ctx context.Context, list []Dialogue, opt DialogueOptions) (DialogueReport, error) {
	var r DialogueReport
	if opt.Out == nil {
		opt.Out = io.Discard
	}
	for _, d := range list {
		if err := r.hold(ctx, d, opt); err != nil {
			return r, err
		}
	}
	if r.Turns > 0 {
		r.Share = float64(r.Exact) / float64(r.Turns)
	}
	if r.Clear > 0 {
		r.Needless = float64(r.Unneeded) / float64(r.Clear)
	}
	return r, nil
}

func (r *DialogueReport) hold(ctx context.Context, d Dialogue, opt DialogueOptions) error {
	session, last, whole := "new", digesto.Outcome(""), true
	pack := d.Pack
	if pack == "" {
		pack = opt.Pack
	}
	for k, t := range d.Turns {
		if t.Delete > 0 {
			if err := opt.Delete(ctx, session, t.Delete); err != nil {
				return err
			}
			last = "" // what is deleted was not said
		}
		a, err := opt.Ask(ctx, digesto.Question{Text: t.Say, Pack: pack, Conversation: session})
		if err != nil {
			fmt.Fprintf(opt.Out, "%s, turno %d, «%s»: %v\n", d.ID, k+1, t.Say, err)
			return err
		}
		session = a.Meta.SessionID
		why := t.wrong(a)
		r.Turns++
		if why == "" {
			r.Exact++
		} else {
			whole = false
			fmt.Fprintf(opt.Out, "%s, turno %d, «%s»: %s\n", d.ID, k+1, t.Say, why)
		}
		if t.Expect != string(digesto.OutcomeClarification) {
			r.Clear++
			if a.Meta.Outcome == digesto.OutcomeClarification {
				r.Unneeded++
			}
		}
		if a.Meta.Outcome == digesto.OutcomeClarification && last == digesto.OutcomeClarification {
			r.Twice++
		}
		last = a.Meta.Outcome
	}
	r.Dialogues++
	if whole {
		r.Whole++
	}
	return nil
}

// wrong says what an answer has that was not expected; "" = nothing.
func (t DialogueTurn) wrong(a digesto.Answer) string {
	m := a.Meta
	prompt := ""
	if m.PromptType != nil {
		prompt = *m.PromptType
	}
	query := t.Say
	if len(m.Queries) > 0 {
		query = m.Queries[0]
	}
	words := " " + strings.Join(wordsOf(query), " ") + " "
	has := func(w string) bool { return strings.Contains(words, " "+text.Fold(w)+" ") }
	switch {
	case t.Expect == "clara" && m.Outcome != digesto.OutcomeAnswer && m.Outcome != digesto.OutcomeRefusal, t.Expect != "clara" && string(m.Outcome) != t.Expect:
		return fmt.Sprintf("%s, se esperaba %s (%.60s)", m.Outcome, t.Expect, a.Answer)
	case t.Prompt != "" && prompt != t.Prompt:
		return fmt.Sprintf("prompt %s, se esperaba %s", prompt, t.Prompt)
	case len(m.Options) < t.Options:
		return fmt.Sprintf("%d opciones, se esperaban %d", len(m.Options), t.Options)
	}
	for _, w := range t.Query {
		if !has(w) {
			return fmt.Sprintf("falta «%s» en «%s»", w, query)
		}
	}
	if i := slices.IndexFunc(t.Not, has); i >= 0 {
		return fmt.Sprintf("sobra «%s» en «%s»", t.Not[i], query)
	}
	for _, p := range []string{"CLARIFICATION", "NON-LEGAL", "REFORMULATE", "CLARA:"} {
		if strings.Contains(a.Answer, p) {
			return "un prefijo a la vista: " + p
		}
	}
	return ""
}

func wordsOf(s string) []string {
	var out []string
	for _, t := range text.Tokens(nil, s) {
		out = append(out, t.Text)
	}
	return out
}
