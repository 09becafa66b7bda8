package audit

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"digesto"
)

func filled(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	l, err := Open(dir, Options{Every: 4})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := l.Append("asked", map[string]string{"question": l.Digest(fmt.Sprint("pregunta ", i))}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func verified(t *testing.T, dir string) Report {
	t.Helper()
	r, err := VerifyDir(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAppendAndVerify(t *testing.T) {
	dir := filled(t, 10)
	r := verified(t, dir)
	if r.Broken != 0 || r.Lines != 13 || r.Checkpoints != 3 || r.Signed != 13 || r.Torn != 0 {
		t.Errorf("%+v", r)
	}
	st, err := os.Stat(filepath.Join(dir, SecretFile))
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("key: %v %v", err, st.Mode())
	}
	data, _ := os.ReadFile(filepath.Join(dir, LogFile))
	if bytes.Contains(data, []byte("pregunta")) {
		t.Error("the log says what was asked")
	}
}

// TestEveryByteCounts changes bytes all over the log: each change is found, at
// its line or the one after it.
func TestEveryByteCounts(t *testing.T) {
	dir := filled(t, 9)
	path := filepath.Join(dir, LogFile)
	data, _ := os.ReadFile(path)
	for i := 0; i < len(data)-1; i += 3 {
		bad := bytes.Clone(data)
		bad[i] ^= 1
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		line := int64(bytes.Count(data[:i], []byte("\n"))) + 1
		if r := verified(t, dir); r.Broken == 0 || r.Broken > line+1 || r.Why == "" {
			t.Fatalf("byte %d of line %d: %+v", i, line, r)
		}
	}
}

func TestLinesTakenOut(t *testing.T) {
	dir := filled(t, 9)
	path := filepath.Join(dir, LogFile)
	data, _ := os.ReadFile(path)
	lines := strings.SplitAfter(string(data), "\n")
	for name, c := range map[string]struct {
		text string
		line int64
	}{
		"first":   {strings.Join(lines[1:], ""), 1},
		"third":   {strings.Join(append(append([]string{}, lines[:2]...), lines[3:]...), ""), 3},
		"doubled": {strings.Join(append(append([]string{}, lines[:3]...), lines[2:]...), ""), 4},
		"swapped": {lines[0] + lines[2] + lines[1] + strings.Join(lines[3:], ""), 2},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if r := verified(t, dir); r.Broken != c.line {
			t.Errorf("%s: %+v, want line %d", name, r, c.line)
		}
	}
}

// TestCheckpointKeptElsewhere: lines cut off the end are found out by a checkpoint that
// was kept, and the log of another key has none of it.
func TestCheckpointKeptElsewhere(t *testing.T) {
	dir := filled(t, 9)
	kept := verified(t, dir)
	if !kept.Holds(kept.Checkpoint) || !kept.Holds(" "+kept.Checkpoint+"\n") || kept.Holds("") || kept.Holds("1:") || kept.Holds("x") || kept.Holds(kept.Checkpoint+"A") {
		t.Errorf("%q", kept.Checkpoint)
	}
	path := filepath.Join(dir, LogFile)
	data, _ := os.ReadFile(path)
	lines := strings.SplitAfter(string(data), "\n")
	for cut := 1; cut < len(lines)-1; cut++ {
		if err := os.WriteFile(path, []byte(strings.Join(lines[:len(lines)-1-cut], "")), 0o600); err != nil {
			t.Fatal(err)
		}
		if r := verified(t, dir); r.Broken != 0 || r.Holds(kept.Checkpoint) {
			t.Errorf("%d lines cut off: %+v", cut, r)
		}
	}
	if other := verified(t, filled(t, 9)); other.Holds(kept.Checkpoint) {
		t.Error("another log holds it")
	}
}

// TestTornAtEveryByte cuts the log as a crash does, at every byte of its last
// lines: it is reported, cut off, and the log goes on whole.
func TestTornAtEveryByte(t *testing.T) {
	whole := filled(t, 3)
	data, _ := os.ReadFile(filepath.Join(whole, LogFile))
	for cut := len(data) - 1; cut > len(data)/2; cut -= 7 {
		dir := t.TempDir()
		for _, name := range []string{SecretFile, PublicFile} {
			key, _ := os.ReadFile(filepath.Join(whole, name))
			_ = os.WriteFile(filepath.Join(dir, name), key, 0o600)
		}
		if err := os.WriteFile(filepath.Join(dir, LogFile), data[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		torn := int64(cut - 1 - bytes.LastIndexByte(data[:cut], '\n'))
		if r := verified(t, dir); r.Torn != torn || r.Broken != 0 {
			t.Fatalf("cut at %d: %+v", cut, r)
		}
		l, err := Open(dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Append("asked", nil); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		now, _ := os.ReadFile(filepath.Join(dir, LogFile))
		if r := verified(t, dir); r.Broken != 0 || r.Torn != 0 || r.Signed != r.Lines || (torn > 0) != bytes.Contains(now, []byte(kindRepaired)) {
			t.Fatalf("cut at %d, after: %+v", cut, r)
		}
	}
}

// TestTwoWriters writes through two logs of one folder at a time.
func TestTwoWriters(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 2 {
		l, err := Open(dir, Options{Every: 5})
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			for range 50 {
				if err := l.Append("asked", nil); err != nil {
					t.Error(err)
				}
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if r := verified(t, dir); r.Broken != 0 || r.Lines < 100 || r.Signed != r.Lines {
		t.Errorf("%+v", r)
	}
}

func TestAnotherKey(t *testing.T) {
	a, b := filled(t, 5), filled(t, 1)
	key, _ := os.ReadFile(filepath.Join(b, PublicFile))
	r, err := VerifyDir(a, string(key))
	if err != nil || r.Broken != 5 {
		t.Errorf("%v %+v", err, r)
	}
	if _, err := VerifyDir(a, "nada"); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Error(err)
	}
	if _, err := VerifyDir(t.TempDir(), ""); digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Error(err)
	}
}

// FuzzVerify reads any bytes as a log: it ends, and never calls a log with a
// broken chain whole.
func FuzzVerify(f *testing.F) {
	f.Add([]byte(`{"seq":1,"at":"2026-01-01T00:00:00Z","kind":"asked","prev":""}` + "\n"))
	f.Add([]byte("{\n\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Verify(bytes.NewReader(data), make([]byte, 32))
		if err != nil || r.Lines > int64(bytes.Count(data, []byte("\n"))) {
			t.Fatalf("%v %+v", err, r)
		}
	})
}
