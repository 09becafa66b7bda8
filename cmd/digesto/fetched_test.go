package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOnlyWhatWasFetchedIsOfficial: what pull and update bring is official, with the
// address it came from; the same bytes are, from wherever they are added; one byte more
// and the text is somebody's.
func TestOnlyWhatWasFetchedIsOfficial(t *testing.T) {
	o, data := newOpenData(t), t.TempDir()
	if code, out, errs := pullRun(t, o, "2030-02-01", data, "corpus", "pull", "boe:BOE-A-2030-1", "--pack", "laboral"); code != 0 {
		t.Fatalf("%d %s %s", code, out, errs)
	}
	official := func(when string, want bool) {
		t.Helper()
		_, out, errs := pullRun(t, o, "2030-02-01", data, "corpus", "list", "--json")
		if strings.Contains(out, `"official": true`) != want || strings.Contains(out, `"fetched_from": "`+o.URL) != want || strings.Contains(out, `"supplied": true`) == want {
			t.Errorf("%s: %s %s", when, out, errs)
		}
	}
	official("pulled", true)
	raw, err := os.ReadFile(filepath.Join(data, "pulled", "laboral", "BOE-A-2030-1.xml"))
	if err != nil {
		t.Fatal(err)
	}
	o.after.Store(true)
	if code, out, errs := pullRun(t, o, "2030-04-10", data, "corpus", "update"); code != 0 {
		t.Fatalf("%d %s %s", code, out, errs)
	}
	official("updated", true)

	// In another folder of data nothing proves where the file came from.
	file := filepath.Join(t.TempDir(), "BOE-A-2030-1.xml")
	if err := os.WriteFile(file, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	pulled := filepath.Join(data, "pulled")
	data = t.TempDir()
	if code, out, errs := pullRun(t, o, "2030-02-01", data, "corpus", "add", file); code != 0 {
		t.Fatalf("%d %s %s", code, out, errs)
	}
	official("added by hand", false)

	// The list of what was fetched proves its bytes, and no others.
	list, err := os.ReadFile(filepath.Join(pulled, "FUENTES.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(data, "pulled"), 0o755); err != nil {
		t.Fatal(err)
	}
	for path, bytes := range map[string][]byte{filepath.Join(data, "pulled", "FUENTES.tsv"): list, file: append(raw, '\n')} {
		if err := os.WriteFile(path, bytes, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	pullRun(t, o, "2030-02-01", data, "corpus", "add", file)
	official("other bytes", false)
}
