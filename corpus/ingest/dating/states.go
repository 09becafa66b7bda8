package dating

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"digesto"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/publisher"
	"digesto/text"
)

// The former wordings that a source prints beside the notes of the changes that ended
// them give the former states of a unit, back to the latest change of which the source
// tells without the wording before it.

// Texts are the texts of a unit being built: the one in force, the former wordings
// printed beside it, and the notes that tell of its changes.
type Texts struct {
	Paras  []line.Line
	Notes  []string
	Past   [][]line.Line      // former wordings
	Parts  map[int]FormerPart // of those whose day a note gives, by their place in past
	added  []addition         // paragraphs that a change put in where nothing stood
	InPast bool
	Quoted bool // the unit's number stands inside the quotation that brings its words
}

// change is that which ended a former wording.
type change struct {
	reform  digesto.Reform
	follows bool // the later wording stands after the note, in quotation marks
	repeals bool // no wording took its place
	event   bool // the later wording waited for an event of which no day is given
}

// day is the first on which the former wording no longer holds, as far as is known.
func (c *change) day() digesto.Date { return cmp.Or(c.reform.From, c.reform.Published) }

// SeveralWordings stands among the notes of a wording that goes on after the note of a
// change: it is several wordings together.
const SeveralWordings = "\x00"

// ToldChanges says whether the notes beside former wordings name the changes that ended them.
func (d *Texts) ToldChanges() bool {
	for _, p := range d.Parts {
		if p.told != nil {
			return true
		}
	}
	return false
}

// SetPart notes where a former wording stood and what ended it, by its place among them.
func (d *Texts) SetPart(i int, p FormerPart) {
	if d.Parts == nil {
		d.Parts = map[int]FormerPart{}
	}
	d.Parts[i] = p
}

// Boxed reads the note above a former wording that is printed below the later one: the
// last of the unit, or of the former wording printed before, which is the later one then.
func (d *Texts) Boxed() {
	notes := d.Notes
	if n := len(d.Past); d.InPast && n > 0 {
		_, _, notes = Compose(d.Past[n-1])
		for _, l := range d.Past[n-1] {
			if l.Note || IsNote(l) {
				notes = append(notes, l.Text)
			}
		}
	}
	if len(notes) == 0 {
		return
	}
	note := oneActEach(notes[len(notes)-1:])
	list := ReformsOf(note)
	if len(list) == 0 || list[len(list)-1].Published == "" {
		return
	}
	subject := strings.SplitN(text.Fold(line.Clip(note[len(note)-1], 400)), " por ", 2)[0]
	d.SetPart(len(d.Past), FormerPart{at: len(d.Paras), whole: !ofPart.MatchString(subject), Until: list[len(list)-1].From, told: &change{reform: list[len(list)-1]}})
}

// EndedBy reads a note below a former wording that brings the later one, or repeals it.
func (d *Texts) EndedBy(note, number string) {
	n := len(d.Past)
	if n == 0 || !d.InPast {
		return
	}
	f := text.Fold(line.Clip(note, 1200))
	repeals := repealing.MatchString(f)
	list := ReformsOf([]string{note})
	if r, ok := conformingReform(unglue(text.Fold(line.Clip(note, 2000))), number); ok {
		list = append(list, r)
	}
	if !repeals && (!announcesText(f) || !replacing.MatchString(f)) || len(list) == 0 || list[len(list)-1].Published == "" {
		return
	}
	r := list[len(list)-1]
	d.SetPart(n-1, FormerPart{at: len(d.Paras), Until: r.From, told: &change{r, true, repeals, uponEvent.MatchString(f)}})
	d.InPast = false
}

// EndedWhole reads the notes below a former wording of the unit as a whole.
func (d *Texts) EndedWhole(i int, notes []string) {
	list := ReformsOf(notes)
	if len(list) == 0 || list[len(list)-1].Published == "" {
		return
	}
	p := FormerPart{at: -1, Until: list[len(list)-1].From, told: &change{reform: list[len(list)-1]}}
	p.whole = !slices.Contains(notes, SeveralWordings) && !slices.ContainsFunc(notes, func(n string) bool {
		return len(ReformsOf([]string{n})) > 0 && ofPart.MatchString(strings.SplitN(text.Fold(line.Clip(n, 400)), " por ", 2)[0])
	})
	d.SetPart(i, p)
}

// stateBlock is a former wording with the place in the unit of what followed it.
type stateBlock struct {
	lines    []line.Line
	from, to int
	day      digesto.Date
	exact    bool // on that day the next one holds
	event    bool // since when the next one holds is not told
}

