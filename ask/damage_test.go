package ask

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"digesto/corpus"
	"digesto/index"
	"digesto/query"
)

// damagedView is a library whose files of norms lost their bytes after it was opened.
func damagedView(t *testing.T) query.View {
	t.Helper()
	dir := t.TempDir()
	lib, err := corpus.Open(dir, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = lib.Update(context.Background(), corpus.UpdateOptions{}, func(tx *corpus.Tx) error {
		for _, d := range lawDocs() {
			d.File = d.Norm.Source
			if err := tx.Put(d); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := lib.Current()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(); lib.Close() })
	x, err := index.Memory(context.Background(), s.Chunks(), index.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "norms", "*"))
	if len(files) == 0 {
		t.Fatal("no files of norms")
	}
	for _, f := range files {
		if err := os.WriteFile(f, []byte("roto"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return query.View{Snapshot: s, Searcher: x, State: "damaged"}
}

// TestDamagedTextIsTold: an answer that misses a text because its file is damaged says
// so, whether it names the text or finds it by its words, and every time it is asked.
func TestDamagedTextIsTold(t *testing.T) {
	w := newWorld(t, true)
	sound := w.engine(t, nil)
	w.law = damagedView(t)
	e := w.engine(t, nil)
	for _, q := range []string{"¿Qué dice el artículo 2 de la Ley de Faros?", "¿Cuánto descanso tiene el farero?", "¿Cuánto descanso tiene el farero?"} {
		a := ask(t, e, q)
		if !slices.Contains(a.Meta.Degraded, query.DamagedText) || a.Notes == nil || !strings.Contains(*a.Notes, "Ley de Faros") || !strings.Contains(*a.Notes, "dañado") {
			t.Errorf("%s: degraded %v, notes %v", q, a.Meta.Degraded, a.Notes)
		}
		for _, c := range a.Citations {
			if c.Ref.Supplied || c.Ref.Official {
				t.Errorf("%s: cites a damaged text: %+v", q, c)
			}
		}
		if strings.Contains(a.Answer, "no está instalado") || strings.Contains(*a.Notes, "no existe") {
			t.Errorf("%s: a damaged text is called absent: %s %s", q, a.Answer, *a.Notes)
		}
		if b := ask(t, sound, q); slices.Contains(b.Meta.Degraded, query.DamagedText) {
			t.Errorf("%s: a sound library is called damaged", q)
		}
	}
}
