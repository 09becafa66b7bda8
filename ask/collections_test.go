package ask

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"digesto"
	"digesto/corpus"
	"digesto/index"
	"digesto/pack"
	"digesto/query"
	"digesto/retrieve"
	"digesto/text"
)

// courts is the invented world with three collections, one of them empty, and a
// vector for each text: a 1 in the place of its collection and number.
func courts(t *testing.T) world {
	t.Helper()
	fsys := fstest.MapFS{}
	for k, v := range manifest {
		fsys[k] = v
	}
	raw := strings.Replace(string(manifest["costa/pack.yaml"].Data), "  - {name: fichas,", `  - {name: sentencias, title: Sentencias, weight: 0.8, empty: No hay sentencias de costa., asks: ["sentencia|sentencias"]}
  - {name: circulares, title: Circulares, weight: 0.9, empty: No hay circulares de costa., asks: ["circular|circulares"]}
  - {name: fichas,`, 1) + "retrieval: {dense: 2, sparse: 3, fused: 3, top: 4, merged: 5, queries: 4}\n"
	fsys["costa/pack.yaml"] = &fstest.MapFile{Data: []byte(raw)}
	p, err := pack.Load(fsys, "costa")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, true)
	w.packs = []*pack.Pack{p}
	docs := lawDocs()
	d := corpus.Document{Norm: digesto.Norm{ID: "STC-1", Title: "Sentencia 1/2020 del tribunal de costas", Rank: "sentencia", Jurisdiction: "xx", Collection: "sentencias",
		Packs: []string{"costa"}, Published: "2020-01-01", TextAsOf: "2020-01-01", Official: true, Source: "s", Format: "markdown"}}
	for k := range 6 {
		n := fmt.Sprint(k + 1)
		d.Units = append(d.Units, digesto.Unit{Norm: "STC-1", ID: "a" + n, Kind: digesto.KindArticle, Number: n, Label: "Fundamento " + n,
			Versions: []digesto.Version{{ID: "2020-01-01", Text: "El farero de guardia número " + n + " reclamó su descanso anual al puerto.", Published: "2020-01-01", Current: true}}})
	}
	docs = append(docs, d)
	s := corpus.Memory(docs...)
	x, err := index.Memory(context.Background(), s.Chunks(), index.BuildOptions{Model: "m", Fusion: index.FusionStatic,
		Vectors: func(c digesto.Chunk) ([]float32, error) { return vectorFor(c.Body), nil }})
	if err != nil {
		t.Fatal(err)
	}
	w.law = query.View{Snapshot: s, Searcher: x, State: "test"}
	return w
}

// vectorFor places texts by three of their words.
func vectorFor(s string) []float32 {
	v := make([]float32, 8)
	v[7] = .1
	for k, word := range []string{"descanso", "tasa", "luz", "guardia"} {
		v[k] = float32(strings.Count(strings.ToLower(s), word))
	}
	return v
}

// TestCollectionsApart holds the recipe: one batch of vectors for all queries, each
// collection by words and by meaning with the manifest's counts, weights, and the
// best score of each unit over the queries.
func TestCollectionsApart(t *testing.T) {
	var mu sync.Mutex
	var batches [][]string
	w := courts(t)
	e := w.engine(t, func(o *Options) {
		o.Recipe = retrieve.RecipeCollections
		o.Embed = func(_ context.Context, texts []string) ([][]float32, error) {
			mu.Lock()
			defer mu.Unlock()
			batches = append(batches, texts)
			var out [][]float32
			for _, s := range texts {
				out = append(out, vectorFor(s))
			}
			return out, nil
		}
	})
	a := ask(t, e, "¿Cuál es la diferencia entre la tasa de luz y el descanso anual del farero?")
	if len(batches) != 1 || len(batches[0]) != 3 {
		t.Fatalf("batches %q: one call, of the question and its queries", batches)
	}
	var steps []string
	for _, s := range a.Meta.Trace {
		steps = append(steps, s.Stage+" "+s.How+": "+s.Note)
	}
	trace := strings.Join(steps, "\n")
	for _, want := range []string{
		"retrieve empty: colecciones vacías: circulares",
		"normativa: 3 por palabras y 2 por significado", "sentencias: 3 por palabras y 2 por significado", "(× 0.8)",
		"circulares: 0 por palabras y 0 por significado, 0 tras fusionar (× 0.9)", "merge collections: 3 búsquedas, ",
	} {
		if !strings.Contains(trace, want) {
			t.Errorf("the trace lacks %q:\n%s", want, trace)
		}
	}
	if len(a.Citations) == 0 || !strings.Contains(places(a), "LEY-1/a") {
		t.Errorf("cites %s", places(a))
	}
}

