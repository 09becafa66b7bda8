package eval

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"digesto"
	"digesto/index"
	"digesto/internal/shareddata"
	"digesto/text"
	"digesto/text/cite"
)

var update = flag.Bool("update", false, "write the golden files anew")

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

// perturbations of questions as people type them.
var perturbations = []struct {
	name string
	f    func(string) string
}{
	{"clean", func(s string) string { return s }},
	{"unaccented", func(s string) string { return text.Fold(s) }},
	{"typos", everyFifthWordWrong},
}

// everyFifthWordWrong loses, swaps or changes one letter of every fifth word of more than three letters.
func everyFifthWordWrong(s string) string {
	r := rand.New(rand.NewPCG(uint64(len(s)), 1))
	words := strings.Fields(s)
	for i := 4; i < len(words); i += 5 {
		w := []rune(words[i])
		if len(w) <= 3 {
			continue
		}
		k := 1 + r.IntN(len(w)-2)
		switch r.IntN(3) {
		case 0:
			w = append(w[:k], w[k+1:]...)
		case 1:
			w[k], w[k+1] = w[k+1], w[k]
		default:
			w[k] = rune('a' + r.IntN(26))
		}
		words[i] = string(w)
	}
	return strings.Join(words, " ")
}

// TestGolden compares the measures of every set with golden/retrieval.tsv; a worse
// figure fails. go test ./eval -run Golden -update writes the file anew.
func TestGolden(t *testing.T) {
	names := aliases(t)
	rows := [][]string{}
	for _, set := range []string{"ar-es", "examen-dev", "tramites-65", "xquad-es"} {
		dir := shareddata.Dir(t, "evals/"+set)
		var once digesto.Searcher
		memo := func(ctx context.Context, hash string, chunks iter.Seq2[digesto.Chunk, error]) (digesto.Searcher, func() error, error) {
			if once == nil {
				var err error
				if once, _, err = build(ctx, hash, chunks); err != nil {
					return nil, nil, err
				}
			}
			return once, func() error { return nil }, nil
		}
		for _, p := range perturbations {
			rep, err := Retrieval(context.Background(), dir, RetrievalOptions{Build: memo, Aliases: names, Queries: perturbed(t, dir, p.f)})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range []string{"hit@1", "hit@10", "MRR@10", "nDCG@10"} {
				rows = append(rows, []string{set, p.name, m, fmt.Sprintf("%.4f", rep.Metrics[m])})
			}
		}
	}
	golden(t, "golden/retrieval.tsv", rows)
}

// perturbed writes a set's questions, changed by f, to a file.
func perturbed(t *testing.T, dir string, f func(string) string) string {
	t.Helper()
	queries, err := readQueries(filepath.Join(dir, "queries.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, q := range queries {
		q.Text = f(q.Text)
		line, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	path := filepath.Join(t.TempDir(), "queries.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// golden compares rows, whose last column is a figure, with a file: a figure may
// rise, it may not fall by more than one question's worth of noise (0.003).
func golden(t *testing.T, path string, rows [][]string) {
	t.Helper()
	if *update {
		var b strings.Builder
		for _, r := range rows {
			b.WriteString(strings.Join(r, "\t") + "\n")
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if i := strings.LastIndexByte(line, '\t'); i > 0 {
			want[line[:i]] = strings.TrimSpace(line[i:])
		}
	}
	for _, r := range rows {
		key := strings.Join(r[:len(r)-1], "\t")
		old, err1 := strconv.ParseFloat(want[key], 64)
		now, err2 := strconv.ParseFloat(r[len(r)-1], 64)
		if err1 != nil || err2 != nil {
			t.Errorf("%s: golden %q, now %q", key, want[key], r[len(r)-1])
		} else if now < old-0.003 {
			t.Errorf("%s fell from %.4f to %.4f", key, old, now)
		}
	}
}

// TestBars are the least that retrieval must reach, whatever the golden figures say.
func TestBars(t *testing.T) {
	for _, c := range []struct {
		set         string
		hit1, hit10 float64
	}{{"examen-dev", .744, .92}, {"ar-es", .778, .93}, {"tramites-65", .89, .98}} {
		dir := shareddata.Dir(t, "evals/"+c.set)
		rep, err := Retrieval(context.Background(), dir, RetrievalOptions{Build: build, Aliases: aliases(t)})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Metrics["hit@1"] < c.hit1 || rep.Metrics["hit@10"] < c.hit10 {
			t.Errorf("%s: %v, bar %v / %v", c.set, rep.Metrics, c.hit1, c.hit10)
		}
	}
}

// TestRecognition: laws named in formal questions are the right ones.
func TestRecognition(t *testing.T) {
	set, err := load(shareddata.Dir(t, "evals/examen-dev"), RetrievalOptions{Aliases: aliases(t)})
	if err != nil {
		t.Fatal(err)
	}
	recognised, right := 0, 0
	for _, q := range set.queries {
		norms := set.table.Recognise(q.Text).Norms
		if len(norms) == 0 {
			continue
		}
		recognised++
		for id := range set.gold[q.ID] {
			if slices.Contains(norms, LawOf(id)) {
				right++
				break
			}
		}
	}
	if share := float64(recognised) / float64(len(set.queries)); share < .95 {
		t.Errorf("a law was recognised in %.3f of the questions", share)
	}
	if share := float64(right) / float64(recognised); share < .99 {
		t.Errorf("the law recognised was right in %.3f", share)
	}
}

// TestExactArticle: a question that names law and article finds that article first.
func TestExactArticle(t *testing.T) {
	dir := shareddata.Dir(t, "evals/examen-dev")
	set, err := load(dir, RetrievalOptions{Aliases: aliases(t), Queries: filepath.Join(dir, "queries_verbatim.jsonl")})
	if err != nil {
		t.Fatal(err)
	}
	searcher, _, err := build(context.Background(), "", set.corpus.Chunks())
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range set.queries {
		query := set.corpus.Query(set.table, q.Text)
		if len(query.Units) == 0 {
			continue
		}
		res, err := searcher.Search(context.Background(), query)
		if err != nil || len(res.Hits) == 0 || !slices.Contains(query.Units, res.Hits[0].ID) {
			t.Errorf("%q: first hit is not the article named %v (%v)", q.Text, query.Units, err)
		}
	}
}

func BenchmarkRecognise(b *testing.B) {
	set, err := load(shareddata.Dir(b, "evals/examen-dev"), RetrievalOptions{Aliases: aliases(b)})
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		set.table.Recognise(set.queries[i%len(set.queries)].Text)
	}
}

// BenchmarkNewTable builds the table of 2,280 norms (the set's titles, repeated with other numbers).
func BenchmarkNewTable(b *testing.B) {
	set, err := load(shareddata.Dir(b, "evals/examen-dev"), RetrievalOptions{})
	if err != nil {
		b.Fatal(err)
	}
	names := aliases(b)
	var norms []digesto.Norm
	for i := range 19 {
		for _, n := range set.corpus.Norms() {
			n.ID = fmt.Sprintf("%s-%d", n.ID, i)
			n.Title = strings.Replace(n.Title, "/", strconv.Itoa(i)+"/", 1) + " número " + strconv.Itoa(i)
			norms = append(norms, n)
		}
	}
	b.ResetTimer()
	for b.Loop() {
		cite.NewTable(names, norms)
	}
	b.ReportMetric(float64(len(norms)), "norms")
}
