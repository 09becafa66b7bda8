package view

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"digesto"
	"digesto/store"
)

type conversationLine struct {
	ID, Title, When, Count string
	Deleted                bool
}

// conversationDay are the conversations that were last touched on a day.
type conversationDay struct {
	Name string
	List []conversationLine
}

// Conversations is a list of conversations by day.
type Conversations struct {
	Search, State, Next string
	Days                []conversationDay
}

// Conversations is a page of a list of conversations, by day, as it was searched.
func (s *Site) Conversations(page store.Page, search, state string) Conversations {
	p := Conversations{Search: search, State: state}
	for _, c := range page.List {
		day := s.dayName(c.Updated)
		if len(p.Days) == 0 || p.Days[len(p.Days)-1].Name != day {
			p.Days = append(p.Days, conversationDay{Name: day})
		}
		last := &p.Days[len(p.Days)-1]
		last.List = append(last.List, conversationLine{c.ID, c.Title, c.Updated.Format("15:04"), count(c.Messages, "mensaje", "mensajes"), c.Deleted != nil})
	}
	if page.Cursor != "" {
		p.Next = "/conversaciones?" + url.Values{"q": {p.Search}, "state": {p.State}, "cursor": {page.Cursor}}.Encode()
	}
	return p
}

// dayName is a day as people say it when it is near.
func (s *Site) dayName(t time.Time) string {
	day := digesto.Date(t.Format(time.DateOnly))
	switch ago, _ := s.daysSince(day); ago {
	case 0:
		return "Hoy"
	case 1:
		return "Ayer"
	}
	return DateShort(day)
}

type messageView struct {
	Seq                  int64
	Who, Kind, When, URL string
	Lines                []string
	Options              []optionView
	Ladder               *ladder // of an answer
	Sources              []link
}

// Conversation is one with its messages.
type Conversation struct {
	ID, Title, Link  string
	Name             string // the title that can be changed
	Shared, Archived bool
	Messages         []messageView
	Waiting          bool // the last question has no answer yet
	Titled           bool // its title is its first question
	Next             []string
	Pack             string
}

// kindNames say how a message ended, to people.
var kindNames = map[string]string{"clarification": "aclaración", "non_legal": "no es una consulta legal", "reformulate_request": "hay que preguntar de otra forma",
	"refusal": "sin respuesta en los textos", "out_of_scope": "fuera del ámbito", "advice": "no se dan consejos", "error": "no se pudo contestar"}

// Conversation is a conversation with its messages.
func (s *Site) Conversation(c store.Conversation, list []store.Message) Conversation {
	p := Conversation{ID: c.ID, Title: c.Title, Name: c.Title, Archived: c.Archived != nil}
	if c.Share != "" {
		p.Link = "/compartida/" + c.Share
	}
	asked := map[string]bool{}
	for i, m := range list {
		v := messageView{Seq: m.Seq, Who: "Pregunta", When: m.Created.Format("02/01/2006 15:04"), Lines: lines(m.Content)}
		if m.Role == store.RoleAssistant {
			v.Who, v.Kind = "Respuesta", kindNames[m.Meta.Type()]
			var a digesto.Answer
			if json.Unmarshal(m.Meta["answer"], &a) == nil && a.Meta != nil {
				v.URL = StoredURL(c.ID, m.Seq)
				if len(a.Citations) > 0 && i > 0 {
					v.Ladder, v.Sources = turnOf(list[i-1].Content, a)
				}
				p.Pack = a.Meta.Pack
				for _, u := range a.Meta.Understood {
					asked[u.Text] = true
				}
				if i == len(list)-1 {
					v.Options, p.Next = s.options(a.Meta, ""), a.Meta.Next
				}
			}
		}
		p.Messages = append(p.Messages, v)
	}
	if len(list) > 0 { // a title that is the first question, or its beginning, is not told twice
		first := strings.TrimSpace(list[0].Content)
		begin, cut := strings.CutSuffix(c.Title, "…")
		if p.Titled = first == c.Title || cut && strings.HasPrefix(first, begin) && !strings.Contains(first, "\n"); p.Titled {
			p.Title = first
		}
	}
	p.Next = slices.DeleteFunc(slices.Clone(p.Next), func(q string) bool { return asked[q] })
	p.Waiting = len(list) > 0 && list[len(list)-1].Role == store.RoleUser
	return p
}

// turnOf is an answer as a conversation shows it: what it says, and the articles it says it from.
func turnOf(question string, a digesto.Answer) (*ladder, []link) {
	var sources []link
	number := map[string]int{}
	place := func(label string) (int, string) {
		for _, c := range a.Citations {
			if c.Ref == nil || c.Ref.Label != label {
				continue
			}
			key := c.Ref.Document + "\x00" + c.Ref.Unit + "\x00" + c.Ref.Version + "\x00" + c.Ref.SHA256
			if number[key] == 0 {
				sources = append(sources, link{URL: UnitURL(c.Ref.Document, c.Ref.Unit) + "?version=" + url.QueryEscape(c.Ref.Version) + "&" + QuoteParam(c.Quote) + "#cita", Name: refTitle(c)})
				number[key] = len(sources)
			}
			return number[key], refTitle(c)
		}
		return 0, ""
	}
	p := Answer{Question: question}
	p.body(a, a.Meta, place)
	return &p.Ladder, sources
}
