package view

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/pack"
	"digesto/store"
)

// optionView is a button of a clarification: what it says and the
// self-contained question that it asks.
type optionView struct {
	Label, Query string
	Said         string // what choosing it says in a conversation
	Pack         string // that it means; "" = none
}

// readingView is one of the questions that may be meant, with its answer and its proof.
type readingView struct {
	Question, Answer string
	Quotes           []string
	Sources          []sourceView
}

// readings gives what a question may mean.
func (s *Site) readings(law *corpus.Snapshot, m *digesto.Meta) (out []readingView) {
	for _, r := range m.Readings {
		v := readingView{Question: r.Question(), Answer: r.Answer}
		v.Sources, _ = s.sources(law, r.Citations, m.AsOf)
		for _, c := range r.Citations {
			v.Quotes = append(v.Quotes, c.Quote)
		}
		out = append(out, v)
	}
	return out
}

// options gives the buttons of a clarification. The question behind each is
// the pack's; an option that the pack does not know asks its own words.
func (s *Site) options(m *digesto.Meta, question string) []optionView {
	var out []optionView
	for _, label := range m.Options {
		o := optionView{Label: label, Query: s.Resolve(m.Pack, question, label), Said: label}
		for _, p := range s.Packs { // a pack by its name is no word of people
			if p.Name == label {
				o.Label, o.Pack = p.Title, p.Name
			}
		}
		out = append(out, o)
	}
	return out
}

// Resolve joins a clarified question and the reply to it into one that stands alone.
func (s *Site) Resolve(packName, question, reply string) string {
	for _, p := range s.Packs {
		if p.Name == packName {
			return p.Resolved(question, reply)
		}
	}
	return (&pack.Pack{}).Resolved(question, reply)
}

type again struct {
	Label, Text, Pack, Territory, Help, Session string
	AsOf                                        digesto.Date
}

// Answer is an answer of any outcome, ready to be shown.
type Answer struct {
	Question, Pack, PackTitle, Territory, EditURL string
	Place                                         string // the territory as people call it
	Session                                       string
	AsOf                                          digesto.Date
	Ladder                                        ladder
	Signals                                       []signal
	Taken                                         []takenView // what the question was taken as
	Packs                                         []packView
	Asked                                         string // the question made self-contained
	Plain, Boss                                   bool   // in plain language; who looks runs the server
	Given                                         string // what law it was answered from
	Address                                       string // where it is found again
	Changed                                       []sourceView
	Calendar                                      string // address of the last day as a file for calendars
	Form                                          *link  // of a calculator, filled in with what was told
	Steps                                         []stepView
	Facts                                         []fact
	Notes, Minor                                  [][]span // what changes the answer; what does not
	Orders                                        [][]span // for who runs the server
	Missing                                       []string
	Examples                                      []exampleView
	Options                                       []optionView
	Readings                                      []readingView
	Count                                         string // of norms installed of its pack
	Sources                                       []sourceView
	Install, How, Notice                          string
	Again                                         again
	Before                                        []pastTurn
	Next                                          []string // questions that may come after
	Vote                                          *voteView
}

// exampleView is a question that can be asked, and of which pack; Of is its title where
// there are several.
type exampleView struct{ Pack, Of, Text string }

func examplesFor(pack, of string, texts []string) (out []exampleView) {
	for _, t := range texts {
		out = append(out, exampleView{pack, of, t})
	}
	return out
}

// takenView is one thing that a question was taken as.
type takenView struct{ Kind, Text string }

// noLaw says that a question was of no law: it is of no country either.
func noLaw(m *digesto.Meta) bool {
	return m.Outcome == digesto.OutcomeNonLegal || m.Outcome == digesto.OutcomeReformulate
}

// kindsTaken name them.
var kindsTaken = map[string]string{"who": "Quién", "where": "Dónde", "when": "Cuándo", "subject": "Entendí", "norm": "Norma", "amount": "Cantidad"}

func taken(m *digesto.Meta) (out []takenView) {
	for _, u := range m.Understood {
		if u.From == "default" && noLaw(m) {
			continue // nothing of it was meant
		}
		out = append(out, takenView{or(kindsTaken[u.Kind] == "", "Dato", kindsTaken[u.Kind]), u.Text + or(u.From == "conversation", " (de antes)", "")})
	}
	return out
}

