package ingest

import (
	"fmt"
	"hash/maphash"
	"path/filepath"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/line"
)

// duplicates reports norms whose articles are, for the greater part, those of
// another norm of the run under a different identifier: one of the two is not
// what it says it is, or a second copy of the same law.
type duplicates struct {
	first    map[uint64]int // hash of an article → document that had it first
	articles [][]uint64     // of each document: see articlesOf
}

func report(d, other *corpus.Document, what string) {
	d.Defects = append(d.Defects, corpus.Defect{File: d.File, Norm: d.Norm.ID, Kind: line.KindDuplicate,
		Detail: fmt.Sprintf("%s %s (%s)", what, other.Norm.ID, filepath.Base(other.File))})
}

// findDuplicates adds a defect to both of each pair; articles are those of the documents.
func findDuplicates(docs []corpus.Document, articles [][]uint64) {
	d := duplicates{map[uint64]int{}, articles}
	for i := range docs {
		if other, share := d.compare(i); share >= 60 && docs[other].Norm.ID != docs[i].Norm.ID {
			report(&docs[i], &docs[other], fmt.Sprintf("El %d %% de sus artículos son los de", share))
			report(&docs[other], &docs[i], "Sus artículos son, en su mayor parte, los de")
		}
	}
}

// articlesOf gives a hash of the words of each article that has enough of them.
func articlesOf(seed maphash.Seed, units []digesto.Unit) (out []uint64) {
	for _, u := range units {
		if u.Kind != digesto.KindArticle {
			continue
		}
		w := line.Letters(u.Versions[len(u.Versions)-1].Text)
		if utf8.RuneCountInString(w) >= 80 {
			out = append(out, maphash.String(seed, w))
		}
	}
	return out
}

// compare enters document i and gives the earlier one that shares most of its
// articles, with the share in per cent.
func (d *duplicates) compare(i int) (other, share int) {
	count := map[int]int{}
	for _, h := range d.articles[i] {
		if o, ok := d.first[h]; ok {
			if o != i {
				count[o]++
			}
		} else {
			d.first[h] = i
		}
	}
	total := len(d.articles[i])
	if total < 5 {
		return 0, 0
	}
	best := 0
	for o, n := range count {
		if n > best || n == best && o < other {
			other, best = o, n
		}
	}
	return other, best * 100 / total
}
