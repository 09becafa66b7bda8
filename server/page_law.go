package server

import (
	"net/http"
	"strconv"
	"strings"

	"digesto/server/view"
)

// pageNorms lists what is installed, by pack, territory and words of the title, a page at a time.
func (s *Server) pageNorms(w http.ResponseWriter, r *http.Request) {
	var hits view.Found
	var err error
	if q := strings.TrimSpace(r.FormValue("q")); q != "" && r.FormValue("page") == "" {
		if hits, err = s.searchLaw(r, q, r.FormValue("pack"), r.FormValue("territory")); err != nil {
			s.fail(w, r, err)
			return
		}
	}
	found, _, err := s.norms(r.FormValue("pack"), r.FormValue("territory"), "")
	if err != nil {
		s.fail(w, r, err)
		return
	}
	law, done, err := s.textView()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	p := s.site.Norms(law.Snapshot, found, hits, r.URL.Query())
	title := "Leyes"
	if p.Page > 1 {
		title += ", página " + strconv.Itoa(p.Page)
	}
	s.page(w, r, http.StatusOK, "norms", title, p)
}

// pageNorm is the table of contents of a norm.
func (s *Server) pageNorm(w http.ResponseWriter, r *http.Request) {
	snap, n, done, err := s.find(r.PathValue("norm"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	p := s.site.Norm(n)
	p.Q = r.FormValue("q")
	if page, _ := strconv.Atoi(r.FormValue("leer")); page > 0 {
		if err := s.site.Read(snap, n, min(page, 10000), &p); err != nil {
			s.fail(w, r, err)
			return
		}
		s.page(w, r, http.StatusOK, "norm", p.Title, p)
		return
	}
	if p.Hits, err = s.within(r, n.ID, p.Q); err != nil {
		s.fail(w, r, err)
		return
	}
	if err := p.Contents(snap, n); err != nil {
		s.fail(w, r, err)
		return
	}
	s.page(w, r, http.StatusOK, "norm", p.Title, p)
}

// pageUnit is one unit: its text on a day or in a named version, and around it
// versions, references and neighbours.
func (s *Server) pageUnit(w http.ResponseWriter, r *http.Request) {
	snap, n, u, at, done, err := s.unitOf(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	v, err := view.PickVersion(snap, n, u, at, r.FormValue("version"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	p, err := s.site.Unit(snap, n, u, v, or(at == "", s.now(), at), r.FormValue("quote"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.page(w, r, http.StatusOK, "unit", strings.TrimSpace(p.Label+". "+p.Rubric)+" — "+p.NormTitle, p)
}
