package ask

import (
	"context"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/decide"
	"digesto/digest"
	"digesto/judge"
	"digesto/model"
	"digesto/pack"
	"digesto/recent"
	"digesto/text"
)

// View is a state of a corpus that can be searched: the snapshot owns the text,
// the searcher finds units of it.
type View struct {
	Snapshot *corpus.Snapshot
	Searcher digesto.Searcher
	// State names what is searched: two views with the same give the same for the same
	// question, as long as the program runs. "" = nothing is known of that: see [Options].Anew.
	State string
}

func (v View) empty() bool { return v.Snapshot == nil || v.Searcher == nil }

// Options configures an engine. The zero value of each field means what it says.
type Options struct {
	// Law gives the installed law and a function that lets go of it; it is called
	// once a question. nil, or a view without snapshot: none is installed.
	Law func() (View, func(), error)
	// Embedded is what the packs carry: fiches and tables, held in memory.
	Embedded View
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
	// Alike gives the fiches of a pack whose questions mean nearly what is asked, most
	// alike first; nil = fiches are found by words alone.
	Alike func(ctx context.Context, p *pack.Pack, question string) ([]Like, error)
	// Places gives the places of a pack's law that may answer a question, the likeliest
	// first, by the questions of the digest and by the articles found. nil = the texts
	// alone are asked.
	Places func(context.Context, decide.Query) ([]decide.Judged, error)
	// Entries gives the entries of a place, the nearest to several ways of asking first;
	// nil = as Places has them.
	Entries func(ctx context.Context, pack, place string, questions []string) ([]*digest.Entry, error)
	// Topic gives the words of a question that name its matter for who is led to one of the
	// places of a pack; nil = none are known.
	Topic func(pack, question string, places []string, n int) []string
	// Covers says whether the digest of a pack has entries about a norm; nil = of all.
	Covers func(pack, norm string) bool
	// Limits bound what all models do for one question.
	Limits model.Limits
	// Clock tells the time; nil = time.Now. Its day is "today".
	Clock func() time.Time
	// Conversations opens and keeps conversations; nil = none are kept.
	Conversations Conversations
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
	*Weigher
	opt     Options
	tables  tableCache
	units   *unitCache
	abroad  abroad
	guides  guideCache
	recent  recent.Cache[recallKey, *recall] // of questions asked before
	places  chan struct{}                    // of workers
	stores  chan struct{}                    // of answers being stored
	prompts sync.Map                         // text → *model.Prompt, of the writer
	door    door
}

