package app

import (
	"context"
	"iter"
	"testing"

	"digesto"
	"digesto/app/law"
	"digesto/eval"
	"digesto/index"
	"digesto/internal/shareddata"
	"digesto/packs"
	"digesto/text/cite"
)

// stage is one way to search a set.
type stage struct{ lay, vectors bool }

// measureStage runs a set with or without the lexicon and vectors, as eval does.
func measureStage(t *testing.T, dir, queries, qrels string, byLaw bool, s stage) map[string]float64 {
	t.Helper()
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var m *law.Embedding
	if s.vectors {
		if m = law.OwnEmbedding(false); m == nil {
			t.Skip("this binary carries no model")
		}
	}
	var lexicons Lexicons
	var of *eval.Corpus
	rep, err := eval.Retrieval(context.Background(), dir, eval.RetrievalOptions{
		Queries: queries, Qrels: qrels, ByLaw: byLaw, Aliases: AliasesOf(all), Packs: all,
		Build: func(ctx context.Context, _ string, chunks iter.Seq2[digesto.Chunk, error]) (digesto.Searcher, func() error, error) {
			opt, chunks := m.Vectored(ctx, chunks)
			ix, err := index.Memory(ctx, chunks, opt)
			if err != nil {
				return nil, nil, err
			}
			return m.Searcher(ix, nil), ix.Close, nil
		},
		Query: func(c *eval.Corpus, t *cite.Table, question string) digesto.Query {
			if of != c {
				of, lexicons = c, LexiconsOf(all, c.Norms())
			}
			q := c.Query(t, question)
			if s.lay {
				lexicons.Add(&q, question)
			}
			return q
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return rep.Metrics
}

// TestLayBars: questions of the street find their law, and each stage adds.
func TestLayBars(t *testing.T) {
	dir := shareddata.Dir(t, "evals/examen-dev")
	if testing.Short() {
		t.Skip("indexes 15,000 articles three times")
	}
	of := func(s stage) map[string]float64 {
		return measureStage(t, dir, "../packs/es/eval/lay.jsonl", "../packs/es/eval/lay.kept.tsv", true, s)
	}
	words, lay, both := of(stage{}), of(stage{lay: true}), of(stage{true, true})
	for name, least := range map[string]float64{"hit@1": .45, "hit@5": .80, "hit@10": .88} {
		if both[name] < least {
			t.Errorf("%s %.4f, want at least %.2f", name, both[name], least)
		}
		if lay[name] < words[name] || both[name] < lay[name] {
			t.Errorf("%s falls: words %.4f, lexicon %.4f, vectors %.4f", name, words[name], lay[name], both[name])
		}
	}
}

// TestStagesDoNotHurt: lexicon and vectors lose no formal question.
func TestStagesDoNotHurt(t *testing.T) {
	for _, set := range []string{"ar-es", "tramites-65"} {
		t.Run(set, func(t *testing.T) {
			dir := shareddata.Dir(t, "evals/"+set)
			words := measureStage(t, dir, "", "", false, stage{})
			both := measureStage(t, dir, "", "", false, stage{true, true})
			for _, name := range []string{"hit@1", "hit@10", "nDCG@10"} {
				if both[name] < words[name] {
					t.Errorf("%s falls from %.4f to %.4f", name, words[name], both[name])
				}
			}
		})
	}
}

// TestLexiconOfTheCountry: a corpus gets the lexicon of its country, and only it.
func TestLexiconOfTheCountry(t *testing.T) {
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		norm digesto.Norm
		want string // what «paro» becomes
	}{
		{digesto.Norm{ID: "x", Jurisdiction: "es"}, "prestación por desempleo"},
		{digesto.Norm{ID: "BOE-A-2015-11430"}, "prestación por desempleo"},
		{digesto.Norm{ID: "y", Title: "Código Civil y Comercial de la Nación (Argentina)"}, "huelga"},
		{digesto.Norm{ID: "z", Jurisdiction: "pe"}, "huelga"},
		{digesto.Norm{ID: "n", Title: "Super Bowl"}, ""},
	} {
		q := digesto.Query{}
		l := LexiconsOf(all, []digesto.Norm{c.norm})
		l.Add(&q, "el paro")
		if c.want == "" {
			if len(l) != 0 || len(q.Also) != 0 {
				t.Errorf("%v: %d lexicons, %v", c.norm, len(l), q.Also)
			}
			continue
		}
		found := false
		for _, x := range q.Also {
			found = found || x == c.want
		}
		if len(l) != 1 || !found || q.AlsoWeight <= 0 || q.AlsoWeight >= 1 {
			t.Errorf("%v: %d lexicons, %v, weight %v", c.norm, len(l), q.Also, q.AlsoWeight)
		}
		q = digesto.Query{Norms: []string{"x"}}
		if l.Add(&q, "el paro"); len(q.Also) != 0 {
			t.Errorf("a question that names its law got %v", q.Also)
		}
	}
}
