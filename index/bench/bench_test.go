package bench

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto"
)

// FuzzRow: the fast reader gives what encoding/json gives, or leaves it to it.
func FuzzRow(f *testing.F) {
	f.Add([]byte(`{"_id": "a:1", "title": "Ley \"x\"", "text": "uno\ndos", "metadata": {"rank": "ley", "n": "1"}}`))
	f.Add([]byte(`{"_id":"a","text":"\u00e1","metadata":{}}`))
	f.Add([]byte(`{"TEXT":"a","text":null, "metadata":{"rank":3}}`))
	f.Add([]byte(`{"text":"a","text":"","x":[1]} x`))
	f.Fuzz(func(t *testing.T, line []byte) {
		got, err := new(scanner).parse(line)
		var want row
		if e := json.Unmarshal(line, &want); (e == nil) != (err == nil) || e == nil && got != want {
			t.Errorf("%q: %+v (%v), want %+v (%v)", line, got, err, want, e)
		}
	})
}

// TestEngine runs the protocol from corpus to answers.
func TestEngine(t *testing.T) {
	corpus := `{"_id":"x:1","title":"Orden de plazos","text":"El plazo es de diez días.","metadata":{"rank":"orden"}}
{"_id":"x:2","title":"Ley de recursos","text":"El recurso de alzada.","metadata":{"rank":"ley"}}
`
	dir := filepath.Join(t.TempDir(), "ix")
	if err := Index(t.Context(), strings.NewReader(corpus), dir); err != nil {
		t.Fatal(err)
	}
	in := `{"_id":"1","text":"plazo recurso","k":10}
{"_id":"2","text":"plazo recurso","k":10,"filter":"ley"}
{"_id":"3","text":"nada"}
`
	var out bytes.Buffer
	if err := Search(t.Context(), dir, strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	var got []string
	for l := range strings.Lines(out.String()) {
		var a struct {
			IDs    []string  `json:"ids"`
			Scores []float64 `json:"scores"`
			NS     int64     `json:"ns"`
		}
		if err := json.Unmarshal([]byte(l), &a); err != nil || a.NS <= 0 || len(a.IDs) != len(a.Scores) {
			t.Fatal(l, err)
		}
		got = append(got, strings.Join(a.IDs, " "))
	}
	if fmt.Sprint(got) != "[x:2 x:1 x:2 ]" {
		t.Errorf("%q", got)
	}
	bad := Index(t.Context(), strings.NewReader("{}\nno\n"), dir)
	if digesto.CodeOf(bad) != digesto.CodeInvalid {
		t.Error(bad)
	}
}

// TestVectors: the nearest by bytes and rescoring are the nearest by float64.
func TestVectors(t *testing.T) {
	const dim, rows, asked = 48, 700, 20
	r := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	write := func(name string, n int) []float32 {
		v := make([]float32, n*dim)
		b := []byte{}
		for i := range v {
			v[i] = float32(r.NormFloat64())
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v[i]))
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
		return v
	}
	base, query := write("base", rows), write("query", asked)
	var out bytes.Buffer
	if err := Vectors(t.Context(), filepath.Join(dir, "base"), filepath.Join(dir, "query"), dim, dir, &out); err != nil {
		t.Fatal(err)
	}
	hit, lines := 0, 0
	for l := range strings.Lines(out.String()) {
		var a struct {
			Q   int   `json:"q"`
			IDs []int `json:"ids"`
		}
		if err := json.Unmarshal([]byte(l), &a); err != nil || len(a.IDs) != 10 {
			t.Fatal(l, err)
		}
		lines++
		if a.IDs[0] == nearest(base, query[a.Q*dim:(a.Q+1)*dim], dim) {
			hit++
		}
	}
	if lines != vectorPasses*asked || hit != lines {
		t.Errorf("%d of %d first answers are the nearest", hit, lines)
	}
	if err := Vectors(t.Context(), filepath.Join(dir, "base"), filepath.Join(dir, "query"), 47, dir, &out); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Error(err)
	}
}

func nearest(base, q []float32, dim int) int {
	best, at := math.Inf(-1), -1
	for i := range len(base) / dim {
		dot, length := 0.0, 0.0
		for j, x := range base[i*dim : (i+1)*dim] {
			dot += float64(x) * float64(q[j])
			length += float64(x) * float64(x)
		}
		if c := dot / math.Sqrt(length); c > best {
			best, at = c, i
		}
	}
	return at
}
