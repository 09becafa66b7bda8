package ingest

import (
	"runtime"
	"strings"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/dating"
	"digesto/corpus/ingest/gitlog"
	"digesto/corpus/ingest/pdf"
	"digesto/text/cite"
)

// version of the readers and the recogniser. It is part of what decides a
// result, so that a better reader reads unchanged files again.
const version = "14"

// Options steer an ingestion. The zero value reads everything into the
// collection "normativa" with as many workers as there are processors.
type Options struct {
	Pack       string // pack the norms are added to; "" = any
	Collection string // "" = what the file says, or "normativa"
	// Jurisdiction of files that do not say theirs ("es", "ar", "pe"); "" = unknown.
	Jurisdiction string
	Jobs         int          // workers; 0 = GOMAXPROCS
	MaxBytes     int64        // largest file read; 0 = 256 MB
	Aliases      []cite.Alias // names of norms, for the references found in texts
	// Known are norms that are expected: a file that does not say which it is, and
	// whose name begins with the identifier of one, is that one. Only identity is
	// taken (id, title, rank, address, jurisdiction, territory), never text.
	Known []digesto.Norm
	// Fetched tells of a file, by the SHA-256 of its bytes, the address of the publisher
	// that it was fetched from; "" = it was not, and it is a supplied text whatever it says
	// of itself. nil = none was.
	Fetched func(sum [32]byte) string
	// Replace lets supplied texts take the place of other copies of their norms that are
	// installed; without it such a text is left out, and the report says so.
	Replace  bool
	OCR      string // path of the program tesseract, for scanned PDFs; "" = they are named and left out
	CacheDir string // where the compiled PDF engine is kept; "" = compiled anew in each run
	// Git is the path of the program git: the earlier states of Markdown files that
	// stand in a git work tree become versions where their day is proven; "" = the
	// history is left out, and a work tree named. NoHistory leaves it out unsaid.
	Git       string
	NoHistory bool
	Progress  func(Progress) // called after each file, from one goroutine at a time; may be nil
	// BeforeSwap is handed to the library: what derives from the new snapshot is
	// built there (see corpus.UpdateOptions).
	BeforeSwap func(*corpus.Snapshot) error

	held int // of tests: see heldBytes; 0 = that

	pdf *pdf.Reader   // shared by the workers of one Add
	log *dating.Log   // of the folders added; nil = none
	on  *gitlog.State // of the text being read, as its history tells; nil = it has none
}

func (o Options) jobs() int {
	if o.Jobs > 0 {
		return o.Jobs
	}
	return runtime.GOMAXPROCS(0)
}

func (o Options) maxBytes() int64 {
	if o.MaxBytes > 0 {
		return o.MaxBytes
	}
	return 256 << 20
}

// key is what of the options decides how a file is read.
func (o Options) key() string {
	ocr := ""
	if o.OCR != "" {
		ocr = "ocr"
	}
	return version + ocr + "\x00" + o.Pack + "\x00" + o.Collection + "\x00" + o.Jurisdiction + "\x00" + o.log.Key() + o.on.Key()
}

// known gives the expected norm that the name of a file begins with.
func (o Options) known(stem string) (digesto.Norm, bool) {
	stem = strings.ToLower(stem)
	for _, n := range o.Known {
		rest, ok := strings.CutPrefix(stem, strings.ToLower(n.ID))
		if ok && (rest == "" || strings.ContainsAny(rest[:1], "-_ .(")) {
			return n, true
		}
	}
	return digesto.Norm{}, false
}

// Progress tells how far an ingestion is.
type Progress struct{ Done, Total int }

// Report says what an ingestion did. Every defect found is in it.
type Report struct {
	Files      int             `json:"files"`     // files looked at
	Changed    int             `json:"changed"`   // files read because they were new or different
	Unchanged  int             `json:"unchanged"` // files already in the library as they are
	Norms      int             `json:"norms"`     // of the files read now
	Units      int             `json:"units"`
	Versions   int             `json:"versions"`
	References int             `json:"references"`
	Resolved   int             `json:"resolved"` // references whose norm is known
	Kinds      map[string]int  `json:"defects_by_kind,omitempty"`
	Skipped    []corpus.Defect `json:"skipped,omitempty"` // files and norms not taken, with the reason
	Defects    []corpus.Defect `json:"defects,omitempty"` // what was found wrong in those taken
	Snapshot   string          `json:"snapshot,omitempty"`
	Elapsed    time.Duration   `json:"elapsed_ns"`
}
