package brief

import (
	"iter"
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto/text/cite"
	"digesto/text/lazyregexp"
	"digesto/verify/link"
	"digesto/verify/read"
)

var ecli = read.Of(`\bECLI:[A-Z]{2}:[A-Z0-9]+:\d{4}:[A-Z0-9.]*[A-Z0-9]`)

// citations finds the citations that the text itself makes: those inside its
// quotations are somebody else's.
func (j *checker) citations(s string, quotes []read.Quotation) []read.Mention {
	own := ownOf(quotes)
	rulings := j.rulings(s, own)
	out := slices.Clone(rulings)
	add := func(m read.Mention) {
		if !own.has(m) {
			out = append(out, m)
		}
	}
	for _, some := range []iter.Seq[read.Mention]{j.precepts(s), columns(s)} {
		for m := range some {
			if add(m); len(out) > 4*MaxCitations {
				break
			}
		}
	}
	plain := unbroken(j.masked(quotes))
	found, _, err := j.Table.FindSome(j.Ctx, plain, MaxCitations+1)
	j.Alive()
	read.Must(err)
	if len(found) > MaxCitations { // with what was found in other ways there may be too many before
		at := found[MaxCitations].Start
		for _, m := range found {
			if !overlap(rulings, m) {
				out = append(out, read.Mention{Mention: m})
			}
		}
		if out = inPlace(out); len(out) > MaxCitations {
			at = min(at, out[MaxCitations].Start)
		}
		read.Must(read.TooMany{At: at})
	}
	j.fullNames(found)
	j.country = j.spokenOf(plain, found)
	context := ""
	cited := map[string]int{}
	j.parts, j.home = map[string]bool{}, ""
	for _, m := range found {
		if overlap(rulings, m) {
			continue
		}
		m = j.own(m)
		if n, ok := j.Law.Norm(m.Norm); ok && m.Norm != "" {
			context = n.ID
			cited[n.Jurisdiction]++
			if !slices.Contains(j.norms, n.ID) {
				j.norms = append(j.norms, n.ID)
			}
			if n.Territory != "" {
				j.parts[n.Territory] = true
			}
		}
		one := j.unitBefore(read.Mention{Mention: m, Context: context}, true)
		add(one)
		for _, next := range j.listBelow(one) {
			add(next)
		}
	}
	best := 0
	for _, c := range slices.Sorted(maps.Keys(cited)) {
		if cited[c] > best {
			best, j.home = cited[c], c
		}
	}
	return j.tiedToNorms(plain, read.Bounded(inPlace(out), startOf))
}

func startOf(m read.Mention) int { return m.Start }

// inPlace puts citations in the order of the text.
func inPlace(list []read.Mention) []read.Mention {
	slices.SortStableFunc(list, func(a, b read.Mention) int { return a.Start - b.Start })
	return list
}

// tiedToNorms gives to the citations of a text, in order, what they leave to others to say.
func (j *checker) tiedToNorms(plain string, out []read.Mention) []read.Mention {
	out = slices.CompactFunc(out, func(a, b read.Mention) bool { return a.Start == b.Start && a.End == b.End })
	for i := range out[:max(0, len(out)-1)] {
		a, b := &out[i], out[i+1]
		if a.Unit == "" || a.Norm != "" || b.Unit != "" || b.Ruling {
			continue
		}
		if (len(a.Also) == 0 || slices.Contains(a.Also, b.Norm)) && j.inBrackets(*a, b) {
			a.Norm, a.Also, a.Name, a.Relative, a.Context = b.Norm, b.Also, b.Name, false, b.Context
		} else if len(a.Also) == 0 && b.Norm != "" && b.Start > a.End && b.Start-a.End <= link.ReachAfter/2 { // "art. 38, 3, LXY": a part between the two
			gap := string(j.runes[a.End:b.Start])
			if _, ok := read.LevelsOf(gap); ok && !strings.ContainsAny(gap, "\n;:«“\"") {
				a.Norm, a.Name, a.Context, a.Detail, a.End = b.Norm, b.Name, b.Context, strings.Trim(a.Detail+" "+gap, " ,."), b.End
				a.Text = string(j.runes[a.Start:a.End])
			}
		}
	}
	first := map[int]int{} // by where units end, where the first of them begins
	for _, m := range out {
		if _, ends := first[m.End]; m.Unit != "" && !ends {
			first[m.End] = m.Start
		}
	}
	out = slices.DeleteFunc(out, func(m read.Mention) bool {
		at, ends := first[m.End]
		return m.Unit == "" && !m.Ruling && ends && at < m.Start
	})
	out = slices.CompactFunc(out, func(later, a read.Mention) bool { return j.namedTwice(a, later) })
	out = j.named(j.nextCell(out))
	j.contexts(out)
	out = read.Bounded(inPlace(append(out, j.alone(plain, out)...)), startOf)
	var prior *read.Mention
	for i := range out {
		if out[i].Context == "" && prior != nil {
			out[i].Context = prior.Context
		} else if out[i].Context == "" && !out[i].Relative && i > 0 {
			out[i].Context = out[i-1].Context
		}
		out[i].Prior = prior
		if out[i].Unit != "" {
			prior = &out[i]
		}
	}
	return out
}

