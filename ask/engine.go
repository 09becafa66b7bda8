package ask

import (
	"context"
	"log/slog"
	"runtime"
	"time"

	"digesto"
	"digesto/conversation"
	"digesto/decide"
	"digesto/digest"
	"digesto/ground"
	"digesto/guide"
	"digesto/judge"
	"digesto/model"
	"digesto/pack"
	"digesto/query"
	"digesto/recent"
	"digesto/retrieve"
	"digesto/route"
	"digesto/search"
	"digesto/text"
	"digesto/write"
)

// View is a state of a corpus that can be searched.
type View = query.View

// Options configures an engine. The zero value of each field means what it says.
type Options struct {
	// Law gives the installed law and a function that lets go of it; it is called
	// once a question. nil, or a view without snapshot: none is installed.
	Law func() (query.View, func(), error)
	// Embedded is what the packs carry: fiches and tables, held in memory.
	Embedded query.View
	// Packs that may be asked. At least one.
	Packs []*pack.Pack
	// The models, each of which may be absent. Writer writes answers; nil = by
	// extraction. Reader does the small tasks of reading (decomposition, order of relevance,
	// the words of the law where the rules found no evidence); nil = by rules. Reranker orders what was found where the lead is
	// small; nil = by the features of the units.
	Writer, Reader model.Generator
	Reranker       model.Reranker
	// Judge chooses among the places that may answer, as far as Probe found that it may;
	// nil = the reader, else the writer, else the reranker.
	Judge judge.Judge
	Probe judge.Probe
	// Stranger says that the writer is another model than the one that was probed.
	Stranger bool
	// Embedding says for the trace how questions are compared by meaning: "built-in",
	// "model"; "" = by words alone.
	Embedding string
	// Recipe of the search of the law: RecipeMeasured or RecipeCollections; "" = the pack's own.
	Recipe string
	// Embed gives the vectors of questions in one call, for RecipeCollections; nil =
	// it searches by words alone.
	Embed func(ctx context.Context, texts []string) ([][]float32, error)
	// Places gives the places of a pack's law that may answer a question, the likeliest
	// first, by the questions of the digest and by the articles found. nil = the texts
	// alone are asked.
	Places func(context.Context, decide.Query) ([]decide.Judged, error)
	// Entries gives the entries of a place, the nearest to several ways of asking first;
	// nil = as Places has them.
	Entries func(ctx context.Context, pack, place string, questions []string) ([]*digest.Entry, error)
	// Asks gives the asks of a pack by which Places finds them; nil = there are none.
	Asks func(pack string) (*search.Asks, error)
	// Covers says whether the digest of a pack has entries about a norm; nil = of all.
	Covers func(pack, norm string) bool
	// Limits bound what all models do for one question.
	Limits model.Limits
	// Clock tells the time; nil = time.Now. Its day is "today".
	Clock func() time.Time
	// Conversations opens and keeps conversations; nil = none are kept.
	Conversations conversation.Conversations
	// Log gets a line for each prompt type chosen and window loaded; nil = nowhere.
	Log *slog.Logger
	// Traced is given the whole way of each answer before it is handed out; nil = nobody is.
	Traced func(ctx context.Context, t Trace)
	// NewID makes the id of a trace; nil = derived from question, data and day.
	NewID func() string
	// Workers is how many questions are worked on at a time; the others wait, but
	// are stored and told their session before. 0 = one a processor.
	Workers int
	// Flags hold for questions that do not set their own.
	Flags digesto.Flags
	// Anew searches each question anew. Otherwise one that begins a conversation and was
	// asked before, of the same state of the law on the same day, is written and proved anew
	// from what it was found to stand on.
	Anew bool
	// Units is how many units are looked at before the answer is written; 0 = 24.
	Units int
}

// Engine answers questions. It is safe for any number of goroutines.
type Engine struct {
	*guide.Guides
	*route.Router
	opt       Options
	units     *query.UnitCache
	recent    recent.Cache[recallKey, *recall] // of questions asked before
	places    chan struct{}                    // of workers
	stores    chan struct{}                    // of answers being stored
	admission admission
}

