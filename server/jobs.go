package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"digesto"
	"digesto/server/view"
	"digesto/server/wire"
)

// Job is official texts being brought in, or how that ended.
type Job struct {
	ID    string     `json:"id"`
	Do    string     `json:"do"`             // "install", "update" or "add"
	Pack  string     `json:"pack,omitempty"` // "" = all that is installed
	State string     `json:"state"`          // "running", "done", "failed" or "cancelled"
	Step  string     `json:"step,omitempty"` // Spanish: what is being done
	Done  int        `json:"done"`           // of Total, in this step
	Total int        `json:"total"`          // 0 = not known
	Began time.Time  `json:"began_at"`
	Ended *time.Time `json:"ended_at,omitempty"`
	Lines []string   `json:"lines"` // Spanish: what came of it
	Error string     `json:"error,omitempty"`
	Hint  string     `json:"hint,omitempty"`
}

// Under says whether the job is under way.
func (j Job) Under() bool { return j.State == "running" }

// Order is what a job does: bring the texts of a pack in ("install"), look for what
// changed in it ("update"; "" = in all), or read the files of a folder ("add").
type Order struct{ Do, Pack, Folder string }

// Work does an order, telling how far it is. It gives lines in Spanish for people.
// Cancelled, it leaves the installed law as it was. A folder is its own to remove.
type Work func(ctx context.Context, o Order, tell func(step string, done, total int)) ([]string, error)

// Jobs does one job at a time and remembers the last. It is safe for any number of
// goroutines.
type Jobs struct {
	ctx   context.Context // of the program: jobs end with it
	clock func() time.Time
	work  Work
	wg    sync.WaitGroup

	mu     sync.Mutex
	n      int
	job    Job
	cancel context.CancelFunc
	more   chan struct{} // closed when something changed
}

// NewJobs makes a runner whose jobs end when ctx does; see Wait.
func NewJobs(ctx context.Context, clock func() time.Time, work Work) *Jobs {
	return &Jobs{ctx: ctx, clock: clock, work: work, more: make(chan struct{})}
}

// Start begins a job in the background; CodeConflict while there is another.
func (j *Jobs) Start(o Order) (Job, error) {
	ctx, job, err := j.begin(o)
	if err == nil {
		j.wg.Go(func() { _ = j.run(ctx, o) })
	}
	return job, err
}

// Run does a job and waits for it.
func (j *Jobs) Run(o Order) (Job, error) {
	ctx, job, err := j.begin(o)
	if err != nil {
		return job, err
	}
	err = j.run(ctx, o)
	job, _ = j.State()
	return job, err
}

// Wait returns when nothing is under way any more.
func (j *Jobs) Wait() { j.wg.Wait() }

// Stop ends the job under way, if there is one.
func (j *Jobs) Stop() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.job.Under() {
		j.cancel()
	}
}

// State is the job under way or the last one (none: its ID is ""), and what is closed
// when that changes.
func (j *Jobs) State() (Job, <-chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.job, j.more
}

func (j *Jobs) begin(o Order) (context.Context, Job, error) {
	if o.Do != "install" && o.Do != "update" && o.Do != "add" || o.Do == "install" && o.Pack == "" || (o.Do == "add") != (o.Folder != "") {
		return nil, Job{}, wire.Invalid("no se sabe qué hacer con los textos", "use «install» con un ámbito, o «update»")
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.job.Under() {
		return nil, Job{}, &digesto.Error{Code: digesto.CodeConflict, Message: "ya se están instalando o actualizando textos", Hint: "espere a que acabe, o párelo en la página «Corpus»"}
	}
	ctx, cancel := context.WithCancel(j.ctx)
	j.n++
	j.cancel = cancel
	j.job = Job{ID: strconv.Itoa(j.n), Do: o.Do, Pack: o.Pack, State: "running", Step: "Preparando", Began: j.clock().UTC(), Lines: []string{}}
	j.wake()
	return ctx, j.job, nil
}

// wake tells those who watch; the caller holds the lock.
func (j *Jobs) wake() {
	close(j.more)
	j.more = make(chan struct{})
}

func (j *Jobs) run(ctx context.Context, o Order) error {
	lines, err := j.guarded(ctx, o)
	j.mu.Lock()
	defer j.mu.Unlock()
	now := j.clock().UTC()
	j.job.Ended, j.job.State = &now, "done"
	if lines != nil {
		j.job.Lines = lines
	}
	switch {
	case err != nil && ctx.Err() != nil:
		j.job.State = "cancelled"
	case err != nil:
		p := wire.ProblemOf(ctx, err)
		j.job.State, j.job.Error, j.job.Hint = "failed", p.Detail, p.Hint
	}
	j.cancel()
	j.wake()
	return err
}

// guarded does the work; one that breaks must not take the server with it.
func (j *Jobs) guarded(ctx context.Context, o Order) (lines []string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return j.work(ctx, o, func(step string, done, total int) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.job.Step, j.job.Done, j.job.Total = step, done, total
		j.wake()
	})
}

