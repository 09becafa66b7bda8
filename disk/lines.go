package disk

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"digesto"
)

// maxLine bounds one line of JSON Lines.
const maxLine = 8 << 20

// Line is a line of a file, with its place for messages.
type Line struct {
	file string
	n    int
	data []byte
}

// Decode reads the JSON of a line.
func (l Line) Decode(v any) error {
	if err := json.Unmarshal(l.data, v); err != nil {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("%s, línea %d: no es JSON válido", l.file, l.n), Err: err, Hint: "Cada línea ha de ser un objeto JSON."}
	}
	return nil
}

// Lines gives the lines of a reader that are not blank.
func Lines(r io.Reader, file string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		sc := bufio.NewScanner(r)
		sc.Buffer(make([]byte, 0, 64<<10), maxLine)
		n := 0
		for sc.Scan() {
			n++
			if len(sc.Bytes()) == 0 {
				continue
			}
			if !yield(Line{file, n, sc.Bytes()}, nil) {
				return
			}
		}
		if err := sc.Err(); err != nil {
			yield(Line{}, &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("%s, línea %d: no se puede leer", file, n+1), Err: err, Hint: "Las líneas no pueden pasar de 8 MiB."})
		}
	}
}
