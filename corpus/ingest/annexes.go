package ingest

import (
	"fmt"
	"regexp"

	"digesto"
	"digesto/text"
)

// Annexes are replaced whole too, and a source that keeps everything prints each
// of their states, one under the other. What stands after the norm (errata, texts
// still to come) is an editor's, though it is printed like the law.

// findTrailer finds where an editor's appendix begins after the last unit, in a
// source that keeps everything.
func (s *scan) findTrailer() {
	if !s.inPlace {
		return
	}
	last := -1
	for i, u := range s.unit {
		if u && s.heads[i].kind != headAnnex {
			last = i
		}
	}
	for i := last + 1; last >= 0 && i < len(s.lines); i++ {
		if !s.drop[i] && trailerHead(s.lines[i]) {
			s.trailer = i
			return
		}
	}
}

// trailerHead says whether a line heads a part of an editor's appendix.
func trailerHead(l Line) bool {
	return len(l.Text) < 120 && begins(text.Fold(headingText(l.Text)), publishers.Appendix)
}

// inset says whether the annex that line i heads stands between articles of the
// main text: they go on under their own headings after it.
func (s *scan) inset(i int) bool {
	before, after := false, false
	for k, u := range s.unit {
		if u && s.series[k] == s.main && s.heads[k].kind == headArticle {
			before, after = before || k < i, after || k > i
		}
	}
	return s.inPlace && before && after
}

var annexName = regexp.MustCompile(`^\W*(?:nuevo )?(apendice|anexo)\W{0,3}(?:n[°º.]+ ?)?([ivx]+|\d{1,2})\b`)

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
