package markup_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"unicode"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/markup"
	"digesto/corpus/ingest/structure"
	"digesto/internal/ingesttest"
	"digesto/internal/shareddata"
	"digesto/text"
)

// bag counts the words of texts, folded: what must neither be lost nor made up.
type bag map[string]int

func (b bag) add(s string) {
	for _, w := range strings.FieldsFunc(text.Fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		b[w]++
	}
}

// minus gives how many words of b are not in c, and how many b has.
func (b bag) minus(c bag) (missing, total int, sample []string) {
	for w, n := range b {
		total += n
		if d := n - c[w]; d > 0 {
			missing += d
			sample = append(sample, w)
		}
	}
	sort.Slice(sample, func(i, j int) bool {
		a, z := b[sample[i]]-c[sample[i]], b[sample[j]]-c[sample[j]]
		return a > z || a == z && sample[i] < sample[j]
	})
	return missing, total, sample[:min(len(sample), 12)]
}

// wordsOf gives the words of a Markdown source and of what was made of it: all,
// and the quotable text alone.
func wordsOf(data []byte, d corpus.Document) (source, kept, quotable bag) {
	source, kept, quotable = bag{}, bag{}, bag{}
	s, _ := line.Decode(data, "")
	_, body := markup.FrontMatter(s)
	for _, l := range structure.Reflow(markup.Markdown(body)) {
		source.add(l.Text)
	}
	paths := map[string]bool{}
	for _, u := range d.Units {
		if u.Kind == digesto.KindTable && strings.HasPrefix(u.Label, "Fila ") {
			continue // its words stand in the unit that has the table
		}
		kept.add(u.Label)
		kept.add(u.Rubric)
		for _, p := range u.Path {
			if !paths[p] {
				paths[p] = true
				kept.add(p)
			}
		}
		most := bag{} // a former wording repeats the paragraphs that did not change
		for _, v := range u.Versions {
			kept.add(v.Text)
			words := bag{}
			words.add(v.Text)
			for w, n := range words {
				most[w] = max(most[w], n)
			}
			for _, n := range v.Notes {
				kept.add(n)
			}
		}
		for w, n := range most {
			quotable[w] += n
		}
	}
	kept.add(d.Norm.Title)
	return source, kept, quotable
}

// TestWordsKept: no word of a well-formed norm is lost but headings that repeat,
// and the quotable text has no word that the source does not have.
func TestWordsKept(t *testing.T) {
	for _, c := range []struct {
		dir   string
		least float64 // share of the source's words that must be kept
	}{{"laboral-es/normas", .979}, {"tramites-es/normas", .985}, {"derecho-ar/normas", .975}, {"peru-tributario/normas", .96}} {
		root := shareddata.Dir(t, "corpora/"+c.dir)
		files := markdownUnder(t, root)
		lost, all := 0, 0
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			d := ingesttest.ReadOne(t, f)
			source, kept, quotable := wordsOf(data, d)
			missing, total, sample := source.minus(kept)
			lost, all = lost+missing, all+total
			if share := 1 - float64(missing)/float64(total); share < c.least {
				t.Errorf("%s: %.2f %% of %d words kept; lost: %v", filepath.Base(f), 100*share, total, sample)
			}
			if made, n, sample := quotable.minus(source); made*2000 > n {
				t.Errorf("%s: %d of %d quotable words are not in the source: %v", filepath.Base(f), made, n, sample)
			}
		}
		t.Logf("%s: %d norms, %.3f %% of %d words kept", c.dir, len(files), 100*(1-float64(lost)/float64(all)), all)
	}
}

func markdownUnder(t testing.TB, root string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no Markdown under %s", root)
	}
	return files
}
