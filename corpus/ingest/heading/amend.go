package heading

import (
	"strings"

	"digesto"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// Units that say how another norm is changed. Their words are not the law one
// looks for: the consolidated text of the changed norm is.
var (
	amendRubric  = lazyregexp.New(`(?i)^(modificaci[oó]n(es)?|reforma|nueva redacci[oó]n) (de|del|a|al|en)( las?| los?| el)?( art[ií]culos?.*)?( texto refundido.*)? ?(ley(es)?|reales|real decreto|decreto|c[oó]digo|reglamento|orden|estatuto|normativa|disposici[oó]n|texto refundido)\b`)
	amendOpening = lazyregexp.New(`(?i)^(\S+ ){0,14}?(se modifican?|se a[ñn]aden?|se incorporan?|queda(n)? (redactad|modificad)[oa]s?|se da nueva redacci[oó]n|modif[ií]can?se|sustit[uú]yen?se|incorp[oó]ran?se) `)
	amendQuoted  = lazyregexp.New(`(?m)(^|[:\n] ?)[«"“]`)
)

// AmendPrefix bounds how much of a text is looked at.
const AmendPrefix = 600

// Amending says whether the current text of a unit only changes other norms: its
// rubric says so, or it opens so and gives the new wording in quotation marks.
func Amending(u digesto.Unit) bool {
	if amendRubric.MatchString(u.Rubric) {
		return true
	}
	for _, v := range u.Versions {
		if !v.Current {
			continue
		}
		head := v.Text[:min(len(v.Text), AmendPrefix)]
		return amendOpening.MatchString(head) && amendQuoted.MatchString(v.Text)
	}
	return false
}

// Amends says whether a rest begins like an order to change another norm.
func Amends(rest string) bool {
	f := text.Fold(leadingWord(rest))
	for _, p := range []string{"sustit", "modific", "incorp", "derog", "agreg", "anad", "reempl", "elimin", "suprim", "abrog", "deja", "intercal"} {
		if strings.HasPrefix(f, p) {
			return true
		}
	}
	return false
}
