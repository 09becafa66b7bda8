package main

import (
	"context"
	"os"
	"strings"
	"testing"

	"digesto"
	"digesto/app/law"
	"digesto/model/vectorfile"
)

// TestKeptOfAnotherModel: vectors of another model are not used; that, and what to do, is said once.
func TestKeptOfAnotherModel(t *testing.T) {
	own := law.OwnEmbedding(true)
	if own == nil {
		t.Skip("built without the model (digesto_nomodel)")
	}
	data := t.TempDir()
	addLaw(t, data, "diez")
	l, said := openTestLaws(t, data)
	l.WordsOnly = false
	v, release, err := l.View()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	foreign, err := vectorfile.Open(law.KeptPath(data, v.Snapshot.Content()), vectorfile.Space{Name: "otro", Dims: 2, Hash: "y"})
	if err != nil || foreign.Put(vectorfile.KeyOf("a"), []float32{1, 0}) != nil || foreign.Save() != nil {
		t.Fatal("not written", err)
	}
	q := digesto.Query{Text: "reposo de guardianes costeros nocturnos del farero"}
	for range 2 {
		r := searched(t, v.Searcher, q)
		if r.Means.Vectors != own.First.Name() || !strings.Contains(r.Means.Why, "--new") {
			t.Errorf("%+v", r.Means)
		}
	}
	if n := strings.Count(said.String(), "digesto corpus vectors --new"); n != 1 || !strings.Contains(said.String(), "«otro»") {
		t.Errorf("said %d times: %s", n, said)
	}
	e, _, errs := testEnv(map[string]string{"DIGESTO_DATA": data})
	if code := run(context.Background(), []string{"corpus", "vectors"}, e); code != 3 {
		t.Errorf("exit %d: %s", code, errs)
	}
	e, out, errs := testEnv(map[string]string{"DIGESTO_DATA": data})
	if code := run(context.Background(), []string{"corpus", "vectors", "--new"}, e); code != 0 || !strings.Contains(out.String(), "2 vectores") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	e, out, errs = testEnv(map[string]string{"DIGESTO_DATA": data})
	if code := run(context.Background(), []string{"search", "--json", q.Text}, e); code != 0 || !strings.Contains(out.String(), own.Space.Name) {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}

// TestKeptFollowsTheLaw: the vectors of a new snapshot begin with those of the old, whose file goes.
func TestKeptFollowsTheLaw(t *testing.T) {
	data, s := t.TempDir(), vectorfile.Space{Name: "m", Dims: 1, Hash: "h"}
	old, err := law.OpenKept(data, "aaa", s)
	if err != nil || old.Put(vectorfile.KeyOf("texto"), []float32{1}) != nil || old.Save() != nil {
		t.Fatal("not written", err)
	}
	f, err := law.OpenKept(data, "bbb", s)
	if err != nil || !f.Has(vectorfile.KeyOf("texto")) {
		t.Fatalf("%v", err)
	}
	law.PruneKept(data, "bbb")
	if _, err := os.Stat(law.KeptPath(data, "aaa")); err != nil {
		t.Error("removed before the new file held its vectors")
	}
	if err := f.Save(); err != nil {
		t.Fatal(err)
	}
	law.PruneKept(data, "bbb")
	if _, err := os.Stat(law.KeptPath(data, "aaa")); err == nil {
		t.Error("the old file stayed")
	}
}
