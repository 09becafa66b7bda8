package postgres_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"digesto/internal/pgtest"
	"digesto/store"
	"digesto/store/postgres"
)

// TestMain lets the test binary be a process that writes until it is killed.
func TestMain(m *testing.M) {
	if address := os.Getenv("DIGESTO_TEST_WRITER"); address != "" {
		writer(address, os.Getenv("DIGESTO_TEST_RUN"))
		return
	}
	os.Exit(m.Run())
}

// writer asks and answers from many goroutines, half of them in one conversation
// that all processes share, and says what was acknowledged.
func writer(address, run string) {
	s, err := postgres.Open(context.Background(), address, postgres.Options{})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	shared := os.Getenv("DIGESTO_TEST_SHARED")
	var mu sync.Mutex
	say := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(os.Stdout, format+"\n", args...)
	}
	say("ready")
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			conv := ""
			if w%2 == 0 {
				conv = shared
			}
			for i := 0; ; i++ {
				text := fmt.Sprintf("r%s-w%d-%d", run, w, i)
				x, err := s.Begin(context.Background(), store.Begin{User: "ana", Conversation: conv, Key: text, Text: text, Title: text})
				if err == nil {
					say("q %s", text)
					_, err = s.Finish(context.Background(), store.Finish{Conversation: x.Conversation.ID, Turn: x.Message.Turn, Text: "re-" + text, Run: store.Run{Trace: text}})
				}
				if err != nil {
					say("error %v", err)
					return
				}
				say("a %s", text)
			}
		})
	}
	wg.Wait()
}

// TestKilled runs two processes on one database and kills one of them at random,
// again and again, while the other goes on: of what was acknowledged nothing is lost,
// doubled or mixed up. DIGESTO_KILLS sets how often (200 is the whole run).
func TestKilled(t *testing.T) {
	address := pgtest.Schema(t)
	kills := 8
	if n, err := strconv.Atoi(os.Getenv("DIGESTO_KILLS")); err == nil {
		kills = n
	}
	s := open(t, address, nil)
	first, err := s.Begin(t.Context(), store.Begin{User: "ana", Text: "raíz", Title: "raíz"})
	if err != nil {
		t.Fatal(err)
	}
	stays := start(t, address, "stays", first.Conversation.ID)
	var acks []string
	for k := range kills {
		p := start(t, address, strconv.Itoa(k), first.Conversation.ID)
		time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond)
		acks = append(acks, p.kill(t)...)
	}
	acks = append(acks, stays.kill(t)...)
	time.Sleep(200 * time.Millisecond) // what was under way ends or is undone
	there := map[string]int{}
	ids, err := s.IDs(t.Context(), "", 100_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		list, err := s.Messages(t.Context(), "ana", id)
		if err != nil {
			t.Fatal(err)
		}
		byTurn := map[int64]string{}
		for _, m := range list {
			if m.Role == store.RoleUser {
				byTurn[m.Turn] = m.Content
				there["q "+m.Content]++
			} else if there["a "+strings.TrimPrefix(m.Content, "re-")]++; m.Content != "re-"+byTurn[m.Turn] {
				t.Errorf("%q answers %q", m.Content, byTurn[m.Turn])
			}
		}
	}
	for _, a := range acks {
		if there[a] != 1 {
			t.Errorf("%q is there %d times", a, there[a])
		}
	}
	if bad, err := s.Check(t.Context()); err != nil || len(bad) > 0 {
		t.Errorf("check: %v %v", bad, err)
	}
	t.Logf("%d kills, %d acknowledged writes, none lost, doubled or mixed up", kills, len(acks))
}

// process is a writer under way.
type process struct {
	cmd  *exec.Cmd
	out  *bufio.Reader
	done chan []string
}

func start(t *testing.T, address, run, shared string) *process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^$")
	cmd.Env = append(os.Environ(), "DIGESTO_TEST_WRITER="+address, "DIGESTO_TEST_RUN="+run, "DIGESTO_TEST_SHARED="+shared)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	p := &process{cmd, bufio.NewReader(out), make(chan []string, 1)}
	if line, _ := p.out.ReadString('\n'); line != "ready\n" {
		t.Fatalf("run %s: %q", run, line)
	}
	go func() { // it must not wait for us
		var acks []string
		for {
			l, err := p.out.ReadString('\n')
			if err == nil { // a line cut off was not acknowledged
				acks = append(acks, strings.TrimSpace(l))
			}
			if err == io.EOF || err != nil {
				break
			}
		}
		p.done <- acks
	}()
	return p
}

// kill ends it and gives what was acknowledged.
func (p *process) kill(t *testing.T) []string {
	t.Helper()
	_ = p.cmd.Process.Kill()
	acks := <-p.done
	_ = p.cmd.Wait()
	for _, a := range acks {
		if strings.HasPrefix(a, "error") {
			t.Errorf("a writer failed: %s", a)
		}
	}
	return acks
}
