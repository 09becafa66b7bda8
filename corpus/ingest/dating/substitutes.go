package dating

import (
	"slices"
	"strings"

	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// A source that keeps former wordings beside the text in force does so for parts
// of a unit too: the old item or paragraph, a note "(*) Inciso sustituido por …,
// cuyo texto es el siguiente:", the new wording. Italics do not always tell the
// old one; the note and the label that comes twice do.

// Substitutions marks in every unit the wordings of its parts that a note says
// were replaced or repealed. What it cannot attribute is kept as doubt.
func (s *Scan) Substitutions() {
	s.Wording, s.brought, s.old, s.Doubts, s.Ended = map[int]bool{}, map[int]bool{}, map[int]bool{}, map[int]string{}, map[int]int{}
	end := len(s.Lines)
	if s.Trailer > 0 {
		end = s.Trailer
	}
	for from := 0; from < end; {
		to := from + 1
		for to < end && !s.Unit[to] && !s.divides(to) {
			to++
		}
		for n := from + 1; n < to; n++ {
			if s.Lines[n].Note && !s.Drop[n] {
				s.readChange(from, n, to)
			}
		}
		if s.Unit[from] {
			s.stillInForce(from+1, to)
			if s.InPlace {
				s.twins(from+1, to)
			}
		}
		from = to
	}
}

// divides says whether a line is a heading above units.
func (s *Scan) divides(i int) bool {
	h := s.Heads[i]
	return !h.Quoted && !s.Lines[i].History && (h.Kind == heading.Division || h.Kind == heading.Annex || h.Kind == heading.Group)
}

// readChange follows the note at line n of the unit that stands in from…to.
func (s *Scan) readChange(from, n, to int) {
	f := text.Fold(line.Clip(s.Lines[n].Text, 1200))
	switch {
	case formerBelow.MatchString(f):
		for k := n + 1; k < to && !s.Lines[k].Note; k++ {
			s.toHistory(k)
		}
		if n+1 < to {
			s.Wording[n+1] = true
		}
	case announcesText(f) && replacing.MatchString(f):
		if m := s.after(n, to); m > 0 {
			s.replaced(from, n, m, to)
		}
	case repealing.MatchString(f):
		s.repealedPart(from, n, f)
	}
}

var (
	formerBelow = lazyregexp.New(`antes de (?:la|su|dicha) (?:modificacion|reforma)[^:]{0,120}:$|estaba redactad[oa][^:]{0,60}:$`)
	replacing   = lazyregexp.New(`\b(?:sustitui|substitui|modifica|reemplaza|restitui)d[oa]s?\b|\bquedando redactad|\bse (?:modifica|sustituye|reemplaza)n?\b`)
	repealing   = lazyregexp.New(`^\W*(?:\(?\d{1,3}\)\W*)?(?:este |el |los |las |la )?(?:inciso|numeral|literal|acapite|parrafo|apartado|item|vineta|primer|segundo|tercer|cuarto|quinto|sexto|septimo|ultimo|penultimo)[^,:;]{0,40}\b(?:deroga|suprimi|elimina|deja)d[oa]s?\b[^:]*$`)
)

// announcedHere is a note that goes on with the new wording in its own paragraph.
var announcedHere = lazyregexp.New(`(?i)(?:texto (?:es|ser[aá]|fue)? ?el siguiente|siguiente texto|siguiente redacci[oó]n)\s*:\s*(["“«])`)

// SplitAnnounced opens a new line where a note brings the new wording.
func SplitAnnounced(lines []line.Line) []line.Line {
	out := make([]line.Line, 0, len(lines))
	for _, l := range lines {
		m := announcedHere.FindStringSubmatchIndex(l.Text)
		if m == nil || len(l.Marks) > 0 || !IsNote(l) {
			out = append(out, l)
			continue
		}
		note, text := l, l
		note.Text, note.Note = strings.TrimSpace(l.Text[:m[2]]), true
		text.Text, text.Note, text.Gap, text.Italic, text.Bold = l.Text[m[2]:], false, true, false, false
		out = append(out, note, text)
	}
	return out
}

// after gives the line where the wording begins that the note at line n brings, 0 = none.
func (s *Scan) after(n, to int) int {
	for k := n + 1; k < to; k++ {
		if !s.Lines[k].Note && !s.Drop[k] {
			return k
		}
	}
	return 0
}

// replaced marks what the wording at line m took the place of, by the note at line n.
func (s *Scan) replaced(from, n, m, to int) {
	if k := s.Heads[m].Kind; k == heading.Article || k == heading.Division {
		return // a wording of the whole unit or of a division
	}
	s.brought[m] = true
	last := s.Above(n)
	if last <= from && s.Heads[from].Rest == "" {
		return
	}
	start := s.oldStart(from, n, m, to)
	if start < 0 {
		if last > from && !s.Lines[last].History {
			s.Doubts[last] = s.Lines[n].Text
		}
		return
	}
	s.markOld(from, start, n)
}

// markOld turns the lines from start up to the note into a former wording.
func (s *Scan) markOld(from, start, n int) {
	s.Wording[start] = true
	for k := start; k < n; k++ {
		if !s.Lines[k].Note {
			s.toHistory(k)
		}
	}
	if start == from {
		s.oldHead(from)
	}
}

func (s *Scan) toHistory(k int) {
	if s.Unit[k] {
		return
	}
	s.Lines[k].History, s.old[k] = true, true
	s.Heads[k] = heading.Head{}
}

// stillInForce gives back the wordings in italics that a note brought and none
// says were replaced in their turn: italics alone prove nothing against a note.
func (s *Scan) stillInForce(from, to int) {
	for m := from; m < to; m++ {
		if !s.brought[m] || !s.italic[m] || s.old[m] {
			continue
		}
		end := m
		for end < to && s.italic[end] && !s.old[end] {
			end++
		}
		if end < to && s.old[end] && !s.Wording[end] || s.changedBy(end, to) {
			continue
		}
		for k := m; k < end; k++ {
			s.Lines[k].History = false
		}
	}
}

// twinShare is the share of common words from which two items of one label, one right
// after the other, are two wordings: the next pairs of the corpus have half.
const twinShare = 0.75

// twins finds items that come twice in a row though no note tells why: the same
// words twice are one, others a doubt.
func (s *Scan) twins(from, to int) {
	type list struct {
		style string
		depth int
	}
	last := map[list]int{}
	for k := from; k < to; k++ {
		l := labelOf(s.Lines[k].Text)
		if s.Lines[k].Note || s.Lines[k].History || s.Lines[k].Table || s.Drop[k] || l.key == "" {
			continue
		}
		in := list{l.style, l.depth}
		p, seen := last[in]
		last[in] = k
		if !seen || labelOf(s.Lines[p].Text).key != l.key || alike(s.Lines[p].Text, s.Lines[k].Text) < twinShare {
			continue
		}
		if slices.Equal(plainWords(s.Lines[p].Text, 80), plainWords(s.Lines[k].Text, 80)) {
			s.markOld(from-1, p, k)
		} else {
			s.Doubts[k] = line.Clip(s.Lines[k].Text, 120)
		}
	}
}

// changedBy says whether one of the notes that stand from line n on tells of a replacement or repeal.
func (s *Scan) changedBy(n, to int) bool {
	for ; n < to && s.Lines[n].Note; n++ {
		f := text.Fold(line.Clip(s.Lines[n].Text, 1200))
		if replacing.MatchString(f) || repealing.MatchString(f) {
			return true
		}
	}
	return false
}

// oldHead takes the words beside the number of a unit for former ones.
func (s *Scan) oldHead(i int) {
	if s.FormerRest == nil {
		s.FormerRest = map[int]bool{}
	}
	s.FormerRest[i] = true
}

// oldStart gives the line at which the wording before the note begins; -1 = it
// cannot be told. An item begins with the same label, a paragraph with the same
// words or is the one that bears the call of the note.
func (s *Scan) oldStart(from, n, m, to int) int {
	new := labelOf(s.Lines[m].Text)
	if new.key == "" {
		return s.oldParagraph(from, n, m)
	}
	own := s.labelsOf(m, to)
	between, other := false, -1 // another item of the same list stands between; the label written otherwise
	for k := n - 1; k >= from; k-- {
		if s.Lines[k].Note || s.Drop[k] {
			continue
		}
		words := s.lineText(k, from)
		l := labelOf(words)
		switch like := alike(words, s.Lines[m].Text) >= likeShare; {
		case l.key == new.key && (like || !between && l.style == new.style):
			return k
		case l.key == new.key && !between && other < 0:
			other = k
		}
		between = between || l.key != "" && l.style == new.style && l.depth == new.depth && !slices.Contains(own, l.key) && !s.Lines[k].History
	}
	if other >= 0 {
		return other
	}
	if last := s.Above(n); last >= from && s.Lines[last].History {
		return last
	}
	if near := s.oldParagraph(from, n, m); near >= 0 && alike(s.lineText(near, from), s.Lines[m].Text) >= likeShare {
		return near
	}
	return -1
}

// likeShare is the share of common words from which two paragraphs are taken for
// two wordings of one: the pairs of the Peruvian corpus have half and more, other
// neighbours a third at most.
const likeShare = 0.5

// lineText is the text of a line, of the unit's own line what stands beside its number.
func (s *Scan) lineText(k, from int) string {
	if k == from && s.Unit[k] {
		return s.Heads[k].Rest
	}
	return s.Lines[k].Text
}

// paragraphsBack is how far the beginning of a former paragraph with its list is
// looked for: the longest in the corpus has 30 items.
const paragraphsBack = 40

// oldParagraph finds a former wording without label.
func (s *Scan) oldParagraph(from, n, m int) int {
	last, seen := -1, 0
	for k := n - 1; k >= from && seen < paragraphsBack; k-- {
		if s.Lines[k].Note || s.Drop[k] {
			continue
		}
		if seen++; seen == 1 {
			last = k
		}
		words := s.lineText(k, from)
		if sameStart(words, s.Lines[m].Text) || seen == 1 && alike(words, s.Lines[m].Text) >= likeShare {
			return k
		}
	}
	if last < 0 || s.Lines[last].History {
		return last
	}
	k := s.called(from, n)
	for k >= from && labelOf(s.lineText(k, from)).key != "" { // the list of a paragraph: up to the words that bring it
		for k--; k >= from && (s.Lines[k].Note || s.Drop[k]); k-- {
		}
		if k >= from && labelOf(s.lineText(k, from)).key == "" && !strings.HasSuffix(strings.TrimRight(s.lineText(k, from), " "), ":") {
			return -1
		}
	}
	return max(k, -1)
}

// callsBack is how many lines above a note the line that calls it is looked for:
// two notes for as many paragraphs stand together.
const callsBack = 6

// called gives the nearest line before the note at line n that ends with its call, or -1.
func (s *Scan) called(from, n int) int {
	call := ""
	if t := strings.TrimLeft(s.Lines[n].Text, " _"); heading.NoteMark(t) > 0 {
		call = strings.ReplaceAll(t[:heading.NoteMark(t)], " ", "")
	}
	for k, seen := n-1, 0; call != "" && k >= from && seen < callsBack; k-- {
		if s.Lines[k].Note || s.Drop[k] {
			continue
		}
		seen++
		if strings.Contains(strings.ReplaceAll(callAtEnd.FindString(s.lineText(k, from)), " ", ""), call) {
			return k
		}
	}
	return -1
}

// repealedPart marks the item or paragraph that the note at line n says was repealed.
func (s *Scan) repealedPart(from, n int, f string) {
	last := s.called(from, n)
	if last <= from || s.Lines[last].History {
		return
	}
	f = repealedWhat.FindString(f)
	if strings.Contains(f, "parrafo") {
		s.markOld(from, last, last+1)
		s.Ended[last] = n
		return
	}
	named := namedLabel.FindStringSubmatch(f)
	letter, digit := strings.Contains(f, "inciso") || strings.Contains(f, "literal"), strings.Contains(f, "numeral")
	for k := last; k > from; k-- {
		if s.Lines[k].Note {
			continue
		}
		l := labelOf(s.Lines[k].Text)
		if l.key == "" || l.style == "1" && letter || l.style != "1" && digit || named != nil && l.key != strings.TrimRight(named[1], ")") {
			continue
		}
		s.markOld(from, k, last+1)
		s.Ended[k] = n
		return
	}
	s.Doubts[last] = s.Lines[n].Text
}

var (
	callAtEnd     = lazyregexp.New(`(?:\((?:\*{1,3}|\d{1,2})\)\s*)+[.”"»]?\s*$`)
	repealedWhat  = lazyregexp.New(`^.*?\b(?:deroga|suprimi|elimina|deja)d`)
	namedLabel    = lazyregexp.New(`(?:inciso|numeral|literal|acapite) "?([a-zñ]{1,3}(?:\.\d{1,2})?\)|\d{1,2}(?:\.\d{1,2})*)`)
	itemLabel     = lazyregexp.New(`^(\(?)([a-zñ]{1,4}[.\-]?\d{1,2}(?:\.\d{1,2})*|[a-zñ]{1,4}|\d{1,2}(?:\.\d{1,2})*)([.)\-]{1,2}|\s)\s*(?:\S|$)`)
	pointedNumber = lazyregexp.New(`^\d{1,2}(?:\.\d{1,2})+$`)
)

// itemMark is the label of an item: "a)", "(ii)", "4.1".
type itemMark struct {
	key   string // "" = none
	style string // what encloses it and whether it is a number
	depth int    // points inside it
}

// labelOf reads the label at the beginning of a paragraph, past quotation marks and calls.
func labelOf(t string) itemMark {
	s, _ := heading.TrimLead(t)
	for q := heading.OpenQuote(s); q > 0; q = heading.OpenQuote(s) {
		s, _ = heading.TrimLead(s[q:])
	}
	m := itemLabel.FindStringSubmatch(line.Clip(s, 40))
	if m == nil {
		return itemMark{}
	}
	key := m[2]
	if rest := line.Clip(s, 40)[len(m[1])+len(key)+len(m[3]):]; m[3] == "." && rest != "" && rest[0] >= '0' && rest[0] <= '9' { // "21.6\" Bienes"
		return itemMark{}
	}
	digit := key[0] >= '0' && key[0] <= '9'
	switch {
	case strings.TrimSpace(m[3]) == "" && !pointedNumber.MatchString(key): // "a la", "30 días"
		return itemMark{}
	case !digit && m[3] != ")" && m[3] != ".-" && len(key) > 3:
		return itemMark{}
	case !digit && strings.HasPrefix(m[3], "-"):
		return itemMark{}
	}
	style := m[1] + strings.TrimSpace(m[3])
	if digit {
		style = "1"
	}
	return itemMark{key: key, style: style, depth: strings.Count(key, ".")}
}

// labelsOf gives the labels of the wording that begins at line m, up to the end of
// its quotation or the next note.
func (s *Scan) labelsOf(m, to int) (keys []string) {
	for k := m; k < to && !s.Lines[k].Note; k++ {
		if l := labelOf(s.Lines[k].Text); l.key != "" {
			keys = append(keys, l.key)
		}
		if t := strings.TrimRight(callAtEnd.ReplaceAllString(s.Lines[k].Text, ""), " ."); strings.HasSuffix(t, "\"") || strings.HasSuffix(t, "”") || strings.HasSuffix(t, "»") {
			break
		}
	}
	return keys
}

// plainWords are the words of a paragraph without label, marks and accents.
func plainWords(t string, limit int) []string {
	s, _ := heading.TrimLead(callAtEnd.ReplaceAllString(t, ""))
	for q := heading.OpenQuote(s); q > 0; q = heading.OpenQuote(s) {
		s, _ = heading.TrimLead(s[q:])
	}
	w := strings.FieldsFunc(text.Fold(line.Clip(s, 1200)), func(r rune) bool { return !('a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == 'ñ') })
	if labelOf(t).key != "" && len(w) > 1 {
		w = w[1:]
	}
	return w[:min(len(w), limit)]
}

// sameStart says whether two paragraphs begin with the same five words.
func sameStart(a, b string) bool {
	const words = 5
	x, y := plainWords(a, words), plainWords(b, words)
	return len(x) == words && slices.Equal(x, y)
}

// alike is the share of words that two paragraphs have in common (Dice's coefficient
// over the words of either).
func alike(a, b string) float64 {
	x, y := plainWords(a, 80), plainWords(b, 80)
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	count := map[string]int{}
	for _, w := range x {
		count[w]++
	}
	both := 0
	for _, w := range y {
		if count[w] > 0 {
			count[w]--
			both++
		}
	}
	return 2 * float64(both) / float64(len(x)+len(y))
}

// Above gives the nearest line before i that is no note and is not dropped.
func (s *Scan) Above(i int) int {
	for k := i - 1; k >= 0; k-- {
		if !s.Lines[k].Note && !s.Drop[k] {
			return k
		}
	}
	return -1
}
