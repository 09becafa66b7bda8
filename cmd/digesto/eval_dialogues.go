package main

import (
	"context"
	"fmt"
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

// evalDialoguesCmd holds scripted conversations.
type evalDialoguesCmd struct {
	Pack  string `name:"pack" default:"argentina" placeholder:"PAQUETE" help:"Paquete de los diálogos que no dicen el suyo."`
	Clear string `name:"clear" placeholder:"FICHERO.jsonl" help:"Preguntas claras: ninguna ha de repreguntarse (como mucho el 2 %)."`
	Turns string `name:"turns" placeholder:"FICHERO.jsonl" help:"Escribe aquí cada turno con su respuesta."`
	File  string `arg:"" optional:"" placeholder:"FICHERO.jsonl" help:"Diálogos; sin él, los del paquete."`
}

// Examples of the command.
func (evalDialoguesCmd) Examples() []string {
	return []string{"digesto eval dialogues", "digesto eval dialogues --clear preguntas.jsonl --json", "digesto eval dialogues misdialogos.jsonl --pack argentina"}
}

// Bounds of the conversations.
const (
	dialoguesExact    = .95 // turns that end as scripted, at least
	dialoguesNeedless = .05 // clarifications of clear turns, at most
	clearAsked        = .02 // clarifications of clear questions, at most
)

type dialogueResult struct {
	eval.DialogueReport
	Questions  int     `json:"clear_questions"`
	Clarified  int     `json:"clear_clarified"`
	Offered    int     `json:"clear_offered"` // got readings
	ClearShare float64 `json:"clear_clarified_share"`
}

// Run holds the dialogues and prints what came of them; exit 7 when a bound is missed.
func (c evalDialoguesCmd) Run(a *program) error {
	list, err := c.dialogues()
	if err != nil {
		return err
	}
	w, err := a.Open(a.Context)
	if err != nil {
		return err
	}
	w.Store = store.Memory(a.Now)
	defer w.Close()
	engine, err := a.Engine(w)
	if err != nil {
		return err
	}
	ask := func(ctx context.Context, q digesto.Question) (digesto.Answer, error) {
		q.User = app.LocalUser
		return engine.Ask(ctx, q, nil)
	}
	var turns io.Writer
	if c.Turns != "" {
		f, err := os.Create(c.Turns)
		if err != nil {
			return disk.Error(err, c.Turns, "Dé un fichero que se pueda escribir.")
		}
		defer f.Close()
		turns = f
	}
	var r dialogueResult
	r.DialogueReport, err = eval.Dialogues(a.Context, list, eval.DialogueOptions{Ask: ask, Pack: c.Pack, Out: a.err, Turns: turns,
		Delete: func(ctx context.Context, session string, seq int64) error {
			return w.Store.DeleteMessage(ctx, app.LocalUser, session, seq)
		}})
	if err == nil && c.Clear != "" {
		err = c.clear(a, engine, &r)
	}
	if err != nil {
		return err
	}
	return c.print(a, r)
}

func (c evalDialoguesCmd) dialogues() ([]eval.Dialogue, error) {
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
func (c evalDialoguesCmd) clear(a *program, engine *ask.Engine, r *dialogueResult) error {
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

func (c evalDialoguesCmd) print(a *program, r dialogueResult) error {
	if a.json {
		if err := a.printJSON(map[string]any{"metrics": map[string]float64{"outcome_exact": r.Share, "unneeded_share": r.Needless, "clarified_twice": float64(r.Twice), "clear_clarified_share": r.ClearShare}, "counts": r}); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(a.out, "%d diálogos, %d turnos: exactos %d (%.1f %%), diálogos enteros %d\n", r.Dialogues, r.Turns, r.Exact, 100*r.Share, r.Whole)
		fmt.Fprintf(a.out, "repreguntas sin necesidad: %d de %d turnos claros (%.1f %%) · dos seguidas: %d\n", r.Unneeded, r.Clear, 100*r.Needless, r.Twice)
		if r.Loud > 0 {
			fmt.Fprintf(a.out, "turnos contestados con %.1f o más: %d, de otro lugar %d (%.1f %%)\n", eval.LoudFrom, r.Loud, r.LoudWrong, 100*float64(r.LoudWrong)/float64(r.Loud))
		}
		if r.Questions > 0 {
			fmt.Fprintf(a.out, "preguntas claras: %d, repreguntadas %d (%.1f %%), con lecturas %d\n", r.Questions, r.Clarified, 100*r.ClearShare, r.Offered)
		}
	}
	if r.Share < dialoguesExact || r.Needless > dialoguesNeedless || r.Twice > 0 || r.ClearShare > clearAsked {
		return checkFailed("los diálogos no llegan a lo exigido", noWorse)
	}
	return nil
}
