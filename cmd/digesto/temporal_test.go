package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"digesto/internal/shareddata"
)

// TestTemporalSuite asks the packs' questions on both sides of each change of
// the law: no law that did not hold on the day may be cited, and every
// quotation from a norm with dated copies is in the copy of its day.
func TestTemporalSuite(t *testing.T) {
	if testing.Short() {
		t.Skip("lee dos carpetas de leyes")
	}
	labour, forms := shareddata.Dir(t, "corpora/laboral-es"), shareddata.Dir(t, "corpora/tramites-es")
	data := t.TempDir()
	paths := []string{filepath.Join(labour, "normas"), filepath.Join(labour, "historico"), filepath.Join(labour, "historial.tsv"),
		filepath.Join(labour, "pdf", "BOE-A-2025-15741.pdf"), filepath.Join(labour, "pdf", "BOE-A-2025-8567.pdf"),
		filepath.Join(labour, "pdf", "BOE-A-2024-26917.pdf"), filepath.Join(forms, "normas"), filepath.Join(forms, "historial.tsv")}
	var out, errs bytes.Buffer
	e := env{in: &bytes.Buffer{}, out: &out, err: &errs, lookup: func(string) (string, bool) { return "", false }}
	if code := run(t.Context(), append([]string{"--data", data, "corpus", "add", "--json"}, paths...), e); code != 0 {
		t.Fatalf("corpus add: %d\n%s", code, errs.String())
	}
	out.Reset()
	code := run(t.Context(), []string{"--data", data, "eval", "temporal", "--json", "--texts", labour}, e)
	var got struct {
		Counts struct {
			Questions, Dates, Right, Wrong int
			States                         int `json:"states_checked"`
			Repealed                       int `json:"repealed_as_current"`
		}
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	n := got.Counts
	// One answer is known to quote the right article of the right day at another
	// paragraph than the one that answers (lt054); the command fails for it.
	if n.Repealed != 0 || n.Wrong > 1 || code != 0 && n.Wrong == 0 || n.Questions < 150 || n.Dates < 300 || n.States < 90 || n.Right*100 < n.Dates*92 {
		t.Errorf("exit %d, %+v\n%s", code, n, errs.String())
	}
}
