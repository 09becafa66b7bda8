package sqlite

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"digesto"
	"digesto/internal/long"
	"digesto/store"
)

var (
	flips = flag.Int("flips", 200, "single-byte changes to try")
	cuts  = flag.Int("cuts", long.Of(60, 15), "losses of power to try")
	seed  = flag.Uint64("seed", 1, "of what is chosen at random")
)

func opened(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, Options{Readers: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// converse stores a question and its answer, and gives the conversation.
func converse(s *Store, conv, text string) (string, error) {
	x, err := s.Begin(context.Background(), store.Begin{User: "ana", Conversation: conv, Text: text, Title: "t"})
	if err != nil {
		return "", err
	}
	_, err = s.Finish(context.Background(), store.Finish{Conversation: x.Conversation.ID, Turn: x.Message.Turn, Text: "re " + text,
		Meta: store.Metadata{store.TypeKey: []byte(`"answer"`), "query": []byte(fmt.Sprintf("%q", text))}, Run: store.Run{Trace: text, Type: "answer"}})
	return x.Conversation.ID, err
}

// said is what a conversation holds, as people see it.
func said(s *Store, conv string) (string, error) {
	list, err := s.Messages(context.Background(), "ana", conv)
	out := ""
	for _, m := range list {
		out += fmt.Sprintf("%d %d %s %q %s\n", m.Seq, m.Turn, m.Role, m.Content, m.Meta.Text("query"))
	}
	return out, err
}

// TestFlips changes one byte of the database at a time: what is read is what was
// written, or an error, or what is missing is told by the check. 10,000 with
// -args -flips 10000.
func TestFlips(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	s := opened(t, path)
	want := map[string]string{}
	for i := range 10 {
		conv := ""
		for k := range 3 {
			var err error
			if conv, err = converse(s, conv, fmt.Sprintf("pregunta %d de la conversación %d sobre los faros y las balizas de la costa", k, i)); err != nil {
				t.Fatal(err)
			}
		}
		var err error
		if want[conv], err = said(s, conv); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(*seed, 5))
	counts := map[string]int{}
	for n := range *flips {
		at, by := r.IntN(len(sound)), byte(1+r.IntN(255))
		broken := append([]byte(nil), sound...)
		broken[at] ^= by
		for _, end := range []string{"-wal", "-shm"} {
			_ = os.Remove(path + end)
		}
		if err := os.WriteFile(path, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		what := flipped(t, path, want)
		if counts[what]++; what == "wrong" {
			t.Errorf("flip %d: byte %d ^ %d is served", n, at, by)
		}
	}
	t.Logf("%d flips of %d bytes: %v", *flips, len(sound), counts)
	if counts["error"] == 0 || counts["lost unseen"] > 0 {
		t.Errorf("%v", counts)
	}
}

// flipped says what came of a flip: harmless, error, "told by check", "lost
// unseen" or wrong.
func flipped(t *testing.T, path string, want map[string]string) string {
	s, err := Open(t.Context(), path, Options{Readers: 1})
	if err != nil {
		return "error"
	}
	defer func() { _ = s.Close() }()
	what := "harmless"
	for conv, text := range want {
		got, err := said(s, conv)
		switch {
		case digesto.CodeOf(err) == digesto.CodeNotFound:
			what = "lost"
		case err != nil:
			return "error"
		case got != text && len(got) >= len(text):
			t.Logf("%s holds\n%s\nand not\n%s", conv, got, text)
			return "wrong"
		case got != text: // messages are missing: those that are there must be right
			what = "lost"
		}
	}
	if what == "lost" {
		if bad, err := s.Check(t.Context()); err != nil || len(bad) > 0 {
			return "told by check"
		}
		return "lost unseen"
	}
	return what
}

// TestLossOfPower copies the files at random moments as a disk may hold them then:
// of the log, all that was synced, and of the rest each part as written, empty or
// as before. Every acknowledged answer is there, with its question.
func TestLossOfPower(t *testing.T) {
	r := rand.New(rand.NewPCG(*seed, 6))
	for n := range *cuts {
		dir := t.TempDir()
		path := filepath.Join(dir, "c.db")
		s := opened(t, path)
		acked := map[string]string{}
		for i := range 1 + r.IntN(12) {
			conv, err := converse(s, "", fmt.Sprint("pregunta ", n, " ", i))
			if err != nil {
				t.Fatal(err)
			}
			if acked[conv], err = said(s, conv); err != nil {
				t.Fatal(err)
			}
			if r.IntN(6) == 0 { // the log is moved into the file
				if _, err := s.read.ExecContext(t.Context(), `PRAGMA wal_checkpoint(PASSIVE)`); err != nil {
					t.Fatal(err)
				}
			}
		}
		synced := s.disk.size()
		for i := range r.IntN(5) { // questions without an answer are not synced
			if _, err := s.Begin(t.Context(), store.Begin{User: "ana", Text: fmt.Sprint("sin contestar ", i), Title: "t"}); err != nil {
				t.Fatal(err)
			}
		}
		copied := filepath.Join(dir, "copia.db")
		lost(t, r, path, copied, synced)
		again := opened(t, copied)
		for conv, want := range acked {
			if got, err := said(again, conv); err != nil || got != want {
				t.Fatalf("cut %d: %q, want %q (%v)", n, got, want, err)
			}
		}
		if bad, err := again.Check(t.Context()); err != nil || len(bad) > 0 {
			t.Fatalf("cut %d: %v %v", n, bad, err)
		}
		if _, err := converse(again, "", "después"); err != nil {
			t.Fatalf("cut %d: %v", n, err)
		}
		_, _ = again.Close(), s.Close()
	}
	t.Logf("%d losses of power, no acknowledged answer lost", *cuts)
}

// lost copies a database with its log as a loss of power may leave them.
func lost(t *testing.T, r *rand.Rand, from, to string, synced int64) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(from + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	for at := synced; at < int64(len(log)); at += 512 {
		part := log[at:min(at+512, int64(len(log)))]
		switch r.IntN(3) {
		case 0:
			clear(part)
		case 1:
			for i := range part {
				part[i] = byte(r.IntN(256))
			}
		}
	}
	if r.IntN(2) == 0 && int64(len(log)) > synced {
		log = log[:synced+r.Int64N(int64(len(log))-synced)]
	}
	for name, b := range map[string][]byte{to: data, to + "-wal": log} {
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSyncThatFails: an answer whose way to the disk failed is not acknowledged,
// nor is any later one until the file is opened anew: a system that failed to write
// may have forgotten what.
func TestSyncThatFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	s := opened(t, path)
	conv, err := converse(s, "", "uno")
	if err != nil {
		t.Fatal(err)
	}
	s.disk.syncs = func() error { return syscall.EIO }
	_, err = converse(s, conv, "dos")
	var e *digesto.Error
	if !errors.As(err, &e) || e.Code != digesto.CodeUnavailable || e.Hint == "" || !errors.Is(err, syscall.EIO) {
		t.Errorf("%v", err)
	}
	s.disk.syncs = nil
	if _, err = converse(s, conv, "tres"); !errors.Is(err, syscall.EIO) {
		t.Errorf("acknowledged after a failed sync: %v", err)
	}
	_ = s.Close()
	again := opened(t, path)
	if _, err = converse(again, conv, "cuatro"); err != nil {
		t.Fatal(err)
	}
	if bad, err := again.Check(t.Context()); err != nil || len(bad) > 0 {
		t.Errorf("%v %v", bad, err)
	}
}
