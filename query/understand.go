package query

import (
	"context"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/dialogue"
	"digesto/model"
	"digesto/pack"
	"digesto/text/figure"
	"digesto/text/lazyregexp"
	"digesto/text/sentence"
	"digesto/verify"
)

// Typed is what a model says of a question: one of four forms, with its text.
type Typed struct {
	Outcome digesto.Outcome // OutcomeAnswer stands for CLARA
	Text    string          // the query, the question back, or the reply
}

// TypedLine is a line with one of the four forms, as models write them: in any
// case with a mark after it, or in capitals without; fences, bold type and a label
// may stand before.
var TypedLine = lazyregexp.New("(?m)^[\\s>*`\"'«#-]*(?:(?i:respuesta|salida|resultado|output|clasificación)\\s*[:=]\\s*[*`\"'«]*)?" +
	"(?:((?i:NON[-_ ]?LEGAL|NO[-_ ]LEGAL|REFORMULATE(?:[-_ ]REQUEST)?|REFORMULAR|CLARIFICATION|CLARIFICACI[OÓ]N|ACLARACI[OÓ]N|CLARA|CLEAR))\\s*(?:[:.=»\"'`*–—-]+|$)" +
	"|(NON-LEGAL|REFORMULATE_REQUEST|CLARIFICATION|CLARA)\\s)")

// ReadTyped reads what a model wrote, tolerant in form ("**NON-LEGAL.**",
// "Respuesta: CLARA - …"). A short text without any form is a query. ok is false when
// there is nothing to use.
func ReadTyped(s string) (t Typed, ok bool) {
	at := TypedLine.FindStringSubmatchIndex(s)
	if at == nil {
		line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
		return Typed{digesto.OutcomeAnswer, bare(line)}, line != "" && utf8.RuneCountInString(line) <= MaxQuery && !dialogue.Garbled(line)
	}
	word := ""
	for _, k := range []int{2, 4} {
		if at[k] >= 0 {
			word = strings.ToUpper(s[at[k]:at[k+1]])
		}
	}
	switch {
	case strings.HasPrefix(word, "NO"):
		t.Outcome = digesto.OutcomeNonLegal
	case strings.HasPrefix(word, "REF"):
		t.Outcome = digesto.OutcomeReformulate
	case word == "CLARA" || word == "CLEAR":
		t.Outcome = digesto.OutcomeAnswer
	default:
		t.Outcome = digesto.OutcomeClarification
	}
	t.Text = bare(strings.Join(strings.Fields(s[at[1]:]), " "))
	return t, true
}

// bare is a text without the marks around it.
func bare(s string) string { return strings.Trim(s, " :;=-–—*`\"«»<>") }

// MaxQuery bounds what a model may make of a question, in runes.
const MaxQuery = 400

// understood lets the reader class the question by the pack's prompt: "initial",
// or "followup" while a clarification is pending. What rules know for sure (units
// named, topics of the pack, a reply that chooses an option) costs no call, and
// when the model fails, the rules hold.
func (e *Reader) understood(ctx context.Context, s Scope, i Intent) Intent {
	p, ok := s.Pack.PromptFor(i.Reading, s.Opened.Session)
	if e.Model == nil || !ok || i.Done != nil || len(i.Exact) > 0 || len(i.Norms) > 0 || len(s.Branches) > 0 || s.Chosen || i.sure(s.Said) {
		return i
	}
	r, err := e.Model.Generate(ctx, model.Request{Messages: s.prompted(p)}, nil)
	t, read := ReadTyped(r.Text)
	if err != nil || !read {
		i.Faults = append(i.Faults, "reader_failed")
		return i
	}
	if t.Outcome != digesto.OutcomeAnswer && s.claims(t.Text) {
		t.Text = "" // the pack's own words, or none
	}
	switch {
	case t.Outcome == digesto.OutcomeAnswer || t.Outcome == digesto.OutcomeClarification && i.Reading == PromptFollowup:
		if t.Outcome == digesto.OutcomeAnswer && t.Text != "" && len([]rune(t.Text)) <= MaxQuery {
			return e.instead(s, i, t.Text)
		}
		return i // never asked twice: the combination of the rules is searched
	case t.Outcome == digesto.OutcomeClarification && t.Text == "":
		return i
	case t.Outcome == digesto.OutcomeReformulate && t.Text == "":
		t.Text = s.Pack.Say("reformulate")
	case t.Text == "":
		t.Text = s.Pack.Say("non_legal")
	}
	i.Done = &Ending{Outcome: t.Outcome, Text: t.Text, Classes: i.Classes}
	return i
}

// claims says that words which have no source assert something that needs one: outside
// of questions, figures, norms and their parts; anywhere, addresses, quotations and
// disguises.
func (s Scope) claims(words string) bool {
	for _, x := range sentence.Split(words) {
		g := verify.Grounds{Locale: figure.LocaleOf(s.Pack.Locale), Table: s.Table}
		for _, k := range verify.Unproved(x.Text, nil, g) {
			asked := strings.HasSuffix(strings.TrimSpace(x.Text), "?")
			if !asked || k != verify.CheckFigure && k != verify.CheckNorm && k != verify.CheckLabel {
				return true
			}
		}
	}
	return false
}

// sure says that a question leaves a reader nothing to do: it asks for a thing of
// its own and takes nothing from the conversation.
func (i Intent) sure(said string) bool {
	return i.Reading == promptInitial && i.Topic == "" && dialogue.Complete(said)
}

// prompted are the messages of a reading prompt: the pack's text, the window, the
// question as it was asked.
func (s Scope) prompted(p pack.Prompt) []model.Message {
	out := []model.Message{{Role: model.System, Text: p.Text}}
	for _, m := range s.windowOf(p) {
		role := model.User
		if m.Role == "assistant" {
			role = model.Assistant
		}
		out = append(out, model.Message{Role: role, Text: m.Text})
	}
	return append(out, model.Message{Role: model.User, Text: s.Said})
}
