package ask

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"digesto"
	"digesto/dialogue"
	"digesto/pack"
	"digesto/query"
	"digesto/route"
	"digesto/text"
)

// resume reads the question in the light of the messages before it: a pending
// clarification gets its reply, a follow-up what it leaves out.
func resume(t query.Turn, packs []*pack.Pack) query.Turn {
	state := dialogue.Of(t.Q.History)
	if state.Last == nil {
		return t
	}
	last := *state.Last
	if keepsPack(state, t.Q.Pack) { // a word may have changed it since
		t.Sticky = state.Packs[0]
		if t.Q.Pack != "" {
			t.Q.Pack = t.Sticky
		}
	}
	t.Sticky = cmp.Or(t.Sticky, t.Q.Pack, t.Opened.Pack)
	t.Read = state.Read(t.Said)
	if elsewhere(&t, packs) {
		return t
	}
	if last.Type == string(digesto.OutcomeClarification) {
		return replied(t, packs, last)
	}
	return continued(t)
}

// continued reads a message that goes on with the subject in play.
func continued(t query.Turn) query.Turn {
	if t.Read.Move == dialogue.MoveTalk || t.Read.About == nil {
		return t
	}
	t.Q.Text, t.Context, t.Insisted = t.Read.Query, t.Read.Context, t.Read.Denies
	if t.Read.Move == dialogue.MoveCorrection && t.Read.Text == "" {
		t.Settled = &query.Ending{Outcome: digesto.OutcomeClarification, Text: "¿Qué dato quiere corregir? Lo que se preguntaba: «" + t.Read.About.Query + "»."}
	}
	if t.Read.Tied() {
		t.Topic, t.About = t.Read.About.Question, t.Read.About.Norms
		if t.Q.Pack == "" {
			t.Q.Pack = t.Sticky
		}
	}
	return t
}

// keepsPack says that a message goes on in the pack spoken of last: the client names none, or
// one that was spoken of and that it has named all along, as clients do that name theirs with
// every message. One that it names anew is its choice.
func keepsPack(s dialogue.State, named string) bool {
	if len(s.Packs) == 0 {
		return false
	}
	return named == "" || slices.Contains(s.Packs, named) && (s.Named == "" || s.Named == named)
}

// elsewhere asks of another country what was asked of one ("¿y en …?"): the packs of that
// country are asked, and nothing of the law in play is carried.
func elsewhere(t *query.Turn, packs []*pack.Pack) bool {
	now := packNamed(packs, cmp.Or(t.Q.Pack, t.Sticky))
	if now == nil || t.Read.About == nil || t.Read.Move == dialogue.MoveTalk {
		return false
	}
	words := pack.Words(t.Read.Text)
	here, name := digesto.Country(now.Jurisdiction()), ""
	names := map[string]bool{}
	for _, p := range packs {
		c := digesto.Country(p.Jurisdiction())
		names[p.Places[c]] = true
		if c != here && slices.ContainsFunc(route.CountryForms(p.Places[c]), func(f pack.Pattern) bool { return f.Match(words) }) {
			name = p.Places[c]
		}
	}
	if name == "" {
		return false
	}
	question := t.Read.About.Query
	if own := dialogue.Read(t.Read.Text).Content(); len(own) > 1+len(pack.Words(name)) {
		question = t.Read.Query
	}
	for n := range names {
		question = withoutPlace(question, n)
	}
	t.Q.Text = strings.TrimRight(question, " .?!") + " en " + name + "?"
	t.Topic = t.Read.About.Question
	t.Q.Pack, t.Sticky, t.Read = "", "", dialogue.Turn{Move: dialogue.MoveCondition, Text: t.Read.Text, Query: t.Q.Text}
	return true
}

// withoutPlace strikes a place from a question ("…, en X").
func withoutPlace(question, name string) string {
	words, toks := pack.Words(name), text.Tokens(nil, question)
	for i := 1; len(words) > 0 && i+len(words) <= len(toks); i++ {
		if !slices.EqualFunc(words, toks[i:i+len(words)], func(w string, t text.Token) bool { return w == t.Text }) {
			continue
		}
		from := i - 1
		if from > 0 && (toks[from].Text == "el" || toks[from].Text == "la") {
			from--
		}
		if toks[from].Text == "en" {
			return strings.TrimRight(question[:toks[from].Start], " ,") + question[toks[i+len(words)-1].End:]
		}
	}
	return question
}

