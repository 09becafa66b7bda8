package digest

import "strings"

// Kind is a way of asking.
type Kind uint8

// The kinds of asks.
const (
	Short  Kind = iota // the rule asked plainly
	Street             // as people say it
	Told               // a case in one to four sentences
	Pro                // the term of the trade
	Line               // no ask, but what the entry answers
)

// Kinds are all kinds of asks, in the order in which files give them.
var Kinds = []Kind{Short, Street, Told, Pro}

var kindNames = [...]string{Short: "short", Street: "street", Told: "told", Pro: "pro"}

// String is the key that the kind has in files.
func (k Kind) String() string {
	if k == Line {
		return "text"
	}
	return kindNames[k]
}

// MarshalText gives String.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Ask is a question that an entry answers. There are hundreds of thousands.
type Ask struct {
	Text string
	Line int32
	Kind Kind
}

// Entry is one matter at one place of the law. One that Lazy gives is without Text, Words and Asks
// until it is opened; of those of an archive most have of their asks only the plain question.
type Entry struct {
	Norm, Unit string   // the place; Norm is empty for a matter that is elsewhere, Unit its name
	Text       string   // answers in plain words; ours, never the law's
	Words      string   // decisive words of the unit, to the letter; "" for what is elsewhere
	Same       []string // other places (NORM/unit) that hold the same rule
	Until      []string // norms that withdraw an entry of what is elsewhere once installed
	Talk       bool     // small talk, of what is elsewhere: nothing is asked
	Asks       []Ask
	File       string
	Line       int

	counts counts       // of one of an archive
	open   func() error // reads it, and those that stand by it; nil = there is nothing to read
}

// Open reads what Lazy left out. Several goroutines may do so at once.
func (e *Entry) Open() error {
	if e.open == nil {
		return nil
	}
	return e.open()
}

// Place is the entry's place, NORM/unit.
func (e *Entry) Place() string { return e.Norm + "/" + e.Unit }

// Elsewhere says that the entry tells of what is not in the law at hand.
func (e *Entry) Elsewhere() bool { return e.Norm == "" }

// Shared says that the entry is of the folder that every pack shares.
func (e *Entry) Shared() bool { return strings.HasPrefix(e.File, All+"/") }

// counts is how many asks of each kind there are.
type counts [Line]uint16

func (e *Entry) counted() (c counts) {
	if e.open != nil { // others may be reading its asks
		return e.counts
	}
	for _, a := range e.Asks {
		c[a.Kind]++
	}
	return c
}

// Leads is how many texts lead to the entry.
func (e *Entry) Leads() int {
	if e.open == nil {
		return len(e.Asks) + 1
	}
	n := 1
	for _, x := range e.counts {
		n += int(x)
	}
	return n
}

// Lead is one of the texts that lead to the entry: its asks, and last what it answers, which is
// near to questions that nobody put as an ask; the zero value where it is not at hand.
func (e *Entry) Lead(i int) Ask {
	switch asks := e.Leads() - 1; {
	case i == asks:
		return Ask{Kind: Line, Text: e.Text, Line: int32(e.Line)}
	case len(e.Asks) == asks:
		return e.Asks[i]
	}
	return Ask{}
}

// Short is the entry's plain question; "" when it has none.
func (e *Entry) Short() string {
	for _, a := range e.Asks {
		if a.Kind == Short {
			return a.Text
		}
	}
	return ""
}

// Count is how many asks of a kind the entry has.
func (e *Entry) Count(k Kind) int { return int(e.counted()[k]) }

// Skipped are units of a norm that nobody asks about, with the reason.
type Skipped struct {
	Units []string // ids or ranges "a5-a8" as written
	Why   string
}

// File is one file of entries.
type File struct {
	Name    string
	Norm    string // "" for matters elsewhere
	Sum     []byte // SHA-256 of its text
	Entries []Entry
	Skipped []Skipped
}

// splitList splits at commas and trims.
func splitList(s string) (out []string) {
	for _, x := range strings.Split(s, ",") {
		if x = strings.TrimSpace(x); x != "" {
			out = append(out, x)
		}
	}
	return out
}
