package judge

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto/text"
	"digesto/text/lazyregexp"
	"digesto/verify/read"
)

// part is a marked part of a text, from … to in code points.
type part struct {
	label    string
	From, To int
}

// PartMark begins a part: "2.", "3)", "4º", "b)", "88.4", "IV.", and within a line what ends
// with a bracket.
var PartMark = lazyregexp.New(`(?m)^[ \t«“"]*(?:\(?(\d{1,3}(?:\.\d{1,3}){1,2})[ \t.)-]|\(?(\d{1,3})[ \t]?(?:[.)º°ª-]+)|\(?([a-zñA-Z])[ \t]?(?:bis[ \t]?|ter[ \t]?)?(?:\)|\.-?[ \t]|-[ \t])|\(?([IVX]{1,5})[ \t]?[.)-])|[:;,.][ \t](?:[yo][ \t])?\(?(?:(\d{1,2})|([a-zñ]))\)`)

// wordMark begins a part that is numbered in words: "Siete. Se añade".
var wordMark = lazyregexp.New(`(?m)^[ \t]*(\p{Lu}\p{Ll}{1,14}(?: y \p{Ll}{2,6})?)\.-?[ \t]`)

// marker is the beginning of a part.
type marker struct {
	kind  read.PartKind
	label string
	n     int // its place in its row
	at    int // code points
	inner bool
}

// markersOf finds the beginnings of parts in a text.
func markersOf(s string) (out []marker) {
	count := read.CodePoints(s)
	for _, m := range PartMark.FindAllStringSubmatchIndex(s, -1) {
		for g := 1; g <= 6; g++ {
			if m[2*g] < 0 {
				continue
			}
			label := strings.ToLower(s[m[2*g]:m[2*g+1]])
			k := marker{kind: read.NumberPart, label: label, at: count(m[0]), inner: g >= 5}
			switch g {
			case 3, 6:
				r, _ := utf8.DecodeRuneInString(label)
				k.kind, k.n = read.LetterPart, int(r)
			case 4:
				k.n = read.RomanNumber(label)
				k.label = strconv.Itoa(k.n)
			default:
				k.n, _ = strconv.Atoi(label[strings.LastIndexByte(label, '.')+1:])
			}
			out = append(out, k)
		}
	}
	digits := slices.ContainsFunc(out, func(m marker) bool { return m.kind == read.NumberPart && !m.inner })
	for _, m := range wordMark.FindAllStringSubmatchIndex(s, -1) {
		words := strings.Fields(text.Fold(s[m[2]:m[3]]))
		if v, ordinal, n := text.Numeral(words); n == len(words) && v > 0 && !(ordinal && digits) { // "Segunda.", of its rules
			out = append(out, marker{kind: read.NumberPart, label: strconv.Itoa(v), n: v, at: count(m[0])})
		}
	}
	slices.SortStableFunc(out, func(a, b marker) int { return a.at - b.at })
	return out
}

// partsIn gives the parts of a label within a stretch of a text. Each ends where the next of
// its row begins; the last one of a row, with the stretch.
func partsIn(marks []marker, kind read.PartKind, label, unit string, in part) (out []part, any bool) {
	label = strings.TrimSuffix(label, "bis")
	for i, m := range marks {
		if m.at < in.From || m.at >= in.To || m.kind != kind {
			continue
		}
		any = true
		if m.label != label && m.label != unit+"."+label {
			continue
		}
		p := part{m.label, m.at, in.To}
		for k, next := range marks[i+1:] {
			if next.at >= in.To {
				break
			}
			if next.kind == kind && !next.inner && next.n > 1 && next.n < m.n && !numberedBefore(marks[i+1:i+1+k], next) {
				p.To = next.at // the row before, which goes on
				break
			}
			if next.kind == kind && (next.n == m.n+1 || follows(kind, m, next)) {
				p.To = next.at
				break
			}
		}
		out = append(out, p)
	}
	return out, any
}

// follows says whether a mark goes on with the row of another, though not right behind it:
// repealed items are left out of the law. A letter may be a number of the Romans in a row of its own.
func follows(kind read.PartKind, m, next marker) bool {
	if kind == read.NumberPart {
		return next.n == m.n+2 && strings.Contains(next.label, ".") == strings.Contains(m.label, ".")
	}
	return next.n > m.n && next.n <= 'z' && (next.n <= m.n+2 || !next.inner && !strings.Contains("ivx", next.label)) || next.n == 'ñ' && m.n == 'n' || next.n == 'o' && m.n == 'ñ'
}

// zone is where the words of a citation must stand: in one of its parts, whose lead-in may
// come before.
type zone struct {
	Parts []part
	leads []part
}

// has says whether a stretch lies in one of the parts.
func (z *zone) has(from, to int) bool {
	return slices.ContainsFunc(z.Parts, func(p part) bool { return from >= p.From && to <= p.To })
}

// leads says whether a stretch lies in what all the parts share.
func (z *zone) shared(from, to int) bool {
	return slices.ContainsFunc(z.leads, func(p part) bool { return from >= p.From && to <= p.To })
}

// What became of the parts that a citation names.
type ZoneState uint8

const (
	ZoneFound   ZoneState = iota
	ZoneNone              // it names none
	ZoneMissing           // the unit marks its parts, and has no such one
	ZoneUnread            // it cannot be told which is meant
)

