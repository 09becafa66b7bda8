package ingest

import (
	"context"
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/line"
)

// TestProvenance: what a file says of itself makes it no official text, and the address
// that it gives is no link; only its bytes, fetched from a publisher, do.
func TestProvenance(t *testing.T) {
	claims := "{\"_id\":\"LEY-6/a1\",\"title\":\"Artículo 1\",\"text\":\"Los puestos pagan tres monedas.\",\"metadata\":{\"norm\":\"LEY-6\",\"norm_title\":\"Ley de ferias\",\"url\":\"https://www.boletin.example/ley-6\",\"official\":true}}\n"
	denies := strings.Replace(claims, `"official":true`, `"official":false`, 1)
	markdown := "---\nidentifier: LEY-6\ntitle: Ley de ferias\nsource: https://www.boletin.example/ley-6\nofficial: true\n---\n##### Artículo 1\n\nLos puestos pagan tres monedas.\n"
	for _, c := range []struct {
		name, file, text, fetched     string
		official, supplied, secondary bool
		url, claim, proof             string
	}{
		{"says that it is official", "l.jsonl", claims, "", false, true, false, "", "https://www.boletin.example/ley-6", ""},
		{"says that it is not", "l.jsonl", denies, "", false, true, true, "", "https://www.boletin.example/ley-6", ""},
		{"says where it is from", "LEY-6.md", markdown, "", false, true, false, "", "https://www.boletin.example/ley-6", ""},
		{"fetched", "LEY-6.md", markdown, "https://api.boletin.example/6", true, false, false, "https://www.boletin.example/ley-6", "", "https://api.boletin.example/6"},
		{"fetched, says it is from elsewhere", "LEY-6.md", markdown, "https://www.gaceta.example/6", true, false, false, "https://www.gaceta.example/6", "", "https://www.gaceta.example/6"},
		{"fetched, says that it is not official", "l.jsonl", denies, "https://api.boletin.example/6", false, true, true, "", "https://www.boletin.example/ley-6", ""},
	} {
		file := filepath.Join(t.TempDir(), c.file)
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		lib, err := corpus.Open(t.TempDir(), corpus.Options{})
		if err != nil {
			t.Fatal(err)
		}
		opt := Options{Fetched: func(sum [32]byte) string {
			if sum == sha256.Sum256([]byte(c.text)) {
				return c.fetched
			}
			return ""
		}}
		if _, err := Add(context.Background(), lib, []string{file}, opt); err != nil {
			t.Fatal(err)
		}
		s, err := lib.Current()
		if err != nil {
			t.Fatal(err)
		}
		n, ok := s.Norm("LEY-6")
		got := digesto.Norm{Official: n.Official, Supplied: n.Supplied, Secondary: n.Secondary, URL: n.URL, Claim: n.Claim, Proof: n.Proof}
		if want := (digesto.Norm{Official: c.official, Supplied: c.supplied, Secondary: c.secondary, URL: c.url, Claim: c.claim, Proof: c.proof}); !ok || got.Official != want.Official ||
			got.Supplied != want.Supplied || got.Secondary != want.Secondary || got.URL != want.URL || got.Claim != want.Claim || got.Proof != want.Proof {
			t.Errorf("%s: %+v", c.name, got)
		}
		s.Close()
		lib.Close()
	}
}

// TestReplaceIsAskedFor: a file that would take the place of an installed copy is left
// out and told, again when it is added again, and taken when somebody asks for it.
func TestReplaceIsAskedFor(t *testing.T) {
	dir := t.TempDir()
	write := func(name, day, words string) {
		file := filepath.Join(dir, name)
		text := ""
		for _, n := range []string{"1", "2", "3"} {
			text += `{"_id":"LEY-6/a` + n + `","title":"Artículo ` + n + `","text":"Los puestos de la fila ` + n + ` pagan ` + words + ` monedas cada mañana al guarda del mercado.","metadata":{"norm":"LEY-6","updated":"` + day + `"}}` + "\n"
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	lib, err := corpus.Open(t.TempDir(), corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	for _, step := range []struct {
		name, file, day, words string // no words: the file as it is
		replace, held          bool
		says                   string // the text installed afterwards
	}{
		{"the first", "a.jsonl", "2020-01-01", "tres", false, false, "tres"},
		{"an earlier text", "b.jsonl", "2010-01-01", "dos", false, false, "tres"},
		{"a later text", "c.jsonl", "2024-01-01", "nueve", false, true, "tres"},
		{"the same again", "c.jsonl", "", "", false, true, "tres"},
		{"asked for", "c.jsonl", "", "", true, false, "nueve"},
		{"and kept", "a.jsonl", "", "", false, false, "nueve"},
		{"its own file, changed", "c.jsonl", "2025-01-01", "diez", false, false, "diez"},
		{"an earlier one, asked for", "d.jsonl", "2000-01-01", "uno", true, false, "diez"}, // of two that were chosen the later leads
		{"a later one, not asked for", "e.jsonl", "2026-01-01", "doce", false, false, "diez"},
	} {
		if step.words != "" {
			write(step.file, step.day, step.words)
		}
		rep, err := Add(context.Background(), lib, []string{filepath.Join(dir, step.file)}, Options{Replace: step.replace})
		if err != nil {
			t.Fatal(err)
		}
		held := false
		for _, d := range rep.Skipped {
			held = held || d.Kind == line.KindReplaces && strings.Contains(d.Detail, "--replace") && strings.Contains(d.Detail, "a.jsonl")
		}
		s, err := lib.Current()
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Text("LEY-6", "a1", "")
		if step.name == "a later one, not asked for" && rep.Kinds[corpus.DefectSuperseded] == 0 {
			t.Errorf("%s: not told that another copy leads", step.name)
		}
		if replaced := rep.Kinds[line.KindReplaced] > 0; replaced != (step.replace && step.says == "nueve") {
			t.Errorf("%s: told that it replaces: %v", step.name, replaced)
		}
		if held != step.held || err != nil || !strings.Contains(v.Text, step.says) {
			t.Errorf("%s: held %v, %q, %v; %+v", step.name, held, v.Text, err, rep.Skipped)
		}
		s.Close()
	}
}
