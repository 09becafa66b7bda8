package ask

import (
	"slices"
	"strconv"
	"strings"

	"digesto"
	"digesto/dialogue"
	"digesto/pack"
	"digesto/text"
)

// The types of prompt that read a question.
const (
	promptInitial  = "initial"  // a question that stands by itself; permissive
	promptFollowup = "followup" // the reply to a clarification: always combined, never asked back
)

// resume reads the question in the light of the messages before it: a pending
// clarification gets its reply, a follow-up what it leaves out.
func (t turn) resume(packs []*pack.Pack) turn {
	state := dialogue.Of(t.q.History)
	if state.Last == nil {
		return t
	}
	last := *state.Last
	if len(state.Packs) > 0 && (t.q.Pack == "" || slices.Contains(state.Packs, t.q.Pack)) { // a word may have changed it since
		t.sticky = state.Packs[0]
		if t.q.Pack != "" {
			t.q.Pack = t.sticky
		}
	}
	t.sticky = nonEmpty(t.sticky, nonEmpty(t.q.Pack, t.opened.Pack))
	t.read = state.Read(t.said)
	if t.elsewhere(packs) {
		return t
	}
	if last.Type == string(digesto.OutcomeClarification) {
		return t.replied(packs, last)
	}
	if t.read.Move == dialogue.MoveTalk || t.read.About == nil {
		return t
	}
	t.q.Text, t.context, t.insisted = t.read.Query, t.read.Context, t.read.Denies
	if t.read.Move == dialogue.MoveCorrection && t.read.Text == "" {
		t.settled = &ending{outcome: digesto.OutcomeClarification, text: "¿Qué dato quiere corregir? Lo que se preguntaba: «" + t.read.About.Query + "»."}
	}
	if t.read.Tied() {
		t.topic, t.about = t.read.About.Question, t.read.About.Norms
		if t.q.Pack == "" {
			t.q.Pack = t.sticky
		}
	}
	return t
}

// elsewhere asks of another country what was asked of one ("¿y en …?"): the packs of that
// country are asked, and nothing of the law in play is carried.
func (t *turn) elsewhere(packs []*pack.Pack) bool {
	now := packNamed(packs, nonEmpty(t.q.Pack, t.sticky))
	if now == nil || t.read.About == nil || t.read.Move == dialogue.MoveTalk {
		return false
	}
	words := pack.Words(t.read.Text)
	here, name := digesto.Country(now.Jurisdiction()), ""
	names := map[string]bool{}
	for _, p := range packs {
		c := digesto.Country(p.Jurisdiction())
		names[p.Places[c]] = true
		if c != here && slices.ContainsFunc(countryForms(p.Places[c]), func(f pack.Pattern) bool { return f.Match(words) }) {
			name = p.Places[c]
		}
	}
	if name == "" {
		return false
	}
	question := t.read.About.Query
	if own := dialogue.Read(t.read.Text).Content(); len(own) > 1+len(pack.Words(name)) {
		question = t.read.Query
	}
	for n := range names {
		question = withoutPlace(question, n)
	}
	t.q.Text = strings.TrimRight(question, " .?!") + " en " + name + "?"
	t.topic = t.read.About.Question
	t.q.Pack, t.sticky, t.read = "", "", dialogue.Turn{Move: dialogue.MoveCondition, Text: t.read.Text, Query: t.q.Text}
	return true
}

// countryForms are the ways to name a country as the one whose law is asked; none without a name.
func countryForms(name string) []pack.Pattern {
	if name == "" {
		return nil
	}
	n := strings.Join(pack.Words(name), " ")
	return patternsOf("^ en|para ?el ?la "+n, "en|para ?el ?la "+n+" $", "ley|derecho ?de "+n)
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
func (t turn) replied(packs []*pack.Pack, last digesto.Message) turn {
	t.reading = promptFollowup
	reply := t.q.Text
	p := packNamed(packs, nonEmpty(t.q.Pack, last.Pack))
	if p == nil { // what was asked back is the pack itself
		if chosen := packChosen(packs, reply); chosen != nil {
			t.q.Pack, t.q.Text = chosen.Name, last.Query
		} else if !dialogue.Complete(reply) {
			t.q.Text = joined(last.Query, reply)
		}
		return t
	}
	if d, ok := p.Detect(reply); ok && d.Outcome != "" || t.read.Move == dialogue.MoveTalk {
		return t // a greeting or the like: the topic is left
	}
	if t.q.Pack == "" {
		t.q.Pack = p.Name
	}
	if q, ok := readingChosen(last.Readings, reply, t.q.Choice); ok {
		t.q.Text, t.chosen = q, true
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
		t.settled = &ending{outcome: digesto.OutcomeReformulate, text: p.Say("reformulate")}
	case len(chosen) > 0:
		var queries []string
		for _, o := range chosen {
			queries = append(queries, o.Query)
		}
		t.branch(queries)
	case dialogue.AnyOf(reply):
		t.q.Text = last.Query
	case dialogue.Complete(reply):
	default:
		t.q.Text = joined(last.Query, reply)
	}
	return t
}

// branch takes the branches chosen: one is the question; several are answered
// each on its own.
func (t *turn) branch(queries []string) {
	t.q.Text, t.chosen = strings.Join(queries, "; "), true
	if len(queries) > 1 {
		t.branches = queries[:min(len(queries), maxParts)]
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
