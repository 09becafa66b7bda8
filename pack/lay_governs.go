package pack

import "strings"

// Governs gives the notes of the expressions found in a question: the norms that
// govern what the street calls so, as the lexicon writes them (what follows a
// colon is a comment). In order of appearance, each once.
func (l *Lay) Governs(question string) []string {
	if l.Len() == 0 {
		return nil
	}
	words := Words(question)
	seen := map[string]bool{}
	var out []string
	for i := 0; i < len(words); {
		n, rows := l.found.longest(words, i)
		for _, r := range rows {
			note, _, _ := strings.Cut(l.Entries[r].Note, ":")
			if note = strings.TrimSpace(note); note != "" && !seen[note] {
				seen[note] = true
				out = append(out, note)
			}
		}
		i += max(1, n)
	}
	return out
}
