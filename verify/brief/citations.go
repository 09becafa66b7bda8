package brief

import (
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto/text/cite"
)

var ecli = compile(`\bECLI:[A-Z]{2}:[A-Z0-9]+:\d{4}:[A-Z0-9.]*[A-Z0-9]`)

// citations finds the citations that the text itself makes: those inside its
// quotations are somebody else's. Its error is tooMany, or that of a context that ended.
func (j *judge) citations(s string, quotes []quotation) ([]mention, error) {
	own := ownOf(quotes)
	rulings, err := j.rulings(s, own)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(rulings)
	add := func(m mention) {
		if !own.has(m) {
			out = append(out, m)
		}
	}
	err = j.precepts(s, func(m mention) bool {
		add(m)
		return len(out) <= 2*MaxCitations
	})
	if err != nil {
		return nil, err
	}
	cells(s, func(m mention) bool {
		add(m)
		return len(out) <= 4*MaxCitations
	})
	struck, err := j.masked(quotes)
	if err != nil {
		return nil, err
	}
	plain := unbroken(struck)
	found, err := j.found(plain)
	if err != nil {
		return nil, err
	}
	j.fullNames(found)
	if j.country, err = j.spokenOf(plain, found); err != nil {
		return nil, err
	}
	context := ""
	cited := map[string]int{}
	j.parts = map[string]bool{}
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
		one := j.unitBefore(mention{Mention: m, context: context}, true)
		add(one)
		for _, next := range j.listBelow(one) {
			add(next)
		}
	}
	sort.SliceStable(out, func(a, b int) bool { return out[a].Start < out[b].Start })
	if len(out) > MaxCitations {
		return nil, tooMany{out[MaxCitations].Start}
	}
	best := 0
	for _, c := range sorted(cited) {
		if cited[c] > best {
			best, j.home = cited[c], c
		}
	}
	return j.tiedToNorms(plain, out)
}

// tiedToNorms gives to the citations of a text, in order, what they leave to others to say.
func (j *judge) tiedToNorms(plain string, out []mention) ([]mention, error) {
	out = slices.CompactFunc(out, func(a, b mention) bool { return a.Start == b.Start && a.End == b.End })
	for i := range out[:max(0, len(out)-1)] {
		if a, b := &out[i], out[i+1]; a.Unit != "" && a.Norm == "" && (len(a.Also) == 0 || slices.Contains(a.Also, b.Norm)) && b.Unit == "" && j.inBrackets(*a, b) {
			a.Norm, a.Also, a.Name, a.Relative, a.context = b.Norm, b.Also, b.Name, false, b.context
		}
	}
	for i := range out[:max(0, len(out)-1)] { // "art. 38, 3, LXY": a part between the two
		if a, b := &out[i], out[i+1]; a.Unit != "" && a.Norm == "" && len(a.Also) == 0 && b.Unit == "" && !b.ruling && b.Norm != "" && b.Start > a.End && b.Start-a.End <= reachAfter/2 {
			gap := string(j.runes[a.End:b.Start])
			if _, ok := levelsOf(gap); ok && !strings.ContainsAny(gap, "\n;:«“\"") {
				a.Norm, a.Name, a.context, a.Detail, a.End = b.Norm, b.Name, b.context, strings.Trim(a.Detail+" "+gap, " ,."), b.End
				a.Text = string(j.runes[a.Start:a.End])
			}
		}
	}
	out = slices.DeleteFunc(out, func(m mention) bool {
		return m.Unit == "" && !m.ruling && slices.ContainsFunc(out, func(o mention) bool { return o.Unit != "" && o.Start < m.Start && o.End == m.End })
	})
	out = slices.CompactFunc(out, func(later, a mention) bool { return j.namedTwice(a, later) })
	out = j.nextCell(out)
	out = j.named(out)
	j.contexts(out)
	more, err := j.alone(plain, out)
	if err != nil {
		return nil, err
	}
	if len(more) > 0 {
		out = append(out, more...)
		sort.SliceStable(out, func(a, b int) bool { return out[a].Start < out[b].Start })
	}
	if len(out) > MaxCitations {
		return nil, tooMany{out[MaxCitations].Start}
	}
	var prior *mention
	for i := range out {
		if out[i].context == "" && prior != nil {
			out[i].context = prior.context
		} else if out[i].context == "" && !out[i].Relative && i > 0 {
			out[i].context = out[i-1].context
		}
		out[i].prior = prior
		if out[i].Unit != "" {
			prior = &out[i]
		}
	}
	return out, nil
}

