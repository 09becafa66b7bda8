package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"digesto/internal/long"
	"digesto/internal/pgtest"
	"digesto/internal/qdrantfake"
	"digesto/internal/shareddata"

	"github.com/google/go-cmp/cmp"
)

// TestSameAnswers: what is answered does not depend on where the index stands: every answer
// is the same with the index in the folder, in PostgreSQL and in Qdrant, field by field but
// times and ids. With DIGESTO_LONG=1 all sets over all law, else a hundred of one pack over its own.
// Qdrant is a fake unless DIGESTO_QDRANT_URL names a server (its key stands in the address).
// DIGESTO_HITS=postgres or =qdrant asks that one alone.
func TestSameAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("loads the law into each server")
	}
	corpora, only := shareddata.Dir(t, "corpora"), ""
	if !long.Whole() {
		corpora, only = filepath.Join(corpora, "peru-tributario"), "peru"
		t.Setenv("DIGESTO_DATA_ALL", "")
	}
	data := installedLaw(t, corpora)
	places, which := map[string]string{}, os.Getenv("DIGESTO_HITS")
	if which != "postgres" {
		if places["Qdrant"] = os.Getenv("DIGESTO_QDRANT_URL"); places["Qdrant"] == "" {
			fake := httptest.NewServer(qdrantfake.New())
			defer fake.Close()
			places["Qdrant"] = fake.URL
		}
	}
	if os.Getenv("DIGESTO_TEST_POSTGRES_URL") == "" {
		t.Log("no PostgreSQL here (see .ci/postgres)")
	} else if which != "qdrant" {
		places["PostgreSQL"] = pgtest.Schema(t)
	}
	for pack, questions := range ownQuestions(t, only) {
		t.Run(pack, func(t *testing.T) {
			if only != "" {
				questions = questions[:100]
			}
			file := filepath.Join(t.TempDir(), "q.jsonl")
			if err := os.WriteFile(file, bytes.Join(questions, []byte("\n")), 0o600); err != nil {
				t.Fatal(err)
			}
			want := answersFrom(t, data, "", file, pack)
			if len(want) != len(questions) || len(want) < 50 {
				t.Fatalf("%d answers to %d questions", len(want), len(questions))
			}
			for name, address := range places {
				got, same := answersFrom(t, data, address, file, pack), 0
				for id := range want {
					if d := cmp.Diff(want[id], got[id]); d != "" {
						t.Errorf("%s, %s: folder (-), server (+):\n%.2000s", name, id, d)
					} else {
						same++
					}
				}
				t.Logf("%s: %d of %d answers the same", name, same, len(want))
			}
		})
	}
}

// ownQuestions are those of the development sets and of the packs' own, by pack.
func ownQuestions(t *testing.T, only string) map[string][][]byte {
	t.Helper()
	out := map[string][][]byte{}
	for _, pattern := range []string{filepath.Join(shareddata.Dir(t, "evals"), "c*", "*.jsonl"), "../../packs/*/eval/*.jsonl"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			pack := strings.TrimSuffix(filepath.Base(f), ".jsonl")
			if dir := filepath.Dir(f); filepath.Base(dir) == "eval" {
				pack = filepath.Base(filepath.Dir(dir))
			}
			if pack == "es" { // questions about the law of its country, whatever the pack
				pack = "clara"
			}
			if pack == "dialogues" || only != "" && pack != only {
				continue
			}
			raw, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for line := range bytes.Lines(raw) {
				var q struct {
					Question, Text string
					AsOf           string `json:"as_of"`
				}
				if err := json.Unmarshal(line, &q); err != nil {
					t.Fatal(f, err)
				}
				if q.Question += q.Text; q.Question == "" {
					continue // a conversation
				}
				one := map[string]string{"_id": fmt.Sprint(filepath.Base(f), len(out[pack])), "question": q.Question}
				if q.AsOf != "" {
					one["as_of"] = q.AsOf
				}
				line, err := json.Marshal(one)
				if err != nil {
					t.Fatal(err)
				}
				out[pack] = append(out[pack], line)
			}
		}
	}
	return out
}

// answersFrom asks a file of questions and gives the answers by id, without times and ids.
func answersFrom(t *testing.T, data, index, file, pack string) map[string]any {
	t.Helper()
	e, out, errs := testEnv(map[string]string{"DIGESTO_DATA": data, "DIGESTO_INDEX": index})
	if code := run(context.Background(), []string{"eval", "answers", file, "--pack", pack}, e); code != 0 && code != 7 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	all := map[string]any{}
	for line := range bytes.Lines(out.Bytes()) {
		var a map[string]any
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatal(err)
		}
		all[a["_id"].(string)] = timeless(a)
	}
	return all
}

// timeless leaves out of an answer what differs each time that it is given.
func timeless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			if !slices.Contains([]string{"elapsed_ms", "trace_id", "session_id"}, k) {
				out[k] = timeless(x)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = timeless(v[i])
		}
		return out
	}
	return v
}
