package eval

import (
	"bufio"
	"cmp"
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
	User    string   `json:"user,omitempty"` // instead of say
	Expect  Wanted   `json:"expect"`
	Prompt  string   `json:"prompt,omitempty"`  // "initial", "followup"
	Query   []string `json:"query,omitempty"`   // words of the self-contained question, folded
	Not     []string `json:"not,omitempty"`     // words that it must not have
	Options int      `json:"options,omitempty"` // of a clarification, at least
	Delete  int64    `json:"delete,omitempty"`  // message to delete before this turn, by its sequence
}

// Wanted is what a turn must come to. Written as a string it is the outcome alone.
type Wanted struct {
	Outcomes []string // any of them; "clara": searched, whatever the law says
	Expect            // places and words: the first citation is of one of the places, some of the words are quoted
}

// UnmarshalJSON reads both forms; "outcome" is one or a list.
func (w *Wanted) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		w.Outcomes = []string{one}
		return nil
	}
	var x struct {
		Outcome  json.RawMessage `json:"outcome"`
		Places   []string        `json:"places"`
		Contains []string        `json:"contains"`
		Not      []string        `json:"not"`
	}
	if err := json.Unmarshal(data, &x); err != nil {
		return err
	}
	w.Places, w.Contains, w.Not = x.Places, x.Contains, x.Not
	if json.Unmarshal(x.Outcome, &one) == nil {
		w.Outcomes = []string{one}
		return nil
	}
	return json.Unmarshal(x.Outcome, &w.Outcomes)
}

// only says that nothing but this outcome is right.
func (w Wanted) only(o digesto.Outcome) bool { return slices.Equal(w.Outcomes, []string{string(o)}) }

// DialogueOptions says how a dialogue is held.
type DialogueOptions struct {
	// Ask answers in a conversation; the question's Conversation is "new" or its id.
	Ask func(ctx context.Context, q digesto.Question) (digesto.Answer, error)
	// Delete deletes a message of the conversation softly.
	Delete func(ctx context.Context, session string, seq int64) error
	Pack   string    // of dialogues that name none
	Out    io.Writer // gets a line for each turn that went wrong; nil = nothing
	Turns  io.Writer // gets a line of JSON for each turn with its answer; nil = nothing
}

// TurnLine is one turn as it went.
type TurnLine struct {
	ID   string `json:"_id"` // of the dialogue and the turn: "x-01#2"
	Say  string `json:"say"`
	Why  string `json:"why,omitempty"` // it is not as expected; "" = it is
	Want Wanted `json:"want"`
	digesto.Answer
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
	Loud      int     `json:"loud"`            // turns with places or none to give, answered at LoudFrom or more
	LoudWrong int     `json:"loud_wrong"`      // … from another place, or where nothing answers
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
		for k := range d.Turns {
			d.Turns[k].Say = cmp.Or(d.Turns[k].Say, d.Turns[k].User)
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
		if err := opt.line(TurnLine{fmt.Sprintf("%s#%d", d.ID, k+1), t.Say, why, t.Expect, a}); err != nil {
			return err
		}
		r.loud(t.Expect, a)
		r.Turns++
		if why == "" {
			r.Exact++
		} else {
			whole = false
			fmt.Fprintf(opt.Out, "%s, turno %d, «%s»: %s\n", d.ID, k+1, t.Say, why)
		}
		if !t.Expect.only(digesto.OutcomeClarification) {
			r.Clear++
			if a.Meta.Outcome == digesto.OutcomeClarification && len(a.Meta.Readings) == 0 { // readings answer
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

// line writes a turn as it went.
func (o DialogueOptions) line(t TurnLine) error {
	if o.Turns == nil {
		return nil
	}
	enc := json.NewEncoder(o.Turns)
	enc.SetEscapeHTML(false)
	return enc.Encode(t)
}

// loud counts what is said without a warning, where it is known what is right.
func (r *DialogueReport) loud(w Wanted, a digesto.Answer) {
	if len(w.Places) == 0 && slices.ContainsFunc(w.Outcomes, func(o string) bool { return o == "clara" || o == string(digesto.OutcomeAnswer) }) {
		return
	}
	if outcomeOf(a) != digesto.OutcomeAnswer || a.Confidence < LoudFrom {
		return
	}
	r.Loud++
	if len(w.Places) == 0 || len(a.Citations) == 0 || !w.isPlace(a.Citations[0]) {
		r.LoudWrong++
	}
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
	case !slices.ContainsFunc(t.Expect.Outcomes, func(o string) bool {
		return o == string(m.Outcome) || o == "clara" && (m.Outcome == digesto.OutcomeAnswer || m.Outcome == digesto.OutcomeRefusal)
	}):
		return fmt.Sprintf("%s, se esperaba %s (%.60s)", m.Outcome, strings.Join(t.Expect.Outcomes, " o "), a.Answer)
	case m.Outcome == digesto.OutcomeAnswer && len(t.Expect.Places) > 0 && !t.Expect.right(a.Citations):
		return fmt.Sprintf("responde %s (%.2f), se esperaba %s con «%s»", placesOf(a.Citations), a.Confidence, strings.Join(t.Expect.Places, " o "), strings.Join(t.Expect.Contains, "» o «"))
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

// placesOf are the units quoted, each once.
func placesOf(list []digesto.Citation) string {
	var out []string
	for _, c := range list {
		if c.Ref != nil && !slices.Contains(out, c.Ref.Document+"/"+c.Ref.Unit) {
			out = append(out, c.Ref.Document+"/"+c.Ref.Unit)
		}
	}
	return strings.Join(out, ", ")
}

func wordsOf(s string) []string {
	var out []string
	for _, t := range text.Tokens(nil, s) {
		out = append(out, t.Text)
	}
	return out
}
