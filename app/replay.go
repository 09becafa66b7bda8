package app

import (
	"bytes"
	"slices"
	"time"

	"digesto"
	"digesto/app/law"
	"digesto/ask"
	"digesto/model"
	"digesto/packs"
	"digesto/store/trace"
)

// Replayed is how the answer given again compares with the one kept.
type Replayed struct {
	ID          string             `json:"trace_id"`
	Same        bool               `json:"same"`
	SHA256      string             `json:"sha256"` // of the answer kept
	AsOf        digesto.Date       `json:"as_of"`
	Corpus      string             `json:"corpus"`      // recorded
	Changed     []string           `json:"changed"`     // of what the answer depends on, in Spanish
	Differences []trace.Difference `json:"differences"` // of the answer, by field
}

// AskAgain asks the question of a trace and notes what is not as it was; nil
// where it cannot be asked at all.
func (a *App) AskAgain(r trace.Record, out *Replayed) ([]byte, error) {
	if now := Program(); now != r.Program {
		out.Changed = append(out.Changed, "el programa era «"+r.Program+"» y es «"+now+"»")
	}
	a.Now = func() time.Time { return r.At }
	w, err := a.Open(a.Context)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	if p, ok := packs.One(w.Packs, r.Pack); ok && r.Own != "" && p.Sum() != r.Own {
		out.Changed = append(out.Changed, "lo que trae el paquete «"+r.Pack+"» (fichas y tablas) no es lo de entonces")
	}
	l, embedded := w.Law, w.Embedded
	if r.From != "" {
		source, cleanup, err := a.OpenSource(a.Context, w, r.From, r.Question.Pack)
		if err != nil {
			out.Changed = append(out.Changed, "no se puede leer la fuente «"+r.From+"»: "+digesto.Told(err))
			return nil, nil
		}
		defer cleanup()
		defer source.Close()
		w, l, embedded = &Workspace{Packs: WithoutTools(w.Packs)}, source, ask.View{}
	}
	l.WordsOnly, a.recipe = !r.Vectors, r.Recipe
	if err := pinTo(l, r.Corpus, out); err != nil {
		return nil, err
	}
	opt, err := a.AskOptions(w, l, embedded)
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
	ans, err := e.Ask(a.Context, r.Question, nil)
	if err != nil {
		return nil, err
	}
	return trace.Bytes(ans)
}

// pinTo holds the law at a snapshot; where it is not installed any more, the
// current one stays, and that is noted.
func pinTo(l *law.Installed, hash string, out *Replayed) error {
	if hash == law.NoLaw {
		l.Pin = law.NoLaw
		return nil
	}
	now := law.NoLaw
	if l.Library != nil {
		snap, err := l.Library.Snapshot(hash)
		if err == nil {
			snap.Close()
			l.Pin = hash
			return nil
		}
		if code := digesto.CodeOf(err); code != digesto.CodeNotFound {
			return err
		}
		cur, err := l.Library.Current()
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
func recordedModels(opt *ask.Options, r trace.Record, out *Replayed) error {
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
