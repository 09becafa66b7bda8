package server

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"digesto"
	"digesto/ask"
	"digesto/corpus"
	"digesto/pack"
	"digesto/text"
	"digesto/text/sentence"
)

// lawHit is an article that a search of the law found.
type lawHit struct {
	URL, Title, Norm, Text string
	Badge                  badge
}

// lawHits is how many articles the page of the law shows of a search.
const lawHits = 10

// A name with a number beside it is an article of that law, as people write it: "ET 38",
// "38 ET".
var (
	nameNumber = regexp.MustCompile(`^(\D*\p{L}.*?)[\s,]+(?:n\.?[º°o]?\s*)?(\d{1,4}(?:\s?(?:bis|ter|quater|quinquies))?)(?:\.\d+)*\s*$`)
	numberName = regexp.MustCompile(`^(\d{1,4}(?:\s?(?:bis|ter|quater|quinquies))?)(?:\.\d+)*\s+(?:del?\s+(?:la\s+|los\s+|las\s+)?)?(\p{L}.*)$`)
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
func (s *Server) searchLaw(r *http.Request, q, packName, territory string) (exact, said []lawHit, norms []string, err error) {
	v, done, err := s.lawView()
	if err != nil {
		return nil, nil, nil, err
	}
	defer done()
	if v.Searcher == nil || s.opt.Query == nil {
		return nil, nil, nil, nil
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
		if h, ok := lawHitOf(v, id, "", q, s.now()); ok && (territory == "" || s.holdsIn(v, id, territory)) {
			exact = append(exact, h)
		}
	}
	if territory != "" {
		query.Filter.In["territory"] = []string{territory}
		if !strings.Contains(territory, "-") {
			query.Filter.In["territory"], query.Filter.In["jurisdiction"] = nil, []string{territory}
		}
	}
	if len(exact) > 0 && !strings.ContainsFunc(query.Text, unicode.IsLetter) { // nothing but an article was named
		return exact, nil, query.Norms, nil
	}
	res, err := s.search(r.Context(), v, p, query)
	if err != nil {
		return nil, nil, nil, err
	}
	for _, h := range res.Hits {
		if len(said) == lawHits || slices.Contains(query.Units, h.Unit) {
			continue
		}
		if x, ok := lawHitOf(v, h.Unit, h.ID[strings.LastIndex(h.ID, "/")+1:], query.Text, s.now()); ok && saysSomething(x.Text) {
			said = append(said, x)
		}
	}
	return exact, said, query.Norms, nil
}

// within searches the text of one norm.
func (s *Server) within(r *http.Request, norm, q string) ([]lawHit, error) {
	v, done, err := s.lawView()
	if err != nil {
		return nil, err
	}
	defer done()
	if v.Searcher == nil || strings.TrimSpace(q) == "" {
		return nil, nil
	}
	res, err := v.Searcher.Search(r.Context(), digesto.Query{Text: q, K: lawHits, Filter: digesto.Filter{In: map[string][]string{"norm": {norm}}}})
	var out []lawHit
	for _, h := range res.Hits {
		if x, ok := lawHitOf(v, h.Unit, h.ID[strings.LastIndex(h.ID, "/")+1:], q, s.now()); ok {
			out = append(out, x)
		}
	}
	return out, err
}

// saysSomething tells a rule from the heading that a chapter has for its text.
func saysSomething(text string) bool { return len(strings.Fields(text)) > 4 }

func (s *Server) holdsIn(v ask.View, id, territory string) bool {
	n, ok := v.Snapshot.Norm(id[:strings.LastIndexByte(id, '/')])
	return ok && territoryOf(n) == territory
}

// lawHitOf shows a unit by its sentence that is nearest to what was searched.
func lawHitOf(v ask.View, id, version, q string, today digesto.Date) (h lawHit, ok bool) {
	i := strings.LastIndexByte(id, '/')
	if i < 0 {
		return h, false
	}
	n, ok := v.Snapshot.Norm(id[:i])
	if !ok {
		return h, false
	}
	u, err := v.Snapshot.Load(n.ID, id[i+1:])
	if err != nil {
		return h, false
	}
	ver, err := pickVersion(v.Snapshot, n, u, "", version)
	if err != nil {
		return h, false
	}
	h = lawHit{URL: unitURL(n.ID, u.ID), Title: titleOf(u), Norm: normName(n), Badge: unitBadge(n, ver, today)}
	wanted, most := stemsOf(q), -1.0
	for _, x := range sentence.Split(ver.Text) {
		if l := likeness(stemsOf(x.Text), wanted); l > most {
			most, h.Text = l, x.Text
		}
	}
	if most > 0 {
		h.URL += "?" + quoteParam(h.Text) + "#cita"
	}
	h.Text = strings.Join(strings.FieldsFunc(strings.ReplaceAll(h.Text, " | ", "|"), func(r rune) bool { return r == '|' }), " · ")
	if r := []rune(h.Text); len(r) > 260 {
		cut := string(r[:260])
		h.Text = cut[:max(strings.LastIndexByte(cut, ' '), 0)] + "…"
	}
	return h, true
}

// titleOf is the label of a unit and its rubric, where that is words: of a row of a table
// it is the heads of all columns.
func titleOf(u digesto.Unit) string {
	if u.Rubric == "" || strings.Contains(u.Rubric, "|") {
		return u.Label
	}
	return u.Label + ". " + corpus.HeadingOf(u.Rubric)
}

// absentShown is how many norms that are not installed a search names.
const absentShown = 3

// absent names the norms that the packs know by some words and that are not installed.
func (s *Server) absent(law *corpus.Snapshot, words []string, packName string) (out []string) {
	for _, p := range s.opt.Packs {
		if packName != "" && p.Name != packName {
			continue
		}
		names := map[string]string{}
		for _, a := range p.Aliases {
			names[a.Norm] += " " + a.Name
		}
		for _, x := range p.Sources {
			_, there := law.Norm(x.ID)
			name := cmp.Or(x.Short, x.Title)
			if !there && len(out) < absentShown && !slices.Contains(out, name) && titled(digesto.Norm{ID: x.ID, Title: x.Title, Short: x.Short, Name: names[x.ID]}, words) {
				out = append(out, name)
			}
		}
	}
	return out
}

// titled says whether all words of a search begin words of a norm's names.
func titled(n digesto.Norm, words []string) bool {
	hay := " " + strings.Join(strings.FieldsFunc(text.Fold(n.Title+" "+n.Short+" "+n.Name+" "+n.ID), func(r rune) bool { return r == ' ' || r == ',' || r == '(' || r == ')' || r == '/' || r == '«' }), " ")
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(hay, " "+w) && !(len(w) > 3 && strings.Contains(hay, w)) })
}
