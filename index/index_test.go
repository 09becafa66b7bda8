package index

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"digesto"
)

func seq(chunks ...digesto.Chunk) func(func(digesto.Chunk, error) bool) {
	return func(yield func(digesto.Chunk, error) bool) {
		for _, c := range chunks {
			if !yield(c, nil) {
				return
			}
		}
	}
}

var sample = []digesto.Chunk{
	{ID: "N1/a1/1", Norm: "N1", Unit: "N1/a1", Title: "Ley de permisos Artículo 1", Body: "La persona titular dispone de quince días de permiso.", Rank: "ley", Current: true},
	{ID: "N1/a2/1", Norm: "N1", Unit: "N1/a2", Title: "Ley de permisos Artículo 2", Body: "El plazo de la solicitud es de treinta y ocho días hábiles.", Rank: "ley", Current: true},
	{ID: "N2/a1/1", Norm: "N2", Unit: "N2/a1", Title: "Orden de plazos Artículo 1", Body: "La solicitud se presenta por escrito. El plazo no se amplía.", Rank: "orden", Territory: "x-a", Current: true},
	{ID: "N2/a1/0", Norm: "N2", Unit: "N2/a1", Title: "Orden de plazos Artículo 1", Body: "La solicitud se presentaba de palabra en plazo breve.", Rank: "orden", ValidTo: "2020-01-01"},
}

