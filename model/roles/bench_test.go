package roles_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"digesto/model"
	"digesto/model/modeltest"
)

// BenchmarkServer is the exchange without any of our code: what BenchmarkStack
// takes beyond it is the overhead of the whole client stack.
func BenchmarkServer(b *testing.B) {
	for _, streamed := range []bool{false, true} {
		b.Run(fmt.Sprintf("stream=%v", streamed), func(b *testing.B) {
			s := modeltest.NewServer(b, modeltest.Script{Pieces: []string{"La feria ", "abre los ", "martes."}})
			body := fmt.Sprintf(`{"model":"guion","messages":[{"role":"user","content":"x"}],"stream":%v}`, streamed)
			b.ReportAllocs()
			for b.Loop() {
				resp, err := http.Post(s.URL+"/chat/completions", "application/json", strings.NewReader(body))
				if err != nil {
					b.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
}

// BenchmarkStack is one call through all there is around an adapter: meter,
// redaction, cache (never hit), breaker, retry, budget, purse, timeout.
func BenchmarkStack(b *testing.B) {
	for _, streamed := range []bool{false, true} {
		b.Run(fmt.Sprintf("stream=%v", streamed), func(b *testing.B) {
			s := modeltest.NewServer(b, modeltest.Script{Pieces: []string{"La feria ", "abre los ", "martes."}})
			set := bind(b, model.Writer, s.URL, map[string]string{"rpm": "900000000", "tpm": "900000000", "price_in": "0.000001"})
			var emit func(string) error
			if streamed {
				emit = func(string) error { return nil }
			}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n++
				req := modeltest.Ask()
				req.Corpus = fmt.Sprint(n)
				ctx := model.WithMeter(b.Context(), model.NewMeter(model.Limits{}, nil))
				if _, err := set.Writer.Generate(ctx, req, emit); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkStreamLength streams answers of growing length: B/piece stays the same
// when nothing is kept of a stream but its text.
func BenchmarkStreamLength(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprintf("pieces=%d", n), func(b *testing.B) {
			pieces := make([]string, n)
			for i := range pieces {
				pieces[i] = "palabra "
			}
			s := modeltest.NewServer(b, modeltest.Script{Pieces: pieces})
			set := bind(b, model.Writer, s.URL, map[string]string{"timeout": "60s"})
			b.ReportAllocs()
			k := 0
			for b.Loop() {
				k++
				req := modeltest.Ask()
				req.Corpus = fmt.Sprint(k)
				if _, err := set.Writer.Generate(b.Context(), req, func(string) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
