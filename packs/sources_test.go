package packs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"digesto"
	"digesto/internal/shareddata"
	"digesto/pack"
	"digesto/packs"
	"digesto/text/cite"
)

var (
	listedNorm = regexp.MustCompile("^\\| `(?:normas|pdf)/[^`]*?((?:BOE|BOJA|BOCL)-[A-Za-z]-\\d+-\\d+)")
	byNumber   = regexp.MustCompile(`^[\p{L} -]+(?:/\d+|\d+)/\d{4}`)
)

// TestSourcesHoldTheCorpora: whatever the lists of the corpora name, the pack expects,
// with all that installs it, recognises it and says whether it is whole.
func TestSourcesHoldTheCorpora(t *testing.T) {
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, corpora := range map[string]string{"laboral": "laboral-es", "clara": "tramites-es"} {
		t.Run(name, func(t *testing.T) {
			list, err := os.ReadFile(filepath.Join(shareddata.Dir(t, "corpora/"+corpora), "README.md"))
			if err != nil {
				t.Fatal(err)
			}
			p, _ := packs.One(all, name)
			table := namesOf(p)
			seen := 0
			for line := range strings.Lines(string(list)) {
				m := listedNorm.FindStringSubmatch(line)
				if m == nil {
					continue
				}
				seen++
				i := slices.IndexFunc(p.Sources, func(s pack.Source) bool { return s.ID == m[1] })
				if i < 0 {
					t.Errorf("%s: not expected", m[1])
					continue
				}
				s := p.Sources[i]
				if s.Title == "" || s.Rank == "" || !strings.HasPrefix(s.URL, "https://") || s.Articles == 0 && !strings.Contains(line, "sin artículos") {
					t.Errorf("%+v lacks something", s)
				}
				number := byNumber.FindString(s.Title)
				if number != "" && !slices.ContainsFunc(table.Find(number), func(c cite.Mention) bool { return c.Norm == s.ID || slices.Contains(c.Also, s.ID) }) {
					t.Errorf("%s is not found by %q: %+v", s.ID, number, table.Find(number))
				}
			}
			if seen < 80 {
				t.Errorf("%d norms listed", seen)
			}
		})
	}
}

func namesOf(p *pack.Pack) *cite.Table {
	var norms []digesto.Norm
	for _, s := range p.Sources {
		norms = append(norms, digesto.Norm{ID: s.ID, Title: s.Title, Short: s.Short, Rank: s.Rank})
	}
	return cite.NewTable(p.Aliases, norms)
}
