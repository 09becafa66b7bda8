package figure

import (
	"fmt"
	"strings"

	"digesto/text/lazyregexp"
)

var (
	writtenDay    = lazyregexp.New(`^\s*(\d{1,2})([/.-])(\d{1,2})([/.-])(\d{4})\s*$`)
	writtenAmount = lazyregexp.New(`^\s*\d{1,3}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})\s*$`)
)

// WrittenDay is a day as people write it (31/12/2025) in the form that programs read; what is
// none stays as it is, for who reads it to say what is wrong.
func WrittenDay(s string) string {
	m := writtenDay.FindStringSubmatch(s)
	if m == nil || m[2] != m[4] {
		return s
	}
	return fmt.Sprintf("%s-%02s-%02s", m[5], m[3], m[1])
}

// WrittenAmount is a number as people write it (1.800,50) without the points between thousands.
// One point and no comma may be either, and stays.
func WrittenAmount(s string) string {
	if !writtenAmount.MatchString(s) {
		return s
	}
	return strings.TrimSpace(strings.ReplaceAll(s, ".", ""))
}

var decimalString = lazyregexp.New(`^-?\d+(?:\.\d+)?$`)

// Spanish writes a decimal string (1234.5) with a comma and points between thousands;
// what is none stays as it is.
func Spanish(s string) string {
	if !decimalString.MatchString(s) {
		return s
	}
	whole, frac, ok := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "." + whole[i:]
	}
	if ok {
		whole += "," + frac
	}
	return s[:strings.Count(s, "-")] + whole
}
