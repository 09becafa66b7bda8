package main

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
	"digesto/store/sqlite"
)

// benchLoadCmd puts questions to a server of its own, over the installed law.
type benchLoadCmd struct {
	Requests int    `name:"requests" default:"2000" placeholder:"N" help:"Preguntas que se hacen a la vez, tras las que se hacen una a una."`
	Clients  int    `name:"clients" default:"16" placeholder:"N" help:"Clientes a la vez."`
	Pack     string `name:"pack" placeholder:"PAQUETE" help:"Las preguntas de ese paquete; sin él, las de todos."`
	Queries  string `name:"queries" placeholder:"FICHERO.jsonl" help:"Preguntas JSON Lines en lugar de las de los paquetes."`
	Stub     bool   `name:"stub" help:"Con un modelo fingido que contesta al instante: mide lo que añade el servidor a un modelo."`
	Anew     bool   `name:"anew" help:"Busca de nuevo cada pregunta: sin él, de una ya hecha se vuelve a escribir y a comprobar la respuesta, y lo encontrado se guarda."`
	Profile  string `name:"profile" placeholder:"FICHERO" help:"Escribe en qué se va el procesador mientras se mide, para «go tool pprof»."`
}

// Examples of the command.
func (benchLoadCmd) Examples() []string {
	return []string{"digesto bench load --pack laboral", "digesto bench load --stub --requests 100000 --clients 16", "digesto bench load --queries preguntas.jsonl --json"}
}

// loadReport is what was measured. Sizes are bytes in use after a collection.
type loadReport struct {
	Norms      int       `json:"norms"`
	Stub       bool      `json:"stub"`
	Model      int64     `json:"model_calls"` // that reached the stub
	Alone      quantiles `json:"one_after_another"`
	Together   quantiles `json:"together"`
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

// Run serves, asks, prints.
func (c benchLoadCmd) Run(a *app) error {
	if c.Requests < 10 || c.Clients < 1 || c.Clients > 1000 {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "--requests o --clients no valen", Hint: "Use al menos 10 preguntas y de 1 a 1000 clientes."}
	}
	stub := &benchStub{}
	url, norms, stop, err := c.serve(a, stub)
	if err != nil {
		return err
	}
	defer stop()
	bodies, err := c.bodies(a)
	if err != nil {
		return err
	}
	r := loadReport{Norms: norms, Stub: c.Stub, Clients: c.Clients, Requests: c.Requests, Questions: len(bodies), Anew: c.Anew, CPUs: runtime.GOMAXPROCS(0)}
	l := loader{url: url + "/v1/ask", bodies: bodies, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: c.Clients}, Timeout: time.Minute}}
	if err := l.warm(); err != nil {
		return err
	}
	r.Goroutines[0] = runtime.NumGoroutine()
	r.Alone = quantilesOf(l.ask(min(c.Requests, 300), 1))
	stopProfile, err := c.profile()
	if err != nil {
		return err
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
	r.CPU = ms(cpuTime()-cpu) / float64(len(took))
	r.Together, r.PerSecond = quantilesOf(took), float64(len(took))/began.Seconds()
	r.Errors, r.Model, r.PeakRSS = l.errors.Load(), stub.calls.Load(), peakRSS()
	l.client.CloseIdleConnections()
	r.Goroutines[1] = settled(r.Goroutines[0])
	return c.print(a, r)
}

// profile notes where the processor's time goes until the function it gives is called.
func (c benchLoadCmd) profile() (stop func(), err error) {
	if c.Profile == "" {
		return func() {}, nil
	}
	f, err := os.Create(c.Profile)
	if err != nil {
		return nil, fileError(err, c.Profile, "")
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		_ = f.Close()
		return nil, err
	}
	return func() { pprof.StopCPUProfile(); _ = f.Close() }, nil
}

