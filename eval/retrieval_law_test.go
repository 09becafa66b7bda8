package eval

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"digesto"
)

// TestLawJudgements: when laws are ranked, judgements may name laws that have
// documents, and only those.
func TestLawJudgements(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("corpus.jsonl", `{"_id":"L1:a1","title":"Ley de huertos","text":"El huerto se riega de noche."}
{"_id":"L2:a1","title":"Ley de pozos","text":"El pozo se tapa."}`)
	write("queries.jsonl", `{"_id":"q1","text":"regar el huerto"}`)
	opt := RetrievalOptions{Build: build, ByLaw: true, Qrels: write("laws.tsv", "q1\tL1\t1\n")}
	rep, err := Retrieval(context.Background(), dir, opt)
	if err != nil || rep.Metrics["hit@1"] != 1 || rep.Queries != 1 {
		t.Errorf("%+v %v", rep, err)
	}
	opt.Qrels = write("none.tsv", "q1\tL3\t1\n")
	if _, err := Retrieval(context.Background(), dir, opt); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("a law without documents: %v", err)
	}
	opt.Qrels, opt.ByLaw = write("laws.tsv", "q1\tL1\t1\n"), false
	if _, err := Retrieval(context.Background(), dir, opt); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("a law where documents are ranked: %v", err)
	}
}
