package ingest

import (
	"context"
	"errors"

	"digesto"
	"digesto/corpus"
)

// kinds of the PDF reader's errors among those of this report.
var pdfKinds = map[string]string{"empty": kindEmpty, "too-large": kindTooLarge, "no-text": "no_text_layer", "encrypted": "encrypted", "timeout": "timeout"}

func readPDFFile(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	pool := opt.pdf
	if pool == nil {
		pool = newPDFPool(opt.CacheDir)
		defer pool.close()
	}
	pdf, err := pool.read(ctx, data, pdfLimits{})
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		d := corpus.Defect{File: path, Kind: kindDamaged, Detail: "PDF: " + err.Error(), Skipped: true}
		var pe *pdfError
		if errors.As(err, &pe) && pe.Kind == "no-text" && pe.Scanned && opt.OCR != "" {
			return recognise(ctx, path, pe.File, opt)
		}
		if errors.As(err, &pe) {
			d.Kind = firstOf(pdfKinds[pe.Kind], kindDamaged)
			d.Detail = "PDF: " + pe.Detail
		}
		return nil, []corpus.Defect{d}, nil
	}
	if listsNorms(pdf.Lines) {
		return refuse(path, kindNotNorm, summaryDetail)
	}
	n := front{}.norm(path, opt)
	n.Format, n.PageCount = "pdf", pdf.Pages
	n.Title, n.IDs, n.URL = firstOf(n.Title, pdf.Meta.Title), pdf.Meta.IDs, firstOf(n.URL, pdf.Meta.URL)
	n.TextAsOf, n.Published = digesto.Date(pdf.Meta.TextAsOf), digesto.Date(pdf.Meta.Published)
	if pdf.Meta.ID != "" {
		n.ID = safeID(pdf.Meta.ID)
	}
	doc, skipped := assemble(ctx, n, nil, pdf.Lines, path)
	return doc.result(skipped)
}

// listsNorms tells the summary of a journal's issue: many paragraphs or lines begin
// with the identifier of a norm, and none is the head of an article.
func listsNorms(lines []Line) bool {
	listed := map[string]bool{}
	for _, l := range lines {
		if readHead(l).kind == headArticle {
			return false
		}
		if at := officialID.FindStringIndex(l.Text); at != nil && at[0] == 0 {
			listed[l.Text[:at[1]]] = true
		}
	}
	return len(listed) >= 5
}
