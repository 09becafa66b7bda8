package eval

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"digesto"
	"digesto/text"
	"digesto/text/quote"
)

// AnswersOptions says how questions are answered and where quotations are proved.
// Ask and Text are required.
type AnswersOptions struct {
	Ask  func(ctx context.Context, q digesto.Question) (digesto.Answer, error)
	Text func(ref digesto.Ref) (string, error) // stored text of the version that a citation names
	Pack string                                // pack of questions that name none; empty = routed
	Out  io.Writer                             // receives one AnswerLine a question; nil = nothing
}

// AnswerCase is a line of a questions' file.
type AnswerCase struct {
	ID       string       `json:"_id"`
	Question string       `json:"question"`
	Text     string       `json:"text,omitempty"` // instead of question, as BEIR has it
	AsOf     digesto.Date `json:"as_of,omitempty"`
	Pack     string       `json:"pack,omitempty"`
	Expect   *Expect      `json:"expect,omitempty"`
	Kind     string       `json:"kind,omitempty"` // of question, to look at one by one
	// History holds the messages of the conversation before the question.
	History []digesto.Message `json:"history,omitempty"`
}

// Expect is what a case demands; empty fields demand nothing. Written as a string it is the outcome alone.
type Expect struct {
	Outcome  digesto.Outcome `json:"outcome,omitempty"`
	Document string          `json:"document,omitempty"` // a citation of this norm
	Unit     string          `json:"unit,omitempty"`     // … and this unit
	Contains []string        `json:"contains,omitempty"` // words that the answer or a quotation has, folding ignored
	Not      []string        `json:"not,omitempty"`      // words that neither has: repealed rules, false corrections
	// Places are the units that answer ("norm/unit"), any of them. They are measured
	// (in the grounds, cited first), not demanded.
	Places []string `json:"places,omitempty"`
	Pages  []int    `json:"pages,omitempty"` // of quotations from those places, any of them
	Pack   string   `json:"pack,omitempty"`  // that the answer is from
}

// UnmarshalJSON reads both forms.
func (e *Expect) UnmarshalJSON(data []byte) error {
	var outcome string
	if json.Unmarshal(data, &outcome) == nil {
		e.Outcome = digesto.Outcome(outcome)
		return nil
	}
	type plain Expect
	return json.Unmarshal(data, (*plain)(e))
}

// Counts adds up what answers contain. Quotes are citations given; Verbatim those whose
// quotation stands at its offsets in the stored text it names, with the hash it names.
type Counts struct {
	Questions int `json:"questions"`
	Answered  int `json:"answered"`
	Refused   int `json:"refused"`
	Other     int `json:"other"` // clarifications, out of scope and the like
	Quotes    int `json:"quotes"`
	Verbatim  int `json:"verbatim"`
	Failed    int `json:"failed"` // errors and panics
	Expected  int `json:"expected,omitempty"`
	Met       int `json:"met,omitempty"`      // expectations met
	Placed    int `json:"placed,omitempty"`   // questions whose answering units are known
	Grounded  int `json:"grounded,omitempty"` // of those, one is among the grounds
	First     int `json:"first,omitempty"`    // of those, one is cited first
	Stale     int `json:"stale,omitempty"`    // answers with words that must not be there
	Shares
}

// AnswerLine is one line of the output: the answer object with the question's id and its counts.
type AnswerLine struct {
	ID       string `json:"_id"`
	Question string `json:"question"`
	digesto.Answer
	Counts Counts   `json:"counts"`
	Faults []string `json:"faults,omitempty"` // in Spanish: quotations not found, expectations missed
	Error  string   `json:"error,omitempty"`
}

// ReadCases reads a questions' file.
func ReadCases(path string) ([]AnswerCase, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, &digesto.Error{Code: digesto.CodeNotFound, Message: "No se puede leer " + path, Hint: "Se espera JSON Lines con _id y question.", Err: err}
	}
	var out []AnswerCase
	err = eachLine(path, data, func(line []byte) error {
		var c AnswerCase
		if err := json.Unmarshal(line, &c); err != nil {
			return err
		}
		if c.Question = cmp.Or(c.Question, c.Text); strings.TrimSpace(c.Question) == "" {
			return fmt.Errorf("falta question")
		}
		if c.ID == "" {
			c.ID = fmt.Sprint(len(out) + 1)
		}
		out = append(out, c)
		return nil
	})
	return out, err
}

