package app

import (
	"io"
	"os"

	"digesto/disk"
)

// OpenInput opens a file, or stdin for "-".
func (a *App) OpenInput(path string) (io.Reader, func(), error) {
	if path == "-" {
		return a.Stdin, func() {}, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, disk.Error(err, path, "")
	}
	return f, func() { f.Close() }, nil
}