// serve starts a server on this machine as `serve` does; what it stores goes to
// a folder that is removed at the end.
func (c benchLoadCmd) serve(a *app, stub *benchStub) (url string, norms int, stop func(), err error) {
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
	more := layer{"plan": "", "model.cache": "no"}
	if c.Stub {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return fail(err)
		}
		srv := &http.Server{Handler: stub, ReadHeaderTimeout: 5 * time.Second}
		go func() { _ = srv.Serve(l) }()
		undo = append(undo, func() { _ = srv.Close() })
		more["model.url"], more["model.name"] = "http://"+l.Addr().String()+"/v1", benchModel
	}
	if err := a.conf.load("opción", more); err != nil {
		return fail(err)
	}
	w, err := a.open(a.ctx)
	if err != nil {
		return fail(err)
	}
	undo = append(undo, w.close)
	w.laws.words, w.anew = true, c.Anew
	if w.store, err = sqlite.Open(a.ctx, filepath.Join(dir, "conversations.db"), sqlite.Options{Clock: a.now}); err != nil {
		return fail(err)
	}
	w.traces = &traces{kept: tracesIn(dir)}
	s, err := a.newServer(w, false, false)
	if err != nil {
		return fail(err)
	}
	if snap, err := a.snapshot(w); err == nil {
		norms = len(snap.Norms())
		_ = snap.Close()
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fail(err)
	}
	ctx, cancel := context.WithCancel(a.ctx)
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	undo = append(undo, func() {
		cancel()
		if err := <-done; err != nil {
			a.say("%s", digesto.Told(err))
		}
	})
	return "http://" + l.Addr().String(), norms, stop, nil
}

// bodies are the requests, in the order in which they are asked.
func (c benchLoadCmd) bodies(a *app) (out [][]byte, err error) {
	var texts []string
	if c.Queries != "" {
		if texts, err = a.readTexts(c.Queries); err != nil {
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
	all, err := a.packs()
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
		return nil, &digesto.Error{Code: digesto.CodeNotFound, Message: "no hay preguntas que hacer", Hint: "los paquetes son " + packNames(all)}
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

// heap gives the bytes in use after a collection.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// cpuTime is what the process has used of the processors, where the system
// tells it: fields 14 and 15 of proc_pid_stat(5), in hundredths of a second.
func cpuTime() time.Duration {
	data, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	f := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(f[11], 10, 64)
	system, _ := strconv.ParseInt(f[12], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond
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

func (c benchLoadCmd) print(a *app, r loadReport) error {
	if a.json {
		return a.printJSON(r)
	}
	with := "sin modelo"
	if r.Stub {
		with = fmt.Sprintf("con un modelo que contesta al instante (%d llamadas)", r.Model)
	}
	fmt.Fprintf(a.out, "%d normas instaladas, %s, %d CPU\n", r.Norms, with, r.CPUs)
	row := func(name string, q quantiles) {
		fmt.Fprintf(a.out, "  %-22s p50 %.1f ms · p95 %.1f ms · p99 %.1f ms\n", name, q.P50, q.P95, q.P99)
	}
	row("de una en una", r.Alone)
	row(fmt.Sprintf("%d a la vez", r.Clients), r.Together)
	how := "lo encontrado se guarda para la siguiente vez"
	if r.Anew {
		how = "cada vez se busca de nuevo"
	}
	fmt.Fprintf(a.out, "  %d preguntas distintas: %s\n", r.Questions, how)
	fmt.Fprintf(a.out, "  %d preguntas, %d errores, %.0f por segundo, %.2f ms de procesador cada una\n", r.Requests, r.Errors, r.PerSecond, r.CPU)
	fmt.Fprintf(a.out, "  memoria en uso: %.1f MB tras la primera décima parte, %.1f MB a la mitad, %.1f MB al final\n", mb(r.Heap[0]), mb(r.Heap[4]), mb(r.Heap[9]))
	fmt.Fprintf(a.out, "  memoria residente: %.0f MB antes, %.0f MB a la mitad, %.0f MB al final (máximo %.0f MB)\n", float64(r.RSS[0])/1e6, float64(r.RSS[5])/1e6, float64(r.RSS[10])/1e6, float64(r.PeakRSS)/1e6)
	fmt.Fprintf(a.out, "  gorrutinas: %d antes, %d a la mitad, %d al final con las conexiones abiertas, %d cerradas estas\n", r.Goroutines[0], r.Running[5], r.Running[10], r.Goroutines[1])
	if r.Errors > 0 {
		return &digesto.Error{Code: digesto.CodeCheck, Message: fmt.Sprintf("%d preguntas fallaron", r.Errors), Hint: "lance «digesto serve --verbose» y mire qué dice"}
	}
	return nil
}

func mb(n uint64) float64 { return float64(n) / 1e6 }
