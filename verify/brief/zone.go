package brief

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto/text"
)

// Kinds of parts of a unit.
type partKind uint8

const (
	numberPart partKind = iota
	letterPart
	paragraphPart
)

// level is one level of what a citation names below its unit: numbers, letters or paragraphs.
type level struct {
	kind   partKind
	values []string // labels as they are, folded; of paragraphs their numbers, "-1" = the last
	end    bool     // "in fine": the end of it
}

// part is a marked part of a text, from … to in code points.
type part struct {
	label    string
	from, to int
}

// words of parts, folded, by the kind of their labels.
var partWords = map[string]partKind{"apartado": numberPart, "ap": numberPart, "apdo": numberPart, "apto": numberPart, "inciso": numberPart, "inc": numberPart, "numeral": numberPart, "num": numberPart,
	"numero": numberPart, "punto": numberPart, "pto": numberPart, "regla": numberPart, "ordinal": numberPart, "ord": numberPart, "n": numberPart, "nro": numberPart, "supuesto": numberPart,
	"letra": letterPart, "let": letterPart, "lit": letterPart, "literal": letterPart, "parrafo": paragraphPart, "parr": paragraphPart, "par": paragraphPart}

// levelToken is a word, number or letter of what a citation names below its unit.
var levelToken = regexp.MustCompile(`\d{1,3}(?:\.\d{1,3})*|\p{L}+`)

// levelsOf reads what a citation names below its unit: "2.b)", "apartados 1 a 3", "letra k)
// del apartado primero", "párrafo segundo in fine". ok is false for what is not understood.
func levelsOf(detail string) (out []level, ok bool) {
	s := text.Fold(detail)
	kind, named := numberPart, false // of the word for a part before
	var last *level
	put := func(k partKind, v string, joined bool) {
		if joined && last != nil && last.kind == k && !last.end {
			last.values = append(last.values, v)
			return
		}
		out = append(out, level{kind: k, values: []string{v}})
		last = &out[len(out)-1]
	}
	joined := false
	toks := levelToken.FindAllStringIndex(s, -1)
	word := func(i int) string {
		if i < 0 || i >= len(toks) {
			return ""
		}
		return s[toks[i][0]:toks[i][1]]
	}
	partOf := func(w string) (partKind, bool) {
		k, ok := partWords[strings.TrimSuffix(strings.TrimSuffix(w, "es"), "s")]
		if !ok {
			k, ok = partWords[w]
		}
		return k, ok && len(w) > 1
	}
	for i := 0; i < len(toks); i++ {
		w := word(i)
		closed := toks[i][1] < len(s) && s[toks[i][1]] == ')'
		value := last != nil && i > 0
		if k, is := partOf(w); is {
			kind, named, joined = k, true, false
			continue
		}
		switch {
		case w == "in" && word(i+1) == "fine":
			out = append(out, level{kind: paragraphPart, values: []string{"-1"}, end: true})
			i++
		case w == "fine" || w == "del" || w == "de" || w == "la" || w == "el" || w == "los" || w == "las" || w == "en" || w == "su" || w == "al":
			joined = false
		case value && (w == "y" || w == "e" || w == "o" || w == "a") && !closed && i+1 < len(toks) && !(w == "a" && named && last == nil):
			if w == "a" && unicode.IsDigit(rune(word(i + 1)[0])) && len(last.values) > 0 {
				lo, _ := strconv.Atoi(last.values[len(last.values)-1])
				hi, err := strconv.Atoi(word(i + 1))
				for n := lo + 1; err == nil && n <= hi && n < lo+100; n++ {
					last.values = append(last.values, strconv.Itoa(n))
				}
				i++
			}
			joined = true
		case unicode.IsDigit(rune(w[0])):
			k := numberPart
			if named && kind == paragraphPart {
				k = kind
			}
			put(k, w, joined || value && toks[i][0] > 1 && s[toks[i][0]-2:toks[i][0]] == ", " && last.kind == k && !named)
			joined, named = false, false
		case len(w) == 1 || len(w) == 2 && w == "ñ":
			put(letterPart, w, joined)
			joined, named = false, false
		case suffixed(w) && last != nil && len(last.values) > 0:
			last.values[len(last.values)-1] += w
		default:
			v, n := ordinal(w)
			if !n {
				if r := romanNumber(w); r > 0 && named {
					v, n = strconv.Itoa(r), true
				}
			}
			if !n {
				return nil, false
			}
			k := kind
			if next, is := partOf(word(i + 1)); is && !named {
				k = next
				i++
			} else if !named && last == nil {
				return nil, false
			}
			if k == letterPart {
				k = numberPart
			}
			put(k, v, joined)
			joined, named = false, false
		}
	}
	return out, len(out) > 0
}