// replied joins the question that was asked back with the reply.
func replied(t query.Turn, packs []*pack.Pack, last digesto.Message) query.Turn {
	t.Reading = query.PromptFollowup
	reply := t.Q.Text
	p := packNamed(packs, cmp.Or(t.Q.Pack, last.Pack))
	if p == nil { // what was asked back is the pack itself
		if chosen := packChosen(packs, reply); chosen != nil {
			t.Q.Pack, t.Q.Text = chosen.Name, last.Query
		} else if !dialogue.Complete(reply) {
			t.Q.Text = joined(last.Query, reply)
		}
		return t
	}
	if d, ok := p.Detect(reply); ok && d.Outcome != "" || t.Read.Move == dialogue.MoveTalk {
		return t // a greeting or the like: the topic is left
	}
	if t.Q.Pack == "" {
		t.Q.Pack = p.Name
	}
	if q, ok := readingChosen(last.Readings, reply, t.Q.Choice); ok {
		t.Q.Text, t.Chosen = q, true
		return t
	}
	var chosen []pack.Option
	if a, ok := p.Ambiguous(last.Query); ok {
		if chosen = a.Chosen(reply); len(chosen) == 0 && dialogue.AnyOf(reply) {
			chosen = a.Options
		}
	}
	switch {
	case dialogue.Garbled(reply):
		t.Settled = &query.Ending{Outcome: digesto.OutcomeReformulate, Text: p.Say("reformulate")}
	case len(chosen) > 0:
		var queries []string
		for _, o := range chosen {
			queries = append(queries, o.Query)
		}
		branch(&t, queries)
	case dialogue.AnyOf(reply):
		t.Q.Text = last.Query
	case len(last.Readings) > 0: // who takes none of them goes on: what they stand on is in play
		return continued(t)
	case dialogue.Complete(reply): // another question: nothing of what was asked back is carried
		t.Read = dialogue.Turn{Move: dialogue.MoveNew, Text: reply, Query: reply}
	default:
		t.Q.Text = joined(last.Query, reply)
	}
	return t
}

// branch takes the branches chosen: one is the question; several are answered
// each on its own.
func branch(t *query.Turn, queries []string) {
	t.Q.Text, t.Chosen = strings.Join(queries, "; "), true
	if len(queries) > 1 {
		t.Branches = queries[:min(len(queries), query.MaxParts)]
	}
}

// readingChosen is the offered question that a reply takes: by its number or by its words.
func readingChosen(offered []string, reply string, choice int) (string, bool) {
	said := strings.Join(pack.Words(reply), " ")
	for i, q := range offered {
		number := strconv.Itoa(i + 1)
		if choice == i+1 || choice == 0 && (said == number || said == "la "+number || said == "el "+number || said == "opcion "+number || strings.HasSuffix(said, strings.Join(pack.Words(q), " "))) {
			return q, true
		}
	}
	return "", false
}

func joined(question, reply string) string {
	return strings.TrimRight(question, " .?!¿¡") + ", " + strings.TrimLeft(reply, " ,;")
}

func packNamed(packs []*pack.Pack, name string) *pack.Pack {
	for _, p := range packs {
		if name != "" && strings.EqualFold(p.Name, name) {
			return p
		}
	}
	return nil
}

// packChosen is the one pack whose name or title the reply says.
func packChosen(packs []*pack.Pack, reply string) *pack.Pack {
	said := " " + strings.Join(pack.Words(reply), " ") + " "
	var found *pack.Pack
	for _, p := range packs {
		if !strings.Contains(said, " "+strings.Join(pack.Words(p.Name), " ")+" ") && !strings.Contains(said, " "+strings.Join(pack.Words(p.Title), " ")+" ") {
			continue
		}
		if found != nil {
			return nil
		}
		found = p
	}
	return found
}
