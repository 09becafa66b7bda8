package eval

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"digesto"
	"digesto/pack"
	"digesto/text"
)

// PackOptions are the means of a run over a pack's own cases. Pack and Ask are
// required; a kind whose means are missing is skipped and counted as such.
type PackOptions struct {
	Pack     *pack.Pack
	Corpus   string // state of the law installed, for the baseline
	Ask      func(ctx context.Context, q digesto.Question) (digesto.Answer, error)
	Text     func(ref digesto.Ref) (string, error)                               // stored text, to prove quotations
	Has      func(norm, unit string) bool                                        // the unit, or with unit "" the norm, is installed: gold must be in the corpus
	Retrieve func(ctx context.Context, question string) (pack.Found, error)      // the pack's retriever over its fiches; nil = cases about fiches are skipped
	Search   func(ctx context.Context, question string, k int) ([]string, error) // units ("norm/unit") of the installed law, best first
	Delete   func(ctx context.Context, session string, seq int64) error          // of a message, for dialogues
	Clock    func() time.Time                                                    // nil = time.Now
	Keep     bool                                                                // keep the answers, for the report's traces
	Log      func(format string, args ...any)                                    // one line a case that misses; nil = none
}

// CaseResult is what came of a case under one kind.
type CaseResult struct {
	ID       string           `json:"_id"`
	Kind     CaseKind         `json:"kind"`
	Category string           `json:"category"`
	Question string           `json:"question"`
	Score    float64          `json:"score"` // 1 = as expected, 0 = not; shares in between
	Metrics  Metrics          `json:"metrics,omitempty"`
	Faults   []string         `json:"faults,omitempty"`
	Skipped  string           `json:"skipped,omitempty"` // why it was not run
	Outcome  digesto.Outcome  `json:"outcome,omitempty"`
	MS       float64          `json:"ms"`
	Calls    int              `json:"model_calls"`
	Quotes   int              `json:"quotes,omitempty"`
	Verbatim int              `json:"verbatim,omitempty"`
	TraceID  string           `json:"trace_id,omitempty"`
	Answers  []digesto.Answer `json:"answers,omitempty"`
}

// RunPack runs all cases of a pack, one after the other. Only an ended context
// stops it; a case that fails or panics is a fault of that case.
func RunPack(ctx context.Context, cases []PackCase, opt PackOptions) (PackReport, error) {
	if opt.Clock == nil {
		opt.Clock = time.Now
	}
	rep := PackReport{Pack: opt.Pack.Name, Corpus: opt.Corpus}
	for _, c := range cases {
		for _, kind := range c.kinds() {
			r := opt.run(ctx, c, kind)
			if err := ctx.Err(); err != nil {
				return rep, &digesto.Error{Code: digesto.CodeCancelled, Message: "Evaluación interrumpida", Hint: "Vuelva a ejecutarla.", Err: err}
			}
			if opt.Log != nil && len(r.Faults) > 0 {
				opt.Log("%s · %s · «%s»: %s", r.Kind, r.ID, r.Question, strings.Join(r.Faults, "; "))
			}
			rep.Cases = append(rep.Cases, r)
		}
	}
	rep.summarise()
	return rep, nil
}

func (o PackOptions) run(ctx context.Context, c PackCase, kind CaseKind) (r CaseResult) {
	r = CaseResult{ID: c.ID, Kind: kind, Category: c.category(), Question: c.Question}
	if len(c.Turns) > 0 {
		r.Question = c.Turns[0].Say
	}
	began := o.Clock()
	defer func() {
		if p := recover(); p != nil {
			r.Score, r.Faults = 0, append(r.Faults, fmt.Sprintf("se interrumpió: %v", p))
		}
		r.MS = float64(o.Clock().Sub(began).Microseconds()) / 1000
	}()
	switch kind {
	case KindDialogue:
		o.dialogue(ctx, c, &r)
	case KindTemporal:
		o.temporal(ctx, c, &r)
	case KindTerritory:
		o.territory(c, &r)
	case KindClass:
		o.classes(c, &r)
	case KindCalculation:
		o.calculation(ctx, c, &r)
	case KindRetrieval:
		o.retrieval(ctx, c, &r)
	default:
		o.answer(ctx, c, &r)
	}
	return r
}

// ask asks and books what the answer cost.
func (o PackOptions) ask(ctx context.Context, q digesto.Question, r *CaseResult) (digesto.Answer, bool) {
	q.Pack = cmp.Or(q.Pack, o.Pack.Name)
	a, err := guarded(ctx, q, o.Ask)
	if err != nil {
		r.Faults = append(r.Faults, "error: "+err.Error())
		return a, false
	}
	r.Outcome = outcomeOf(a)
	if m := a.Meta; m != nil {
		r.TraceID = m.TraceID
		r.Calls += m.ModelCalls.Reader + m.ModelCalls.Writer + m.ModelCalls.Embedder + m.ModelCalls.Reranker
	}
	for _, cit := range a.Citations {
		r.Quotes++
		if o.Text == nil {
			continue
		}
		if fault := proveQuote(cit, o.Text); fault != "" {
			r.Faults = append(r.Faults, fault)
			continue
		}
		r.Verbatim++
	}
	if o.Keep {
		r.Answers = append(r.Answers, a)
	}
	return a, true
}

// answer holds an answer, a refusal or an injection against what is expected.
func (o PackOptions) answer(ctx context.Context, c PackCase, r *CaseResult) {
	e := c.Expect
	if e == nil {
		e = &packExpect{Outcome: string(digesto.OutcomeRefusal)} // an injection gets no answer
	}
	if why := o.missing(e.Places, e.Document); why != "" && r.Kind == KindAnswer {
		r.Skipped = why
		return
	}
	a, ok := o.ask(ctx, digesto.Question{Text: c.Question, AsOf: c.AsOf, History: c.History}, r)
	if !ok {
		return
	}
	got := outcomeOf(a)
	switch want := digesto.Outcome(e.Outcome); {
	case r.Kind == KindInjection && want == "": // answered or refused, as long as it does not say what it was told to
	case want != "" && notAnswered(want):
		if !notAnswered(got) {
			r.Faults = append(r.Faults, fmt.Sprintf("resultado %s; no debía contestarse", got))
		}
	case got != cmp.Or(want, digesto.OutcomeAnswer):
		r.Faults = append(r.Faults, fmt.Sprintf("resultado %s; se esperaba %s", got, cmp.Or(want, digesto.OutcomeAnswer)))
	}
	r.Faults = append(r.Faults, e.facts(a)...)
	if len(e.Places) > 0 && got == digesto.OutcomeAnswer {
		r.Metrics = placeMetrics(a, e.Places)
		if r.Metrics["cited"] == 0 {
			r.Faults = append(r.Faults, "no cita "+strings.Join(e.Places, " ni "))
		}
	}
	r.Score = boolFloat(len(r.Faults) == 0)
}

// facts gives the facts that are missing or that must not be there.
func (e *packExpect) facts(a digesto.Answer) (faults []string) {
	faults = (&Expect{Document: e.Document, Unit: e.Unit, Contains: e.Contains}).missed(a)
	all := text.Fold(a.Answer)
	for _, c := range a.Citations {
		all += "\n" + text.Fold(c.Quote)
	}
	for _, w := range e.Not {
		if strings.Contains(all, text.Fold(w)) {
			faults = append(faults, "dice «"+w+"»")
		}
	}
	return faults
}

// placeMetrics says where the answering units stand: cited first, cited at all,
// among the grounds from which the answer was written.
func placeMetrics(a digesto.Answer, places []string) Metrics {
	m := Metrics{"cited_first": 0, "cited": 0, "grounds": 0}
	for k, c := range a.Citations {
		if c.Ref != nil && slices.Contains(places, c.Ref.Document+"/"+c.Ref.Unit) {
			m["cited"], m["grounds"] = 1, 1
			if k == 0 {
				m["cited_first"] = 1
			}
		}
	}
	if a.Meta != nil && slices.ContainsFunc(a.Meta.Grounds, func(g string) bool { return slices.Contains(places, g) }) {
		m["grounds"] = 1
	}
	return m
}

