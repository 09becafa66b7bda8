package app

import (
	"strings"
)

// Closed ends a message with a point and begins it with a capital.
func Closed(s string) string {
	s = strings.TrimRight(s, ". ")
	if s == "" {
		return ""
	}
	if c := s[0]; c >= 'a' && c <= 'z' {
		s = string(c-'a'+'A') + s[1:]
	}
	return s + "."
}

// Unbroken keeps the sign of the currency on the line of its amount.
func Unbroken(s string) string { return strings.ReplaceAll(s, "$ ", "$\u00a0") }
