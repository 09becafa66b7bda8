package digest

import (
	"slices"

	"digesto"
	"digesto/corpus"
)

// Over is installed law as entries are held against it.
func Over(s *corpus.Snapshot) Held { return held{s} }

type held struct{ *corpus.Snapshot }

func (h held) Installed(norm string) bool {
	_, ok := h.Norm(norm)
	return ok
}

func (h held) Current(norm, unit string) (string, bool) {
	v, err := h.Text(norm, unit, "")
	return v.Text, err == nil
}

func (h held) Units(norm string) (n int) {
	for u := range h.Snapshot.Units(norm) {
		if !u.Amending && slices.ContainsFunc(u.Versions, func(v digesto.Version) bool { return v.Current && v.Text != "" }) {
			n++
		}
	}
	return n
}
