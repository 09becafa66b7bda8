package query

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
	HistoryRunes   = 300 // kept of each earlier message
	HistoryWindow  = 4   // messages
)

// Search is one search of a question: text that is understood by itself.
type Search struct {
	Text    string
	Concept *pack.Term // the concept that it asks about; nil = none in particular
	Model   bool       // written by the reader
}

// Plan says what is searched for a question.
type Plan struct {
	Queries []Search // beside the question itself; none for a plain question
	Compare bool     // the question puts the concepts of its queries side by side
	Steps   []digesto.TraceStep
	Failed  []string
}

// Staged says that the pack asks for the whole row of stages with models.
func Staged(p *pack.Pack, prompt string) bool {
	_, ok := p.Prompt(prompt)
	return ok
}

// Decompose finds the searches that a question needs: by the reader where the
// pack has a prompt for it, by rules otherwise. A question that names units needs
// none but itself.
func (e *Reader) Decompose(ctx context.Context, i Intent) (Plan, error) {
	byRules := i.ByRules()
	if e.Model == nil || !Staged(i.Pack, "decompose") || len(i.Exact) > 0 {
		return byRules, nil
	}
	list, err := e.readQueries(ctx, i)
	if ctx.Err() != nil {
		return Plan{}, model.Cancelled(ctx)
	}
	if err != nil || len(list) == 0 {
		why := "reader_parse_error"
		if err != nil {
			why = "reader_failed"
		}
		byRules.Failed = append(byRules.Failed, why)
		byRules.note("decompose", "rules", "el lector no dio un array de consultas: se usa la pregunta")
		return byRules, nil
	}
	p := Plan{Compare: byRules.Compare}
	if p.Compare {
		p.Queries = byRules.Queries // what the concepts are is asked in any case
	}
	for _, q := range list {
		p.Queries = append(p.Queries, Search{Text: q, Model: true})
	}
	p.Queries = p.Queries[:min(len(p.Queries), 2*i.most(defaultQueries))]
	p.note("decompose", "model", fmt.Sprintf("%d consultas", len(list)))
	return p, nil
}

func (p *Plan) note(stage, how, text string) {
	p.Steps = append(p.Steps, digesto.TraceStep{Stage: stage, How: how, Note: text})
}

// most is the number of queries that the pack allows.
func (i Intent) most(def int) int {
	if n := i.Pack.Retrieval.Queries; n > 0 {
		return n
	}
	return def
}

// ByRules decomposes without a model: concepts that are compared are asked for
// one by one, with those that the comparison is about.
func (i Intent) ByRules() Plan {
	var p Plan
	if len(i.Exact) > 0 {
		p.note("decompose", "skipped", "la pregunta nombra la unidad")
		return p
	}
	words := pack.Words(i.Text)
	named := i.Pack.Glossary.Find(i.Text)
	pair := i.Compared(words, named)
	if len(pair) == 0 {
		p.note("decompose", "rules", "1 consulta: la pregunta")
		return p
	}
	p.Compare = true
	for _, c := range pair {
		p.Queries = append(p.Queries, Search{Text: "¿Qué es " + c.Name + "?", Concept: c.term})
	}
	for _, n := range named {
		if len(p.Queries) >= i.most(defaultQueries) {
			break
		}
		if !slices.ContainsFunc(pair, func(c concept) bool { return n.From >= c.from && n.To <= c.to || c.term == n.Term }) {
			p.Queries = append(p.Queries, Search{Text: strings.Join(words[n.From:n.To], " ") + " " + strings.Join(n.Term.Legal, " "), Concept: n.Term})
		}
	}
	p.Queries = p.Queries[:min(len(p.Queries), i.most(defaultQueries))]
	p.note("decompose", "rules", fmt.Sprintf("%d consultas: conceptos que la pregunta compara", len(p.Queries)))
	return p
}

// concept is one side of a comparison.
type concept struct {
	Name     string
	term     *pack.Term // nil: the glossary does not have it
	from, to int        // words of the question
}

// Compared gives the sides of a comparison: "diferencia entre A y B" whatever
// they are, "A o B" and "qué es A y B" where the glossary has both.
func (i Intent) Compared(words []string, named []pack.Named) []concept {
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
	differences = MustPattern("diferencia|diferencias|distingue|distinguen|distincion|compara|comparacion ... entre")
	differs     = MustPattern("en que se diferencia|diferencian|distingue|distinguen")
)

func MustPattern(s string) pack.Pattern {
	p, err := pack.ParsePattern(s)
	if err != nil {
		panic(err) // a constant of the program: its tests would show it
	}
	return p
}

// between reads "diferencia … entre A y B" and "en qué se diferencia A de B". A
// second side that is one word takes the noun of the first: "despido objetivo y
// disciplinario".
func (i Intent) between(words []string, named []pack.Named) []concept {
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
		b.Name = words[a.from] + " " + b.Name
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
	return concept{Name: strings.Join(words[from:to], " "), from: from, to: to}
}

// termOf gives the glossary's term of a side, as it stands or with its noun.
func (i Intent) termOf(named []pack.Named, c concept) *pack.Term {
	if list := i.Pack.Glossary.Find(c.Name); len(list) > 0 && list[0].To-list[0].From == len(pack.Words(c.Name)) {
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
func (e *Reader) readQueries(ctx context.Context, i Intent) ([]string, error) {
	p, _ := i.Pack.Prompt("decompose")
	req := model.Request{Messages: []model.Message{{Role: model.System, Text: p.Text}}, Corpus: i.Corpus()}
	req.Messages = append(req.Messages, Earlier(i.Q.History, OrInt(p.Window, HistoryWindow), OrInt(p.Cut, HistoryRunes))...)
	req.Messages = append(req.Messages, model.Message{Role: model.User, Text: i.Text})
	r, err := e.Model.Generate(ctx, req, nil)
	if err != nil {
		return nil, err
	}
	return QueriesOf(r.Text, i.most(defaultQueries)), nil
}

func OrInt(n, def int) int {
	if n > 0 {
		return n
	}
	return def
}

// Earlier gives the last messages of a conversation as a prompt takes them.
func Earlier(history []digesto.Message, window, cut int) []model.Message {
	var out []model.Message
	for _, m := range history[max(0, len(history)-window):] {
		role := model.User
		if m.Role == "assistant" {
			role = model.Assistant
		}
		text := m.Text
		if cut > 0 {
			text = CutRunes(text, cut)
		}
		out = append(out, model.Message{Role: role, Text: text})
	}
	return out
}

func CutRunes(s string, n int) string {
	for k := range s {
		if n--; n < 0 {
			return s[:k]
		}
	}
	return s
}

// maxQueryRunes bounds a query that a model wrote.
const maxQueryRunes = 400

// QueriesOf reads the array that the reader wrote; nil when it is none. Above the
// number allowed, neighbours that share most words are joined.
func QueriesOf(raw string, most int) []string {
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
		q = CutRunes(strings.Join(strings.Fields(strings.ToValidUTF8(q, " ")), " "), maxQueryRunes)
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
	out[at] = CutRunes(out[at]+" "+out[at+1], maxQueryRunes)
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
