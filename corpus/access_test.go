//go:build unix

package corpus

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"digesto"
)

// asNobody runs a job in another process whose user owns nothing. It skips
// where this process may not change its user.
func asNobody(t *testing.T, job, dir string) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to become another user")
	}
	tool := filepath.Join(publicDir(t), "test")
	src, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	dst, err := os.OpenFile(tool, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(dst, src); err != nil {
		t.Fatal(err)
	}
	dst.Close()
	cmd := exec.Command(tool)
	cmd.Dir = "/"
	cmd.Env = []string{childEnv + "=" + job + " " + dir}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, _ := cmd.CombinedOutput()
	return strings.TrimSpace(string(out))
}

// publicDir is a folder that every user may enter.
func publicDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "digesto-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestFolderOfAnotherUser(t *testing.T) {
	dir := filepath.Join(publicDir(t), "corpus")
	put(t, open(t, dir), sample())
	if got := asNobody(t, "read", dir); got != "ok" {
		t.Errorf("reading without permission to write: %s", got)
	}
	if got := asNobody(t, "write", dir); !strings.HasPrefix(got, string(digesto.CodeForbidden)+" No hay permiso") {
		t.Errorf("writing without permission: %s", got)
	}
	if err := os.Chmod(filepath.Join(dir, "norms"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := asNobody(t, "read", dir); !strings.HasPrefix(got, string(digesto.CodeForbidden)) {
		t.Errorf("reading norms without permission: %s", got)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := asNobody(t, "read", dir); !strings.HasPrefix(got, string(digesto.CodeForbidden)) {
		t.Errorf("reading without permission: %s", got)
	}
	if got := asNobody(t, "write", filepath.Join(publicDir(t), "new")); !strings.HasPrefix(got, string(digesto.CodeForbidden)) {
		t.Errorf("making the folder without permission: %s", got)
	}
}

func TestPathIsAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, nil)
	if _, err := Open(path, Options{}); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("a file as folder: %v", err)
	}
	if _, err := Open("", Options{}); digesto.CodeOf(err) != digesto.CodeUsage {
		t.Errorf("no folder: %v", err)
	}
}
