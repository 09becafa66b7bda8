package ask

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"digesto"
	"digesto/dialogue"
	"digesto/model"
	"digesto/pack"
	"digesto/text"
)

// maxQuestion bounds a question, in code points.
const maxQuestion = 4000

// turn is a question accepted: its text trimmed, its day known, the law it will
// be answered from held.
type turn struct {
	q        digesto.Question // Text as it is searched: completed from the messages before
	said     string           // the question as it was asked
	today    digesto.Date     // by the clock
	began    time.Time
	opened   Opened
	reading  string        // "initial" or "followup"; "" = the conversation has no say
	sticky   string        // pack of the conversation: the question's, unless it points elsewhere
	topic    string        // question that this one continues; "" = none
	context  string        // words of the question that come from there: they weigh less
	about    []string      // norms cited there
	read     dialogue.Turn // what the message does to the conversation
	chat     pack.ChatType // what the conversation is narrowed to
	chosen   bool          // the reply chose what was offered
	branches []string      // of a clarification: each is answered on its own
	settled  *ending       // what the messages before decide, without any law
	insisted bool          // a correction of the last answer: the same question again
	law      View
	an       *text.Analyser
	spare    *text.Analyser // for what is read while an's terms are still looked at; nil = a new one each time
	units    *unitCache
	meter    *model.Meter
	hurt     *damage // norms that could not be read
}

// accept checks a question.
func (e *Engine) accept(q digesto.Question, began time.Time) (turn, error) {
	t := turn{q: q, today: digesto.Date(began.Format(time.DateOnly)), began: began, units: e.units}
	t.q.Text = strings.TrimSpace(strings.ToValidUTF8(q.Text, " "))
	t.said = t.q.Text
	if n := utf8.RuneCountInString(t.q.Text); n > maxQuestion {
		return t, &digesto.Error{Code: digesto.CodeTooLarge, Message: "La pregunta es demasiado larga", Hint: "Escriba como mucho 4000 caracteres."}
	}
	if t.q.Text == "" && t.q.Choice > 0 {
		t.q.Text = strconv.Itoa(t.q.Choice)
	}
	if t.q.Text == "" {
		return t, &digesto.Error{Code: digesto.CodeInvalid, Message: "La pregunta está vacía", Hint: "Escriba una pregunta, por ejemplo la del ejemplo de cada paquete."}
	}
	if q.AsOf != "" {
		if _, err := time.Parse(time.DateOnly, string(q.AsOf)); err != nil {
			return t, &digesto.Error{Code: digesto.CodeInvalid, Message: "La fecha «" + string(q.AsOf) + "» no es válida", Hint: "Escríbala como AAAA-MM-DD.", Err: err}
		}
	}
	if err := checkTone(q.Tone); err != nil {
		return t, err
	}
	if err := CheckFlags(q.Flags); err != nil {
		return t, err
	}
	if q.Window < 0 || q.Window > maxWindow {
		return t, &digesto.Error{Code: digesto.CodeInvalid, Message: "La ventana de mensajes no es válida", Hint: fmt.Sprintf("Use un número de 1 a %d, o ninguno.", maxWindow)}
	}
	return t, nil
}

// open checks the question, opens its conversation and tells its id before
// anything slow happens.
func (e *Engine) open(ctx context.Context, q digesto.Question, began time.Time, emit func(digesto.Event)) (turn, error) {
	t, err := e.accept(q, began)
	if err != nil {
		return t, err
	}
	e.door.enter()
	defer e.door.through()
	if e.opt.Conversations != nil {
		o, err := e.opt.Conversations.Open(ctx, t.q)
		if err != nil {
			return t, err
		}
		t.opened = o
	}
	emit(digesto.Event{Kind: "session", ID: t.opened.Session})
	return t, nil
}

// asOf is the day that the answer holds for.
func (t turn) asOf() digesto.Date {
	if t.q.AsOf != "" {
		return t.q.AsOf
	}
	return t.today
}

// history is the day to look law up with: empty for today's, because a current
// text whose dates are unknown is what is known to hold now.
func (t turn) history() digesto.Date {
	if t.q.AsOf == "" || t.q.AsOf == t.today {
		return ""
	}
	return t.q.AsOf
}
