package sqlite_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"digesto/internal/long"
	"digesto/store"
	"digesto/store/sqlite"
)

// TestMain lets the test binary be the writer that is killed.
func TestMain(m *testing.M) {
	if path := os.Getenv("DIGESTO_TEST_WRITER"); path != "" {
		starve(os.Getenv("DIGESTO_TEST_ROOM"))
		writer(path, os.Getenv("DIGESTO_TEST_RUN"))
		return
	}
	os.Exit(m.Run())
}

// writer asks and answers from four goroutines until it is killed, and says on
// stdout what has been acknowledged: "q CONVERSATION TURN TEXT", "a CONVERSATION TURN TEXT".
func writer(path, run string) {
	s, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	var mu sync.Mutex
	say := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(os.Stdout, format+"\n", args...)
	}
	say("ready")
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			conv := ""
			for i := 0; ; i++ {
				text := fmt.Sprintf("r%s-w%d-%d", run, w, i)
				t, err := s.Begin(context.Background(), store.Begin{User: "ana", Conversation: conv, Key: text, Text: text, Title: text})
				if err != nil {
					say("error %v", err)
					return
				}
				say("q %s %d %s", t.Conversation.ID, t.Message.Turn, text)
				if _, err := s.Finish(context.Background(), finish(t, "re-"+text)); err != nil {
					say("error %v", err)
					return
				}
				say("a %s %d re-%s", t.Conversation.ID, t.Message.Turn, text)
				if conv = t.Conversation.ID; i%5 == 4 {
					conv = ""
				}
			}
		})
	}
	wg.Wait()
}

func finish(t store.Turn, text string) store.Finish {
	return store.Finish{Conversation: t.Conversation.ID, Turn: t.Message.Turn, Text: text, Meta: store.Metadata{store.TypeKey: []byte(`"answer"`)}, Run: store.Run{Trace: text, Type: "answer"}}
}

// TestKilled kills a writer at random points and looks for what it had
// acknowledged: all of it is there, once, and the store is sound. DIGESTO_KILLS
// sets how often (10000 is the whole run); 8 otherwise, 40 with DIGESTO_LONG.
func TestKilled(t *testing.T) {
	kills := long.Of(40, 8)
	if n, err := strconv.Atoi(os.Getenv("DIGESTO_KILLS")); err == nil {
		kills = n
	}
	path := filepath.Join(t.TempDir(), "k.db")
	acked, slowest := 0, time.Duration(0)
	for k := range kills {
		acks := killed(t, path, k)
		began := time.Now()
		s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err != nil {
			t.Fatalf("run %d: %v", k, err)
		}
		slowest = max(slowest, time.Since(began))
		for _, a := range acks {
			found(t, s, a)
		}
		acked += len(acks)
		if k%200 == 199 || k == kills-1 {
			if bad, err := s.Check(t.Context()); err != nil || len(bad) > 0 {
				t.Fatalf("run %d: check %v %v", k, bad, err)
			}
		}
		once(t, s, k)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d kills, %d acknowledged messages, none lost, none twice; slowest restart %s", kills, acked, slowest)
	if slowest > 2*time.Second {
		t.Errorf("a restart took %s", slowest)
	}
}

// killed runs a writer and kills it after a random while; it gives what was acknowledged.
func killed(t *testing.T, path string, run int) []string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^$")
	cmd.Env = append(os.Environ(), "DIGESTO_TEST_WRITER="+path, "DIGESTO_TEST_RUN="+strconv.Itoa(run))
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(out)
	first, _ := r.ReadString('\n')
	if first != "ready\n" {
		t.Fatalf("run %d: %q", run, first)
	}
	timer := time.AfterFunc(time.Duration(rand.IntN(40000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	rest, _ := io.ReadAll(r)
	_ = cmd.Wait()
	var acks []string
	for l := range strings.Lines(string(rest)) {
		if strings.HasPrefix(l, "error") {
			t.Fatalf("run %d: %s", run, l)
		}
		if strings.HasSuffix(l, "\n") { // a line cut off was not acknowledged
			acks = append(acks, strings.TrimSpace(l))
		}
	}
	return acks
}

// found looks for one acknowledged message.
func found(t *testing.T, s *sqlite.Store, ack string) {
	t.Helper()
	f := strings.Fields(ack)
	if len(f) != 4 {
		t.Fatalf("acknowledgement %q", ack)
	}
	list, err := s.Messages(t.Context(), "ana", f[1])
	if err != nil {
		t.Errorf("lost %q: %v", ack, err)
		return
	}
	n := 0
	for _, m := range list {
		if m.Content == f[3] && strconv.FormatInt(m.Turn, 10) == f[2] {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%q is there %d times", ack, n)
	}
}

// once looks for messages that are there twice, over all conversations of a run.
func once(t *testing.T, s *sqlite.Store, run int) {
	t.Helper()
	runs, err := s.Runs(t.Context(), time.Now().Add(-time.Minute), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range runs {
		if seen[r.Trace] {
			t.Errorf("run %d: %s is answered twice", run, r.Trace)
		}
		seen[r.Trace] = true
	}
}
