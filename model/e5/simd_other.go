//go:build !amd64 || digesto_portable

package e5

func fastest() level { return levelPortable }

// These are never reached: the level is portable.
func (l *linear) vnni(*workspace, []float32, int, []float32)               {}
func (l *linear) simd([]int16, []float32, int, []float32)                  {}
func quantiseSIMD([]float32, []int16) float32                              { return 0 }
func geluSIMD([]float32)                                                   {}
func attendSIMD(_, _ []float32, _ int, _ []float32, _ int, _, _ []float32) {}
func addRowSIMD([]float32, []int8, float32)                                {}