// Answers asks every question, proves every quotation and counts. A question that
// fails, even by a panic, is reported in its line and does not stop the others; only
// an ended context does.
func Answers(ctx context.Context, cases []AnswerCase, opt AnswersOptions) (Counts, error) {
	var total Counts
	var enc *json.Encoder
	if opt.Out != nil {
		enc = json.NewEncoder(opt.Out)
		enc.SetEscapeHTML(false)
	}
	for _, c := range cases {
		line := answer(ctx, c, opt)
		if err := ctx.Err(); err != nil {
			return total, &digesto.Error{Code: digesto.CodeCancelled, Message: "Evaluación interrumpida", Hint: "Vuelva a ejecutarla; lo ya escrito vale.", Err: err}
		}
		total.add(line.Counts)
		if enc != nil {
			if err := enc.Encode(line); err != nil {
				return total, err
			}
		}
	}
	return total, nil
}

func (c *Counts) add(d Counts) {
	c.Questions += d.Questions
	c.Answered += d.Answered
	c.Refused += d.Refused
	c.Other += d.Other
	c.Quotes += d.Quotes
	c.Verbatim += d.Verbatim
	c.Failed += d.Failed
	c.Expected += d.Expected
	c.Met += d.Met
	c.Placed += d.Placed
	c.Grounded += d.Grounded
	c.First += d.First
	c.Stale += d.Stale
	c.Shares.add(d.Shares)
}

// answer asks one question and examines the answer.
func answer(ctx context.Context, c AnswerCase, opt AnswersOptions) AnswerLine {
	line := AnswerLine{ID: c.ID, Question: c.Question, Counts: Counts{Questions: 1}}
	a, err := guarded(ctx, digesto.Question{Text: c.Question, Pack: cmp.Or(c.Pack, opt.Pack), AsOf: c.AsOf, History: c.History}, opt.Ask)
	line.Answer = a
	if line.Citations == nil {
		line.Citations = []digesto.Citation{}
	}
	if err != nil {
		line.Error = digesto.Told(err)
		line.Counts.Failed = 1
		return line
	}
	switch outcomeOf(a) {
	case digesto.OutcomeAnswer:
		line.Counts.Answered = 1
	case digesto.OutcomeRefusal:
		line.Counts.Refused = 1
	default:
		line.Counts.Other = 1
	}
	for _, cit := range quoted(a) {
		line.Counts.Quotes++
		if fault := proveQuote(cit, opt.Text); fault != "" {
			line.Faults = append(line.Faults, fault)
			continue
		}
		line.Counts.Verbatim++
	}
	if c.Expect != nil {
		line.Counts.Expected = 1
		line.Counts.Shares = c.Expect.shares(a)
		faults := c.Expect.missed(a)
		line.Faults = append(line.Faults, faults...)
		if len(faults) == 0 {
			line.Counts.Met = 1
		}
		c.Expect.place(a, &line)
	}
	return line
}

// quoted are the citations of an answer and of the readings that it offers.
func quoted(a digesto.Answer) []digesto.Citation {
	list := slices.Clone(a.Citations)
	if a.Meta != nil {
		for _, r := range a.Meta.Readings {
			list = append(list, r.Citations...)
		}
	}
	return list
}

// guarded turns a panic of the answering into an error.
func guarded(ctx context.Context, q digesto.Question, ask func(context.Context, digesto.Question) (digesto.Answer, error)) (a digesto.Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &digesto.Error{Code: digesto.CodeInternal, Message: fmt.Sprintf("la respuesta se interrumpió: %v", p), Hint: "Es un defecto del programa: comuníquelo con la pregunta."}
		}
	}()
	return ask(ctx, q)
}

func outcomeOf(a digesto.Answer) digesto.Outcome {
	if a.Meta != nil && a.Meta.Outcome != "" {
		return a.Meta.Outcome
	}
	if a.Refusal {
		return digesto.OutcomeRefusal
	}
	return digesto.OutcomeAnswer
}

