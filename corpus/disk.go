package corpus

import (
	"os"
	"path/filepath"
)

// disk is every way in which the library changes its folder. Tests put one in
// that fails on demand.
type disk interface {
	mkdir(path string) error
	write(path string, data []byte) error // the whole file, not yet safe from a power cut
	sync(path string) error               // a file or a folder
	rename(from, to string) error
	remove(path string) error
}

type osDisk struct{}

func (osDisk) mkdir(path string) error              { return os.MkdirAll(path, 0o755) }
func (osDisk) write(path string, data []byte) error { return os.WriteFile(path, data, 0o644) }
func (osDisk) rename(from, to string) error         { return os.Rename(from, to) }
func (osDisk) remove(path string) error             { return os.Remove(path) }

func (osDisk) sync(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return syncFile(f)
}

// discard removes what nobody needs. That it may fail does not matter: the next
// writer collects it.
func discard(d disk, path string) { _ = d.remove(path) }

// replace writes a file beside its place, makes it safe and renames it there.
func replace(d disk, path string, data []byte) error {
	tmp := path + ".tmp"
	if err := d.write(tmp, data); err != nil {
		discard(d, tmp)
		return err
	}
	if err := d.sync(tmp); err != nil {
		discard(d, tmp)
		return err
	}
	if err := d.rename(tmp, path); err != nil {
		discard(d, tmp)
		return err
	}
	return d.sync(filepath.Dir(path))
}
