// Package brief checks any text that cites law: a brief, a ruling, the answer of
// an assistant. It finds every citation and every quotation, ties them together,
// and says of each whether the installed law bears it out. A quotation is judged
// by the rule of package quote: verbatim or not at all.
//
// The steps are: quotations (quoted.go), citations (package cite), which belongs
// to which (tie.go), and the verdict on each (judge.go). What a sentence says that cites
// without quoting is held against the unit cited (claim.go).
package brief

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"digesto"
	"digesto/corpus"
	"digesto/text/cite"
	"digesto/text/diff"
	"digesto/verify"
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
	Rules []RuleUsed `json:"-"`

	steps int // what it cost; see meter
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
	seen, err := readingOf(ctx, s)
	if err != nil {
		return Report{}, err
	}
	checked := whole(seen.text)
	for s := seen.text; ; {
		r, err := report(ctx, s, o)
		var more tooMany
		if !errors.As(err, &more) {
			if r.Checked.Complete {
				r.Checked = checked
			}
			seen.place(&r)
			return r, err
		}
		s, checked = upTo(s, more.at), Checked{Read: more.at}
	}
}

// report checks a text with no more citations than a report holds; else its error is tooMany.
func report(ctx context.Context, s string, o Options) (Report, error) {
	j := newJudge(ctx, s, o)
	r := j.empty()
	mentions, quotes, err := j.read(s)
	if err != nil {
		return r, err
	}
	j.quotes = quotes
	j.sentences(mentions, quotes)
	j.most = cmp.Or(o.work, maxWork)
	ties, err := j.tie(s, mentions, quotes)
	if err != nil {
		return r, err
	}
	for _, t := range ties {
		if t.start() >= j.until {
			break
		}
		f, ok, err := j.judge(t)
		if errors.Is(err, errSpent) {
			j.until = t.start()
			break
		}
		if err != nil {
			return r, err
		}
		if ok {
			r.Citations = append(r.Citations, f)
		}
	}
	if j.until < len(j.runes) {
		r.Checked = Checked{Read: j.until}
	}
	r.steps, r.Rules = j.done, RulesUsed(j.fired)
	settle(r.Citations)
	for _, f := range r.Citations {
		r.Counts[f.Verdict]++
		if f.Claim != nil {
			r.Claims[f.Claim.Verdict]++
		}
	}
	return r, nil
}

// empty is the report of a text without citations.
func (j *judge) empty() Report {
	r := Report{AsOf: j.day(), Corpus: j.Law.Hash(), Checked: Checked{Complete: true}, Citations: []Finding{}, Counts: map[Verdict]int{}, Claims: map[verify.Holding]int{verify.Supported: 0, verify.Contradicted: 0, verify.NotShown: 0}}
	for _, v := range []Verdict{Verified, Superseded, Misattributed, NotFound, Unresolved} {
		r.Counts[v] = 0
	}
	return r
}

// read finds the citations and the quotations of a text, in order.
func (j *judge) read(s string) ([]mention, []quotation, error) {
	quotes, err := j.quotations(s)
	if err != nil {
		return nil, nil, err
	}
	more, err := j.unmarked(s, quotes)
	if err != nil {
		return nil, nil, err
	}
	quotes = inOrder(append(quotes, more...))
	mentions, err := j.citations(s, quotes)
	if err != nil {
		return nil, nil, err
	}
	if more, err = j.announced(s, mentions, quotes); err != nil || len(more) == 0 {
		return mentions, quotes, err
	}
	quotes = inOrder(append(quotes, more...))
	mentions, err = j.citations(s, quotes)
	return mentions, quotes, err
}

func inOrder(list []quotation) []quotation {
	slices.SortFunc(list, func(a, b quotation) int { return a.from - b.from })
	return list
}
