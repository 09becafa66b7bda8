package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"digesto"
	"digesto/disk"
	"digesto/internal/long"
	"digesto/ops"
)

// TestBackupOfTenants: what is made again from the texts stays out of a copy, a
// tenant's too; what stands in a database is said to stay out.
func TestBackupOfTenants(t *testing.T) {
	dir := t.TempDir()
	kept := []string{"corpus/CURRENT", "audit/audit.key", "tenants/acme/corpus/CURRENT", "tenants/acme/audit/audit.jsonl", "tenants/index/corpus/CURRENT"}
	for _, name := range append([]string{"index/a/seg", "cache/x", "sources/y", "models/cache/z", "tenants/acme/index/a/seg", "tenants/acme/cache/x"}, kept...) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("x"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	e, _, stderr := testEnv(map[string]string{"DIGESTO_STORE": "postgres://ana@bd/digesto"})
	a := newApp(t.Context(), e)
	var err error
	if a.Settings, err = a.LoadSettings(dir, ""); err != nil {
		t.Fatal(err)
	}
	file, out := filepath.Join(t.TempDir(), "copia.tar.gz"), t.TempDir()
	if err := (backupCmd{File: file}).Run(a); err != nil || !strings.Contains(stderr.String(), "pg_dump") {
		t.Fatalf("%v, said %q", err, stderr)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := ops.UnpackBackup(bytes.NewReader(raw), out); err != nil || n != len(kept) {
		t.Errorf("%d files, %v", n, err)
	}
	for _, name := range kept {
		if !disk.Exists(filepath.Join(out, filepath.FromSlash(name))) {
			t.Errorf("%s is not in the copy", name)
		}
	}
}

// archive is a backup with files and a manifest of the given format.
func archive(t testing.TB, format int, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	m := ops.Manifest{Format: format, Files: map[string]string{}}
	put := func(name string, data []byte) {
		err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(data))})
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		sum := sha256.Sum256([]byte(text))
		m.Files[name] = hex.EncodeToString(sum[:])
		put(name, []byte(text))
	}
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	put(ops.ManifestName, data)
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestBackupOfALaterVersion(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "copia.tar.gz")
	if err := os.WriteFile(file, archive(t, 2, map[string]string{"uno.txt": "texto"}), 0o600); err != nil {
		t.Fatal(err)
	}
	e, _, _ := testEnv(nil)
	a := newApp(t.Context(), e)
	a.Settings.Data = filepath.Join(dir, "datos")
	err := restoreCmd{File: file}.Run(a)
	if digesto.CodeOf(err) != digesto.CodeInvalid || !strings.Contains(err.Error(), "versión posterior") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(a.Settings.Data); err == nil {
		t.Error("a folder was made")
	}
}

// Whatever a file holds, what is unpacked stays in its folder and is what the
// manifest says.
func FuzzRestore(f *testing.F) {
	f.Add(archive(f, 1, map[string]string{"corpus/CURRENT": "x"}))
	f.Add(archive(f, 1, map[string]string{"../fuera": "x"}))
	f.Add([]byte("\x1f\x8b\x08"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<12 {
			return
		}
		above := t.TempDir()
		dir := filepath.Join(above, "dentro")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		_, _ = ops.UnpackBackup(bytes.NewReader(data), dir)
		if list, err := os.ReadDir(above); err != nil || len(list) != 1 {
			t.Fatalf("files beside the folder: %v %v", list, err)
		}
	})
}

// TestOutputOnFullDisk: a report that could not be written whole is not a success.
func TestOutputOnFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	for _, args := range [][]string{{"version"}, {"config"}, {"pack", "list"}, {"jus", "valor", "--json"}, {"help"}} {
		e, _, stderr := testEnv(nil)
		e.out = full
		if code := run(t.Context(), args, e); code != 3 || !strings.Contains(stderr.String(), "no queda sitio") {
			t.Errorf("%v: exit %d, said %q", args, code, stderr)
		}
	}
}

// TestRestoreUnderServer: what a running program would go on writing is not put aside.
func TestRestoreUnderServer(t *testing.T) {
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "copia.tar.gz")
	e, _, _ := testEnv(nil)
	a := newApp(t.Context(), e)
	var err error
	if a.Settings, err = a.LoadSettings(dir, ""); err != nil {
		t.Fatal(err)
	}
	s, _, err := a.OpenStore()
	if err != nil {
		t.Fatal(err)
	}
	if err := (backupCmd{File: file}).Run(a); err != nil {
		t.Fatal(err)
	}
	if err := (restoreCmd{File: file}).Run(a); digesto.CodeOf(err) != digesto.CodeConflict {
		t.Errorf("under an open store: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := (restoreCmd{File: file}).Run(a); err != nil {
		t.Error(err)
	}
}

// TestBackupCutOff kills the program while it writes a copy, the further on each time:
// what has the name of the copy is whole, or is not there, and the next copy is made.
func TestBackupCutOff(t *testing.T) {
	dir, at := t.TempDir(), t.TempDir()
	noise := make([]byte, 2<<20)
	rand.NewChaCha8([32]byte{7}).Read(noise)
	for i := range 12 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d.bin", i)), noise, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program := asProgram(t)
	cut := 0
	tries := long.Of(8, 4)
	for i := range tries {
		file := filepath.Join(at, fmt.Sprintf("copia-%d.tar.gz", i))
		cmd := exec.CommandContext(t.Context(), program, "backup", file, "--data", dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { _ = cmd.Wait(); close(ended) }()
		for done := false; !done; {
			select {
			case <-ended:
				done = true
			default:
				list, _ := filepath.Glob(file + disk.PartialName + "*")
				for _, name := range list {
					if st, err := os.Stat(name); err == nil && st.Size() >= int64(i)*3<<20 {
						_ = cmd.Process.Kill()
					}
				}
			}
		}
		raw, err := os.ReadFile(file)
		switch n, bad := ops.UnpackBackup(bytes.NewReader(raw), t.TempDir()); {
		case errors.Is(err, fs.ErrNotExist):
			cut++
		case err != nil || bad != nil || n != 12:
			t.Errorf("%d: %d files, %v %v", i, n, err, bad)
		}
	}
	if cut < tries/2 {
		t.Errorf("only %d copies were cut off", cut)
	}
	e, _, errs := testEnv(map[string]string{"DIGESTO_DATA": dir})
	file := filepath.Join(at, "copia-0.tar.gz")
	if code := run(t.Context(), []string{"backup", file}, e); code != 0 {
		t.Errorf("after all that: %s", errs)
	}
	if code := run(t.Context(), []string{"backup", file}, e); code != 3 || !strings.Contains(errs.String(), "ya existe") {
		t.Errorf("over another: exit %d, %s", code, errs)
	}
}
