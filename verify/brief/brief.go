// Package brief checks any text that cites law: a brief, a ruling, the answer of
// an assistant. It finds every citation and every quotation, ties them together,
// and says of each whether the installed law bears it out. A quotation is judged
// by the rule of package quote: verbatim or not at all.
//
// The steps are rooms of their own: package read gives the text as it is read, its quotations
// and what looks like a place; here the citations get the norms that they mean (citations.go and
// what it calls), package link says which belongs to which, package judge whether words stand in
// a text of law, and here the verdict on each is made (verdict.go). What a sentence says that
// cites without quoting is held against the unit cited (claim.go).
package brief

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
	"digesto/text/cite"
	"digesto/text/diff"
	"digesto/verify"
	"digesto/verify/link"
	"digesto/verify/read"
)

// Verdict is what was found about one citation.
type Verdict string

// The verdicts.
const (
	// Verified: the unit is there and in force, and the words quoted stand in it.
	Verified Verdict = "VERIFIED"
	// Superseded: the words are the law's, but of a version or a norm that does not
	// hold on the day asked.
	Superseded Verdict = "SUPERSEDED"
	// Misattributed: the words are in the installed law, elsewhere.
	Misattributed Verdict = "MISATTRIBUTED"
	// NotFound: the norm is installed and has no such unit, or no such words.
	NotFound Verdict = "NOT_FOUND"
	// Unresolved: the norm is not installed, or it cannot be told which is meant.
	Unresolved Verdict = "UNRESOLVED"
)

// Finding is one citation, with the quotation tied to it if there is one, and
// what was found. Offsets are code points of the text given.
type Finding struct {
	Text    string         `json:"text"` // the citation as written; "" for a quotation without one
	Norm    string         `json:"norm"`
	Unit    string         `json:"unit"`
	Quote   *string        `json:"quote"`
	Verdict Verdict        `json:"verdict"`
	Reason  string         `json:"reason"`  // in Spanish, with what to do next
	Where   []*digesto.Ref `json:"where"`   // where the words, or the unit, really are
	Nearest *Nearest       `json:"nearest"` // of words that are nowhere, or no longer in force
	Claim   *Claim         `json:"claim"`   // what the sentence around a citation without quotation says; null elsewhere
	Start   int            `json:"start"`
	End     int            `json:"end"`
	// QuoteStart and QuoteEnd are the place of the quotation; 0, 0 without one.
	QuoteStart int `json:"quote_start"`
	QuoteEnd   int `json:"quote_end"`
}

// Nearest is the passage of law most like a quotation.
type Nearest struct {
	Quote string       `json:"quote"`
	Ref   *digesto.Ref `json:"ref"`
	// Diff leads from the words of the text to the words of the law.
	Diff []diff.Piece `json:"diff"`
}

// Report is what was found in a text, in its order.
type Report struct {
	AsOf   digesto.Date `json:"as_of"`
	Corpus string       `json:"corpus"`
	// Checked says how much of the text the report is of.
	Checked   Checked         `json:"checked"`
	Citations []Finding       `json:"citations"`
	Counts    map[Verdict]int `json:"counts"`
	// Claims counts the sentences that cite without quoting, by what the articles say of them.
	Claims map[verify.Holding]int `json:"claims"`

	// Rules are the rules that decided to which citation a quotation belongs.
	Rules []link.RuleUsed `json:"-"`

	steps, tried int // what it cost; see read.Meter
}

// Options say against what a text is checked.
type Options struct {
	Law    *corpus.Snapshot
	Search digesto.Searcher // of Law; finds words that stand elsewhere
	Table  *cite.Table      // names of norms
	// AsOf is the day on which the law must hold; "" = Today.
	AsOf, Today digesto.Date
	// Rulings are the forms of citing rulings; those of the European identifier
	// (ECLI) are known.
	Rulings []*regexp.Regexp
	// Courts are the initials of courts: what they say of an article is not its text.
	Courts []string
	// Places are the names of jurisdictions, by code: they tell a country's code from
	// another's of the same name. May be nil.
	Places map[string]string
	// Install gives the command that installs a norm, by its id or its name as
	// written; "" when none is known. May be nil.
	Install func(norm, name string) string

	work int // steps allowed; 0 = maxWork
}

