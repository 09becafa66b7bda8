package app

import (
	"digesto"
	"digesto/packs/jus"
	sentences "digesto/text/sentence"
	"digesto/verify"
)

// LawQuote gives the words of an article of the law that fixes the fees, as it is
// installed on a day; ok is false where it is not.
type LawQuote func(unit, words string) (quote string, ok bool)

// FeeLaw quotes the law from what is installed.
func FeeLaw(a *App, w *Workspace, on func() digesto.Date) LawQuote {
	return func(unit, words string) (string, bool) {
		snap, err := a.Snapshot(w)
		if err != nil {
			return "", false
		}
		defer snap.Close()
		v, err := snap.Text(jus.Law, unit, on())
		if err != nil {
			return "", false
		}
		from, to, ok := sentences.Around(v.Text, words, verify.MaxQuote)
		return v.Text[from:to], ok
	}
}

// Quoted puts the words of the law in the place of the rows of our table that stand for them.
func (law LawQuote) Quoted(sources []jus.Source) []jus.Source {
	out := make([]jus.Source, 0, len(sources))
	for _, s := range sources {
		if s.Law != "" && law != nil {
			if q, ok := law(s.Law, s.Words); ok {
				s.Norm, s.Unit, s.Text = jus.Law, s.Law, "«"+q+"» ("+jus.LawName+", artículo "+ArticleOf(s.Law)+")"
			}
		}
		out = append(out, s)
	}
	return out
}

// ArticleOf is the number of an article by its id: "76 bis" of "a76bis".
func ArticleOf(unit string) string {
	n := unit[1:]
	for i, c := range n {
		if c < '0' || c > '9' {
			return n[:i] + " " + n[i:]
		}
	}
	return n
}
