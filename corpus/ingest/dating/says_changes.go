package dating

import (
	"strings"
	"unicode"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/text/lazyregexp"
)

// What a norm says that it changes in others, where it gives the new wording: by that
// wording it shows whether the text of the other norm that is installed has the change.

var (
	changeVerb = lazyregexp.New(`\b(?:sustit[uú]y[ae]n?se|modif[ií][cq]u?[ae]n?se|reempl[aá][zc][ae]n?se|se modifican?|se sustituyen?|se reemplazan?|se da nueva redaccion|quedan? redactad[oa]s?|tendra la siguiente redaccion)\b`)
	newWords   = lazyregexp.New(`\b(?:sustit[uú]y|reempl|se sustituye|siguiente|redacc|redactad|terminos|modo|forma|manera)`)
	ownHeading = lazyregexp.New(`(?i)^[\s«“"\x27‘]*art(?:[íi]culo|\.)?\s*\d+[^\s.:\x{2013}\x{2014}-]*(?:\s+(?:bis|ter|qu[aá]ter|quinquies))?[\s.:°º\x{2013}\x{2014}-]+`)
)

// minWording is how many letters a new wording must have to be looked for: fewer are
// found by chance in any text of that matter.
const minWording = 80

// changesIn gives what a text changes, with the place of the new wording. Of a passage
// that names several units it is not known which words are whose.
func changesIn(u *digesto.Unit, v *digesto.Version) (out []corpus.Statement) {
	if !u.Amending && !changeVerb.MatchString(strings.ToLower(line.Clip(v.Text, heading.AmendPrefix))) {
		return nil
	}
	s := newSpeech(v)
	q := quoteDepth{runes: s.runes}
	at := 0
	for _, p := range s.paragraphs() {
		from, to := p[0], p[1]
		if from < at {
			continue // inside the wording before
		}
		if from < to && q.at(from) {
			continue
		}
		f := string(s.f[from:to])
		if !changeVerb.MatchString(f) || !newWords.MatchString(f) {
			continue
		}
		colon := strings.IndexByte(f, ':')
		if colon < 0 {
			continue
		}
		end := from + len([]rune(f[:colon]))
		r, ok := s.only(from, end)
		if !ok {
			continue
		}
		words := s.wording(end + 1)
		if letterCount(s.runes[words[0]:words[1]]) < minWording {
			continue
		}
		at = words[1]
		out = append(out, corpus.Statement{Act: digesto.ActAmends, By: u.ID, At: r.Start, Norm: r.Norm, Name: s.nameOf(&r), Places: []corpus.Place{placeOf(&r)}, Words: words})
	}
	return out
}

// only gives the one unit of another norm that a stretch names.
func (s *speech) only(from, to int) (r digesto.Reference, ok bool) {
	for _, x := range s.refs {
		if x.Start < from || x.End > to || x.Unit == "" {
			continue
		}
		if ok || x.To != "" {
			return r, false
		}
		r, ok = x, true
	}
	return r, ok && (r.Norm != "" || r.Name != "")
}

// wording is the text that is given after a place: what stands in quotation marks there,
// else all that follows in the unit.
func (s *speech) wording(from int) [2]int {
	for from < len(s.runes) && unicode.IsSpace(s.runes[from]) {
		from++
	}
	if from == len(s.runes) {
		return [2]int{from, from}
	}
	closing := map[rune]rune{'«': '»', '“': '”'}[s.runes[from]]
	to := len(s.runes)
	if s.runes[from] == '"' { // it closes with its paragraph
		for i := from + 1; i < len(s.runes); i++ {
			if s.runes[i] == '"' && (i+1 == len(s.runes) || s.runes[i+1] == '\n') {
				to = i
				break
			}
		}
	}
	if closing != 0 {
		depth := 0
		for i := from; i < len(s.runes); i++ {
			if s.runes[i] == s.runes[from] {
				depth++
			} else if s.runes[i] == closing {
				if depth--; depth == 0 {
					to = i
					break
				}
			}
		}
	}
	if m := ownHeading.FindString(string(s.runes[from:min(to, from+60)])); m != "" {
		from += len([]rune(m))
	}
	return [2]int{from, max(from, to)}
}

func letterCount(rs []rune) (n int) {
	for _, r := range rs {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}
