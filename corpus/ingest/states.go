package ingest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"digesto"
	"digesto/text"
)

// The former wordings that a source prints beside the notes of the changes that ended
// them give the former states of a unit, back to the latest change of which the source
// tells without the wording before it.

// change is that which ended a former wording.
type change struct {
	reform  digesto.Reform
	follows bool // the later wording stands after the note, in quotation marks
	repeals bool // no wording took its place
	event   bool // the later wording waited for an event of which no day is given
}

// day is the first on which the former wording no longer holds, as far as is known.
func (c *change) day() digesto.Date { return cmp.Or(c.reform.From, c.reform.Published) }

// severalWordings stands among the notes of a wording that goes on after the note of a
// change: it is several wordings together.
const severalWordings = "\x00"

// toldChanges says whether the notes beside former wordings name the changes that ended them.
func (d *draft) toldChanges() bool {
	for _, p := range d.parts {
		if p.told != nil {
			return true
		}
	}
	return false
}

func (d *draft) setPart(i int, p formerPart) {
	if d.parts == nil {
		d.parts = map[int]formerPart{}
	}
	d.parts[i] = p
}

// boxed reads the note above a former wording that is printed below the later one: the
// last of the unit, or of the former wording printed before, which is the later one then.
func (b *builder) boxed(d *draft) {
	if b.s.inPlace {
		return
	}
	notes := d.notes
	if n := len(d.past); d.inPast && n > 0 {
		_, _, notes = compose(d.past[n-1])
		for _, l := range d.past[n-1] {
			if l.Note || isNote(l) {
				notes = append(notes, l.Text)
			}
		}
	}
	if len(notes) == 0 {
		return
	}
	note := oneActEach(notes[len(notes)-1:])
	list := reformsOf(note)
	if len(list) == 0 || list[len(list)-1].Published == "" {
		return
	}
	subject := strings.SplitN(text.Fold(clip(note[len(note)-1], 400)), " por ", 2)[0]
	d.setPart(len(d.past), formerPart{at: len(d.paras), whole: !ofPart.MatchString(subject), until: list[len(list)-1].From, told: &change{reform: list[len(list)-1]}})
}

// endedBy reads a note below a former wording that brings the later one, or repeals it.
func (d *draft) endedBy(note string) {
	n := len(d.past)
	if n == 0 || !d.inPast {
		return
	}
	f := text.Fold(clip(note, 1200))
	repeals := repealing.MatchString(f)
	list := reformsOf([]string{note})
	if r, ok := conformingReform(unglue(text.Fold(clip(note, 2000))), d.unit.Number); ok {
		list = append(list, r)
	}
	if !repeals && (!announcesText(f) || !replacing.MatchString(f)) || len(list) == 0 || list[len(list)-1].Published == "" {
		return
	}
	r := list[len(list)-1]
	d.setPart(n-1, formerPart{at: len(d.paras), until: r.From, told: &change{r, true, repeals, uponEvent.MatchString(f)}})
	d.inPast = false
}

// endedWhole reads the notes below a former wording of the unit as a whole.
func (d *draft) endedWhole(i int, notes []string) {
	list := reformsOf(notes)
	if len(list) == 0 || list[len(list)-1].Published == "" {
		return
	}
	p := formerPart{at: -1, until: list[len(list)-1].From, told: &change{reform: list[len(list)-1]}}
	p.whole = !slices.Contains(notes, severalWordings) && !slices.ContainsFunc(notes, func(n string) bool {
		return len(reformsOf([]string{n})) > 0 && ofPart.MatchString(strings.SplitN(text.Fold(clip(n, 400)), " por ", 2)[0])
	})
	d.setPart(i, p)
}

// stateBlock is a former wording with the place in the unit of what followed it.
type stateBlock struct {
	lines    []Line
	from, to int
	day      digesto.Date
	exact    bool // on that day the next one holds
	event    bool // since when the next one holds is not told
}

