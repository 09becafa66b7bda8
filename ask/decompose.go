package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"digesto"
	"digesto/model"
	"digesto/pack"
	"digesto/text/jsonx"
)

// Bounds of a decomposition, where the pack's manifest sets none.
const (
	defaultQueries = 4
	historyRunes   = 300 // kept of each earlier message
	historyWindow  = 4   // messages
)

// query is one search of a question: text that is understood by itself.
type query struct {
	text    string
	concept *pack.Term // the concept that it asks about; nil = none in particular
	model   bool       // written by the reader
}

// plan says what is searched for a question.
type plan struct {
	queries []query // beside the question itself; none for a plain question
	compare bool    // the question puts the concepts of its queries side by side
	steps   []digesto.TraceStep
	failed  []string
}

// staged says that the pack asks for the whole row of stages with models.
func staged(p *pack.Pack, prompt string) bool {
	_, ok := p.Prompt(prompt)
	return ok
}

// decompose finds the searches that a question needs: by the reader where the
// pack has a prompt for it, by rules otherwise. A question that names units needs
// none but itself.
func (e *Reader) decompose(ctx context.Context, i intent) (plan, error) {
	byRules := i.byRules()
	if e.Model == nil || !staged(i.pack, "decompose") || len(i.exact) > 0 {
		return byRules, nil
	}
	list, err := e.readQueries(ctx, i)
	if ctx.Err() != nil {
		return plan{}, model.Cancelled(ctx)
	}
	if err != nil || len(list) == 0 {
		why := "reader_parse_error"
		if err != nil {
			why = "reader_failed"
		}
		byRules.failed = append(byRules.failed, why)
		byRules.note("decompose", "rules", "el lector no dio un array de consultas: se usa la pregunta")
		return byRules, nil
	}
	p := plan{compare: byRules.compare}
	if p.compare {
		p.queries = byRules.queries // what the concepts are is asked in any case
	}
	for _, q := range list {
		p.queries = append(p.queries, query{text: q, model: true})
	}
	p.queries = p.queries[:min(len(p.queries), 2*i.most(defaultQueries))]
	p.note("decompose", "model", fmt.Sprintf("%d consultas", len(list)))
	return p, nil
}

func (p *plan) note(stage, how, text string) {
	p.steps = append(p.steps, digesto.TraceStep{Stage: stage, How: how, Note: text})
}

// most is the number of queries that the pack allows.
func (i intent) most(def int) int {
	if n := i.pack.Retrieval.Queries; n > 0 {
		return n
	}
	return def
}

// byRules decomposes without a model: concepts that are compared are asked for
// one by one, with those that the comparison is about.
func (i intent) byRules() plan {
	var p plan
	if len(i.exact) > 0 {
		p.note("decompose", "skipped", "la pregunta nombra la unidad")
		return p
	}
	words := pack.Words(i.text)
	named := i.pack.Glossary.Find(i.text)
	pair := i.compared(words, named)
	if len(pair) == 0 {
		p.note("decompose", "rules", "1 consulta: la pregunta")
		return p
	}
	p.compare = true
	for _, c := range pair {
		p.queries = append(p.queries, query{text: "¿Qué es " + c.name + "?", concept: c.term})
	}
	for _, n := range named {
		if len(p.queries) >= i.most(defaultQueries) {
			break
		}
		if !slices.ContainsFunc(pair, func(c concept) bool { return n.From >= c.from && n.To <= c.to || c.term == n.Term }) {
			p.queries = append(p.queries, query{text: strings.Join(words[n.From:n.To], " ") + " " + strings.Join(n.Term.Legal, " "), concept: n.Term})
		}
	}
	p.queries = p.queries[:min(len(p.queries), i.most(defaultQueries))]
	p.note("decompose", "rules", fmt.Sprintf("%d consultas: conceptos que la pregunta compara", len(p.queries)))
	return p
}

// concept is one side of a comparison.
type concept struct {
	name     string
	term     *pack.Term // nil: the glossary does not have it
	from, to int        // words of the question
}

// compared gives the sides of a comparison: "diferencia entre A y B" whatever
// they are, "A o B" and "qué es A y B" where the glossary has both.
func (i intent) compared(words []string, named []pack.Named) []concept {
	if list := i.between(words, named); len(list) > 1 {
		return list
	}
	for k := 0; k+1 < len(named); k++ {
		a, b := named[k], named[k+1]
		if a.Term == b.Term || b.From-a.To < 1 || b.From-a.To > 3 {
			continue
		}
		joint := words[a.To]
		defines := slices.Contains([]string{"es", "son", "significa", "significan"}, words[min(1, len(words)-1)])
		if joint == "o" || joint == "u" || (joint == "y" || joint == "e") && defines && b.From-a.To == 1 {
			return []concept{conceptOf(words, a), conceptOf(words, b)}
		}
	}
	return nil
}

func conceptOf(words []string, n pack.Named) concept {
	return concept{strings.Join(words[n.From:n.To], " "), n.Term, n.From, n.To}
}

var (
	differences = mustPattern("diferencia|diferencias|distingue|distinguen|distincion|compara|comparacion ... entre")
	differs     = mustPattern("en que se diferencia|diferencian|distingue|distinguen")
)

