package brief

import (
	"errors"
	"slices"
	"sort"
	"strings"

	"digesto/text"
)

// Words that only emphasis or the cell of a table sets apart are a quotation when they are
// the law's: verbatim, or in italics nearly so. In bold and in cells authors put what they
// say themselves too, which accuses nobody of a false quotation.
var stressed = compile(`(?:^|[\s(¿¡:])(\*{1,3}|_{1,3})([^\s*_][^*_\n]{24,}[^\s*_])(?:\*{1,3}|_{1,3})`)

// leastUnmarked is the fewest words that count without marks of quotation.
const leastUnmarked = 6

// apart is a stretch that may be a quotation without marks.
type apart struct {
	quotation
	italic bool
}

// unmarked finds those quotations; quotes are the others.
func (j *judge) unmarked(s string, quotes []quotation) ([]quotation, error) {
	list, err := j.apart(s, quotes)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	all := slices.Clone(quotes)
	for _, a := range list {
		all = append(all, a.quotation)
	}
	mentions, err := j.citations(s, inOrder(all)) // what the stretches cite is theirs
	if err != nil {
		return nil, err
	}
	groups := lists(j.runes, mentions)
	var out []quotation
	for _, a := range list {
		for _, owner := range besides(j.runes, groups, a.quotation) {
			ok, err := j.lawfulAlone(a, owner)
			if errors.Is(err, errSpent) {
				j.until = min(j.until, a.from)
				return out, nil
			}
			if err != nil {
				return nil, err
			}
			if ok {
				out = append(out, a.quotation)
				break
			}
		}
	}
	return out, nil
}

// lawfulAlone says whether a stretch gives words of the units cited, or verbatim of others.
func (j *judge) lawfulAlone(a apart, owner []mention) (bool, error) {
	if ok, err := j.lawful(a.quotation, owner, false); ok && a.italic || err != nil {
		return ok, err
	}
	want := stretches(a.words)
	places := j.places(owner)
	for _, p := range places {
		if there, err := j.search(p, want); len(there) > 0 || err != nil {
			return len(there) > 0, err
		}
	}
	if len(places) == 0 || len(text.Tokens(nil, a.words)) < fewWords {
		return false, nil
	}
	found, err := j.elsewhere(places, want, a.words)
	return len(found.exact) > 0, err
}

// besides gives the citations of units next before and behind a stretch in its paragraph.
func besides(r []rune, groups [][]mention, q quotation) (out [][]mention) {
	before, after := next(groups, q)
	if before >= 0 {
		if gap := r[groups[before][len(groups[before])-1].End:q.from]; groups[before][0].Unit != "" && len(gap) <= reachBefore && !blank(gap) {
			out = append(out, groups[before])
		}
	}
	if after >= 0 {
		if gap := r[q.to:groups[after][0].Start]; groups[after][0].Unit != "" && len(gap) <= reachAfter && !blank(gap) {
			out = append(out, groups[after])
		}
	}
	return out
}

// next gives the groups of citations next before a quotation and behind it; -1 = there is none.
func next(groups [][]mention, q quotation) (before, after int) {
	after = sort.Search(len(groups), func(g int) bool { return groups[g][0].Start >= q.to })
	for before = after - 1; before >= 0; before-- {
		if list := groups[before]; list[len(list)-1].End <= q.from {
			break
		}
	}
	if after == len(groups) {
		after = -1
	}
	return before, after
}

// apart finds the stretches that may be such quotations.
func (j *judge) apart(s string, quotes []quotation) (list []apart, err error) {
	err = j.emphasised(s, func(a apart) bool {
		if mayBeLaw(a, quotes) {
			list = append(list, a)
		}
		return len(list) <= MaxCitations
	})
	if err != nil {
		return nil, err
	}
	if len(list) > MaxCitations {
		return nil, tooMany{list[MaxCitations].from}
	}
	cells := 0
	cellWords(s, func(a apart) bool {
		if mayBeLaw(a, quotes) {
			list = append(list, a)
			cells++
		}
		return cells <= MaxCitations
	})
	if cells > MaxCitations {
		return nil, tooMany{list[len(list)-1].from}
	}
	return list, nil
}

// mayBeLaw says whether the words of a stretch may be the law's.
func mayBeLaw(a apart, quotes []quotation) bool {
	return !overlaps(a.from, a.to, quotes) && len(text.First(a.words, leastUnmarked)) == leastUnmarked && ownWords.MatchString(a.words) && !strings.ContainsAny(a.words, "«»“”\"")
}

// emphasised gives the stretches of a text in italics and bold.
func (j *judge) emphasised(s string, yield func(apart) bool) error {
	at := codePoints(s)
	return stressed.each(j.ctx, s, func(m []int) bool {
		if m[5]-m[4] > maxQuotation {
			return true
		}
		q := quotation{from: at(m[2]), start: at(m[4]), end: at(m[5]), to: at(m[1]), words: s[m[4]:m[5]]}
		return yield(apart{q, m[3]-m[2] != 2})
	})
}

// cellWords gives the cells of rows of tables.
func cellWords(s string, yield func(apart) bool) {
	at := codePoints(s)
	for begin := 0; begin < len(s); {
		stop := rowEnd(s, begin)
		for from := begin; from < stop; {
			end := stop
			if k := strings.IndexByte(s[from:stop], '|'); k >= 0 {
				end = from + k
			}
			words := strings.TrimSpace(s[from:end])
			if words != "" && len(words) <= maxQuotation {
				start := from + strings.Index(s[from:end], words)
				q := quotation{from: at(start), start: at(start), end: at(start + len(words)), words: words}
				if q.to = q.end; !yield(apart{quotation: q}) {
					return
				}
			}
			from = end + 1
		}
		begin = endOfLine(s, max(begin, stop)) + 1
	}
}

// rowEnd gives the end of the row of a table that begins with the line at byte i, one with
// words on both sides of a bar; below i = it begins none. The bar, or the words behind it,
// may stand in the line below.
func rowEnd(s string, i int) int {
	end := endOfLine(s, i)
	if end > i && end+1 < len(s) && s[end+1] == '|' && !blankByte(s[end-1]) {
		if stop := behindBar(s, end+1); stop >= 0 {
			return stop
		}
	}
	for k := strings.LastIndexByte(s[i:end], '|'); k > 0; k = strings.LastIndexByte(s[i:i+k], '|') {
		if !blankByte(s[i+k-1]) || k > 1 && !blankByte(s[i+k-2]) {
			if stop := behindBar(s, i+k); stop >= 0 {
				return stop
			}
		}
	}
	return -1
}

// behindBar gives the end of the line of the words behind a bar, or -1.
func behindBar(s string, bar int) int {
	k := bar + 1
	if k < len(s) && blankByte(s[k]) {
		k++
	}
	if k >= len(s) || blankByte(s[k]) {
		return -1
	}
	return endOfLine(s, k)
}

// blankByte says whether a byte is white space as \s takes it.
func blankByte(b byte) bool {
	return b == ' ' || b == '\t' || b == '\n' || b == '\r' || b == '\f'
}

// endOfLine gives the byte at which the line of byte i ends.
func endOfLine(s string, i int) int {
	if k := strings.IndexByte(s[min(i, len(s)):], '\n'); k >= 0 {
		return i + k
	}
	return len(s)
}
