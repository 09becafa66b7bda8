// Package publisher has the lists of what publishers print around a law.
package publisher

import (
	_ "embed"
	"encoding/json"
	"strings"

	"digesto/text/lazyregexp"
)

// What publishers print around a law is data: publishers.json, where each list says what
// it means. Words are folded to small letters without accents; patterns are regular
// expressions for texts as printed.

//go:embed publishers.json
var file []byte

// Words say how lines begin, folded.
type Words struct {
	Words []string `json:"words"`
}

// Begin says whether a folded line begins with one of the words.
func (w Words) Begin(folded string) bool {
	for _, p := range w.Words {
		if strings.HasPrefix(folded, p) {
			return true
		}
	}
	return false
}

type patterns struct {
	Patterns []string `json:"patterns"`
}

// within gives the patterns as alternatives between two others.
func (p patterns) within(before, after string) *lazyregexp.Regexp {
	return lazyregexp.New(before + strings.Join(p.Patterns, "|") + after)
}

var lists = mustRead()

// The lists of the file, whose meaning stands there.
var (
	Lines    = lists.Lines
	Anywhere = lists.Anywhere
	Footers  = lists.Footers
	Appendix = lists.Appendix
	Notes    = lists.Notes

	Calls    = lists.Calls.within(`\s*(?:\(\*{1,4}\)\s*)?(?:`, `)(\pL?)`) // with what may be glued to them
	Bylines  = lists.Bylines.within(`^(?:`, `)`)
	Closings = lists.Closings.within(`^(?:`, `)`)
	Links    = lists.Links.within(`^(?:`, `)$`)

	former = lists.Former.within(`^(?:`, `)`)
)

type publishers struct {
	Lines    Words    `json:"lines"`
	Anywhere Words    `json:"anywhere"`
	Footers  Words    `json:"footers"`
	Appendix Words    `json:"appendix"`
	Notes    Words    `json:"notes"`
	Calls    patterns `json:"calls"`
	Bylines  patterns `json:"bylines"`
	Closings patterns `json:"closings"`
	Former   patterns `json:"former"`
	Links    patterns `json:"links"`
}

func mustRead() (p publishers) {
	if err := json.Unmarshal(file, &p); err != nil {
		panic("publishers.json: " + err.Error())
	}
	return p
}

// FormerLabel says whether a text begins with the label of a box that repeats a former
// wording, and what follows it.
func FormerLabel(s string) (rest string, ok bool) {
	s = strings.TrimLeft(s, " .:()«»\"*")
	at := former.FindStringIndex(s)
	if at == nil {
		return "", false
	}
	return strings.TrimLeft(s[at[1]:], " .:()«»\"*"), true
}
