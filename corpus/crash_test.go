package corpus

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/internal/long"
)

// childEnv makes the test binary act as another process: "job dir".
const childEnv = "DIGESTO_TEST_CORPUS_CHILD"

func init() { long.Rapid() }

func TestMain(m *testing.M) {
	if job := os.Getenv(childEnv); job != "" {
		kind, dir, _ := strings.Cut(job, " ")
		os.Exit(child(kind, dir))
	}
	os.Exit(m.Run())
}

func child(kind, dir string) int {
	l, err := Open(dir, Options{})
	if err == nil {
		switch kind {
		case "loop":
			err = updateLoop(l)
		case "read":
			err = readAll(l)
		case "write":
			_, err = l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error { return tx.Put(sample()) })
		}
	}
	if err != nil {
		fmt.Println(digesto.CodeOf(err), err)
		return 1
	}
	fmt.Println("ok")
	return 0
}

func readAll(l *Library) error {
	s, err := l.Current()
	if err != nil {
		return err
	}
	defer s.Close()
	for _, n := range s.Norms() {
		for _, err := range s.All(n.ID) {
			if err != nil {
				return err
			}
		}
	}
	return s.Check(context.Background())
}

// generation gives several norms that all say which generation they are of, so
// that a mixture of two can be told.
func generation(g int) []Document {
	var out []Document
	for i := range 4 {
		d := sample()
		d.Norm.ID, d.Norm.IDs, d.File = fmt.Sprintf("NORMA-%d", i), nil, fmt.Sprintf("norma-%d.md", i)
		d.ContentHash = fmt.Sprint(g)
		for j := range d.Units {
			d.Units[j].Versions[0].Text += fmt.Sprintf(" Norma %d. Generación %d.", i, g)
		}
		out = append(out, d)
	}
	return out
}

func generationOf(s *Snapshot) (int, error) {
	found := -1
	for _, n := range s.Norms() {
		for u, err := range s.All(n.ID) {
			if err != nil {
				return 0, err
			}
			g := -1
			text := u.Versions[0].Text
			if _, err := fmt.Sscanf(text[strings.Index(text, "Generación"):], "Generación %d.", &g); err != nil {
				return 0, err
			}
			if found >= 0 && g != found {
				return 0, fmt.Errorf("a mixture of generations %d and %d", found, g)
			}
			found = g
		}
	}
	return found, nil
}

func updateLoop(l *Library) error {
	s, err := l.Current()
	if err != nil {
		return err
	}
	g, err := generationOf(s)
	s.Close()
	for ; err == nil; g++ {
		_, err = l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error {
			for _, d := range generation(g + 1) {
				if err := tx.Put(d); err != nil {
					return err
				}
			}
			return nil
		})
		fmt.Println("done", g+1)
	}
	return err
}

// TestKill kills a writing process at random moments: what is found then is the
// last state it reported or the one it was making, whole and sound, and it opens
// within two seconds. DIGESTO_KILLS sets how often (10000 is the whole run), 20
// otherwise, 200 with DIGESTO_LONG; it ends sooner when the time of the test does.
func TestKill(t *testing.T) {
	tries := long.Of(200, 20)
	if n, err := strconv.Atoi(os.Getenv("DIGESTO_KILLS")); err == nil {
		tries = n
	}
	dir := t.TempDir()
	l := open(t, dir)
	done, slowest := 0, time.Duration(0)
	put(t, l, generation(0)...)
	for i := range tries {
		if end, ok := t.Deadline(); ok && time.Until(end) < time.Minute {
			tries = i // as many as the time allows
			break
		}
		last := kill(t, dir, time.Duration(rand.IntN(12_000))*time.Microsecond)
		done = max(done, last)
		began := time.Now()
		s, err := l.Current()
		if err != nil {
			t.Fatalf("try %d: %v", i, err)
		}
		slowest = max(slowest, time.Since(began))
		g, err := generationOf(s)
		if err != nil {
			t.Fatalf("try %d: %v", i, err)
		}
		if g != done && g != done+1 {
			t.Fatalf("try %d: generation %d is current, %d was reported", i, g, done)
		}
		if err := s.Check(context.Background()); err != nil {
			t.Fatalf("try %d: %v", i, err)
		}
		done = g
		s.Close()
	}
	t.Logf("%d kills, %d states made, always the old or the new one; slowest restart %s", tries, done, slowest)
	if slowest > 2*time.Second {
		t.Errorf("a restart took %s", slowest)
	}
	if done < tries/8 {
		t.Errorf("only %d updates in %d tries: the test kills too early to mean anything", done, tries)
	}
	put(t, l, generation(done+1)...)
	if n := len(names(l.path("norms"))); n != 8 {
		t.Errorf("%d norm files, want those of two snapshots: remains were not collected", n)
	}
}

// kill runs the update loop, kills it some time after its first update and
// gives the last generation it reported.
func kill(t *testing.T, dir string, after time.Duration) int {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=loop "+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	last := 0
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, err := fmt.Sscanf(lines.Text(), "done %d", &last); err != nil {
			t.Fatalf("the writer says %q", lines.Text())
		}
		if after >= 0 {
			time.AfterFunc(after, func() { cmd.Process.Kill() })
			after = -1
		}
	}
	cmd.Wait()
	return last
}
