package digesto

import "strings"

// Date is a calendar day in ISO form ("2026-11-21"); the empty string is an
// unknown date. Days compare as strings.
type Date string

// Norm is one legal text (law, decree, order…) or one fiche of a pack: its
// identity and what is known about it, without its units.
type Norm struct {
	ID           string   `json:"id"`                  // in its source: BOE-A-2015-11430, LEY-20744, the registered name of a file
	IDs          []string `json:"ids,omitempty"`       // other identifiers: ELI, InfoLEG, official number
	Title        string   `json:"title"`               // official title
	Short        string   `json:"short,omitempty"`     // customary short name, when the source or a pack gives one
	Rank         string   `json:"rank,omitempty"`      // rank of norm as the source writes it, corrected by the pack's data
	Jurisdiction string   `json:"jurisdiction"`        // "es", "ar", "pe", with subdivision "ar-x"
	Territory    string   `json:"territory,omitempty"` // narrower territory it applies to: "es-an"; empty = the whole jurisdiction
	Collection   string   `json:"collection"`          // "normativa", "sentencias", "tabla_servicios"…
	Packs        []string `json:"packs,omitempty"`     // packs it was added to; empty = any
	Published    Date     `json:"published,omitempty"`
	TextAsOf     Date     `json:"text_as_of,omitempty"` // publication date of the last reform the text has in it
	InForce      Date     `json:"in_force,omitempty"`   // day it took effect as first published, where its own words say so for all of it
	Status       Status   `json:"status,omitempty"`
	StatusNote   string   `json:"status_note,omitempty"` // words of the source that support Status, e.g. a repeal note
	RepealedFrom Date     `json:"repealed_from,omitempty"`
	URL          string   `json:"url,omitempty"` // where the publisher has it; empty for a supplied text
	License      string   `json:"license,omitempty"`
	Source       string   `json:"source"` // registered document name: what a citation shows
	Format       string   `json:"format"` // reader that made it: "markdown", "pdf", "text", "jsonl", FormatFiche, FormatTable
	// Official: the bytes came from the publisher's service, at the address in Proof.
	// Supplied: a file or a request gave the text, and nothing proves who published it;
	// Claim is the address that it gives for itself. Neither: fiches and our own tables.
	Official  bool   `json:"official"`
	Proof     string `json:"fetched_from,omitempty"`
	Supplied  bool   `json:"supplied,omitempty"`
	Secondary bool   `json:"secondary,omitempty"` // a supplied text that says itself that it is no official text
	Claim     string `json:"claimed_url,omitempty"`
	// Name and Page come from the packs when a snapshot is opened, and are never stored.
	Name      string `json:"name,omitempty"`          // number and customary name: "Ley 20.744 de Contrato de Trabajo"
	Page      string `json:"official_page,omitempty"` // where the publisher has it, whoever gave this text
	Anchors   bool   `json:"-"`                       // that page has an anchor for each article, named by its id
	OCR       bool   `json:"ocr,omitempty"`           // text recognised optically
	PageCount int    `json:"pages,omitempty"`         // physical pages; 0 where the source has none
	Amending  bool   `json:"amending,omitempty"`      // only amends other norms
}

// Status says whether a norm is in force, as far as its source proves it.
type Status string

// The statuses of a norm.
const (
	StatusUnknown  Status = ""
	StatusInForce  Status = "in_force"
	StatusRepealed Status = "repealed"
	StatusPartial  Status = "partially_repealed"
)

// UnitKind is the kind of a unit. Kinds also prefix unit ids.
type UnitKind string

// The kinds of unit, each with the prefix that its ids carry.
const (
	KindArticle      UnitKind = "a"   // article: a38, a3bis, a62-A
	KindAdditional   UnitKind = "da"  // additional disposition: da3, daunica → da1 is not assumed: "daunica"
	KindTransitional UnitKind = "dt"  // transitional disposition
	KindRepealing    UnitKind = "dd"  // repealing disposition
	KindFinal        UnitKind = "df"  // final disposition
	KindOther        UnitKind = "dis" // other disposition (complementary, modifying…)
	KindPreliminary  UnitKind = "n"   // numbered norm of a preliminary title, Roman or word: nXV
	KindAnnex        UnitKind = "an"  // annex
	KindPreamble     UnitKind = "pr"  // preamble, recitals, enacting words
	KindTable        UnitKind = "t"   // table or row of a table
	KindSection      UnitKind = "s"   // section of a text without articles, or of a fiche
)

// Unit is one addressable piece of a norm: an article, a disposition, an annex…
// Its ID is unique in the norm and stable when the corpus is cut again: the
// kind's prefix and the number ("a38", "a3bis", "a62-A", "dt5", "nXV"); a number
// that repeats in one norm gets the suffix "~2", "~3"… in order
// of appearance, except that the norm's main text (the code, not the decree that
// approves it) keeps the plain ids.
type Unit struct {
	Norm     string    `json:"norm"`
	ID       string    `json:"id"`
	Kind     UnitKind  `json:"kind"`
	Number   string    `json:"number"`             // as written, normalised: "38", "3 bis", "62-A", "XV", "única"
	Label    string    `json:"label"`              // for people: "Artículo 38", "Disposición transitoria quinta"
	Rubric   string    `json:"rubric,omitempty"`   // heading without label and number
	Path     []string  `json:"path,omitempty"`     // headings above it: Título > Capítulo > Sección
	Amending bool      `json:"amending,omitempty"` // says how other norms are changed: the consolidated text is what answers
	Versions []Version `json:"versions"`           // oldest first; the last current one is what search shows by default
}