// ordinal reads the ordinals by which parts are counted; "-1" is the last one.
func ordinal(w string) (string, bool) {
	switch {
	case strings.HasPrefix(w, "ultim") || w == "final":
		return "-1", true
	case strings.HasPrefix(w, "penultim"):
		return "-2", true
	case w == "unico" || w == "unica":
		return "1", true
	}
	if v, is, n := text.Numeral([]string{w}); n == 1 && (is || v < 100) {
		return strconv.Itoa(v), true
	}
	return "", false
}

func suffixed(w string) bool { return w == "bis" || w == "ter" || w == "quater" || w == "quinquies" }

// romanNumber gives the value of a Roman numeral, 0 = it is none.
func romanNumber(w string) int {
	v, prev := 0, 0
	for i := len(w) - 1; i >= 0; i-- {
		k := strings.IndexByte("ivxlcdm", w[i]|0x20)
		if k < 0 {
			return 0
		}
		n := []int{1, 5, 10, 50, 100, 500, 1000}[k]
		if n < prev {
			v -= n
		} else {
			v, prev = v+n, n
		}
	}
	return v
}

// partMark begins a part: "2.", "3)", "4º", "b)", "88.4", "IV.", and within a line what ends
// with a bracket.
var partMark = regexp.MustCompile(`(?m)^[ \t«“"]*(?:\(?(\d{1,3}(?:\.\d{1,3}){1,2})[ \t.)-]|\(?(\d{1,3})[ \t]?(?:[.)º°ª-]+)|\(?([a-zñA-Z])[ \t]?(?:bis[ \t]?|ter[ \t]?)?(?:\)|\.-?[ \t]|-[ \t])|\(?([IVX]{1,5})[ \t]?[.)-])|[:;,.][ \t](?:[yo][ \t])?\(?(?:(\d{1,2})|([a-zñ]))\)`)

// wordMark begins a part that is numbered in words: "Siete. Se añade".
var wordMark = regexp.MustCompile(`(?m)^[ \t]*(\p{Lu}\p{Ll}{1,14}(?: y \p{Ll}{2,6})?)\.-?[ \t]`)

// marker is the beginning of a part.
type marker struct {
	kind  partKind
	label string
	n     int // its place in its row
	at    int // code points
	inner bool
}

// markersOf finds the beginnings of parts in a text.
func markersOf(s string) (out []marker) {
	count := codePoints(s)
	for _, m := range partMark.FindAllStringSubmatchIndex(s, -1) {
		for g := 1; g <= 6; g++ {
			if m[2*g] < 0 {
				continue
			}
			label := strings.ToLower(s[m[2*g]:m[2*g+1]])
			k := marker{kind: numberPart, label: label, at: count(m[0]), inner: g >= 5}
			switch g {
			case 3, 6:
				r, _ := utf8.DecodeRuneInString(label)
				k.kind, k.n = letterPart, int(r)
			case 4:
				k.n = romanNumber(label)
				k.label = strconv.Itoa(k.n)
			default:
				k.n, _ = strconv.Atoi(label[strings.LastIndexByte(label, '.')+1:])
			}
			out = append(out, k)
		}
	}
	digits := slices.ContainsFunc(out, func(m marker) bool { return m.kind == numberPart && !m.inner })
	for _, m := range wordMark.FindAllStringSubmatchIndex(s, -1) {
		words := strings.Fields(text.Fold(s[m[2]:m[3]]))
		if v, ordinal, n := text.Numeral(words); n == len(words) && v > 0 && !(ordinal && digits) { // "Segunda.", of its rules
			out = append(out, marker{kind: numberPart, label: strconv.Itoa(v), n: v, at: count(m[0])})
		}
	}
	slices.SortStableFunc(out, func(a, b marker) int { return a.at - b.at })
	return out
}

