package main

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"digesto"
	"digesto/server"
)

// talk goes on in one conversation: a line of the input is a question; a number takes
// what the last answer offered; an empty line or the end of the input ends it.
func (c askCmd) talk(a *app, engine server.Asker, q digesto.Question) error {
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
		ans, err := engine.Ask(a.ctx, q, c.progress(a))
		if err != nil {
			return err
		}
		if ans.Meta != nil {
			q.Conversation, next = ans.Meta.SessionID, ans.Meta.Next
		}
		if err := c.print(a, q, ans); err != nil {
			return err
		}
		c.goOn(a, ans)
	}
}

// goOn says what the question was taken as and what may be asked next.
func (c askCmd) goOn(a *app, ans digesto.Answer) {
	if a.json || c.Contract || ans.Meta == nil {
		return
	}
	p := &printer{w: a.out, st: a.outStyle(), width: a.columns()}
	if told := ans.Meta.Told(); told != "" {
		p.line("\nEntendí: " + clean(told))
	}
	if len(ans.Meta.Next) > 0 {
		p.line(p.st.bold("Puede seguir con"))
		for i, n := range ans.Meta.Next {
			p.line(fmt.Sprintf("  %s %s", p.st.num(strconv.Itoa(i+1)+")"), clean(n)))
		}
	}
}
