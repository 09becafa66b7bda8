package main

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"digesto/corpus"
	"digesto/corpus/follow"
	"digesto/internal/long"
)

// press publishes one of several laws that differ in a word.
type press struct {
	t     *testing.T
	place follow.Place
	key   ed25519.PrivateKey
	libs  []*corpus.Library
	words map[string]string // by snapshot
	hash  []string          // of libs
	turn  int
}

func newPress(t *testing.T, address string, words ...string) *press {
	t.Helper()
	place, err := follow.Open(address, follow.Access{})
	if err != nil {
		t.Fatal(err)
	}
	p := &press{t: t, place: place, key: ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, 32)), words: map[string]string{}}
	for _, word := range words {
		data := t.TempDir()
		addLaw(t, data, word)
		lib, err := corpus.Open(filepath.Join(data, "corpus"), corpus.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { lib.Close() })
		s, err := lib.Current()
		if err != nil {
			t.Fatal(err)
		}
		p.libs, p.hash, p.words[s.Hash()] = append(p.libs, lib), append(p.hash, s.Hash()), word
		s.Close()
	}
	return p
}

func (p *press) public() string { return hex.EncodeToString(p.key.Public().(ed25519.PublicKey)) }

// next publishes another law than before, each fifth time by going back, and gives its hash.
func (p *press) next() string {
	p.t.Helper()
	p.turn++
	var at follow.Pointer
	var err error
	if p.turn%5 == 0 {
		at, err = follow.Back(p.t.Context(), p.place, p.key, time.Now())
	} else {
		at, err = follow.Publish(p.t.Context(), p.place, p.libs[p.turn%len(p.libs)], p.key, time.Now())
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return at.Law.Snapshot
}

// follower starts a node; it is killed at the end of the test if it still runs.
func (p *press) follower(address, data string) (*exec.Cmd, string) {
	p.t.Helper()
	cmd := exec.Command("digesto", "serve", "--addr", "127.0.0.1:0", "--data", data, "--follow", address, "--follow-key", p.public(), "--follow-every", "20ms")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = cmd.Process.Kill() })
	r := bufio.NewReader(out)
	line, _ := r.ReadString('\n')
	go func() { _, _ = io.Copy(io.Discard, r) }()
	url := regexp.MustCompile(`http://\S+`).FindString(line)
	if url == "" {
		p.t.Fatalf("no address: %q", line)
	}
	return cmd, url
}

type readiness struct {
	status int
	Corpus string        `json:"corpus"`
	Follow follow.Status `json:"follow"`
}

func readyOf(url string) (r readiness) {
	res, err := http.Get(url + "/readyz")
	if err != nil {
		return r
	}
	defer res.Body.Close()
	_ = json.NewDecoder(res.Body).Decode(&r) // what is none has no corpus
	r.status = res.StatusCode
	return r
}

// reaches waits until a node serves a law.
func (p *press) reaches(url, hash string) readiness {
	p.t.Helper()
	var r readiness
	for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
		if r = readyOf(url); r.status == 200 && r.Corpus == hash && r.Follow.Fault == "" {
			return r
		}
	}
	p.t.Fatalf("the node does not reach %.12s: %+v", hash, r)
	return r
}

// asked puts a question and says what is wrong with the answer: one that is none, or
// that has words of another law than the one it names.
func (p *press) asked(client *http.Client, url string) error {
	res, err := client.Post(url+"/v1/ask", "application/json", strings.NewReader(`{"question": "¿Cuántos días de descanso tiene el farero al año?", "pack": "laboral"}`))
	if err != nil {
		return err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	var a struct {
		Answer    string
		Citations []struct{ Quote string }
		Meta      struct{ Outcome, Corpus string }
	}
	if err != nil {
		return err
	}
	if res.StatusCode != 200 || json.Unmarshal(raw, &a) != nil {
		return fmt.Errorf("%d %.300s", res.StatusCode, raw)
	}
	word := p.words[a.Meta.Corpus]
	if a.Meta.Outcome != "answer" || word == "" || len(a.Citations) == 0 || !strings.Contains(a.Citations[0].Quote, word+" días") {
		return fmt.Errorf("law %.12s with %q: %.600s", a.Meta.Corpus, word, raw)
	}
	for _, other := range p.words {
		if other != word && strings.Contains(string(raw), other+" días") {
			return fmt.Errorf("law with %q and words of that with %q: %.600s", word, other, raw)
		}
	}
	return nil
}

// TestFollowUnderLoad: a node goes through the laws that are published, forward and
// back, while clients ask: no question fails, none is answered from two laws, and a broken
// export in between is told and not served.
func TestFollowUnderLoad(t *testing.T) {
	switches := long.Of(200, 10)
	if !long.Whole() {
		switches = min(switches, 25)
	}
	shown := t.TempDir()
	srv := httptest.NewServer(http.FileServer(http.Dir(shown)))
	defer srv.Close()
	p := newPress(t, shown, "diez", "veinte", "treinta", "cuarenta")
	cmd, url := p.follower(srv.URL, filepath.Join(t.TempDir(), "nodo"))
	if r := readyOf(url); r.status != 503 {
		t.Errorf("a node without law is ready: %+v", r)
	}
	p.reaches(url, p.next())
	stop := make(chan struct{})
	var good, bad atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}}
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := p.asked(client, url); err != nil {
					if bad.Add(1) < 5 {
						t.Error(err)
					}
				}
				good.Add(1)
			}
		})
	}
	var last string
	for range switches {
		last = p.next()
		p.reaches(url, last)
	}
	pointer := filepath.Join(shown, "current")
	if err := os.WriteFile(pointer, []byte("en obras"), 0o644); err != nil {
		t.Fatal(err)
	}
	var r readiness
	for until := time.Now().Add(10 * time.Second); r.Follow.Fault == "" && time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
		r = readyOf(url)
	}
	if r.status != 200 || r.Corpus != last || r.Follow.Code != "check_failed" || r.Follow.Switches != 0 {
		t.Errorf("with something broken published: %+v", r)
	}
	res, err := http.Get(url + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(res.Body)
	res.Body.Close()
	for _, want := range []string{`digesto_corpus_info{snapshot="` + last + `"} 1`, `digesto_follow_published_info{snapshot="` + last + `"} 1`, "digesto_follow_fault 1", fmt.Sprintf("digesto_follow_switches_total %d", switches+1), `digesto_follow_failures_total{code="check_failed"}`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("/metrics has no %s", want)
		}
	}
	close(stop)
	wg.Wait()
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		t.Errorf("the node does not end in order: %v", err)
	}
	t.Logf("%d switches under load: %d questions, %d failed or mixed", switches, good.Load(), bad.Load())
}

