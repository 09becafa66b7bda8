package query

import (
	"slices"
	"strings"

	"digesto"
	"digesto/digest"
	"digesto/pack"
	"digesto/text/lazyregexp"
)

// Searched is the text that a search takes.
func (i Intent) Searched() string {
	if strings.TrimSpace(i.Struck) == "" {
		return i.Text
	}
	return i.Struck
}

// LawCollections are the collections of installed law: not those that the pack
// carries itself.
func (i Intent) LawCollections() []pack.Collection {
	return slices.DeleteFunc(slices.Clone(i.Pack.Collections), func(c pack.Collection) bool {
		return c.Name == pack.FicheCollection || slices.ContainsFunc(i.Pack.Fiches, func(f pack.Fiche) bool { return f.Norm.Collection == c.Name })
	})
}

// LawWords are what the name of a norm has and that of an aid or a procedure has not.
var LawWords = lazyregexp.New(`\d+/\d{4}|\b(?:ley|leyes|decreto|codigo|reglamento|estatuto|constitucion|orden|texto refundido|norma|instruccion|directiva)\b`)

// Reaches says that an entry is about law that this question may be answered from.
func (h *Intent) Reaches(x *digest.Entry) bool {
	if len(h.Norms) > 0 && !slices.Contains(h.Norms, x.Norm) {
		return false
	}
	if x.Elsewhere() {
		return !slices.ContainsFunc(x.Until, func(id string) bool { _, ok := h.Installed(id); return ok })
	}
	if f, fact, ok := h.Pack.FactOf(x.Norm, x.Unit); ok { // where its law is installed that speaks itself
		_, law := h.Installed(fact.Norm)
		return !law && h.History() == "" && h.Chat.Admits(f.Norm) && h.here(f.Norm)
	}
	n, ok := h.Installed(x.Norm)
	if !ok || !h.Pack.Admits(n) || !h.Pack.SameLaw(n) || !h.Chat.Admits(n) || h.FromAbroad(n) {
		return false
	}
	return h.here(n)
}

// here says that a norm holds where the question is about.
func (h *Intent) here(n digesto.Norm) bool {
	return n.Territory == "" || slices.Contains(h.Codes, n.Territory)
}

// OfOthers says that what is elsewhere is told of a place that the question is not about.
func (h *Intent) OfOthers(x *digest.Entry) bool {
	t, ok := h.Pack.Territories.Detect(x.Text)
	return ok && !slices.Contains(h.Codes, t.Code) && !slices.Contains(h.Codes, t.Region)
}

// LawCount counts the installed norms that the pack looks at.
func (g Intent) LawCount() int {
	n := 0
	if g.Law.Snapshot != nil {
		for x := range g.Law.Snapshot.Each() {
			if g.Pack.Sees(x) {
				n++
			}
		}
	}
	return n
}
