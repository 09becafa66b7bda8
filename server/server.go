package server

import (
	"cmp"
	"context"
	"errors"
	"html/template"
	"io"
	"iter"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"digesto"
	"digesto/ask"
	"digesto/corpus"
	"digesto/corpus/follow"
	"digesto/decide"
	"digesto/pack"
	"digesto/server/openai"
	"digesto/server/openapi"
	"digesto/server/view"
	"digesto/server/wire"
	"digesto/store"
)

// Asker answers questions: the engine, or its twin in a test.
type Asker interface {
	Ask(ctx context.Context, q digesto.Question, emit func(digesto.Event)) (digesto.Answer, error)
}

// Route is a handler that the wiring adds: the calculators of a pack. A Page
// that it returns is shown within the layout; any other value is sent as JSON.
type Route struct {
	Pattern string // of http.ServeMux
	Handle  func(r *http.Request) (any, error)
	Serve   func(w http.ResponseWriter, r *http.Request) error // instead of Handle: writes the answer itself, unless it fails
	// Act is Handle of a form: it may set cookies, and with a nil value it has
	// answered itself, by sending the reader to another page.
	Act func(w http.ResponseWriter, r *http.Request) (any, error)
	// Fits gives the address of the form of this page that goes with a question and its
	// answer, filled in with what the question tells, and what it is for; "" = none does.
	Fits    func(q digesto.Question, a digesto.Answer) (address, name string)
	Menu    string       // of a page: its name in the menu; "" = not in it
	Foot    string       // of a page: its name at the foot of every page; "" = not there
	MaxBody int64        // bytes of a request; 0 = that of the server
	Doc     *openapi.Doc // in /openapi.json; a page has none
	Admin   bool         // only for who runs the server, see Options.Admin
	Counts  bool         // a request by POST is work like that of a question: it counts in the plan of its user, before it is read
}

// Page is a page of the wiring, without what stands around every page.
type Page struct {
	Title  string
	Status int           // 200
	Body   template.HTML // written by an html/template
}

// Options of a server. Zero values mean the defaults stated.
type Options struct {
	Engine   Asker                            // required
	Law      func() (ask.View, func(), error) // law installed now; nil or an empty view: none
	Texts    func() (*corpus.Snapshot, error) // the same law without its index, for reading; nil: from Law
	Embedded ask.View                         // fiches that the program carries
	Packs    []*pack.Pack
	Schema   func() ([]byte, error) // JSON Schema of the answer
	Query    func(text string, v ask.View, p *pack.Pack) digesto.Query
	// Find finds articles and the questions of the digest together; nil = articles alone.
	Find  *decide.Finder
	Plans map[string]Plan // by name; a user of a plan that is not here has no limit
	// Visitors says of whose requests a cookie tells who makes them apart, and gives one to
	// whoever has none; see Visitor. nil: nobody's.
	Visitors func(*http.Request) bool
	Proxies  []netip.Prefix // whose word on where a request comes from is taken; this machine's always is
	Store    store.Store    // of conversations; nil: none are kept
	// Who tells who makes a request; nil: everyone is one user. An error ends the request.
	Who func(r *http.Request) (store.User, error)
	// Signed says under which name someone came in; nil: there is no entrance.
	Signed func(r *http.Request) (name string, ok bool)
	// Admin says why a request is not of who runs the server; nil: nobody is let in by
	// their looks. A person who is not goes to Enter, when there is such a page.
	Admin func(r *http.Request) error
	Enter string
	// Elsewhere gives who answers a request instead of this server: that of the tenant
	// whose key it brings; nil, or a nil handler: this server does. An error ends the request.
	Elsewhere func(r *http.Request) (http.Handler, error)
	// Jobs brings official texts in for whoever runs the server; nil: from here nobody does.
	Jobs *Jobs
	// Keep puts files that were brought into a folder of their own, and Discard removes it;
	// nil: none are brought from here.
	Keep    func(files iter.Seq2[string, io.Reader]) (folder string, n int, err error)
	Discard func(folder string)
	// Follow tells how this node stands with the law that is published for it; nil: it
	// follows nobody.
	Follow func() follow.Status
	// Looked gives for each pack the day on which its texts were last looked up at
	// their source; nil: not known.
	Looked func() map[string]digesto.Date
	// Traces gives the trace of an answer to the user who asked, and any to who may see
	// all; nil: none are kept.
	Traces  func(ctx context.Context, user string, all bool, id string) (any, error)
	Routes  []Route
	Replies openapi.Replies // examples for the description of the API
	// Read gives the text of a file that someone brings; nil: only files of text are read.
	Read func(ctx context.Context, name string, data []byte) (string, error)
	// Facsimiles draws pages of the documents that law was read from; nil: none are shown.
	Facsimiles Facsimiles
	// Observe is told of each request that ended, by the pattern of its route; nil = nobody is.
	Observe func(route string, status int, took time.Duration)
	// Begin is told of each request that begins; it gives the context that the request
	// goes on with, and what to call when it has ended. nil = nobody is.
	Begin     func(r *http.Request) (context.Context, func(route string, status int))
	Metrics   http.Handler     // stands at /metrics; nil = nothing there
	MCP       http.Handler     // stands at /mcp; nil = nothing there
	Clock     func() time.Time // time.Now
	Log       *slog.Logger     // discards
	Version   string
	MaxBody   int64         // bytes of a request; 64 KiB
	InFlight  int           // requests at a time; 256
	KeepAlive time.Duration // between keepalive events; 15 s
	Slow      time.Duration // a reader slower than this is let go; 10 s
	Recent    int           // answers kept for their pages; 512
	Timeout   time.Duration // of one question; 2 min
	// Check says what is missing for answers beside the law, at /readyz; nil: nothing.
	Check func(ctx context.Context) error
	// Drain is how long a server that was asked to stop still takes requests, while
	// /readyz says that it is going: time for a proxy to turn to another; 0 = none.
	Drain time.Duration
	// Patience is how long a request may take to arrive, its headers five seconds of
	// it at most; 30 s.
	Patience time.Duration
}

