package eval

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto"
	"digesto/index"
	"digesto/internal/shareddata"
	"digesto/text/cite"
)

// build makes an index in memory.
func build(ctx context.Context, _ string, chunks iter.Seq2[digesto.Chunk, error]) (digesto.Searcher, func() error, error) {
	ix, err := index.Memory(ctx, chunks, index.BuildOptions{})
	if err != nil {
		return nil, nil, err
	}
	return ix, ix.Close, nil
}

// aliases reads the packs' tables of names.
func aliases(t testing.TB) []cite.Alias {
	files, err := filepath.Glob("../packs/*/aliases.tsv")
	if err != nil || len(files) == 0 {
		t.Fatal("no alias tables", err)
	}
	var out []cite.Alias
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			c := append(strings.Split(strings.TrimRight(line, "\r\n"), "\t"), "", "", "")
			if c[0] != "" && c[0] != "name" && !strings.HasPrefix(c[0], "#") {
				out = append(out, cite.Alias{Name: c[0], Norm: c[1], Weak: c[2] == "weak", Jurisdiction: c[3]})
			}
		}
	}
	return out
}

func TestSets(t *testing.T) {
	for _, name := range []string{"examen-dev", "ar-es", "tramites-65", "xquad-es"} {
		dir := shareddata.Dir(t, "evals/"+name)
		rep, err := Retrieval(context.Background(), dir, RetrievalOptions{Build: build, Aliases: aliases(t)})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %v %+v", name, rep.Metrics, rep.Latency)
	}
}
