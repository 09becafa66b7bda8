package corpus

import (
	"context"
	"errors"
	"os"
	"sync"
	"syscall"
	"testing"

	"digesto"
)

// faultyDisk fails at its nth change, once or from then on. A disk that does
// nothing any more is also what a process that died leaves behind.
type faultyDisk struct {
	osDisk
	stays bool // every later change fails too

	mu    sync.Mutex
	left  int // changes until the fault
	fired bool
}

func (d *faultyDisk) step() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left--
	if d.left == 0 || d.left < 0 && d.stays {
		d.fired = true
		return &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
	}
	return nil
}

// write leaves half of the file behind when it fails.
func (d *faultyDisk) write(path string, data []byte) (err error) {
	if err := d.step(); err != nil {
		os.WriteFile(path, data[:len(data)/2], 0o644)
		return err
	}
	return d.osDisk.write(path, data)
}

func (d *faultyDisk) mkdir(path string) error {
	if err := d.step(); err != nil {
		return err
	}
	return d.osDisk.mkdir(path)
}

func (d *faultyDisk) sync(path string) error {
	if err := d.step(); err != nil {
		return err
	}
	return d.osDisk.sync(path)
}

func (d *faultyDisk) rename(from, to string) error {
	if err := d.step(); err != nil {
		return err
	}
	return d.osDisk.rename(from, to)
}

func (d *faultyDisk) remove(path string) error {
	if err := d.step(); err != nil {
		return err
	}
	return d.osDisk.remove(path)
}

// TestEveryChangeOfTheDiskMayFail lets each single change of an update fail,
// once or as the last thing the disk does. The old or the new snapshot is found,
// sound; an update that reports no error is the new one; and the next update
// works and leaves no remains.
func TestEveryChangeOfTheDiskMayFail(t *testing.T) {
	for _, stays := range []bool{false, true} {
		n := 1
		for ; failAt(t, n, stays); n++ {
			if n > 200 {
				t.Fatal("an update makes more than 200 changes")
			}
		}
		if n < 15 {
			t.Errorf("only %d changes were tried", n)
		}
	}
}

// failAt runs one update whose nth change fails, and says whether it came to that.
func failAt(t *testing.T, n int, stays bool) bool {
	t.Helper()
	dir := t.TempDir()
	plain := open(t, dir)
	put(t, plain, generation(1)...)
	put(t, plain, generation(2)...)
	d := &faultyDisk{left: n, stays: stays}
	faulty, err := Open(dir, Options{disk: d})
	if err != nil {
		t.Fatal(err)
	}
	_, err = faulty.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error {
		docs := generation(3)
		if err := tx.SetAside(&docs[0]); err != nil {
			return err
		}
		left := sample()
		if err := tx.SetAside(&left); err != nil { // and never taken back
			return err
		}
		if err := tx.TakeBack(&docs[0]); err != nil {
			return err
		}
		for _, doc := range docs {
			if err := tx.Put(doc); err != nil {
				return err
			}
		}
		return nil
	})
	faulty.Close()
	if err != nil && digesto.CodeOf(err) != digesto.CodeTooLarge {
		t.Errorf("change %d: %v", n, err)
	}
	s := reopen(t, plain)
	g, gerr := generationOf(s)
	if gerr != nil || g != 2 && g != 3 || err == nil && g != 3 {
		t.Fatalf("change %d, stays %v: generation %d, %v (update said %v)", n, stays, g, gerr, err)
	}
	if cerr := s.Check(context.Background()); cerr != nil {
		t.Fatalf("change %d, stays %v: %v", n, stays, cerr)
	}
	s.Close()
	put(t, plain, generation(4)...)
	if left := len(names(plain.path("norms"))) + len(names(plain.path("snapshots"))); left != 10 {
		t.Fatalf("change %d, stays %v: %d files after the next update, want 10", n, stays, left)
	}
	return d.fired
}

func TestErrDiskSpeaks(t *testing.T) {
	for _, c := range []struct {
		err  error
		code digesto.Code
	}{
		{syscall.ENOSPC, digesto.CodeTooLarge},
		{syscall.EROFS, digesto.CodeForbidden},
		{os.ErrPermission, digesto.CodeForbidden},
		{errors.New("?"), digesto.CodeInternal},
		{&digesto.Error{Code: digesto.CodeConflict}, digesto.CodeConflict},
	} {
		err := errDisk("escribir la biblioteca", "datos", c.err)
		var e *digesto.Error
		if !errors.As(err, &e) || e.Code != c.code || c.code != digesto.CodeConflict && (e.Message == "" || e.Hint == "") {
			t.Errorf("%v: %+v", c.err, e)
		}
	}
	if errDisk("x", "y", nil) != nil {
		t.Error("no failure is a failure")
	}
}