// formerStates gives the former texts of a unit, oldest first, and the wordings that
// are in none of them.
func (d *Texts) formerStates(number string) (out []digesto.Version, rest [][]line.Line) {
	var known []stateBlock
	told := map[string]int{}
	for i := range d.Past {
		if p, ok := d.Parts[i]; !ok || p.told == nil {
			return nil, d.Past // it ended by a change of which nothing is told
		}
		if b, ok := d.stateBlock(i); ok {
			known = append(known, b)
			told[reformKey(d.Parts[i].told.reform)]++
		}
	}
	for _, a := range d.added {
		if a.change.day() == "" {
			continue
		}
		known = append(known, stateBlock{from: a.from, to: a.to, day: a.change.day(), exact: a.change.reform.From != ""})
		told[reformKey(a.change.reform)]++
	}
	floor, ok := d.floor(told, number)
	if !ok {
		return nil, d.Past
	}
	known = slices.DeleteFunc(known, func(b stateBlock) bool { return b.day <= cmp.Or(floor.From, floor.Published) })
	if out = d.statesOf(known, floor); len(out) == 0 {
		return nil, d.Past
	}
	first := cmp.Or(out[0].ValidTo, out[0].Replaced)
	for i, lines := range d.Past {
		if b, ok := d.stateBlock(i); !ok || b.day < first || !slices.ContainsFunc(known, func(k stateBlock) bool { return k.day == b.day && k.from == b.from }) {
			rest = append(rest, lines)
		}
	}
	return out, rest
}

// statesOf composes the text before each day on which one of the wordings ended, from
// the latest back to the first that can't be told.
func (d *Texts) statesOf(known []stateBlock, floor digesto.Reform) (out []digesto.Version) {
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
		t, pages, notes := Compose(paras)
		v := digesto.Version{Text: t, Pages: pages, Notes: notes, Published: floor.Published, ValidFrom: floor.From, Replaced: day, SHA256: line.Sum(t)}
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
func (d *Texts) before(known []stateBlock, day digesto.Date) ([]line.Line, bool) {
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
	paras := slices.Clone(d.Paras)
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
func (d *Texts) floor(told map[string]int, number string) (floor digesto.Reform, ok bool) {
	list := ReformsOf(d.Notes)
	for _, n := range d.Notes {
		if r, ok := conformingReform(unglue(text.Fold(line.Clip(n, 2000))), number); ok {
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
func (d *Texts) stateBlock(i int) (b stateBlock, ok bool) {
	p, ok := d.Parts[i]
	lines := withoutHead(d.Past[i], p.whole || p.at < 0)
	if !ok || p.told == nil || p.told.day() == "" || len(lines) == 0 || severalOf(lines) {
		return b, false
	}
	b = stateBlock{lines: lines, from: -1, to: p.at, day: p.told.day(), exact: p.told.reform.From != "", event: p.told.event}
	switch {
	case p.whole:
		b.from, b.to = 0, len(d.Paras)
	case p.at < 0: // printed with the number of the unit
		b.from, b.to = 0, d.headEnd()
	case p.told.repeals:
		b.from = p.at
	case p.told.follows:
		b.from, b.to = p.at, d.quotedEnd(p.at)
	default:
		b.from = d.boxPlace(p, lines)
	}
	return b, b.from >= 0 && b.to >= b.from && b.to <= len(d.Paras)
}

// boxPlace gives where the wording begins that a box below it holds the former of.
func (d *Texts) boxPlace(p FormerPart, lines []line.Line) int {
	if labelOf(lines[0].Text).key != "" {
		return d.placeOf(p, lines)
	}
	if len(d.Notes) > 0 && p.at == 1 {
		return 0 // nothing else stands before it
	}
	return -1
}

// quotedEnd gives the place after the quotation that begins at a paragraph; -1 = none does.
func (d *Texts) quotedEnd(at int) int {
	if at >= len(d.Paras) || !OpensQuotation(d.Paras[at].Text) {
		return -1
	}
	for k := at; k < len(d.Paras); k++ {
		if closesQuotation(d.Paras[k].Text) {
			return k + 1
		}
		if k > at && OpensQuotation(d.Paras[k].Text) {
			return -1
		}
	}
	return -1
}

// withoutHead drops the label of a box and, of a wording of the whole unit, the number
// and rubric of the unit.
func withoutHead(lines []line.Line, whole bool) []line.Line {
	if len(lines) > 0 {
		if rest, ok := publisher.FormerLabel(lines[0].Text); ok && strings.TrimSpace(rest) == "" {
			lines = lines[1:]
		}
	}
	if !whole || len(lines) == 0 {
		return lines
	}
	l := lines[0]
	if s, _ := heading.TrimLead(l.Text); heading.OpenQuote(s) > 0 {
		l.Text = s[heading.OpenQuote(s):]
	}
	h := heading.Read(l)
	if h.Kind != heading.Article {
		return lines
	}
	if h.Rest == "" || heading.IsUpper(h.Rest) || len(lines) > 1 && len(h.Rest) < 160 && !strings.HasSuffix(strings.TrimRight(h.Rest, " "), ".") && !strings.HasSuffix(h.Rest, ":") {
		return lines[1:]
	}
	l.Text = h.Rest
	return append([]line.Line{l}, lines[1:]...)
}

// severalOf says that an item comes twice in a former wording: it is two.
func severalOf(lines []line.Line) bool {
	first := labelOf(lines[0].Text)
	return first.key != "" && slices.ContainsFunc(lines[1:], func(l line.Line) bool {
		o := labelOf(l.Text)
		return o.key == first.key && o.style == first.style
	})
}
