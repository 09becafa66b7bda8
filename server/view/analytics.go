package view

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"digesto"
	"digesto/store"
)

// Analytics is what the page of analytics shows.
type Analytics struct {
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
	Review    []BadVote // answers that somebody found wrong, the last first
}

// BadVote is an answer to be looked at again.
type BadVote struct{ When, Question, Comment, URL string }

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

// AnalyticsOf writes counts for people.
func AnalyticsOf(a store.Analytics) (p Analytics) {
	p.Questions, p.Asked = Thousands(a.Questions), percent(a.Clarification)
	p.Types, p.Topics = counted(a.Types), a.Unanswered
	for _, d := range a.Days {
		p.ByDay = append(p.ByDay, dayLine{DateShort(digesto.Date(d.Date)), counted(d.Types)})
	}
	for _, v := range a.Variants {
		p.Variants = append(p.Variants, variantLine{promptName(v.Prompt, v.Version), strconv.Itoa(v.Questions), interval(v.Clarification), interval(v.Success),
			interval(v.FollowUp) + " de " + strconv.Itoa(v.Clarifications)})
	}
	for _, t := range a.Trials {
		p.Trials = append(p.Trials, trialLine{promptName(t.Prompt, "") + ": versión " + t.B + " menos " + t.A, difference(t.Clarification), difference(t.FollowUp)})
	}
	return p
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

// VotesOf says how many votes were for and against the answers of some runs, by
// conversation, and gives those against, the last first.
func VotesOf(list []store.Feedback, asked map[string][]store.Run) (said string, review []BadVote) {
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
				review = append(review, BadVote{v.Created.Format("02/01/2006 15:04"), or(of.Topic == "", "Pregunta sin tema", of.Topic), v.Comment, "/respuestas/" + url.PathEscape(of.Trace)})
			}
		}
	}
	if good+bad > 0 {
		said = Thousands(good) + " sí · " + Thousands(bad) + " no"
	}
	return said, review
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
