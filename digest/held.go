package digest

import (
	"slices"

	"digesto"
	"digesto/corpus"
)

// Over is installed law as entries are held against it, with what packs carry of their own after it.
func Over(list ...*corpus.Snapshot) Held { return held(list) }

type held []*corpus.Snapshot

// of is the one that has a norm; nil = none.
func (h held) of(norm string) *corpus.Snapshot {
	for _, s := range h {
		if _, ok := s.Norm(norm); ok {
			return s
		}
	}
	return nil
}

func (h held) Installed(norm string) bool {
	return h.of(norm) != nil
}

func (h held) Current(norm, unit string) (string, bool) {
	s := h.of(norm)
	if s == nil {
		return "", false
	}
	v, err := s.Text(norm, unit, "")
	return v.Text, err == nil
}

func (h held) Units(norm string) (n int) {
	s := h.of(norm)
	if s == nil {
		return 0
	}
	for u := range s.Units(norm) {
		if !u.Amending && slices.ContainsFunc(u.Versions, func(v digesto.Version) bool { return v.Current && v.Text != "" }) {
			n++
		}
	}
	return n
}
