package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"digesto"
)

// TestBackupDamaged cuts and changes a backup all over: none is taken for whole.
func TestBackupDamaged(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "uno.txt"), []byte("texto de la ley"), 0o600); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := (&app{now: time.Now}).writeBackup(dir, []string{"uno.txt"}, &b); err != nil {
		t.Fatal(err)
	}
	if n, err := unpackBackup(bytes.NewReader(b.Bytes()), t.TempDir()); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	for i := 10; i < b.Len()-8; i += 5 { // past the header of gzip, whose time and name are nobody's
		bad := bytes.Clone(b.Bytes())
		bad[i] ^= 4
		out := t.TempDir()
		_, err := unpackBackup(bytes.NewReader(bad), out)
		got, _ := os.ReadFile(filepath.Join(out, "uno.txt"))
		if err == nil && string(got) != "texto de la ley" {
			t.Errorf("byte %d changed: %q", i, got)
		}
		if _, err := unpackBackup(bytes.NewReader(b.Bytes()[:i]), t.TempDir()); err == nil {
			t.Errorf("cut at %d: taken for whole", i)
		}
	}
}

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
	a := &app{env: e, ctx: t.Context(), now: time.Now}
	var err error
	if a.conf, err = a.loadSettings(dir, ""); err != nil {
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
	if n, err := unpackBackup(bytes.NewReader(raw), out); err != nil || n != len(kept) {
		t.Errorf("%d files, %v", n, err)
	}
	for _, name := range kept {
		if !exists(filepath.Join(out, filepath.FromSlash(name))) {
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
	m := manifest{Format: format, Files: map[string]string{}}
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
	put(manifestName, data)
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
	a := &app{env: e, ctx: t.Context(), now: time.Now}
	a.conf.data = filepath.Join(dir, "datos")
	err := restoreCmd{File: file}.Run(a)
	if digesto.CodeOf(err) != digesto.CodeInvalid || !strings.Contains(err.Error(), "versión posterior") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(a.conf.data); err == nil {
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
		_, _ = unpackBackup(bytes.NewReader(data), dir)
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
	a := &app{env: e, ctx: t.Context(), now: time.Now}
	var err error
	if a.conf, err = a.loadSettings(dir, ""); err != nil {
		t.Fatal(err)
	}
	s, _, err := a.openStore()
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