// partsIn gives the parts of a label within a stretch of a text. Each ends where the next of
// its row begins; the last one of a row, with the stretch.
func partsIn(marks []marker, kind partKind, label, unit string, in part) (out []part, any bool) {
	label = strings.TrimSuffix(label, "bis")
	for i, m := range marks {
		if m.at < in.from || m.at >= in.to || m.kind != kind {
			continue
		}
		any = true
		if m.label != label && m.label != unit+"."+label {
			continue
		}
		p := part{m.label, m.at, in.to}
		for k, next := range marks[i+1:] {
			if next.at >= in.to {
				break
			}
			if next.kind == kind && !next.inner && next.n > 1 && next.n < m.n && !numberedBefore(marks[i+1:i+1+k], next) {
				p.to = next.at // the row before, which goes on
				break
			}
			if next.kind == kind && (next.n == m.n+1 || kind == letterPart && (next.n == 'ñ' && m.n == 'n' || next.n == 'o' && m.n == 'ñ' || next.n == m.n+2) && next.n <= 'z' || kind == numberPart && strings.Contains(next.label, ".") == strings.Contains(m.label, ".") && next.n == m.n+2) {
				p.to = next.at
				break
			}
		}
		out = append(out, p)
	}
	return out, any
}

// zone is where the words of a citation must stand: in one of its parts, whose lead-in may
// come before.
type zone struct {
	parts []part
	leads []part
	said  string // the parts as people say them
}

// has says whether a stretch lies in one of the parts.
func (z *zone) has(from, to int) bool {
	return slices.ContainsFunc(z.parts, func(p part) bool { return from >= p.from && to <= p.to })
}

// leads says whether a stretch lies in what all the parts share.
func (z *zone) shared(from, to int) bool {
	return slices.ContainsFunc(z.leads, func(p part) bool { return from >= p.from && to <= p.to })
}

// What became of the parts that a citation names.
type zoneState uint8

const (
	zoneFound   zoneState = iota
	zoneNone              // it names none
	zoneMissing           // the unit marks its parts, and has no such one
	zoneUnread            // it cannot be told which is meant
)

// zoneOf finds the parts that a citation names in the text of a unit.
func zoneOf(detail, unit, s string) (*zone, zoneState) {
	if strings.TrimSpace(detail) == "" {
		return nil, zoneNone
	}
	levels, ok := levelsOf(detail)
	if !ok {
		return nil, zoneUnread
	}
	order := func(l level) int {
		if l.end {
			return 9
		}
		return int(l.kind)
	}
	slices.SortStableFunc(levels, func(a, b level) int { return order(a) - order(b) })
	marks := markersOf(s)
	whole := part{"", 0, utf8.RuneCountInString(s)}
	z, state := descend(s, marks, unit, levels, whole)
	if state != zoneFound && len(levels) > 1 && levels[0].kind == numberPart && levels[1].kind == letterPart { // "b.1"
		levels[0], levels[1] = levels[1], levels[0]
		if other, now := descend(s, marks, unit, levels, whole); now == zoneFound {
			return other, now
		}
	}
	return z, state
}

