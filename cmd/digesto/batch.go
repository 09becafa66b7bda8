package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"time"

	"digesto"
)

// maxLine bounds one line of JSON Lines.
const maxLine = 8 << 20

// batchQuery is a line of a batch.
type batchQuery struct {
	ID   string `json:"_id"`
	Text string `json:"text"`
}

// batchResult answers one line; NS is the search alone, in this process.
type batchResult struct {
	ID   string     `json:"_id"`
	NS   int64      `json:"ns"`
	Hits []batchHit `json:"hits"`
}

type batchHit struct {
	ID    string  `json:"id"`
	Score float64 `json:"score"`
}

// batch answers one line for each line, in order.
func (c searchCmd) batch(a *app, filter digesto.Filter) error {
	in, done, err := a.openInput(c.Batch)
	if err != nil {
		return err
	}
	defer done()
	t, err := c.target(a)
	if err != nil {
		return err
	}
	defer t.close()
	out := bufio.NewWriter(a.out)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for line, err := range jsonLines(in, c.Batch) {
		if err != nil {
			return err
		}
		var b batchQuery
		if err := line.decode(&b); err != nil {
			return err
		}
		start := time.Now()
		q := t.query(b.Text)
		q.K, q.Filter = c.K, t.narrow(filter)
		res, err := t.search(a.ctx, q)
		if err != nil {
			return err
		}
		r := batchResult{ID: b.ID, NS: time.Since(start).Nanoseconds(), Hits: []batchHit{}}
		for _, h := range res.Hits {
			r.Hits = append(r.Hits, batchHit{h.ID, h.Score})
		}
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return out.Flush()
}

// openInput opens a file, or stdin for "-".
func (a *app) openInput(path string) (io.Reader, func(), error) {
	if path == "-" {
		return a.in, func() {}, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fileError(err, path, "")
	}
	return f, func() { f.Close() }, nil
}

// jsonLine is a line of a file, with its place for messages.
type jsonLine struct {
	file string
	n    int
	data []byte
}

func (l jsonLine) decode(v any) error {
	if err := json.Unmarshal(l.data, v); err != nil {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("%s, línea %d: no es JSON válido", l.file, l.n), Err: err, Hint: "Cada línea ha de ser un objeto JSON."}
	}
	return nil
}

// jsonLines gives the lines of a reader that are not blank.
func jsonLines(r io.Reader, file string) iter.Seq2[jsonLine, error] {
	return func(yield func(jsonLine, error) bool) {
		sc := bufio.NewScanner(r)
		sc.Buffer(make([]byte, 0, 64<<10), maxLine)
		n := 0
		for sc.Scan() {
			n++
			if len(sc.Bytes()) == 0 {
				continue
			}
			if !yield(jsonLine{file, n, sc.Bytes()}, nil) {
				return
			}
		}
		if err := sc.Err(); err != nil {
			yield(jsonLine{}, &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("%s, línea %d: no se puede leer", file, n+1), Err: err, Hint: "Las líneas no pueden pasar de 8 MiB."})
		}
	}
}
