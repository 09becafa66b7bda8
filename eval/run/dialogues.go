package run

import (
	"context"
	"io"
	"os"

	"digesto"
	"digesto/app"
	"digesto/ask"
	"digesto/disk"
	"digesto/eval"
	"digesto/packs"
	"digesto/store"
)

// DialoguesRun is which conversations are held: see the command.
type DialoguesRun struct {
	Pack  string
	Clear string
	Turns string
	File  string
}

// Bounds of the conversations.
const (
	dialoguesExact    = .95 // turns that end as scripted, at least
	dialoguesNeedless = .05 // clarifications of clear turns, at most
	clearAsked        = .02 // clarifications of clear questions, at most
)

// Dialogues is how conversations went, and questions that leave nothing open.
type Dialogues struct {
	eval.DialogueReport
	Questions  int     `json:"clear_questions"`
	Clarified  int     `json:"clear_clarified"`
	Offered    int     `json:"clear_offered"` // got readings
	ClearShare float64 `json:"clear_clarified_share"`
}

// Missed says whether a bound is missed.
func (r Dialogues) Missed() bool {
	return r.Share < dialoguesExact || r.Needless > dialoguesNeedless || r.Twice > 0 || r.ClearShare > clearAsked
}

// Hold holds the conversations; out gets a line for each turn that went wrong.
func (c DialoguesRun) Hold(a *app.App, out io.Writer) (r Dialogues, err error) {
	list, err := c.dialogues()
	if err != nil {
		return r, err
	}
	w, err := a.Open(a.Context)
	if err != nil {
		return r, err
	}
	w.Store = store.Memory(a.Now)
	defer w.Close()
	engine, err := a.Engine(w)
	if err != nil {
		return r, err
	}
	ask := func(ctx context.Context, q digesto.Question) (digesto.Answer, error) {
		q.User = app.LocalUser
		return engine.Ask(ctx, q, nil)
	}
	var turns io.Writer
	if c.Turns != "" {
		f, err := os.Create(c.Turns)
		if err != nil {
			return r, disk.Error(err, c.Turns, "Dé un fichero que se pueda escribir.")
		}
		defer f.Close()
		turns = f
	}
	r.DialogueReport, err = eval.Dialogues(a.Context, list, eval.DialogueOptions{Ask: ask, Pack: c.Pack, Out: out, Turns: turns,
		Delete: func(ctx context.Context, session string, seq int64) error {
			return w.Store.DeleteMessage(ctx, app.LocalUser, session, seq)
		}})
	if err == nil && c.Clear != "" {
		err = c.clear(a, engine, &r)
	}
	return r, err
}

func (c DialoguesRun) dialogues() ([]eval.Dialogue, error) {
	var in io.ReadCloser
	var err error
	if c.File == "" {
		in, err = packs.FS().Open(c.Pack + "/eval/dialogues.jsonl")
	} else {
		in, err = os.Open(c.File)
	}
	if err != nil {
		return nil, disk.Error(err, c.Pack+"/eval/dialogues.jsonl", "Dé un fichero de diálogos o un paquete que los traiga.")
	}
	defer in.Close()
	return eval.ReadDialogues(in)
}

// clear asks questions that leave nothing open, each in a conversation of its own.
func (c DialoguesRun) clear(a *app.App, engine *ask.Engine, r *Dialogues) error {
	cases, err := eval.ReadCases(c.Clear)
	if err != nil {
		return err
	}
	for _, x := range cases {
		text := x.Question
		if text == "" {
			text = x.Text
		}
		ans, err := engine.Ask(a.Context, digesto.Question{Text: text, Pack: c.Pack, User: app.LocalUser}, nil)
		if err != nil {
			return err
		}
		r.Questions++
		switch {
		case len(ans.Meta.Readings) > 0:
			r.Offered++
		case ans.Meta.Outcome == digesto.OutcomeClarification:
			r.Clarified++
			a.Say("%s, «%s»: se repregunta sin necesidad", x.ID, text)
		}
	}
	if r.Questions > 0 {
		r.ClearShare = float64(r.Clarified) / float64(r.Questions)
	}
	return nil
}
