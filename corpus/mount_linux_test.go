package corpus

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"digesto"
)

// mount gives a small file system of its own.
func mount(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("needs the right to mount a file system: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

func TestFullDisk(t *testing.T) {
	dir := mount(t, "1m")
	l := open(t, dir)
	h := put(t, l, sample())
	_, err := l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error {
		for i := range 100 {
			d := sample()
			d.Norm.ID, d.Norm.IDs, d.File = fmt.Sprintf("N-%d", i), nil, fmt.Sprintf("n-%d.md", i)
			d.Units[0].Versions[0].Text = strings.Repeat(fmt.Sprintf("La feria número %d. ", i), 2000)
			if err := tx.Put(d); err != nil {
				return err
			}
		}
		return nil
	})
	var e *digesto.Error
	if !errors.As(err, &e) || e.Code != digesto.CodeTooLarge || !strings.Contains(e.Message, "No queda espacio") || e.Hint == "" {
		t.Errorf("full disk: %v", err)
	}
	s := current(t, l)
	if err := s.Check(context.Background()); err != nil || s.Hash() != h {
		t.Errorf("after a full disk: %q, %v", s.Hash(), err)
	}
	d := sample()
	d.ContentHash = "h2"
	put(t, l, d) // what the failed update wrote is gone, so there is room
}

func TestReadOnlyDisk(t *testing.T) {
	dir := mount(t, "1m")
	l := open(t, dir)
	h := put(t, l, sample())
	l.Close()
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	s := current(t, open(t, dir))
	if err := s.Check(context.Background()); err != nil || s.Hash() != h {
		t.Errorf("reading: %q, %v", s.Hash(), err)
	}
	_, err := open(t, dir).Update(context.Background(), UpdateOptions{}, func(tx *Tx) error { return nil })
	if digesto.CodeOf(err) != digesto.CodeForbidden {
		t.Errorf("writing: %v", err)
	}
}
