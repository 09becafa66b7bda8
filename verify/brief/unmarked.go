package brief

import (
	"regexp"
	"slices"
	"strings"

	"digesto/text"
)

// Words that only emphasis or the cell of a table sets apart are a quotation when they are
// the law's: verbatim, or in italics nearly so. In bold and in cells authors put what they
// say themselves too, which accuses nobody of a false quotation.
var (
	stressed = regexp.MustCompile(`(?:^|[\s(¿¡:])(\*{1,3}|_{1,3})([^\s*_][^*_\n]{24,}[^\s*_])(?:\*{1,3}|_{1,3})`)
	tableRow = regexp.MustCompile(`(?m)^.*\S\s?\|\s?\S.*$`)
)

// leastUnmarked is the fewest words that count without marks of quotation.
const leastUnmarked = 6

// apart is a stretch that may be a quotation without marks.
type apart struct {
	quotation
	italic bool
}

// unmarked finds those quotations; quotes are the others.
func (j *judge) unmarked(s string, quotes []quotation) ([]quotation, error) {
	list := slices.DeleteFunc(slices.Concat(emphasised(s), cellWords(s)), func(a apart) bool {
		return overlaps(a.from, a.to, quotes) || len(text.Tokens(nil, a.words)) < leastUnmarked || !ownWords.MatchString(a.words) || strings.ContainsAny(a.words, "«»“”\"")
	})
	if len(list) == 0 {
		return nil, nil
	}
	all := slices.Clone(quotes)
	for _, a := range list {
		all = append(all, a.quotation)
	}
	groups := lists(j.runes, j.citations(s, inOrder(all))) // what the stretches cite is theirs
	var out []quotation
	for _, a := range list {
		for _, owner := range besides(j.runes, groups, a.quotation) {
			ok, err := j.lawfulAlone(a, owner)
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
	if slices.ContainsFunc(places, func(p place) bool { return len(j.search(p, want)) > 0 }) {
		return true, nil
	}
	if len(places) == 0 || len(text.Tokens(nil, a.words)) < fewWords {
		return false, nil
	}
	found, err := j.elsewhere(places, want, a.words)
	return len(found.exact) > 0, err
}

// besides gives the citations of units next before and behind a stretch in its paragraph.
func besides(r []rune, groups [][]mention, q quotation) (out [][]mention) {
	before, after := -1, -1
	for g, list := range groups {
		if list[len(list)-1].End <= q.from {
			before = g
		}
		if after < 0 && list[0].Start >= q.to {
			after = g
		}
	}
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

// emphasised finds the stretches of a text in italics and bold.
func emphasised(s string) (out []apart) {
	at := codePoints(s)
	for _, m := range stressed.FindAllStringSubmatchIndex(s, -1) {
		if m[5]-m[4] > maxQuotation {
			continue
		}
		q := quotation{from: at(m[2]), start: at(m[4]), end: at(m[5]), to: at(m[1]), words: s[m[4]:m[5]]}
		out = append(out, apart{q, m[3]-m[2] != 2})
	}
	return out
}

// cellWords finds the cells of rows of tables.
func cellWords(s string) (out []apart) {
	at := codePoints(s)
	for _, row := range tableRow.FindAllStringIndex(s, -1) {
		for from := row[0]; from < row[1]; {
			end := row[1]
			if k := strings.IndexByte(s[from:row[1]], '|'); k >= 0 {
				end = from + k
			}
			words := strings.TrimSpace(s[from:end])
			if words != "" && len(words) <= maxQuotation {
				start := from + strings.Index(s[from:end], words)
				q := quotation{from: at(start), start: at(start), end: at(start + len(words)), words: words}
				q.to = q.end
				out = append(out, apart{quotation: q})
			}
			from = end + 1
		}
	}
	return out
}
