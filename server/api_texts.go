package server

import (
	"net/http"

	"digesto"
	"digesto/corpus"
	"digesto/server/wire"
	"digesto/text/diff"
)

// What a reader asks of one unit beside its text: all its versions, what two of
// them differ in, who cites it, how it is cited.

// versionRow is one version with its bounds, without its text.
type versionRow struct {
	versionHead
	Published digesto.Date     `json:"published,omitempty"`
	Replaced  digesto.Date     `json:"replaced,omitempty"`
	Reforms   []digesto.Reform `json:"reforms,omitempty"`
	Unseen    []digesto.Reform `json:"unseen,omitempty"`
	SHA256    string           `json:"sha256,omitempty"`
}

// getVersions lists the versions of a unit, oldest first.
func (s *Server) getVersions(w http.ResponseWriter, r *http.Request) {
	_, n, u, _, done, err := s.unitOf(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	out := []versionRow{}
	for i := range u.Versions {
		v := corpus.Proven(n, u, i)
		out = append(out, versionRow{versionHead{v.ID, v.ValidFrom, v.ValidTo, v.Current}, v.Published, v.Replaced, v.Reforms, v.Unseen, v.SHA256})
	}
	wire.Respond(w, versionsBody{n.ID, u.ID, u.Label, out})
}

// The bodies of what hangs on a unit.
type (
	versionsBody struct {
		Norm     string       `json:"norm"`
		Unit     string       `json:"unit"`
		Label    string       `json:"label"`
		Versions []versionRow `json:"versions"`
	}
	diffBody struct {
		Norm   string       `json:"norm"`
		Unit   string       `json:"unit"`
		From   string       `json:"from"`
		To     string       `json:"to"`
		In     int          `json:"words_in"`
		Out    int          `json:"words_out"`
		Pieces []diff.Piece `json:"pieces"`
	}
	relationsBody struct {
		Norm  string              `json:"norm"`
		Unit  string              `json:"unit"`
		Cited []corpus.Relation   `json:"cited_by"`
		Cites []digesto.Reference `json:"cites"`
		By    []digesto.Reform    `json:"amended_by"`
	}
	amendmentsBody struct {
		Norm string `json:"norm"`
		corpus.Amendments
	}
	formsBody struct {
		Norm    string                 `json:"norm"`
		Unit    string                 `json:"unit"`
		Version string                 `json:"version"`
		Forms   map[corpus.Form]string `json:"citations"`
	}
)

// getDiff compares the text of two days, word by word: ?from= ?to= (without it,
// the text in force).
func (s *Server) getDiff(w http.ResponseWriter, r *http.Request) {
	from, to := digesto.Date(r.FormValue("from")), digesto.Date(r.FormValue("to"))
	err := wire.CheckDate(from)
	if err == nil {
		err = wire.CheckDate(to)
	}
	if err == nil && from == "" {
		err = wire.Invalid("falta «from»", "dé la fecha del texto anterior: ?from=AAAA-MM-DD&to=AAAA-MM-DD")
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	snap, n, u, _, done, err := s.unitOf(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	a, err := snap.Text(n.ID, u.ID, from)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	b, err := snap.Text(n.ID, u.ID, to)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	pieces := diff.Words(a.Text, b.Text)
	in, out := diff.Changed(pieces)
	wire.Respond(w, diffBody{n.ID, u.ID, a.ID, b.ID, in, out, pieces})
}

// getRelations gives the places whose text in force cites a unit, and the norms
// that changed it.
func (s *Server) getRelations(w http.ResponseWriter, r *http.Request) {
	snap, n, u, _, done, err := s.unitOf(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	cited, err := snap.CitedBy(n.ID, u.ID)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	by := []digesto.Reform{}
	cites := []digesto.Reference{}
	for _, v := range u.Versions {
		if v.Current {
			by, cites = append(by, v.Reforms...), append(cites, v.Refs...)
		}
	}
	if cited == nil {
		cited = []corpus.Relation{}
	}
	wire.Respond(w, relationsBody{n.ID, u.ID, cited, cites, by})
}

// getAmendments gives the relations of a norm: which changed it, which it changed
// or repealed.
func (s *Server) getAmendments(w http.ResponseWriter, r *http.Request) {
	snap, n, done, err := s.find(r.PathValue("norm"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	list, err := snap.Amendments(n.ID)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	wire.Respond(w, amendmentsBody{n.ID, list})
}

// getCitation gives the formal citation of a unit: ?form=es|ar|pe|apa ?as_of=.
func (s *Server) getCitation(w http.ResponseWriter, r *http.Request) {
	b, u, ok := s.textOf(w, r)
	if !ok {
		return
	}
	forms := corpus.Forms
	if f := r.FormValue("form"); f != "" {
		forms = []corpus.Form{corpus.Form(f)}
	}
	out := map[corpus.Form]string{}
	for _, f := range forms {
		var err error
		if out[f], err = corpus.Formal(b.Norm, u, b.Version, f, s.now()); err != nil {
			s.fail(w, r, err)
			return
		}
	}
	wire.Respond(w, formsBody{b.Norm.ID, u.ID, b.Version.ID, out})
}
