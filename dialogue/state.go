package dialogue

import (
	"cmp"
	"slices"
	"strings"

	"digesto"
	"digesto/text"
)

// Subject is a matter that was spoken of.
type Subject struct {
	Question string   // that it began with, self-contained; it names the subject
	Told     []string // what was said of it since, in order
	Query    string   // the last question of it that was answered, self-contained
	Places   []string // NORM/unit that it led to or that were offered, the newest first
	Norms    []string // cited with the last answer of it
	Pack     string
}

// State is what a conversation is about.
type State struct {
	Subjects []Subject        // the one in play first
	Last     *digesto.Message // answer before this message, with its Query; nil = none
	Packs    []string         // whose law was spoken of, the last first
	Named    string           // the pack that the client named last; "" = not known
}

// Bounds of what is carried.
const (
	maxSubjects = 6
	maxPlaces   = 8
)

// Of reads the state of a conversation from its messages, the oldest first.
func Of(history []digesto.Message) (s State) {
	said := ""
	for i, m := range history {
		switch {
		case m.Role == "user":
			said = m.Text
			continue
		case m.Role != "assistant" || m.Type == "error": // who gets no answer says it again
			continue
		}
		m = withQuery(m, history[:i])
		offered := s.Last != nil && s.Last.Type == string(digesto.OutcomeClarification)
		s.Last, s.Named = &m, m.Named
		if m.Pack != "" {
			s.Packs = append([]string{m.Pack}, slices.DeleteFunc(s.Packs, func(p string) bool { return p == m.Pack })...)
		}
		switch digesto.Outcome(m.Type) {
		case digesto.OutcomeNonLegal, digesto.OutcomeReformulate, digesto.OutcomeOutOfScope:
			continue // the thread stays where it was
		}
		s.add(m, said, offered)
	}
	return s
}

// add puts an answered question where it belongs.
func (s *State) add(m digesto.Message, said string, offered bool) {
	k := slices.IndexFunc(s.Subjects, func(x Subject) bool { return m.Topic != "" && x.Question == m.Topic })
	var x Subject
	switch {
	case k >= 0:
		x = s.Subjects[k]
		s.Subjects = slices.Delete(s.Subjects, k, k+1)
		x.Told = append(slices.Clone(x.Told), said)
	case m.Type == string(digesto.OutcomeRefusal) && len(m.Places) == 0 && len(s.Subjects) > 0 && !Complete(said):
		return // nothing was found for what is no whole question: the thread stays where it was
	case offered && len(s.Subjects) > 0: // what was asked back is settled by this
		x = Subject{Question: cmp.Or(m.Topic, m.Query), Places: s.Subjects[0].Places}
		s.Subjects = s.Subjects[1:]
	default:
		x = Subject{Question: cmp.Or(m.Topic, m.Query)}
	}
	x.Query, x.Pack = m.Query, cmp.Or(m.Pack, x.Pack)
	if len(m.Norms) > 0 {
		x.Norms = m.Norms
	}
	places := slices.Clone(m.Places)
	for _, p := range x.Places {
		if len(places) < maxPlaces && !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	x.Places = places
	s.Subjects = slices.Insert(s.Subjects, 0, x)
	s.Subjects = s.Subjects[:min(len(s.Subjects), maxSubjects)]
}

// withQuery fills in the question that an answer answered, where the message
// itself does not carry it.
func withQuery(m digesto.Message, before []digesto.Message) digesto.Message {
	for i := len(before) - 1; i >= 0 && m.Query == ""; i-- {
		if before[i].Role == "user" {
			m.Query = before[i].Text
		}
	}
	return m
}

// front is the subject in play; nil when there is none.
func (s State) front() *Subject {
	if len(s.Subjects) == 0 {
		return nil
	}
	return &s.Subjects[0]
}

// called is the subject that words name best, the newest of several; the one in play
// when they name none.
func (s State) called(words []string) *Subject {
	best, most := s.front(), 0
	for i := range s.Subjects {
		x := &s.Subjects[i]
		has := map[string]bool{}
		for _, t := range text.Tokens(nil, x.Question+" "+strings.Join(x.Told, " ")) {
			has[text.Stem(t.Text)] = true
		}
		n := 0
		for _, w := range words {
			if !text.IsStop(w) && has[text.Stem(w)] {
				n++
			}
		}
		if n > most {
			best, most = x, n
		}
	}
	return best
}
