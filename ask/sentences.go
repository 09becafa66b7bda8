package ask

import (
	"strings"

	"digesto/text"
	"digesto/text/sentence"
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
	p := pick{at: i, kind: v[sKind] > 0, cover: f.cover(func(t string) bool { return u.inParagraph(i, t) || u.rubric[t] })}
	for k, w := range sentenceWeights {
		p.score += w * v[k]
	}
	return p
}

func (u *unitText) sentenceFeatures(f *focus, i int) (v [sfeatures]float64) {
	s := &u.sents[i]
	own := f.near(func(t string) bool { return s.stems[t] })
	v[sOwn] = own
	v[sParagraph] = f.near(func(t string) bool { return u.inParagraph(i, t) })
	if own > 0 || i == 0 {
		v[sRubric] = f.near(func(t string) bool { return u.rubric[t] })
	}
	v[sPairs] = f.pairShare(s.seq)
	if u.holds(f, i) {
		v[sKind], v[sKindNear] = 1, v[sParagraph]
		v[sList] = boolOf(f.kind == KindList)
	}
	v[sHeaded] = boolOf(headed(f.kind, s.Text))
	if f.noun != "" && s.stems[f.noun] && s.has&hasNumber != 0 {
		v[sNoun] = 1
	}
	v[sFirst] = 1 / float64(1+s.Para)
	v[sShort] = boolOf(len(s.seq) < 4 && u.leadOf(i) < 0 || strings.Contains(s.Text, "____"))
	v[sNote] = boolOf(notRule(s.Text))
	v[sCase] = f.foreignCase(s)
	v[sExcept] = boolOf(limits(s.Text))
	if f.kind == KindDefinition {
		v[sDefines] = u.saysWhatIs(f, i)
	}
	v[sOpens] = f.near(func(t string) bool { return s.opening[t] })
	v[sRefers] = s.refers()
	return v
}

// caseWords is how far into a sentence the case reaches with which it opens.
const caseWords = 16

// foreignCase says how far a sentence opens with a case ("En el supuesto de parto
// múltiple, …") that the question does not name: half for a word of it, the rest by
// the share of its words; 0 without one.
func (f *focus) foreignCase(s *analysed) float64 {
	if !s.caseful {
		return 0
	}
	foreign, n := 0, 0
	for _, w := range s.caseStems {
		n++
		if k := kinOf(w); !f.knows(w) && (k == "" || !f.knowsKin(k)) {
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

func (f *focus) knows(stem string) bool { _, ok := f.where[stem]; return ok }

func (f *focus) knowsKin(kin string) bool {
	for _, t := range f.terms {
		if t.kin == kin {
			return true
		}
	}
	return false
}

// openingWords is how many of a sentence's content words count as its opening.
const openingWords = 8

// open reads how a sentence opens: its first content words, and the case it is for.
func (s *analysed) open(terms []text.Term) {
	s.opening = map[string]bool{}
	raw := s.Text
	n, _ := sentence.Mark([]rune(raw))
	start := len(string([]rune(raw)[:n]))
	s.caseful = opensCase(raw[start:])
	subject := subjectEnd(raw[start:])
	s.is = subject > 0
	s.gives = definesWord.MatchString(text.Fold(strings.ToValidUTF8(raw[start:min(len(raw), start+240)], "")))
	inCase := s.caseful
	words := 0
	for _, t := range terms {
		if t.Start < start {
			continue
		}
		if inCase && words > 0 && strings.Contains(raw[start:t.Start], ",") || words >= caseWords {
			inCase = false
		}
		words++
		if t.Stem == "" || t.Part {
			continue
		}
		if t.Start-start < subject && !lightWords[t.Plain] {
			s.subject = append(s.subject, strings.Clone(t.Stem))
		}
		if len(s.opening) < openingWords {
			s.opening[t.Stem] = true
			if k := kinOf(t.Stem); k != "" {
				s.opening[k] = true
			}
		}
		if inCase && !lightWords[t.Plain] && !caseWord(t.Plain) && t.Stem[0] > '9' {
			s.caseStems = append(s.caseStems, strings.Clone(t.Stem))
		}
	}
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

// refers is the share of a sentence's words that name other places of the law.
func (s *analysed) refers() float64 {
	n := 0
	for _, w := range s.seq {
		switch w {
		case "articul", "apart", "apartad", "parraf", "letr", "numeral", "incis", "refier", "referid", "previst", "establec", "dispuest", "anterior", "present", "capitul", "titul":
			n++
		}
	}
	return float64(n) / float64(max(6, len(s.seq)))
}

// saysWhatIs says how plainly a sentence says what the matter of the question is:
// the matter alone is the subject of a verb of being ("la fianza es…", "hay fianza
// cuando…" under that rubric), or the sentence gives a meaning to its words.
func (u *unitText) saysWhatIs(f *focus, i int) float64 {
	s := &u.sents[i]
	opened := f.cover(func(t string) bool { return s.opening[t] })
	if s.gives && opened >= .6 {
		return opened
	}
	v := 0.0
	if s.is && len(s.subject) > 0 {
		own := 0
		for _, w := range s.subject {
			own += int(boolOf(f.knows(w)))
		}
		if share := float64(own) / float64(len(s.subject)); share >= .5 {
			v = share * opened
		}
	}
	return v
}