// ZoneOf finds the parts that a citation names in the text of a unit.
func ZoneOf(detail, unit, s string) (*zone, ZoneState) {
	if strings.TrimSpace(detail) == "" {
		return nil, ZoneNone
	}
	levels, ok := read.LevelsOf(detail)
	if !ok {
		return nil, ZoneUnread
	}
	order := func(l read.Level) int {
		if l.End {
			return 9
		}
		return int(l.Kind)
	}
	slices.SortStableFunc(levels, func(a, b read.Level) int { return order(a) - order(b) })
	marks := markersOf(s)
	whole := part{"", 0, utf8.RuneCountInString(s)}
	z, state := descend(s, marks, unit, levels, whole)
	if state != ZoneFound && len(levels) > 1 && levels[0].Kind == read.NumberPart && levels[1].Kind == read.LetterPart { // "b.1"
		levels[0], levels[1] = levels[1], levels[0]
		if other, now := descend(s, marks, unit, levels, whole); now == ZoneFound {
			return other, now
		}
	}
	return z, state
}

func descend(s string, marks []marker, unit string, levels []read.Level, whole part) (*zone, ZoneState) {
	z := &zone{Parts: []part{whole}}
	for _, l := range levels {
		var next []part
		any := false
		for _, in := range z.Parts {
			for _, v := range l.Values {
				if l.Kind == read.ParagraphPart {
					got, has := paragraphsIn(s, marks, in, v)
					next, any = append(next, got...), any || has
					continue
				}
				got, has := partsIn(marks, l.Kind, v, unit, in)
				if len(got) == 0 && l.Kind == read.NumberPart && strings.Contains(v, ".") { // "2.1" by its levels
					outer, inner, _ := strings.Cut(v, ".")
					up, _ := partsIn(marks, l.Kind, outer, unit, in)
					for _, p := range up {
						more, _ := partsIn(marks, l.Kind, inner, unit, part{"", p.From + 1, p.To})
						got = append(got, more...)
					}
				}
				if len(got) == 0 && !has && l.Kind == read.NumberPart { // no numbers at all: paragraphs are counted
					got, has = paragraphsIn(s, marks, in, v)
				}
				next, any = append(next, got...), any || has
			}
			if first := slices.IndexFunc(marks, func(m marker) bool { return m.kind == l.Kind && m.at >= in.From && m.at < in.To }); first >= 0 && l.Kind != read.ParagraphPart {
				from := in.From
				if marks[first].at > from {
					z.leads = append(z.leads, part{"", from, marks[first].at})
				}
			}
		}
		if len(next) == 0 {
			if any {
				return z, ZoneMissing
			}
			return z, ZoneUnread
		}
		z.Parts = next
	}
	return z, ZoneFound
}

// paragraphsIn gives a paragraph of a stretch by its number, counted with the items of its
// lists or without them; of a stretch of one line, its sentences may be meant.
func paragraphsIn(s string, marks []marker, in part, value string) (out []part, any bool) {
	n, err := strconv.Atoi(value)
	if err != nil {
		return nil, false
	}
	lines := linesIn([]rune(s), in)
	item := func(p part) bool {
		return p.From > in.From && slices.ContainsFunc(marks, func(m marker) bool {
			return m.at >= p.From && m.at < p.From+2 && !m.inner && (m.kind == read.LetterPart || in.label != "")
		})
	}
	var plain []part
	for _, p := range lines {
		if len(plain) > 0 && item(p) {
			plain[len(plain)-1].To = p.To
			continue
		}
		plain = append(plain, p)
	}
	counts := [][]part{lines, plain}
	if len(lines) == 1 {
		counts = append(counts, sentencesIn([]rune(s), in))
	}
	for _, list := range counts {
		k := n - 1
		if n < 0 {
			k = len(list) + n
		}
		if k >= 0 && k < len(list) {
			out = append(out, list[k])
		}
	}
	return out, true
}

// linesIn gives the paragraphs of a stretch. A line that ends within a sentence goes on.
func linesIn(r []rune, in part) (out []part) {
	for at := in.From; at < in.To; {
		end := min(read.LineEnd(r, at), in.To)
		if strings.TrimSpace(string(r[at:end])) != "" {
			if n := len(out); n > 0 && unicode.IsLower(read.FirstLetter(r[at:end])) && !strings.ContainsRune(".:;)»”\"", lastSign(r[out[n-1].From:out[n-1].To])) {
				out[n-1].To = end
			} else {
				out = append(out, part{"", at, end})
			}
		}
		at = end + 1
	}
	return out
}

func lastSign(r []rune) rune {
	for k := len(r) - 1; k >= 0; k-- {
		if !unicode.IsSpace(r[k]) {
			return r[k]
		}
	}
	return 0
}

// sentencesIn gives the sentences of a stretch.
func sentencesIn(r []rune, in part) (out []part) {
	from := in.From
	for i := in.From; i < in.To; i++ {
		if read.Stops(r, i) {
			out = append(out, part{"", from, i + 1})
			from = i + 1
		}
	}
	if strings.TrimSpace(string(r[min(from, in.To):in.To])) != "" {
		out = append(out, part{"", from, in.To})
	}
	return out
}

// Innermost names the innermost marked part of a unit in which a place lies; "" = in none.
func Innermost(s string, at int) string {
	number, letter := "", ""
	for _, m := range markersOf(s) {
		if m.at > at {
			break
		}
		if m.kind == read.NumberPart {
			number, letter = m.label, ""
		} else {
			letter = m.label
		}
	}
	out := ""
	if number != "" {
		out = " apartado " + number
	}
	if letter != "" {
		out += " letra " + letter + ")"
	}
	return out
}