// jobOrder is the body of POST /v1/corpus/job.
type jobOrder struct {
	Do   string `json:"do" jsonschema:"install o update."`
	Pack string `json:"pack,omitempty" jsonschema:"Ámbito; para update, sin él todo lo instalado."`
}

// jobRoutes are those of whoever runs the server; none without Options.Jobs.
func (s *Server) jobRoutes(mux *table) {
	if s.opt.Jobs == nil {
		return
	}
	guarded := func(h func(w http.ResponseWriter, r *http.Request) error) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			r.Body = http.MaxBytesReader(w, r.Body, s.opt.MaxBody)
			if !s.letIn(w, r) {
				return
			}
			w.Header().Set("Cache-Control", "no-store")
			if err := h(w, r); err != nil {
				s.fail(w, r, err)
			}
		}
	}
	mux.HandleFunc("GET /v1/corpus/job", guarded(s.getJob))
	mux.HandleFunc("POST /v1/corpus/job", guarded(s.postJob))
	mux.HandleFunc("DELETE /v1/corpus/job", guarded(s.deleteJob))
	mux.HandleFunc("POST /corpus", guarded(s.postCorpus))
	if s.opt.Keep != nil {
		mux.HandleFunc("POST /corpus/textos", func(w http.ResponseWriter, r *http.Request) {
			r.Body = http.MaxBytesReader(w, r.Body, maxTexts)
			if !s.letIn(w, r) {
				return
			}
			if err := s.postTexts(w, r); err != nil {
				s.fail(w, r, err)
			}
		})
	}
}

// start begins a job on a pack there is.
func (s *Server) start(o Order) (Job, error) {
	known := o.Pack == ""
	for _, p := range s.opt.Packs {
		known = known || p.Name == o.Pack
	}
	if !known {
		return Job{}, &digesto.Error{Code: digesto.CodeNotFound, Message: "no hay ningún ámbito «" + wire.Short(o.Pack) + "»", Hint: "los que hay están en «/v1/packs»"}
	}
	return s.opt.Jobs.Start(o)
}

func (s *Server) postJob(w http.ResponseWriter, r *http.Request) error {
	var o jobOrder
	err := wire.Decode(r, &o)
	var job Job
	if err == nil {
		job, err = s.start(Order{Do: o.Do, Pack: o.Pack})
	}
	if err == nil {
		wire.Respond(w, job)
	}
	return err
}

func (s *Server) deleteJob(w http.ResponseWriter, _ *http.Request) error {
	job, _ := s.opt.Jobs.State()
	if !job.Under() {
		return noJob()
	}
	s.opt.Jobs.Stop()
	wire.Respond(w, job)
	return nil
}

func noJob() error {
	return &digesto.Error{Code: digesto.CodeNotFound, Message: "no se está instalando ni actualizando nada", Hint: "empiece con POST en esta dirección, o en la página «Corpus»"}
}

// getJob is the state of the last job, or its events as they come: each has the
// whole state, so that a reader who comes back needs none of those before.
func (s *Server) getJob(w http.ResponseWriter, r *http.Request) error {
	job, more := s.opt.Jobs.State()
	if job.ID == "" {
		return noJob()
	}
	if !wire.WantsEvents(r) {
		wire.Respond(w, job)
		return nil
	}
	st := wire.NewStream(w, r, s.opt.Slow)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer st.KeepAlive(ctx, s.opt.KeepAlive, cancel)()
	for st.Send("job", job) == nil && job.Under() {
		select {
		case <-ctx.Done():
			return nil
		case <-more:
		}
		job, more = s.opt.Jobs.State()
	}
	_ = st.Send("done", struct{}{})
	return nil
}