// TestCollectionsCounts reads the list itself: weights act on fused scores, and no
// more units stay than the manifest says.
func TestCollectionsCounts(t *testing.T) {
	w := courts(t)
	e := w.engine(t, func(o *Options) { o.Recipe = retrieve.RecipeCollections })
	i := e.Read(e.Scoped(query.Turn{Q: digesto.Question{Text: "descanso anual del farero"}, Law: w.law, An: &text.Analyser{}}, w.packs[0], nil), "descanso anual del farero")
	r, steps, err := e.SearchApart(context.Background(), i)
	if err != nil || len(steps) != 1 {
		t.Fatal(err, steps)
	}
	if len(r.Hits) != 4 {
		t.Fatalf("%d hits, the manifest says 4", len(r.Hits))
	}
	if r.Hits[0].Norm != "LEY-1" || r.Hits[0].Score != 1./61 || r.Hits[1].Norm == "STC-1" && r.Hits[1].Score > .8/61+1e-12 {
		t.Errorf("%+v", r.Hits)
	}
	if !slices.IsSortedFunc(r.Hits, retrieve.ByScore) {
		t.Error("not in order")
	}
}

// TestCollectionsWithoutVectors: an embedder that fails leaves the words, and the
// answer says that it was degraded.
func TestCollectionsWithoutVectors(t *testing.T) {
	e := courts(t).engine(t, func(o *Options) {
		o.Recipe = retrieve.RecipeCollections
		o.Embed = func(context.Context, []string) ([][]float32, error) { return nil, errors.New("caído") }
	})
	a := ask(t, e, "¿Cuántos días dura el descanso anual del farero?")
	if !slices.Contains(a.Meta.Degraded, "embedder_failed") || len(a.Citations) == 0 {
		t.Errorf("degraded %v, cites %s", a.Meta.Degraded, places(a))
	}
}

// TestEmptyCollectionIsSaid in the trace always, in the answer when asked for.
func TestEmptyCollectionIsSaid(t *testing.T) {
	e := courts(t).engine(t, nil)
	for q, want := range map[string]bool{"¿Qué dicen las circulares sobre el descanso anual del farero?": true, "¿Cuántos días dura el descanso anual del farero?": false, "¿Qué dice la sentencia sobre el descanso anual del farero?": false} {
		a := ask(t, e, q)
		said := a.Notes != nil && strings.Contains(*a.Notes, "No hay circulares de costa.")
		traced := slices.ContainsFunc(a.Meta.Trace, func(s digesto.TraceStep) bool { return s.How == "empty" && strings.HasSuffix(s.Note, ": circulares") })
		if said != want || !traced {
			t.Errorf("%s: said %v, traced %v", q, said, traced)
		}
	}
}

func TestUnknownRecipe(t *testing.T) {
	w := newWorld(t, true)
	if _, err := New(Options{Packs: w.packs, Recipe: "x"}); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("%v", err)
	}
}

// TestForeignLawWithoutCountry: a text that says of no country what it is does not
// answer for one whose packs do not know it.
func TestForeignLawWithoutCountry(t *testing.T) {
	w := newWorld(t, true)
	e := w.engine(t, nil)
	s := e.Scoped(query.Turn{}, w.packs[0], nil)
	s.Abroad = query.NewAbroad([]*pack.Pack{w.packs[0]})
	s.Abroad["codigo de minas"] = []string{"yy"}
	far := *w.packs[0]
	place, err := pack.ParsePattern("tierra alta")
	if err != nil {
		t.Fatal(err)
	}
	far.Name, far.Jurisdictions, far.Signals = "tierra", []string{"zz"}, []pack.Signal{{Kind: "place", Pattern: place, Weight: 3}}
	s.Packs = append(s.Packs, &far)
	for _, c := range []struct {
		n    digesto.Norm
		want bool
	}{
		{digesto.Norm{ID: "web", Title: "Boletín - Ministerio de Minas - Tierra Alta"}, true}, // the page of a publisher
		{digesto.Norm{ID: "cm", Title: "Código de Minas"}, true},
		{digesto.Norm{ID: "cm", Title: "Código de Minas", Jurisdiction: "xx"}, false},
		{digesto.Norm{ID: "cm", Title: "Código de Minas", Packs: []string{"costa"}}, false},
		{digesto.Norm{ID: "x", Title: "Ley de Faros"}, false},
		{digesto.Norm{ID: "y", Title: "Ordenanza de nadie"}, false},
	} {
		if got := s.FromAbroad(c.n); got != c.want {
			t.Errorf("%+v: %v", c.n, got)
		}
	}
}
