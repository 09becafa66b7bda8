package pdf_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"digesto/corpus/ingest"
	"digesto/internal/ingesttest"
	"digesto/internal/shareddata"
)

// A scanned PDF is read by tesseract where it is installed, and marked; without
// it the report says what to install.
func TestScannedPDF(t *testing.T) {
	file := shareddata.Dir(t, "corpora/formats/pdf-escaneado/codigo-tributario-pp118-120.escaneado.pdf")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	docs, skipped, err := ingest.ReadFile(context.Background(), file, data, ingest.Options{})
	if err != nil || len(docs) != 0 || len(skipped) != 1 || skipped[0].Kind != "no_text_layer" || !strings.Contains(skipped[0].Detail, "tesseract") {
		t.Errorf("without the program: %d documents, %+v, %v", len(docs), skipped, err)
	}
	if testing.Short() {
		t.Skip("optical recognition left out with -short")
	}
	program, err := exec.LookPath("tesseract")
	if err != nil {
		t.Skip("tesseract is not installed: the recognition of scanned pages is not tested")
	}
	docs, skipped, err = ingest.ReadFile(context.Background(), file, data, ingest.Options{OCR: program})
	if err != nil || len(docs) != 1 {
		t.Fatalf("%d documents, %+v, %v", len(docs), skipped, err)
	}
	d := docs[0]
	ingesttest.SoundUnits(t, d)
	if !d.Norm.OCR || d.Norm.PageCount != 3 {
		t.Errorf("norm: %+v", d.Norm)
	}
	u := ingesttest.UnitNamed(t, d.Units, "a137")
	for _, v := range u.Versions {
		if v.Current && !strings.Contains(v.Text, "reclamación") {
			t.Errorf("article 137: %.200q", v.Text)
		}
	}
}
