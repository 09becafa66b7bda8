package main

import (
	"digesto/app"
	"digesto/cmd/digesto/internal/show"
	"digesto/store/trace"
)

// replayCmd gives a kept answer again.
type replayCmd struct {
	Show bool   `name:"show" help:"Enseña la traza guardada en vez de repetirla."`
	ID   string `arg:"" placeholder:"TRACE_ID" help:"El «trace_id» de la respuesta."`
}

// Examples of the command.
func (replayCmd) Examples() []string {
	return []string{"digesto replay 3f2a9c1b7d5e4f60", "digesto replay --json 3f2a9c1b7d5e4f60", "digesto replay --show 3f2a9c1b7d5e4f60"}
}

// Run asks again on the recorded day, corpus and model exchanges; exit 7 when
// the answer is not the same.
func (c replayCmd) Run(a *program) error {
	r, err := a.TraceOf(c.ID)
	if err != nil {
		return err
	}
	if c.Show {
		return a.printJSON(r)
	}
	out := app.Replayed{ID: r.ID, SHA256: r.SHA256, AsOf: r.AsOf, Corpus: r.Corpus, Changed: []string{}, Differences: []trace.Difference{}}
	again, err := a.AskAgain(r, &out)
	if err != nil {
		return err
	}
	if again != nil {
		diff, err := trace.Compare(r.Answer, again)
		if err != nil {
			return err
		}
		out.Same = len(diff) == 0
		out.Differences = append(out.Differences, diff...)
	}
	if a.json {
		err = a.printJSON(out)
	} else {
		err = show.Replayed(a.screen(), out, len(r.Answer))
	}
	if err != nil {
		return err
	}
	if !out.Same {
		return checkFailed("la respuesta no es la misma", "Lo que ha cambiado se dice arriba; la guardada se ve con «digesto replay --show».")
	}
	return nil
}
