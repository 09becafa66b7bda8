package pgtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Server is a PostgreSQL of a test's own, which it may kill.
type Server struct {
	Address string
	Small   string // a folder of the server on a disk of 32 MB; "" = none could be made
	dir     string
}

// Own starts one; the test skips where «.ci/postgres» has not installed any.
func Own(t testing.TB) *Server {
	t.Helper()
	Address(t)
	if os.Getenv("DIGESTO_TEST_POSTGRES_DIR") == "" {
		t.Skip("this PostgreSQL may not be killed: only one that .ci/postgres has installed may")
	}
	s := &Server{dir: t.TempDir()}
	out := s.do(t, "start")
	t.Cleanup(func() { s.do(t, "stop") })
	s.Address = find(out, `DIGESTO_TEST_POSTGRES_URL='([^']*)'`)
	s.Small = find(out, `DIGESTO_TEST_POSTGRES_SMALL='([^']*)'`)
	return s
}

// Bare starts one without any extension; the test skips where they cannot be hidden.
func Bare(t *testing.T) *Server {
	t.Helper()
	Address(t)
	if err := exec.Command("unshare", "-m", "true").Run(); err != nil {
		t.Skip("extensions cannot be hidden from a server here (unshare -m):", err)
	}
	t.Setenv("DIGESTO_TEST_POSTGRES_BARE", "1")
	return Own(t)
}

func find(in, pattern string) string {
	if m := regexp.MustCompile(pattern).FindStringSubmatch(in); m != nil {
		return m[1]
	}
	return ""
}

// Crash kills it without warning; Resume starts it again.
func (s *Server) Crash(t testing.TB) { t.Helper(); s.do(t, "crash") }

// Resume starts it again after a crash.
func (s *Server) Resume(t testing.TB) { t.Helper(); s.do(t, "resume") }

func (s *Server) do(t testing.TB, verb string) string {
	t.Helper()
	root, err := filepath.Abs(".")
	for err == nil && root != "/" {
		if _, e := os.Stat(filepath.Join(root, ".ci", "postgres")); e == nil {
			break
		}
		root = filepath.Dir(root)
	}
	cmd := exec.Command(filepath.Join(root, ".ci", "postgres"), verb, s.dir)
	var told strings.Builder
	cmd.Stderr = &told
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf(".ci/postgres %s: %v\n%s", verb, err, told.String())
	}
	return string(out)
}
