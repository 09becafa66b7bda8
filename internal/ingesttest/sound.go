package ingesttest

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/heading"
)

// tally counts the articles of the main text of a document.
type tally struct {
	Last    int
	Missing []int
	Bis     []string
	Words   int
	others  int // articles of other series (approving norm, annex)
}

// TallyOf counts the articles of a norm.
func TallyOf(d corpus.Document) tally {
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
		n, size, ok := heading.ParseNumber(u.Number)
		if !ok || size != len(u.Number) || n.Roman || n.Only {
			t.Words++
			continue
		}
		if n.Suffix != "" {
			t.Bis = append(t.Bis, u.Number)
			continue
		}
		for k := n.Main; k <= max(n.Main, rangeOf(u)); k++ {
			seen[k] = true
			t.Last = max(t.Last, k)
		}
	}
	for k := 1; k <= t.Last; k++ {
		if !seen[k] {
			t.Missing = append(t.Missing, k)
		}
	}
	sort.Strings(t.Bis)
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
	return fmt.Sprintf("1…%d, missing %v, with suffix %v, in words %d, of other texts %d", t.Last, t.Missing, t.Bis, t.Words, t.others)
}

var leftBold = regexp.MustCompile(`\*\*\p{L}[^*\n]*\*\*`)

// SoundUnits checks what must hold for any document: ids unique, no empty text,
// no leftover markup, offsets inside the text.
func SoundUnits(t *testing.T, d corpus.Document) {
	t.Helper()
	if err := d.Validate(); err != nil {
		t.Error(err)
	}
	for _, u := range d.Units {
		for _, v := range u.Versions {
			if strings.Contains(v.Text, "](http") || strings.Contains(v.Text, "<small>") || leftBold.MatchString(v.Text) {
				t.Errorf("%s/%s: markup left in %.80q", d.Norm.ID, u.ID, v.Text)
			}
			if v.Current && strings.Contains(v.Text, "TEXTO ANTERIOR") {
				t.Errorf("%s/%s: a former wording in the current text", d.Norm.ID, u.ID)
			}
		}
	}
}

// Sound checks what must hold for any input whatever.
func Sound(t *testing.T, units []digesto.Unit) {
	t.Helper()
	seen := map[string]bool{}
	for _, u := range units {
		if u.ID == "" || seen[u.ID] || strings.ContainsAny(u.ID, "/ \n\t") {
			t.Fatalf("bad or repeated id %q", u.ID)
		}
		seen[u.ID] = true
		if len(u.Versions) == 0 {
			t.Fatalf("%s has no version", u.ID)
		}
		for _, v := range u.Versions {
			n := utf8.RuneCountInString(v.Text)
			if strings.TrimSpace(v.Text) == "" || !utf8.ValidString(v.Text) {
				t.Fatalf("%s: text %q", u.ID, v.Text)
			}
			for i, p := range v.Pages {
				if p.Start < 0 || p.Start > n || p.Page < 1 || i == 0 && p.Start != 0 {
					t.Fatalf("%s: page mark %+v in %d", u.ID, p, n)
				}
			}
		}
	}
}