// proveQuote gives what is wrong with a citation, in Spanish; empty if nothing is.
func proveQuote(c digesto.Citation, textOf func(digesto.Ref) (string, error)) string {
	if c.Ref == nil {
		return "cita sin lugar: " + short(c.Quote)
	}
	text, err := textOf(*c.Ref)
	if err != nil {
		return fmt.Sprintf("no hay texto de %s %s: %v", c.Ref.Document, c.Ref.Unit, err)
	}
	if sum := sha256.Sum256([]byte(text)); c.Ref.SHA256 != "" && c.Ref.SHA256 != hex.EncodeToString(sum[:]) {
		return "el texto guardado de " + c.Ref.Document + " " + c.Ref.Unit + " tiene otra huella"
	}
	r := []rune(text)
	if c.Ref.Start < 0 || c.Ref.End > len(r) || c.Ref.Start >= c.Ref.End {
		return "lugar fuera del texto: " + short(c.Quote)
	}
	there := string(r[c.Ref.Start:c.Ref.End])
	if m, ok := quote.Find(there, c.Quote); !ok || strings.TrimSpace(string([]rune(there)[m.End:])) != "" || strings.TrimSpace(string([]rune(there)[:m.Start])) != "" {
		return "la cita no está en su lugar: " + short(c.Quote)
	}
	if m, ok := findAt(text, c.Quote, c.Ref.Start); !ok {
		return fmt.Sprintf("la cita corta una palabra en %d: %s", m.Start, short(c.Quote))
	}
	return ""
}

// findAt reports that the quotation stands at start of the whole text, where its edges count.
func findAt(text, q string, start int) (quote.Match, bool) {
	for _, m := range quote.FindAll(text, q) {
		if m.Start == start {
			return m, true
		}
	}
	return quote.Match{Start: start}, false
}

func short(s string) string {
	r := []rune(s)
	if len(r) > 80 {
		return "«" + string(r[:80]) + "…»"
	}
	return "«" + s + "»"
}

// missed gives the demands that an answer does not meet.
func (e *Expect) missed(a digesto.Answer) (faults []string) {
	if e.Outcome != "" && outcomeOf(a) != e.Outcome {
		faults = append(faults, fmt.Sprintf("resultado %s; se esperaba %s", outcomeOf(a), e.Outcome))
	}
	if (e.Document != "" || e.Unit != "") && !slices.ContainsFunc(a.Citations, func(c digesto.Citation) bool {
		return c.Ref != nil && (e.Document == "" || c.Ref.Document == e.Document || slices.Contains(c.Ref.IDs, e.Document)) && (e.Unit == "" || c.Ref.Unit == e.Unit)
	}) {
		faults = append(faults, "no cita "+strings.TrimSpace(e.Document+" "+e.Unit))
	}
	faults = append(faults, e.misplaced(a)...)
	all := text.Fold(a.Answer)
	for _, c := range a.Citations {
		all += "\n" + text.Fold(c.Quote)
	}
	for _, w := range e.Not {
		if strings.Contains(all, text.Fold(w)) {
			faults = append(faults, "dice «"+w+"»")
		}
	}
	for _, want := range e.Contains {
		if !strings.Contains(all, text.Fold(want)) {
			faults = append(faults, "falta «"+want+"»")
		}
	}
	return faults
}

// place measures where the answering units stand: among the grounds, cited first.
// A question answered by words that must not be there counts as stale.
func (e *Expect) place(a digesto.Answer, line *AnswerLine) {
	for _, f := range line.Faults {
		if strings.HasPrefix(f, "dice «") {
			line.Counts.Stale = 1
		}
	}
	if len(e.Places) == 0 {
		return
	}
	line.Counts.Placed = 1
	var grounds []string
	if a.Meta != nil {
		grounds = a.Meta.Grounds
	}
	for k, c := range a.Citations {
		if c.Ref == nil {
			continue
		}
		at := c.Ref.Document + "/" + c.Ref.Unit
		grounds = append(grounds, at)
		if k == 0 && slices.Contains(e.Places, at) {
			line.Counts.First = 1
		}
	}
	if slices.ContainsFunc(grounds, func(g string) bool { return slices.Contains(e.Places, g) }) {
		line.Counts.Grounded = 1
	}
}