// postCorpus is the form of the page: it begins or ends a job and goes back there.
func (s *Server) postCorpus(w http.ResponseWriter, r *http.Request) error {
	if err := wire.Form(r); err != nil {
		return err
	}
	do, pack := r.PostForm.Get("do"), r.PostForm.Get("pack")
	if do == "stop" {
		s.opt.Jobs.Stop()
	} else if _, err := s.start(Order{Do: do, Pack: pack}); err != nil {
		return err
	}
	http.Redirect(w, r, "/corpus#tarea", http.StatusSeeOther)
	return nil
}

// maxTexts bounds the files that are brought to the corpus at once, in bytes.
const maxTexts = 1 << 30

// postTexts takes files, or those of a folder, and has them read into the corpus. The
// pack stands before them in the form.
func (s *Server) postTexts(w http.ResponseWriter, r *http.Request) error {
	if job, _ := s.opt.Jobs.State(); job.Under() {
		return &digesto.Error{Code: digesto.CodeConflict, Message: "Ya se están instalando o actualizando textos", Hint: "Espere a que acabe, o párelo en la página «Corpus»."}
	}
	parts, err := r.MultipartReader()
	if err != nil {
		return wire.Invalid("No se ha podido leer lo que ha elegido", "Elija los archivos o la carpeta otra vez.")
	}
	o := Order{Do: "add"}
	files := func(yield func(string, io.Reader) bool) {
		for {
			var part *multipart.Part
			if part, err = parts.NextPart(); err != nil {
				return
			}
			switch {
			case part.FormName() == "pack":
				name, _ := io.ReadAll(io.LimitReader(part, 100))
				o.Pack = string(name)
			case part.FileName() != "" && !yield(part.FileName(), part):
				return
			}
		}
	}
	folder, n, kept := s.opt.Keep(files)
	var big *http.MaxBytesError
	switch {
	case errors.As(err, &big) || errors.As(kept, &big):
		kept = &digesto.Error{Code: digesto.CodeTooLarge, Message: "Son demasiados archivos para una vez", Hint: "Elija menos: hasta 1 GB."}
	case kept == nil && err != nil && !errors.Is(err, io.EOF):
		kept = wire.Invalid("No han llegado todos los archivos", "Vuelva a intentarlo.")
	case kept == nil && n == 0:
		kept = wire.Invalid("No ha elegido ningún archivo que se pueda leer", "Elija archivos PDF, Word, HTML, Markdown o de texto, o una carpeta que los tenga.")
	}
	if o.Folder = folder; kept == nil {
		_, kept = s.start(o)
	}
	if kept != nil {
		if s.opt.Discard != nil && folder != "" {
			s.opt.Discard(folder)
		}
		return kept
	}
	http.Redirect(w, r, "/corpus#tarea", http.StatusSeeOther)
	return nil
}

// jobView is the job under way or the last one; nil = there was none.
func (s *Server) jobView() *view.Job {
	if s.opt.Jobs == nil {
		return nil
	}
	job, _ := s.opt.Jobs.State()
	if job.ID == "" {
		return nil
	}
	what := or(job.Do == "add", "para todos los ámbitos", "todo lo instalado")
	for _, p := range s.opt.Packs {
		if p.Name == job.Pack {
			what = p.Title
		}
	}
	v := &view.Job{Step: job.Step, Under: job.Under(), Ok: job.State == "done", Done: job.Done, Total: job.Total, Lines: job.Lines}
	verb := map[string]string{"install": "Instalar", "update": "Actualizar", "add": "Añadir textos"}[job.Do]
	switch {
	case v.Under:
		v.Title = map[string]string{"install": "Instalando", "update": "Actualizando", "add": "Añadiendo textos"}[job.Do] + ": " + what
	case job.State == "cancelled":
		v.Title, v.Left = verb+": "+what, "Se ha parado. La ley instalada queda como estaba."
	case v.Ok:
		v.Title = verb + ": " + what
	default:
		v.Title, v.Error = verb+": "+what, job.Error+". "+job.Hint
	}
	if job.Total > 0 {
		v.Count = fmt.Sprintf("%s de %s", view.Thousands(job.Done), view.Thousands(job.Total))
	}
	if job.Ended != nil {
		v.Left += " Acabó el " + job.Ended.Format("02/01/2006 a las 15:04") + "."
	}
	return v
}
