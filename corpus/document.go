// Package corpus is the library: the sole owner of legal text. Norms, their
// units and versions live in snapshots; everything that quotes reads from here.
package corpus

import "digesto"

// Document is one norm as a reader made it: what ingestion hands to the library.
type Document struct {
	Norm        digesto.Norm
	Units       []digesto.Unit
	File        string // where it was read from, as registered
	ContentHash string // SHA-256 of the bytes read, hex
	Defects     []Defect
}

// Defect is one thing found wrong in a file or a norm, in words for the report.
type Defect struct {
	File    string `json:"file"`
	Norm    string `json:"norm,omitempty"`
	Kind    string `json:"kind"`   // closed set, see corpus/ingest
	Detail  string `json:"detail"` // Spanish
	Skipped bool   `json:"skipped,omitempty"`
}
