package packs

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus/ingest"
	"digesto/internal/shareddata"
	"digesto/text/cite"
)

// The citations of a sample of paragraphs, read and labelled one by one. What
// counts is a citation of a unit, of a norm by number or identifier, and of an
// installed norm by name. Paragraphs that amend another norm are left out: what
// "artículo 5" means there depends on the paragraph that opens them.

// labelled is one citation of the sample.
type labelled struct {
	start, end int
	norm, unit string
}

// place is a paragraph of a file of the shared corpora.
type place struct {
	file, unit string
	paragraph  int
}

func readLabels(t *testing.T, name string) (order []place, want map[place][]labelled) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "references", name+".tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want = map[place][]labelled{}
	for in := bufio.NewScanner(f); in.Scan(); {
		c := strings.Split(in.Text(), "\t")
		if strings.HasPrefix(c[0], "#") {
			continue
		}
		var n [3]int
		for i := range n {
			if n[i], err = strconv.Atoi(c[2+i]); err != nil {
				t.Fatal(in.Text())
			}
		}
		p := place{c[0], c[1], n[0]}
		if _, seen := want[p]; !seen {
			order = append(order, p)
			want[p] = nil
		}
		if c[5] != "none" {
			want[p] = append(want[p], labelled{n[1], n[2], c[5], c[6]})
		}
	}
	return order, want
}

func TestReferencesOfThreeCountries(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the corpora: left out with -short")
	}
	all, err := Load(Options{})
	if err != nil {
		t.Fatal(err)
	}
	var aliases []cite.Alias
	for _, p := range all {
		aliases = append(aliases, p.Aliases...)
	}
	for country, globs := range map[string][]string{
		"es": {"laboral-es/normas/es/*.md", "tramites-es/normas/*/*.md"},
		"ar": {"derecho-ar/normas/*.md"},
		"pe": {"peru-tributario/normas/*.md"},
	} {
		t.Run(country, func(t *testing.T) { checkReferences(t, country, globs, aliases) })
	}
}

func checkReferences(t *testing.T, country string, globs []string, aliases []cite.Alias) {
	root := shareddata.Dir(t, "corpora")
	order, want := readLabels(t, country)
	texts := map[place]string{}
	var norms []digesto.Norm
	for _, g := range globs {
		files, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(g)))
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			docs, _, err := ingest.ReadFile(context.Background(), file, data, ingest.Options{Jurisdiction: country})
			if err != nil {
				t.Fatal(err)
			}
			rel, _ := filepath.Rel(root, file)
			for _, d := range docs {
				norms = append(norms, d.Norm)
				for _, u := range d.Units {
					for k, p := range strings.Split(u.Versions[len(u.Versions)-1].Text, "\n") {
						texts[place{filepath.ToSlash(rel), u.ID, k}] = p
					}
				}
			}
		}
	}
	installed := map[string]bool{}
	for _, n := range norms {
		installed[n.ID] = true
	}
	table := cite.NewTable(aliases, norms).In(country)
	found, right, total, gone := 0, 0, 0, 0
	for _, p := range order {
		text, ok := texts[p]
		if !ok {
			gone++
			continue
		}
		total += len(want[p])
		used := make([]bool, len(want[p]))
		for _, m := range table.Find(text) {
			found++
			if hit(m, want[p], used, installed) {
				right++
			} else {
				t.Logf("%s %s %d: found %q at %d-%d norm %q unit %q", p.file, p.unit, p.paragraph, m.Text, m.Start, m.End, m.Norm, m.Unit)
			}
		}
		for i, w := range want[p] {
			if !used[i] {
				t.Logf("%s %s %d: missed %+v", p.file, p.unit, p.paragraph, w)
			}
		}
	}
	precision, recall := float64(right)/float64(found), float64(right)/float64(total)
	t.Logf("%s: %d paragraphs, %d labelled, %d found, precision %.3f, recall %.3f", country, len(order)-gone, total, found, precision, recall)
	if gone*50 > len(order) {
		t.Errorf("%d of %d paragraphs are not where they were: label them again", gone, len(order))
	}
	if precision < .98 || recall < .95 {
		t.Errorf("precision %.3f, recall %.3f; want .98 and .95", precision, recall)
	}
}

// hit says whether a mention is one of those wanted and not taken yet.
func hit(m cite.Mention, want []labelled, used []bool, installed map[string]bool) bool {
	norm, unit := m.Norm, m.Unit
	if norm == "" {
		norm = "="
		if m.Name != "" && !m.Relative {
			norm = "-"
		}
	}
	if unit == "" {
		unit = m.Number
	}
	if unit == "" {
		unit = "."
	}
	for i, w := range want {
		same := norm == w.norm || w.norm == "-" && !installed[norm] && norm != "="
		if !used[i] && m.Start < w.end && w.start < m.End && same && unit == w.unit {
			used[i] = true
			return true
		}
	}
	return false
}
