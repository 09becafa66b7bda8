package main

import (
	"os"
	"path/filepath"
	"testing"

	"digesto"
	"digesto/app"
)

// TestFlagLayers: the four switches by default, file, environment and request, the
// later winning; what nobody sets is left to the pack.
func TestFlagLayers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(file, []byte("rag:\n  enabled: false\n  rerank_strategy: none\n  grounded_prompting: false\n  max_chunks_in_prompt: 2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	no, yes := false, true
	for _, c := range []struct {
		name   string
		vars   map[string]string
		config string
		asked  []string
		want   digesto.Flags
		bad    bool
	}{
		{name: "defaults"},
		{name: "file", config: file, want: digesto.Flags{Enabled: &no, Strategy: "none", Grounded: &no, MaxChunks: 2}},
		{name: "environment over file", config: file, vars: map[string]string{"RAG_ENABLED": "true", "RAG_RERANK_STRATEGY": "gemini", "RAG_GROUNDED_PROMPTING": "1", "RAG_MAX_CHUNKS_IN_PROMPT": "7"},
			want: digesto.Flags{Enabled: &yes, Strategy: "gemini", Grounded: &yes, MaxChunks: 7}},
		{name: "request over environment", vars: map[string]string{"RAG_ENABLED": "false", "RAG_MAX_CHUNKS_IN_PROMPT": "7"}, asked: []string{"RAG_ENABLED=true", "rag_max_chunks_in_prompt=1"},
			want: digesto.Flags{Enabled: &yes, MaxChunks: 1}},
		{name: "no truth value", vars: map[string]string{"RAG_ENABLED": "quizá"}, bad: true},
		{name: "no number", vars: map[string]string{"RAG_MAX_CHUNKS_IN_PROMPT": "cuatro"}, bad: true},
		{name: "too many", asked: []string{"RAG_MAX_CHUNKS_IN_PROMPT=9999"}, bad: true},
		{name: "no strategy", asked: []string{"RAG_RERANK_STRATEGY=mejor"}, bad: true},
		{name: "no flag", asked: []string{"RAG_TODO=1"}, bad: true},
		{name: "no pair", asked: []string{"RAG_ENABLED"}, bad: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			conf, err := settingsOf(t, c.vars, "", c.config)
			if err != nil {
				t.Fatal(err)
			}
			base, err := (&app.App{Settings: conf}).Flags()
			var own digesto.Flags
			if err == nil {
				own, err = requestFlags(c.asked)
			}
			if (err != nil) != c.bad {
				t.Fatal(err)
			}
			if got := own.Over(base); err == nil && !sameFlags(got, c.want) {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
	conf, err := settingsOf(t, nil, "", "")
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"rag.enabled": "true", "rag.rerank_strategy": "heuristic", "rag.grounded_prompting": "true", "rag.max_chunks_in_prompt": ""} {
		if conf.Get(key) != want {
			t.Errorf("%s = %q", key, conf.Get(key))
		}
	}
}

func sameFlags(a, b digesto.Flags) bool {
	same := func(x, y *bool) bool { return x == y || x != nil && y != nil && *x == *y }
	return same(a.Enabled, b.Enabled) && same(a.Grounded, b.Grounded) && a.Strategy == b.Strategy && a.MaxChunks == b.MaxChunks
}