// Server is the HTTP face of the engine.
type Server struct {
	leaving   atomic.Bool // asked to stop
	opt       Options
	slots     chan struct{}
	tpl       map[string]*template.Template
	static    *static
	recent    *recent
	limits    limiter
	pictures  pictures
	documents documents
	logs      eventLogs
	table     *table
	site      *view.Site
	http      http.Handler
}

// New checks the options and builds the route table.
func New(opt Options) (*Server, error) {
	if opt.Engine == nil {
		return nil, errors.New("server: Options.Engine is nil")
	}
	if opt.Embedded.Snapshot == nil {
		opt.Embedded.Snapshot = corpus.Memory()
	}
	if opt.Who == nil {
		opt.Who = func(*http.Request) (store.User, error) { return store.User{ID: "local"}, nil }
	}
	opt.Clock = or(opt.Clock == nil, time.Now, opt.Clock)
	opt.Log = or(opt.Log == nil, slog.New(slog.DiscardHandler), opt.Log)
	opt.MaxBody = or(opt.MaxBody <= 0, 64<<10, opt.MaxBody)
	opt.InFlight = or(opt.InFlight <= 0, 256, opt.InFlight)
	opt.KeepAlive = or(opt.KeepAlive <= 0, 15*time.Second, opt.KeepAlive)
	opt.Slow = or(opt.Slow <= 0, 10*time.Second, opt.Slow)
	opt.Recent = or(opt.Recent <= 0, 512, opt.Recent)
	opt.Timeout = or(opt.Timeout <= 0, 2*time.Minute, opt.Timeout)
	s := &Server{opt: opt, slots: make(chan struct{}, opt.InFlight), recent: newRecent(opt.Recent, opt.Clock)}
	var err error
	if s.static, err = loadStatic(); err != nil {
		return nil, err
	}
	if s.tpl, err = s.loadTemplates(); err != nil {
		return nil, err
	}
	s.site = s.siteOf()
	s.table = s.routes()
	if err := s.table.learn(); err != nil {
		return nil, err
	}
	s.http = s.parted(s.guard(s.table))
	return s, nil
}

// openAI is the OpenAI-compatible endpoint over this server.
func (s *Server) openAI() *openai.Endpoint {
	return openai.New(openai.Options{Ask: s.opt.Engine.Ask, Packs: s.opt.Packs, Admit: s.admit, Working: s.working, Keep: s.recent.put, Said: s.recent.said, Fail: s.fail,
		Clock: s.opt.Clock, Began: s.opt.Clock().Unix(), MaxBody: s.opt.MaxBody, Stored: s.opt.Store != nil, Slow: s.opt.Slow, KeepAlive: s.opt.KeepAlive, Log: s.opt.Log})
}

