package eval

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/text"
	"digesto/text/lazyregexp"
	"digesto/text/sentence"
)

// Passage is a stretch of an installed text whose references were labelled by
// hand. It holds no words of the text: it is found again by its hash.
type Passage struct {
	Norm, Unit, Hash string
	Gold             []string // labels, in the order of the text: see Label
}

// A label is NORM/UNIT. NORM is the id of an installed norm, "." for the norm in
// which the passage stands, "?WORDS" for one that is not installed and in whose
// name these words stand. UNIT is the id of the unit ("a48", "dt5"), with "–20"
// behind it for a range and "–ss" for "y siguientes"; empty for the norm as a
// whole. A mention of the norm at hand as a whole ("esta ley"), and of a unit by its
// place alone ("el artículo anterior"), is none. "_" stands for a space; "~" before a
// label: it may be found or not; "|" between labels: any of them is right.

// ReferenceCounts is the result of holding references against labels.
type ReferenceCounts struct {
	Passages int `json:"passages"`
	Lost     int `json:"passages_not_found"` // whose norm is not installed, or whose words changed
	Labels   int `json:"labels"`
	Found    int `json:"found"` // references that the program has there
	Right    int `json:"right"`
}

// Precision is the share of the references found that are right.
func (c ReferenceCounts) Precision() float64 { return ratio(c.Right, c.Found) }

// Recall is the share of the labels that were found.
func (c ReferenceCounts) Recall() float64 { return ratio(c.Right, c.Labels) }

// ReadPassages reads labels: norm, unit and hash of the passage, then its labels,
// apart by tabs; lines that begin with # are comments.
func ReadPassages(data []byte) ([]Passage, error) {
	var out []Passage
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, 1<<20)
	for line := 1; sc.Scan(); line++ {
		s := strings.TrimRight(sc.Text(), "\r\t ")
		if s == "" || s[0] == '#' {
			continue
		}
		f := strings.Split(s, "\t")
		if len(f) < 3 || len(f[2]) != hashDigits || slices.ContainsFunc(f[3:], func(l string) bool { return strings.LastIndexByte(l, '/') < 1 }) {
			return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("La línea %d no es un pasaje con sus etiquetas", line),
				Hint: "Cada línea lleva, entre tabuladores: norma, unidad, huella de 12 cifras y las etiquetas NORMA/UNIDAD."}
		}
		out = append(out, Passage{f[0], f[1], f[2], f[3:]})
	}
	return out, sc.Err()
}

// References holds the references that an installed library has against labels.
// Every miss is written to out as a line, if out is not nil: "-" for a label that
// was not found, "+" for a reference that is none of them.
//
// find finds the references of a text of a norm anew; nil takes those that the
// library keeps.
func References(law *corpus.Snapshot, passages []Passage, find func(n digesto.Norm, u digesto.Unit, v digesto.Version) []digesto.Reference, out io.Writer) ReferenceCounts {
	var c ReferenceCounts
	for _, p := range passages {
		c.Passages++
		u, ok := law.Unit(p.Norm, p.Unit)
		v, at, found := passageOf(u, p.Hash)
		if !ok || !found {
			c.Lost++
			continue
		}
		if n, ok := law.Norm(p.Norm); ok && find != nil {
			v.Refs = find(n, u, v)
		}
		got := labelsIn(law, p.Norm, v, at)
		right, missed := match(p.Gold, got)
		c.Labels += right + missed.labels
		c.Found += right + missed.found
		c.Right += right
		if out != nil && len(missed.words) > 0 {
			fmt.Fprintf(out, "%s %s %s: %s\n\t%s\n", p.Norm, p.Unit, p.Hash, strings.Join(missed.words, " "), string([]rune(v.Text)[at.from:at.to]))
		}
	}
	return c
}

// misses are the labels not found and the references that are none of the labels.
type misses struct {
	labels, found int
	words         []string
}

// match holds what was found against the labels of a passage. A label with "~"
// before it may be found or not; one with "|" in it is right in any of its forms.
// A norm named once more, beside a reference to it ("…, aprobado por la Ley 1/2020"), is no fault.
func match(gold, got []string) (right int, m misses) {
	rest := slices.Clone(got)
	take := func(label string) bool {
		for g := range strings.SplitSeq(label, "|") {
			if k := slices.IndexFunc(rest, func(r string) bool { return sameLabel(g, r) }); k >= 0 {
				rest = slices.Delete(rest, k, k+1)
				return true
			}
		}
		return false
	}
	for _, g := range gold {
		switch {
		case strings.HasPrefix(g, "~"):
		case take(g):
			right++
		default:
			m.labels++
			m.words = append(m.words, "-"+g)
		}
	}
	for _, g := range gold {
		if free, ok := strings.CutPrefix(g, "~"); ok {
			for take(free) {
			}
		}
	}
	for _, r := range rest {
		if again(gold, r) {
			continue
		}
		m.found++
		m.words = append(m.words, "+"+r)
	}
	return right, m
}

// again reports a mention of a norm as a whole that the labels name already.
func again(gold []string, r string) bool {
	norm, whole := strings.CutSuffix(r, "/")
	return whole && slices.ContainsFunc(gold, func(g string) bool {
		for one := range strings.SplitSeq(strings.TrimPrefix(g, "~"), "|") {
			if i := strings.LastIndexByte(one, '/'); i > 0 && sameLabel(one[:i]+"/", norm+"/") {
				return true
			}
		}
		return false
	})
}

