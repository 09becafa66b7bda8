package ingest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus"
)

// The READMEs of the corpora say how many articles each norm has. These tests
// read the numbers there, so that the facts have one home, and compare them
// with what the recogniser finds; a difference stands in explained, with its reason.

// expectation is what a README says of a norm.
type expectation struct {
	file  string
	last  int // articles 1…last
	found int // "264 de 265": what the README itself could find
	bis   int // articles with a suffix, -1 = not said
	words int // articles numbered in words ("1 en letra"), -1 = not said
	raw   string
}

var (
	rowFile  = regexp.MustCompile("^\\| `([^`]+)` \\|")
	cellBOE  = regexp.MustCompile(`^(\d+)(?:\+(\d+) bis)?(?:; (\d+) en letra)?$`)
	cellOf   = regexp.MustCompile(`^(\d+)(?: de |/)(\d+)$`)
	cellWord = regexp.MustCompile(`^(\d+) en letra$`)
	cellNum  = regexp.MustCompile(`^(\d+) numerados$`)
)

// expectations reads the tables of a README whose header has a column "artículos".
func expectations(t *testing.T, dir string) []expectation {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var out []expectation
	column := -1
	for _, line := range strings.Split(string(data), "\n") {
		if !strings.HasPrefix(line, "|") {
			column = -1
			continue
		}
		cells := strings.Split(line, "|")
		for i, c := range cells {
			if strings.TrimSpace(c) == "artículos" {
				column = i
			}
		}
		m := rowFile.FindStringSubmatch(line)
		if m == nil || column < 0 || column >= len(cells) {
			continue
		}
		e := expectation{file: m[1], bis: -1, words: -1, raw: strings.TrimSpace(cells[column])}
		switch {
		case cellBOE.MatchString(e.raw):
			m := cellBOE.FindStringSubmatch(e.raw)
			e.last, _ = strconv.Atoi(m[1])
			e.bis, _ = strconv.Atoi("0" + m[2])
			e.words, _ = strconv.Atoi("0" + m[3])
			e.found = e.last
		case cellOf.MatchString(e.raw):
			m := cellOf.FindStringSubmatch(e.raw)
			e.found, _ = strconv.Atoi(m[1])
			e.last, _ = strconv.Atoi(m[2])
		case cellWord.MatchString(e.raw):
			m := cellWord.FindStringSubmatch(e.raw)
			e.words, _ = strconv.Atoi(m[1])
		case cellNum.MatchString(e.raw):
			m := cellNum.FindStringSubmatch(e.raw)
			e.last, _ = strconv.Atoi(m[1])
			e.found = e.last
		}
		out = append(out, e)
	}
	return out
}

// readOne reads one shared file into its only document.
func readOne(t testing.TB, path string) corpus.Document {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	docs, skipped, err := ReadFile(context.Background(), path, data, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(docs) != 1 {
		t.Fatalf("%s gave %d documents; skipped: %+v", path, len(docs), skipped)
	}
	return docs[0]
}

// tally counts the articles of the main text of a document.
type tally struct {
	last    int
	missing []int
	bis     []string
	words   int
	others  int // articles of other series (approving norm, annex)
}

func tallyOf(d corpus.Document) tally {
	var t tally
	seen := map[int]bool{}
	for _, u := range d.Units {
		if u.Kind != digesto.KindArticle {
			continue
		}
		if strings.Contains(u.ID, "~") {
			t.others++
			continue
		}
		n, size, ok := parseNumber(u.Number)
		if !ok || size != len(u.Number) || n.Roman || n.Only {
			t.words++
			continue
		}
		if n.Suffix != "" {
			t.bis = append(t.bis, u.Number)
			continue
		}
		for k := n.Main; k <= max(n.Main, rangeOf(u)); k++ {
			seen[k] = true
			t.last = max(t.last, k)
		}
	}
	for k := 1; k <= t.last; k++ {
		if !seen[k] {
			t.missing = append(t.missing, k)
		}
	}
	sort.Strings(t.bis)
	return t
}

// rangeOf gives the last number of a unit that stands for several ("Artículos 7 a 9").
func rangeOf(u digesto.Unit) int {
	_, to, ok := strings.Cut(u.Label, " a ")
	if !ok {
		return 0
	}
	n, _ := strconv.Atoi(to)
	return n
}

func (t tally) String() string {
	return fmt.Sprintf("1…%d, missing %v, with suffix %v, in words %d, of other texts %d", t.last, t.missing, t.bis, t.words, t.others)
}
