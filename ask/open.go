package ask

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"digesto"
	"digesto/query"
)

// accept checks a question.
func (e *Engine) accept(q digesto.Question, began time.Time) (query.Turn, error) {
	t := query.Turn{Q: q, Named: q.Pack, Today: digesto.Date(began.Format(time.DateOnly)), Began: began, Units: e.units}
	t.Q.Text = strings.TrimSpace(strings.ToValidUTF8(q.Text, " "))
	t.Said = t.Q.Text
	if n := utf8.RuneCountInString(t.Q.Text); n > query.MaxQuestion {
		return t, &digesto.Error{Code: digesto.CodeTooLarge, Message: "La pregunta es demasiado larga", Hint: "Escriba como mucho 4000 caracteres."}
	}
	if t.Q.Text == "" && t.Q.Choice > 0 {
		t.Q.Text = strconv.Itoa(t.Q.Choice)
	}
	if t.Q.Text == "" {
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
	if err := query.CheckFlags(q.Flags); err != nil {
		return t, err
	}
	if q.Window < 0 || q.Window > query.MaxWindow {
		return t, &digesto.Error{Code: digesto.CodeInvalid, Message: "La ventana de mensajes no es válida", Hint: fmt.Sprintf("Use un número de 1 a %d, o ninguno.", query.MaxWindow)}
	}
	return t, nil
}

// open checks the question, opens its conversation and tells its id before
// anything slow happens.
func (e *Engine) open(ctx context.Context, q digesto.Question, began time.Time, emit func(digesto.Event)) (query.Turn, error) {
	t, err := e.accept(q, began)
	if err != nil {
		return t, err
	}
	e.admission.begin()
	defer e.admission.admitted()
	if e.opt.Conversations != nil {
		o, err := e.opt.Conversations.Open(ctx, t.Q)
		if err != nil {
			return t, err
		}
		t.Opened = o
	}
	emit(digesto.Event{Kind: "session", ID: t.Opened.Session})
	return t, nil
}
