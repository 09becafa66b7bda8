package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"digesto"
	"digesto/app"
	"digesto/disk"
	"digesto/packs"
	"digesto/store/sqlite"
)

// LoadOptions are what is measured.
type LoadOptions struct {
	Requests int
	Clients  int
	Pack     string
	Queries  string
	Stub     bool
	Anew     bool
	Profile  string
}

// LoadReport is what was measured. Sizes are bytes in use after a collection.
type LoadReport struct {
	Norms      int       `json:"norms"`
	Stub       bool      `json:"stub"`
	Model      int64     `json:"model_calls"` // that reached the stub
	Alone      Quantiles `json:"one_after_another"`
	Together   Quantiles `json:"together"`
	Processor  Quantiles `json:"processor_one_after_another"` // of server, stub and client, once all had been asked; 0 = not known on this system
	Clients    int       `json:"clients"`
	Requests   int       `json:"requests"`
	Questions  int       `json:"distinct_questions"`
	Anew       bool      `json:"anew"` // each was searched anew
	Errors     int64     `json:"errors"`
	PerSecond  float64   `json:"requests_per_second"`
	CPU        float64   `json:"cpu_ms_per_request"` // of server, stub and clients; 0 = not known on this system
	Heap       []uint64  `json:"heap_bytes"`         // after each tenth
	RSS        []int64   `json:"rss_bytes"`          // before the first, after each tenth; 0 = not known on this system
	Running    []int     `json:"goroutines_tenths"`  // as RSS, while connections are kept
	PeakRSS    int64     `json:"peak_rss_bytes"`
	Goroutines [2]int    `json:"goroutines"` // before the first question, after the last
	CPUs       int       `json:"cpus"`
}

// Load serves and asks.
func Load(a *app.App, c LoadOptions) (LoadReport, error) {
	if c.Requests < 10 || c.Clients < 1 || c.Clients > 1000 {
		return LoadReport{}, &digesto.Error{Code: digesto.CodeInvalid, Message: "--requests o --clients no valen", Hint: "Use al menos 10 preguntas y de 1 a 1000 clientes."}
	}
	stub := &StubModel{}
	url, norms, stop, err := c.serve(a, stub)
	if err != nil {
		return LoadReport{}, err
	}
	defer stop()
	bodies, err := c.bodies(a)
	if err != nil {
		return LoadReport{}, err
	}
	r := LoadReport{Norms: norms, Stub: c.Stub, Clients: c.Clients, Requests: c.Requests, Questions: len(bodies), Anew: c.Anew, CPUs: runtime.GOMAXPROCS(0)}
	l := loader{url: url + "/v1/ask", bodies: bodies, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: c.Clients}, Timeout: time.Minute}}
	if err := l.warm(); err != nil {
		return LoadReport{}, err
	}
	r.Goroutines[0] = runtime.NumGoroutine()
	r.Alone = quantilesOf(l.ask(min(c.Requests, 300), 1))
	stopProfile, err := c.profile()
	if err != nil {
		return LoadReport{}, err
	}
	defer stopProfile()
	r.RSS, r.Running = append(r.RSS, nowRSS()), append(r.Running, runtime.NumGoroutine())
	began, cpu := time.Duration(0), cpuTime()
	var took []time.Duration
	for range 10 {
		at := time.Now()
		took = append(took, l.ask(c.Requests/10, c.Clients)...)
		began += time.Since(at)
		r.Heap, r.RSS, r.Running = append(r.Heap, heap()), append(r.RSS, nowRSS()), append(r.Running, runtime.NumGoroutine())
	}
	r.CPU = Ms(cpuTime()-cpu) / float64(len(took))
	r.Together, r.PerSecond = quantilesOf(took), float64(len(took))/began.Seconds()
	r.Processor = quantilesOf(l.processor())
	r.Errors, r.Model, r.PeakRSS = l.errors.Load(), stub.Calls.Load(), peakRSS()
	l.client.CloseIdleConnections()
	r.Goroutines[1] = settled(r.Goroutines[0])
	return r, nil
}

// profile notes where the processor's time goes until the function it gives is called.
func (c LoadOptions) profile() (stop func(), err error) {
	if c.Profile == "" {
		return func() {}, nil
	}
	f, err := os.Create(c.Profile)
	if err != nil {
		return nil, disk.Error(err, c.Profile, "")
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		_ = f.Close()
		return nil, err
	}
	return func() { pprof.StopCPUProfile(); _ = f.Close() }, nil
}

