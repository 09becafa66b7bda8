package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"digesto"
	"digesto/ask"
	"digesto/corpus"
	"digesto/server"
)

// The law of these tests is invented: a statute of lighthouses.
const (
	oldText = "1. El farero encenderá la lámpara al ponerse el sol.\n2. Tendrá diez días de descanso al año."
	newText = "1. El farero encenderá la lámpara una hora antes de ponerse el sol.\n2. Tendrá veinte días de descanso al año."
	quote   = "Tendrá veinte días de descanso al año."
)

func lawSnapshot() *corpus.Snapshot {
	n := digesto.Norm{ID: "FARO-1", Title: "Ley 1/2001, de los Faros", Short: "Ley de Faros", Rank: "Ley", Jurisdiction: "xx", Collection: "normativa",
		Packs: []string{"mar"}, TextAsOf: "2020-01-01", Status: digesto.StatusInForce, URL: "https://example.org/faros", Source: "faros.pdf", Format: "pdf", Official: true}
	unit := func(id, number, rubric string, versions ...digesto.Version) digesto.Unit {
		return digesto.Unit{Norm: n.ID, ID: id, Kind: digesto.KindArticle, Number: number, Label: "Artículo " + number, Rubric: rubric, Path: []string{"Título I. Del faro"}, Versions: versions}
	}
	return corpus.Memory(corpus.Document{Norm: n, Units: []digesto.Unit{
		unit("a1", "1", "Objeto", digesto.Version{ID: "2001", Text: "Esta ley regula los faros y el trabajo de quien los cuida.", Current: true, ValidFrom: "2001-01-01"}),
		unit("a2", "2", "De la lámpara y el descanso",
			digesto.Version{ID: "2001", Text: oldText, ValidFrom: "2001-01-01", ValidTo: "2020-01-01"},
			digesto.Version{ID: "2020", Text: newText, ValidFrom: "2020-01-01", Current: true, Pages: []digesto.PageMark{{Start: 0, Page: 4}}, Notes: []string{"Redacción de la Ley 9/2019."},
				Refs: []digesto.Reference{{Start: 3, End: 5, Unit: "a1"}}}),
	}})
}

// asker answers as told, with the events of a real engine.
type asker struct {
	answer digesto.Answer
	err    error
	delay  time.Duration
	panics bool
	got    digesto.Question
	calls  atomic.Int32
}

func (f *asker) Ask(ctx context.Context, q digesto.Question, emit func(digesto.Event)) (digesto.Answer, error) {
	f.got = q
	f.calls.Add(1)
	if f.panics {
		panic("lámpara rota")
	}
	emit(digesto.Event{Kind: "session", ID: "s1"})
	emit(digesto.Event{Kind: "stage", Stage: "retrieve"})
	if f.delay > 0 {
		select {
		case <-ctx.Done():
			return digesto.Answer{}, ctx.Err()
		case <-time.After(f.delay):
		}
	}
	if f.err != nil {
		emit(digesto.Event{Kind: "error", Text: f.err.Error()})
		return digesto.Answer{}, f.err
	}
	emit(digesto.Event{Kind: "delta", Text: "«" + quote + "» [C1]"})
	emit(digesto.Event{Kind: "answer", Answer: &f.answer})
	emit(digesto.Event{Kind: "done"})
	return f.answer, nil
}

func goodAnswer(snap *corpus.Snapshot) digesto.Answer {
	u, _ := snap.Unit("FARO-1", "a2")
	v := u.Versions[1]
	start := len([]rune(newText)) - len([]rune(quote))
	page, from := 4, digesto.Date("2020-01-01")
	notes := "Primera nota.\nSegunda nota."
	return digesto.Answer{
		Answer: "«" + quote + "» [C1]\n\nFuente: Artículo 2 de la Ley de Faros.", Confidence: .9, Notes: &notes,
		Citations: []digesto.Citation{{Quote: quote, Source: "faros.pdf", Page: &page, Ref: &digesto.Ref{Document: "FARO-1", Unit: "a2", Label: "C1", Title: "Artículo 2 — Ley de Faros",
			Path: []string{"Título I. Del faro"}, Version: "2020", ValidFrom: &from, Start: start, End: start + len([]rune(quote)), SHA256: v.SHA256, URL: "https://example.org/faros", Official: true}}},
		Meta: &digesto.Meta{Contract: "1.0", Outcome: digesto.OutcomeAnswer, Pack: "mar", Classes: []string{}, TraceID: "t1", AsOf: "2026-11-21", Corpus: "abc",
			Mode: "extractive", Degraded: []string{}, ChunksUsed: []string{}, Steps: []digesto.Step{}, AINotice: "Respuesta de un programa."},
	}
}

// finder finds article 2 whatever is searched.
type finder struct{ got digesto.Query }

func (f *finder) Search(_ context.Context, q digesto.Query) (digesto.Results, error) {
	f.got = q
	return digesto.Results{Hits: []digesto.Hit{{ID: "FARO-1/a2/2020", Norm: "FARO-1", Unit: "FARO-1/a2", Score: 2}}, Total: 1, Best: 2, Reach: 4}, nil
}

// clock is that of the server and of its store: what is asked is asked now.
func clock() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }

type world struct {
	asker  *asker
	finder *finder
	snap   *corpus.Snapshot
	h      http.Handler
}

func newWorld(t *testing.T, change func(*server.Options)) *world {
	t.Helper()
	w := &world{finder: &finder{}, snap: lawSnapshot()}
	w.asker = &asker{answer: goodAnswer(w.snap)}
	opt := server.Options{Engine: w.asker, Clock: clock,
		Law: func() (ask.View, func(), error) {
			return ask.View{Snapshot: w.snap, Searcher: w.finder}, func() {}, nil
		},
		Schema: func() ([]byte, error) { return []byte(`{}`), nil }}
	if change != nil {
		change(&opt)
	}
	s, err := server.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	w.h = s
	return w
}

// do makes one request in process.
func (w *world) do(method, path, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	rec := httptest.NewRecorder()
	w.h.ServeHTTP(rec, r)
	return rec
}

func (w *world) postJSON(path, body string, header ...string) *httptest.ResponseRecorder {
	return w.do("POST", path, body, append([]string{"Content-Type", "application/json"}, header...)...)
}

func (w *world) page(path string) *httptest.ResponseRecorder {
	return w.do("GET", path, "", "Accept", "text/html")
}

func unmarshal[T any](t *testing.T, r io.Reader) T {
	t.Helper()
	var v T
	data, _ := io.ReadAll(r)
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&v); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, data)
	}
	return v
}
