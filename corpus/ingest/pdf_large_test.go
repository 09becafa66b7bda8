package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"digesto/internal/long"
	"digesto/internal/pdftest"
)

// A whole collection of laws in one file: as many pages as the longest official
// ones have, each full of words.
const (
	largePages = 7591
	largeBytes = 50 << 20
	largePeak  = 600 << 20
)

// largePDF has one article on each page, of words that never repeat in order.
func largePDF(pages, bytes int) []byte {
	words := strings.Fields("faro linterna muelle puente barca niebla marea puerto ancla vela remo bruma costa cabo bahía estuario dique boya grúa hangar")
	per := bytes/pages + 1
	content := make([]string, pages)
	n := 0
	for i := range content {
		var b strings.Builder
		b.WriteString(pdftest.At(90, 780, -10, fmt.Sprintf("Artículo %d. De %s y %s.", i+1, words[i%len(words)], words[i/len(words)%len(words)])))
		for y := 766.0; y > 60 && b.Len() < per; y -= 12 {
			var l strings.Builder
			for l.Len() < 110 {
				l.WriteString(words[n%len(words)] + " ")
				n += 1 + n/7%3
			}
			b.WriteString(pdftest.At(60, y, 8, l.String()))
		}
		content[i] = b.String() + strings.Repeat(" ", max(0, per-b.Len()-200))
	}
	return pdftest.MakePDF(content...)
}

// TestPDFOfFiftyMegabytes reads one with the memory that a small machine has. It
// takes a minute: DIGESTO_LONG=1 go test ./corpus/ingest -run TestPDFOfFiftyMegabytes -v
func TestPDFOfFiftyMegabytes(t *testing.T) {
	long.Only(t, "takes a minute")
	path := t.TempDir() + "/grande.pdf"
	if err := os.WriteFile(path, largePDF(largePages, largeBytes), 0o644); err != nil {
		t.Fatal(err)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(40)) // as the commands that read law have it
	resetPeak(t)
	rep := add(t, library(t), Options{Pack: "p", CacheDir: filepath.Join(os.TempDir(), "digesto-test-pdfium")}, path)
	if rep.Norms != 1 || rep.Units < largePages {
		t.Fatalf("%+v", rep)
	}
	peak := peakMemory(t)
	t.Logf("%d pages, %d units in %v, at most %d MB resident", largePages, rep.Units, rep.Elapsed, peak>>20)
	if peak > largePeak {
		t.Errorf("%d MB resident", peak>>20)
	}
}

// resetPeak makes the system forget how much memory the process has held.
func resetPeak(t *testing.T) {
	t.Helper()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o200); err != nil {
		t.Skip("the system does not count the peak of memory: ", err)
	}
}

// peakMemory is the most memory resident at once, in bytes.
func peakMemory(t *testing.T) int64 {
	t.Helper()
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	_, rest, _ := strings.Cut(string(data), "VmHWM:")
	f := strings.Fields(rest)
	kb, err := strconv.ParseInt(f[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kb << 10
}
