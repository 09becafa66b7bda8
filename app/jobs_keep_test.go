package app

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestKeep: files that were brought stand by their names in a folder of their own, none
// above it, none over another; Discard leaves nothing.
func TestKeep(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	files := func(yield func(string, io.Reader) bool) {
		for _, name := range []string{"a.md", "../../a.md", "carpeta/b.md", ".git", "/etc/c.md"} {
			if !yield(name, strings.NewReader("texto de "+name)) {
				return
			}
		}
	}
	folder, n, err := Keep(files)
	if err != nil || n != 4 {
		t.Fatalf("%d, %v", n, err)
	}
	var got []string
	_ = filepath.WalkDir(folder, func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			data, _ := os.ReadFile(p)
			rel, _ := filepath.Rel(folder, p)
			got = append(got, rel+"="+string(data))
		}
		return err
	})
	if want := "1/a.md=texto de ../../a.md|a.md=texto de a.md|b.md=texto de carpeta/b.md|c.md=texto de /etc/c.md"; strings.Join(got, "|") != want {
		t.Errorf("%v", got)
	}
	Discard(folder)
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("what was brought is still there: %v", err)
	}
}