// rulings finds the citations of rulings outside the quotations.
func (j *checker) rulings(s string, own own) (out []read.Mention) {
	for _, p := range j.forms {
		count := read.CodePoints(s)
		for at := range p.In(&j.Meter, s) {
			name := s[at[0]:at[1]]
			if m := (read.Mention{Mention: cite.Mention{Start: count(at[0]), End: count(at[1]), Text: name, Name: name}, Ruling: true}); !own.has(m) {
				out = append(out, m)
			}
		}
	}
	return read.Bounded(read.Widest(out), startOf)
}

// overlap says whether a citation overlaps one of a list in order that do not overlap.
func overlap(list []read.Mention, m cite.Mention) bool {
	k := sort.Search(len(list), func(i int) bool { return list[i].End > m.Start })
	return k < len(list) && list[k].Start < m.End
}

// own tells what stands within the words of quotations: that is somebody else's.
type own struct {
	quotes []read.Quotation // by from
	words  []int            // code points where their words end, of a block
	last   []int            // the last end among a quotation and those before it
}

func ownOf(quotes []read.Quotation) own {
	o := own{quotes, make([]int, len(quotes)), make([]int, len(quotes))}
	end := 0
	for i, q := range quotes {
		if q.Block {
			o.words[i] = q.Start + utf8.RuneCountInString(q.Words)
		}
		end = max(end, q.End)
		o.last[i] = end
	}
	return o
}

// has says whether a citation is a quotation's, and not what its author says in or below it.
func (o own) has(m read.Mention) bool {
	k := sort.Search(len(o.quotes), func(i int) bool { return o.quotes[i].From > m.Start }) - 1
	for ; k >= 0 && o.last[k] >= m.End; k-- {
		q := o.quotes[k]
		if m.Start >= q.Start && m.End <= q.End && !(m.Start >= q.Aside && m.End <= q.AsideEnd) && !(q.Block && m.Start >= o.words[k]) {
			return true
		}
	}
	return false
}

// masked gives the text with the words of its quotations and the tags within lines struck out,
// no place moved: "the same law" behind a quotation is not one that the quotation names.
func (j *checker) masked(quotes []read.Quotation) string {
	r := slices.Clone(j.runes)
	for _, q := range quotes {
		end := q.End
		switch {
		case q.Source > 0:
			end = q.Source
		case q.Block:
			end = min(end, q.Start+utf8.RuneCountInString(q.Words))
		}
		for i := q.Start; i < end; i++ {
			if r[i] != '\n' && (i < q.Aside || i >= q.AsideEnd) {
				r[i] = 'z' // a word that means nothing
			}
		}
	}
	s := string(r)
	at, tags := read.CodePoints(s), false
	for m := range inlineTag.In(&j.Meter, s) {
		tags = true
		for i, end := at(m[0]), at(m[1]); i < end; i++ {
			r[i] = ' '
		}
	}
	if !tags {
		return s
	}
	return string(r)
}

// inlineTag is a tag of HTML within a line, which may part a unit from its norm.
var inlineTag = read.Compile(`(?i)</?(?:b|i|em|strong|u|span|mark|a|font)(?:\s[^<>]{0,200})?>`)

// namedTwice says that b is the norm of a over again: "artículo 5 del Código de
// Aguas (Ley 12345)".
func (j *checker) namedTwice(a, b read.Mention) bool {
	if a.Unit != "" && a.Name != "" && b.Unit == "" && b.Start >= a.End && b.Start-a.End < link.ReachBefore/2 && approves.MatchString(string(j.runes[a.End:b.Start])) {
		return true // in the title of a, which may be none that is installed
	}
	known := a.Norm != "" || len(a.Also) > 0
	return b.Unit == "" && known && a.Norm == b.Norm && slices.Equal(a.Also, b.Also) && j.inBrackets(a, b)
}

// approves stands between a norm and the text of another name that it approves.
var approves = lazyregexp.New(`^(?:, de \d{1,2} de \pL+(?: de \d{4})?)?,? por (?:el|la) que se (?:aprueba|publica|dicta)n?\s[^.;:«“"]*$`)

// listedUnit is the number of a unit at the head of a line, before its words.
var listedUnit = lazyregexp.New(`^[\s*_#-]*(\d{1,4})(?:\s?(?:bis|ter))?[ºª°]?\s?([.:)–—-]{1,2})\s*[«“"]`)

