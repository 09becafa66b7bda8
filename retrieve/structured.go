package retrieve

import (
	"context"

	"digesto/model"
)

// Structured asks a model for one JSON object. bad looks at what it wrote and
// says in Spanish what is wrong with its form, "" if nothing is. Output of a
// wrong form is an ordinary case: the model gets it back once, with what is
// wrong; what it then writes is looked at too, whatever it is.
func Structured(ctx context.Context, g model.Generator, req model.Request, bad func(raw string) string) error {
	r, err := g.Generate(ctx, req, nil)
	if err != nil {
		return err
	}
	why := bad(r.Text)
	if why == "" || r.Finish == model.FinishFilter { // what was withheld is withheld again
		return nil
	}
	again := req
	again.Messages = append(append([]model.Message(nil), req.Messages...),
		model.Message{Role: model.Assistant, Text: CutText(r.Text, maxRepair)},
		model.Message{Role: model.User, Text: "Tu salida no vale: " + why + ". Devuelve solo el objeto JSON corregido, sin nada más."})
	if r, err = g.Generate(ctx, again, nil); err != nil {
		return err
	}
	bad(r.Text)
	return nil
}

// maxRepair is how much of a malformed output goes back, in bytes.
const maxRepair = 8000

func CutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}

// Once asks a model for one JSON object, and takes what it writes.
func Once(ctx context.Context, g model.Generator, req model.Request, bad func(raw string) string) error {
	r, err := g.Generate(ctx, req, nil)
	if err == nil {
		bad(r.Text)
	}
	return err
}
