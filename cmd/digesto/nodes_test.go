package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"digesto/app"
	"digesto/internal/pgtest"
	"digesto/store/postgres"
)

// node is a `digesto serve` of its own over the shared store.
type node struct {
	cmd   *exec.Cmd
	url   *url.URL
	ready atomic.Bool
}

func startNode(t *testing.T, address string) *node {
	t.Helper()
	cmd := exec.Command("digesto", "serve", "--addr", "127.0.0.1:0", "--drain", "1s", "--store", address)
	cmd.Env = append(os.Environ(), "DIGESTO_DATA="+t.TempDir())
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(out)
	line, _ := r.ReadString('\n')
	go func() { _, _ = io.Copy(io.Discard, r) }()
	u, err := url.Parse(regexp.MustCompile(`http://\S+`).FindString(line))
	if err != nil || u.Host == "" {
		t.Fatalf("no address: %q", line)
	}
	return &node{cmd: cmd, url: u}
}

// balancer sends each request to the next ready node, and what never reached one to another.
type balancer struct {
	mu    sync.Mutex
	nodes []*node
	next  int
}

func (b *balancer) pick() *node {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range b.nodes {
		b.next++
		if n := b.nodes[b.next%len(b.nodes)]; n.ready.Load() {
			return n
		}
	}
	return b.nodes[0]
}

func (b *balancer) watch(stop <-chan struct{}) {
	client := &http.Client{Timeout: 2 * time.Second}
	for {
		b.mu.Lock()
		nodes := append([]*node{}, b.nodes...)
		b.mu.Unlock()
		for _, n := range nodes {
			res, err := client.Get(n.url.String() + "/readyz")
			if err == nil {
				_ = res.Body.Close()
			}
			n.ready.Store(err == nil && res.StatusCode == 200)
		}
		select {
		case <-stop:
			return
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// TestNodes: 200 clients on two processes that share one database, through a proxy
// without sticky sessions, while each process is stopped and replaced in turn: every
// question is answered, and each conversation holds its messages once and in order.
func TestNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("starts four servers")
	}
	address := pgtest.Schema(t)
	b := &balancer{nodes: []*node{startNode(t, address), startNode(t, address)}}
	done := make(chan struct{})
	go b.watch(done)
	defer close(done)
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(b.pick().url)
	}})
	defer proxy.Close()
	time.Sleep(300 * time.Millisecond)
	const clients, turns = 200, 3
	var wg sync.WaitGroup
	sessions := make([]string, clients)
	failed := atomic.Int64{}
	for c := range clients {
		wg.Go(func() {
			for i := range turns {
				id, err := askNode(proxy.URL, sessions[c], fmt.Sprintf("¿Qué es el plazo %d-%d?", c, i))
				if err != nil {
					failed.Add(1)
					t.Errorf("client %d, turn %d: %v", c, i, err)
					return
				}
				sessions[c] = id
			}
		})
	}
	for i := range 2 { // one after the other, each replaced before the next
		fresh := startNode(t, address)
		b.mu.Lock()
		old := b.nodes[i]
		b.nodes = append(b.nodes, fresh)
		b.mu.Unlock()
		time.Sleep(300 * time.Millisecond)
		_ = old.cmd.Process.Signal(syscall.SIGTERM)
		if err := old.cmd.Wait(); err != nil {
			t.Errorf("a node does not end in order: %v", err)
		}
	}
	wg.Wait()
	s, err := postgres.Open(t.Context(), address, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for c, id := range sessions {
		list, err := s.Messages(t.Context(), app.LocalUser, id)
		if err != nil || len(list) != 2*turns {
			t.Errorf("client %d: %d messages, %v", c, len(list), err)
			continue
		}
		for i, m := range list {
			if want := fmt.Sprintf("%d-%d?", c, i/2); i%2 == 0 && !strings.HasSuffix(m.Content, want) || m.Seq != int64(i)+1 {
				t.Errorf("client %d, place %d: %q", c, i, m.Content)
			}
		}
	}
	if bad, err := s.Check(t.Context()); err != nil || len(bad) > 0 {
		t.Errorf("check: %v %v", bad, err)
	}
	for _, n := range b.nodes[2:] {
		_ = n.cmd.Process.Signal(syscall.SIGTERM)
		_ = n.cmd.Wait()
	}
	t.Logf("%d clients, %d questions, two nodes replaced under way: %d failed", clients, clients*turns, failed.Load())
}

func askNode(base, session, question string) (string, error) {
	body, _ := json.Marshal(map[string]string{"question": question, "session_id": session, "pack": "argentina"})
	if session == "" {
		body, _ = json.Marshal(map[string]string{"question": question, "pack": "argentina"})
	}
	res, err := http.Post(base+"/v1/ask", "application/json", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	raw, _ := io.ReadAll(res.Body)
	var a struct {
		Meta struct {
			Session string `json:"session_id"`
		} `json:"meta"`
	}
	if res.StatusCode != 200 || json.Unmarshal(raw, &a) != nil || a.Meta.Session == "" {
		return "", fmt.Errorf("%d %.200s", res.StatusCode, raw)
	}
	return a.Meta.Session, nil
}

// TestSharedTraces: what one node answered is shown by the other and repeated from
// anywhere, and goes with its conversation.
func TestSharedTraces(t *testing.T) {
	if testing.Short() {
		t.Skip("starts two servers")
	}
	address := pgtest.Schema(t)
	one, two := startNode(t, address), startNode(t, address)
	defer func() {
		for _, n := range []*node{one, two} {
			_ = n.cmd.Process.Signal(syscall.SIGTERM)
			_ = n.cmd.Wait()
		}
	}()
	res, err := http.Post(one.url.String()+"/v1/ask", "application/json", strings.NewReader(`{"question": "¿Qué es el plazo?", "pack": "argentina"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var a struct {
		Meta struct {
			Trace   string `json:"trace_id"`
			Session string `json:"session_id"`
		} `json:"meta"`
	}
	if err := json.NewDecoder(res.Body).Decode(&a); err != nil || a.Meta.Trace == "" {
		t.Fatalf("%+v %v", a, err)
	}
	status := func() int {
		got, err := http.Get(two.url.String() + "/v1/traces/" + a.Meta.Trace)
		if err != nil {
			t.Fatal(err)
		}
		defer got.Body.Close()
		raw, _ := io.ReadAll(got.Body)
		if got.StatusCode == 200 && !bytes.Contains(raw, []byte(a.Meta.Session)) {
			t.Errorf("another trace: %.300s", raw)
		}
		return got.StatusCode
	}
	if got := status(); got != 200 {
		t.Errorf("the other node answers %d", got)
	}
	if code, out := digestoDoes(t, "replay", "--store", address, "--data", t.TempDir(), a.Meta.Trace); code != 0 || !strings.Contains(out, "La misma respuesta") {
		t.Errorf("repeated elsewhere: %d %s", code, out)
	}
	s, err := postgres.Open(t.Context(), address, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Erase(t.Context(), app.LocalUser, a.Meta.Session); err != nil {
		t.Fatal(err)
	}
	if got := status(); got != 404 {
		t.Errorf("after its conversation was erased: %d", got)
	}
}
