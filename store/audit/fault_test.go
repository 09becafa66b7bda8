package audit

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"digesto/internal/long"
)

var (
	faults = flag.Int("faults", long.Of(300, 60), "faults of the file to try")
	seed   = flag.Uint64("seed", 1, "of what is chosen at random")
)

// faulty is a file that fails at its nth change: a short write, a full disk, an
// error of the device, or a sync that fails.
type faulty struct {
	*os.File
	left   int
	how    int
	synced int64 // bytes that a loss of power leaves as they are
}

var errs = []error{syscall.ENOSPC, syscall.EIO, errors.New("short write")}

func (f *faulty) fails() bool { f.left--; return f.left == 0 }

func (f *faulty) Write(b []byte) (int, error) {
	if f.fails() {
		n, _ := f.File.Write(b[:f.how%(len(b)+1)])
		return n, errs[f.how%len(errs)]
	}
	return f.File.Write(b)
}

func (f *faulty) Sync() error {
	if f.fails() {
		return syscall.EIO
	}
	err := f.File.Sync()
	if st, serr := f.Stat(); err == nil && serr == nil {
		f.synced = st.Size()
	}
	return err
}

// TestFaultsOfTheFile writes entries to a file that fails once, or loses power:
// what was acknowledged is there, once and in order (after a loss of power, all
// up to the last checkpoint), the chain holds, and writing goes on.
func TestFaultsOfTheFile(t *testing.T) {
	r := rand.New(rand.NewPCG(*seed, 2))
	cut := 0
	for n := range *faults {
		dir := t.TempDir()
		raw, err := os.OpenFile(filepath.Join(dir, LogFile), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		f := &faulty{File: raw, left: 1 + r.IntN(40), how: r.IntN(1000)}
		opt := Options{Clock: func() time.Time { return time.Unix(1, 0) }, Every: 5}
		l, err := openOn(dir, f, opt)
		if err != nil {
			continue // the fault came before the first entry: nothing was acknowledged
		}
		var acked []string
		for i := range 30 {
			name := fmt.Sprint("e", i)
			if l.Append("test", map[string]string{"n": name}) == nil {
				acked = append(acked, name)
			}
		}
		if n%2 == 0 {
			power(t, r, f)
			acked = durable(acked, t, dir, f.synced)
			cut++
		}
		_ = raw.Close() // the process ends here
		again, err := Open(dir, opt)
		if err != nil {
			t.Fatalf("fault %d: %v", n, err)
		}
		if err := again.Append("test", map[string]string{"n": "after"}); err != nil {
			t.Fatalf("fault %d: %v", n, err)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		if rep, err := VerifyDir(dir, ""); err != nil || rep.Broken != 0 || rep.Torn != 0 {
			t.Fatalf("fault %d: %v", n, err)
		}
		if got := written(t, dir); !holds(got, acked) || got[len(got)-1] != "after" {
			t.Fatalf("fault %d: acknowledged %q, there are %q", n, acked, got)
		}
	}
	t.Logf("%d faults, %d of them losses of power", *faults, cut)
}

// power loses it: of what was not synced, each sector is there, lost or empty.
func power(t *testing.T, r *rand.Rand, f *faulty) {
	t.Helper()
	data, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	end := int64(len(data))
	for at := f.synced; at < int64(len(data)); at += 64 {
		switch r.IntN(4) {
		case 0:
			clear(data[at:min(at+64, int64(len(data)))])
		case 1:
			end = min(end, at+int64(r.IntN(64)))
		}
	}
	if err := os.WriteFile(f.Name(), data[:max(end, f.synced)], 0o600); err != nil {
		t.Fatal(err)
	}
}

// durable are the entries before the last checkpoint.
func durable(acked []string, t *testing.T, dir string, synced int64) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, LogFile))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, a := range acked {
		if strings.Contains(string(data[:synced]), `"n":"`+a+`"`) {
			out = append(out, a)
		}
	}
	return out
}

func written(t *testing.T, dir string) (out []string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, LogFile))
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(data)) {
		if _, rest, ok := strings.Cut(l, `"n":"`); ok {
			name, _, _ := strings.Cut(rest, `"`)
			out = append(out, name)
		}
	}
	return out
}

// holds says whether all of want stand in got, once each and in order.
func holds(got, want []string) bool {
	seen := map[string]int{}
	for _, g := range got {
		seen[g]++
	}
	at := 0
	for _, w := range want {
		if seen[w] != 1 {
			return false
		}
		for at < len(got) && got[at] != w {
			at++
		}
	}
	return at < len(got)
}

// TestDamageBeforeACheckpointIsNotCut: what was signed is never taken away.
func TestDamageBeforeACheckpointIsNotCut(t *testing.T) {
	dir := t.TempDir()
	opt := Options{Every: 3}
	l, err := Open(dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	for range 6 {
		if err := l.Append("test", nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, LogFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[3] = 0
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, opt); err == nil {
		t.Error("a damaged log opens")
	}
	if after, err := os.ReadFile(path); err != nil || len(after) != len(data) {
		t.Errorf("%d bytes became %d", len(data), len(after))
	}
}

// reads counts the bytes that are read of a file.
type reads struct {
	*os.File
	n int64
}

func (r *reads) ReadAt(b []byte, at int64) (n int, err error) {
	n, err = r.File.ReadAt(b, at)
	r.n += int64(n)
	return n, err
}

// TestLongLogIsReadFromItsLastSignature: what a question reads of a log does not grow with it; the
// chain goes on behind it, and of its end a torn line is cut off and damage that was signed is not.
func TestLongLogIsReadFromItsLastSignature(t *testing.T) {
	dir := t.TempDir()
	open := func() (*Log, *reads) {
		t.Helper()
		f, err := os.OpenFile(filepath.Join(dir, LogFile), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		r := &reads{File: f}
		l, err := openOn(dir, r, Options{}.filled())
		if err != nil {
			t.Fatal(err)
		}
		return l, r
	}
	fill := func(n int) {
		t.Helper()
		l, r := open()
		if r.n > 2*recent {
			t.Errorf("%d bytes read to open the log", r.n)
		}
		for range n {
			if err := l.Append("asked", map[string]string{"question": strings.Repeat("a", 400)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	fill(2000)
	fill(10)
	path := filepath.Join(dir, LogFile)
	data, err := os.ReadFile(path)
	if err != nil || len(data) < 3*recent {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	if err := os.WriteFile(path, append(data, "torn"...), 0o600); err != nil {
		t.Fatal(err)
	}
	fill(1)
	if r := verified(t, dir); r.Broken != 0 || r.Torn != 0 || r.Signed != r.Lines {
		t.Errorf("%+v", r)
	}
	data, _ = os.ReadFile(path)
	last := data[len(data)-1000:]
	copy(last[strings.Index(string(last), "aaaa"):], "bbbb\"")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	l, _ := open()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, data) {
		t.Errorf("signed lines were cut: %d bytes became %d, %v", len(data), len(now), err)
	}
	if r := verified(t, dir); r.Broken == 0 {
		t.Error("changed lines before a checkpoint pass")
	}
}
