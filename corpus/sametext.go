package corpus

import (
	"cmp"
	"encoding/binary"
	"maps"

	"slices"
	"strings"

	"digesto"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// One law stands in many files, and a file need not say of which law it is. Two
// copies without a common identifier are of one norm when most articles of the
// smaller begin alike under the same number. Norms that are named as two stay two,
// however alike: decrees of consecutive years are. A number in title or identifier
// helps: with the same one less will do, with another only the whole text.

// Measured on the copies of ../shared/corpora: of one norm under the same number .56 to
// 1 of the articles are shared, without a number .64 to 1, under another number (a file
// with the text of the law that took its place) all. Of two norms at most .10, but for a
// reforming law of eight articles that repeats six of what it reforms.
const (
	printRunes  = 160 // of an article that are compared: what follows may differ by a reform or a note
	printLeast  = 60  // letters that an article must have to tell anything
	sameLeast   = 10  // articles in common: fewer may be formulas
	shareNumber = 40  // per cent of the articles of the smaller copy, under the same number
	shareText   = 50  // without a number
	shareOther  = 90  // of both copies, under another number
	commonPrint = 16  // copies that begin an article so: more make it a formula of many norms
)

// printsOf are hashes of the articles of a text by number and beginning, four bytes
// each, in order.
func printsOf(units []digesto.Unit) []byte {
	var list []uint32
	for i := range units {
		u := &units[i]
		if u.Kind != digesto.KindArticle || u.Amending || len(u.Versions) == 0 {
			continue
		}
		w := []rune(text.Letters(shown(u).Text))
		if len(w) < printLeast {
			continue
		}
		list = append(list, checksum([]byte(u.Number+"\x00"+string(w[:min(len(w), printRunes)]))))
	}
	slices.Sort(list)
	list = slices.Compact(list)
	out := make([]byte, 0, 4*len(list))
	for _, h := range list {
		out = binary.BigEndian.AppendUint32(out, h)
	}
	return out
}

// sameTexts gives, for copies that are of the norm of another by their text alone,
// the identifiers of that norm. A copy that goes by the name of its file takes those
// of the named norm that it shares most with; without one, copies that go by the
// names of their files are one among themselves.
func sameTexts(copies []copyEntry) map[int][]string {
	out := map[int][]string{}
	all := shared(copies)
	for _, i := range slices.Sorted(maps.Keys(all)) { // in order: of the identifiers of a copy the first with an owner decides
		with := all[i]
		if copies[i].named {
			continue
		}
		best, found := 0, false
		for j, n := range with {
			if alike(&copies[i], &copies[j], n) && (!found || better(copies, j, best, with)) {
				best, found = j, true
			}
		}
		if !found {
			continue
		}
		if like := &copies[best]; like.named {
			out[i] = identifiers(&like.norm)
			continue
		}
		a, b := min(i, best), max(i, best)
		out[a], out[b] = append(out[a], foldID(copies[a].key())), append(out[b], foldID(copies[a].key()))
	}
	return out
}

// Displaced gives, for each of these documents that would take the place of an installed
// copy of its norm, from another file and with another text, that norm.
func (tx *Tx) Displaced(docs []Document) map[int]digesto.Norm {
	m := tx.base.c.man
	if m == nil {
		return nil
	}
	anew := map[string]bool{}
	for i := range docs {
		anew[docs[i].File] = true
	}
	var copies []copyEntry
	chosen := map[string]bool{} // by whoever added the file before
	for _, c := range m.copies {
		if !anew[c.file] {
			copies = append(copies, c)
		}
		chosen[c.key()] = c.chosen
	}
	there := len(copies)
	for i := range docs {
		c := docs[i].entry()
		c.chosen = c.chosen || chosen[c.key()]
		copies = append(copies, c)
	}
	before := slices.Clone(copies[:there])
	settle(copies)
	byKey := map[string]int{}
	for i := range copies {
		byKey[copies[i].key()] = i
	}
	out := map[int]digesto.Norm{}
	for i := range before {
		w, ok := byKey[copies[i].behind]
		if ok && before[i].behind == "" && w >= there && !sameState(&copies[i], &copies[w]) {
			out[w-there] = copies[i].norm
		}
	}
	return out
}

// sameState says that two copies have the same text of the same day, as far as can be
// told without reading them: texts without articles, and those of libraries that kept no
// prints, only by their size.
func sameState(a, b *copyEntry) bool {
	if a.norm.TextAsOf != b.norm.TextAsOf {
		return false
	}
	return a.prints == b.prints && a.prints != "" || (a.prints == "" || b.prints == "") && a.units == b.units
}

// entry is what the manifest knows of a document, without its file.
func (d *Document) entry() copyEntry {
	n := d.Norm
	if n.Official && n.Proof == "" { // nobody's word makes a text official
		n.Official, n.Supplied = false, true
	}
	disclaim(&n)
	c := copyEntry{norm: n, file: d.File, units: len(d.Units), cites: citesOf(d.Units), says: d.Says, prints: string(printsOf(d.Units)), named: d.Named, chosen: d.Chosen}
	if d.aside != nil {
		c.units, c.prints = d.aside.units, d.aside.prints
	}
	return c
}

// better orders the norms that a copy may be of: named ones, then the most articles in
// common, then the order of the manifest.
func better(copies []copyEntry, j, best int, with map[int]int) bool {
	if copies[j].named != copies[best].named {
		return copies[j].named
	}
	return cmp.Or(cmp.Compare(with[best], with[j]), cmp.Compare(j, best)) < 0
}

// shared counts the articles that copies have in common, of those that go by the names
// of their files with all others.
func shared(copies []copyEntry) map[int]map[int]int {
	of := map[uint32][]int{}
	for i := range copies {
		for p := copies[i].prints; len(p) >= 4; p = p[4:] {
			h := binary.BigEndian.Uint32([]byte(p[:4]))
			of[h] = append(of[h], i)
		}
	}
	out := map[int]map[int]int{}
	for _, list := range of {
		if len(list) > commonPrint {
			continue
		}
		for _, i := range list {
			if copies[i].named {
				continue
			}
			for _, j := range list {
				if j == i {
					continue
				}
				if out[i] == nil {
					out[i] = map[int]int{}
				}
				out[i][j]++
			}
		}
	}
	return out
}

// alike says that two copies with n articles in common are of one norm.
func alike(a, b *copyEntry, n int) bool {
	if j, k := a.norm.Jurisdiction, b.norm.Jurisdiction; j != "" && k != "" && j != k {
		return false
	}
	small, large := len(a.prints)/4, len(b.prints)/4
	if small > large {
		small, large = large, small
	}
	if n < min(sameLeast, small) || n == 0 || !isLaw(&a.norm) || !isLaw(&b.norm) {
		return false
	}
	x, y := numbersOf(&a.norm), numbersOf(&b.norm)
	switch {
	case slices.ContainsFunc(x, func(d string) bool { return slices.Contains(y, d) }):
		return 100*n >= shareNumber*small
	case len(x) > 0 && len(y) > 0:
		return 100*n >= shareOther*large
	}
	return 100*n >= shareText*small && n >= sameLeast
}

var lawNumber = lazyregexp.New(`\d[\d.]*\d`)

// numbersOf are the numbers of three digits or more that title and identifier hold,
// without points; years are none.
func numbersOf(n *digesto.Norm) (out []string) {
	for _, s := range lawNumber.FindAllString(n.Title+" "+n.ID, -1) {
		s = strings.ReplaceAll(s, ".", "")
		if year := len(s) == 4 && (s[:2] == "18" || s[:2] == "19" || s[:2] == "20"); len(s) >= 3 && !year && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
