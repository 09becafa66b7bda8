//go:build unix

package sqlite_test

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"digesto/internal/long"
	"digesto/store/sqlite"
)

// starve lets no file of this process grow beyond so many bytes: writes end short,
// then fail, as on a disk that is full.
func starve(room string) {
	n, err := strconv.ParseUint(room, 10, 64)
	if err != nil {
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
		panic(err)
	}
}

// TestFullDisk lets writers run until there is no room, at many sizes: what they
// had acknowledged is there, once, the store is sound and goes on once there is room.
func TestFullDisk(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tries, acked, failed := long.Of(20, 6), 0, 0
	for n := range tries {
		path := filepath.Join(t.TempDir(), "f.db")
		s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		st, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(exe, "-test.run=^$")
		cmd.Env = append(os.Environ(), "DIGESTO_TEST_WRITER="+path, "DIGESTO_TEST_RUN="+strconv.Itoa(n), "DIGESTO_TEST_ROOM="+strconv.FormatInt(st.Size()+int64(n)*7001, 10))
		out, _ := cmd.Output()
		again, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err != nil {
			t.Fatalf("try %d: %v", n, err)
		}
		for l := range strings.Lines(string(out)) {
			switch {
			case strings.HasPrefix(l, "error"):
				if failed++; !strings.Contains(l, "No se ha podido") && !strings.Contains(l, "No se pueden") {
					t.Errorf("try %d: %q", n, l)
				}
			case strings.HasPrefix(l, "q ") || strings.HasPrefix(l, "a "):
				acked++
				found(t, again, strings.TrimSpace(l))
			}
		}
		if bad, err := again.Check(t.Context()); err != nil || len(bad) > 0 {
			t.Errorf("try %d: %v %v", n, bad, err)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d disks filled up, %d acknowledged messages, none lost, %d writers told", tries, acked, failed)
	if acked == 0 || failed < tries {
		t.Error("the disk was never full, or always")
	}
}