// New checks the options and makes an engine.
func New(opt Options) (*Engine, error) {
	if len(opt.Packs) == 0 {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "No hay ningún paquete que preguntar", Hint: "Cargue al menos un paquete."}
	}
	if _, err := retrieve.ParseRecipe(opt.Recipe); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, p := range opt.Packs {
		if seen[p.Name] {
			return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "El paquete «" + p.Name + "» está dos veces", Hint: "Deje uno solo."}
		}
		seen[p.Name] = true
	}
	if opt.Clock == nil {
		opt.Clock = time.Now
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	if err := query.CheckFlags(opt.Flags); err != nil {
		return nil, err
	}
	if opt.Workers <= 0 {
		opt.Workers = min(runtime.GOMAXPROCS(0), runtime.NumCPU())
	}
	if opt.Units == 0 {
		opt.Units = 24
	}
	opt.Writer, opt.Reader = model.Metered(model.Writer, opt.Writer, model.Price{}), model.Metered(model.Reader, opt.Reader, model.Price{})
	if opt.Traced != nil {
		opt.Writer, opt.Reader = model.Recording(opt.Writer), model.Recording(opt.Reader)
	}
	opt.Reranker = model.MeteredReranker(opt.Reranker, model.Price{})
	if opt.Judge == nil {
		opt.Judge = judge.Of(opt.Reader, opt.Writer, opt.Reranker, opt.Probe.Prompts)
	}
	opt.waiting()
	r := &query.Reader{Embedded: opt.Embedded, Places: opt.Places, Log: opt.Log, Idle: make(chan *text.Analyser, 2*opt.Workers)}
	f := &retrieve.Retriever{Reader: r, Embed: opt.Embed, Recipe: opt.Recipe, Units: opt.Units, Writer: opt.Writer, Reranker: opt.Reranker}
	w := &write.Composer{Weigher: &ground.Weigher{Retriever: f, Embedding: opt.Embedding}, Probe: opt.Probe, Stranger: opt.Stranger}
	e := &Engine{Guides: &guide.Guides{Composer: w}, Router: &route.Router{Search: f, Places: opt.Places, Packs: opt.Packs, Abroad: query.NewAbroad(opt.Packs)}, opt: opt, units: query.NewUnitCache(), places: make(chan struct{}, opt.Workers), stores: make(chan struct{}, opt.Workers)}
	if opt.Probe.May != judge.Nothing {
		e.Model = opt.Reader
	}
	e.recent.Most = recallBytes
	return e, nil
}

// Ask answers one question. emit, if not nil, gets the events of the way there
// in order, from this goroutine: the session first, stages, verified sentences,
// the answer, and that it is done. A refusal is an answer; an error is only what
// kept the question from being answered at all.
func (e *Engine) Ask(ctx context.Context, q digesto.Question, emit func(digesto.Event)) (digesto.Answer, error) {
	began := e.opt.Clock()
	q.Flags = q.Flags.Over(e.opt.Flags)
	if emit == nil {
		emit = func(digesto.Event) {}
	}
	a, err := e.ask(ctx, q, began, emit)
	if err != nil {
		emit(digesto.Event{Kind: "error", Text: digesto.Told(err)})
		return digesto.Answer{}, err
	}
	emit(digesto.Event{Kind: "answer", Answer: &a})
	emit(digesto.Event{Kind: "done"})
	return a, nil
}

func (e *Engine) ask(ctx context.Context, q digesto.Question, began time.Time, emit func(digesto.Event)) (a digesto.Answer, err error) {
	tr := e.tracer(q, began)
	emit, ctx = tr.listen(ctx, emit)
	t, err := e.open(ctx, q, began, emit)
	if err != nil {
		return digesto.Answer{}, err
	}
	if t.Opened.Reply != nil { // a repeated request
		return *t.Opened.Reply, nil
	}
	ended := false
	defer func() {
		if !ended {
			e.abandon(ctx, t, err)
		}
	}()
	if err := e.window(ctx, &t); err != nil {
		return digesto.Answer{}, err
	}
	if t.Opened.Reply != nil {
		return *t.Opened.Reply, nil
	}
	tr.opened(t)
	ctx, leave, err := e.enter(ctx)
	if err != nil {
		return digesto.Answer{}, err
	}
	defer leave()
	t, release, err := e.begin(t)
	if err != nil {
		return digesto.Answer{}, err
	}
	defer release()
	ctx = model.WithMeter(ctx, t.Meter)
	d, err := e.work(ctx, t, emit)
	if err != nil {
		return digesto.Answer{}, err
	}
	emit(ground.Stage("verify"))
	v, err := e.verify(toned(e.urgent(d)))
	if err != nil {
		return digesto.Answer{}, err
	}
	emitDeltas(v, emit)
	ended = true
	defer e.storing()()
	leave()
	a = e.close(ctx, v)
	tr.end(ctx, a)
	return a, nil
}

// begin gives a question what it is worked on with: the law, held until release is
// called, and words at hand.
func (e *Engine) begin(t query.Turn) (_ query.Turn, release func(), err error) {
	law, free, err := e.law()
	if err != nil {
		return t, nil, err
	}
	var idle func()
	t.Law, t.Embedded = law, e.opt.Embedded
	t.An, t.Spare, idle = e.Analysers()
	t = resume(t, e.opt.Packs)
	t.Hurt = &query.Damage{}
	t.Meter = model.NewMeter(e.opt.Limits, e.opt.Clock)
	return t, func() { idle(); free() }, nil
}

// work is the row of steps between the opening and the verification.
func (e *Engine) work(ctx context.Context, t query.Turn, emit func(digesto.Event)) (write.Draft, error) {
	key, ok := e.keyOf(t)
	if !ok {
		return e.fresh(ctx, t, nil, emit)
	}
	if d, ok := e.recall(key, t, emit); ok {
		return e.Write(ctx, d)
	}
	return e.found(ctx, t, key, emit)
}

