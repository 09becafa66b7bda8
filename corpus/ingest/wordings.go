package ingest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/text"
)

// formerPart is where a former wording, printed under the one that follows it,
// stood: the paragraphs before it are its later form.
type formerPart struct {
	at    int          // paragraphs of the unit read before it
	until digesto.Date // first day of the later form, as the note above says
	whole bool         // the note speaks of the unit, not of a part
	told  *change      // the change that ended it, where the note beside it names the norm; nil = it doesn't
}

var (
	// heldUntil is how a note gives the day on which the wording beside it takes the place of the former.
	heldUntil = regexp.MustCompile(`(?:en vigor|con efectos|efectos economicos|produce efectos|surte efectos|sera de aplicacion|aplicable|aplicacion|vigencia)[^.;]{0,40}? (?:el |del |de |a partir del? (?:dia )?|desde el (?:dia )?|desde )` + dayWords)
	// ofPart is how it names a part.
	ofPart = regexp.MustCompile(`\b(?:apartados?|parrafos?|letras?|incisos?|numerales|numeral|regla|punto)\b`)
)

// dated reads the notes above a former wording, the nearest first.
func (d *draft) dated() (p formerPart) {
	p.at = len(d.paras)
	for _, n := range slices.Backward(d.notes[max(0, len(d.notes)-2):]) {
		f := text.Fold(clip(n, 1000))
		if !strings.HasPrefix(f, "tengase en cuenta") {
			continue
		}
		if m := heldUntil.FindStringSubmatch(f); m != nil {
			p.until, p.whole = dayOf(m[1]), !ofPart.MatchString(strings.SplitN(f, ", establecid", 2)[0])
		}
		break
	}
	return p
}

// formerWhole gives the former texts of a unit as a whole, oldest first: the text
// in force with each part put back as it stood until its day. Wordings whose day or
// place is not known are left to the caller: rest.
func (d *draft) formerWhole() (out []digesto.Version, rest [][]Line) {
	if d.toldChanges() {
		return d.formerStates()
	}
	type block struct {
		formerPart
		lines []Line
		from  int
	}
	var known []block
	for i, lines := range d.past {
		p, ok := d.parts[i]
		from := -1
		if ok && p.until != "" && len(lines) > 0 {
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
		days = append(days, k.until)
	}
	slices.Sort(days)
	var from digesto.Date
	for i, day := range slices.Compact(days) {
		paras := slices.Clone(d.paras)
		for _, k := range slices.Backward(known) {
			if k.until >= day {
				paras = slices.Replace(paras, k.from, k.at, unquoted(k.lines)...)
			}
		}
		t, pages, notes := compose(paras)
		out = append(out, digesto.Version{ID: corpus.PrintedFormer + strconv.Itoa(i+1), Text: t, Pages: pages, Notes: notes, ValidFrom: from, ValidTo: day, SHA256: sum(t)})
		from = day
	}
	return out, rest
}

// placeOf gives the first of the paragraphs that took the place of a former
// wording; -1 when it can't be told.
func (d *draft) placeOf(p formerPart, lines []Line) int {
	label := labelOf(lines[0].Text)
	if label.key == "" {
		if p.whole {
			return 0
		}
		return -1
	}
	for i := p.at - 1; i >= 0; i-- {
		if o := labelOf(d.paras[i].Text); o.key == label.key && o.style == label.style {
			return i
		}
	}
	if p.whole {
		return 0
	}
	return -1
}

// unquoted drops the quotation marks round a repeated wording.
func unquoted(lines []Line) []Line {
	if len(lines) == 0 {
		return nil // a part that was put in: nothing stood there
	}
	out := slices.Clone(lines)
	first, last := &out[0], &out[len(out)-1]
	if q := openQuote(first.Text); q > 0 {
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
