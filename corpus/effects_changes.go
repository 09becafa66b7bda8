package corpus

import (
	"slices"
	"strings"

	"digesto"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// A norm that changes another gives the new wording. Whether the text of the other that
// is installed has it shows how old that text is, whatever its file says of its day, and
// where a copy carries the words of something else.

// The share of a new wording that must be found in the unit for the change to be in it,
// and the share under which it is missing from a text that says it is of a later day. Over
// our collections the shares of 399 changes lie above .95 or, where the words of another
// norm or of a former day stand in their place, under .45.
const (
	hasWording   = .8
	lacksWording = .5
)

// changes says whether the text of a unit has the wording that another norm gives it.
func (r *resolver) changes(e Effect, n *digesto.Norm, units, own []digesto.Unit, s Statement) []Effect {
	at := placed(units, s.Places[0])
	if e.Outcome == EffectDoubtful || len(at) == 0 {
		return nil
	}
	u := at[0]
	e.Unit, e.Detail = u.ID, s.Places[0].Detail
	e.Outcome = EffectKnown
	given := givenWording(own, s)
	v := shown(u)
	switch {
	case given == "" || !v.Current || n.TextAsOf == "" || u.Amending:
	case changedSince(v, e):
	case otherRubric(u, given):
		return nil // the article of another norm is meant
	case n.TextAsOf < e.Published && share(given, u) < hasWording:
		e.Outcome = EffectMissing
	case n.TextAsOf >= e.Published && e.Detail == "" && len(v.Reforms) == 0 && noted(units) && share(given, u) < lacksWording:
		e.Outcome = EffectMissing
	case n.TextAsOf >= e.Published && len(v.Reforms) == 0 && v.Published == "" && v.ValidFrom == "" && share(given, u) >= hasWording:
		e.Outcome = EffectFound
	}
	return []Effect{e}
}

// givenWording is the wording that a statement gives.
func givenWording(own []digesto.Unit, s Statement) string {
	for i := range own {
		if own[i].ID == s.By {
			if rs := []rune(shown(&own[i]).Text); s.Words[1] <= len(rs) {
				return string(rs[s.Words[0]:s.Words[1]])
			}
		}
	}
	return ""
}

// changedSince says that the notes beside a text tell of this change or of one that came later.
func changedSince(v digesto.Version, e Effect) bool {
	return slices.ContainsFunc(v.Reforms, func(r digesto.Reform) bool {
		return foldID(r.Norm) == foldID(e.By) || r.Day() >= e.Published
	})
}

// noted says that the source of a norm notes changes beside its units.
func noted(units []digesto.Unit) bool {
	return slices.ContainsFunc(units, func(u digesto.Unit) bool { return len(shown(&u).Reforms) > 0 })
}

// otherRubric says that the first line of a wording is a heading that has no word of the unit's.
func otherRubric(u *digesto.Unit, given string) bool {
	line, _, more := strings.Cut(given, "\n")
	if u.Rubric == "" || !more || len(line) > maxRubric {
		return false
	}
	have := strings.Fields(text.Fold(u.Rubric))
	for _, w := range strings.Fields(text.Fold(line)) {
		if len(w) > 3 && slices.Contains(have, w) {
			return false
		}
	}
	return true
}

// maxRubric is the longest first line, in bytes, that is a heading.
const maxRubric = 160

// run of words that texts are compared by: shorter ones are shared by texts on one matter.
const wordRun = 5

var wordIn = lazyregexp.New(`[\pL\pN]+`)

// share is the part of a wording's runs of words that a unit has.
func share(given string, u *digesto.Unit) float64 {
	have := runsOf(u.Rubric + " " + shown(u).Text)
	want := runsOf(given)
	if len(want) == 0 {
		return 1
	}
	found := 0
	for w := range want {
		if have[w] {
			found++
		}
	}
	return float64(found) / float64(len(want))
}

func runsOf(s string) map[string]bool {
	words := wordIn.FindAllString(text.Fold(s), -1)
	out := make(map[string]bool, len(words))
	for i := 0; i+wordRun <= len(words); i++ {
		out[strings.Join(words[i:i+wordRun], " ")] = true
	}
	return out
}

// lastChange leaves, of the changes of a unit that its text lacks, the last: the others
// were replaced by it.
func lastChange(list []Effect) {
	last := map[string]digesto.Date{}
	for _, e := range list {
		if e.Act == digesto.ActAmends {
			last[e.Norm+"/"+e.Unit] = max(last[e.Norm+"/"+e.Unit], e.Published)
		}
	}
	for i := range list {
		if e := &list[i]; e.Outcome == EffectMissing && e.Published < last[e.Norm+"/"+e.Unit] {
			e.Outcome = EffectKnown
		}
	}
}
