package ops

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"digesto/app"
)

// TestBackupDamaged cuts and changes a backup all over: none is taken for whole.
func TestBackupDamaged(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "uno.txt"), []byte("texto de la ley"), 0o600); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := writeBackup((&app.App{Context: t.Context(), Now: time.Now}), dir, []string{"uno.txt"}, &b); err != nil {
		t.Fatal(err)
	}
	if n, err := UnpackBackup(bytes.NewReader(b.Bytes()), t.TempDir()); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	for i := 10; i < b.Len()-8; i += 5 { // past the header of gzip, whose time and name are nobody's
		bad := bytes.Clone(b.Bytes())
		bad[i] ^= 4
		out := t.TempDir()
		_, err := UnpackBackup(bytes.NewReader(bad), out)
		got, _ := os.ReadFile(filepath.Join(out, "uno.txt"))
		if err == nil && string(got) != "texto de la ley" {
			t.Errorf("byte %d changed: %q", i, got)
		}
		if _, err := UnpackBackup(bytes.NewReader(b.Bytes()[:i]), t.TempDir()); err == nil {
			t.Errorf("cut at %d: taken for whole", i)
		}
	}
}
