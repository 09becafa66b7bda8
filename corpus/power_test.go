package corpus

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"digesto/internal/long"
)

var (
	cuts = flag.Int("cuts", long.Of(150, 15), "losses of power to try")
	seed = flag.Uint64("seed", 1, "of what is chosen at random")
)

var errNoPower = errors.New("no power")

// powerDisk loses power after some changes. What was not synced by then may be on
// the disk or not, whole or in part, in any order: contents of files until the
// file is synced, names until their folder is.
type powerDisk struct {
	osDisk
	mu     sync.Mutex // files are synced several at a time
	left   int
	unsafe map[string]bool // files whose contents are not synced
	names  []change        // names that are not synced, in order
}

// change is one of a folder, with what undoes it.
type change struct {
	dir  string
	undo func()
}

func (d *powerDisk) step() error {
	if d.left--; d.left < 0 {
		return errNoPower
	}
	return nil
}

func (d *powerDisk) write(path string, data []byte) error {
	if err := d.step(); err != nil {
		return err
	}
	d.replaced(path)
	d.unsafe[path] = true
	return d.osDisk.write(path, data)
}

// replaced remembers what stood at a path, to be there again.
func (d *powerDisk) replaced(path string) {
	old, err := os.ReadFile(path)
	d.names = append(d.names, change{filepath.Dir(path), func() {
		if err != nil {
			_ = os.Remove(path)
			return
		}
		_ = os.WriteFile(path, old, 0o644)
	}})
}

func (d *powerDisk) sync(path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step(); err != nil {
		return err
	}
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		d.names = slices.DeleteFunc(d.names, func(c change) bool { return c.dir == path })
	}
	delete(d.unsafe, path)
	return d.osDisk.sync(path)
}

func (d *powerDisk) rename(from, to string) error {
	if err := d.step(); err != nil {
		return err
	}
	d.replaced(from)
	d.replaced(to)
	d.unsafe[to] = d.unsafe[from]
	delete(d.unsafe, from)
	return d.osDisk.rename(from, to)
}

func (d *powerDisk) remove(path string) error {
	if err := d.step(); err != nil {
		return err
	}
	d.replaced(path)
	delete(d.unsafe, path)
	return d.osDisk.remove(path)
}

// lose leaves what a disk may hold after the loss.
func (d *powerDisk) lose(r *rand.Rand) {
	for path, is := range d.unsafe {
		data, err := os.ReadFile(path)
		if err != nil || !is {
			continue
		}
		switch r.IntN(4) {
		case 0:
			_ = os.WriteFile(path, nil, 0o644)
		case 1:
			_ = os.WriteFile(path, data[:r.IntN(len(data)+1)], 0o644)
		case 2:
			clear(data[r.IntN(len(data)+1):])
			_ = os.WriteFile(path, data, 0o644)
		}
	}
	// A folder keeps the order of its own changes: an end of them is lost.
	keep := map[string]int{}
	for _, c := range d.names {
		keep[c.dir]++
	}
	for _, c := range d.names {
		if n, ok := keep[c.dir]; ok && n >= 0 {
			keep[c.dir] = -1 - r.IntN(n+1)
		}
	}
	for i := len(d.names) - 1; i >= 0; i-- {
		if c := d.names[i]; keep[c.dir] < -1 {
			keep[c.dir]++
			c.undo()
		}
	}
}

// TestLossOfPower cuts the power at random points of updates, with writes in any
// order: the old or the new snapshot is found, sound, the new one if the update was
// reported, and the next update works.
func TestLossOfPower(t *testing.T) {
	r := rand.New(rand.NewPCG(*seed, 3))
	old, made := 0, 0
	for n := range *cuts {
		dir := t.TempDir()
		plain := open(t, dir)
		put(t, plain, generation(1)...)
		put(t, plain, generation(2)...)
		d := &powerDisk{left: r.IntN(60), unsafe: map[string]bool{}}
		l, err := Open(dir, Options{disk: d})
		if err != nil {
			t.Fatal(err)
		}
		_, uerr := l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error {
			for _, doc := range generation(3) {
				if err := tx.Put(doc); err != nil {
					return err
				}
			}
			return nil
		})
		l.Close()
		d.lose(r)
		s := reopen(t, plain)
		g, err := generationOf(s)
		if err != nil || g != 2 && g != 3 || uerr == nil && g != 3 {
			t.Fatalf("cut %d: generation %d, %v (update said %v)", n, g, err, uerr)
		}
		if err := s.Check(context.Background()); err != nil {
			t.Fatalf("cut %d: %v", n, err)
		}
		s.Close()
		put(t, plain, generation(4)...)
		if g == 2 {
			old++
		} else {
			made++
		}
	}
	t.Logf("%d losses of power: %d times the old snapshot, %d times the new one, never another", *cuts, old, made)
	if old == 0 || made == 0 {
		t.Error("the cuts are not spread over the update")
	}
}
