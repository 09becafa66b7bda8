package server

import (
	"net/http"
	"time"

	"digesto/server/view"
	"digesto/server/wire"
	"digesto/store"
)

// getAnalytics counts what the user asked; for whoever runs the server, with
// ?all=true, what everybody did.
func (s *Server) getAnalytics(r *http.Request, user string) (any, error) {
	a, _, err := s.analyse(r, user)
	return a, err
}

// ofAll says whether the runs of everybody are wanted, by who may see them.
func (s *Server) ofAll(r *http.Request) (bool, error) {
	if r.FormValue("all") != "true" {
		return false, nil
	}
	return true, s.admin(r)
}

// analyse counts a user's runs, or everybody's, of the days asked for.
func (s *Server) analyse(r *http.Request, user string) (a store.Analytics, days int, err error) {
	if days, err = wire.IntOf(r, "days", 30, 1, 3660); err != nil {
		return a, days, err
	}
	all, err := s.ofAll(r)
	if err != nil {
		return a, days, err
	}
	runs, err := s.opt.Store.Runs(r.Context(), s.opt.Clock().AddDate(0, 0, -days), s.opt.Clock().AddDate(0, 0, 1))
	if err != nil {
		return a, days, err
	}
	own := runs[:0]
	for _, x := range runs {
		if all || x.User == user {
			own = append(own, x)
		}
	}
	return store.Analyse(own), days, nil
}

// pageAnalytics shows how the questions of who looks ended.
func (s *Server) pageAnalytics(w http.ResponseWriter, r *http.Request) {
	u, err := s.opt.Who(r)
	var a store.Analytics
	var days int
	if err == nil {
		a, days, err = s.analyse(r, u.ID)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	p := view.AnalyticsOf(a)
	p.Days, p.All, p.Boss = days, r.FormValue("all") == "true", s.admin(r) == nil
	if p.Votes, p.Review, err = s.votes(r, u.ID, p.All && p.Boss, p.Days); err != nil {
		s.fail(w, r, err)
		return
	}
	s.page(w, r, http.StatusOK, "analytics", "Analítica", p)
}

// votes counts what people thought of the answers of these days, a user's or everybody's,
// and gives those to be looked at again.
func (s *Server) votes(r *http.Request, user string, all bool, days int) (said string, review []view.BadVote, err error) {
	from, to := s.opt.Clock().AddDate(0, 0, -days), s.opt.Clock().AddDate(0, 0, 1)
	list, err := s.opt.Store.Ratings(r.Context(), from, to)
	if err != nil || len(list) == 0 {
		return "", nil, err
	}
	runs, err := s.opt.Store.Runs(r.Context(), time.Time{}, to)
	if err != nil {
		return "", nil, err
	}
	asked := map[string][]store.Run{}
	for _, x := range runs {
		if all || x.User == user {
			asked[x.Conversation] = append(asked[x.Conversation], x)
		}
	}
	said, review = view.VotesOf(list, asked)
	return said, review, nil
}
