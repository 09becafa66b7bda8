package brief

import (
	"iter"
	"slices"
	"sort"
	"strings"
	"unicode"

	"digesto/text"
	"digesto/text/lazyregexp"
	"digesto/verify"
	"digesto/verify/link"
	"digesto/verify/read"
)

// Words without marks of quotation are one when they are the law's, or nearly so; nothing
// else can tell them from the author's own. They may stand in paragraphs behind a citation
// and a colon; or be set apart by emphasis or the cell of a table. In bold and in cells
// authors put what they say themselves too: there they must be verbatim, which accuses nobody
// of a false quotation.
var (
	announcement = read.Compile(`:[ \t*_]*\r?\n\s*`)
	// ownWords begins a paragraph that may be the law's: no heading, table or list.
	ownWords = lazyregexp.New(`^[\p{L}\d…(\[]`)
)

// How like the law words without marks must be to count as a quotation.
const (
	alike    = .75 // right behind the announcement
	fewWords = 8   // fewer must be verbatim
	// leastUnmarked is the fewest words that count when only emphasis or a cell sets them apart.
	leastUnmarked = 6
)

// announced finds the paragraphs behind a citation and a colon that are quotations. Each is one.
func (j *checker) announced(s string, mentions []read.Mention) (out []read.Quotation) {
	count := read.CodePoints(s)
	groups := read.Lists(j.runes, mentions)
	for m := range announcement.In(&j.Meter, s) {
		colon, at := count(m[0]), count(m[1])
		owner := j.announcer(colon, groups)
		like := alike
		for ; owner != nil && at < len(j.runes); like = read.StillLike {
			end := read.ParagraphEnd(j.runes[:min(len(j.runes), at+read.MaxBlock)], at)
			q := read.Quotation{Start: at, End: end, From: at, To: end, Words: strings.TrimSpace(string(j.runes[at:end])), Block: true, Owner: owner[0].Start + 1}
			for at = end; at < len(j.runes) && unicode.IsSpace(j.runes[at]); at++ {
			}
			if like == read.StillLike && len(text.First(q.Words, 1)) == 0 { // "(…)"
				continue
			}
			lawful := !read.Overlaps(q.From, q.To, j.quotes) && ownWords.MatchString(q.Words)
			if lawful && j.spent(q.From, func() { lawful = j.lawful(q, owner, like, like == alike) }) {
				return out
			}
			if !lawful {
				break
			}
			out = append(out, q)
		}
		read.Bounded(out, read.Beginning)
	}
	return out
}

// announcer gives the citation of a unit, or the list of them, that stands before a colon in its paragraph.
func (j *checker) announcer(colon int, groups [][]read.Mention) []read.Mention {
	k := sort.Search(len(groups), func(i int) bool { return groups[i][len(groups[i])-1].End > colon }) - 1
	if k < 0 || read.Overlaps(colon, colon+1, j.quotes) {
		return nil
	}
	list := groups[k]
	gap := j.runes[list[len(list)-1].End:colon]
	if list[0].Unit == "" || list[0].Ruling || len(gap) > link.ReachBefore/2 || read.Blank(gap) || read.SentenceEnd(gap) || read.Has(gap, '«', '“', '"') {
		return nil
	}
	return list
}

// lawful says whether words are those of the units cited, or so like them; anywhere, or of another.
func (j *checker) lawful(q read.Quotation, owner []read.Mention, like float64, anywhere bool) bool {
	n, want := len(text.Tokens(nil, q.Words)), read.Stretches(q.Words)
	if len(q.Words) > read.MaxQuotation || n < read.MinWords || len(want) == 0 {
		return false
	}
	places := j.places(owner)
	if len(j.spots(places, want)) > 0 {
		return true
	}
	if n < fewWords || len(places) == 0 {
		return false
	}
	for _, p := range places {
		u, _ := j.Law.Unit(p.norm.ID, p.unit)
		for _, v := range u.Versions {
			if like == read.Verbatim {
				break
			}
			if _, score := j.like(verify.Ground{Norm: p.norm, Unit: u, Version: v}, q.Words, 0); score >= like {
				return true
			}
		}
	}
	if !anywhere {
		return false
	}
	found := j.elsewhere(places, want, q.Words)
	if len(found.exact) > 0 || like != alike {
		return len(found.exact) > 0
	}
	near := j.nearest(nil, found.near, q.Words)
	return near != nil && likeness(near, q.Words) >= read.StillLike
}

// unmarked finds the quotations that emphasis or a cell sets apart.
func (j *checker) unmarked(s string) (out []read.Quotation) {
	var list []read.Apart
	all := slices.Clone(j.quotes)
	for _, stretches := range []iter.Seq[read.Apart]{read.Emphasised(&j.Meter, s), read.CellWords(s)} {
		first := len(list)
		for a := range stretches {
			if !read.Overlaps(a.From, a.To, j.quotes) && len(text.First(a.Words, leastUnmarked)) == leastUnmarked && ownWords.MatchString(a.Words) && !strings.ContainsAny(a.Words, "«»“”\"") {
				list, all = append(list, a), append(all, a.Quotation)
				read.Bounded(list[first:], func(a read.Apart) int { return a.From })
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	groups := read.Lists(j.runes, j.citations(s, read.InOrder(all))) // what the stretches cite is theirs
	for _, a := range list {
		lawful := false
		for _, owner := range besides(j.runes, groups, a.Quotation) {
			if j.spent(a.From, func() { lawful = lawful || j.lawful(a.Quotation, owner, a.Like, true) }) {
				return out
			}
		}
		if lawful {
			out = append(out, a.Quotation)
		}
	}
	return out
}

// besides gives the citations of units next before and behind a stretch in its paragraph.
func besides(r []rune, groups [][]read.Mention, q read.Quotation) (out [][]read.Mention) {
	before, after := read.Next(groups, q)
	if before >= 0 {
		list := groups[before]
		if gap := r[list[len(list)-1].End:q.From]; list[0].Unit != "" && len(gap) <= link.ReachBefore && !read.Blank(gap) {
			out = append(out, list)
		}
	}
	if after >= 0 {
		if gap := r[q.To:groups[after][0].Start]; groups[after][0].Unit != "" && len(gap) <= link.ReachAfter && !read.Blank(gap) {
			out = append(out, groups[after])
		}
	}
	return out
}
