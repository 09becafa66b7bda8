package figure

import (
	"strconv"
	"strings"

	"digesto/text"
)

// Parse reads a number in digits as written in loc: "1.000.000,50", "37714.22",
// "1,131,426.60", "1 234,5". ok is false when s is none. The value is a decimal string.
//
// Two kinds of marks settle it: the last is the decimal mark. A mark that comes more
// than once separates thousands. One mark alone is the decimal mark unless exactly
// three digits follow it and loc separates thousands with it.
func Parse(s string, loc Locale) (value string, ok bool) {
	if len(s) == 0 || len(s) > 40 || s[0] < '0' || s[0] > '9' {
		return "", false
	}
	points, commas := strings.Count(s, "."), strings.Count(s, ",")
	var dec byte
	switch {
	case points > 0 && commas > 0:
		dec = s[strings.LastIndexAny(s, ".,")]
		if strings.Count(s, string(dec)) > 1 {
			return "", false
		}
	case points+commas == 1:
		mark := s[strings.IndexAny(s, ".,")]
		three := len(s)-strings.IndexByte(s, mark) == 4
		lead := strings.IndexByte(s, mark)
		if !three || mark == loc.decimal() || lead > 3 || s[0] == '0' {
			dec = mark
		}
	}
	return assemble(s, dec)
}

func (l Locale) decimal() byte {
	if l.Decimal == '.' {
		return '.'
	}
	return ','
}

// assemble drops separators of thousands, proving their groups, and writes the decimal mark as a point.
func assemble(s string, dec byte) (string, bool) {
	whole, frac := s, ""
	if dec != 0 {
		i := strings.IndexByte(s, dec)
		whole, frac = s[:i], s[i+1:]
		if frac == "" || strings.Trim(frac, "0123456789") != "" {
			return "", false
		}
	}
	groups := strings.FieldsFunc(whole, func(r rune) bool { return r == '.' || r == ',' || r == ' ' || r == '\'' })
	if strings.Trim(whole, "0123456789., '") != "" || len(groups) == 0 {
		return "", false
	}
	for i, g := range groups {
		if len(groups) > 1 && (i > 0 && len(g) != 3 || i == 0 && len(g) > 3) {
			return "", false
		}
	}
	value := strings.TrimLeft(strings.Join(groups, ""), "0")
	if value == "" {
		value = "0"
	}
	if frac != "" {
		value += "." + frac
	}
	return value, true
}

// number reads the number at token i: digits, words, and "millones" after either. exact
// says that it was written in digits or is worth reporting without a unit. next is 0 if there is none.
func (r *reader) number(i int) (value string, next int, exact bool) {
	t := r.toks[i]
	src := r.s[t.Start:t.End]
	if src[0] >= '0' && src[0] <= '9' {
		if r.partOfWord(i) {
			return "", 0, false
		}
		v, ok := Parse(src, r.loc)
		if !ok {
			return "", 0, false
		}
		v, next = r.spaced(v, src, i+1)
		v, next = r.scaled(v, next)
		return v, next, true
	}
	v, ordinal, n := text.Numeral(r.words(i))
	if n == 0 || ordinal || !r.adjacent(i, i+n) {
		return "", 0, false
	}
	value, next = strconv.Itoa(v), i+n
	if r.repeated(next, value) {
		next++ // "veinte (20)"
	}
	value, next = r.scaled(value, next)
	return value, next, false
}

// repeated reports that token i says the same number in digits within brackets: "veinte (20) días".
func (r *reader) repeated(i int, value string) bool {
	if i >= len(r.toks) || r.toks[i].Start == 0 || r.s[r.toks[i].Start-1] != '(' {
		return false
	}
	v, ok := Parse(r.s[r.toks[i].Start:r.toks[i].End], r.loc)
	return ok && (v == value || "0"+value == v || strings.TrimLeft(v, "0") == value) && r.toks[i].End < len(r.s) && r.s[r.toks[i].End] == ')'
}

// half reads "y medio", "y media" after a unit: "un mes y medio".
func (r *reader) half(i int) bool {
	return r.word(i) == "y" && (r.word(i+1) == "medio" || r.word(i+1) == "media")
}

// spaced joins groups of three digits written apart: "1 234 567".
func (r *reader) spaced(v, src string, i int) (string, int) {
	if len(src) > 3 || strings.ContainsAny(src, ".,") {
		return v, i
	}
	for i < len(r.toks) {
		t := r.toks[i]
		g := r.s[t.Start:t.End]
		whole, frac, _ := strings.Cut(strings.Replace(g, ",", ".", 1), ".")
		if gap := r.s[r.toks[i-1].End:t.Start]; gap != " " && gap != "\u00a0" && gap != "\u202f" && gap != "\u2009" || len(whole) != 3 || strings.Trim(whole+frac, "0123456789") != "" {
			break
		}
		v += whole
		i++
		if frac != "" {
			return v + "." + frac, i
		}
	}
	return v, i
}

// scaled applies "mil", "millón", "millones", "mil millones" after a number.
func (r *reader) scaled(v string, i int) (string, int) {
	for i < len(r.toks) {
		zeros := 0
		switch r.word(i) {
		case "mil", "miles":
			zeros = 3
		case "millon", "millones", "mill":
			zeros = 6
		case "billon", "billones":
			zeros = 12
		}
		if zeros == 0 || !r.adjacent(i-1, i+1) || len(v) > 24 {
			break
		}
		v, i = shift(v, zeros), i+1
	}
	return v, i
}

// shift multiplies a decimal string by ten to the n.
func shift(v string, n int) string {
	whole, frac, _ := strings.Cut(v, ".")
	for ; n > 0; n-- {
		if frac != "" {
			whole, frac = whole+frac[:1], frac[1:]
		} else {
			whole += "0"
		}
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if frac != "" {
		return whole + "." + frac
	}
	return whole
}

// partOfWord reports that the digits at token i belong to an identifier: "62-A", "39/2015", "A-12".
func (r *reader) partOfWord(i int) bool {
	t := r.toks[i]
	src := r.s[t.Start:t.End]
	if strings.ContainsAny(src, "/-") || strings.ContainsFunc(src, func(c rune) bool { return (c < '0' || c > '9') && c != '.' && c != ',' }) {
		return true
	}
	if t.Start > 0 {
		switch c := r.s[t.Start-1]; {
		case c == '/' || c == '_':
			return true
		case c == '-' && t.Start > 1 && isWordByte(r.s[t.Start-2]):
			return true
		}
	}
	return t.End+1 < len(r.s) && (r.s[t.End] == '/' || r.s[t.End] == '-') && isWordByte(r.s[t.End+1]) && r.s[t.End+1] > '9'
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// words gives up to ten folded words from token i.
func (r *reader) words(i int) []string {
	var out [10]string
	n := 0
	for k := i; k < len(r.toks) && n < len(out); k++ {
		out[n] = r.toks[k].Text
		n++
	}
	return out[:n]
}

func (r *reader) word(i int) string {
	if i < 0 || i >= len(r.toks) {
		return ""
	}
	return r.toks[i].Text
}

// adjacent reports that only white space (or an opening bracket's pair) stands between tokens from … to-1.
func (r *reader) adjacent(from, to int) bool {
	for k := from + 1; k < to && k < len(r.toks); k++ {
		if strings.TrimSpace(r.s[r.toks[k-1].End:r.toks[k].Start]) != "" && r.s[r.toks[k-1].End:r.toks[k].Start] != ") " {
			return false
		}
	}
	return true
}