// sameLabel compares a label with what was found. Of a norm that is not installed
// the words must stand in the name that was found.
func sameLabel(gold, got string) bool {
	at := strings.LastIndexByte(gold, '/') // names have strokes too
	gn, gu := gold[:at], gold[at+1:]
	at = strings.LastIndexByte(got, '/')
	n, u := got[:at], got[at+1:]
	if gu != u {
		return false
	}
	if words, ok := strings.CutPrefix(gn, "?"); ok {
		return strings.HasPrefix(n, "?") && strings.Contains(squeezed(n), squeezed(words))
	}
	return gn == n
}

// squeezed are the letters and digits of a name alone.
func squeezed(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, text.Fold(s))
}

// labelsIn writes the references of a stretch as labels.
func labelsIn(law *corpus.Snapshot, home string, v digesto.Version, at stretch) (out []string) {
	for _, r := range v.Refs {
		if r.Start < at.from || r.Start >= at.to {
			continue
		}
		norm, unit := r.Norm, r.Unit
		if r.To != "" {
			unit += "–" + r.To
		}
		n, installed := law.Norm(norm)
		switch {
		case installed && norm != "":
			norm = n.ID
			if norm == home {
				norm = "."
			}
		case norm != "" || r.Name != "":
			norm = "?" + cmp.Or(r.Name, norm) + " " + r.Norm
		default:
			norm = "."
		}
		if norm == "." && unit == "" {
			continue
		}
		out = append(out, norm+"/"+unit)
	}
	return out
}

// stretch is a run of code points of a text.
type stretch struct{ from, to int }

// passagesOf cuts a text into what can be labelled at a glance: paragraphs, and
// sentences where a paragraph is long.
func passagesOf(s string) []stretch {
	var out []stretch
	at := 0
	for para := range strings.SplitSeq(s, "\n") {
		r := []rune(para)
		if len(r) <= maxPassage {
			out = append(out, stretch{at, at + len(r)})
		} else {
			for _, x := range sentence.Split(para) {
				out = append(out, stretch{at + x.Start, at + x.End})
			}
		}
		at += len(r) + 1
	}
	return out
}

const (
	maxPassage = 450 // code points
	minPassage = 40
	hashDigits = 12
)

func passageHash(words []rune) string {
	h := sha256.Sum256([]byte(string(words)))
	return hex.EncodeToString(h[:])[:hashDigits]
}

// passageOf finds a passage by its hash in the wordings of a unit, the newest first.
func passageOf(u digesto.Unit, hash string) (digesto.Version, stretch, bool) {
	for i := len(u.Versions) - 1; i >= 0; i-- {
		r := []rune(u.Versions[i].Text)
		for _, p := range passagesOf(u.Versions[i].Text) {
			if passageHash(r[p.from:p.to]) == hash {
				return u.Versions[i], p, true
			}
		}
	}
	return digesto.Version{}, stretch{}, false
}

// referring are the words beside which references stand: whoever labels must
// see passages with references, but not chosen by the program that is measured.
var referring = lazyregexp.New(`\b(?:arts?\.|art[ií]culos?\s|(?:[Dd]isposici[oó]n(?:es)?|Norma) (?:[Aa]dicional|[Tt]ransitoria|[Dd]erogatoria|[Ff]inal|[IVX]+)|(?:[Ll]ey(?:es)?|LEY|[Dd]ecretos?|Reglamento|Orden|Directiva|Resoluci[oó]n|D\.? ?(?:S|L|Leg)\.)[^.\n]{0,30}\d|C[oó]digo|Constituci[oó]n|Estatuto|Convenio|Anexo|ANEXO)`)

// SamplePassages draws passages of the norms of a jurisdiction to be labelled: of
// each norm in turn, in an order that follows from the seed alone, one of its
// units, and of it one passage with a word beside which references stand.
func SamplePassages(law *corpus.Snapshot, juris, seed string, n int) (out []Passage, words []string) {
	order := func(s string) string { return passageHash([]rune(seed + "\x00" + s)) }
	var norms []digesto.Norm
	for _, x := range law.Norms() {
		if x.Jurisdiction == juris && x.Official && !x.OCR {
			norms = append(norms, x)
		}
	}
	slices.SortFunc(norms, func(a, b digesto.Norm) int { return cmp.Compare(order(a.ID), order(b.ID)) })
	units := make([][]digesto.Unit, len(norms))
	for i, x := range norms {
		for u, err := range law.All(x.ID) {
			if err == nil && len(u.Versions) > 0 && u.Kind != digesto.KindTable {
				units[i] = append(units[i], u)
			}
		}
		slices.SortFunc(units[i], func(a, b digesto.Unit) int { return cmp.Compare(order(a.Norm+"/"+a.ID), order(b.Norm+"/"+b.ID)) })
	}
	for left := true; left && len(out) < n; {
		left = false
		for i := range units {
			for len(units[i]) > 0 && len(out) < n {
				u := units[i][0]
				units[i] = units[i][1:]
				if p, s, ok := drawPassage(u, order); ok {
					out, words, left = append(out, p), append(words, s), true
					break
				}
			}
		}
	}
	return out, words
}

func drawPassage(u digesto.Unit, order func(string) string) (p Passage, words string, ok bool) {
	v := u.Versions[len(u.Versions)-1]
	r := []rune(v.Text)
	best := ""
	for _, x := range passagesOf(v.Text) {
		s := string(r[x.from:x.to])
		if x.to-x.from < minPassage || x.to-x.from > 2*maxPassage || !referring.MatchString(s) {
			continue
		}
		if h := passageHash(r[x.from:x.to]); best == "" || order(h) < best {
			best, p, words, ok = order(h), Passage{Norm: u.Norm, Unit: u.ID, Hash: h}, s, true
		}
	}
	return p, words, ok
}
