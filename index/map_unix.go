//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package index

import (
	"os"
	"path/filepath"
	"syscall"

	"digesto"
)

// mapFile maps a segment for reading. It stays readable after the file's name is
// gone, until closed.
func mapFile(dir, name string) ([]byte, func() error, error) {
	path := filepath.Join(dir, name)
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, ioError("No se puede leer el índice", path, err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, nil, ioError("No se puede leer el índice", path, err)
	}
	if st.Size() < footerBytes {
		return nil, nil, damaged(name, "tamaño")
	}
	b, err := syscall.Mmap(int(f.Fd()), 0, int(st.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, ioError("No se puede leer el índice", path, err)
	}
	return b, func() error { return syscall.Munmap(b) }, nil
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// lockDir makes dir if need be and keeps other writers out until unlocked.
func lockDir(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, ioError("No se puede crear la carpeta del índice", dir, err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, ioError("No se puede escribir el índice", dir, err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, &digesto.Error{Code: digesto.CodeConflict, Message: "Otro proceso está escribiendo este índice (" + dir + ")",
			Hint: "Espere a que termine y repita la orden.", Err: err}
	}
	return func() { f.Close() }, nil
}
