package server

import (
	"context"
	"net/http"
	"strings"
	"time"

	"digesto"
	"digesto/ask"
	"digesto/corpus"
	"digesto/pack"
	"digesto/server/view"
	"digesto/server/wire"
)

// searchBody is what POST /v1/search takes.
type searchBody struct {
	Text       string              `json:"text"`
	Pack       string              `json:"pack,omitempty"`
	Collection []string            `json:"collection,omitempty"`
	Filters    map[string][]string `json:"filters,omitempty"`
	AsOf       digesto.Date        `json:"as_of,omitempty"`
	K          int                 `json:"k,omitempty"`
	Explain    bool                `json:"explain,omitempty"`
}

// found is a hit with what a reader needs to recognise it.
type found struct {
	digesto.Hit
	Title    string `json:"title"`
	Label    string `json:"label"`
	Rubric   string `json:"rubric,omitempty"`
	Name     string `json:"name,omitempty"` // of the norm, as people call it
	URL      string `json:"url,omitempty"`
	CheckURL string `json:"check_url,omitempty"` // where the publisher has it, whoever gave the text
	Official bool   `json:"official"`
	Supplied bool   `json:"supplied,omitempty"`
}

type searchResult struct {
	Corpus string  `json:"corpus"`
	Hits   []found `json:"hits"`
	Total  int     `json:"total"`
	Best   float64 `json:"best"`
	Reach  float64 `json:"reach"`
	Micros int64   `json:"elapsed_us"`
}

// postSearch is retrieval alone: the law if any is installed, else the fiches.
func (s *Server) postSearch(w http.ResponseWriter, r *http.Request) {
	var b searchBody
	if err := s.decode(w, r, &b); err != nil {
		s.fail(w, r, err)
		return
	}
	p, err := s.checkSearch(b)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	v, done, err := s.lawView()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	if v.Searcher == nil || len(v.Snapshot.Norms()) == 0 {
		v = s.opt.Embedded
	}
	if v.Searcher == nil {
		s.fail(w, r, &digesto.Error{Code: digesto.CodeUnavailable, Message: "No hay nada instalado en que buscar", Hint: "Instale textos con «digesto corpus add»."})
		return
	}
	start := time.Now()
	res, err := s.search(r.Context(), v, p, s.query(b, v, p))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	out := searchResult{Corpus: view.CorpusName(v.Snapshot.Hash()), Hits: []found{}, Total: res.Total, Best: res.Best, Reach: res.Reach, Micros: time.Since(start).Microseconds()}
	for _, h := range res.Hits {
		out.Hits = append(out.Hits, describe(v, h))
	}
	wire.Respond(w, out)
}

// search finds by articles, and by the questions of the pack's digest where law is installed.
func (s *Server) search(ctx context.Context, v ask.View, p *pack.Pack, q digesto.Query) (digesto.Results, error) {
	if s.opt.Find == nil || p == nil || v.Snapshot == s.opt.Embedded.Snapshot {
		return v.Searcher.Search(ctx, q)
	}
	return s.opt.Find.Search(ctx, v.Searcher, p.Name, q)
}

func (s *Server) checkSearch(b searchBody) (*pack.Pack, error) {
	if strings.TrimSpace(b.Text) == "" {
		return nil, wire.Invalid("falta el texto que se busca", "escríbalo en el campo «text»")
	}
	if b.K < 0 || b.K > 1000 {
		return nil, wire.Invalid("«k» no vale", "use un número de 1 a 1000")
	}
	if err := wire.CheckDate(b.AsOf); err != nil {
		return nil, err
	}
	if b.Pack == "" {
		return nil, nil
	}
	for _, p := range s.opt.Packs {
		if p.Name == b.Pack {
			return p, nil
		}
	}
	return nil, &digesto.Error{Code: digesto.CodeNotFound, Message: "no hay ningún ámbito «" + wire.Short(b.Pack) + "»", Hint: "los que hay están en «/v1/packs»"}
}

// query builds the search; recognising laws named in the text is the wiring's.
func (s *Server) query(b searchBody, v ask.View, p *pack.Pack) digesto.Query {
	q := digesto.Query{Text: b.Text}
	if s.opt.Query != nil {
		q = s.opt.Query(b.Text, v, p)
	}
	q.K, q.Explain, q.Filter.AsOf = b.K, b.Explain, b.AsOf
	if q.Filter.In == nil {
		q.Filter.In = map[string][]string{}
	}
	for k, vals := range b.Filters {
		q.Filter.In[k] = vals
	}
	if len(b.Collection) > 0 {
		q.Filter.In["collection"] = b.Collection
	}
	if p != nil {
		q.Filter = p.Narrow(q.Filter)
	}
	return q
}

func describe(v ask.View, h digesto.Hit) found {
	f := found{Hit: h}
	n, ok := v.Snapshot.Norm(h.Norm)
	if !ok {
		return f
	}
	f.Title, f.Name, f.URL, f.CheckURL, f.Official, f.Supplied = n.Title, view.NormName(n), n.URL, n.Page, n.Official, n.Supplied
	if u, ok := v.Snapshot.Unit(h.Norm, strings.TrimPrefix(h.Unit, h.Norm+"/")); ok {
		f.Label, f.Rubric = u.Label, u.Rubric
		if n.Official {
			f.URL = corpus.LinkTo(n, u)
		}
		f.CheckURL = corpus.PageOf(n, u)
	}
	return f
}
