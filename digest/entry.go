package digest

import "strings"

// Kind is a way of asking.
type Kind string

// The kinds of asks.
const (
	Short  Kind = "short"  // the rule asked plainly
	Street Kind = "street" // as people say it
	Told   Kind = "told"   // a case in one to four sentences
	Pro    Kind = "pro"    // the term of the trade
)

// Kinds are all kinds of asks, in the order in which files give them.
var Kinds = []Kind{Short, Street, Told, Pro}

// Ask is a question that an entry answers.
type Ask struct {
	Kind Kind
	Text string
	Line int
}

// Entry is one matter at one place of the law.
type Entry struct {
	Norm, Unit string   // the place; Norm is empty for a matter that is elsewhere, Unit its name
	Text       string   // answers in plain words; ours, never the law's
	Words      string   // decisive words of the unit, to the letter; "" for what is elsewhere
	Same       []string // other places (NORM/unit) that hold the same rule
	Until      []string // norms that withdraw an entry of what is elsewhere once installed
	Asks       []Ask
	File       string
	Line       int
}

// Place is the entry's place, NORM/unit.
func (e Entry) Place() string { return e.Norm + "/" + e.Unit }

// Elsewhere says that the entry tells of what is not in the law at hand.
func (e Entry) Elsewhere() bool { return e.Norm == "" }

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
func (e Entry) Count(k Kind) (n int) {
	for _, a := range e.Asks {
		if a.Kind == k {
			n++
		}
	}
	return n
}

// Skipped are units of a norm that nobody asks about, with the reason.
type Skipped struct {
	Units []string // ids or ranges "a5-a8" as written
	Why   string
}

// File is one file of entries.
type File struct {
	Name    string
	Norm    string // "" for matters elsewhere
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
