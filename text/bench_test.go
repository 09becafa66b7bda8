package text

import (
	"strings"
	"testing"
)

// sample is legal prose of our own, long enough to be typical.
var sample = strings.Repeat("Artículo 62-A. Los trabajadores tendrán derecho a un período de descanso de treinta y ocho días naturales, "+
	"que no podrá sustituirse por compensación económica, salvo lo dispuesto en el artículo 48.4 de esta Ley y en la disposición transitoria quinta. "+
	"La resolución se notificará en el plazo máximo de veinte (20) días hábiles contados desde la recepción de la solicitud, transcurrido el cual "+
	"se entenderá desestimada. La multa no excederá de 1.000.000,50 pesos ni del cinco por ciento de la base imponible.\n", 20)

func BenchmarkTerms(b *testing.B) {
	var a Analyser
	a.Terms(sample)
	b.SetBytes(int64(len(sample)))
	b.ReportAllocs()
	for b.Loop() {
		a.Terms(sample)
	}
}

func BenchmarkFold(b *testing.B) {
	buf := make([]byte, 0, len(sample))
	b.SetBytes(int64(len(sample)))
	for b.Loop() {
		buf = AppendFold(buf[:0], sample)
	}
}

func BenchmarkStem(b *testing.B) {
	for b.Loop() {
		Stem("notificaciones")
	}
}