// formerStates gives the former texts of a unit, oldest first, and the wordings that
// are in none of them.
func (d *draft) formerStates() (out []digesto.Version, rest [][]Line) {
	var known []stateBlock
	told := map[string]int{}
	for i := range d.past {
		if p, ok := d.parts[i]; !ok || p.told == nil {
			return nil, d.past // it ended by a change of which nothing is told
		}
		if b, ok := d.stateBlock(i); ok {
			known = append(known, b)
			told[reformKey(d.parts[i].told.reform)]++
		}
	}
	for _, a := range d.added {
		if a.change.day() == "" {
			continue
		}
		known = append(known, stateBlock{from: a.from, to: a.to, day: a.change.day(), exact: a.change.reform.From != ""})
		told[reformKey(a.change.reform)]++
	}
	floor, ok := d.floor(told)
	if !ok {
		return nil, d.past
	}
	known = slices.DeleteFunc(known, func(b stateBlock) bool { return b.day <= cmp.Or(floor.From, floor.Published) })
	if out = d.statesOf(known, floor); len(out) == 0 {
		return nil, d.past
	}
	first := cmp.Or(out[0].ValidTo, out[0].Replaced)
	for i, lines := range d.past {
		if b, ok := d.stateBlock(i); !ok || b.day < first || !slices.ContainsFunc(known, func(k stateBlock) bool { return k.day == b.day && k.from == b.from }) {
			rest = append(rest, lines)
		}
	}
	return out, rest
}

// statesOf composes the text before each day on which one of the wordings ended, from
// the latest back to the first that can't be told.
func (d *draft) statesOf(known []stateBlock, floor digesto.Reform) (out []digesto.Version) {
	var days []digesto.Date
	exact, event := map[digesto.Date]bool{}, map[digesto.Date]bool{}
	for _, k := range known {
		days = append(days, k.day)
		exact[k.day], event[k.day] = k.exact || exact[k.day], k.event || event[k.day]
	}
	slices.Sort(days)
	days = slices.Compact(days)
	for i, day := range slices.Backward(days) {
		paras, ok := d.before(known, day)
		if !ok {
			break
		}
		t, pages, notes := compose(paras)
		v := digesto.Version{Text: t, Pages: pages, Notes: notes, Published: floor.Published, ValidFrom: floor.From, Replaced: day, SHA256: sum(t)}
		if exact[day] {
			v.ValidTo, v.Replaced = day, ""
		}
		if i > 0 {
			switch before := days[i-1]; {
			case exact[before]:
				v.Published, v.ValidFrom = "", before
			case event[before]:
				v.Published, v.ValidFrom = "", ""
			default:
				v.Published, v.ValidFrom = before, ""
			}
		}
		out = append(out, v)
	}
	slices.Reverse(out)
	for i := range out {
		out[i].ID = "anterior-" + strconv.Itoa(i+1)
	}
	return out
}

// before gives the paragraphs of the unit as they stood until a day: at each place the
// wording that was the first to end from then on.
func (d *draft) before(known []stateBlock, day digesto.Date) ([]Line, bool) {
	byPlace := map[[2]int]stateBlock{}
	for _, k := range known {
		at := [2]int{k.from, k.to}
		if had, ok := byPlace[at]; k.day >= day && (!ok || k.day < had.day) {
			byPlace[at] = k
		}
	}
	chosen := make([]stateBlock, 0, len(byPlace))
	for _, k := range byPlace {
		chosen = append(chosen, k)
	}
	slices.SortFunc(chosen, func(a, b stateBlock) int { return cmp.Or(cmp.Compare(b.from, a.from), cmp.Compare(b.to, a.to)) })
	paras := slices.Clone(d.paras)
	last := len(paras)
	for _, k := range chosen {
		if k.to > last {
			return nil, false // one place in another: which words stood there is not told
		}
		paras = slices.Replace(paras, k.from, k.to, unquoted(k.lines)...)
		last = k.from
	}
	return paras, true
}

func reformKey(r digesto.Reform) string { return r.Name + string(r.Published) + string(r.From) }