// Check checks a text. Errors are *digesto.Error with CodeTooLarge, with CodeCancelled when
// ctx ends, or those of the search; a text without citations gives an empty report.
func Check(ctx context.Context, s string, o Options) (Report, error) {
	if len(s) > MaxText {
		return Report{}, &digesto.Error{Code: digesto.CodeTooLarge, Message: "El texto es demasiado largo", Hint: fmt.Sprintf("Compruébelo por partes de menos de %d MB.", MaxText>>20)}
	}
	var r Report
	err := read.Halted(func() { r = checked(ctx, s, o) })
	return r, err
}

// checked checks a text; with more citations than a report holds, up to where one is full.
func checked(ctx context.Context, whole string, o Options) (r Report) {
	seen := read.ReadingOf(&read.Meter{Ctx: ctx}, whole)
	upTo := Checked{true, utf8.RuneCountInString(seen.Text)}
	for s := seen.Text; ; {
		err := read.Halted(func() { r = report(ctx, s, o) })
		var more read.TooMany
		if !errors.As(err, &more) {
			read.Must(err)
			break
		}
		s, upTo = read.UpTo(s, more.At), Checked{Read: more.At}
	}
	if r.Checked.Complete {
		r.Checked = upTo
	}
	placeGiven(seen, &r)
	return r
}

// report checks a text with no more citations than a report holds; else it is halted.
func report(ctx context.Context, s string, o Options) Report {
	j := newChecker(ctx, s, o)
	r := Report{AsOf: j.day(), Corpus: j.Law.Hash(), Checked: Checked{Complete: true}, Citations: []Finding{}, Counts: map[Verdict]int{}, Claims: map[verify.Holding]int{verify.Supported: 0, verify.Contradicted: 0, verify.NotShown: 0}}
	for _, v := range []Verdict{Verified, Superseded, Misattributed, NotFound, Unresolved} {
		r.Counts[v] = 0
	}
	mentions := j.read(s)
	j.sentences(mentions, j.quotes)
	j.Most = cmp.Or(o.work, maxWork)
	for _, t := range link.Tie(&j.Meter, s, j.runes, mentions, j.quotes, j.court, j.fired) {
		if t.Start() >= j.until {
			break
		}
		if j.spent(t.Start(), func() {
			if f, ok := j.judge(t); ok {
				r.Citations = append(r.Citations, f)
			}
		}) {
			break
		}
	}
	if j.until < len(j.runes) {
		r.Checked = Checked{Read: j.until}
	}
	r.steps, r.tried, r.Rules = j.Done, j.Tried, link.RulesUsed(j.fired)
	settle(r.Citations)
	for _, f := range r.Citations {
		r.Counts[f.Verdict]++
		if f.Claim != nil {
			r.Claims[f.Claim.Verdict]++
		}
	}
	return r
}

// spent says whether some work on what stands at a place was too much: nothing is judged from there on.
func (j *checker) spent(at int, work func()) bool {
	err := read.Halted(work)
	if errors.Is(err, read.ErrSpent) {
		j.until = min(j.until, at)
		return true
	}
	read.Must(err)
	return false
}

// read finds the citations of a text and, in j, its quotations, in order. What bears no mark
// is told from the author's words by what is cited beside it.
func (j *checker) read(s string) []read.Mention {
	j.quotes = read.Quotations(&j.Meter, s, j.runes)
	j.quotes = read.InOrder(append(j.quotes, j.unmarked(s)...))
	mentions := j.citations(s, j.quotes)
	more := j.announced(s, mentions)
	if len(more) == 0 {
		return mentions
	}
	j.quotes = read.InOrder(append(j.quotes, more...))
	return j.citations(s, j.quotes)
}

// placeGiven puts the places of a report of the reading where they are in the text given.
func placeGiven(r *read.Reading, rep *Report) {
	if r.Text == r.Whole {
		return
	}
	whole := []rune(r.Whole)
	stretch := func(start, end *int) {
		if *start < *end {
			*start, *end = r.Given(*start, false), r.Given(*end, true)
		}
	}
	for k := range rep.Citations {
		f := &rep.Citations[k]
		stretch(&f.Start, &f.End)
		if f.Text != "" {
			f.Text = string(whole[f.Start:min(f.End, len(whole))])
		}
		stretch(&f.QuoteStart, &f.QuoteEnd)
		if f.Claim != nil {
			stretch(&f.Claim.Start, &f.Claim.End)
		}
	}
	rep.Checked.Read = r.Given(rep.Checked.Read, true)
}