// found reads the citations that package cite knows, no more than a report holds.
func (j *judge) found(s string) ([]cite.Mention, error) {
	list, _, err := j.Table.FindSome(j.ctx, s, MaxCitations+1)
	if err != nil {
		return nil, cancelled(err)
	}
	if len(list) > MaxCitations {
		return nil, tooMany{list[MaxCitations].Start}
	}
	return list, nil
}

// rulings finds the citations of rulings outside the quotations.
func (j *judge) rulings(s string, own own) ([]mention, error) {
	var out []mention
	for _, p := range j.forms {
		count := codePoints(s)
		err := p.each(j.ctx, s, func(at []int) bool {
			name := s[at[0]:at[1]]
			if m := (mention{Mention: cite.Mention{Start: count(at[0]), End: count(at[1]), Text: name, Name: name}, ruling: true}); !own.has(m) {
				out = append(out, m)
			}
			return len(out) <= 2*MaxCitations*len(j.forms)
		})
		if err != nil {
			return nil, err
		}
	}
	out = widest(out)
	if len(out) > MaxCitations {
		return nil, tooMany{out[MaxCitations].Start}
	}
	return out, nil
}

// overlap says whether a citation overlaps one of a list in order that do not overlap.
func overlap(list []mention, m cite.Mention) bool {
	k := sort.Search(len(list), func(i int) bool { return list[i].End > m.Start })
	return k < len(list) && list[k].Start < m.End
}

// own tells what stands within the words of quotations: that is somebody else's.
type own struct {
	quotes []quotation // by from
	words  []int       // code points where their words end, of a block
	last   []int       // the last end among a quotation and those before it
}

func ownOf(quotes []quotation) own {
	o := own{quotes, make([]int, len(quotes)), make([]int, len(quotes))}
	end := 0
	for i, q := range quotes {
		if q.block {
			o.words[i] = q.start + utf8.RuneCountInString(q.words)
		}
		end = max(end, q.end)
		o.last[i] = end
	}
	return o
}

// has says whether a citation is a quotation's, and not what its author says in or below it.
func (o own) has(m mention) bool {
	k := sort.Search(len(o.quotes), func(i int) bool { return o.quotes[i].from > m.Start }) - 1
	for ; k >= 0 && o.last[k] >= m.End; k-- {
		q := o.quotes[k]
		if m.Start >= q.start && m.End <= q.end && !(m.Start >= q.aside && m.End <= q.asideEnd) && !(q.block && m.Start >= o.words[k]) {
			return true
		}
	}
	return false
}

// masked gives the text with the words of its quotations struck out, no place moved:
// "the same law" behind a quotation is not one that the quotation names.
func (j *judge) masked(quotes []quotation) (string, error) {
	r := slices.Clone(j.runes)
	for _, q := range quotes {
		end := q.end
		switch {
		case q.source > 0:
			end = q.source
		case q.block:
			end = min(end, q.start+utf8.RuneCountInString(q.words))
		}
		for i := q.start; i < end; i++ {
			if r[i] != '\n' && (i < q.aside || i >= q.asideEnd) {
				r[i] = 'z' // a word that means nothing
			}
		}
	}
	s := string(r)
	at, found := codePoints(s), false
	err := inlineTag.each(j.ctx, s, func(m []int) bool {
		for i, end := at(m[0]), at(m[1]); i < end; i++ {
			r[i] = ' '
		}
		found = true
		return true
	})
	if found {
		s = string(r)
	}
	return s, err
}

// inlineTag is a tag of HTML within a line, which may part a unit from its norm.
var inlineTag = compile(`(?i)</?(?:b|i|em|strong|u|span|mark|a|font)(?:\s[^<>]{0,200})?>`)

