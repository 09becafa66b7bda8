package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"digesto"
	"digesto/app"
	"digesto/server"
	"digesto/server/wire"
	"digesto/store"
)

// mountSmall gives a file system of its own, of memory.
func mountSmall(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=24m"); err != nil {
		t.Skipf("needs the right to mount a file system: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// served is a server that a test stops when it likes.
type served struct {
	base      string // "" = it ended by itself
	out, errs syncBuffer
	cancel    context.CancelFunc
	code      chan int
}

// launch runs `digesto serve` until it listens or ends.
func launch(t *testing.T, vars map[string]string) *served {
	t.Helper()
	s := &served{code: make(chan int, 1)}
	e := env{in: strings.NewReader(""), out: &s.out, err: &s.errs, lookup: func(k string) (string, bool) { v, ok := vars[k]; return v, ok }}
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	ended := make(chan struct{})
	go func() { s.code <- run(ctx, []string{"serve", "--addr", "127.0.0.1:0"}, e); close(ended) }()
	t.Cleanup(func() { cancel(); <-ended })
	url := regexp.MustCompile(`http://\S+`)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(time.Minute)
	for {
		if s.base = url.FindString(s.out.String()); s.base != "" {
			return s
		}
		select {
		case <-ended:
			return s
		case <-limit:
			t.Fatal("it neither listens nor ends: " + s.errs.String())
		case <-tick.C:
		}
	}
}

// stop ends a server and gives its exit code.
func (s *served) stop() int { s.cancel(); return <-s.code }

// call is a request that nobody has a key for.
type call struct{ method, path, ctype, body string }

func (c call) String() string { return c.method + " " + c.path + " " + c.body }

// everyCall gives requests to each route of the table, with ids of what another person asked.
func everyCall(t *testing.T, mine digesto.Answer) (out []call) {
	t.Helper()
	a, w := otelApp(t, map[string]string{})
	w.Store = store.Memory(nil)
	defer w.Close()
	if err := a.OpenTraces(w, ""); err != nil {
		t.Fatal(err)
	}
	w.Jobs = server.NewJobs(t.Context(), time.Now, a.TextWork(w))
	s, err := a.NewServer(w, false, false)
	if err != nil {
		t.Fatal(err)
	}
	const form, object = "application/x-www-form-urlencoded", "application/json"
	bodies := map[string][]string{
		"POST /v1/ask":    {`{"pack":"laboral","question":"¿Cuántos días de descanso tiene el farero?"}`, `{"pack":"laboral","question":"¿Y de noche?","session_id":"` + mine.Meta.SessionID + `"}`},
		"POST /v1/search": {`{"text":"faro"}`}, "POST /v1/verify": {`{"text":"Artículo 2 FARO-1"}`},
		"POST /v1/chat/completions": {`{"model":"digesto-laboral","messages":[{"role":"user","content":"¿Descansa el farero?"}]}`},
		"POST /admin/claves":        {"do=add&user=intruso&plan=libre&scopes=ask&scopes=admin"}, "POST /admin/entrar": {"key=dg_x_y"},
		"POST /corpus": {"do=update&pack=laboral"}, "POST /v1/corpus/job": {`{"do":"update","pack":"laboral"}`},
		"POST /preguntar":           {"pack=laboral&question=%C2%BFDescansa+el+farero%3F"},
		"POST /conversaciones/{id}": {"do=erase", "do=share"}, "PATCH /v1/conversations/{id}": {`{"shared":true}`},
		"/mcp": {`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
	}
	ids := strings.NewReplacer("{norm}", "FARO-1", "{unit}", "a2", "{seq}", "2", "{page}", "1", "{file}", "style.css", "{token}", "x", "{model}", "digesto", "{$}", "")
	for _, route := range s.Routes() {
		method, pattern, ok := strings.Cut(route, " ")
		if !ok {
			method, pattern = "POST", route
		}
		path := pattern
		switch {
		case strings.Contains(path, "/traces/") || strings.Contains(path, "/respuestas/"):
			path = strings.ReplaceAll(path, "{id}", mine.Meta.TraceID)
		default:
			path = strings.ReplaceAll(path, "{id}", mine.Meta.SessionID)
		}
		path = ids.Replace(path)
		list := bodies[route]
		if list == nil {
			list = []string{""}
		}
		for _, b := range list {
			out = append(out, call{method, path, app.Or(strings.HasPrefix(b, "{"), object, form), b})
		}
		if pattern == "/v1/analytics" || pattern == "/analitica" {
			out = append(out, call{method, path + "?all=true", form, ""})
		}
	}
	if len(out) < 70 {
		t.Fatalf("only %d requests", len(out))
	}
	return out
}

// send makes a request as someone without a key: at this machine, or from elsewhere
// through a proxy.
func (c call) send(client *http.Client, base string, far bool) (status int, to string, body []byte, err error) {
	req, err := http.NewRequest(c.method, base+c.path, strings.NewReader(c.body))
	if err != nil {
		return 0, "", nil, err
	}
	req.Header.Set("Accept", "application/json, text/event-stream;q=0.5, text/html;q=0.4")
	if c.body != "" {
		req.Header.Set("Content-Type", c.ctype)
	}
	if far {
		req.Header.Set("X-Forwarded-For", "203.0.113.7")
	}
	res, err := client.Do(req)
	if err != nil {
		return 0, "", nil, err
	}
	defer res.Body.Close()
	body, err = io.ReadAll(io.LimitReader(res.Body, 1<<20))
	return res.StatusCode, res.Header.Get("Location"), body, err
}

// work is a call from somewhere.
type work struct {
	c   call
	far bool
}

func (w work) name() string { return fmt.Sprintf("%s (far: %v)", w.c, w.far) }

// atMostOpen is how many requests a call gets that everybody may make: more would show nothing.
const atMostOpen = 10

// nobody sends each call some times, from here and from afar, and gives the best status
// that each came to: 2xx before anything else. Those that open already, by what is known
// of them, are sent no more often than shows that they do.
func nobody(t *testing.T, base string, calls []call, times int, known map[string]int) map[string]int {
	t.Helper()
	client := &http.Client{Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	queue := make(chan work)
	best := map[string]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for x := range queue {
				status, _, body, err := x.c.send(client, base, x.far)
				mu.Lock()
				name := x.name()
				switch old := best[name]; {
				case err != nil:
					t.Errorf("%s: %v", name, err)
				case old == 0 || status < old:
					best[name] = status
				}
				if status >= 400 && !clearly(x.c, body) {
					t.Errorf("%s: %d without what to do: %.200s", name, status, body)
				}
				if m := inside.Find(body); status >= 400 && m != nil {
					t.Errorf("%s: %q shows the inside: %.300s", name, m, body)
				}
				mu.Unlock()
			}
		})
	}
	sent := 0
	for i := range times {
		for _, c := range calls {
			for _, x := range []work{{c, false}, {c, true}} {
				if status := known[x.name()]; i < atMostOpen || status >= 300 {
					queue <- x
					sent++
				}
			}
		}
	}
	close(queue)
	wg.Wait()
	t.Logf("%d requests", sent)
	return best
}

// clearly says whether an error says what to do next, in the form of its route.
func clearly(c call, body []byte) bool {
	if strings.Contains(c.path, "/v1/chat") || strings.Contains(c.path, "/v1/models") || strings.Contains(c.path, "/v1/responses") { // in OpenAI's form
		return bytes.Contains(body, []byte(`"message"`))
	}
	var p wire.Problem
	if json.Unmarshal(body, &p) == nil {
		return p.Title != "" && p.Detail != "" && p.Hint != ""
	}
	return bytes.Contains(body, []byte("<html"))
}

// fault is something that befalls the disk.
type fault struct {
	mounted bool
	strike  func(t *testing.T, data string)
	ready   int  // what /readyz says afterwards
	ends    bool // a server that is started then does not serve
	anew    bool // a server that is started then is a new one
}

// faults are those of the disk below a data folder.
var faults = map[string]fault{
	"full disk": {true, func(t *testing.T, data string) {
		f, err := os.Create(filepath.Join(data, "relleno"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for size := 1 << 20; size >= 1; size /= 2 {
			for err = nil; err == nil; {
				_, err = f.Write(make([]byte, size))
			}
		}
	}, 200, false, false},
	"read-only disk": {true, func(t *testing.T, data string) {
		again := t.TempDir() // the same file system, once more: what is open for writing keeps it from being changed itself
		for _, m := range []struct {
			from, to string
			flags    uintptr
		}{{data, again, syscall.MS_BIND}, {"", again, syscall.MS_REMOUNT | syscall.MS_BIND | syscall.MS_RDONLY}, {again, data, syscall.MS_BIND}} {
			if err := syscall.Mount(m.from, m.to, "", m.flags, ""); err != nil {
				t.Fatal(err)
			}
		}
		t.Cleanup(func() {
			_ = syscall.Unmount(data, syscall.MNT_DETACH)
			_ = syscall.Unmount(again, syscall.MNT_DETACH)
		})
	}, 200, true, false},
	"missing folder":        {false, func(t *testing.T, data string) { take(t, data) }, 503, false, false},
	"another folder":        {false, func(t *testing.T, data string) { take(t, data); make2(t, data) }, 503, false, true},
	"missing conversations": {false, func(t *testing.T, data string) { take(t, filepath.Join(data, "conversations.db")) }, 503, false, false},
	"missing CURRENT":       {false, func(t *testing.T, data string) { take(t, filepath.Join(data, "corpus", "CURRENT")) }, 503, false, false},
	"missing texts":         {false, func(t *testing.T, data string) { take(t, filepath.Join(data, "corpus")) }, 503, false, false},
}

func take(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

func make2(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

// faultTimes is how many requests each route gets, from here and from afar, in each
// state; DIGESTO_FAULTS sets it: 1000 is what is shown, and takes minutes.
func faultTimes(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("DIGESTO_FAULTS"))
	if os.Getenv("DIGESTO_FAULTS") == "" {
		return 2
	}
	if err != nil || n < 2 {
		t.Fatal("DIGESTO_FAULTS is a number of requests")
	}
	return n / 2 // from here and from afar
}

// TestFaultsOpenNothing: whatever befalls the disk of a server with keys, before it
// begins or under it, no route gives to nobody what it did not give before.
func TestFaultsOpenNothing(t *testing.T) {
	times := faultTimes(t)
	for name, f := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := filepath.Join(t.TempDir(), "datos")
			if f.mounted {
				data = mountSmall(t)
			}
			if err := os.CopyFS(data, os.DirFS(lawData(t, map[string]string{"laboral": "versions"}))); err != nil {
				t.Fatal(err)
			}
			vars := map[string]string{"DIGESTO_DATA": data}
			e, _, errs := testEnv(vars)
			if code := run(t.Context(), []string{"keys", "add", "jefa", "--scopes", "ask,read,manage,admin"}, e); code != 0 {
				t.Fatal(errs)
			}
			s := launch(t, vars)
			if s.base == "" {
				t.Fatal(s.errs.String())
			}
			var mine digesto.Answer
			if err := json.Unmarshal([]byte(putTo(t, s.base, `{"pack":"laboral","question":"¿Cuántos días de descanso tiene el farero?"}`)), &mine); err != nil {
				t.Fatal(err)
			}
			calls := everyCall(t, mine)
			reads := slices.DeleteFunc(slices.Clone(calls), func(c call) bool {
				return c.method == "DELETE" || c.method == "PATCH" || strings.Contains(c.body, "do=") && strings.HasPrefix(c.path, "/conversaciones")
			})
			healthy := nobody(t, s.base, reads, 1, nil)
			f.strike(t, data)
			hold(t, "under it", healthy, nobody(t, s.base, reads, times, healthy))
			if status := statusOf(t, s.base+"/readyz"); status != f.ready {
				t.Errorf("readyz: %d, want %d", status, f.ready)
			}
			s.stop()
			again := launch(t, vars)
			if again.base == "" {
				if code := again.stop(); !f.ends || code == 0 || !strings.Contains(again.errs.String(), "qué hacer:") {
					t.Errorf("exit %d: %s", code, again.errs.String())
				}
				return
			}
			if f.ends {
				t.Errorf("it serves: %s", again.errs.String())
			}
			if f.anew {
				again.stop()
				return
			}
			hold(t, "before it", healthy, nobody(t, again.base, reads, times, healthy))
			again.stop()
		})
	}
}

// hold fails where nobody gets what nobody got before.
func hold(t *testing.T, when string, before, after map[string]int) {
	t.Helper()
	shut := 0
	for name, status := range before {
		if status < 300 {
			continue
		}
		if status == 403 || status == 401 {
			shut++
		}
		if after[name] == 0 || after[name] < 300 {
			t.Errorf("%s, %s: %d before, %d after", when, name, status, after[name])
		}
	}
	if shut < 14 { // pages and routes of who runs the server, from here and from afar
		t.Errorf("only %d requests need a key", shut)
	}
}

func statusOf(t *testing.T, url string) int {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	return res.StatusCode
}
