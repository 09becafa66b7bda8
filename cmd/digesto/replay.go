package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"digesto"
	"digesto/ask"
	"digesto/model"
	"digesto/packs"
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

// replayed is how the answer given again compares with the one kept.
type replayed struct {
	ID          string             `json:"trace_id"`
	Same        bool               `json:"same"`
	SHA256      string             `json:"sha256"` // of the answer kept
	AsOf        digesto.Date       `json:"as_of"`
	Corpus      string             `json:"corpus"`      // recorded
	Changed     []string           `json:"changed"`     // of what the answer depends on, in Spanish
	Differences []trace.Difference `json:"differences"` // of the answer, by field
}

// Run asks again on the recorded day, corpus and model exchanges; exit 7 when
// the answer is not the same.
func (c replayCmd) Run(a *app) error {
	r, err := a.traceOf(c.ID)
	if err != nil {
		return err
	}
	if c.Show {
		return a.printJSON(r)
	}
	out := replayed{ID: r.ID, SHA256: r.SHA256, AsOf: r.AsOf, Corpus: r.Corpus, Changed: []string{}, Differences: []trace.Difference{}}
	again, err := a.askAgain(r, &out)
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
	if err := out.print(a, len(r.Answer)); err != nil {
		return err
	}
	if !out.Same {
		return checkFailed("la respuesta no es la misma", "Lo que ha cambiado se dice arriba; la guardada se ve con «digesto replay --show».")
	}
	return nil
}

// askAgain asks the question of a trace and notes what is not as it was; nil
// where it cannot be asked at all.
func (a *app) askAgain(r trace.Record, out *replayed) ([]byte, error) {
	if now := program(); now != r.Program {
		out.Changed = append(out.Changed, "el programa era «"+r.Program+"» y es «"+now+"»")
	}
	a.now = func() time.Time { return r.At }
	w, err := a.open(a.ctx)
	if err != nil {
		return nil, err
	}
	defer w.close()
	if p, ok := packs.One(w.packs, r.Pack); ok && r.Own != "" && p.Sum() != r.Own {
		out.Changed = append(out.Changed, "lo que trae el paquete «"+r.Pack+"» (fichas y tablas) no es lo de entonces")
	}
	l, embedded := w.laws, w.embedded
	if r.From != "" {
		source, cleanup, err := a.openSource(a.ctx, w, r.From, r.Question.Pack)
		if err != nil {
			out.Changed = append(out.Changed, "no se puede leer la fuente «"+r.From+"»: "+digesto.Told(err))
			return nil, nil
		}
		defer cleanup()
		defer source.close()
		w, l, embedded = &world{packs: withoutTools(w.packs)}, source, ask.View{}
	}
	l.words, a.recipe = !r.Vectors, r.Recipe
	if err := l.pinTo(r.Corpus, out); err != nil {
		return nil, err
	}
	opt, err := a.askOptions(w, l, embedded)
	if err != nil {
		return nil, err
	}
	if err := recordedModels(&opt, r, out); err != nil {
		return nil, err
	}
	if r.Session != "" {
		opt.Conversations = ask.Recorded(ask.Trace{Question: r.Question, Session: r.Session, Turn: r.Turn, Pack: r.Sticky, ChatType: r.ChatType})
	}
	e, err := ask.New(opt)
	if err != nil {
		return nil, err
	}
	ans, err := e.Ask(a.ctx, r.Question, nil)
	if err != nil {
		return nil, err
	}
	return trace.Bytes(ans)
}

// pinTo holds the law at a snapshot; where it is not installed any more, the
// current one stays, and that is noted.
func (l *laws) pinTo(hash string, out *replayed) error {
	if hash == noLaw {
		l.pin = noLaw
		return nil
	}
	now := noLaw
	if l.lib != nil {
		snap, err := l.lib.Snapshot(hash)
		if err == nil {
			snap.Close()
			l.pin = hash
			return nil
		}
		if code := digesto.CodeOf(err); code != digesto.CodeNotFound {
			return err
		}
		cur, err := l.lib.Current()
		if err != nil {
			return err
		}
		defer cur.Close()
		if h := cur.Hash(); h != "" {
			now = h
		}
	}
	out.Changed = append(out.Changed, "la versión "+hash+" del corpus ya no está instalada; se ha preguntado a la de ahora, "+now)
	return nil
}

// recordedModels puts what the models said in their place. What was not
// recorded (the order of a reranker, vectors of a service) is asked again.
func recordedModels(opt *ask.Options, r trace.Record, out *replayed) error {
	player, err := model.Replay(bytes.NewReader(joinLines(r)))
	if err != nil {
		return err
	}
	opt.Writer, opt.Reader = nil, nil
	if slices.Contains(r.Roles, "writer") {
		opt.Writer = player
	}
	if slices.Contains(r.Roles, "reader") {
		opt.Reader = player
	}
	switch had := slices.Contains(r.Roles, "reranker"); {
	case !had:
		opt.Reranker = nil
	case opt.Reranker == nil:
		out.Changed = append(out.Changed, "había un modelo reordenador configurado, y ahora no lo hay")
	}
	return nil
}

func joinLines(r trace.Record) []byte {
	var b bytes.Buffer
	for _, line := range r.Exchanges {
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// print says how the answers compare.
func (p replayed) print(a *app, size int) error {
	if a.json {
		return a.printJSON(p)
	}
	st := a.outStyle()
	var errs []error
	line := func(format string, args ...any) {
		_, err := fmt.Fprintln(a.out, clean(fmt.Sprintf(format, args...)))
		errs = append(errs, err)
	}
	if p.Same {
		line("%s: %d octetos iguales (SHA-256 %s), ley de %s, corpus %s", st.bold("La misma respuesta"), size, p.SHA256, p.AsOf, p.Corpus)
	} else {
		line("%s (ley de %s, corpus %s)", st.bold("La respuesta no es la misma"), p.AsOf, p.Corpus)
	}
	for _, c := range p.Changed {
		line("Ha cambiado: %s.", c)
	}
	for i, d := range p.Differences {
		if i == 20 {
			line("… y %d campos más (todos con --json).", len(p.Differences)-i)
			break
		}
		line("  %s\n    antes: %s\n    ahora: %s", d.Field, orAbsent(d.Recorded), orAbsent(d.Now))
	}
	return errors.Join(errs...)
}

func orAbsent(s string) string {
	if s == "" {
		return "(no estaba)"
	}
	return s
}
