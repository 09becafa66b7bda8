package main

import (
	"digesto"
	"digesto/packs/jus"
	sentences "digesto/text/sentence"
	"digesto/verify"
)

// lawQuote gives the words of an article of the law that fixes the fees, as it is
// installed on a day; ok is false where it is not.
type lawQuote func(unit, words string) (quote string, ok bool)

// feeLaw quotes the law from what is installed.
func feeLaw(a *app, w *world, on func() digesto.Date) lawQuote {
	return func(unit, words string) (string, bool) {
		snap, err := a.snapshot(w)
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

// withLaw quotes the law in the sources of a result, if it is installed.
func (a *app) withLaw(r *jus.Result) {
	l, err := a.openLaws()
	if err != nil || l.lib == nil {
		return
	}
	defer l.close()
	r.Sources = feeLaw(a, &world{laws: l}, a.today).quoted(r.Sources)
}

// quoted puts the words of the law in the place of the rows of our table that stand for them.
func (law lawQuote) quoted(sources []jus.Source) []jus.Source {
	out := make([]jus.Source, 0, len(sources))
	for _, s := range sources {
		if s.Law != "" && law != nil {
			if q, ok := law(s.Law, s.Words); ok {
				s.Norm, s.Unit, s.Text = jus.Law, s.Law, "«"+q+"» ("+jus.LawName+", artículo "+articleOf(s.Law)+")"
			}
		}
		out = append(out, s)
	}
	return out
}

// articleOf is the number of an article by its id: "76 bis" of "a76bis".
func articleOf(unit string) string {
	n := unit[1:]
	for i, c := range n {
		if c < '0' || c > '9' {
			return n[:i] + " " + n[i:]
		}
	}
	return n
}
