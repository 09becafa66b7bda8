package dating

import (
	"slices"
	"strconv"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// FormerPart is where a former wording, printed under the one that follows it,
// stood: the paragraphs before it are its later form.
type FormerPart struct {
	at    int          // paragraphs of the unit read before it
	Until digesto.Date // first day of the later form, as the note above says
	whole bool         // the note speaks of the unit, not of a part
	told  *change      // the change that ended it, where the note beside it names the norm; nil = it doesn't
}

var (
	// heldUntil is how a note gives the day on which the wording beside it takes the place of the former.
	heldUntil = lazyregexp.New(`(?:en vigor|con efectos|efectos economicos|produce efectos|surte efectos|sera de aplicacion|aplicable|aplicacion|vigencia)[^.;]{0,40}? (?:el |del |de |a partir del? (?:dia )?|desde el (?:dia )?|desde )` + DayWords)
	// ofPart is how it names a part.
	ofPart = lazyregexp.New(`\b(?:apartados?|parrafos?|letras?|incisos?|numerales|numeral|regla|punto)\b`)
)

// Dated reads the notes above a former wording, the nearest first.
func (d *Texts) Dated() (p FormerPart) {
	p.at = len(d.Paras)
	for _, n := range slices.Backward(d.Notes[max(0, len(d.Notes)-2):]) {
		f := text.Fold(line.Clip(n, 1000))
		if !strings.HasPrefix(f, "tengase en cuenta") {
			continue
		}
		if m := heldUntil.FindStringSubmatch(f); m != nil {
			p.Until, p.whole = DayOf(m[1]), !ofPart.MatchString(strings.SplitN(f, ", establecid", 2)[0])
		}
		break
	}
	return p
}

// FormerWhole gives the former texts of a unit as a whole, oldest first: the text
// in force with each part put back as it stood until its day. Wordings whose day or
// place is not known are left to the caller: rest.
func (d *Texts) FormerWhole(number string) (out []digesto.Version, rest [][]line.Line) {
	if d.ToldChanges() {
		return d.formerStates(number)
	}
	type block struct {
		FormerPart
		lines []line.Line
		from  int
	}
	var known []block
	for i, lines := range d.Past {
		p, ok := d.Parts[i]
		from := -1
		if ok && p.Until != "" && len(lines) > 0 {
			from = d.placeOf(p, lines)
		}
		if from < 0 {
			rest = append(rest, lines)
			continue
		}
		known = append(known, block{p, lines, from})
	}
	var days []digesto.Date
	for _, k := range known {
		days = append(days, k.Until)
	}
	slices.Sort(days)
	var from digesto.Date
	for i, day := range slices.Compact(days) {
		paras := slices.Clone(d.Paras)
		for _, k := range slices.Backward(known) {
			if k.Until >= day {
				paras = slices.Replace(paras, k.from, k.at, unquoted(k.lines)...)
			}
		}
		t, pages, notes := Compose(paras)
		out = append(out, digesto.Version{ID: corpus.PrintedFormer + strconv.Itoa(i+1), Text: t, Pages: pages, Notes: notes, ValidFrom: from, ValidTo: day, SHA256: line.Sum(t)})
		from = day
	}
	return out, rest
}

// placeOf gives the first of the paragraphs that took the place of a former
// wording; -1 when it can't be told.
func (d *Texts) placeOf(p FormerPart, lines []line.Line) int {
	label := labelOf(lines[0].Text)
	if label.key == "" {
		if p.whole {
			return 0
		}
		return -1
	}
	for i := p.at - 1; i >= 0; i-- {
		if o := labelOf(d.Paras[i].Text); o.key == label.key && o.style == label.style {
			return i
		}
	}
	if p.whole {
		return 0
	}
	return -1
}

// unquoted drops the quotation marks round a repeated wording.
func unquoted(lines []line.Line) []line.Line {
	if len(lines) == 0 {
		return nil // a part that was put in: nothing stood there
	}
	out := slices.Clone(lines)
	first, last := &out[0], &out[len(out)-1]
	if q := heading.OpenQuote(first.Text); q > 0 {
		first.Text = first.Text[q:]
		last.Text = strings.TrimRight(last.Text, "\"»”")
	}
	return out
}

// heldBefore dates former wordings and their follower by each other: the first held
// from the last change before its end that the notes tell of, the text in force
// holds since the last of them ended.
func heldBefore(versions []digesto.Version) {
	if len(versions) < 2 {
		return
	}
	first, last := &versions[0], &versions[len(versions)-1]
	if last.ValidFrom == "" {
		last.ValidFrom = versions[len(versions)-2].ValidTo
	}
	if first.ValidTo == "" || first.Published != "" || first.ValidFrom != "" {
		return
	}
	for _, r := range last.Reforms {
		if day := r.Day(); day < first.ValidTo && day > first.Published {
			first.Published = day
		}
	}
}
