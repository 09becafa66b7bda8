package structure

import (
	"fmt"

	"digesto"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/publisher"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// Annexes are replaced whole too, and a source that keeps everything prints each
// of their states, one under the other. What stands after the norm (errata, texts
// still to come) is an editor's, though it is printed like the law.

// findTrailer finds where an editor's appendix begins after the last unit, in a
// source that keeps everything.
func (s *scan) findTrailer() {
	if !s.InPlace {
		return
	}
	last := -1
	for i, u := range s.Unit {
		if u && s.Heads[i].Kind != heading.Annex {
			last = i
		}
	}
	for i := last + 1; last >= 0 && i < len(s.Lines); i++ {
		if !s.Drop[i] && trailerHead(s.Lines[i]) {
			s.Trailer = i
			return
		}
	}
}

// trailerHead says whether a line heads a part of an editor's appendix.
func trailerHead(l line.Line) bool {
	return len(l.Text) < 120 && publisher.Appendix.Begin(text.Fold(headingText(l.Text)))
}

// inset says whether the annex that line i heads stands between articles of the
// main text: they go on under their own headings after it.
func (s *scan) inset(i int) bool {
	before, after := false, false
	for k, u := range s.Unit {
		if u && s.Series[k] == s.Main && s.Heads[k].Kind == heading.Article {
			before, after = before || k < i, after || k > i
		}
	}
	return s.InPlace && before && after
}

var annexName = lazyregexp.New(`^\W*(?:nuevo )?(apendice|anexo)\W{0,3}(?:n[°º.]+ ?)?([ivx]+|\d{1,2})\b`)

// lastOfAnnexes leaves in force, of the states of one annex, only the last, and
// says in it that there are others: single rows may stand in any of them.
func lastOfAnnexes(drafts []*draft) {
	states := map[string][]*draft{}
	for _, d := range drafts {
		if d.repealed || d.unit.Kind != digesto.KindSection && d.unit.Kind != digesto.KindAnnex {
			continue
		}
		name := d.unit.Label
		if m := annexName.FindStringSubmatch(text.Fold(name)); m != nil {
			states[m[1]+m[2]] = append(states[m[1]+m[2]], d)
		}
	}
	for _, all := range states {
		n := len(all)
		if n < 2 {
			continue
		}
		for _, d := range all[:n-1] {
			d.repealed = true
			d.unit.Versions[len(d.unit.Versions)-1].Current = false
		}
		v := &all[n-1].unit.Versions[len(all[n-1].unit.Versions)-1]
		v.Defects = append(v.Defects, digesto.TextDefect{Kind: digesto.DefectTwoWordings,
			Detail: fmt.Sprintf("La fuente imprime %d redacciones de este anexo, una tras otra; esta es la última, y alguna de sus partes puede estar en otra", n)})
	}
}
