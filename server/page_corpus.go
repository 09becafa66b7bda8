package server

import (
	"net/http"

	"digesto"
)

// pageCorpus says what is installed and how old it is; whoever runs the server
// installs and updates there.
func (s *Server) pageCorpus(w http.ResponseWriter, r *http.Request) {
	law, done, err := s.textView()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	var looked map[string]digesto.Date
	if s.opt.Looked != nil {
		looked = s.opt.Looked()
	}
	p := s.site.Corpus(law.Snapshot, looked)
	if p.Boss = s.opt.Jobs != nil && s.admin(r) == nil; p.Boss {
		p.Job = s.jobView()
	}
	p.Adds = p.Boss && s.opt.Keep != nil
	p.Update = p.Boss && len(law.Snapshot.Norms()) > 0
	s.page(w, r, http.StatusOK, "corpus", "Corpus: qué ley está instalada", p)
}
