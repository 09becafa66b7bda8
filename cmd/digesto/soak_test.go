package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"digesto/internal/long"
)

// TestSoak keeps a server of its own process at four fifths of what it can do,
// with every kind of request mixed, and looks at its memory, goroutines and files:
// they stay flat. DIGESTO_SOAK says for how long (30m is the whole run; 6 s
// with DIGESTO_LONG alone), DIGESTO_SOAK_DATA over which data folder (none: an empty one).
func TestSoak(t *testing.T) {
	lasts, err := time.ParseDuration(os.Getenv("DIGESTO_SOAK"))
	if err != nil {
		long.Only(t, "keeps a server busy for seconds")
		lasts = 6 * time.Second
	}
	data := os.Getenv("DIGESTO_SOAK_DATA")
	if data == "" {
		data = t.TempDir()
	}
	l := &soak{base: ownServer(t, data), client: &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	for i := range 8 * len(soakQuestions) { // every kind of request with every question: the packs are open then
		l.one(i)
	}
	able := l.able(max(lasts/20, time.Second))
	every := time.Duration(float64(time.Second) / (able * .8))
	idle := l.idle(t, gauges{goroutines: 1 << 30})
	var samples []gauges
	l.load(lasts, every, func() { samples = append(samples, readGauges(t, l.base)) })
	if n := l.failed.Load(); n > 0 {
		t.Errorf("%d requests failed, such as %v", n, l.why.Load())
	}
	t.Logf("%.0f requests a second are possible; %d made in %s, one every %s; %d samples", able, l.made.Load(), lasts, every, len(samples))
	if len(samples) < 8 {
		t.Fatal("too few samples")
	}
	// The second quarter against the last: what fills at the start has filled.
	q := len(samples) / 4
	before, after := middle(samples[q:2*q]), middle(samples[len(samples)-q:])
	rest := l.idle(t, idle)
	t.Logf("memory %d → %d MiB; at rest before and after: goroutines %d → %d, files %d → %d", before.memory>>20, after.memory>>20, idle.goroutines, rest.goroutines, idle.files, rest.files)
	if after.memory > before.memory+before.memory/5+16<<20 {
		t.Error("memory grows")
	}
	if rest.goroutines > idle.goroutines+soakSlack || rest.files > idle.files+soakSlack {
		t.Error("goroutines or files stay behind")
	}
}

// soakSlack is how many goroutines and files may differ at rest: the database keeps
// a few connections open.
const soakSlack = 12

// idle lets the connections go and looks until the server is as it was, or ten
// seconds are over. How many goroutines there are under load tells how much waits,
// not what is left behind.
func (l *soak) idle(t *testing.T, was gauges) (g gauges) {
	l.client.CloseIdleConnections()
	for range 40 {
		time.Sleep(250 * time.Millisecond)
		if g = readGauges(t, l.base); g.goroutines <= was.goroutines && g.files <= was.files {
			return g
		}
	}
	return g
}

// soak makes requests and counts them.
type soak struct {
	base         string
	client       *http.Client
	made, failed atomic.Int64
	why          atomic.Value
}

// able measures how many requests a second the server answers, four at a time.
func (l *soak) able(long time.Duration) float64 {
	var wg sync.WaitGroup
	began := time.Now()
	for range 4 {
		wg.Go(func() {
			for time.Since(began) < long {
				l.one(int(l.made.Add(1)))
			}
		})
	}
	wg.Wait()
	return float64(l.made.Swap(0)) / time.Since(began).Seconds()
}

// load makes a request every so often, whether or not those before have ended, and
// looks forty times.
func (l *soak) load(long, every time.Duration, look func()) {
	var wg sync.WaitGroup
	gate := make(chan struct{}, 128) // a machine that is held up must not be flooded
	began, seen := time.Now(), 0
	for i := 0; time.Since(began) < long; i++ {
		if d := time.Until(began.Add(time.Duration(i) * every)); d > 0 {
			time.Sleep(d)
		}
		gate <- struct{}{}
		wg.Go(func() { defer func() { <-gate }(); l.one(int(l.made.Add(1))) })
		if n := int(40 * time.Since(began) / long); n > seen {
			seen = n
			look()
		}
	}
	wg.Wait()
}

var soakQuestions = []string{
	"¿Cuánto dura el período de prueba?", "háblame de contratos", "¿Cuánto vale el JUS hoy?", holidays, "¿Qué es el ingreso mínimo vital?", "quien sos?",
	"¿Cuántas lunas tiene el planeta Zork?", "¿Cuánto son 12 JUS?",
}

// one makes one request of the mix.
func (l *soak) one(i int) {
	question := strconv.Quote(soakQuestions[i/8%len(soakQuestions)] + strings.Repeat(" ", i%3))
	switch i % 8 {
	case 0, 1:
		l.do("POST", "/v1/ask", `{"question":`+question+`}`, "application/json", 200)
	case 2, 3:
		l.do("POST", "/v1/ask", `{"question":`+question+`}`, "text/event-stream", 200)
	case 4:
		l.do("POST", "/v1/search", `{"query":"plazo de prescripción"}`, "application/json", 200, 400, 422)
	case 5:
		l.do("POST", "/v1/chat/completions", `{"model":"digesto-laboral","messages":[{"role":"user","content":`+question+`}]}`, "application/json", 200)
	case 6:
		l.do("GET", "/v1/conversations?q=contratos", "", "application/json", 200)
	default:
		l.do("GET", "/", "", "text/html", 200)
	}
}

func (l *soak) do(method, path, body, accept string, good ...int) {
	req, err := http.NewRequest(method, l.base+path, strings.NewReader(body))
	if err == nil {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", accept)
		var res *http.Response
		if res, err = l.client.Do(req); err == nil {
			_, err = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
			if err == nil && !slices.Contains(good, res.StatusCode) {
				err = fmt.Errorf("%s %s: %d", method, path, res.StatusCode)
			}
		}
	}
	if err != nil {
		l.failed.Add(1)
		l.why.Store(err.Error())
	}
}

// gauges are what the server says of itself.
type gauges struct{ memory, goroutines, files int64 }

func readGauges(t *testing.T, base string) (g gauges) {
	t.Helper()
	res, err := http.Get(base + "/metrics")
	if err != nil {
		t.Error(err)
		return g
	}
	defer res.Body.Close()
	for sc := bufio.NewScanner(res.Body); sc.Scan(); {
		name, value, _ := strings.Cut(sc.Text(), " ")
		v, _ := strconv.ParseFloat(value, 64)
		switch name {
		case "process_resident_memory_bytes":
			g.memory = int64(v)
		case "go_goroutines":
			g.goroutines = int64(v)
		case "process_open_fds":
			g.files = int64(v)
		}
	}
	return g
}

// middle takes the median of each.
func middle(list []gauges) gauges {
	of := func(f func(gauges) int64) int64 {
		var v []int64
		for _, g := range list {
			v = append(v, f(g))
		}
		slices.Sort(v)
		return v[len(v)/2]
	}
	return gauges{of(func(g gauges) int64 { return g.memory }), of(func(g gauges) int64 { return g.goroutines }), of(func(g gauges) int64 { return g.files })}
}
