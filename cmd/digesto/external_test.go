package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"digesto"
)

// vectorService is an embedding service on loopback: vectors of five numbers, one
// for each word of its vocabulary.
type vectorService struct {
	*httptest.Server
	texts atomic.Int64
	down  atomic.Bool
}

func newVectorService(t *testing.T) *vectorService {
	t.Helper()
	words := []string{"farero", "descanso", "faros", "trabajo", "reposo"}
	s := &vectorService{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil || s.down.Load() || !strings.HasSuffix(r.URL.Path, "/embeddings") {
			http.Error(w, `{"error":{"message":"no"}}`, http.StatusBadRequest)
			return
		}
		type item struct {
			Object    string    `json:"object"`
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var out struct {
			Object string `json:"object"`
			Data   []item `json:"data"`
		}
		out.Object = "list"
		for i, text := range req.Input {
			s.texts.Add(1)
			v := make([]float32, len(words))
			for k, word := range words {
				v[k] = .1 + float32(strings.Count(strings.ToLower(text), word))
			}
			out.Data = append(out.Data, item{"embedding", i, v})
		}
		_ = json.NewEncoder(w).Encode(out)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *vectorService) env(data string) map[string]string {
	return map[string]string{"DIGESTO_DATA": data, "DIGESTO_MODEL_EMBEDDER_URL": s.URL + "/v1", "DIGESTO_MODEL_EMBEDDER_NAME": "cinco",
		"DIGESTO_MODEL_EMBEDDER_ATTEMPTS": "1"}
}

// TestExternalEmbedder: a service of the settings replaces the binary's model, in an
// index of its own beside the old one; when it does not answer, the search still does.
func TestExternalEmbedder(t *testing.T) {
	data, s := t.TempDir(), newVectorService(t)
	addLaw(t, data, "diez")
	question := []string{"search", "--json", "reposo de guardianes nocturnos"}
	e, out, errs := testEnv(s.env(data))
	if code := run(context.Background(), question, e); code != 0 || !strings.Contains(out.String(), `"vectors": "cinco"`) {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	dirs, err := filepath.Glob(filepath.Join(data, "index", "*"))
	if err != nil || len(dirs) != 2 {
		t.Errorf("indexes %v %v", dirs, err)
	}
	made := s.texts.Load()
	e, _, _ = testEnv(s.env(data))
	if code := run(context.Background(), question, e); code != 0 || s.texts.Load() != made+1 {
		t.Errorf("exit %d; %d texts sent the second time, want the question alone", code, s.texts.Load()-made)
	}
	s.down.Store(true)
	e, out, errs = testEnv(s.env(data))
	if code := run(context.Background(), question, e); code != 0 || !strings.Contains(out.String(), "no ha contestado") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	e, out, _ = testEnv(map[string]string{"DIGESTO_DATA": data})
	if code := run(context.Background(), question, e); code != 0 || strings.Contains(out.String(), "cinco") {
		t.Errorf("without the service: exit %d: %s", code, out)
	}
	addLawTo(t, s.env(data), "veinte") // the service is down: the law is installed all the same
	e, out, _ = testEnv(map[string]string{"DIGESTO_DATA": data})
	if code := run(context.Background(), []string{"search", "descanso del farero"}, e); code != 0 || !strings.Contains(out.String(), "veinte") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// TestExternalIndexIsSwapped: while serving, questions go by the old index until the
// new one is whole; who reads the old one ends there.
func TestExternalIndexIsSwapped(t *testing.T) {
	data, s := t.TempDir(), newVectorService(t)
	addLaw(t, data, "diez")
	l, _ := openTestLaws(t, data)
	l.WordsOnly = false
	e, _, _ := testEnv(s.env(data))
	a := newApp(t.Context(), e)
	var err error
	if a.Settings, err = a.LoadSettings(data, ""); err != nil {
		t.Fatal(err)
	}
	if l.Model, err = a.Meaning(); err != nil || l.Model.Own {
		t.Fatal("no service", err)
	}
	l.Wanted = make(chan string, 1)
	old, release, err := l.View()
	if err != nil {
		t.Fatal(err)
	}
	q := digesto.Query{Text: "descanso de guardianes nocturnos"}
	if r := searched(t, old.Searcher, q); r.Means.Vectors == "cinco" || s.texts.Load() != 0 {
		t.Errorf("before: %+v", r.Means)
	}
	if err := l.Replace(t.Context(), old.Snapshot); err != nil {
		t.Fatal(err)
	}
	v, done, err := l.View()
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if r := searched(t, v.Searcher, q); r.Means.Vectors != "cinco" {
		t.Errorf("after: %+v", r.Means)
	}
	if r := searched(t, old.Searcher, q); len(r.Hits) == 0 || r.Means.Vectors == "cinco" {
		t.Errorf("who still reads the old one: %+v", r.Means)
	}
	release()
	if n := l.Replaced(); n != 0 {
		t.Errorf("%d old indexes open", n)
	}
	if _, err := os.Stat(filepath.Join(data, "index", old.Snapshot.Content())); err != nil {
		t.Error("the old index is gone", err)
	}
}

func searched(t *testing.T, s digesto.Searcher, q digesto.Query) digesto.Results {
	t.Helper()
	r, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSortedFunc(r.Hits, func(a, b digesto.Hit) int {
		if a.Score < b.Score {
			return 1
		}
		return -1
	}) {
		t.Errorf("scores out of order: %v", r.Hits)
	}
	return r
}