// serve starts a server on this machine as `serve` does; what it stores goes to
// a folder that is removed at the end.
func (c LoadOptions) serve(a *app.App, stub *StubModel) (url string, norms int, stop func(), err error) {
	dir, err := os.MkdirTemp("", "digesto-bench-")
	if err != nil {
		return "", 0, nil, err
	}
	undo := []func(){func() { _ = os.RemoveAll(dir) }}
	stop = func() {
		for _, f := range slices.Backward(undo) {
			f()
		}
	}
	fail := func(err error) (string, int, func(), error) { stop(); return "", 0, nil, err }
	more := app.Layer{"plan": "", "model.cache": "no"}
	if c.Stub {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return fail(err)
		}
		srv := &http.Server{Handler: stub, ReadHeaderTimeout: 5 * time.Second}
		go func() { _ = srv.Serve(l) }()
		undo = append(undo, func() { _ = srv.Close() })
		more["model.url"], more["model.name"] = "http://"+l.Addr().String()+"/v1", stubName
	}
	if err := a.Settings.Load("opción", more); err != nil {
		return fail(err)
	}
	w, err := a.Open(a.Context)
	if err != nil {
		return fail(err)
	}
	undo = append(undo, w.Close)
	w.Law.WordsOnly, w.Anew = true, c.Anew
	if w.Store, err = sqlite.Open(a.Context, filepath.Join(dir, "conversations.db"), sqlite.Options{Clock: a.Now}); err != nil {
		return fail(err)
	}
	w.Traces = &app.Traces{Kept: app.TracesIn(dir)}
	s, err := a.NewServer(w, false, false)
	if err != nil {
		return fail(err)
	}
	if snap, err := a.Snapshot(w); err == nil {
		norms = len(snap.Norms())
		_ = snap.Close()
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fail(err)
	}
	ctx, cancel := context.WithCancel(a.Context)
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	undo = append(undo, func() {
		cancel()
		if err := <-done; err != nil {
			a.Say("%s", digesto.Told(err))
		}
	})
	return "http://" + l.Addr().String(), norms, stop, nil
}

// bodies are the requests, in the order in which they are asked.
func (c LoadOptions) bodies(a *app.App) (out [][]byte, err error) {
	var texts []string
	if c.Queries != "" {
		if texts, err = readTexts(a, c.Queries); err != nil {
			return nil, err
		}
	}
	add := func(pack, question string) {
		body, _ := json.Marshal(map[string]string{"pack": pack, "question": question})
		out = append(out, body)
	}
	for _, t := range texts {
		add(c.Pack, t)
	}
	all, err := a.Packs()
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if texts == nil && (c.Pack == "" || c.Pack == p.Name) {
			for _, q := range append([]string{p.FirstQuestion}, p.Examples...) {
				add(p.Name, q)
			}
		}
	}
	if len(out) == 0 {
		return nil, &digesto.Error{Code: digesto.CodeNotFound, Message: "no hay preguntas que hacer", Hint: "los paquetes son " + strings.Join(packs.Names(all), ", ")}
	}
	return out, nil
}

// loader asks a server.
type loader struct {
	url    string
	bodies [][]byte
	client *http.Client
	next   atomic.Int64
	errors atomic.Int64
}

// warm asks each question once; the first that fails tells what is wrong.
func (l *loader) warm() error {
	for _, b := range l.bodies[:min(len(l.bodies), 50)] {
		if err := l.one(b); err != nil {
			return &digesto.Error{Code: digesto.CodeUnavailable, Message: "el servidor no contesta a la primera", Hint: "pruebe la misma pregunta con «digesto ask»", Err: err}
		}
	}
	return nil
}

func (l *loader) one(body []byte) error {
	res, err := l.client.Post(l.url, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%d %.300s", res.StatusCode, data)
	}
	return err
}

// ask puts n questions by some clients at once and gives what each took.
func (l *loader) ask(n, clients int) []time.Duration {
	took := make([]time.Duration, n)
	var at atomic.Int64
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for i := at.Add(1) - 1; i < int64(n); i = at.Add(1) - 1 {
				body := l.bodies[int(l.next.Add(1)-1)%len(l.bodies)]
				began := time.Now()
				if l.one(body) != nil {
					l.errors.Add(1)
				}
				took[i] = time.Since(began)
			}
		})
	}
	wg.Wait()
	return took
}

// processor puts each question once, one after another, and gives what each took of it.
func (l *loader) processor() (took []time.Duration) {
	for _, body := range l.bodies {
		began := cpuTime()
		if l.one(body) != nil {
			l.errors.Add(1)
		}
		took = append(took, cpuTime()-began)
	}
	return took
}

// heap gives the bytes in use after a collection.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// nowRSS is the memory that the process has now, where the system tells it: see
// proc_pid_statm(5).
func nowRSS() int64 {
	data, err := os.ReadFile("/proc/self/statm")
	if f := strings.Fields(string(data)); err == nil && len(f) > 1 {
		n, _ := strconv.ParseInt(f[1], 10, 64)
		return n * int64(os.Getpagesize())
	}
	return 0
}

// settled waits a little for goroutines that are ending and gives how many are left.
func settled(want int) int {
	for range 40 {
		if runtime.NumGoroutine() <= want {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	return runtime.NumGoroutine()
}
