package extract

import (
	"digesto/passage"
	"digesto/question"
	"digesto/text"
)

// sfeature is one thing that speaks for or against a sentence as the one that answers.
type sfeature int

// The features of a sentence, each 0–1.
const (
	SOwn     sfeature = iota // share of the question's information in it
	sKind                    // the asked kind of thing is in it
	sList                    // it announces a list, and one is asked for
	sHeaded                  // "2. Plazo: …"
	sNoun                    // the counted noun is in it, with a number
	sFirst                   // its paragraph stands near the beginning of the unit
	sShort                   // too short to say anything, or a blank to fill in
	sNote                    // no rule of its unit
	SCase                    // it opens with a case that the question does not name
	SDefines                 // it says what the matter is, and that is asked
	sOpens                   // the matter of the question opens it
	sfeatures
)

// sentenceWeights say how much each feature counts: fitted as
// rankWeights are, on the questions whose answering words are known.
var sentenceWeights = [sfeatures]float64{
	SOwn: .75, sKind: .4, sList: .4, sHeaded: .3, sNoun: .55, sFirst: .55, sShort: -.27, sNote: -1, SCase: -.4, SDefines: .3, sOpens: .35,
}

// Score weighs the features of sentence i.
func (f *Focus) Score(u *passage.Unit, i int) Pick {
	v := f.SentenceFeatures(u, i)
	p := Pick{At: i, Kind: v[sKind] > 0, Cover: f.Covers(f.Over(u).Around(i))}
	for k, w := range sentenceWeights {
		p.Score += w * v[k]
	}
	return p
}

func (f *Focus) SentenceFeatures(u *passage.Unit, i int) (v [sfeatures]float64) {
	s, seen := &u.Sentences[i], f.Over(u)
	v[SOwn] = f.Nears(seen.Sent(i))
	if f.holds(u, i) {
		v[sKind] = 1
		v[sList] = OneIf(f.Kind == question.KindList)
	}
	v[sHeaded] = OneIf(s.Headed&f.Kind.Bit() != 0)
	if f.Noun != "" && s.Holds&passage.HasNumber != 0 && u.SentHas(i, passage.Key(f.Noun)) {
		v[sNoun] = 1
	}
	v[sFirst] = 1 / float64(1+s.Para)
	v[sShort] = OneIf(len(s.Words) < 4 && u.LeadOf(i) < 0 || s.Blank)
	v[sNote] = OneIf(s.Note)
	v[SCase] = f.foreignCase(u, i)
	if f.Kind == question.KindDefinition {
		v[SDefines] = f.saysWhatIs(u, i)
	}
	v[sOpens] = f.Nears(seen.Opening(i))
	return v
}

// foreignCase says how far a sentence opens with a case ("En el supuesto de parto
// múltiple, …") that the question does not name: half for a word of it, the rest by
// the share of its words; 0 without one.
func (f *Focus) foreignCase(u *passage.Unit, i int) float64 {
	s := &u.Sentences[i]
	if !s.Caseful {
		return 0
	}
	foreign, n := 0, len(s.CaseWords)
	for _, k := range s.CaseWords {
		if !f.knowsWord(u.Words[k]) {
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

// saysWhatIs says how plainly a sentence says what the matter of the question is:
// the matter alone is the subject of a verb of being ("la fianza es…", "hay fianza
// cuando…" under that rubric), or the sentence gives a meaning to its words.
func (f *Focus) saysWhatIs(u *passage.Unit, i int) float64 {
	s := &u.Sentences[i]
	opened := f.Covers(f.Over(u).Opening(i))
	if s.Gives && opened >= Most {
		return opened
	}
	v := 0.0
	if s.IsVerb && len(s.Subject) > 0 {
		own := 0
		for _, k := range s.Subject {
			own += int(OneIf(f.isTerm(f.slots.of(u.Words[k].Stem), false)))
		}
		if share := float64(own) / float64(len(s.Subject)); share >= Most {
			v = share * opened
		}
	}
	return v
}

// Defining gives the sentence that says what the matter is: it holds most of its
// words and a word of definition. Without one, the best sentence stays.
func (f *Focus) Defining(u *passage.Unit, best Pick) Pick {
	top := -1.0
	for i, s := range u.Sentences {
		if s.Holds&passage.HasDefinition == 0 {
			continue
		}
		own := f.Covers(f.Over(u).Sent(i))
		if v := own + OneIf(passage.Defines(text.Fold(s.Text))) + f.Score(u, i).Score/8; own >= Most && v > top+1e-9 {
			top = v
			p := f.Score(u, i)
			p.Score, p.Cover, p.Kind = max(p.Score, best.Score), max(p.Cover, best.Cover), true
			best = p
		}
	}
	return best
}

// Wants is the thing that the answer to each kind of question holds; a kind
// without entry asks for nothing in particular.
var Wants = map[question.Kind]passage.Presence{
	question.KindAmount:     passage.HasMoney | passage.HasPercent | passage.HasNumber,
	question.KindPeriod:     passage.HasPeriod | passage.HasRate,
	question.KindDate:       passage.HasDate,
	question.KindWho:        passage.HasOrgan,
	question.KindDefinition: passage.HasDefinition,
	question.KindYesNo:      passage.HasModal,
	question.KindHow:        passage.HasProcedure,
}
