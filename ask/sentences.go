package ask

import (
	"strings"

	"digesto/text"
)

// sfeature is one thing that speaks for or against a sentence as the one that answers.
type sfeature int

// The features of a sentence, each 0–1.
const (
	sOwn       sfeature = iota // share of the question's information in it
	sParagraph                 // … in its paragraph and in what announces it
	sRubric                    // … in the rubric, if the sentence holds any of it or is the first
	sPairs                     // the question's neighbouring words are neighbours here
	sKind                      // the asked kind of thing is in it
	sKindNear                  // … and its paragraph is about the question
	sList                      // it announces a list, and one is asked for
	sHeaded                    // "2. Plazo: …"
	sNoun                      // the counted noun is in it, with a number
	sFirst                     // its paragraph stands near the beginning of the unit
	sShort                     // too short to say anything, or a blank to fill in
	sNote                      // no rule of its unit
	sCase                      // it opens with a case that the question does not name
	sExcept                    // it opens as an exception to what stands before it
	sDefines                   // it says what the matter is, and that is asked
	sOpens                     // the matter of the question opens it
	sRefers                    // it mostly names other places
	sfeatures
)

// sentenceWeights say how much each feature counts: fitted as
// rankWeights are, on the questions whose answering words are known.
var sentenceWeights = [sfeatures]float64{
	sOwn: .75, sParagraph: .23, sRubric: .08, sPairs: .06, sKind: .4, sKindNear: .15, sList: .4, sHeaded: .3, sNoun: .55,
	sFirst: .55, sShort: -.27, sNote: -1, sCase: -.4, sExcept: -.06, sDefines: .3, sOpens: .35, sRefers: -.1,
}

// score weighs the features of sentence i.
func (u *unitText) score(f *focus, i int) pick {
	v := u.sentenceFeatures(f, i)
	p := pick{at: i, kind: v[sKind] > 0, cover: f.covers(f.on(u).around(i))}
	for k, w := range sentenceWeights {
		p.score += w * v[k]
	}
	return p
}

func (u *unitText) sentenceFeatures(f *focus, i int) (v [sfeatures]float64) {
	s, seen := &u.sents[i], f.on(u)
	own := f.nears(seen.sent(i))
	v[sOwn] = own
	v[sParagraph] = f.nears(seen.para(i))
	if own > 0 || i == 0 {
		v[sRubric] = f.nears(seen.rubric)
	}
	v[sPairs] = f.pairShare(u, i)
	if u.holds(f, i) {
		v[sKind], v[sKindNear] = 1, v[sParagraph]
		v[sList] = boolOf(f.kind == KindList)
	}
	v[sHeaded] = boolOf(s.headed&f.kind.bit() != 0)
	if f.noun != "" && s.has&hasNumber != 0 && u.sentHas(i, wordKey(f.noun)) {
		v[sNoun] = 1
	}
	v[sFirst] = 1 / float64(1+s.Para)
	v[sShort] = boolOf(len(s.seq) < 4 && u.leadOf(i) < 0 || s.blank)
	v[sNote] = boolOf(s.note)
	v[sCase] = f.foreignCase(u, i)
	v[sExcept] = boolOf(s.limits)
	if f.kind == KindDefinition {
		v[sDefines] = u.saysWhatIs(f, i)
	}
	v[sOpens] = f.nears(seen.opening(i))
	v[sRefers] = s.references
	return v
}

// foreignCase says how far a sentence opens with a case ("En el supuesto de parto
// múltiple, …") that the question does not name: half for a word of it, the rest by
// the share of its words; 0 without one.
func (f *focus) foreignCase(u *unitText, i int) float64 {
	s := &u.sents[i]
	if !s.caseful {
		return 0
	}
	foreign, n := 0, len(s.caseWords)
	for _, k := range s.caseWords {
		if !f.knowsWord(u.words[k]) {
			foreign++
		}
	}
	switch {
	case n == 0:
		return 1
	case foreign == 0:
		return 0
	}
	return .5 + .5*float64(foreign)/float64(n)
}

// subjectEnd gives where the subject of a sentence ends that says what something is
// ("La fianza es…"): at the verb of being, or at the comma before it; 0 when it has
// none near its opening.
func subjectEnd(s string) int {
	prev, comma := "", 0
	for i, t := range text.Tokens(nil, s[:len(strings.ToValidUTF8(s[:min(len(s), 320)], ""))]) {
		if i > 0 && comma == 0 && strings.Contains(s[:t.Start], ",") {
			comma = strings.Index(s, ",")
		}
		if (t.Text == "es" || t.Text == "son" || t.Text == "sera" || t.Text == "seran") && prev != "que" && prev != "cual" && prev != "quien" && prev != "no" {
			if comma > 0 {
				return comma
			}
			return max(1, t.Start)
		}
		prev = t.Text
	}
	return 0
}

func caseWord(w string) bool {
	switch w {
	case "caso", "casos", "supuesto", "supuestos", "tratandose", "cuando", "respecto", "quienes", "demas":
		return true
	}
	return false
}

// saysWhatIs says how plainly a sentence says what the matter of the question is:
// the matter alone is the subject of a verb of being ("la fianza es…", "hay fianza
// cuando…" under that rubric), or the sentence gives a meaning to its words.
func (u *unitText) saysWhatIs(f *focus, i int) float64 {
	s := &u.sents[i]
	opened := f.covers(f.on(u).opening(i))
	if s.gives && opened >= .6 {
		return opened
	}
	v := 0.0
	if s.is && len(s.subject) > 0 {
		own := 0
		for _, k := range s.subject {
			own += int(boolOf(f.isTerm(f.slots.of(u.words[k].stem), false)))
		}
		if share := float64(own) / float64(len(s.subject)); share >= .5 {
			v = share * opened
		}
	}
	return v
}
