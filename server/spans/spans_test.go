package spans

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"digesto"
	"digesto/model"
)

type scripted struct{ err error }

func (s scripted) Generate(context.Context, model.Request, func(string) error) (model.Response, error) {
	return model.Response{Text: "palabras secretas", Usage: model.Usage{Prompt: 7, Completion: 3}}, s.err
}

func (s scripted) Rerank(context.Context, string, []string, int) ([]model.Ranked, error) {
	return nil, s.err
}

// What is sent holds names and numbers, and nothing of what was said.
func TestSpans(t *testing.T) {
	var mu sync.Mutex
	var sent strings.Builder
	at := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = io.Copy(&sent, r.Body)
	}))
	defer at.Close()
	s, err := New(t.Context(), Options{URL: at.URL + "/v1/traces", Client: at.Client(), Version: "1.2.3"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := s.Request(httptest.NewRequest("POST", "/v1/ask", nil))
	ctx, q := s.Question(ctx)
	q.Event(digesto.Event{Kind: "stage", Stage: "retrieve"})
	q.Event(digesto.Event{Kind: "delta", Text: "palabras secretas"})
	_, _ = s.Generator(model.Writer, scripted{}).Generate(ctx, model.Request{}, nil)
	_, _ = s.Generator(model.Reader, scripted{errors.New("palabras secretas")}).Generate(ctx, model.Request{}, nil)
	_, _ = s.Reranker(scripted{}).Rerank(ctx, "palabras secretas", []string{"palabras secretas"}, 1)
	q.Event(digesto.Event{Kind: "stage", Stage: "write"})
	q.End(digesto.Answer{Answer: "palabras secretas", Meta: &digesto.Meta{Outcome: digesto.OutcomeRefusal, Pack: "costa"}}, nil)
	end("POST /v1/ask", 500)
	_, lost := s.Question(t.Context())
	lost.End(digesto.Answer{}, &digesto.Error{Code: digesto.CodeTooLarge, Message: "palabras secretas"})
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	got := sent.String()
	for _, want := range []string{"POST /v1/ask", "question", "stage retrieve", "stage write", "model writer", "model reader", "model reranker", "costa", "refusal", "too_large", "gen_ai.usage.input_tokens", "1.2.3"} {
		if !strings.Contains(got, want) {
			t.Errorf("not sent: %q", want)
		}
	}
	if strings.Contains(got, "secretas") {
		t.Error("what was said is among the spans")
	}
	if s.Generator("x", nil) != nil || s.Reranker(nil) != nil {
		t.Error("a model that is not there got a span")
	}
}
