package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// PartialName is in the name of a file while it is written: what is left of one that was
// cut off is not taken for whole.
const PartialName = ".parcial-"

// WriteWhole writes a file beside its place, makes it safe from a loss of power, and only
// then gives it its name. A file of that name stays, and is fs.ErrExist, unless it may be
// replaced. Of what fails nothing is left.
func WriteWhole(path string, mode os.FileMode, replace bool, write func(io.Writer) error) (err error) {
	if _, err := os.Lstat(path); err == nil && !replace {
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+PartialName)
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // after it has its name there is nothing
	if err = errors.Join(f.Chmod(mode), write(f), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err = named(f.Name(), path, replace); err == nil {
		syncFolder(filepath.Dir(path))
	}
	return err
}

// named gives a file its name. Where there are no hard links a file that somebody else
// made meanwhile under that name is found out a moment earlier.
func named(from, to string, replace bool) error {
	if !replace {
		err := os.Link(from, to)
		if err == nil || errors.Is(err, fs.ErrExist) {
			return err
		}
		if _, err := os.Lstat(to); err == nil {
			return &fs.PathError{Op: "create", Path: to, Err: fs.ErrExist}
		}
	}
	return os.Rename(from, to)
}

// syncFolder makes the names in a folder safe, where the system knows how.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
