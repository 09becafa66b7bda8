package verify

import (
	"crypto/sha256"
	"encoding/hex"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
)

// Library is what a citation is proved against: *corpus.Snapshot is one.
type Library interface {
	Norm(id string) (digesto.Norm, bool)
	Unit(norm, unit string) (digesto.Unit, bool)
}

// Verdict is what a proof of a citation found; "" means proved.
type Verdict string

// The verdicts against a citation.
const (
	Proved         Verdict = ""
	NoReference    Verdict = "no_reference" // the citation names no place
	NoNorm         Verdict = "no_norm"      // the document is not installed
	NoUnit         Verdict = "no_unit"      // the document has no such unit
	NoVersion      Verdict = "no_version"   // the unit has no such version
	NotInForce     Verdict = "not_in_force" // the version is not in force on the day asked
	OtherText      Verdict = "other_text"   // the version's text is not the one that was hashed
	OutOfText      Verdict = "out_of_text"  // the offsets are not within the text
	NotVerbatim    Verdict = "not_verbatim" // the text at the offsets is another
	WrongSource    Verdict = "wrong_source" // the named document is not the one that holds the text
	WrongPage      Verdict = "wrong_page"   // the text stands on another page
	WrongLength    Verdict = "wrong_length" // not 20–500 characters
	WrongLegalDate Verdict = "wrong_dates"  // the dates named are not those of the version
)

// Quote proves a citation against the stored text: the place exists, the
// version is the one hashed and may be quoted on asOf (empty = as current law),
// and the quotation is, code point by code point, the text at its offsets, on
// its page, in its document.
func Quote(c digesto.Citation, lib Library, asOf digesto.Date) Verdict {
	r := c.Ref
	if r == nil {
		return NoReference
	}
	norm, ok := lib.Norm(r.Document)
	if !ok {
		return NoNorm
	}
	unit, ok := lib.Unit(r.Document, r.Unit)
	if !ok {
		return NoUnit
	}
	v, ok := version(norm, unit, r.Version)
	if !ok {
		return NoVersion
	}
	return proveAt(c, Ground{Norm: norm, Unit: unit, Version: v}, asOf)
}

func proveAt(c digesto.Citation, g Ground, asOf digesto.Date) Verdict {
	r := c.Ref
	if !g.Citable(asOf) {
		return NotInForce
	}
	if r.SHA256 != Sum(g.Version.Text) {
		return OtherText
	}
	text, ok := Slice(g.Version.Text, r.Start, r.End)
	if !ok {
		return OutOfText
	}
	if text != c.Quote {
		return NotVerbatim
	}
	if c.Source != g.Norm.Source && !named(g, c.Source) {
		return WrongSource
	}
	if !same(c.Page, g.Page(r.Start)) {
		return WrongPage
	}
	if !same(r.ValidFrom, day(g.Version.ValidFrom)) || !same(r.ValidTo, day(g.Version.ValidTo)) {
		return WrongLegalDate
	}
	if n := r.End - r.Start; n < MinQuote || n > MaxQuote {
		return WrongLength
	}
	return Proved
}

// version finds a version, with the bounds that its norm and its neighbours prove.
func version(n digesto.Norm, u digesto.Unit, id string) (digesto.Version, bool) {
	for i, v := range u.Versions {
		if v.ID == id {
			return corpus.Proven(n, u, i), true
		}
	}
	return digesto.Version{}, false
}

func same[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// Sum is the SHA-256 of a text, in hexadecimal: what Ref.SHA256 holds.
func Sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:])
}

// Slice gives code points [start, end) of a text; ok is false when they are not
// within it.
func Slice(text string, start, end int) (string, bool) {
	if start < 0 || end < start {
		return "", false
	}
	from, n := -1, 0
	for i := range text {
		if n == start {
			from = i
		}
		if n == end {
			return text[from:i], true
		}
		n++
	}
	if n == start {
		from = len(text)
	}
	if n == end && from >= 0 {
		return text[from:], true
	}
	return "", false
}

func runes(s string) int { return utf8.RuneCountInString(s) }