// Answer is an answer to a question, given at a time; zero = it is not known when.
func (s *Site) Answer(law *corpus.Snapshot, q digesto.Question, a digesto.Answer, given time.Time) Answer {
	m := a.Meta
	if m == nil {
		m = &digesto.Meta{Pack: q.Pack, AsOf: q.AsOf}
	}
	p := Answer{Question: q.Text, Pack: m.Pack, PackTitle: "sin determinar", AsOf: m.AsOf, Territory: m.Territory, Place: s.place(m.Territory),
		Missing: s.missing(m), Options: s.options(m, q.Text), Notice: m.AINotice, How: how(m)}
	var place func(string) (int, string)
	p.Sources, place = s.sources(law, a.Citations, m.AsOf)
	p.body(a, m, place)
	p.sortNotes(a)
	p.Signals = signals(a, m, p.Sources, len(p.Ladder.Cautions) > 0)
	if len(p.Ladder.Cautions) > 0 && len(p.Sources) == 1 && p.Sources[0].Badge.Class == "is-ok" {
		p.Sources[0].Badge = badge{"is-doubt", "Con reservas"}
	}
	p.Steps = s.steps(m, a.Citations, place)
	if day := deadline(m.Steps); day != "" {
		about, _, _ := strings.Cut(textOf(p.Ladder.Gist), ":")
		p.Calendar = CalendarURL(day, about)
	}
	p.Form = s.formFor(q, a)
	if p.Readings = s.readings(law, m); p.Readings != nil {
		p.Options = nil
	}
	p.Taken, p.Next, p.Asked = taken(m), m.Next, cmp.Or(m.Question, q.Text)
	if slices.ContainsFunc(p.Taken, func(t takenView) bool { return t.Text == p.Place }) {
		p.Place = "" // said already
	}
	p.Plain = q.Tone == "sencillo"
	p.given(a, given, law)
	p.EditURL = "/?" + url.Values{"question": {cmp.Or(m.Question, q.Text)}, "pack": {m.Pack}, "as_of": {string(m.AsOf)}, "territory": {m.Territory}}.Encode() + "#preguntar"
	p.Again = again{Label: "Preguntar otra cosa", Pack: m.Pack, AsOf: m.AsOf, Territory: m.Territory, Help: "Con el mismo ámbito y la misma fecha."}
	if s.Keeps { // what is asked next goes on with the conversation
		p.Session, p.Again.Session = m.SessionID, m.SessionID
	}
	if noLaw(m) && q.Pack == "" {
		p.Pack, p.PackTitle, p.Packs, p.Again.Pack = "", "", s.packViews(law, ""), ""
		for _, x := range s.Packs {
			p.Examples = append(p.Examples, examplesFor(x.Name, x.Title, examplesOf(x, 1))...)
		}
		p.Ladder.without(p.Examples)
		return p
	}
	p.Packs = s.packViews(law, m.Pack)
	for _, v := range p.Packs {
		if v.Selected {
			p.PackTitle, p.Install, p.Count, p.Examples = v.Title, v.Install, v.Installed, examplesFor(v.Name, "", v.Examples)
		}
	}
	if a.Refusal {
		p.Again.Label, p.Again.Text = "Preguntar de otra forma", q.Text
	}
	return p
}

// formFor is the form of a calculator that goes with an answer.
func (s *Site) formFor(q digesto.Question, a digesto.Answer) *link {
	if s.Form == nil || a.Meta == nil || a.Meta.Pack == "" {
		return nil
	}
	q.Text = cmp.Or(a.Meta.Question, q.Text)
	if to, name := s.Form(q, a); to != "" {
		return &link{URL: to, Name: name}
	}
	return nil
}

// missing names what is not installed as people call it.
func (s *Site) missing(m *digesto.Meta) (out []string) {
	for _, id := range m.Missing {
		name := ""
		for _, p := range s.Packs {
			for _, x := range p.Sources {
				if x.ID == id {
					name = cmp.Or(x.Short, x.Title)
				}
			}
			for _, a := range p.Aliases {
				if a.Norm == id && !a.Weak && len(a.Name) > len(name) {
					name = a.Name
				}
			}
		}
		out = append(out, UpperFirst(cmp.Or(name, id)))
	}
	return out
}

// how says in one line how the answer came about.
func how(m *digesto.Meta) string {
	mode := map[string]string{"extractive": "Respuesta por extracción, sin modelo de lenguaje", "calculator": "Calculada por el programa con datos citados",
		"model": "Redactada por un modelo de lenguaje; cada cita comprobada"}[m.Mode]
	if mode == "" {
		mode = "Sin redacción"
	}
	out := fmt.Sprintf("%s · %d ms · corpus %s", mode, m.ElapsedMS, shortHash(strings.TrimPrefix(m.Corpus, "embedded")))
	if len(m.Degraded) > 0 {
		out += " · con menos medios: " + strings.Join(m.Degraded, ", ")
	}
	return out
}

// AnswerIn gives the answer that a message stores, if it does.
func AnswerIn(m store.Message) (a digesto.Answer, ok bool) {
	return a, json.Unmarshal(m.Meta["answer"], &a) == nil && a.Meta != nil
}

// pastTurn is a question asked before in the same conversation.
type pastTurn struct {
	Question, URL string
	Said          []span // the line that answered it
}

// voteView is the form under an answer that asks whether it served.
type voteView struct {
	Proved       bool // there is something to have checked
	Conversation string
	Seq          int64
	Thanks       bool
}

// InConversation fills in the questions before an answer, of the messages of its
// conversation, and the form to judge it.
func (p *Answer) InConversation(list []store.Message, m *digesto.Meta, thanks bool) {
	for i, x := range list {
		a, ok := AnswerIn(x)
		if !ok || i == 0 {
			continue
		}
		if a.Meta.TraceID == m.TraceID {
			p.Vote = &voteView{len(a.Citations) > 0, m.SessionID, x.Seq, thanks}
			break
		}
		p.Before = append(p.Before, pastTurn{list[i-1].Content, StoredURL(m.SessionID, x.Seq), lineOf(list[i-1].Content, a)})
	}
}

// lineOf is the one line of an answer.
func lineOf(question string, a digesto.Answer) []span {
	p := Answer{Question: question}
	p.body(a, a.Meta, func(string) (int, string) { return 0, "" })
	for i := range p.Ladder.Gist.Spans {
		p.Ladder.Gist.Spans[i].Text = markPattern.ReplaceAllString(p.Ladder.Gist.Spans[i].Text, "")
	}
	return p.Ladder.Gist.Spans
}

// StoredURL is the address of an answer of a conversation.
func StoredURL(conversation string, seq int64) string {
	return "/conversaciones/" + url.PathEscape(conversation) + "/" + strconv.FormatInt(seq, 10)
}