func mustPattern(s string) pack.Pattern {
	p, err := pack.ParsePattern(s)
	if err != nil {
		panic(err) // a constant of the program: its tests would show it
	}
	return p
}

// between reads "diferencia … entre A y B" and "en qué se diferencia A de B". A
// second side that is one word takes the noun of the first: "despido objetivo y
// disciplinario".
func (i intent) between(words []string, named []pack.Named) []concept {
	joint := []string{"y", "e", "o", "u"}
	_, at, ok := differences.Find(words)
	if !ok {
		if _, at, ok = differs.Find(words); !ok {
			return nil
		}
		joint = []string{"de", "del", "y", "e"}
	}
	end := len(words)
	cut := -1
	for k := at + 1; k < end-1 && cut < 0; k++ {
		if slices.Contains(joint, words[k]) && !within(named, k) {
			cut = k
		}
	}
	if cut < 0 {
		return nil
	}
	a, b := content(words, at, cut), content(words, cut+1, end)
	if a.to <= a.from || b.to <= b.from || b.to-b.from > 6 {
		return nil
	}
	if b.to-b.from == 1 && a.to-a.from >= 2 && termAt(named, b) == nil {
		b.name = words[a.from] + " " + b.name
	}
	a.term, b.term = i.termOf(named, a), i.termOf(named, b)
	return []concept{a, b}
}

// within says that word k is part of a term: "alta y baja" is one.
func within(named []pack.Named, k int) bool {
	return slices.ContainsFunc(named, func(n pack.Named) bool { return k > n.From && k < n.To-1 })
}

// content drops the articles at the beginning of a side.
func content(words []string, from, to int) concept {
	for from < to && slices.Contains([]string{"el", "la", "los", "las", "un", "una", "lo"}, words[from]) {
		from++
	}
	return concept{name: strings.Join(words[from:to], " "), from: from, to: to}
}

// termOf gives the glossary's term of a side, as it stands or with its noun.
func (i intent) termOf(named []pack.Named, c concept) *pack.Term {
	if list := i.pack.Glossary.Find(c.name); len(list) > 0 && list[0].To-list[0].From == len(pack.Words(c.name)) {
		return list[0].Term
	}
	return termAt(named, c)
}

func termAt(named []pack.Named, c concept) *pack.Term {
	for _, n := range named {
		if n.From >= c.from && n.To <= c.to {
			return n.Term
		}
	}
	return nil
}

// readQueries asks the reader for the searches: the pack's prompt, the last
// messages cut short, the question.
func (e *Reader) readQueries(ctx context.Context, i intent) ([]string, error) {
	p, _ := i.pack.Prompt("decompose")
	req := model.Request{Messages: []model.Message{{Role: model.System, Text: p.Text}}, Corpus: i.corpus()}
	req.Messages = append(req.Messages, earlier(i.q.History, orInt(p.Window, historyWindow), orInt(p.Cut, historyRunes))...)
	req.Messages = append(req.Messages, model.Message{Role: model.User, Text: i.text})
	r, err := e.Model.Generate(ctx, req, nil)
	if err != nil {
		return nil, err
	}
	return queriesOf(r.Text, i.most(defaultQueries)), nil
}

func orInt(n, def int) int {
	if n > 0 {
		return n
	}
	return def
}

// earlier gives the last messages of a conversation as a prompt takes them.
func earlier(history []digesto.Message, window, cut int) []model.Message {
	var out []model.Message
	for _, m := range history[max(0, len(history)-window):] {
		role := model.User
		if m.Role == "assistant" {
			role = model.Assistant
		}
		text := m.Text
		if cut > 0 {
			text = cutRunes(text, cut)
		}
		out = append(out, model.Message{Role: role, Text: text})
	}
	return out
}

func cutRunes(s string, n int) string {
	for k := range s {
		if n--; n < 0 {
			return s[:k]
		}
	}
	return s
}

// maxQueryRunes bounds a query that a model wrote.
const maxQueryRunes = 400

// queriesOf reads the array that the reader wrote; nil when it is none. Above the
// number allowed, neighbours that share most words are joined.
func queriesOf(raw string, most int) []string {
	arr, ok := jsonx.Array(raw)
	if !ok {
		return nil
	}
	var list []string
	if json.Unmarshal([]byte(arr.JSON), &list) != nil {
		return nil
	}
	var out []string
	for _, q := range list {
		q = cutRunes(strings.Join(strings.Fields(strings.ToValidUTF8(q, " ")), " "), maxQueryRunes)
		if q != "" && !slices.Contains(out, q) && len(out) < 16 {
			out = append(out, q)
		}
	}
	for len(out) > most {
		out = joinNearest(out)
	}
	return out
}

// joinNearest joins the two neighbours that share most words.
func joinNearest(list []string) []string {
	best, at := -1, 0
	for k := 0; k+1 < len(list); k++ {
		if n := shared(list[k], list[k+1]); n > best {
			best, at = n, k
		}
	}
	out := slices.Clone(list)
	out[at] = cutRunes(out[at]+" "+out[at+1], maxQueryRunes)
	return slices.Delete(out, at+1, at+2)
}

func shared(a, b string) int {
	words := pack.Words(a)
	n := 0
	for _, w := range pack.Words(b) {
		if len(w) > 3 && slices.Contains(words, w) {
			n++
		}
	}
	return n
}
