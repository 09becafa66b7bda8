package packs_test

import (
	"os"
	"strings"
	"testing"

	"digesto/pack"
)

// TestNearMisses: questions of law that look like what a rule turns away are
// not turned away, at least twenty for each rule of each pack that answers
// without law.
func TestNearMisses(t *testing.T) {
	raw, err := os.ReadFile("testdata/near_misses.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := load(t)
	rule, names, n := "", []string(nil), map[string]int{}
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			f := strings.Fields(strings.Trim(line, "[]"))
			rule, names = f[0], f[1:]
		default:
			for _, name := range names {
				n[name+"/"+rule]++
				if c := all[name].Classify(pack.ToolQuestion{Text: line, Today: "2026-11-21"}); c.Outcome != "" {
					t.Errorf("%s, near miss of %s: «%s» is %s %v", name, rule, line, c.Outcome, c.Classes)
				}
			}
		}
	}
	for name, p := range all {
		for _, d := range p.Detectors {
			if d.Outcome != "" && n[name+"/"+d.Name] < 20 {
				t.Errorf("%s: %d near misses for the rule %s, want 20", name, n[name+"/"+d.Name], d.Name)
			}
		}
	}
}
