package packs_test

import (
	"bufio"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus"
	"digesto/internal/shareddata"
	"digesto/verify"
)

// legalFact is a line of testdata/facts.tsv: what a reader of the texts found to
// hold on a day, without having seen this program.
type legalFact struct {
	id, norm, unit        string
	asOf                  digesto.Date
	status                string
	from                  digesto.Date
	contains, absent, why string
}

func legalFacts(t *testing.T) (out []legalFact) {
	t.Helper()
	f, err := os.Open("testdata/facts.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		c := strings.Split(sc.Text(), "\t")
		if len(c) != 9 {
			t.Fatalf("%d columns: %s", len(c), sc.Text())
		}
		if c[0] != "id" {
			out = append(out, legalFact{c[0], c[1], c[2], digesto.Date(c[3]), c[4], digesto.Date(c[5]), c[6], c[7], c[8]})
		}
	}
	return out
}

// wrongAtMost is how many facts may still be told wrongly; it is only ever lowered.
const wrongAtMost = 0

// lastDay is the day of the facts that speak of today.
const lastDay = "2026-11-23"

// TestFactsOfLaw holds what the library says of units on days against what a
// reader found in the texts.
func TestFactsOfLaw(t *testing.T) {
	s := everything(t, shareddata.Dir(t, "corpora"))
	wrong, all := map[string]int{}, 0
	facts := legalFacts(t)
	for _, f := range facts {
		if why := f.against(s); why != "" {
			wrong[f.status]++
			all++
			t.Logf("%s %s %s on %s is %s: %s (%s)", f.id, f.norm, f.unit, f.asOf, f.status, why, f.why)
		}
	}
	t.Logf("%d facts, wrong by status: %v", len(facts), wrong)
	if all > wrongAtMost {
		t.Errorf("%d wrong, at most %d", all, wrongAtMost)
	}
}

// against says what is wrong with a fact; "" = it holds.
func (f legalFact) against(s *corpus.Snapshot) string {
	n, ok := f.find(s)
	if f.status == "follower" {
		if ok && stem(n.Source) == f.norm {
			return "it leads"
		}
		return ""
	}
	if !ok {
		return "the norm is not installed"
	}
	if about := f.status != "current" && f.status != "repealed" && f.status != "not_yet"; about && stem(n.Source) != f.norm {
		return "" // it speaks of the file, and a better copy of the norm leads
	}
	at := f.asOf
	if at == lastDay {
		at = ""
	}
	if f.unit == "" {
		return f.whole(s, n, at)
	}
	u, ok := s.Cited(n.ID, f.unit)
	if !ok {
		if f.status == "current" || f.status == "stale" {
			return "no such unit"
		}
		return ""
	}
	v, _, err := s.At(n.ID, u.ID, at)
	return f.judge(n, u, v, err == nil && verify.Ground{Norm: n, Unit: u, Version: v}.Citable(at))
}

func (f legalFact) judge(n digesto.Norm, u digesto.Unit, v digesto.Version, citable bool) string {
	whole := u.Label + ". " + u.Rubric + ". " + v.Text // a reader of the file sees both
	has := func(words string) bool { return words != "" && strings.Contains(whole, words) }
	told := len(v.Defects) > 0 || slices.ContainsFunc(v.Unseen, func(r digesto.Reform) bool { return r.Day() <= f.asOf })
	switch f.status {
	case "current":
		switch {
		case !citable:
			return "not citable"
		case f.contains != "" && !has(f.contains):
			return "does not have «" + f.contains + "»"
		case has(f.absent):
			return "has «" + f.absent + "»"
		}
	case "repealed", "not_yet", "not_law":
		if citable && (f.absent == "" || has(f.absent)) {
			return "given as law in force"
		}
	case "unavailable":
		if citable && !told {
			return "given as the wording of that day"
		}
	case "stale", "defective":
		if citable && !told {
			return "nothing is told"
		}
	default:
		return "unknown status"
	}
	return ""
}

// whole judges a norm as a whole.
func (f legalFact) whole(s *corpus.Snapshot, n digesto.Norm, at digesto.Date) string {
	repealed := verify.Repealed(n, at)
	switch f.status {
	case "current":
		if repealed {
			return "repealed"
		}
	case "repealed":
		if !repealed {
			return "in force"
		}
	case "not_yet":
		if at == "" || at >= n.InForce && at >= n.Published {
			return "in force already"
		}
	case "not_law":
		for u := range s.Units(n.ID) {
			if v, err := s.Text(n.ID, u.ID, at); err == nil && f.absent != "" && strings.Contains(v.Text, f.absent) {
				return "«" + f.absent + "» is law in " + u.ID
			}
		}
	case "stale", "defective", "unavailable":
		if len(n.StatusNote) == 0 {
			return "nothing is told of the norm"
		}
	}
	return ""
}

// find gives the norm that a file's name without its ending stands for.
func (f legalFact) find(s *corpus.Snapshot) (digesto.Norm, bool) {
	if n, ok := s.Norm(f.norm); ok {
		return n, true
	}
	for n := range s.Each() {
		if slices.Contains(n.IDs, f.norm) || stem(n.Source) == f.norm {
			return n, true
		}
	}
	return digesto.Norm{}, false
}

// stem is the name of a file without its ending.
func stem(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }
