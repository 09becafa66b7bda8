package eval

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"digesto"
	"digesto/text/cite"
)

// AskFunc answers one question.
type AskFunc func(ctx context.Context, q digesto.Question) (digesto.Answer, error)

// RefusalOptions says how the drop-a-law test is run. Engine is required.
type RefusalOptions struct {
	// Engine answers from the corpus without one law; "" = from all of it. done
	// lets go of what it holds.
	Engine  func(ctx context.Context, without string) (ask AskFunc, done func(), err error)
	Queries string       // file; empty = queries.jsonl in the folder
	Qrels   string       // file; empty = qrels.tsv in the folder; may name laws instead of units
	Laws    []string     // to take out, one after the other; nil = every law that a question has
	Pack    string       // pack of the questions; empty = routed
	Aliases []cite.Alias // names of norms, from packs: tell which questions name their law
	Out     io.Writer    // receives one RefusalLine a question and state; nil = nothing
}

// The states in which a question is asked.
const (
	StatePresent = "present" // its law is installed
	StateBare    = "bare"    // as present, but the name of the law is struck from the question
	StateNamed   = "named"   // its law is taken out, and the question names it
	StateUnnamed = "unnamed" // its law is taken out, and the question does not name it
	StateStruck  = "struck"  // as named, but the name is struck from the question
)

// RefusalLine is what came of one question in one state.
type RefusalLine struct {
	ID         string          `json:"_id"`
	State      string          `json:"state"`
	Law        string          `json:"law"`
	Question   string          `json:"question"`
	Outcome    digesto.Outcome `json:"outcome"`
	Answered   bool            `json:"answered"`
	Right      bool            `json:"right"` // the first citation is a relevant unit
	Confidence float64         `json:"confidence"`
	Cited      string          `json:"cited,omitempty"`
	Evidence   map[string]any  `json:"evidence,omitempty"`
}

// RefusalReport is the result of a drop-a-law test.
type RefusalReport struct {
	Metrics RefusalMetrics            `json:"metrics"`
	Laws    map[string]RefusalMetrics `json:"laws"`
	Curve   []CurvePoint              `json:"curve"`
	Counts  []CurveCounts             `json:"counts"` // behind the curve, by law
	Bands   []Band                    `json:"bands"`
}

// RefusalMetrics are shares of the questions of each state.
type RefusalMetrics struct {
	Questions     int     `json:"questions"`
	FalseRefusals float64 `json:"false_refusals"`             // with the law present: not answered
	Right         float64 `json:"right"`                      // with the law present: first citation right, of the answered
	BareRefusals  float64 `json:"bare_refusals"`              // as false_refusals, the name struck
	BareRight     float64 `json:"bare_right"`                 // as right, the name struck
	Named         int     `json:"named"`                      // questions that name their law
	AnsweredNamed float64 `json:"answered_anyway_named"`      // law out, named
	Unnamed       int     `json:"unnamed"`                    // questions that do not
	AnsweredOther float64 `json:"answered_anyway_unnamed"`    // law out, not named
	AnsweredCut   float64 `json:"answered_anyway_struck"`     // law out, the name struck
	AnsweredBlind float64 `json:"answered_anyway_not_naming"` // the last two together
}

// refusalCase is a question with its relevant units and its law.
type refusalCase struct {
	id, text, struck string
	law              string
	gold             map[string]float64
	named            bool
}

// Refusals asks every question of a BEIR folder with its law present and with it
// taken out. Laws are what stands before ":" in the ids of documents.
func Refusals(ctx context.Context, dir string, opt RefusalOptions) (RefusalReport, error) {
	cases, err := refusalCases(dir, opt)
	if err != nil {
		return RefusalReport{}, err
	}
	r := &refusalRun{opt: opt, tally: map[string]*refusalTally{"": {}}}
	if opt.Out != nil {
		r.enc = json.NewEncoder(opt.Out)
		r.enc.SetEscapeHTML(false)
	}
	if err := r.state(ctx, "", cases); err != nil {
		return RefusalReport{}, err
	}
	for _, law := range lawsOf(cases) {
		of := slices.DeleteFunc(slices.Clone(cases), func(c refusalCase) bool { return c.law != law })
		if err := r.state(ctx, law, of); err != nil {
			return RefusalReport{}, err
		}
	}
	counts := countCurve(r.lines)
	rep := RefusalReport{Laws: map[string]RefusalMetrics{}, Curve: Curve(counts), Counts: counts, Bands: bands(r.lines)}
	for law, t := range r.tally {
		if law == "" {
			rep.Metrics = t.metrics()
		} else {
			rep.Laws[law] = t.metrics()
		}
	}
	return rep, nil
}

func refusalCases(dir string, opt RefusalOptions) ([]refusalCase, error) {
	corpus, err := ReadCorpus(filepath.Join(dir, "corpus.jsonl"))
	if err != nil {
		return nil, err
	}
	queries, err := readQueries(cmp.Or(opt.Queries, filepath.Join(dir, "queries.jsonl")))
	if err != nil {
		return nil, err
	}
	gold, err := readQrels(cmp.Or(opt.Qrels, filepath.Join(dir, "qrels.tsv")))
	if err != nil {
		return nil, err
	}
	for _, law := range opt.Laws {
		if !corpus.hasLaw(law) {
			return nil, &digesto.Error{Code: digesto.CodeNotFound, Message: "El corpus no tiene la ley «" + law + "»", Hint: "Los nombres son los que preceden a «:» en corpus.jsonl."}
		}
	}
	table := corpus.Table(opt.Aliases)
	var out []refusalCase
	for _, q := range queries {
		if len(gold[q.ID]) == 0 {
			continue
		}
		c := refusalCase{id: q.ID, text: q.Text, gold: gold[q.ID]}
		for id := range gold[q.ID] {
			c.law = max(c.law, LawOf(id))
		}
		if len(opt.Laws) > 0 && !slices.Contains(opt.Laws, c.law) {
			continue
		}
		named := table.Recognise(q.Text)
		c.named, c.struck = slices.Contains(named.Norms, c.law), named.Struck
		out = append(out, c)
	}
	if len(out) == 0 {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "Ninguna pregunta es de las leyes que se quitan", Hint: "Compruebe qrels.tsv y --drop-law."}
	}
	return out, nil
}

func lawsOf(cases []refusalCase) []string {
	var out []string
	for _, c := range cases {
		if !slices.Contains(out, c.law) {
			out = append(out, c.law)
		}
	}
	slices.Sort(out)
	return out
}

type refusalRun struct {
	opt   RefusalOptions
	enc   *json.Encoder
	lines []RefusalLine
	tally map[string]*refusalTally // by law; "" = all
}

// state asks the questions of a law with it taken out, or all with all present.
func (r *refusalRun) state(ctx context.Context, without string, cases []refusalCase) error {
	ask, done, err := r.opt.Engine(ctx, without)
	if err != nil {
		return err
	}
	defer done()
	for _, c := range cases {
		states := []string{StatePresent}
		if c.named {
			states = append(states, StateBare)
		}
		if without != "" {
			states = []string{StateUnnamed}
			if c.named {
				states = []string{StateNamed, StateStruck}
			}
		}
		for _, s := range states {
			if err := r.one(ctx, ask, c, s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *refusalRun) one(ctx context.Context, ask AskFunc, c refusalCase, state string) error {
	text := c.text
	if state == StateStruck || state == StateBare {
		text = c.struck
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	a, err := guarded(ctx, digesto.Question{Text: text, Pack: r.opt.Pack}, ask)
	if ctx.Err() != nil {
		return &digesto.Error{Code: digesto.CodeCancelled, Message: "Evaluación interrumpida", Hint: "Vuelva a ejecutarla.", Err: ctx.Err()}
	}
	if err != nil {
		return err
	}
	l := RefusalLine{ID: c.id, State: state, Law: c.law, Question: text, Outcome: outcomeOf(a), Confidence: a.Confidence}
	l.Answered = l.Outcome == digesto.OutcomeAnswer
	if len(a.Citations) > 0 && a.Citations[0].Ref != nil {
		l.Cited = a.Citations[0].Ref.Document + ":" + a.Citations[0].Ref.Unit
		l.Right = (c.gold[l.Cited] > 0 || c.gold[LawOf(l.Cited)] > 0) && inside(state)
	}
	if a.Meta != nil {
		l.Evidence = a.Meta.Evidence
	}
	r.lines = append(r.lines, l)
	for _, law := range []string{"", c.law} {
		if r.tally[law] == nil {
			r.tally[law] = &refusalTally{}
		}
		r.tally[law].add(l)
	}
	if r.enc != nil {
		return r.enc.Encode(l)
	}
	return nil
}

// inside says that the law is installed in a state.
func inside(state string) bool { return state == StatePresent || state == StateBare }

type refusalTally struct {
	present, answered, right int
	bareRight                int
	n, through               map[string]int // by state: asked, answered anyway
}

func (t *refusalTally) add(l RefusalLine) {
	if t.n == nil {
		t.n, t.through = map[string]int{}, map[string]int{}
	}
	if l.State == StatePresent {
		t.present++
		t.answered += count(l.Answered)
		t.right += count(l.Answered && l.Right)
		return
	}
	if l.State == StateBare {
		t.bareRight += count(l.Answered && l.Right)
	}
	t.n[l.State]++
	t.through[l.State] += count(l.Answered)
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (t *refusalTally) metrics() RefusalMetrics {
	part := func(a, b int) float64 { return round4(float64(a) / float64(max(1, b))) }
	return RefusalMetrics{
		Questions: t.present, FalseRefusals: part(t.present-t.answered, t.present), Right: part(t.right, t.answered),
		BareRefusals: part(t.n[StateBare]-t.through[StateBare], t.n[StateBare]), BareRight: part(t.bareRight, t.through[StateBare]),
		Named: t.n[StateNamed], AnsweredNamed: part(t.through[StateNamed], t.n[StateNamed]),
		Unnamed: t.n[StateUnnamed], AnsweredOther: part(t.through[StateUnnamed], t.n[StateUnnamed]),
		AnsweredCut:   part(t.through[StateStruck], t.n[StateStruck]),
		AnsweredBlind: part(t.through[StateUnnamed]+t.through[StateStruck], t.n[StateUnnamed]+t.n[StateStruck]),
	}
}

// Band is how right answers were whose confidence lay in it: reliability.
type Band struct {
	From      float64 `json:"from"`
	To        float64 `json:"to"`
	Answers   int     `json:"answers"`
	Stated    float64 `json:"stated"` // mean confidence
	RightRate float64 `json:"right"`
}

// bands are the contract's three, over all that was answered.
func bands(lines []RefusalLine) []Band {
	list := []Band{{From: 0, To: .3}, {From: .3, To: .7}, {From: .7, To: 1.01}}
	for _, l := range lines {
		if !l.Answered {
			continue
		}
		k := 0
		for k < len(list)-1 && l.Confidence >= list[k].To {
			k++
		}
		list[k].Answers++
		list[k].Stated += l.Confidence
		list[k].RightRate += float64(count(l.Right))
	}
	for i := range list {
		if n := float64(list[i].Answers); n > 0 {
			list[i].Stated, list[i].RightRate = round4(list[i].Stated/n), round4(list[i].RightRate/n)
		}
		list[i].To = min(1, list[i].To)
	}
	return list
}
