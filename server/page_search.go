package server

import (
	"net/http"
	"slices"
	"strings"
	"unicode"

	"digesto"
	"digesto/ask"
	"digesto/pack"
	"digesto/server/view"
	"digesto/text/lazyregexp"
)

// lawHits is how many articles the page of the law shows of a search.
const lawHits = 10

// A name with a number beside it is an article of that law, as people write it: "ET 38",
// "38 ET".
var (
	nameNumber = lazyregexp.New(`^(\D*\p{L}.*?)[\s,]+(?:n\.?[º°o]?\s*)?(\d{1,4}(?:\s?(?:bis|ter|quater|quinquies))?)(?:\.\d+)*\s*$`)
	numberName = lazyregexp.New(`^(\d{1,4}(?:\s?(?:bis|ter|quater|quinquies))?)(?:\.\d+)*\s+(?:del?\s+(?:la\s+|los\s+|las\s+)?)?(\p{L}.*)$`)
)

// withArticle says a name and a number as a citation; ok is false for anything else.
func withArticle(q string) (string, bool) {
	if m := nameNumber.FindStringSubmatch(q); m != nil {
		return "artículo " + m[2] + " " + m[1], true
	}
	if m := numberName.FindStringSubmatch(q); m != nil {
		return "artículo " + m[1] + " " + m[2], true
	}
	return "", false
}

// searchLaw finds what words, names and numbers lead to: the articles named, the norms
// named, and the articles that speak of it.
func (s *Server) searchLaw(r *http.Request, q, packName, territory string) (out view.Found, err error) {
	v, done, err := s.lawView()
	if err != nil {
		return out, err
	}
	defer done()
	if v.Searcher == nil || s.opt.Query == nil {
		return out, nil
	}
	var p *pack.Pack
	for _, x := range s.opt.Packs {
		if x.Name == packName {
			p = x
		}
	}
	query := s.query(searchBody{Text: q, K: lawHits + 10}, v, p)
	if cited, ok := withArticle(q); ok {
		if named := s.query(searchBody{Text: cited, K: lawHits + 10}, v, p); len(named.Units) > 0 {
			query = named
			query.Text = ""
		}
	}
	for _, id := range query.Units {
		if h, ok := view.HitOf(v.Snapshot, id, "", q, s.now()); ok && (territory == "" || holdsIn(v, id, territory)) {
			out.Exact = append(out.Exact, h)
		}
	}
	if territory != "" {
		query.Filter.In["territory"] = []string{territory}
		if !strings.Contains(territory, "-") {
			query.Filter.In["territory"], query.Filter.In["jurisdiction"] = nil, []string{territory}
		}
	}
	out.Named = query.Norms
	if len(out.Exact) > 0 && !strings.ContainsFunc(query.Text, unicode.IsLetter) { // nothing but an article was named
		return out, nil
	}
	res, err := s.search(r.Context(), v, p, query)
	if err != nil {
		return view.Found{}, err
	}
	for _, h := range res.Hits {
		if len(out.Said) == lawHits || slices.Contains(query.Units, h.Unit) {
			continue
		}
		if x, ok := view.HitOf(v.Snapshot, h.Unit, h.ID[strings.LastIndex(h.ID, "/")+1:], query.Text, s.now()); ok && saysSomething(x.Text) {
			out.Said = append(out.Said, x)
		}
	}
	return out, nil
}

// within searches the text of one norm.
func (s *Server) within(r *http.Request, norm, q string) ([]view.Hit, error) {
	v, done, err := s.lawView()
	if err != nil {
		return nil, err
	}
	defer done()
	if v.Searcher == nil || strings.TrimSpace(q) == "" {
		return nil, nil
	}
	res, err := v.Searcher.Search(r.Context(), digesto.Query{Text: q, K: lawHits, Filter: digesto.Filter{In: map[string][]string{"norm": {norm}}}})
	var out []view.Hit
	for _, h := range res.Hits {
		if x, ok := view.HitOf(v.Snapshot, h.Unit, h.ID[strings.LastIndex(h.ID, "/")+1:], q, s.now()); ok {
			out = append(out, x)
		}
	}
	return out, err
}

// saysSomething tells a rule from the heading that a chapter has for its text.
func saysSomething(text string) bool { return len(strings.Fields(text)) > 4 }

func holdsIn(v ask.View, id, territory string) bool {
	n, ok := v.Snapshot.Norm(id[:strings.LastIndexByte(id, '/')])
	return ok && view.TerritoryOf(n) == territory
}
