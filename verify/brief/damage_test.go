package brief

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"digesto/corpus"
)

// TestDamagedTextAccusesNobody: of a norm whose file is damaged no citation is called false.
func TestDamagedTextAccusesNobody(t *testing.T) {
	o := harbour(t)
	dir := t.TempDir()
	lib, err := corpus.Open(dir, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	_, err = lib.Update(context.Background(), corpus.UpdateOptions{}, func(tx *corpus.Tx) error {
		for n := range o.Law.Each() {
			d := corpus.Document{Norm: n, File: n.ID + ".md"}
			d.Norm.Collection, d.Norm.Source, d.Norm.Supplied = "normativa", n.ID+".md", true
			for u := range o.Law.Units(n.ID) {
				d.Units = append(d.Units, u)
			}
			if err := tx.Put(d); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if o.Law, err = lib.Current(); err != nil {
		t.Fatal(err)
	}
	defer o.Law.Close()
	files, _ := filepath.Glob(filepath.Join(dir, "norms", "*"))
	for _, f := range files {
		if err := os.WriteFile(f, []byte("roto"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]string{
		"El art. 1 LFB dice: «Esta ley ordena el servicio de los faros de la costa».": "UNRESOLVED LEY-1/a1",
		"Véase el art. 1 LFB.": "UNRESOLVED LEY-1/a1",
	} {
		if got := verdicts(check(t, o, text)); got != want || len(files) == 0 {
			t.Errorf("%s: %s", text, got)
		}
	}
}
