package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestUpgrade opens data folders that earlier versions of the program wrote, over
// three articles of our own: texts, index, conversations, traces and audit log are
// read, and go on. data-1 has no more than texts and their index.
func TestUpgrade(t *testing.T) {
	for _, name := range []string{"data-1", "data-2", "data-3"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := filepath.Join(t.TempDir(), "datos")
			untar(t, filepath.Join("testdata", "upgrade", name+".tar.gz"), data)
			run := func(want string, args ...string) {
				t.Helper()
				cmd := exec.Command("digesto", args...)
				cmd.Env = append(os.Environ(), "DIGESTO_DATA="+data)
				out, err := cmd.CombinedOutput()
				if err != nil || !strings.Contains(string(out), want) {
					t.Errorf("digesto %q: %v\n%s", args, err, out)
				}
			}
			run("LEY-1", "corpus", "list")
			run("45,50 euros", "corpus", "show", "LEY-1", "3")
			run("", "corpus", "check")
			run("diez días naturales", "ask", "--pack", "laboral", "¿Cuántos días descansa el farero cada invierno?")
			traces, _ := filepath.Glob(filepath.Join(data, "traces", "*", "*.json"))
			if name != "data-1" && len(traces) < 2 {
				t.Errorf("%d traces", len(traces))
			}
			run("Registro entero", "audit", "verify")
			run("", "doctor")
			run("1 normas", "corpus", "add", filepath.Join("testdata", "upgrade", "faros.md"))
			copied := filepath.Join(t.TempDir(), "copia.tar.gz")
			run("Copia de", "backup", copied)
			run("Restaurados", "restore", copied)
			run("aún no hecho", "corpus", "check") // a backup has no index
			run("45,50 euros", "corpus", "show", "LEY-1", "3")
		})
	}
}

// untar unpacks a sample below a folder.
func untar(t *testing.T, from, to string) {
	t.Helper()
	f, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(z)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		path := filepath.Join(to, filepath.FromSlash(h.Name))
		var data []byte
		if err == nil {
			data, err = io.ReadAll(r)
		}
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o700)
		}
		if err == nil {
			err = os.WriteFile(path, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