func memory(t testing.TB, opt BuildOptions, chunks ...digesto.Chunk) *Index {
	t.Helper()
	x, err := Memory(t.Context(), seq(chunks...), opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

func ids(t testing.TB, x digesto.Searcher, q digesto.Query) string {
	t.Helper()
	r, err := x.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var s []string
	for _, h := range r.Hits {
		s = append(s, h.ID)
	}
	return strings.Join(s, " ")
}

func TestSearch(t *testing.T) {
	x := memory(t, BuildOptions{}, sample...)
	for name, c := range map[string]struct {
		q    digesto.Query
		want string
	}{
		"words":              {digesto.Query{Text: "permiso de quince días"}, "N1/a1/1 N1/a2/1"},
		"number in words":    {digesto.Query{Text: "plazo de 38 días"}, "N1/a2/1 N2/a1/1 N1/a1/1"},
		"filter":             {digesto.Query{Text: "plazo", Filter: digesto.Filter{In: map[string][]string{"rank": {"orden"}}}}, "N2/a1/1"},
		"wider":              {digesto.Query{Text: "plazo", Filter: digesto.Filter{In: map[string][]string{"territory": {"x-b"}}, Wider: []string{"territory"}}}, "N1/a2/1"},
		"as of":              {digesto.Query{Text: "palabra", Filter: digesto.Filter{AsOf: "2019-05-05"}}, "N2/a1/0"},
		"history":            {digesto.Query{Text: "palabra", Filter: digesto.Filter{History: true}}, "N2/a1/0"},
		"current only":       {digesto.Query{Text: "palabra"}, ""},
		"one hit a unit":     {digesto.Query{Text: "solicitud orden", Filter: digesto.Filter{History: true}}, "N2/a1/0 N1/a2/1"},
		"unit first":         {digesto.Query{Text: "permiso", Units: []string{"N2/a1"}}, "N2/a1/1 N1/a1/1 N1/a2/1"},
		"norm raised":        {digesto.Query{Text: "plazo solicitud", Norms: []string{"N1"}}, "N1/a2/1 N2/a1/1"},
		"norm alone":         {digesto.Query{Norms: []string{"N1"}}, "N1/a1/1 N1/a2/1"},
		"synonym":            {digesto.Query{Text: "licencia", Also: []string{"permiso"}}, "N1/a1/1 N1/a2/1"},
		"nothing":            {digesto.Query{Text: "hipoteca"}, ""},
		"empty":              {digesto.Query{}, ""},
		"stop words alone":   {digesto.Query{Text: "de la que"}, ""},
		"k":                  {digesto.Query{Text: "plazo", K: 1}, "N2/a1/1"},
		"negative k":         {digesto.Query{Text: "palabra", K: -3, Filter: digesto.Filter{History: true}}, "N2/a1/0"},
		"unknown field":      {digesto.Query{Text: "plazo", Filter: digesto.Filter{In: map[string][]string{"color": {"rojo"}}}}, ""},
		"no value passes":    {digesto.Query{Text: "plazo", Filter: digesto.Filter{In: map[string][]string{"rank": {}}}}, ""},
		"id":                 {digesto.Query{Text: "plazo", Filter: digesto.Filter{In: map[string][]string{"id": {"N1/a2/1", "x"}}}}, "N1/a2/1"},
		"vector is not used": {digesto.Query{Text: "quince", Vector: []float32{1}}, "N1/a1/1"},
	} {
		if got := ids(t, x, c.q); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestExplainTermsOnly: the terms and hits are those of the whole explanation, without places in lists.
func TestExplainTermsOnly(t *testing.T) {
	x := memory(t, BuildOptions{}, sample...)
	q := digesto.Query{Text: "plazo de la solicitud", Explain: true}
	whole, err := x.Search(t.Context(), q)
	if err != nil || len(whole.Hits) == 0 {
		t.Fatal(whole, err)
	}
	q.TermsOnly = true
	r, err := x.Search(t.Context(), q)
	if err != nil || len(r.Hits) != len(whole.Hits) {
		t.Fatal(r, err)
	}
	for k, h := range r.Hits {
		if w := whole.Hits[k]; h.ID != w.ID || h.Score != w.Score || !slices.Equal(h.Explain.Terms, w.Explain.Terms) || h.Explain.Lists != nil {
			t.Errorf("%+v, want the terms of %+v", h.Explain, w.Explain)
		}
	}
}

func TestExplain(t *testing.T) {
	x := memory(t, BuildOptions{}, sample...)
	r, err := x.Search(t.Context(), digesto.Query{Text: "plazo de la solicitud", Norms: []string{"N1"}, Units: []string{"N2/a1"}, Explain: true})
	if err != nil || len(r.Hits) != 2 {
		t.Fatal(r, err)
	}
	for _, h := range r.Hits {
		var terms, lists float64
		for _, s := range h.Explain.Terms {
			terms += s.Score
		}
		for _, l := range h.Explain.Lists {
			if l.List != "exact" {
				lists += l.Score
			}
			if l.Rank < 1 {
				t.Errorf("%s: no rank in %s", h.ID, l.List)
			}
		}
		if math.Abs(terms-lists) > 1e-9 || terms == 0 {
			t.Errorf("%s: terms give %v, lists %v", h.ID, terms, lists)
		}
		if len(h.Explain.Notes) != 1 {
			t.Errorf("%s: notes %q", h.ID, h.Explain.Notes)
		}
	}
}

func TestCancel(t *testing.T) {
	x := memory(t, BuildOptions{}, sample...)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Search(ctx, digesto.Query{Text: "plazo"}); digesto.CodeOf(err) != digesto.CodeCancelled {
		t.Error(err)
	}
}

// TestErrors: every failure has a code and says in Spanish what to do.
func TestErrors(t *testing.T) {
	empty, text := t.TempDir(), filepath.Join(t.TempDir(), "archivo")
	if err := os.WriteFile(text, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	open := func(dir string, o OpenOptions) error { _, err := Open(dir, o); return err }
	good := t.TempDir()
	if err := Build(t.Context(), seq(sample...), good, BuildOptions{}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		err  error
		code digesto.Code
	}{
		"no index":     {open(empty, OpenOptions{}), digesto.CodeNotFound},
		"file for dir": {Build(t.Context(), seq(), filepath.Join(text, "x"), BuildOptions{}), digesto.CodeInvalid},
		"scoring":      {Build(t.Context(), seq(), empty, BuildOptions{Scoring: Scoring{K1: -1}}), digesto.CodeInvalid},
		"no id":        {Build(t.Context(), seq(digesto.Chunk{}), empty, BuildOptions{}), digesto.CodeInvalid},
		"fusion":       {open(good, OpenOptions{Fusion: "suma"}), digesto.CodeInvalid},
		"dimensions": {Build(t.Context(), seq(sample...), empty, BuildOptions{Jobs: 1, Vectors: func(c digesto.Chunk) ([]float32, error) {
			return append(make([]float32, len(c.Rank)), 1), nil
		}}), digesto.CodeInvalid},
	} {
		if got := digesto.CodeOf(c.err); got != c.code {
			t.Errorf("%s: code %q of %v", name, got, c.err)
		}
		var own *digesto.Error
		if c.err != nil {
			if !errors.As(c.err, &own) || own.Hint == "" || own.Message == "" {
				t.Errorf("%s: %#v says too little", name, own)
			}
		}
	}
	if unlock, err := lockDir(good); err == nil {
		if err := Build(t.Context(), seq(), good, BuildOptions{}); digesto.CodeOf(err) != digesto.CodeConflict {
			t.Error("a second writer was let in:", err)
		}
		unlock()
	}
}

func TestLn(t *testing.T) {
	for x := 1.0; x < 1e9; x = x*1.01 + 1e-6 {
		if got, want := ln(x), math.Log(x); math.Abs(got-want) > 1e-15*math.Max(1, want) {
			t.Fatalf("ln(%v) = %v, want %v", x, got, want)
		}
	}
}

// TestForeignManifest: a list of segments that says more than is known here, such as
// which documents were deleted, is refused instead of passed over.
func TestForeignManifest(t *testing.T) {
	dir := t.TempDir()
	if err := Build(t.Context(), seq(sample...), dir, BuildOptions{}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, manifestFile)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(b), "\n")
	for name, other := range map[string]string{
		"deleted documents": strings.Replace(line, `"docs":`, `"dead":"OjAAAAEAAAAAAAAAEAAAAAAA","docs":`, 1),
		"later format":      strings.Replace(line, `"format":1`, `"format":2`, 1),
	} {
		if err := os.WriteFile(path, []byte(other+"\n"+checksumLine(other)), 0o644); err != nil {
			t.Fatal(err)
		}
		x, err := Open(dir, OpenOptions{})
		if err == nil {
			x.Close()
		}
		if digesto.CodeOf(err) != digesto.CodeInvalid || !strings.Contains(err.Error(), "otra versión") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
