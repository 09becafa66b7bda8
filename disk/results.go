package disk

import (
	"bufio"
	"io"
	"os"
)

// Results opens the file in which an evaluation keeps its lines; nil for no name.
// done flushes and closes it: what could not be written is an error, never silence.
func Results(name string) (w io.Writer, done func() error, err error) {
	if name == "" {
		return nil, func() error { return nil }, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, nil, Error(err, name, "")
	}
	out := bufio.NewWriter(f)
	return out, func() error {
		err := out.Flush()
		if c := f.Close(); err == nil {
			err = c
		}
		if err != nil {
			return Error(err, name, "Revise el sitio libre en el disco.")
		}
		return nil
	}, nil
}
