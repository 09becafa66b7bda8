package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus/ingest"
	"digesto/corpus/ingest/line"
)

// costly are files made to cost the most: a beginning, and a piece that is repeated.
var costly = []struct{ name, begin, piece string }{
	{"ley.md", "# Ley 1/2001, de los Faros\n\n## Artículo 1. Luz\n\n", "palabra otra de la que\n"},
	{"ley.txt", "Ley 1/2001\n\nArtículo 1. Luz\n", "palabra otra de pala-\n"},
	{"ley.txt", "Ley 1/2001\n\nArtículo 1. Luz\n", "PALABRA OTRA DE LA\n"},
	{"ley.txt", "Ley 1/2001\n\nArtículo 1. Luz\n", "cabecera igual\npalabra otra\f"},
	{"ley.txt", "Ley 1/2001\n\nArtículo 1. Luz\n", "Artículo 2. de la\n"},
	{"ley.html", "<h1>Ley 1/2001</h1><p>Artículo 1. Luz</p>", "<p>palabra otra de la que (((( de</p>"},
	{"ley.rtf", `{\rtf1 `, `\par palabra otra `},
	{"ley.md", "# Ley 1/2001\n\n## Artículo 1. Luz\n\n", "[[a]("},
	{"ley.md", "# Ley 1/2001\n\n## Artículo 1. Luz\n\n", "<a "},
	{"ley.md", "# Ley 1/2001\n\n## Artículo 1. Luz\n\n", "> > > > a\n"},
	{"ley.md", "# Ley 1/2001\n\n", "## TÍTULO I\n\n### CAPÍTULO II\n\n"},
	{"ley.md", "# Ley 1/2001\n\n## Artículo 1. Luz\n\n", "(Modificado por la Ley 2 "},
	{"ley.md", "# Ley 1/2001\n\n## Artículo 1. Luz\n\n| a | b |\n|---|---|\n| ", "palabra | "},
}

// TestReadersAreLinear: four times the file costs no more than some four times the memory.
func TestReadersAreLinear(t *testing.T) {
	const size, slack = 1 << 16, 1 << 21
	for _, h := range costly {
		read := func(n int) int {
			data := []byte(h.begin + strings.Repeat(h.piece, n/len(h.piece)))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, _, err := ingest.ReadFile(context.Background(), h.name, data, ingest.Options{}); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			return int(after.TotalAlloc - before.TotalAlloc)
		}
		if one, four := read(size), read(4*size); four > 6*one+slack {
			t.Errorf("%s of %q: %d bytes, four times the file %d", h.name, h.piece, one, four)
		}
	}
}

// BenchmarkCostly is the time to read each of those files, of three megabytes:
// go test ./corpus/ingest -run - -bench Costly -benchtime 1x -benchmem
func BenchmarkCostly(b *testing.B) {
	for _, h := range costly {
		data := []byte(h.begin + strings.Repeat(h.piece, (3<<20)/len(h.piece)))
		b.Run(h.name+" "+h.piece, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, _, err := ingest.ReadFile(context.Background(), h.name, data, ingest.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestPageOfCopies: formatting that no paragraph closes goes on in each that follows; a page
// of few bytes that would be gigabytes is refused, and one of ordinary faults read.
func TestPageOfCopies(t *testing.T) {
	var b strings.Builder
	b.WriteString("<p>Artículo 1. Luz")
	for i := range 400 {
		fmt.Fprintf(&b, "<b id=%d>", i)
	}
	bomb := b.String() + "</p>" + strings.Repeat("<p>x</p>", 10000)
	docs, defects, err := ingest.ReadFile(t.Context(), "ley.html", []byte(bomb), ingest.Options{})
	if err != nil || len(docs) != 0 || len(defects) != 1 || defects[0].Kind != line.KindTooLarge {
		t.Errorf("%d documents, %v, %v", len(docs), defects, err)
	}
	if _, err := ingest.Plain(t.Context(), "ley.html", []byte(bomb), ingest.Options{}); digesto.CodeOf(err) != digesto.CodeTooLarge {
		t.Errorf("%v", err)
	}
	sloppy := "<h1>Ley 1/2001</h1><p>Artículo 1. Luz</p>" + strings.Repeat("<p><b>El faro <font color=red>alumbra</p>", 5000)
	if docs, defects, err = ingest.ReadFile(t.Context(), "ley.html", []byte(sloppy), ingest.Options{}); err != nil || len(docs) != 1 {
		t.Errorf("%d documents, %v, %v", len(docs), defects, err)
	}
}

// TestReadersStop when nobody waits for what they read.
func TestReadersStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, h := range costly {
		if docs, _, err := ingest.ReadFile(ctx, h.name, []byte(h.begin+strings.Repeat(h.piece, 1000)), ingest.Options{}); !errors.Is(err, context.Canceled) || docs != nil {
			t.Errorf("%s of %q: %d documents, %v", h.name, h.piece, len(docs), err)
		}
	}
}