// TestFollowKilled: a node is killed at any moment of the way to another law. The one that
// starts in its place has the old law or the new one, whole, and goes on to the new one.
func TestFollowKilled(t *testing.T) {
	kills := long.Of(100, 4)
	if !long.Whole() {
		kills = min(kills, 10)
	}
	place, data := t.TempDir(), filepath.Join(t.TempDir(), "nodo")
	p := newPress(t, place, "diez", "veinte", "treinta")
	cmd, url := p.follower(place, data)
	now := p.next()
	p.reaches(url, now)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	took := 100 * time.Millisecond // the slowest switch so far: moments all along it are met
	count := map[bool]int{}
	for i := range kills {
		before := now
		began := time.Now()
		now = p.next()
		if i%10 == 0 {
			p.reaches(url, now)
			took = max(took, time.Since(began))
			before, now = now, p.next()
		}
		time.Sleep(time.Duration(rand.Int64N(int64(took))))
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // killed
		lib, err := corpus.Open(filepath.Join(data, "corpus"), corpus.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := lib.Current()
		if err != nil {
			t.Fatalf("kill %d: %v", i, err)
		}
		if !slices.Contains([]string{before, now}, s.Hash()) || s.Check(t.Context()) != nil {
			t.Errorf("kill %d: the library has %.12s, %v", i, s.Hash(), s.Check(t.Context()))
		}
		count[s.Hash() == now]++
		s.Close()
		lib.Close()
		cmd, url = p.follower(place, data)
		if err := p.asked(client, url); err != nil {
			t.Errorf("kill %d, after the start: %v", i, err)
		}
		p.reaches(url, now)
		if err := p.asked(client, url); err != nil {
			t.Errorf("kill %d: %v", i, err)
		}
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		t.Errorf("the node does not end in order: %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(data, "follow", "*"))
	indexes, _ := filepath.Glob(filepath.Join(data, "index", "*"))
	if len(left) != 1 || len(indexes) > 2 {
		t.Errorf("left behind: %q %q", left, indexes)
	}
	t.Logf("%d kills, a switch takes %s: %d times the old law, %d the new one", kills, took, count[false], count[true])
}

// TestPublish: the commands, and that a follower is refused without a key or with another.
func TestPublish(t *testing.T) {
	data, place := t.TempDir(), t.TempDir()
	addLaw(t, data, "diez")
	vars := map[string]string{"DIGESTO_DATA": data}
	do := func(want int, args ...string) string {
		t.Helper()
		e, out, errs := testEnv(vars)
		if code := run(t.Context(), args, e); code != want {
			t.Fatalf("%q: exit %d, %s", args, code, errs)
		}
		return out.String() + errs.String()
	}
	do(4, "corpus", "publish", place, "--back")
	one := do(0, "corpus", "publish", place)
	if !regexp.MustCompile(`--follow-key [0-9a-f]{64}`).MatchString(one) {
		t.Errorf("%s", one)
	}
	do(4, "corpus", "publish", place, "--back")
	addLaw(t, data, "veinte")
	do(0, "corpus", "publish", place)
	var p follow.Pointer
	if err := json.Unmarshal([]byte(do(0, "corpus", "publish", place, "--back", "--json")), &p); err != nil || p.Previous == nil || p.Law == *p.Previous {
		t.Errorf("%+v %v", p, err)
	}
	do(2, "corpus", "publish", "https://host/leyes")
	do(2, "serve", "--addr", "127.0.0.1:0", "--follow", place)
	do(2, "serve", "--addr", "127.0.0.1:0", "--follow", place, "--follow-key", "abc")
	do(2, "serve", "--addr", "127.0.0.1:0", "--follow", "ftp://x/y", "--follow-key", strings.Repeat("ab", 32))
	do(2, "serve", "--addr", "127.0.0.1:0", "--follow", place, "--follow-key", strings.Repeat("ab", 32), "--update-every", "24h")
}