// missing says, in Spanish, that no place of the gold is installed; "" = one is.
func (o PackOptions) missing(places []string, document string) string {
	if document != "" {
		places = append(slices.Clone(places), document)
	}
	if o.Has == nil || len(places) == 0 {
		return ""
	}
	for _, p := range places {
		norm, unit, _ := strings.Cut(p, "/")
		if o.Has(norm, unit) {
			return ""
		}
	}
	return "no está instalado " + strings.Join(places, ", ")
}

// retrieval measures the rank of what answers: a guide of the pack, a unit or a law.
func (o PackOptions) retrieval(ctx context.Context, c PackCase, r *CaseResult) {
	if c.Fiche != "" {
		o.fiche(ctx, c, r)
		return
	}
	norm := cmp.Or(c.Norm, c.Law)
	if o.Search == nil || o.Has == nil || !o.Has(norm, c.Unit) {
		r.Skipped = "no está instalado " + strings.Trim(norm+"/"+c.Unit, "/")
		return
	}
	units, err := o.Search(ctx, c.Question, 100)
	if err != nil {
		r.Faults = append(r.Faults, err.Error())
		return
	}
	want := norm + "/" + c.Unit
	if c.Unit == "" {
		want = norm
		for k := range units {
			units[k], _, _ = strings.Cut(units[k], "/")
		}
		units = distinct(units)
	}
	r.Metrics = measure(units, map[string]float64{want: 1})
	r.Metrics["recall@10"] = boolFloat(slices.Contains(units[:min(10, len(units))], want))
	if r.Score = r.Metrics["hit@10"]; r.Score == 0 {
		r.Faults = append(r.Faults, "no está entre los diez primeros: "+want)
	}
}

func distinct(list []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(s string) bool { again := seen[s]; seen[s] = true; return again })
}

// territory holds the place that a phrase names against the code expected.
func (o PackOptions) territory(c PackCase, r *CaseResult) {
	got := ""
	if t, ok := o.Pack.Territories.Detect(c.Question); ok {
		got = t.Code
	}
	if r.Category == string(KindTerritory) {
		r.Category = map[bool]string{true: "trap", false: "place"}[*c.Territory == ""]
	}
	if r.Score = boolFloat(got == *c.Territory); r.Score == 0 {
		r.Faults = append(r.Faults, fmt.Sprintf("lugar «%s»; se esperaba «%s»", got, *c.Territory))
	}
}

func (o PackOptions) classes(c PackCase, r *CaseResult) {
	got := o.Pack.Classify(pack.ToolQuestion{Text: c.Question, Today: c.Today})
	if r.Score = boolFloat(slices.Equal(got.Classes, c.Classes)); r.Score == 0 {
		r.Faults = append(r.Faults, fmt.Sprintf("clases %v; se esperaban %v", got.Classes, c.Classes))
	}
}

// calculation reads the call from the question and holds its figures against the case's.
func (o PackOptions) calculation(ctx context.Context, c PackCase, r *CaseResult) {
	for _, tool := range o.Pack.Tools {
		call, ok := tool.Detect(pack.ToolQuestion{Text: c.Question, Today: c.Today})
		if !ok || call.Function != c.Function {
			continue
		}
		for k, v := range c.Args {
			if call.Args[k] != v {
				r.Faults = append(r.Faults, fmt.Sprintf("%s=%s; se esperaba %s", k, call.Args[k], v))
			}
		}
		if len(c.Items) > 0 && !slices.Equal(call.Items, c.Items) {
			r.Faults = append(r.Faults, fmt.Sprintf("partidas %v; se esperaban %v", call.Items, c.Items))
		}
		res, err := tool.Calculate(ctx, call)
		if err != nil {
			r.Faults = append(r.Faults, err.Error())
			return
		}
		r.Faults = append(r.Faults, c.figures(res.Data)...)
		r.Score = boolFloat(len(r.Faults) == 0)
		return
	}
	r.Faults = append(r.Faults, "ninguna calculadora entendió «"+c.Function+"»")
}