// siteOf is what pages need of the options.
func (s *Server) siteOf() *view.Site {
	site := &view.Site{Packs: s.opt.Packs, Embedded: s.opt.Embedded.Snapshot, Clock: s.opt.Clock, Keeps: s.opt.Store != nil, Form: s.formFor}
	if s.opt.Facsimiles != nil {
		site.Drawn = s.opt.Facsimiles.Has
	}
	return site
}

// formFor is the form of a calculator that goes with an answer.
func (s *Server) formFor(q digesto.Question, a digesto.Answer) (address, name string) {
	for _, r := range s.opt.Routes {
		if r.Fits == nil {
			continue
		}
		if to, name := r.Fits(q, a); to != "" {
			return to, name
		}
	}
	return "", ""
}

// parted hands requests over to who serves the tenant of their key.
func (s *Server) parted(here http.Handler) http.Handler {
	if s.opt.Elsewhere == nil {
		return here
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		there, err := s.opt.Elsewhere(r)
		switch {
		case err != nil:
			s.fail(w, r, err)
		case there != nil:
			there.ServeHTTP(w, r)
		default:
			here.ServeHTTP(w, r)
		}
	})
}

func or[T any](cond bool, a, b T) T {
	if cond {
		return a
	}
	return b
}

// routes is the one table of what this server answers.
func (s *Server) routes() *table {
	mux := newTable(s.fail)
	mux.HandleFunc("POST /v1/ask", s.postAsk)
	mux.HandleFunc("POST /v1/search", s.postSearch)
	mux.HandleFunc("GET /v1/norms", s.getNorms)
	mux.HandleFunc("GET /v1/norms/{norm}", s.getNorm)
	mux.HandleFunc("GET /v1/norms/{norm}/{unit}", s.getUnit)
	mux.HandleFunc("GET /v1/norms/{norm}/{unit}/versions", s.getVersions)
	mux.HandleFunc("GET /v1/norms/{norm}/{unit}/diff", s.getDiff)
	mux.HandleFunc("GET /v1/norms/{norm}/relations", s.getAmendments)
	mux.HandleFunc("GET /v1/norms/{norm}/{unit}/relations", s.getRelations)
	mux.HandleFunc("GET /v1/norms/{norm}/{unit}/citation", s.getCitation)
	mux.HandleFunc("GET /v1/contract", s.getContract)
	mux.HandleFunc("GET /v1/packs", s.getPacks)
	s.openAI().Routes(mux)
	s.conversationRoutes(mux)
	if s.opt.Traces != nil {
		mux.HandleFunc("GET /v1/traces/{id}", s.owned(s.getTrace))
	}
	if s.opt.MCP != nil {
		mux.Handle("/mcp", s.door(s.opt.MCP))
	}
	if s.opt.Metrics != nil {
		mux.Handle("GET /metrics", s.opt.Metrics)
	}
	mux.HandleFunc("GET /healthz", s.getHealth)
	mux.HandleFunc("GET /readyz", s.getReady)
	for _, r := range s.opt.Routes {
		mux.HandleFunc(r.Pattern, s.extra(r))
		mux.docs[r.Pattern] = r.Doc
	}
	mux.HandleFunc("GET /{$}", s.pageHome)
	mux.HandleFunc("POST /preguntar", s.pageAsk)
	mux.HandleFunc("GET /respuestas/{id}", s.pageAnswer)
	mux.HandleFunc("GET /leyes", s.pageNorms)
	mux.HandleFunc("GET /leyes/{norm}", s.pageNorm)
	mux.HandleFunc("GET /leyes/{norm}/{unit}", s.pageUnit)
	if s.opt.Facsimiles != nil {
		mux.HandleFunc("GET /leyes/{norm}/{unit}/paginas/{page}", s.getFacsimile)
	}
	mux.HandleFunc("GET /corpus", s.pageCorpus)
	mux.HandleFunc("GET /corpus/{pack}", s.pageCoverage)
	s.jobRoutes(mux)
	s.documentRoutes(mux)
	mux.HandleFunc("GET /calendario", s.getCalendar)
	mux.HandleFunc("GET /ayuda", s.pageHelp)
	mux.HandleFunc("POST /preferencias", s.postPreferences)
	mux.HandleFunc("GET /static/{file}", s.asset)
	mux.HandleFunc("/", s.elsewhere(mux))
	s.describe(mux)
	return mux
}

