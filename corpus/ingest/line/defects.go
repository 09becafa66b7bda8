package line

// Kinds of defect that end in a file or norm not being taken.
const (
	KindUnread    = "format_not_read" // a format without a reader yet
	KindLink      = "link_outside"    // a symbolic link out of the folder that was named
	KindBinary    = "not_text"        // bytes that are no text under a text's name
	KindEmpty     = "empty"           // no words
	KindTooLarge  = "too_large"
	KindDocs      = "not_law"           // documentation of a folder
	KindIdentity  = "identity_mismatch" // says it is one norm, is another
	KindDuplicate = "duplicate_content" // the same text as another norm
	KindDamaged   = "damaged"           // the reader could not make sense of the file
	KindReplaces  = "needs_replace"     // would take the place of an installed copy, which nobody asked for
)

// Defects that do not keep a norm out.
const (
	KindNoUnits   = "no_articles" // no article was found
	KindGaps      = "gaps"        // numbers missing in the series
	KindForeign   = "foreign_text"
	KindBorrowed  = "borrowed_articles" // filled in by the collector from other norms' pages
	KindFurniture = "publisher_furniture"
	KindHeaders   = "page_headers"
	KindDates     = "dates_unreliable"
	KindCharset   = "charset"
	KindStatus    = "status_corrected"
	KindRank      = "rank_corrected"
	KindTables    = "tables_missing"
	KindOCR       = "ocr_text"
	KindReplaced  = "replaced_copy" // it took the place of an installed copy of its norm
)

// Defects of what a service sent in place of a norm, or of a part of it.
const (
	KindNotNorm  = "not_a_norm"    // metadata, a summary, a list: official, but not the text of a norm
	KindErrorDoc = "error_page"    // a service's error in place of the document
	KindCut      = "cut_off"       // the document ends before its end
	KindNoMeta   = "metadata_gone" // the identity had to be taken from the file's name
)

// Refusal is why a reader makes nothing of a file: a kind of defect, and words for people.
type Refusal struct{ Kind, Detail string }

func (r *Refusal) Error() string { return r.Detail }

// Refuse gives a [Refusal] as an error.
func Refuse(kind, detail string) error { return &Refusal{Kind: kind, Detail: detail} }
