// Package bench is the library side of the bench commands: the protocol by which
// other engines are measured beside this one, and the measurements of our own.
// It reads and writes through io, and looks at no flags.
package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"iter"
	"os"
	"time"

	"digesto"
	"digesto/index"
)

// row is a line of a corpus in the exchange form, as far as a bench reads it.
type row struct {
	ID       string `json:"_id"`
	Title    string `json:"title"`
	Text     string `json:"text"`
	Metadata struct {
		Rank string `json:"rank"`
		Law  string `json:"law"`
	} `json:"metadata"`
}

// maxLine bounds one line of a corpus or of the queries.
const maxLine = 64 << 20

// chunks reads a corpus of JSON lines; make turns a row into what is indexed.
func chunks(r io.Reader, make func(row) digesto.Chunk) iter.Seq2[digesto.Chunk, error] {
	return func(yield func(digesto.Chunk, error) bool) {
		s := lines(r)
		var p scanner
		for n := 1; s.Scan(); n++ {
			v, err := p.parse(s.Bytes())
			if err != nil {
				yield(digesto.Chunk{}, badLine(n, err))
				return
			}
			if !yield(make(v), nil) {
				return
			}
		}
		if err := s.Err(); err != nil {
			yield(digesto.Chunk{}, badLine(0, err))
		}
	}
}

func lines(r io.Reader) *bufio.Scanner {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 1<<20), maxLine)
	return s
}

func badLine(n int, err error) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: "La línea " + itoa(n) + " no es un objeto JSON válido",
		Hint: "Cada línea debe ser un objeto como {\"_id\":…,\"title\":…,\"text\":…}.", Err: err}
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

// oneField is the chunk of the engines' common corpus: title, newline, text in one
// field, and rank to filter on.
func oneField(r row) digesto.Chunk {
	return digesto.Chunk{ID: r.ID, Body: r.Title + "\n" + r.Text, Rank: r.Metadata.Rank, Current: true}
}

// OneField is how the engines are compared: one list of stems, BM25 with k1 1.2
// and b 0.75.
var OneField = index.Scoring{Title: 1, Plain: -1, Bigram: -1}

// Index builds dir from a corpus file, on one goroutine: "bench engine index".
func Index(ctx context.Context, corpus io.Reader, dir string) error {
	return index.Build(ctx, chunks(corpus, oneField), dir, index.BuildOptions{Scoring: OneField, Jobs: 1})
}

// Search answers one query a line until the input ends: "bench engine search".
// ns is the time from the text to ids and scores.
func Search(ctx context.Context, dir string, in io.Reader, out io.Writer) error {
	x, err := index.Open(dir, index.OpenOptions{})
	if err != nil {
		return err
	}
	defer x.Close()
	w := bufio.NewWriter(out)
	enc := json.NewEncoder(w)
	s := lines(in)
	for n := 1; s.Scan(); n++ {
		var q struct {
			ID     string `json:"_id"`
			Text   string `json:"text"`
			K      int    `json:"k"`
			Filter string `json:"filter"`
		}
		if err := json.Unmarshal(s.Bytes(), &q); err != nil {
			return badLine(n, err)
		}
		start := time.Now()
		query := digesto.Query{Text: q.Text, K: q.K, NoTotal: true}
		if q.Filter != "" {
			query.Filter.In = map[string][]string{"rank": {q.Filter}}
		}
		res, err := x.Search(ctx, query)
		took := time.Since(start).Nanoseconds()
		if err != nil {
			return err
		}
		a := struct {
			ID     string    `json:"_id"`
			IDs    []string  `json:"ids"`
			Scores []float64 `json:"scores"`
			NS     int64     `json:"ns"`
		}{ID: q.ID, IDs: []string{}, Scores: []float64{}, NS: took}
		for _, h := range res.Hits {
			a.IDs, a.Scores = append(a.IDs, h.ID), append(a.Scores, h.Score)
		}
		if err := enc.Encode(a); err != nil {
			return err
		}
	}
	if err := s.Err(); err != nil {
		return badLine(0, err)
	}
	return w.Flush()
}

// IndexFile is Index for a path.
func IndexFile(ctx context.Context, path, dir string) error {
	f, err := os.Open(path)
	if err != nil {
		return &digesto.Error{Code: digesto.CodeNotFound, Message: "No se puede leer " + path, Hint: "Compruebe la ruta del corpus.", Err: err}
	}
	defer f.Close()
	return Index(ctx, f, dir)
}