// extra serves a route of the wiring: its page or its value as JSON, its error as a problem.
func (s *Server) extra(route Route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, or(route.MaxBody <= 0, s.opt.MaxBody, route.MaxBody))
		if route.Admin && !s.letIn(w, r) {
			return
		}
		if route.Counts && r.Method == http.MethodPost {
			if err := s.counted(w, r); err != nil {
				s.fail(w, r, err)
				return
			}
		}
		if route.Serve != nil {
			if err := route.Serve(w, r); err != nil {
				s.fail(w, r, err)
			}
			return
		}
		var v any
		var err error
		if route.Act != nil {
			v, err = route.Act(w, r)
		} else {
			v, err = route.Handle(r)
		}
		if err != nil {
			s.fail(w, r, err)
			return
		}
		if v == nil && route.Act != nil {
			return
		}
		if p, ok := v.(Page); ok {
			s.page(w, r, or(p.Status == 0, http.StatusOK, p.Status), "page", p.Title, p.Body)
			return
		}
		wire.Respond(w, v)
	}
}

// letIn says whether a request may run the server; one that may not is answered.
func (s *Server) letIn(w http.ResponseWriter, r *http.Request) bool {
	err := s.admin(r)
	switch {
	case err == nil:
		return true
	case s.opt.Enter != "" && r.Method == http.MethodGet && wantsHTML(r):
		http.Redirect(w, r, s.opt.Enter+"?"+url.Values{"back": {r.URL.RequestURI()}}.Encode(), http.StatusSeeOther)
	default:
		s.fail(w, r, err)
	}
	return false
}

// admin says why a request is not of who runs the server.
func (s *Server) admin(r *http.Request) error {
	if s.opt.Admin == nil {
		return &digesto.Error{Code: digesto.CodeForbidden, Message: "este servidor no se lleva desde aquí", Hint: "use las órdenes de «digesto --help»"}
	}
	return s.opt.Admin(r)
}

// getTrace gives the whole way of an answer to who asked, or to who runs the server.
func (s *Server) getTrace(r *http.Request, user string) (any, error) {
	return s.opt.Traces(r.Context(), user, s.admin(r) == nil, r.PathValue("id"))
}

// notFound answers for addresses that there are not.
func (s *Server) notFound(w http.ResponseWriter, r *http.Request) {
	s.fail(w, r, &digesto.Error{Code: digesto.CodeNotFound, Message: "no hay nada en esta dirección",
		Hint: "las páginas empiezan en «/»; la API, en «/v1/ask»"})
}

// elsewhere answers what no other route does: there is no such address, or not with this method.
func (s *Server) elsewhere(mux *table) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		allowed := mux.methods(r)
		if len(allowed) == 0 {
			s.notFound(w, r)
			return
		}
		list := strings.Join(allowed, ", ")
		w.Header().Set("Allow", list)
		err := &digesto.Error{Code: digesto.CodeUsage, Message: "esta dirección no admite el método «" + wire.Short(r.Method) + "»; admite " + list, Hint: "los métodos de cada dirección están en «/openapi.json»"}
		p := wire.ProblemOf(r.Context(), err)
		p.Status = http.StatusMethodNotAllowed
		s.failAs(w, r, p, err)
	}
}

// ServeHTTP makes the server a handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.leaving.Load() {
		w.Header().Set("Connection", "close")
	}
	s.http.ServeHTTP(w, r)
}

// ended is nil for the error of a server that was asked to stop.
func ended(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// drain lets proxies turn away before anything is closed: /readyz says so, and each
// answer ends its connection.
func (s *Server) drain() {
	s.leaving.Store(true)
	if s.opt.Drain > 0 {
		time.Sleep(s.opt.Drain)
	}
}

// Serve answers on a listener until ctx ends, then lets requests finish for a
// short while. It returns nil after an orderly end.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	patience := cmp.Or(s.opt.Patience, 30*time.Second)
	srv := &http.Server{
		Handler:           s,
		BaseContext:       func(net.Listener) context.Context { return base },
		ReadHeaderTimeout: min(5*time.Second, patience),
		ReadTimeout:       patience,
		WriteTimeout:      s.opt.Timeout + 30*time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(s.opt.Log.Handler(), slog.LevelDebug),
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	s.drain()
	end, stop := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer stop()
	time.AfterFunc(5*time.Second, cancel) // streams that are still open end here
	err := srv.Shutdown(end)
	if errors.Is(err, context.DeadlineExceeded) {
		err = srv.Close() // who does not let go is let go
	}
	return errors.Join(err, ended(<-done))
}