func descend(s string, marks []marker, unit string, levels []level, whole part) (*zone, zoneState) {
	z := &zone{parts: []part{whole}}
	for _, l := range levels {
		var next []part
		any := false
		for _, in := range z.parts {
			for _, v := range l.values {
				if l.kind == paragraphPart {
					got, has := paragraphsIn(s, marks, in, v)
					next, any = append(next, got...), any || has
					continue
				}
				got, has := partsIn(marks, l.kind, v, unit, in)
				if len(got) == 0 && l.kind == numberPart && strings.Contains(v, ".") { // "2.1" by its levels
					outer, inner, _ := strings.Cut(v, ".")
					up, _ := partsIn(marks, l.kind, outer, unit, in)
					for _, p := range up {
						more, _ := partsIn(marks, l.kind, inner, unit, part{"", p.from + 1, p.to})
						got = append(got, more...)
					}
				}
				if len(got) == 0 && !has && l.kind == numberPart { // no numbers at all: paragraphs are counted
					got, has = paragraphsIn(s, marks, in, v)
				}
				next, any = append(next, got...), any || has
			}
			if first := slices.IndexFunc(marks, func(m marker) bool { return m.kind == l.kind && m.at >= in.from && m.at < in.to }); first >= 0 && l.kind != paragraphPart {
				from := in.from
				if marks[first].at > from {
					z.leads = append(z.leads, part{"", from, marks[first].at})
				}
			}
			if l.kind == letterPart { // or the lead-in of its own list, behind another
				for _, p := range next {
					if from, ok := leadOf(s, marks, in, p.from); ok {
						z.leads = append(z.leads, part{"", from, p.from})
					}
				}
			}
		}
		z.said += saidOf(l)
		if len(next) == 0 {
			if any {
				return z, zoneMissing
			}
			return z, zoneUnread
		}
		z.parts = next
	}
	return z, zoneFound
}

// leadOf gives where the paragraph begins that leads in the list in which a part stands.
func leadOf(s string, marks []marker, in part, at int) (int, bool) {
	first := -1
	for _, m := range marks {
		if m.at >= in.from && m.at <= at && m.kind == letterPart && (m.label == "a" || first < 0) {
			first = m.at
		}
	}
	if first <= in.from {
		return 0, false
	}
	r := []rune(s)
	k := first - 1
	for k > in.from && (r[k] == '\n' || r[k] == ' ') {
		k--
	}
	for k > in.from && r[k] != '\n' {
		k--
	}
	// what is between the first item and this one is no lead-in
	if first < at {
		return 0, false
	}
	return k, true
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
		return p.from > in.from && slices.ContainsFunc(marks, func(m marker) bool {
			return m.at >= p.from && m.at < p.from+2 && !m.inner && (m.kind == letterPart || in.label != "")
		})
	}
	var plain []part
	for _, p := range lines {
		if len(plain) > 0 && item(p) {
			plain[len(plain)-1].to = p.to
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
	for at := in.from; at < in.to; {
		end := min(lineEnd(r, at), in.to)
		if strings.TrimSpace(string(r[at:end])) != "" {
			if n := len(out); n > 0 && unicode.IsLower(firstLetter(r[at:end])) && !strings.ContainsRune(".:;)»”\"", lastSign(r[out[n-1].from:out[n-1].to])) {
				out[n-1].to = end
			} else {
				out = append(out, part{"", at, end})
			}
		}
		at = end + 1
	}
	return out
}

func firstLetter(r []rune) rune {
	for _, x := range r {
		if !unicode.IsSpace(x) {
			return x
		}
	}
	return 0
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
	from := in.from
	for i := in.from; i < in.to; i++ {
		if stops(r, i) {
			out = append(out, part{"", from, i + 1})
			from = i + 1
		}
	}
	if strings.TrimSpace(string(r[min(from, in.to):in.to])) != "" {
		out = append(out, part{"", from, in.to})
	}
	return out
}

// saidOf gives a level as people say it.
func saidOf(l level) string {
	all := strings.Join(l.values, ", ")
	switch {
	case l.end:
		return " in fine"
	case l.kind == letterPart:
		return " letra " + strings.Join(l.values, "), ") + ")"
	case l.kind == paragraphPart && l.values[0] == "-1":
		return " último párrafo"
	case l.kind == paragraphPart:
		return " párrafo " + all
	}
	return " apartado " + all
}

// innermost names the innermost marked part of a unit in which a place lies; "" = in none.
func innermost(s string, at int) string {
	number, letter := "", ""
	for _, m := range markersOf(s) {
		if m.at > at {
			break
		}
		if m.kind == numberPart {
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
