package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"digesto"
	"digesto/decide"
	"digesto/internal/long"
	"digesto/internal/shareddata"
)

// TestAdversarial: of some hundred lines that ask nothing of the law (small talk, symptoms,
// other matters, nonsense, single words) none is answered as if it were sure, over all law
// installed; what one legal word gets is not wrong out loud: its article says the word, or
// it is readings, or what to ask more closely.
func TestAdversarial(t *testing.T) {
	if testing.Short() {
		t.Skip("installs all law")
	}
	raw, err := os.ReadFile("../../packs/testdata/adversarial.tsv")
	if err != nil {
		t.Fatal(err)
	}
	data := installedLaw(t, shareddata.Dir(t, "corpora"))
	byPack, kinds := map[string][]string{}, map[string]string{}
	for i, line := range strings.Split(strings.TrimSpace(string(raw)), "\n")[2:] {
		if !long.Whole() && i%3 != 0 { // every third, unless time does not matter
			continue
		}
		f := strings.Split(line, "\t")
		id := strconv.Itoa(i)
		c, _ := json.Marshal(map[string]any{"_id": id, "question": f[2]})
		byPack[f[1]] = append(byPack[f[1]], string(c))
		kinds[f[1]+id] = f[0]
	}
	asked, topics, met := 0, 0, 0
	for pack, lines := range byPack {
		file := filepath.Join(t.TempDir(), "q.jsonl")
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		e, out, errs := testEnv(map[string]string{"DIGESTO_DATA": data})
		if code := run(context.Background(), []string{"eval", "answers", file, "--pack", pack}, e); code != 0 && code != 7 {
			t.Fatalf("exit %d: %s", code, errs)
		}
		sc := bufio.NewScanner(bytes.NewReader(out.Bytes()))
		sc.Buffer(nil, 1<<22)
		for sc.Scan() {
			var a struct {
				ID       string `json:"_id"`
				Question string
				digesto.Answer
			}
			if err := json.Unmarshal(sc.Bytes(), &a); err != nil {
				t.Fatal(err)
			}
			asked++
			loud := a.Meta.Outcome == digesto.OutcomeAnswer && a.Confidence >= decide.Sure
			if kinds[pack+a.ID] != "topic" {
				if loud {
					t.Errorf("%s: %q is answered at %.2f: %.200s", pack, a.Question, a.Confidence, a.Answer.Answer)
				}
				continue
			}
			topics++
			if a.Meta.Outcome == digesto.OutcomeAnswer || a.Meta.Outcome == digesto.OutcomeClarification {
				met++
			}
			stem := strings.ToLower(a.Question)[:min(len(a.Question), 5)]
			if loud && !slices.ContainsFunc(a.Citations, func(c digesto.Citation) bool {
				return strings.Contains(strings.ToLower(c.Quote+" "+c.Source+" "+saidIn(c)), stem)
			}) {
				t.Errorf("%s: %q is answered at %.2f from what does not say it: %.200s", pack, a.Question, a.Confidence, a.Answer.Answer)
			}
		}
	}
	t.Logf("%d lines; of %d legal words %d are answered or asked back", asked, topics, met)
	if asked != len(kinds) || asked < 130 || topics < 30 {
		t.Errorf("%d of %d lines, %d legal words", asked, len(kinds), topics)
	}
}

func saidIn(c digesto.Citation) string {
	if c.Ref == nil {
		return ""
	}
	return c.Ref.Title + " " + strings.Join(c.Ref.Path, " ")
}

// installedLaw is a data folder with all law of a folder; DIGESTO_DATA_ALL names one that
// has it already.
func installedLaw(t *testing.T, corpora string) string {
	t.Helper()
	if dir := os.Getenv("DIGESTO_DATA_ALL"); dir != "" {
		return dir
	}
	dir := t.TempDir()
	e, _, errs := testEnv(map[string]string{"DIGESTO_DATA": dir})
	if code := run(context.Background(), []string{"corpus", "add", corpora}, e); code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	return dir
}
