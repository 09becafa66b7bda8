package server

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"digesto"
	"digesto/ask"
	"digesto/corpus"
	"digesto/corpus/follow"
	"digesto/server/view"
	"digesto/server/wire"
	"digesto/text"
)

// lawView opens the law installed now; without any, an empty one.
func (s *Server) lawView() (ask.View, func(), error) {
	none := ask.View{Snapshot: corpus.Memory()}
	if s.opt.Law == nil {
		return none, func() {}, nil
	}
	v, done, err := s.opt.Law()
	if err == nil && v.Snapshot == nil {
		done()
		return none, func() {}, nil
	}
	return v, done, err
}

// textView is lawView without the search: pages that only read need not wait
// for an index that is being built.
func (s *Server) textView() (ask.View, func(), error) {
	if s.opt.Texts == nil {
		return s.lawView()
	}
	snap, err := s.opt.Texts()
	if err != nil {
		return ask.View{}, nil, err
	}
	return ask.View{Snapshot: snap}, func() { _ = snap.Close() }, nil
}

// find gives the state that holds a norm, law before fiches, and its release.
func (s *Server) find(id string) (*corpus.Snapshot, digesto.Norm, func(), error) {
	law, done, err := s.textView()
	if err != nil {
		return nil, digesto.Norm{}, nil, err
	}
	if n, ok := law.Snapshot.Norm(id); ok {
		return law.Snapshot, n, done, nil
	}
	done()
	if n, ok := s.opt.Embedded.Snapshot.Norm(id); ok {
		return s.opt.Embedded.Snapshot, n, func() {}, nil
	}
	return nil, digesto.Norm{}, nil, &digesto.Error{Code: digesto.CodeNotFound, Message: "la norma «" + wire.Short(id) + "» no está instalada",
		Hint: "las normas instaladas están en «/v1/norms» y en la página «/leyes»"}
}

// normList is the body of GET /v1/norms.
type normList struct {
	Corpus string         `json:"corpus"`
	Norms  []digesto.Norm `json:"norms"`
	Total  int            `json:"total"`
	Next   string         `json:"next,omitempty"`
}

// getNorms lists norms: ?pack= ?territory= ?q= ?limit= ?after=.
func (s *Server) getNorms(w http.ResponseWriter, r *http.Request) {
	limit, err := wire.IntOf(r, "limit", 1000, 1, 1000)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	all, hash, err := s.norms(r.FormValue("pack"), r.FormValue("territory"), r.FormValue("q"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	out := normList{Corpus: hash, Norms: []digesto.Norm{}, Total: len(all)}
	for _, n := range all {
		if n.ID <= r.FormValue("after") {
			continue
		}
		if len(out.Norms) == limit {
			out.Next = out.Norms[limit-1].ID
			break
		}
		out.Norms = append(out.Norms, n)
	}
	wire.Respond(w, out)
}

// sees says whether a norm belongs to the pack of that name; no name means any.
func (s *Server) sees(packName string, n digesto.Norm) bool {
	for _, p := range s.opt.Packs {
		if p.Name == packName {
			return p.Sees(n)
		}
	}
	return packName == "" || slices.Contains(n.Packs, packName)
}

// norms gives law and fiches that fit a pack, a territory and words of the title, by id.
func (s *Server) norms(packName, territory, q string) ([]digesto.Norm, string, error) {
	law, done, err := s.textView()
	if err != nil {
		return nil, "", err
	}
	defer done()
	words := strings.Fields(text.Fold(q))
	var out []digesto.Norm
	for _, n := range slices.Concat(law.Snapshot.Norms(), s.opt.Embedded.Snapshot.Norms()) {
		if !s.sees(packName, n) || territory != "" && view.TerritoryOf(n) != territory {
			continue
		}
		hay := text.Fold(n.Title + " " + n.Short + " " + n.Name + " " + n.ID)
		if slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(hay, w) }) {
			continue
		}
		out = append(out, n)
	}
	slices.SortStableFunc(out, func(a, b digesto.Norm) int { return strings.Compare(a.ID, b.ID) })
	return out, law.Snapshot.Hash(), nil
}

// unitHead is a unit without its text: a line of the table of contents.
type unitHead struct {
	ID       string        `json:"id"`
	Label    string        `json:"label"`
	Rubric   string        `json:"rubric,omitempty"`
	Path     []string      `json:"path,omitempty"`
	Versions []versionHead `json:"versions"`
}

type versionHead struct {
	ID        string       `json:"id"`
	ValidFrom digesto.Date `json:"valid_from,omitempty"`
	ValidTo   digesto.Date `json:"valid_to,omitempty"`
	Current   bool         `json:"current"`
}

func headOf(u digesto.Unit) unitHead {
	h := unitHead{ID: u.ID, Label: u.Label, Rubric: u.Rubric, Path: u.Path}
	for _, v := range u.Versions {
		h.Versions = append(h.Versions, versionHead{v.ID, v.ValidFrom, v.ValidTo, v.Current})
	}
	return h
}

