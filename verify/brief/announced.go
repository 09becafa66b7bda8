package brief

import (
	"errors"
	"regexp"
	"sort"
	"strings"
	"unicode"

	"digesto/text"
	"digesto/verify"
)

// announcement is the end of a paragraph that says that words follow.
var announcement = compile(`:[ \t*_]*\r?\n\s*`)

// How like the law a paragraph without marks must be to count as its words.
const (
	alike     = .75 // right behind the announcement
	stillLike = .85 // behind another such paragraph
	fewWords  = 8   // fewer must be verbatim
)

// announced finds the quotations that bear no mark at all: paragraphs behind a
// citation and a colon whose words are, or nearly are, those of the law. Each
// paragraph is one. Nothing else can tell them from the author's own words.
func (j *judge) announced(s string, mentions []mention, quotes []quotation) ([]quotation, error) {
	var out []quotation
	count := codePoints(s)
	groups := lists(j.runes, mentions)
	found, err := announcement.all(j.ctx, s)
	if err != nil {
		return nil, err
	}
	for _, m := range found {
		colon, at := count(m[0]), count(m[1])
		owner := j.announcer(colon, groups, quotes)
		if owner == nil {
			continue
		}
		if len(out) > MaxCitations {
			return nil, tooMany{out[MaxCitations].from}
		}
		for first := true; at < len(j.runes); first = false {
			q := j.paragraphFrom(at)
			if len(text.Tokens(nil, q.words)) == 0 && !first { // "(…)"
				at = j.skip(q.to)
				continue
			}
			q.owner = owner[0].Start + 1
			if overlaps(q.from, q.to, quotes) || !ownWords.MatchString(q.words) {
				break
			}
			ok, err := j.lawful(q, owner, first)
			if errors.Is(err, errSpent) {
				j.until = min(j.until, q.from)
				return out, nil
			}
			if err != nil {
				return nil, err
			}
			if !ok {
				break
			}
			out = append(out, q)
			at = j.skip(q.to)
		}
	}
	return out, nil
}

// ownWords begins a paragraph that may be the law's: no heading, table or list.
var ownWords = regexp.MustCompile(`^[\p{L}\d…(\[]`)

// announcer gives the citation of a unit, or the list of them, that stands before a colon in its paragraph.
func (j *judge) announcer(colon int, groups [][]mention, quotes []quotation) []mention {
	if overlaps(colon, colon+1, quotes) {
		return nil
	}
	k := sort.Search(len(groups), func(i int) bool { return groups[i][len(groups[i])-1].End > colon }) - 1
	if k < 0 {
		return nil
	}
	list := groups[k]
	gap := j.runes[list[len(list)-1].End:colon]
	if list[0].Unit == "" || list[0].ruling || len(gap) > reachBefore/2 || blank(gap) || sentenceEnd(gap) || has(gap, '«', '“', '"') {
		return nil
	}
	return list
}

// skip gives the place behind white space.
func (j *judge) skip(at int) int {
	for at < len(j.runes) && unicode.IsSpace(j.runes[at]) {
		at++
	}
	return at
}

// paragraphFrom gives the paragraph that begins at a code point: up to a blank line, or as
// far as makes it too long to be the law's.
func (j *judge) paragraphFrom(at int) quotation {
	end := paragraphEnd(j.runes[:min(len(j.runes), at+maxBlock)], at)
	words := strings.TrimSpace(string(j.runes[at:end]))
	return quotation{start: at, end: end, from: at, to: end, words: words, block: true}
}

// overlaps says whether a stretch has a part of a quotation; these are in order.
func overlaps(from, to int, quotes []quotation) bool {
	k := sort.Search(len(quotes), func(i int) bool { return quotes[i].to > from })
	return k < len(quotes) && quotes[k].from < to
}

// lawful says whether a paragraph gives words of the law: of the units cited, nearly so, or of another.
func (j *judge) lawful(q quotation, owner []mention, first bool) (bool, error) {
	if len(q.words) > maxQuotation {
		return false, nil
	}
	n := len(text.Tokens(nil, q.words))
	want := stretches(q.words)
	if n < minWords || len(want) == 0 {
		return false, nil
	}
	places := j.places(owner)
	least := stillLike
	if first {
		least = alike
	}
	for _, p := range places {
		if there, err := j.search(p, want); len(there) > 0 || err != nil {
			return len(there) > 0, err
		}
		u, ok := j.Law.Unit(p.norm.ID, p.unit)
		for _, v := range u.Versions {
			if !ok || n < fewWords {
				break
			}
			_, score, err := j.like(verify.Ground{Norm: p.norm, Unit: u, Version: v}, q.words, 0)
			if err != nil || score >= least {
				return err == nil, err
			}
		}
	}
	if !first || n < fewWords || len(places) == 0 {
		return false, nil
	}
	found, err := j.elsewhere(places, want, q.words)
	if err != nil || len(found.exact) > 0 {
		return len(found.exact) > 0, err
	}
	near, err := j.nearest(nil, found.near, q.words)
	return err == nil && near != nil && likeness(near, q.words) >= stillLike, err
}