// New checks the options and makes an engine.
func New(opt Options) (*Engine, error) {
	if len(opt.Packs) == 0 {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "No hay ningún paquete que preguntar", Hint: "Cargue al menos un paquete."}
	}
	if _, err := ParseRecipe(opt.Recipe); err != nil {
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
	if err := CheckFlags(opt.Flags); err != nil {
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
	opt.seated()
	r := &Reader{Embedded: opt.Embedded, Places: opt.Places, Log: opt.Log, idle: make(chan *text.Analyser, 2*opt.Workers)}
	f := &Retriever{Reader: r, Alike: opt.Alike, Embed: opt.Embed, Recipe: opt.Recipe, Units: opt.Units, Writer: opt.Writer, Reranker: opt.Reranker}
	e := &Engine{Weigher: &Weigher{f, opt.Embedding}, opt: opt, units: newUnitCache(), places: make(chan struct{}, opt.Workers), stores: make(chan struct{}, opt.Workers)}
	if e.abroad = newAbroad(opt.Packs); opt.Probe.May != judge.Nothing {
		e.Model = opt.Reader
	}
	e.recent.Most = recallBytes
	return e, nil
}

// analysers gives two that know words already, if there are any idle, and the function
// that gives them back.
func (e *Reader) analysers() (an, spare *text.Analyser, done func()) {
	take := func() *text.Analyser {
		select {
		case a := <-e.idle:
			return a
		default:
			return &text.Analyser{MaxWords: 1 << 15}
		}
	}
	an, spare = take(), take()
	return an, spare, func() {
		for _, a := range []*text.Analyser{an, spare} {
			select {
			case e.idle <- a:
			default: // as many as are needed are kept
			}
		}
	}
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
	if t.opened.Reply != nil { // a repeated request
		return *t.opened.Reply, nil
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
	if t.opened.Reply != nil {
		return *t.opened.Reply, nil
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
	ctx = model.WithMeter(ctx, t.meter)
	d, err := e.work(ctx, t, emit)
	if err != nil {
		return digesto.Answer{}, err
	}
	emit(stage("verify"))
	v, err := e.verify(e.urgent(d).toned())
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
func (e *Engine) begin(t turn) (_ turn, release func(), err error) {
	law, free, err := e.law()
	if err != nil {
		return t, nil, err
	}
	var idle func()
	t.law = law
	t.an, t.spare, idle = e.analysers()
	t = t.resume(e.opt.Packs)
	t.hurt = &damage{}
	t.meter = model.NewMeter(e.opt.Limits, e.opt.Clock)
	return t, func() { idle(); free() }, nil
}

// work is the row of steps between the opening and the verification.
func (e *Engine) work(ctx context.Context, t turn, emit func(digesto.Event)) (draft, error) {
	key, ok := e.keyOf(t)
	if !ok {
		return e.fresh(ctx, t, nil, emit)
	}
	if d, ok := e.recall(key, t, emit); ok {
		return e.write(ctx, d)
	}
	return e.found(ctx, t, key, emit)
}

// found goes the whole way and keeps what was found.
func (e *Engine) found(ctx context.Context, t turn, key recallKey, emit func(digesto.Event)) (draft, error) {
	var stages []string
	calls := t.meter.Calls()
	return e.fresh(ctx, t, func(d draft) { e.keep(key, d, calls, stages) }, func(ev digesto.Event) {
		if ev.Kind == "stage" {
			stages = append(stages, ev.Stage)
		}
		emit(ev)
	})
}

// fresh goes the whole way. found, if not nil, is given the draft by extraction before
// a model writes.
func (e *Engine) fresh(ctx context.Context, t turn, found func(draft), emit func(digesto.Event)) (draft, error) {
	emit(stage("route"))
	s, err := e.route(ctx, t)
	if err != nil || s.done != nil {
		return s.ended(), err
	}
	emit(stage("classify"))
	i, err := e.classify(ctx, s)
	if err != nil || i.done != nil {
		return i.ended(), err
	}
	if len(i.parts) > 0 {
		return e.inParts(ctx, t, i)
	}
	if i.result != nil { // a calculator took it: nothing to search
		return e.calculated(grounds{hits: hits{intent: i}, notes: i.remarks}), nil
	}
	var guided grounds
	if i.flagged(); i.unless == nil && !i.goesOn() && (!i.rag() || i.pack.HasGuides()) {
		if g, ok, err := e.aside(ctx, i); ok || err != nil {
			return g.ended(), err
		}
		g, ok, err := e.guided(ctx, i)
		if err != nil || ok && (g.guide == nil || !g.guide.unsaid || !i.rag() || i.law.empty()) {
			return e.writeGuided(ctx, g, emit, err)
		}
		guided = g
	}
	g, err := e.searched(ctx, i, emit)
	if err != nil {
		return g.ended(), err
	}
	g.suggest(guided.guide)
	if i.parts = g.mixed(); len(i.parts) > 0 {
		if d, err := e.inParts(ctx, t, i); err != nil || d.end == nil {
			return d, err
		}
	}
	d := g.ended()
	if d.end == nil {
		emit(stage("write"))
		d = byExtraction(g)
	}
	if found != nil {
		found(d)
	}
	return e.write(ctx, d)
}

// searched finds what an answer stands on.
func (e *Engine) searched(ctx context.Context, i intent, emit func(digesto.Event)) (grounds, error) {
	emit(stage("decompose"))
	p, err := e.decompose(ctx, i)
	if err != nil {
		return grounds{}, err
	}
	emit(stage("retrieve"))
	h, err := e.gather(ctx, i, p)
	if err != nil {
		return grounds{}, err
	}
	led, ok, offer, err := e.placed(ctx, &h)
	if err != nil {
		return led, err
	}
	if i.unless != nil && (!ok || led.done != nil) {
		return grounds{hits: hits{intent: i}, done: i.unless}, nil
	}
	if ok && led.settled() {
		return e.proven(ctx, led.stated(), nil)
	}
	emit(stage("rerank"))
	h = ordered(h)
	emit(stage("ground"))
	g, err := e.settle(ctx, h, emit)
	if err != nil {
		return g, err
	}
	if ok && (i.unless != nil || led.over(g)) && (led.done == nil || !e.unknown(g)) {
		return e.proven(ctx, led.confirmed(g).stated(), nil)
	}
	if led.done != nil && e.unknown(g) {
		return g, nil
	}
	if g = g.offered(offer); led.over(g) {
		return e.proven(ctx, led.stated(), nil)
	}
	g.recalibrate(e.opt.Places != nil)
	if g.strays() || e.opt.Places != nil && g.faint() || e.overruled(g) {
		g.govern, g.done = nil, g.refusal()
	}
	return g, e.pointed(ctx, &g)
}

// proven adds what stands beside a place that was found: what refers to it, and what
// contradicts it.
func (e *Weigher) proven(ctx context.Context, g grounds, err error) (grounds, error) {
	if err != nil || g.done != nil {
		return g, err
	}
	if g.insisted {
		g.notes = append(g.notes, Insisted)
	}
	g.expand()
	return g, e.conflicts(ctx, &g)
}

// stage also lets others run that are ready: a question that comes in is stored
// between two stages of another, not after it.
func stage(name string) digesto.Event {
	runtime.Gosched()
	return digesto.Event{Kind: "stage", Stage: name}
}

func (e *Engine) law() (View, func(), error) {
	if e.opt.Law == nil {
		return View{}, func() {}, nil
	}
	v, release, err := e.opt.Law()
	if err != nil {
		return View{}, nil, err
	}
	if release == nil {
		release = func() {}
	}
	return v, release, nil
}
