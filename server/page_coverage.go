package server

import (
	"net/http"
	"slices"

	"digesto"
	"digesto/pack"
	"digesto/server/view"
)

// pageCoverage says to which units of each norm of a pack the program's own questions
// lead, and which of them are withdrawn over the installed law.
func (s *Server) pageCoverage(w http.ResponseWriter, r *http.Request) {
	k := slices.IndexFunc(s.opt.Packs, func(p *pack.Pack) bool { return p.Name == r.PathValue("pack") })
	if k < 0 || s.opt.Find == nil {
		s.fail(w, r, &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ningún ámbito que se llame así", Hint: "Elija uno de los de la página del corpus."})
		return
	}
	law, done, err := s.textView()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	p := s.opt.Packs[k]
	files, err := s.opt.Find.Files(p.Name)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.page(w, r, http.StatusOK, "coverage", "Preguntas que llevan a la ley: "+p.Title, view.CoverageOf(law.Snapshot, p, files))
}
