package server

import (
	"fmt"
	"net/http"
	"strconv"

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
	all, err := boolOf(r, "all")
	if !all || err != nil {
		return false, err
	}
	return true, s.admin(r)
}

// analyse counts a user's runs, or everybody's, of the days asked for.
func (s *Server) analyse(r *http.Request, user string) (a store.Analytics, days int, err error) {
	if days, err = intOf(r, "days", 30, 1, 3660); err != nil {
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

// analyticsPage is what the page of analytics shows.
type analyticsPage struct {
	Days      int
	All, Boss bool // counts of everybody; who looks may see them
	Questions string
	Asked     string // how many were asked back
	Types     []namedCount
	ByDay     []dayLine
	Variants  []variantLine
	Trials    []trialLine
	Topics    []store.Topic
}

type namedCount struct {
	Name  string
	Count int
}

type dayLine struct {
	Date   string
	Counts []namedCount
}

type variantLine struct {
	Name, Questions, Clarification, Success, FollowUp string
}

type trialLine struct{ Name, Clarification, FollowUp string }

// messageTypes are the ends of a question, in the order in which people read them.
var messageTypes = []string{"answer", "clarification", "refusal", "non_legal", "reformulate_request", "out_of_scope", "advice", "error"}

// pageAnalytics shows how the questions of who looks ended.
func (s *Server) pageAnalytics(w http.ResponseWriter, r *http.Request) {
	u, err := s.opt.Who(r)
	var a store.Analytics
	p := analyticsPage{}
	if err == nil {
		a, p.Days, err = s.analyse(r, u.ID)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	p.All, p.Boss = r.FormValue("all") == "true", s.admin(r) == nil
	p.Questions, p.Asked = thousands(a.Questions), fmt.Sprintf("%.1f %%", 100*a.Clarification)
	p.Types, p.Topics = counted(a.Types), a.Unanswered
	for _, d := range a.Days {
		p.ByDay = append(p.ByDay, dayLine{d.Date, counted(d.Types)})
	}
	for _, v := range a.Variants {
		p.Variants = append(p.Variants, variantLine{v.Prompt + " v" + v.Version, strconv.Itoa(v.Questions), interval(v.Clarification), interval(v.Success),
			interval(v.FollowUp) + " de " + strconv.Itoa(v.Clarifications)})
	}
	for _, t := range a.Trials {
		p.Trials = append(p.Trials, trialLine{t.Prompt + ": v" + t.B + " menos v" + t.A, difference(t.Clarification), difference(t.FollowUp)})
	}
	s.page(w, r, http.StatusOK, "analytics", "Analítica", p)
}

// counted are the counts by type, those of nobody left out.
func counted(types map[string]int) (out []namedCount) {
	for _, k := range messageTypes {
		if n := types[k]; n > 0 {
			out = append(out, namedCount{or(k == "answer", "respuesta", kindNames[k]), n})
		}
	}
	return out
}

func interval(s store.Share) string {
	return fmt.Sprintf("%.1f %% (%.1f–%.1f)", 100*s.Value, 100*s.Low, 100*s.High)
}

func difference(d store.Difference) string {
	return fmt.Sprintf("%+.1f puntos (%+.1f a %+.1f), %s", 100*d.Value, 100*d.Low, 100*d.High, or(d.Sure, "demostrada", "no demostrada"))
}
