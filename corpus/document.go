package corpus

import "digesto"

// Document is one norm as a reader of files hands it over.
type Document struct {
	Norm        digesto.Norm
	Units       []digesto.Unit
	Late        func() []digesto.Unit // instead of Units, for a snapshot in memory: read when the norm is first opened
	File        string                // path of the source file; together with Norm.ID it identifies the copy
	ContentHash string                // of whatever decided the result: the file's bytes, the reader's version, its options
	Defects     []Defect
	Says        []Statement // what its text does to other norms
	Named       bool        // an identifier is that of the norm, not the name of its file
	Chosen      bool        // it may take the place of the copies of its norm that are there
	aside       *aside      // where Units are instead; nil = they are here
}

// Defect is one thing found wrong in a file or a norm, in words for the report.
type Defect struct {
	File    string `json:"file"`
	Norm    string `json:"norm,omitempty"`
	Kind    string `json:"kind"`   // closed set, see corpus/ingest
	Detail  string `json:"detail"` // Spanish
	Skipped bool   `json:"skipped,omitempty"`
}

// DefectSuperseded is the kind of a copy that gave way to a better one of the
// same norm: see [Prefer].
const DefectSuperseded = "superseded_copy"