// floor gives the latest change that no former wording here goes back beyond; false =
// a change has no day, so that no former text is proven.
func (d *draft) floor(told map[string]int) (floor digesto.Reform, ok bool) {
	list := reformsOf(d.notes)
	for _, n := range d.notes {
		if r, ok := conformingReform(unglue(text.Fold(clip(n, 2000))), d.unit.Number); ok {
			list = append(list, r)
		}
	}
	for i, r := range list {
		if told[reformKey(r)] > 0 {
			told[reformKey(r)]--
			continue
		}
		switch {
		case r.Day() != "":
		case i+1 < len(list) && list[i+1].Published != "": // named in the same note as the next
			continue
		default:
			return floor, false
		}
		if cmp.Or(r.From, r.Day()) >= cmp.Or(floor.From, floor.Day()) {
			floor = digesto.Reform{From: r.From, Published: r.Day()}
		}
	}
	return floor, true
}

// stateBlock places a former wording; false = it can't be placed.
func (d *draft) stateBlock(i int) (b stateBlock, ok bool) {
	p, ok := d.parts[i]
	lines := withoutHead(d.past[i], p.whole || p.at < 0)
	if !ok || p.told == nil || p.told.day() == "" || len(lines) == 0 || severalOf(lines) {
		return b, false
	}
	b = stateBlock{lines: lines, from: -1, to: p.at, day: p.told.day(), exact: p.told.reform.From != "", event: p.told.event}
	switch {
	case p.whole:
		b.from, b.to = 0, len(d.paras)
	case p.at < 0: // printed with the number of the unit
		b.from, b.to = 0, d.headEnd()
	case p.told.repeals:
		b.from = p.at
	case p.told.follows:
		b.from, b.to = p.at, d.quotedEnd(p.at)
	default:
		b.from = d.boxPlace(p, lines)
	}
	return b, b.from >= 0 && b.to >= b.from && b.to <= len(d.paras)
}

// boxPlace gives where the wording begins that a box below it holds the former of.
func (d *draft) boxPlace(p formerPart, lines []Line) int {
	if labelOf(lines[0].Text).key != "" {
		return d.placeOf(p, lines)
	}
	if len(d.notes) > 0 && p.at == 1 {
		return 0 // nothing else stands before it
	}
	return -1
}

// quotedEnd gives the place after the quotation that begins at a paragraph; -1 = none does.
func (d *draft) quotedEnd(at int) int {
	if at >= len(d.paras) {
		return -1
	}
	if s, _ := trimLead(d.paras[at].Text); openQuote(s) == 0 {
		return -1
	}
	for k := at; k < len(d.paras); k++ {
		t := strings.TrimRight(callAtEnd.ReplaceAllString(d.paras[k].Text, ""), " .;,*_)")
		if strings.HasSuffix(t, "\"") || strings.HasSuffix(t, "”") || strings.HasSuffix(t, "»") {
			return k + 1
		}
		if k > at {
			if s, _ := trimLead(d.paras[k].Text); openQuote(s) > 0 {
				return -1
			}
		}
	}
	return -1
}

// withoutHead drops the label of a box and, of a wording of the whole unit, the number
// and rubric of the unit.
func withoutHead(lines []Line, whole bool) []Line {
	if len(lines) > 0 {
		if rest, ok := historyLabel(lines[0].Text); ok && strings.TrimSpace(rest) == "" {
			lines = lines[1:]
		}
	}
	if !whole || len(lines) == 0 {
		return lines
	}
	l := lines[0]
	if s, _ := trimLead(l.Text); openQuote(s) > 0 {
		l.Text = s[openQuote(s):]
	}
	h := readHead(l)
	if h.kind != headArticle {
		return lines
	}
	if h.rest == "" || isUpper(h.rest) || len(lines) > 1 && len(h.rest) < 160 && !strings.HasSuffix(strings.TrimRight(h.rest, " "), ".") && !strings.HasSuffix(h.rest, ":") {
		return lines[1:]
	}
	l.Text = h.rest
	return append([]Line{l}, lines[1:]...)
}

// severalOf says that an item comes twice in a former wording: it is two.
func severalOf(lines []Line) bool {
	first := labelOf(lines[0].Text)
	return first.key != "" && slices.ContainsFunc(lines[1:], func(l Line) bool {
		o := labelOf(l.Text)
		return o.key == first.key && o.style == first.style
	})
}
