package ingest

// pdfMeta is what a document says of itself on its first pages.
type pdfMeta struct {
	Title    string   // largest type of the first page
	ID       string   // identifier printed as its own
	IDs      []string // further identifiers printed on the first pages
	TextAsOf string   // AAAA-MM-DD of the last reform taken in
	URL      string
}

func readPDFMeta(pages [][]textLine) pdfMeta { return pdfMeta{} }