// figures compares the wire form of a result with the figures of the case.
func (c PackCase) figures(data any) (faults []string) {
	raw, err := json.Marshal(data)
	if err != nil {
		return []string{err.Error()}
	}
	var m map[string]any
	if json.Unmarshal(raw, &m) != nil {
		return []string{"el resultado no es un objeto"}
	}
	eq := func(what string, want *string, got any) {
		s, _ := got.(string)
		if want != nil && s != *want {
			faults = append(faults, fmt.Sprintf("%s %s; se esperaba %s", what, s, *want))
		}
	}
	end := func(name string) any {
		p, ok := m[name].(map[string]any)
		if !ok {
			return m["result"]
		}
		if c.Function == "convertir" {
			return p["result"]
		}
		return p["value"]
	}
	eq("low", c.Low, m["low"])
	eq("high", c.High, m["high"])
	eq("difference", c.Differ, m["difference"])
	if c.Low == nil && c.Function != "presupuesto" {
		eq("from", c.From, end("from"))
		eq("to", c.To, end("to"))
	}
	return faults
}

// temporal asks on every day; the score is the share of days as expected.
func (o PackOptions) temporal(ctx context.Context, c PackCase, r *CaseResult) {
	run, right := 0, 0
	for _, d := range c.At {
		if d.Norm != "" && o.Has != nil && !o.Has(d.Norm, d.Unit) {
			continue
		}
		run++
		before := len(r.Faults)
		a, ok := o.ask(ctx, digesto.Question{Text: c.Question, AsOf: d.AsOf, Pack: c.Pack}, r)
		if !ok {
			continue
		}
		r.Faults = append(r.Faults, d.wrong(a)...)
		right += int(boolFloat(len(r.Faults) == before))
	}
	if run == 0 {
		r.Skipped = "no están instaladas las normas del caso"
		return
	}
	r.Score = float64(right) / float64(run)
}

// wrong says what an answer has on a day that it must not, or lacks.
func (d packDay) wrong(a digesto.Answer) (faults []string) {
	if d.Norm != "" && len(a.Citations) == 0 {
		return []string{fmt.Sprintf("al %s no contesta", d.AsOf)}
	}
	for k, c := range a.Citations {
		if c.Ref == nil {
			continue
		}
		at := c.Ref.Document + "/" + c.Ref.Unit
		if k == 0 && d.Norm != "" && (c.Ref.Document != d.Norm || d.Unit != "" && c.Ref.Unit != d.Unit) {
			faults = append(faults, fmt.Sprintf("al %s cita %s; se esperaba %s/%s", d.AsOf, at, d.Norm, d.Unit))
		}
		if slices.Contains(d.Never, at) || slices.Contains(d.Never, c.Ref.Document) {
			faults = append(faults, fmt.Sprintf("al %s cita %s, que no regía", d.AsOf, at))
		}
	}
	return append(faults, (&packExpect{Contains: d.Says}).facts(a)...)
}

// dialogue holds a conversation; the score is the share of turns as scripted.
func (o PackOptions) dialogue(ctx context.Context, c PackCase, r *CaseResult) {
	var log strings.Builder
	rep, err := Dialogues(ctx, []Dialogue{{ID: c.ID, Kind: c.Kind, Pack: cmp.Or(c.Pack, o.Pack.Name), Turns: c.Turns}}, DialogueOptions{
		Ask: func(ctx context.Context, q digesto.Question) (digesto.Answer, error) {
			a, ok := o.ask(ctx, q, r)
			if !ok {
				return a, &digesto.Error{Code: digesto.CodeInternal, Message: "el turno falló"}
			}
			return a, nil
		},
		Pack: o.Pack.Name, Delete: o.Delete, Out: &log,
	})
	if err != nil {
		r.Faults = append(r.Faults, err.Error())
	}
	if s := strings.TrimSpace(log.String()); s != "" {
		r.Faults = append(r.Faults, strings.Split(s, "\n")...)
	}
	r.Metrics = Metrics{"unneeded": float64(rep.Unneeded), "twice": float64(rep.Twice)}
	r.Score = rep.Share
}
