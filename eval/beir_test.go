package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto"
)

// folder writes a small set and gives its path.
func folder(t *testing.T, corpus, queries, qrels string) string {
	dir := t.TempDir()
	for name, s := range map[string]string{"corpus.jsonl": corpus, "queries.jsonl": queries, "qrels.tsv": qrels} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	smallCorpus = `{"_id":"LEY-1:a1","title":"Ley 100/2001, de Puertos — Artículo 1. Objeto","text":"Regula los muelles.","metadata":{"law_title":"Ley 100/2001, de 3 de mayo, de Puertos y Muelles Interiores","path":"Título I"}}
{"_id":"LEY-1:a2","title":"Ley 100/2001, de Puertos — Artículo 2. Tasas","text":"La tasa de amarre se paga por día.","metadata":{"law_title":"Ley 100/2001, de 3 de mayo, de Puertos y Muelles Interiores"}}
{"_id":"LEY-2:a1","title":"Ley 7/1999, de Faros — Artículo 1","text":"La tasa de luz se paga por entrada."}
`
	smallQueries = `{"_id":"q1","text":"¿Cómo se paga la tasa según la Ley 100/2001, de 3 de mayo?"}
{"_id":"q2","text":"luz de los faros"}
{"_id":"q3","text":"sin juicio"}
`
	smallQrels = "query-id\tcorpus-id\tscore\nq1\tLEY-1:a2\t1\nq2\tLEY-2:a1\t1\n"
)

func TestRetrievalSmall(t *testing.T) {
	dir := folder(t, smallCorpus, smallQueries, smallQrels)
	var run bytes.Buffer
	rep, err := Retrieval(context.Background(), dir, RetrievalOptions{Build: build, Run: &run})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Metrics["hit@1"] != 1 || rep.Queries != 2 || rep.Documents != 3 {
		t.Errorf("report %+v", rep)
	}
	n := 0
	for line := range strings.Lines(run.String()) {
		var l runLine
		if err := json.Unmarshal([]byte(line), &l); err != nil || l.NS <= 0 || l.Hits == nil {
			t.Errorf("run line %s: %v", line, err)
		}
		n++
	}
	if n != 3 {
		t.Errorf("%d run lines, want one a query", n)
	}
	rep, err = Retrieval(context.Background(), dir, RetrievalOptions{Build: build, ByLaw: true})
	if err != nil || rep.Metrics["hit@1"] != 1 || rep.GroupBy != "law" {
		t.Errorf("by law: %+v, %v", rep, err)
	}
}

func TestQueryExact(t *testing.T) {
	c, err := ReadCorpus(filepath.Join(folder(t, smallCorpus, smallQueries, smallQrels), "corpus.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	q := c.Query(c.Table(nil), "artículo 2 de la Ley 100/2001, ¿qué tasa?")
	if len(q.Units) != 1 || q.Units[0] != "LEY-1:a2" || len(q.Norms) != 1 || strings.Contains(q.Text, "100/2001") {
		t.Errorf("query %+v", q)
	}
}

func TestRetrievalRefuses(t *testing.T) {
	for name, dir := range map[string]string{
		"gold outside the corpus": folder(t, smallCorpus, smallQueries, "q1\tLEY-9:a1\t1\n"),
		"no judged query":         folder(t, smallCorpus, smallQueries, "otra\tLEY-1:a1\t1\n"),
		"repeated document":       folder(t, smallCorpus+smallCorpus, smallQueries, smallQrels),
		"broken line":             folder(t, "{", smallQueries, smallQrels),
		"broken qrels":            folder(t, smallCorpus, smallQueries, "q1 LEY-1:a1\n"),
		"score no number":         folder(t, smallCorpus, smallQueries, smallQrels+"q1\tLEY-1:a1\tmucho\n"),
	} {
		_, err := Retrieval(context.Background(), dir, RetrievalOptions{Build: build})
		var e *digesto.Error
		if digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		} else if !errors.As(err, &e) || e.Hint == "" {
			t.Errorf("%s: no hint", name)
		}
	}
	if _, err := Retrieval(context.Background(), t.TempDir(), RetrievalOptions{Build: build}); digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Errorf("empty folder: %v", err)
	}
}
