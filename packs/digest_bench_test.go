package packs_test

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"digesto/digest"
	"digesto/packs"
	"digesto/search"
)

// BenchmarkAsks is one search of all asks of a pack, by words and by meaning, beside the
// vector of the question (bar: 1 ms of processor), with the memory that the pack's asks
// keep (bar: 60 MB for all packs).
func BenchmarkAsks(b *testing.B) {
	for _, name := range []string{"peru", "jus", "laboral", "argentina", "clara"} {
		b.Run(name, func(b *testing.B) {
			before := heap()
			files, err := digest.Lazy(packs.FS(), name)
			if err != nil {
				b.Fatal(err)
			}
			vectors, err := search.ReadPacked(packs.DigestVectors)
			if err != nil {
				b.Fatal(err)
			}
			asks := search.NewAsks(files, vectors, search.Scoring{})
			kept := heap() - before
			full := make([]float32, 384)
			rng := rand.New(rand.NewPCG(1, 1))
			for i := range full {
				full[i] = float32(rng.NormFloat64()) / 20
			}
			const question = "llevo tres meses sin cobrar y mi jefe me dice que firme la baja, ¿qué pasa si no firmo y cuánto tiempo tengo para reclamar?"
			for b.Loop() {
				asks.Search(question, full, 20, search.Allow{})
			}
			b.ReportMetric(float64(asks.Len()), "asks")
			b.ReportMetric(float64(kept)/1e6, "MB")
		})
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
