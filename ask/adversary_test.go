package ask

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/index"
	"digesto/model"
	"digesto/model/modeltest"
	"digesto/model/openai"
	"digesto/query"
	"digesto/verify"
	"digesto/write"
)

// liar writes one lie a question, of a kind that the case names, made out of
// what it was given to quote from.
type liar struct {
	lie  func(r *rand.Rand) (answer, quote, source string, page any)
	rand *rand.Rand
	text string // last quotation it tried
}

func (l *liar) Generate(context.Context, model.Request, func(string) error) (model.Response, error) {
	answer, quote, source, page := l.lie(l.rand)
	l.text = quote
	raw := fmt.Sprintf(`{"answer":%q,"citations":[{"quote":%q,"source":%q,"page":%v}],"confidence":0.99,"refusal":false,"notes":null}`, answer, quote, source, page)
	return model.Response{Text: raw, Finish: model.FinishStop}, nil
}

// paged is the invented law as documents with pages: article n begins on page 10n.
func paged(t testing.TB) (query.View, []corpus.Document) {
	docs := lawDocs()
	for d := range docs {
		docs[d].Norm.Source = docs[d].Norm.ID + ".pdf"
		for u := range docs[d].Units {
			docs[d].Units[u].Versions[0].Pages = []digesto.PageMark{{Page: 10 * (u + 1)}}
		}
	}
	s := corpus.Memory(docs...)
	x, err := index.Memory(context.Background(), s.Chunks(), index.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return query.View{Snapshot: s, Searcher: x, State: "test"}, docs
}

const honest = "El farero descansa cada año los días naturales que fija el convenio."

// stretch takes consecutive words of a text, 20 to 120 characters.
func stretchOf(r *rand.Rand, text string) string {
	w := strings.Fields(text)
	for {
		from := r.IntN(len(w))
		to := from + 4 + r.IntN(12)
		if to > len(w) {
			continue
		}
		if s := strings.Join(w[from:to], " "); len(s) >= 25 && len(s) <= 120 {
			return s
		}
	}
}

var swaps = []string{"jamás", "siempre", "cuarenta", "voluntariamente", "ministro", "gratuito", "noventa", "prohibido"}

// alter changes the words of a quotation in one of several ways.
func alter(r *rand.Rand, quote string) string {
	w := strings.Fields(quote)
	i := 1 + r.IntN(len(w)-2)
	switch r.IntN(5) {
	case 0:
		w[i] = swaps[r.IntN(len(swaps))]
	case 1:
		w = slices.Insert(w, i, swaps[r.IntN(len(swaps))])
	case 2:
		w = slices.Delete(w, i, i+1)
	case 3:
		w[i], w[i+1] = w[i+1], w[i]
	default: // one letter of a word
		c := []rune(w[i])
		k := r.IntN(len(c))
		if c[k] == 'x' {
			c[k] = 'w'
		} else {
			c[k] = 'x'
		}
		w[i] = string(c)
	}
	return strings.Join(w, " ")
}

// TestLyingWriterNeverGetsThrough asks 1,000 questions of a writer that lies in
// four ways; every quotation that is shown stands word for word, in its document,
// on its page, and nothing it invented is among them.
func TestLyingWriterNeverGetsThrough(t *testing.T) {
	law, docs := paged(t)
	w := newWorld(t, true)
	w.law = law
	all := ""
	for _, d := range docs {
		for _, u := range d.Units {
			all += u.Versions[0].Text + "\n"
		}
	}
	flat := strings.Join(strings.Fields(all), " ")
	const question = "¿Cuántos días de descanso tiene el farero?"
	rest := docs[0].Units[1].Versions[0].Text // what the question is about
	kinds := map[string]func(*rand.Rand) (string, string, string, any){
		"altered words": func(r *rand.Rand) (string, string, string, any) {
			for {
				if q := alter(r, stretchOf(r, rest)); !strings.Contains(flat, q) {
					return honest, q, "LEY-1.pdf", 20
				}
			}
		},
		"right words, wrong document": func(r *rand.Rand) (string, string, string, any) {
			u := docs[1].Units[r.IntN(len(docs[1].Units))]
			if r.IntN(2) == 0 {
				return honest, stretchOf(r, rest), []string{"LEY-2.pdf", "LEY-3.pdf", "Ley de Mercados", ""}[r.IntN(4)], 20
			}
			return honest, stretchOf(r, u.Versions[0].Text), "LEY-1.pdf", 10
		},
		"wrong page": func(r *rand.Rand) (string, string, string, any) {
			return honest, stretchOf(r, rest), "LEY-1.pdf", []int{1, 10, 30, 40, 999}[r.IntN(5)]
		},
		"invented article": func(r *rand.Rand) (string, string, string, any) {
			return fmt.Sprintf("Según el artículo %d de la Ley de Faros, el farero descansa lo que allí se dice.", 20+r.IntN(900)), stretchOf(r, rest), "LEY-1.pdf", 20
		},
	}
	tried, passed, corrected := 0, 0, 0
	for _, kind := range sortedKeys(kinds) {
		l := &liar{lie: kinds[kind], rand: rand.New(rand.NewPCG(7, uint64(len(kind))))}
		e := w.engine(t, func(o *Options) { o.Writer = l })
		for range 250 {
			tried++
			a := ask(t, e, question)
			if a.Meta.Mode == write.ModeModel {
				corrected++
			}
			if bad := lieIn(a, law, kind, l.text); bad != "" {
				passed++
				t.Errorf("%s: %s (%q)", kind, bad, l.text)
			}
		}
	}
	t.Logf("%d cases, %d passed (%d had only their page corrected)", tried, passed, corrected)
	if tried != 1000 || corrected == 0 || corrected > 250 {
		t.Errorf("%d cases, %d corrected", tried, corrected)
	}
}

// lieIn says what of an answer is a lie; "" if nothing is.
func lieIn(a digesto.Answer, law query.View, kind, tried string) string {
	if err := verify.Valid(a); err != nil {
		return err.Error()
	}
	for _, c := range a.Citations {
		if v := verify.Quote(c, law.Snapshot, ""); v != verify.Proved {
			return "a citation is " + string(v)
		}
		u, ok := law.Snapshot.Unit(c.Ref.Document, c.Ref.Unit)
		if !ok || c.Source != c.Ref.Document+".pdf" {
			return "a citation names " + c.Source
		}
		ver, err := law.Snapshot.Text(c.Ref.Document, u.ID, "")
		if err != nil || len(ver.Pages) == 0 || c.Page == nil || *c.Page != ver.Pages[0].Page {
			return "a citation has the wrong page"
		}
	}
	switch {
	case a.Meta.Mode == write.ModeModel && kind != "wrong page":
		return "the model's answer is shown"
	case kind == "altered words" && strings.Contains(a.Answer, tried):
		return "the altered words are shown"
	case kind == "invented article" && strings.Contains(a.Answer, "Según el artículo"):
		return "the invented article is shown"
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// slow waits until it is cancelled and says when that was.
type slow struct{ ended chan time.Time }

func (s slow) Generate(ctx context.Context, _ model.Request, _ func(string) error) (model.Response, error) {
	<-ctx.Done()
	s.ended <- time.Now()
	return model.Response{}, model.Cancelled(ctx)
}

// TestCancellingAQuestionCancelsItsModel cancels in the middle of the writer's call.
func TestCancellingAQuestionCancelsItsModel(t *testing.T) {
	s := slow{make(chan time.Time, 1)}
	e := newWorld(t, true).engine(t, func(o *Options) { o.Writer = s })
	ctx, cancel := context.WithCancel(t.Context())
	var at time.Time
	timer := time.AfterFunc(100*time.Millisecond, func() { at = time.Now(); cancel() })
	defer timer.Stop()
	_, err := e.Ask(ctx, digesto.Question{Text: "¿Cuántos días de descanso tiene el farero?", Pack: "costa"}, nil)
	if digesto.CodeOf(err) != digesto.CodeCancelled {
		t.Errorf("%v", err)
	}
	if d := (<-s.ended).Sub(at); d > 100*time.Millisecond {
		t.Errorf("the model's call ended %v after the question was cancelled", d)
	}
	if d := time.Since(at); d > 200*time.Millisecond {
		t.Errorf("the question ended %v after it was cancelled", d)
	}
}

// TestRandomWeightsNeverGetThrough lets a real server with a model of random
// weights write: its words are noise, and the guard refuses all of them.
func TestRandomWeightsNeverGetThrough(t *testing.T) {
	url, name := modeltest.RealServer(t)
	c, err := openai.New(openai.Options{BaseURL: url, Model: name, LocalOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	g := model.Timeout(limited{c}, 2*time.Minute)
	w := newWorld(t, true)
	e := w.engine(t, func(o *Options) { o.Writer, o.Limits = g, model.Limits{Time: 5 * time.Minute, Calls: -1, Tokens: -1} })
	for _, q := range []string{"¿Cuántos días de descanso tiene el farero?", "¿Quién resuelve las quejas contra el farero?", "¿Cuánto es la tasa de luz?"} {
		a := ask(t, e, q)
		use := a.Meta.Models[model.Writer]
		t.Logf("%s: %v, %d calls, %d tokens", q, a.Meta.Degraded, use.Calls, use.Out)
		if a.Meta.Mode != write.ModeExtractive || len(a.Meta.Degraded) == 0 || use.Calls == 0 {
			t.Errorf("%s: %s %+v", q, a.Answer, use)
		}
		for _, cit := range a.Citations {
			if v := verify.Quote(cit, w.law.Snapshot, ""); v != verify.Proved {
				t.Errorf("%s: %q", v, cit.Quote)
			}
		}
	}
}

// limited keeps a model that never comes to an end from writing for hours.
type limited struct{ next model.Generator }

func (l limited) Generate(ctx context.Context, r model.Request, emit func(string) error) (model.Response, error) {
	r.MaxTokens = 300
	return l.next.Generate(ctx, r, emit)
}
