package brief

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"digesto/text"
)

// reading is a text as a reader sees it: what is hidden or struck out is gone, and signs that
// look alike are one. Each of its code points knows where it stands in the text given.
type reading struct {
	text  string
	spans []span // in order
	whole string // the text given
}

// span says that behind a code point of the reading so many of the text given, in all, were
// left out before it.
type span struct{ at, out int }

// given turns a place of the reading into one of the text given: where something was left
// out, the place before it with before, else the one behind.
func (r *reading) given(at int, before bool) int {
	k, _ := slices.BinarySearchFunc(r.spans, at, func(s span, at int) int {
		if s.at < at || s.at == at && !before {
			return -1
		}
		return 1
	})
	if k == 0 {
		return at
	}
	return at + r.spans[k-1].out
}

// sameSign gives signs of one look one form, and blanks that of a blank. No place moves.
func sameSign(r rune) rune {
	switch {
	case r < 0x80:
		return r
	case r == 0xA0 || r >= 0x2000 && r <= 0x200A || r == 0x202F || r == 0x205F || r == 0x3000:
		return ' '
	case r == '＂':
		return '"'
	case r == '❝' || r == '〝' || r == '‟':
		return '“'
	case r == '❞' || r == '〞':
		return '”'
	case r == '『':
		return '「'
	case r == '』':
		return '」'
	case r == '❮':
		return '‹'
	case r == '❯':
		return '›'
	case r >= 0xFF01 && r <= 0xFF5E: // the wide forms
		return r - 0xFEE0
	}
	return r
}

// edit puts other words in the place of bytes from … to.
type edit struct {
	from, to int
	put      string
}

// Bounds of what is hidden or struck out, in bytes.
const (
	maxTag    = 300
	maxHidden = 4000
)

var (
	hides = regexp.MustCompile(`(?i)(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0|\shidden\b)`)
	// brokenWord is a word of citations that a line's end breaks.
	brokenWord = compile(`(?i)\b(?:art?[íi]?[cu]{0,2}l?-[ \t\r]*\n[ \t]*[tíicu]*l?os?|apar(?:ta)?-[ \t\r]*\n[ \t]*(?:ta)?dos?|p[áa]rra?-[ \t\r]*\n[ \t]*(?:ra)?fos?|in(?:ci)?-[ \t\r]*\n[ \t]*(?:ci)?sos?|nume-[ \t\r]*\n[ \t]*ral(?:es)?|dispo(?:si)?-[ \t\r]*\n[ \t]*(?:si)?ción|le-[ \t\r]*\n[ \t]*(?:tra|y)s?|c[óo](?:di)?-[ \t\r]*\n[ \t]*(?:di)?go|esta(?:tu)?-[ \t\r]*\n[ \t]*(?:tu)?to)\b`)
	lineBreak  = regexp.MustCompile(`-[ \t\r]*\n[ \t]*`)
	// glued is the word for an article that touches its number, and stressedNumber one whose
	// number stands between marks.
	glued          = compile(`(?i)\b(?:art[íi]culos?|arts?)(\d)`)
	gluedName      = compile(`\b(?:[Aa]rt[íi]culos?|[Aa]rts?\.?)\s?\d{1,4}(\p{Lu}{2})`)
	stressedNumber = compile(`(?i)\b(?:art[íi]culos?|arts?\.?)\s{1,3}(\*{1,3}|_{1,3}|[(\[])\d{1,4}(?:\.\d{1,2}){0,2}(\*{1,3}|_{1,3}|[)\]])`)
	italics        = compile(`</?(?:i|em)>`)
	ticked         = compile("`[^`\n]{3,900}\\s[^`\n]{3,900}`")
)