// namedTwice says that b is the norm of a over again: "artículo 5 del Código de
// Aguas (Ley 12345)".
func (j *judge) namedTwice(a, b mention) bool {
	if a.Unit != "" && a.Name != "" && b.Unit == "" && b.Start >= a.End && b.Start-a.End < reachBefore/2 && approves.MatchString(string(j.runes[a.End:b.Start])) {
		return true // in the title of a, which may be none that is installed
	}
	known := a.Norm != "" || len(a.Also) > 0
	return b.Unit == "" && known && a.Norm == b.Norm && slices.Equal(a.Also, b.Also) && j.inBrackets(a, b)
}

// approves stands between a norm and the text of another name that it approves.
var approves = regexp.MustCompile(`^(?:, de \d{1,2} de \pL+(?: de \d{4})?)?,? por (?:el|la) que se (?:aprueba|publica|dicta)n?\s[^.;:«“"]*$`)

// listedUnit is the number of a unit at the head of a line, before its words.
var listedUnit = regexp.MustCompile(`^[\s*_#-]*(\d{1,4})(?:\s?(?:bis|ter))?[ºª°]?\s?([.:)–—-]{1,2})\s*[«“"]`)

// listBelow gives the units of a list below the name of their norm, of which the first was
// read with it: "Código de Aguas / 14.- «…» / 15.- «…»".
func (j *judge) listBelow(m mention) (out []mention) {
	if m.Unit == "" || !strings.ContainsRune(m.Text, '\n') || !strings.HasSuffix(m.Text, m.Number) {
		return nil
	}
	style, missed := "", 0
	for at := lineEnd(j.runes, m.End) + 1; at < len(j.runes) && at-m.End < 10*reachBlock && missed < 3; {
		end := lineEnd(j.runes, at)
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
func (j *judge) nextCell(list []mention) []mention {
	var out []mention
	for _, m := range list {
		if n := len(out); n > 0 && m.Unit == "" && !m.ruling && (m.Norm != "" || len(m.Also) > 0) {
			if a := &out[n-1]; a.Unit != "" && a.Name == "" && m.Start >= a.End && betweenCells.MatchString(string(j.runes[a.End:m.Start])) {
				a.Norm, a.Also, a.Name, a.context, a.End = m.Norm, m.Also, m.Name, m.context, m.End
				a.Text = string(j.runes[a.Start:a.End])
				continue
			}
		}
		out = append(out, m)
	}
	return out
}

var betweenCells = regexp.MustCompile(`^[ \t*_]*\|[ \t*_]*$`)

// inBrackets says that b stands right behind a, as what explains it does.
func (j *judge) inBrackets(a, b mention) bool {
	return b.Start >= a.End && b.Start-a.End <= 70 && explains.MatchString(string(j.runes[a.End:b.Start]))
}

// explains is what stands between a citation and its norm in brackets: " (", " (BOE: ".
var explains = regexp.MustCompile(`^\.? \($|^ [—–-] $|^\s?\([^()\n]{1,60}\)\s(?:(?:de la|del|de)\s)?$|^,?\s(?:(?:de|del|de la|de los)\s[^.;:()«»“”"\n]{3,60}?|(?:\p{Lu}\.?){1,6})\.?[\s,]*\($|^(?:,? de \d{1,2} de \pL+(?: de \d{4})?,?)?[ (,]{0,3}$|^ \(\p{Lu}{2,5}: ?$`)

// brokenCitation is what stands before a line end inside a citation, as pages of a PDF have it.
var brokenCitation = regexp.MustCompile(`(?i)\b(?:arts?\.?|artículos?|articulos?|leye?s?|decretos?|código|reglamento|directiva|orgánica|legislativo|n[.]?[º°]|núm\.?|inc\.?|apdo\.?|párr\.?|disposición|adicional|transitoria|final|de|del|la|los|las|el|y|al?)$`)

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
		before := strings.TrimRight(strings.TrimSuffix(s[max(0, at-breath):at], "\r"), " \t")
		before = before[max(0, len(before)-longestBroken):]
		behind := strings.TrimLeft(s[at+1:min(len(s), at+breath)], " \t")
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

func sorted(m map[string]int) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
