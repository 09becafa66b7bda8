package app

import (
	"strings"
)

// Sentence ends a text with a full stop.
func Sentence(s string) string { return strings.TrimSuffix(s, ".") + "." }
