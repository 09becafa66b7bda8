package bench

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"time"

	"digesto"
	"digesto/index"
)

// vectorPasses is how often every query is asked; the first pass warms up.
const vectorPasses = 4

// Vectors is "bench vectors": it builds an index of the row-major float32 vectors
// in base (row number = id), asks the ones in query for their ten nearest, and
// writes an answer a line: {"q","ids","scores","ns"}.
func Vectors(ctx context.Context, base, query string, dim int, dir string, out io.Writer) error {
	q, err := floats(query, dim)
	if err != nil {
		return err
	}
	dir = filepath.Join(dir, "vectors")
	if err := buildVectors(ctx, base, dim, dir); err != nil {
		return err
	}
	debug.FreeOSMemory() // what building took is not what serving takes
	x, err := index.Open(dir, index.OpenOptions{})
	if err != nil {
		return err
	}
	defer x.Close()
	return askVectors(ctx, x, q, dim, out)
}

func buildVectors(ctx context.Context, base string, dim int, dir string) error {
	b, err := floats(base, dim)
	if err != nil {
		return err
	}
	return index.Build(ctx, numbered(len(b)/dim), dir, index.BuildOptions{Scoring: OneField, Jobs: 1, Full: true,
		Vectors: func(c digesto.Chunk) ([]float32, error) {
			i, err := strconv.Atoi(c.Version)
			return b[i*dim : (i+1)*dim], err
		}})
}

func askVectors(ctx context.Context, x *index.Index, q []float32, dim int, out io.Writer) error {
	w := bufio.NewWriter(out)
	enc := json.NewEncoder(w)
	for range vectorPasses {
		for i := range len(q) / dim {
			start := time.Now()
			res, err := x.Search(ctx, digesto.Query{Vector: q[i*dim : (i+1)*dim], NoTotal: true})
			took := time.Since(start).Nanoseconds()
			if err != nil {
				return err
			}
			a := struct {
				Q      int       `json:"q"`
				IDs    []int     `json:"ids"`
				Scores []float64 `json:"scores"`
				NS     int64     `json:"ns"`
			}{Q: i, NS: took}
			for _, h := range res.Hits {
				id, err := strconv.Atoi(h.ID)
				if err != nil {
					return err
				}
				a.IDs, a.Scores = append(a.IDs, id), append(a.Scores, h.Score)
			}
			if err := enc.Encode(a); err != nil {
				return err
			}
		}
	}
	return w.Flush()
}

// numbered gives chunks without words whose ids sort by number.
func numbered(n int) iter.Seq2[digesto.Chunk, error] {
	return func(yield func(digesto.Chunk, error) bool) {
		for i := range n {
			s := strconv.Itoa(i)
			id := "00000000"[:max(0, 8-len(s))] + s
			if !yield(digesto.Chunk{ID: id, Version: s, Current: true}, nil) {
				return
			}
		}
	}
}

// floats reads a file of little-endian float32 values, rows of dim.
func floats(path string, dim int) ([]float32, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, &digesto.Error{Code: digesto.CodeNotFound, Message: "No se puede leer " + path, Hint: "Compruebe la ruta de los vectores.", Err: err}
	}
	if dim < 1 || len(b) == 0 || len(b)%(4*dim) != 0 {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "El tamaño de " + path + " no corresponde a vectores de " + strconv.Itoa(dim) + " dimensiones",
			Hint: "El archivo debe contener números float32 seguidos, una fila por vector."}
	}
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v, nil
}
