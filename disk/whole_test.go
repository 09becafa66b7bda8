package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestWriteWhole: a file that fails while it is written leaves nothing, and one that is
// there is not touched.
func TestWriteWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	put := func(s string, fails error) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return errors.Join(err, fails) }
	}
	broken := errors.New("broken")
	for _, c := range []struct {
		what    string
		replace bool
		write   func(io.Writer) error
		err     error
		is      string
	}{
		{"fails", false, put("medio", broken), broken, ""},
		{"new", false, put("uno", nil), nil, "uno"},
		{"there already", false, put("dos", nil), fs.ErrExist, "uno"},
		{"fails over another", true, put("tres", broken), broken, "uno"},
		{"replaces", true, put("cuatro", nil), nil, "cuatro"},
		{"somebody else's meanwhile", false, func(io.Writer) error { return os.WriteFile(path, []byte("suyo"), 0o600) }, fs.ErrExist, "suyo"},
	} {
		if c.what == "somebody else's meanwhile" {
			_ = os.Remove(path)
		}
		err := WriteWhole(path, 0o600, c.replace, c.write)
		got, _ := os.ReadFile(path)
		list, _ := os.ReadDir(dir)
		if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) || string(got) != c.is || len(list) != min(len(c.is), 1) {
			t.Errorf("%s: %v, %q, %d files", c.what, err, got, len(list))
		}
	}
}
