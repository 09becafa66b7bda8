package app

import (
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/pack"
)

// NormCompleteness compares an expected norm with what is installed.
type NormCompleteness struct {
	ID        string       `json:"id"`
	Title     string       `json:"title"`
	Installed bool         `json:"installed"`
	Articles  int          `json:"articles"`           // found
	Expected  int          `json:"expected,omitempty"` // stated by the pack; 0 = not stated
	TextAsOf  digesto.Date `json:"text_as_of,omitempty"`
	Damaged   bool         `json:"damaged,omitempty"`  // its stored text cannot be read to the end
	Doubtful  int          `json:"doubtful,omitempty"` // articles with words of another norm or of a day before a known change
	Complete  bool         `json:"complete"`           // installed, with at least as many articles as are expected of it and none doubtful
}

// completeness looks at every norm that a pack expects.
func completeness(snap *corpus.Snapshot, sources []pack.Source) ([]NormCompleteness, error) {
	out := []NormCompleteness{}
	for _, s := range sources {
		c := NormCompleteness{ID: s.ID, Title: s.Title, Expected: s.Articles}
		n, ok := snap.Norm(s.ID)
		if c.Installed = ok; ok {
			c.TextAsOf = n.TextAsOf
			for u, err := range snap.All(n.ID) {
				if c.Damaged = digesto.CodeOf(err) == digesto.CodeCheck; c.Damaged {
					break
				}
				if err != nil {
					return nil, err
				}
				if u.Kind == digesto.KindArticle && !strings.Contains(u.ID, "~") {
					c.Articles++
					if doubtful(u) {
						c.Doubtful++
					}
				}
			}
			c.Complete = !c.Damaged && c.Expected > 0 && c.Articles >= c.Expected && c.Doubtful == 0
		}
		out = append(out, c)
	}
	return out, nil
}

// doubtful says that a unit has words that are not its own, or that lack a change
// which is known.
func doubtful(u digesto.Unit) bool {
	return slices.ContainsFunc(u.Versions, func(v digesto.Version) bool {
		_, foreign := v.Foreign()
		return foreign || v.Current && len(v.Unseen) > 0
	})
}
