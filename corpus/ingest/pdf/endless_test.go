package pdf_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/corpus/ingest/pdf"
	"digesto/corpus/ingest/structure"
	"digesto/internal/ingesttest"
	"digesto/internal/pdftest"
)

// TestPDFWithoutAnEnd: a paragraph that runs over hundreds of pages costs no more than others.
func TestPDFWithoutAnEnd(t *testing.T) {
	pages := make([]string, 150)
	for i := range pages {
		pages[i] = pdftest.Lines(60, 760, slices.Repeat([]string{strings.Repeat("faro y muelle ", 7) + fmt.Sprint(i)}, 50)...)
	}
	start := time.Now()
	r := pdf.NewReader(ingesttest.Engines)
	defer r.Close()
	d, err := r.Read(t.Context(), pdftest.MakePDF(pages...), pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Lines) > 300 || len(d.Lines[len(d.Lines)-1].Text) < 1000 {
		t.Fatalf("%d paragraphs", len(d.Lines))
	}
	units, _ := structure.Units(digesto.Norm{ID: "N"}, d.Lines, structure.Options{})
	ingesttest.Sound(t, units)
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %v", took)
	}
}