// getNorm gives a norm and its table of contents.
func (s *Server) getNorm(w http.ResponseWriter, r *http.Request) {
	snap, n, done, err := s.find(r.PathValue("norm"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	units := []unitHead{}
	for u, err := range snap.All(n.ID) {
		if err != nil {
			s.fail(w, r, err)
			return
		}
		units = append(units, headOf(u))
	}
	wire.Respond(w, normBody{n, units})
}

// normBody is a norm with its table of contents.
type normBody struct {
	Norm  digesto.Norm `json:"norm"`
	Units []unitHead   `json:"units"`
}

// unitBody is one version of one unit with the versions beside it.
type unitBody struct {
	Norm     digesto.Norm    `json:"norm"`
	Unit     unitHead        `json:"unit"`
	AsOf     digesto.Date    `json:"as_of"`
	Version  digesto.Version `json:"version"`
	Official bool            `json:"official"`
	Supplied bool            `json:"supplied,omitempty"`
}

// unitOf finds the unit that a request's path names, and the day it asks for. The
// caller calls done when there is no error.
func (s *Server) unitOf(r *http.Request) (snap *corpus.Snapshot, n digesto.Norm, u digesto.Unit, at digesto.Date, done func(), err error) {
	at = digesto.Date(r.FormValue("as_of"))
	if err = wire.CheckDate(at); err != nil {
		return
	}
	if snap, n, done, err = s.find(r.PathValue("norm")); err != nil {
		return
	}
	if u, err = snap.Load(n.ID, r.PathValue("unit")); err != nil {
		done()
	}
	return
}

// textOf is unitOf with the unit's text on that day. It answers for what goes
// wrong, and says so.
func (s *Server) textOf(w http.ResponseWriter, r *http.Request) (b unitBody, u digesto.Unit, ok bool) {
	snap, n, u, at, done, err := s.unitOf(r)
	if err != nil {
		s.fail(w, r, err)
		return b, u, false
	}
	defer done()
	v, err := snap.Text(n.ID, u.ID, at)
	if err != nil {
		s.fail(w, r, err)
		return b, u, false
	}
	return unitBody{Norm: n, Unit: headOf(u), AsOf: at, Version: v, Official: n.Official, Supplied: n.Supplied}, u, true
}

// getUnit gives the text of a unit as of a date; without one, the current text.
func (s *Server) getUnit(w http.ResponseWriter, r *http.Request) {
	if b, _, ok := s.textOf(w, r); ok {
		wire.Respond(w, b)
	}
}

// packInfo is what a client needs to offer a pack.
type packInfo struct {
	Name          string   `json:"name"`
	Title         string   `json:"title"`
	Description   string   `json:"description,omitempty"`
	Jurisdictions []string `json:"jurisdictions"`
	FirstQuestion string   `json:"first_question,omitempty"`
	Examples      []string `json:"examples,omitempty"`
	Install       string   `json:"install,omitempty"`
}

type packList struct {
	Packs []packInfo `json:"packs"`
}

func (s *Server) getPacks(w http.ResponseWriter, _ *http.Request) {
	out := []packInfo{}
	for _, p := range s.opt.Packs {
		out = append(out, packInfo{p.Name, p.Title, p.Description, p.Jurisdictions, p.FirstQuestion, p.Examples, p.Install.Command()})
	}
	wire.Respond(w, packList{out})
}

// getContract serves the JSON Schema of an answer.
func (s *Server) getContract(w http.ResponseWriter, r *http.Request) {
	if s.opt.Schema == nil {
		s.notFound(w, r)
		return
	}
	b, err := s.opt.Schema()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/schema+json")
	_, _ = w.Write(b)
}

type (
	healthBody struct {
		Status  string `json:"status"`
		Version string `json:"version"`
	}
	readyBody struct {
		Status string         `json:"status"`
		Corpus string         `json:"corpus"`
		Norms  int            `json:"norms"`
		Fiches int            `json:"fiches"`
		Follow *follow.Status `json:"follow,omitempty"`
	}
)

func (s *Server) getHealth(w http.ResponseWriter, _ *http.Request) {
	wire.Respond(w, healthBody{"ok", s.opt.Version})
}

// getReady says whether questions can be answered, and from what.
func (s *Server) getReady(w http.ResponseWriter, r *http.Request) {
	if s.leaving.Load() {
		s.fail(w, r, &digesto.Error{Code: digesto.CodeUnavailable, Message: "Este servidor se está parando", Hint: "Pregunte a otro de los nodos, o espere a que vuelva."})
		return
	}
	if s.opt.Check != nil {
		ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
		defer cancel()
		if err := s.opt.Check(ctx); err != nil {
			s.fail(w, r, unready(err))
			return
		}
	}
	law, done, err := s.textView()
	if err != nil {
		s.fail(w, r, unready(err))
		return
	}
	defer done()
	body := readyBody{"ready", view.CorpusName(law.Snapshot.Hash()), len(law.Snapshot.Norms()), len(s.opt.Embedded.Snapshot.Norms()), nil}
	if s.opt.Follow != nil {
		st := s.opt.Follow()
		body.Follow = &st
	}
	wire.Respond(w, body)
}

// unready is what keeps a server from answering, with the status that says so whatever
// it is; where on the disk is for who runs the server: the log and «doctor» say it.
func unready(err error) error {
	if digesto.CodeOf(err) == digesto.CodeUnavailable {
		return err
	}
	return &digesto.Error{Code: digesto.CodeUnavailable, Message: "La ley instalada o lo que se guarda no se puede leer", Hint: "Ejecute «digesto doctor» en el servidor.", Err: err}
}