// readingOf makes the reading of a text; its error is that of a context that ended.
func readingOf(ctx context.Context, s string) (*reading, error) {
	edits := unseen(s)
	for _, p := range []*pattern{brokenWord, glued, gluedName, stressedNumber, italics, ticked} {
		err := p.each(ctx, s, func(m []int) bool {
			switch p {
			case brokenWord:
				cut := lineBreak.FindStringIndex(s[m[0]:m[1]])
				edits = append(edits, edit{from: m[0] + cut[0], to: m[0] + cut[1]})
			case glued, gluedName:
				edits = append(edits, edit{m[2], m[2], " "})
			case stressedNumber:
				edits = append(edits, edit{from: m[2], to: m[3]}, edit{from: m[4], to: m[5]})
			case italics:
				edits = append(edits, edit{m[0], m[1], "*"})
			case ticked:
				edits = append(edits, edit{m[0], m[0] + 1, "“"}, edit{m[1] - 1, m[1], "”"})
			}
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	r := &reading{text: s, whole: s}
	if len(edits) > 0 {
		slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
		r.apply(s, edits)
	}
	r.text = strings.Map(sameSign, r.text)
	return r, nil
}

// unseen finds what a reader does not see, or sees struck out.
func unseen(s string) (out []edit) {
	comments := true // some may end
	for i := 0; i < len(s); i++ {
		to := 0
		switch c := s[i]; {
		case c == '<' && strings.HasPrefix(s[i:], "<!--") && comments:
			if k := strings.Index(s[i:], "-->"); k >= 0 {
				to = i + k + 3
			} else {
				comments = false
			}
		case c == '<':
			to = hiddenTag(s, i)
		case c == '~' && strings.HasPrefix(s[i:], "~~"):
			line := s[i+2 : min(len(s), i+maxHidden)]
			if k := strings.Index(line, "~~"); k > 0 && strings.IndexByte(line[:k], '\n') < 0 {
				to = i + 2 + k + 2
			}
		case c == 0xC2 || c >= 0xE2:
			r, n := utf8.DecodeRuneInString(s[i:])
			if text.Invisible(r) && r != 0xFFFE || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 {
				to = i + n
			}
		}
		if to > i {
			out = append(out, edit{from: i, to: to})
			i = to - 1
		}
	}
	return out
}

// hiddenTag gives the end of an element of HTML that is not shown, or struck out; 0 = it is none.
func hiddenTag(s string, i int) int {
	end := strings.IndexByte(s[i:min(len(s), i+maxTag)], '>')
	if end < 3 && end != 2 {
		return 0
	}
	tag := s[i+1 : i+end]
	name, _, _ := strings.Cut(strings.ToLower(tag), " ")
	switch name {
	case "del", "s", "strike":
	default:
		if name == "" || name[0] < 'a' || name[0] > 'z' || !hides.MatchString(tag) {
			return 0
		}
	}
	rest := s[i+end : min(len(s), i+end+maxHidden)]
	k := strings.Index(strings.ToLower(rest), "</"+name)
	if k < 0 {
		return 0
	}
	shut := strings.IndexByte(rest[k:], '>')
	if shut < 0 {
		return 0
	}
	return i + end + k + shut + 1
}

// apply makes the text with its edits, which are in order.
func (r *reading) apply(s string, edits []edit) {
	var b strings.Builder
	b.Grow(len(s))
	at, points, out := 0, 0, 0 // bytes of s, and code points of the reading
	for _, e := range edits {
		if e.from < at {
			continue // within another
		}
		b.WriteString(s[at:e.from])
		points += utf8.RuneCountInString(s[at:e.from])
		if lost := utf8.RuneCountInString(s[e.from:e.to]) - utf8.RuneCountInString(e.put); lost != 0 {
			out += lost
			r.spans = append(r.spans, span{points, out})
		}
		b.WriteString(e.put)
		points += utf8.RuneCountInString(e.put)
		at = e.to
	}
	b.WriteString(s[at:])
	r.text = b.String()
}

// place puts the places of a report of the reading where they are in the text given.
func (r *reading) place(rep *Report) {
	if r.text == r.whole {
		return
	}
	whole := []rune(r.whole)
	stretch := func(start, end *int) {
		if *start < *end {
			*start, *end = r.given(*start, false), r.given(*end, true)
		}
	}
	for k := range rep.Citations {
		f := &rep.Citations[k]
		stretch(&f.Start, &f.End)
		if f.Text != "" {
			f.Text = string(whole[f.Start:min(f.End, len(whole))])
		}
		stretch(&f.QuoteStart, &f.QuoteEnd)
		if f.Claim != nil {
			stretch(&f.Claim.Start, &f.Claim.End)
		}
	}
	rep.Checked.Read = r.given(rep.Checked.Read, true)
}
