//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package index

import (
	"os"
	"path/filepath"
)

// mapFile reads a segment whole where files cannot be mapped.
func mapFile(dir, name string) ([]byte, func() error, error) {
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return nil, nil, ioError("No se puede leer el índice", name, err)
	}
	return b, func() error { return nil }, nil
}

func syncDir(string) error { return nil }

// lockDir makes dir if need be. The corpus has a lock of its own.
func lockDir(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, ioError("No se puede crear la carpeta del índice", dir, err)
	}
	return func() {}, nil
}
