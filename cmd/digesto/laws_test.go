package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"digesto/app/law"
)

const lighthouse = `# Ley 1/2001, de los Faros

**Artículo 1. Objeto.**

Esta ley regula los faros y el trabajo de quien los cuida.

**Artículo 2. Descanso del farero.**

El farero tendrá %s días de descanso al año.
`

// addLaw installs the lighthouse law with a number of days in a data folder.
func addLaw(t *testing.T, data, days string) {
	t.Helper()
	addLawTo(t, map[string]string{"DIGESTO_DATA": data}, days)
}

func addLawTo(t *testing.T, vars map[string]string, days string) {
	t.Helper()
	file := filepath.Join(vars["DIGESTO_DATA"]+"-ley", "faros.md") // the same file each time: a changed one is read anew
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, fmt.Appendf(nil, lighthouse, days), 0o644); err != nil {
		t.Fatal(err)
	}
	e, _, errs := testEnv(vars)
	if code := run(context.Background(), []string{"corpus", "add", file, "--pack", "laboral"}, e); code != 0 {
		t.Fatalf("corpus add: exit %d: %s", code, errs)
	}
}

func openTestLaws(t *testing.T, data string) (*law.Installed, *strings.Builder) {
	t.Helper()
	var said strings.Builder
	e, _, _ := testEnv(nil)
	a := newApp(context.Background(), e)
	a.Settings.Data, a.Settings.Origins = data, map[string]string{"data": "opción"}
	l, err := a.OpenLaws()
	if err != nil {
		t.Fatal(err)
	}
	l.Say = func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) }
	t.Cleanup(l.Close)
	return l, &said
}

// TestRefusedFileKeepsIndex: what is indexed did not change, so the index stays as it is.
func TestRefusedFileKeepsIndex(t *testing.T) {
	data := t.TempDir()
	addLaw(t, data, "diez")
	state := func() (out []string) {
		files, err := filepath.Glob(filepath.Join(data, "index", "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			fi, err := os.Stat(f)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, fmt.Sprint(f, fi.ModTime(), fi.Size()))
		}
		return out
	}
	before := state()
	broken := filepath.Join(t.TempDir(), "rota.pdf")
	if err := os.WriteFile(broken, []byte("no es un PDF"), 0o644); err != nil {
		t.Fatal(err)
	}
	e, _, _ := testEnv(map[string]string{"DIGESTO_DATA": data})
	if code := run(context.Background(), []string{"corpus", "add", broken, "--pack", "laboral"}, e); code == 0 {
		t.Error("a broken file was taken")
	}
	if after := state(); len(before) == 0 || !slices.Equal(before, after) {
		t.Errorf("before %q, after %q", before, after)
	}
}

// TestPrune keeps the current index and the one before it.
func TestPrune(t *testing.T) {
	data := t.TempDir()
	for _, days := range []string{"uno", "dos", "tres", "cuatro"} {
		addLaw(t, data, days)
	}
	entries, err := os.ReadDir(filepath.Join(data, "index"))
	if err != nil || len(entries) > 2 {
		t.Errorf("%d indexes kept: %v", len(entries), err)
	}
}