// listBelow gives the units of a list below the name of their norm, of which the first was
// read with it: "Código de Aguas / 14.- «…» / 15.- «…»".
func (j *checker) listBelow(m read.Mention) (out []read.Mention) {
	if m.Unit == "" || !strings.ContainsRune(m.Text, '\n') || !strings.HasSuffix(m.Text, m.Number) {
		return nil
	}
	style, missed := "", 0
	for at := read.LineEnd(j.runes, m.End) + 1; at < len(j.runes) && at-m.End < 10*link.ReachBlock && missed < 3; {
		end := read.LineEnd(j.runes, at)
		line := string(j.runes[at:min(end, at+40)])
		if n := listedUnit.FindStringSubmatchIndex(line); n != nil && (style == "" || line[n[4]:n[5]] == style) {
			style, missed = line[n[4]:n[5]], 0
			c := m
			c.Start = at + utf8.RuneCountInString(line[:n[2]])
			c.End = at + utf8.RuneCountInString(line[:n[3]])
			c.Number, c.Detail, c.Text = line[n[2]:n[3]], "", line[n[2]:n[3]]
			c.Unit = cite.UnitID(c.Kind, c.Number)
			out = append(out, c)
		} else if strings.TrimSpace(line) != "" {
			missed++
		}
		at = end + 1
	}
	return out
}

// nextCell gives to a number in a column of articles the norm alone in the next cell of its row.
func (j *checker) nextCell(list []read.Mention) []read.Mention {
	var out []read.Mention
	for _, m := range list {
		if n := len(out); n > 0 && m.Unit == "" && !m.Ruling && (m.Norm != "" || len(m.Also) > 0) {
			if a := &out[n-1]; a.Unit != "" && a.Name == "" && m.Start >= a.End && betweenCells.MatchString(string(j.runes[a.End:m.Start])) {
				a.Norm, a.Also, a.Name, a.Context, a.End = m.Norm, m.Also, m.Name, m.Context, m.End
				a.Text = string(j.runes[a.Start:a.End])
				continue
			}
		}
		out = append(out, m)
	}
	return out
}

var betweenCells = lazyregexp.New(`^[ \t*_]*\|[ \t*_]*$`)

// inBrackets says that b stands right behind a, as what explains it does.
func (j *checker) inBrackets(a, b read.Mention) bool {
	return b.Start >= a.End && b.Start-a.End <= 70 && explains.MatchString(string(j.runes[a.End:b.Start]))
}

// explains is what stands between a citation and its norm in brackets: " (", " (BOE: ".
var explains = lazyregexp.New(`^\.? \($|^ [—–-] $|^\s?\([^()\n]{1,60}\)\s(?:(?:de la|del|de)\s)?$|^,?\s(?:(?:de|del|de la|de los)\s[^.;:()«»“”"\n]{3,60}?|(?:\p{Lu}\.?){1,6})\.?[\s,]*\($|^(?:,? de \d{1,2} de \pL+(?: de \d{4})?,?)?[ (,]{0,3}$|^ \(\p{Lu}{2,5}: ?$`)

// brokenCitation is what stands before a line end inside a citation, as pages of a PDF have it.
var brokenCitation = lazyregexp.New(`(?i)\b(?:arts?\.?|artículos?|articulos?|leye?s?|decretos?|código|reglamento|directiva|orgánica|legislativo|n[.]?[º°]|núm\.?|inc\.?|apdo\.?|párr\.?|disposición|adicional|transitoria|final|de|del|la|los|las|el|y|al?)$`)

// broken says whether a text ends inside a citation.
func broken(before string) bool {
	k := len(before)
	for k > 0 && before[k-1] != ' ' && before[k-1] != '\n' {
		k--
	}
	return brokenCitation.MatchString(before[max(0, k-1):])
}

// longestBroken is more than its longest word takes, in bytes.
const longestBroken = 32

// unbroken joins the lines that a citation goes over, moving nothing.
func unbroken(s string) string {
	var b []byte
	for at := 0; ; at++ {
		k := strings.IndexByte(s[at:], '\n')
		if k < 0 {
			break
		}
		at += k
		before := strings.TrimRight(strings.TrimSuffix(s[max(0, at-read.Breath):at], "\r"), " \t")
		before = before[max(0, len(before)-longestBroken):]
		behind := strings.TrimLeft(s[at+1:min(len(s), at+read.Breath)], " \t")
		if r, _ := utf8.DecodeRuneInString(behind); !unicode.IsLetter(r) && !(r >= '0' && r <= '9') || !broken(before) {
			continue
		}
		if b == nil {
			b = []byte(s)
		}
		if b[at] = ' '; b[at-1] == '\r' {
			b[at-1] = ' '
		}
	}
	if b == nil {
		return s
	}
	return string(b)
}