// Version is the text of a unit over an interval of time.
//
// Text is what may be quoted: legal text only, paragraphs separated by one
// newline, without label, rubric, reform notes or page furniture. Offsets in
// the program count code points (runes) of Text.
type Version struct {
	ID        string `json:"id"` // date of the text, or "1", "2"… where the source gives none
	Text      string `json:"text"`
	Published Date   `json:"published,omitempty"`
	ValidFrom Date   `json:"valid_from,omitempty"` // empty = unknown
	ValidTo   Date   `json:"valid_to,omitempty"`   // first day it no longer holds; empty = still in force or unknown (see Current)
	// Replaced is the day on which the text that followed was published, or the
	// first day on which this one is no longer proven. Where ValidTo is unknown
	// it held at least until the day before.
	Replaced Date     `json:"replaced,omitempty"`
	Current  bool     `json:"current"`           // false = history: never quoted as law in force
	Reforms  []Reform `json:"reforms,omitempty"` // changes the notes tell of, as the source orders them
	// Unseen are changes made while this wording is shown, whose own wording no source
	// here has: the paragraphs they name, or the whole of it where they name none, are not
	// proven from then on.
	Unseen []Reform    `json:"unseen,omitempty"`
	Pages  []PageMark  `json:"pages,omitempty"`
	Notes  []string    `json:"notes,omitempty"`  // reform notes and footnotes: shown, never quoted
	Refs   []Reference `json:"refs,omitempty"`   // references found in Text at ingestion
	SHA256 string      `json:"sha256,omitempty"` // of Text, hex
	// Defects are faults of this text that its source leaves open: it may be shown
	// and told of, never quoted without them.
	Defects []TextDefect `json:"defects,omitempty"`
	// AmendedBy are the norms that gave this wording, as the source or its reform
	// notes say: ids, or names where the norm has no id here; newest last.
	AmendedBy []string `json:"amended_by,omitempty"`
}

// The formats of what the packs embed.
const (
	FormatFiche = "fiche" // facts in our own words
	FormatTable = "table" // dated records: each row says its own days, and may be quoted on any
)

// Act is what one norm does to the text of another.
type Act string

// The acts. A note that tells of several counts as the widest: a change.
const (
	ActAmends  Act = "amends"
	ActAdds    Act = "adds"
	ActRepeals Act = "repeals"
	ActCites   Act = "cites" // none: it only names it
)

// Reform is one change of a text, as an editor's note beside it tells it.
type Reform struct {
	Norm      string   `json:"norm,omitempty"`      // id of the norm that made it, where the note gives it
	Name      string   `json:"name"`                // that norm as written: "Real Decreto-ley 9/2025"
	Act       Act      `json:"act,omitempty"`       // what it did; "" = not said
	Parts     []string `json:"parts,omitempty"`     // numbers of the paragraphs changed; empty = all, or not said
	Enacted   Date     `json:"enacted,omitempty"`   // day that norm bears; it was published then or later
	Published Date     `json:"published,omitempty"` // day it was published
	From      Date     `json:"from,omitempty"`      // day since which the change holds, where that is said
}

// Day is the day of its publication, else that which the norm bears; "" = unknown.
func (r Reform) Day() Date {
	if r.Published != "" {
		return r.Published
	}
	return r.Enacted
}

// DefectKind is a kind of fault of a text.
type DefectKind string

// The kinds of fault of a text.
const (
	DefectTwoWordings  DefectKind = "two_wordings"  // a former and a later wording of one paragraph, and which is which cannot be told
	DefectCutText      DefectKind = "cut_text"      // it ends within a sentence
	DefectMissingTable DefectKind = "missing_table" // it announces a table or list that the source does not have
	DefectUnseenReform DefectKind = "unseen_reform" // a note tells of a change whose wording the source does not print in its place
	DefectConditional  DefectKind = "conditional"   // a note makes its entry into force depend on something
	DefectBorrowed     DefectKind = "borrowed"      // taken from the page of another norm that changed it: perhaps an earlier wording, perhaps not its own
	DefectNotOwn       DefectKind = "not_own"       // it is a text of another norm
	DefectOldCopy      DefectKind = "old_copy"      // the whole copy is of the day it was printed: later reforms are not in it
)

// TextDefect is one fault of a text, as it was found when it was read.
type TextDefect struct {
	Kind   DefectKind `json:"kind"`
	Detail string     `json:"detail"` // Spanish, for people
}

// Foreign gives the fault that says a text may not be its norm's own.
func (v Version) Foreign() (TextDefect, bool) {
	for _, d := range v.Defects {
		if d.Kind == DefectBorrowed || d.Kind == DefectNotOwn {
			return d, true
		}
	}
	return TextDefect{}, false
}

// PageMark says that physical page Page begins at code point Start of a text.
// The first mark of a version has Start 0. Pages count from 1.
type PageMark struct {
	Start int `json:"start"`
	Page  int `json:"page"`
}

// Reference is a mention of a norm or unit in a text, as found by text/cite.
type Reference struct {
	Start  int    `json:"start"` // code points
	End    int    `json:"end"`
	Norm   string `json:"norm,omitempty"`   // id of the norm meant; empty = the norm it stands in, or not known
	Name   string `json:"name,omitempty"`   // the norm as written ("Ley 39/2015", "ET")
	Unit   string `json:"unit,omitempty"`   // id of the unit meant ("a38"); empty = the norm as a whole
	Detail string `json:"detail,omitempty"` // paragraph, letter, number below the unit, as written: "4", "b)", "2.c"
	To     string `json:"to,omitempty"`     // last number of a range ("15 a 20"), or "ss" for "y siguientes"
}

// Country is the first part of a jurisdiction: "ar" of "ar-x".
func Country(jurisdiction string) string {
	c, _, _ := strings.Cut(jurisdiction, "-")
	return c
}
