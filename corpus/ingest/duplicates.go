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
	seed  maphash.Seed
	first map[uint64]int // hash of an article's words → document that had it first
	docs  []corpus.Document
}

func report(d, other *corpus.Document, what string) {
	d.Defects = append(d.Defects, corpus.Defect{File: d.File, Norm: d.Norm.ID, Kind: line.KindDuplicate,
		Detail: fmt.Sprintf("%s %s (%s)", what, other.Norm.ID, filepath.Base(other.File))})
}

// findDuplicates adds a defect to both of each pair.
func findDuplicates(docs []corpus.Document) {
	d := duplicates{seed: maphash.MakeSeed(), first: map[uint64]int{}, docs: docs}
	for i := range docs {
		if other, share := d.compare(i); share >= 60 && docs[other].Norm.ID != docs[i].Norm.ID {
			report(&docs[i], &docs[other], fmt.Sprintf("El %d %% de sus artículos son los de", share))
			report(&docs[other], &docs[i], "Sus artículos son, en su mayor parte, los de")
		}
	}
}

// compare enters document i and gives the earlier one that shares most of its
// articles, with the share in per cent.
func (d *duplicates) compare(i int) (other, share int) {
	count := map[int]int{}
	total := 0
	for _, u := range d.docs[i].Units {
		if u.Kind != digesto.KindArticle {
			continue
		}
		w := line.Letters(u.Versions[len(u.Versions)-1].Text)
		if utf8.RuneCountInString(w) < 80 {
			continue
		}
		total++
		h := maphash.String(d.seed, w)
		if o, ok := d.first[h]; ok {
			if o != i {
				count[o]++
			}
		} else {
			d.first[h] = i
		}
	}
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