// found goes the whole way and keeps what was found.
func (e *Engine) found(ctx context.Context, t query.Turn, key recallKey, emit func(digesto.Event)) (write.Draft, error) {
	var stages []string
	calls := t.Meter.Calls()
	return e.fresh(ctx, t, func(d write.Draft) { e.keep(key, d, calls, stages) }, func(ev digesto.Event) {
		if ev.Kind == "stage" {
			stages = append(stages, ev.Stage)
		}
		emit(ev)
	})
}

// fresh goes the whole way. found, if not nil, is given the draft by extraction before
// a model writes.
func (e *Engine) fresh(ctx context.Context, t query.Turn, found func(write.Draft), emit func(digesto.Event)) (write.Draft, error) {
	emit(ground.Stage("route"))
	s, err := e.Route(ctx, t)
	if err != nil || s.Done != nil {
		return write.EndedScope(s), err
	}
	emit(ground.Stage("classify"))
	i, err := e.Classify(ctx, s)
	if err != nil || i.Done != nil {
		return write.EndedIntent(i), err
	}
	if len(i.Parts) > 0 {
		return e.inParts(ctx, t, i)
	}
	if i.Result != nil { // a calculator took it: nothing to search
		return e.Calculated(ground.Grounds{Hits: retrieve.Hits{Intent: i}, Notes: i.Remarks}), nil
	}
	var guided ground.Grounds
	if i.Flagged(); i.Unless == nil && !i.GoesOn() && (!i.Rag() || i.Pack.HasGuides()) {
		if g, ok, err := e.aside(ctx, i); err != nil {
			return write.EndedGrounds(g), err
		} else if ok {
			return e.refer(ctx, g)
		}
		g, ok, err := e.Guided(ctx, i)
		if err != nil || ok && (g.Guide == nil || !g.Guide.Unsaid || !i.Rag() || i.Law.Empty() && (e.opt.Places == nil || pressing(i))) {
			return e.WriteGuided(ctx, g, emit, err)
		}
		guided = g
	}
	g, err := e.searched(ctx, i, emit)
	if err != nil {
		return write.EndedGrounds(g), err
	}
	if g.Lacking && g.Done == nil { // what a court said is not surely answered by the law
		g.Verdict.Confidence = min(g.Verdict.Confidence, decide.Quiet)
	}
	if guided.Guide != nil && i.Law.Empty() && !g.Summed && (g.Done == nil || len(g.Done.Readings) == 0) {
		return e.WriteGuided(ctx, guided, emit, nil)
	}
	guide.Suggest(&g, guided.Guide)
	if i.Parts = g.Mixed(); len(i.Parts) > 0 {
		if d, err := e.inParts(ctx, t, i); err != nil || d.End == nil {
			return d, err
		}
	}
	d, err := e.refer(ctx, g)
	if err != nil {
		return d, err
	}
	if d.End == nil {
		emit(ground.Stage("write"))
		d = write.ByExtraction(g)
	}
	if found != nil {
		found(d)
	}
	return e.Write(ctx, d)
}

// searched finds what an answer stands on.
func (e *Engine) searched(ctx context.Context, i query.Intent, emit func(digesto.Event)) (ground.Grounds, error) {
	emit(ground.Stage("decompose"))
	p, err := e.Decompose(ctx, i)
	if err != nil {
		return ground.Grounds{}, err
	}
	emit(ground.Stage("retrieve"))
	h, err := e.Gather(ctx, i, p)
	if err != nil {
		return ground.Grounds{}, err
	}
	led, ok, offer, err := e.placed(ctx, &h)
	if err != nil {
		return led, err
	}
	if i.Unless != nil && (!ok || led.Done != nil) {
		return ground.Grounds{Hits: retrieve.Hits{Intent: i}, Done: i.Unless}, nil
	}
	if ok && settled(led) {
		return e.Proven(ctx, stated(led), nil)
	}
	emit(ground.Stage("rerank"))
	h = retrieve.Rerank(h)
	emit(ground.Stage("ground"))
	g, err := e.Settle(ctx, h, emit)
	if err != nil {
		return g, err
	}
	if ok && (i.Unless != nil || over(led, g)) && (led.Done == nil || !e.unknown(g)) {
		if len(offer) > 1 && !agrees(led, g) {
			led.Govern, led.Done = nil, asReadings(&led, offer)
			return led, nil
		}
		return e.Proven(ctx, stated(led), nil)
	}
	if led.Done != nil && e.unknown(g) {
		return g, nil
	}
	if g = offered(g, offer); over(led, g) {
		return e.Proven(ctx, stated(led), nil)
	}
	g.Recalibrate(e.opt.Places != nil)
	doubt(&g, led)
	if strays(g) || e.overruled(g) {
		g.Govern, g.Done = nil, g.Refusal()
	}
	return g, e.pointed(ctx, &g)
}

func (e *Engine) law() (query.View, func(), error) {
	if e.opt.Law == nil {
		return query.View{}, func() {}, nil
	}
	v, release, err := e.opt.Law()
	if err != nil {
		return query.View{}, nil, err
	}
	if release == nil {
		release = func() {}
	}
	return v, release, nil
}
