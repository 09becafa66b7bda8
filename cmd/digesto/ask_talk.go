package main

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"digesto"
	"digesto/app"
	"digesto/cmd/digesto/internal/show"
	"digesto/pack"
	"digesto/server"
)

// talk goes on in one conversation: a line of the input is a question; a number takes
// what the last answer offered; an empty line or the end of the input ends it.
func (c askCmd) talk(a *program, w *app.Workspace, engine server.Asker, q digesto.Question) error {
	in := bufio.NewScanner(a.in)
	in.Buffer(nil, maxQuestion)
	var next []string
	for first := true; ; first = false {
		if q.Text == "" || !first {
			if a.outTerm {
				fmt.Fprint(a.out, "\n› ")
			}
			if !in.Scan() {
				return in.Err()
			}
			if q.Text = strings.TrimSpace(in.Text()); q.Text == "" {
				return nil
			}
			if n, err := strconv.Atoi(q.Text); err == nil && n >= 1 && n <= len(next) {
				q.Text = next[n-1]
			}
		}
		ans, err := engine.Ask(a.Context, q, c.progress(a))
		if err != nil {
			return err
		}
		if ans.Meta != nil {
			q.Conversation, next = ans.Meta.SessionID, ans.Meta.Next
		}
		if err := c.print(a, w, ans); err != nil {
			return err
		}
		c.goOn(a, ans)
	}
}

// choose takes one of the questions that an answer offers instead of an answer, by its
// number, where somebody sits before the terminal; nothing typed ends it.
func (c askCmd) choose(a *program, w *app.Workspace, q digesto.Question, ans digesto.Answer) (next digesto.Question, chosen bool, err error) {
	if !a.inTerm || !a.outTerm || a.json || c.Contract || ans.Meta == nil {
		return q, false, nil
	}
	var offers []digesto.Question
	for _, r := range ans.Meta.Readings {
		one := q
		one.Text = r.Question()
		offers = append(offers, one)
	}
	if len(offers) == 0 {
		for _, o := range ans.Meta.Options {
			offers = append(offers, settled(w, q, ans.Meta.Pack, o))
		}
	}
	if len(offers) == 0 {
		return q, false, nil
	}
	in := bufio.NewScanner(a.in)
	for {
		fmt.Fprintf(a.out, "\nElija del 1 al %d, o Intro para terminar: ", len(offers))
		said := ""
		if in.Scan() {
			said = strings.TrimSpace(in.Text())
		}
		if said == "" {
			return q, false, in.Err()
		}
		if n, err := strconv.Atoi(said); err == nil && n >= 1 && n <= len(offers) {
			fmt.Fprintln(a.out)
			return offers[n-1], true, nil
		}
	}
}

// settled is a question that was asked back, with the option that was chosen.
func settled(w *app.Workspace, q digesto.Question, of, option string) digesto.Question {
	for _, k := range w.Packs {
		switch k.Name {
		case option: // whose law, was asked
			q.Pack = option
			return q
		case of:
			q.Text, q.Pack = k.Resolved(q.Text, option), of
			return q
		}
	}
	q.Text = (&pack.Pack{}).Resolved(q.Text, option)
	return q
}

// goOn says what the question was taken as and what may be asked next.
func (c askCmd) goOn(a *program, ans digesto.Answer) {
	if a.json || c.Contract || ans.Meta == nil {
		return
	}
	show.Next(a.screen(), ans.Meta)
}
