package modeltest

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"digesto"
	"digesto/model"
)

// RealServer gives the address and the model of a real server on loopback that
// stands ready for the tests, and skips the test, saying so, when there is none:
// .ci/model-server starts one.
func RealServer(tb testing.TB) (url, name string) {
	tb.Helper()
	url, name = os.Getenv("DIGESTO_TEST_MODEL_URL"), os.Getenv("DIGESTO_TEST_MODEL_NAME")
	if url == "" || name == "" {
		tb.Skip(`no model server (DIGESTO_TEST_MODEL_URL): eval "$(.ci/model-server start DIR)" starts one`)
	}
	return url, name
}

// Live is the conformance suite of a Generator before a real server, whose words
// nobody scripts: the model may be one of random weights. newGen takes the name
// of the model.
func Live(t *testing.T, name string, newGen func(t *testing.T, name string) model.Generator) {
	g := newGen(t, name)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	if _, err := g.Generate(ctx, short(8), nil); err != nil { // loads the model
		t.Fatal(err)
	}
	t.Run("whole", func(t *testing.T) { liveCall(t, g, false) })
	t.Run("streamed", func(t *testing.T) { liveCall(t, g, true) })
	t.Run("token limit", func(t *testing.T) { liveLimit(t, g) })
	t.Run("schema", func(t *testing.T) { liveSchema(t, g) })
	t.Run("cancel", func(t *testing.T) { liveCancel(t, g) })
	t.Run("emit ends the call", func(t *testing.T) {
		_, err := g.Generate(t.Context(), short(200), func(string) error { return errEnough })
		if !errors.Is(err, errEnough) {
			t.Errorf("%v", err)
		}
	})
	t.Run("unknown model", func(t *testing.T) {
		_, err := newGen(t, "no-existe-este-modelo").Generate(t.Context(), short(3), nil)
		check(t, "unknown model", err, model.KindUnknown)
	})
	t.Run("concurrent", func(t *testing.T) {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() { liveCall(t, g, true) })
		}
		wg.Wait()
	})
}

func short(tokens int) model.Request {
	r := Ask()
	r.MaxTokens = tokens
	return r
}

func liveCall(t *testing.T, g model.Generator, streamed bool) {
	var b strings.Builder
	var emit func(string) error
	if streamed {
		emit = func(s string) error { b.WriteString(s); return nil }
	}
	out, err := g.Generate(t.Context(), short(40), emit)
	if err != nil || out.Text == "" || streamed && b.String() != out.Text || out.Usage.Prompt == 0 || out.Usage.Completion == 0 || out.Usage.Estimated || out.Finish == "" {
		t.Errorf("%+v, pieces %q, %v", out, b.String(), err)
	}
}

// liveLimit asks for three tokens. A model of random weights may stop before, or
// say three bytes that are no character, which is an answer without a word.
func liveLimit(t *testing.T, g model.Generator) {
	for range 20 {
		out, err := g.Generate(t.Context(), short(3), nil)
		if f := model.FaultOf(err); f != nil && f.Kind == model.KindEmpty {
			continue
		}
		if err != nil || out.Usage.Completion > 4 {
			t.Fatalf("%+v, %v", out, err)
		}
		if out.Finish == model.FinishLength {
			return
		}
	}
	t.Error("no answer of twenty ended at its limit")
}

// liveSchema asks for JSON of a schema that the server enforces on any model.
func liveSchema(t *testing.T, g model.Generator) {
	req := short(400)
	req.Schema = json.RawMessage(`{"type":"object","properties":{"refusal":{"type":"boolean"},"kind":{"type":"string","enum":["plazo","cuantía"]}},"required":["refusal","kind"],"additionalProperties":false}`)
	out, err := g.Generate(t.Context(), req, nil)
	var got struct {
		Refusal *bool   `json:"refusal"`
		Kind    *string `json:"kind"`
	}
	if err != nil || json.Unmarshal([]byte(out.Text), &got) != nil || got.Refusal == nil || got.Kind == nil || *got.Kind != "plazo" && *got.Kind != "cuantía" {
		t.Errorf("%q, %v", out.Text, err)
	}
}

func liveCancel(t *testing.T, g model.Generator) {
	late := time.Hour
	for range 3 { // a busy machine may be late once
		ctx, cancel := context.WithCancel(t.Context())
		var at time.Time
		_, err := g.Generate(ctx, short(4000), func(string) error {
			if at.IsZero() {
				at = time.Now()
				cancel()
			}
			return nil
		})
		end := time.Now()
		cancel()
		if digesto.CodeOf(err) != digesto.CodeCancelled {
			t.Errorf("%v", err)
			return
		}
		late = min(late, end.Sub(at))
	}
	if late > 100*time.Millisecond {
		t.Errorf("ended %v after it was cancelled", late)
	}
}

// LiveEmbedder is the conformance suite of an Embedder before a real server.
func LiveEmbedder(t *testing.T, e model.Embedder) {
	texts := []string{"El faro guía a los barcos.", "El mercado abre a las siete.", "El faro guía a los barcos."}
	got, err := e.Embed(t.Context(), texts, model.Passage)
	if err != nil || len(got) != 3 || len(got[0]) == 0 || len(got[0]) != e.Dims() {
		t.Fatalf("%d vectors, %d dimensions, %v", len(got), e.Dims(), err)
	}
	same, other := 0.0, 0.0
	for i := range got[0] {
		same += float64(got[0][i]-got[2][i]) * float64(got[0][i]-got[2][i])
		other += float64(got[0][i]-got[1][i]) * float64(got[0][i]-got[1][i])
	}
	if same > 1e-4 || other <= same {
		t.Errorf("the same text lies %g from itself, another %g", same, other)
	}
}
