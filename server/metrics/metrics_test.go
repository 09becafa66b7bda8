package metrics

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"digesto"
)

func TestMetrics(t *testing.T) {
	m := New(Options{Version: "1.2.3", Corpus: func() (int, time.Duration, bool) { return 7, time.Hour, true }})
	m.Request("POST /v1/ask", 200, 20*time.Millisecond)
	m.Request("", 404, time.Millisecond)
	q := m.Question()
	q.Event(digesto.Event{Kind: "stage", Stage: "retrieve"})
	q.Event(digesto.Event{Kind: "stage", Stage: "write"})
	q.End(digesto.Answer{Answer: "secreto", Meta: &digesto.Meta{Outcome: digesto.OutcomeRefusal, Pack: "costa", Mode: "extractive",
		Models: digesto.Models{"writer": {Calls: 2, In: 100, Out: 9, Cost: .5}, "reader": {Path: "rules"}}}}, nil)
	m.Question().End(digesto.Answer{}, &digesto.Error{Code: digesto.CodeTooLarge})
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	got := w.Body.String()
	for _, want := range []string{
		`digesto_http_requests_total{route="POST /v1/ask",status="200"} 1`, `digesto_http_requests_total{route="none",status="404"} 1`,
		`digesto_http_request_duration_seconds_count{route="POST /v1/ask"} 1`, `digesto_answers_total{mode="extractive",outcome="refusal",pack="costa"} 1`,
		`digesto_questions_failed_total{code="too_large"} 1`, `digesto_stage_duration_seconds_count{stage="retrieve"} 1`, `digesto_stage_duration_seconds_count{stage="write"} 1`,
		`digesto_model_calls_total{cached="no",role="writer"} 2`, `digesto_model_tokens_total{direction="in",role="writer"} 100`, `digesto_model_cost_total{role="writer"} 0.5`,
		"digesto_corpus_norms 7", "digesto_corpus_age_seconds 3600", `digesto_build_info{version="1.2.3"} 1`, "go_goroutines ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %s", want)
		}
	}
	if strings.Contains(got, "secreto") || strings.Contains(got, `role="reader"`) {
		t.Error("says what was answered, or counts a model that was not called")
	}
}

// TestCorpusUnread leaves the corpus out rather than say 0.
func TestCorpusUnread(t *testing.T) {
	m := New(Options{Corpus: func() (int, time.Duration, bool) { return 0, 0, false }})
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 200 || strings.Contains(w.Body.String(), "digesto_corpus_norms") {
		t.Errorf("%d", w.Code)
	}
}
