package server

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"digesto"
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
	Votes     string    // how many found an answer of use, and how many did not
	Review    []badVote // answers that somebody found wrong, the last first
}

// badVote is an answer to be looked at again.
type badVote struct{ When, Question, Comment, URL string }

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
	p.Questions, p.Asked = thousands(a.Questions), percent(a.Clarification)
	p.Types, p.Topics = counted(a.Types), a.Unanswered
	for _, d := range a.Days {
		p.ByDay = append(p.ByDay, dayLine{dateShort(digesto.Date(d.Date)), counted(d.Types)})
	}
	for _, v := range a.Variants {
		p.Variants = append(p.Variants, variantLine{promptName(v.Prompt, v.Version), strconv.Itoa(v.Questions), interval(v.Clarification), interval(v.Success),
			interval(v.FollowUp) + " de " + strconv.Itoa(v.Clarifications)})
	}
	for _, t := range a.Trials {
		p.Trials = append(p.Trials, trialLine{promptName(t.Prompt, "") + ": versión " + t.B + " menos " + t.A, difference(t.Clarification), difference(t.FollowUp)})
	}
	if p.Votes, p.Review, err = s.votes(r, u.ID, p.All && p.Boss, p.Days); err != nil {
		s.fail(w, r, err)
		return
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

// promptNames are the kinds of question that a prompt is for.
var promptNames = map[string]string{"initial": "Primera pregunta", "followup": "Repregunta"}

func promptName(prompt, version string) string {
	return or(promptNames[prompt] == "", prompt, promptNames[prompt]) + or(version == "", "", " · versión "+version)
}

// votes counts what people thought of the answers of these days, a user's or everybody's,
// and gives those to be looked at again.
func (s *Server) votes(r *http.Request, user string, all bool, days int) (said string, review []badVote, err error) {
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
	good, bad := 0, 0
	for _, v := range slices.Backward(list) {
		var of *store.Run // of the question last asked before that message
		for i, x := range asked[v.Conversation] {
			if x.Turn <= v.Seq && (of == nil || x.Turn > of.Turn) {
				of = &asked[v.Conversation][i]
			}
		}
		switch {
		case of == nil:
		case v.Rating > 0:
			good++
		case v.Rating < 0:
			if bad++; len(review) < 50 {
				review = append(review, badVote{v.Created.Format("02/01/2006 15:04"), or(of.Topic == "", "Pregunta sin tema", of.Topic), v.Comment, "/respuestas/" + url.PathEscape(of.Trace)})
			}
		}
	}
	if good+bad > 0 {
		said = thousands(good) + " sí · " + thousands(bad) + " no"
	}
	return said, review, nil
}

// percent writes a share with the comma of Spanish.
func percent(x float64) string { return comma(fmt.Sprintf("%.1f %%", 100*x)) }

func comma(s string) string { return strings.ReplaceAll(s, ".", ",") }

func interval(s store.Share) string {
	return comma(fmt.Sprintf("%.1f %% (%.1f–%.1f)", 100*s.Value, 100*s.Low, 100*s.High))
}

func difference(d store.Difference) string {
	return comma(fmt.Sprintf("%+.1f puntos (%+.1f a %+.1f), %s", 100*d.Value, 100*d.Low, 100*d.High, or(d.Sure, "demostrada", "no demostrada")))
}
