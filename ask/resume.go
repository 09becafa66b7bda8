package ask

import (
	"strconv"
	"strings"

	"digesto"
	"digesto/pack"
)

// The types of prompt that read a question.
const (
	promptInitial  = "initial"  // a question that stands by itself; permissive
	promptFollowup = "followup" // the reply to a clarification: always combined, never asked back
)

// resume reads the question in the light of the messages before it: a pending
// clarification gets its reply, an ordinary follow-up what it leaves out.
func (t turn) resume(packs []*pack.Pack) turn {
	last, ok := lastAnswer(t.q.History)
	if !ok {
		return t
	}
	if t.q.Pack == "" {
		t.sticky = nonEmpty(t.opened.Pack, last.Pack)
	}
	if last.Type == string(digesto.OutcomeClarification) {
		return t.replied(packs, last)
	}
	if again, ok := pushback(t.q.Text, last); ok {
		t.q.Text, t.insisted = again, true
		if t.q.Pack == "" {
			t.q.Pack = t.sticky
		}
		return t
	}
	if c, ok := Complete(t.q.Text, t.q.History); ok {
		t.q.Text, t.topic, t.about = c.Text, c.Topic, c.Norms
		if !c.Condition { // a condition narrows the question; a thing asked about replaces what was asked
			t.context = subject(c.Topic)
		}
		if t.q.Pack == "" {
			t.q.Pack = t.sticky
		}
	}
	return t
}

// lastAnswer is the last message of the assistant; that something failed is
// not one, because the person will say the same again.
func lastAnswer(list []digesto.Message) (digesto.Message, bool) {
	for i := len(list) - 1; i >= 0; i-- {
		if m := list[i]; m.Role == "assistant" && m.Type != "error" {
			return withQuery(m, list[:i]), true
		}
	}
	return digesto.Message{}, false
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

// replied joins the question that was asked back with the reply.
func (t turn) replied(packs []*pack.Pack, last digesto.Message) turn {
	t.reading = promptFollowup
	reply := t.q.Text
	p := packNamed(packs, nonEmpty(t.q.Pack, last.Pack))
	if p == nil { // what was asked back is the pack itself
		if chosen := packChosen(packs, reply); chosen != nil {
			t.q.Pack, t.q.Text = chosen.Name, last.Query
		} else if !complete(reply) {
			t.q.Text = joined(last.Query, reply)
		}
		return t
	}
	if d, ok := p.Detect(reply); ok && d.Outcome != "" {
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
		if chosen = a.Chosen(reply); len(chosen) == 0 && anyOf(reply) {
			chosen = a.Options
		}
	}
	switch {
	case garbled(reply):
		t.settled = &ending{outcome: digesto.OutcomeReformulate, text: p.Say("reformulate")}
	case len(chosen) > 0:
		var queries []string
		for _, o := range chosen {
			queries = append(queries, o.Query)
		}
		t.branch(queries)
	case anyOf(reply):
		t.q.Text = last.Query
	case complete(reply):
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
