package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	speed "digesto/bench"
	assets "digesto/third_party/e5"
)

// TestBenchQuestion: the figures are there and add up; without the model the command
// says what to do.
func TestBenchQuestion(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	corpus := write("c.jsonl", `{"_id":"N1:a1","title":"De las abejas","text":"Quien tenga colmenas las inscribe en el registro."}
{"_id":"N1:a2","title":"De los pozos","text":"Todo pozo lleva una tapa."}
`)
	queries := write("q.jsonl", `{"_id":"q1","text":"¿dónde se inscriben las colmenas?"}
{"_id":"q2","text":"¿qué lleva un pozo?"}
`)
	var stdout, stderr bytes.Buffer
	a := newApp(t.Context(), env{in: &bytes.Buffer{}, out: &stdout, err: &stderr, lookup: func(string) (string, bool) { return "", false }})
	code := a.exit(a.dispatch([]string{"--data", dir, "bench", "question", "--corpus", corpus, "--queries", queries, "--json"}))
	out := stdout.String()
	if assets.Model == "" {
		if code == 0 || stderr.Len() == 0 {
			t.Fatalf("without the model: code %d, %q", code, stderr.String())
		}
		return
	}
	var r speed.QuestionReport
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 {
		t.Fatalf("code %d, %v: %s %s", code, err, out, stderr.String())
	}
	if r.Documents != 2 || r.Queries != 2 || !(r.EmbedMean > 0) || !(r.Mean > r.EmbedMean) || !(r.P95 >= r.P50) || !(r.WordsMS > 0) || r.DiskBytes == 0 {
		t.Errorf("figures: %s", out)
	}
}
