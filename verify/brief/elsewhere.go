package brief

import (
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/text/diff"
	"digesto/text/quote"
	"digesto/verify"
	"digesto/verify/judge"
	"digesto/verify/read"
)

// spot is a place where the words of a quotation stand.
type spot struct {
	verify.Ground
	match   quote.Match
	inForce bool
	altered string // why the words, though there, say something else; see page.find
	// outside says that they are not in the part cited, and state what became of that part.
	outside bool
	state   judge.ZoneState
	said    string // the part cited
	undated bool   // it is the text of today, and nobody knows since when
}

// rules says whether a version is in force on the day asked. Of a past day that must be known:
// undated is what may have been, and no date shows it.
func (j *checker) rules(g verify.Ground) (inForce, undated bool) {
	day := j.past()
	if !g.Citable(day) || day == "" || g.Norm.Format == digesto.FormatTable {
		return g.Citable(day), false
	}
	v, force, err := j.Law.At(g.Norm.ID, g.Unit.ID, day)
	if err != nil || v.ID != g.Version.ID {
		return false, false
	}
	known := force == corpus.ForceKnown || g.Norm.TextAsOf != "" && day >= g.Norm.TextAsOf
	return known, !known
}

// rank orders spots: those that say what is quoted, and where it is said to stand, first.
func (s spot) rank() int {
	n := 0
	if s.altered != "" {
		n += 4
	}
	if s.outside {
		n += 2
	}
	if s.state > judge.ZoneNone {
		n++
	}
	return n
}

// sound says whether the words stand in force where they are said to stand, as they are there.
func (s spot) sound() bool {
	return s.inForce && s.altered == "" && !s.outside && s.state <= judge.ZoneNone
}

// spots looks for the words in places.
func (j *checker) spots(places []place, parts []read.Stretch) (out []spot) {
	for _, p := range places {
		out = append(out, j.search(p, parts)...)
	}
	return out
}

// search looks for the words in a place: in every version of the unit, those in
// force first; of a norm without a unit, in all of it.
func (j *checker) search(p place, parts []read.Stretch) (out []spot) {
	if p.missing || len(parts) == 0 {
		return nil
	}
	units := []string{p.unit}
	if p.unit == "" {
		units = j.unitsWith(p.norm, parts)
		p.detail = ""
	}
	for _, id := range units {
		j.Spend(unitSteps)
		if u, ok := j.Law.Unit(p.norm.ID, id); ok {
			out = append(out, j.inUnit(p.norm, u, parts, p.detail)...)
		}
	}
	return out
}

// plainUnit is a unit with the characters of its versions.
type plainUnit struct {
	id    string
	plain []string
}

// unitsWith gives the units of a norm, in order, that may have a quotation.
func (j *checker) unitsWith(n digesto.Norm, parts []read.Stretch) (out []string) {
	for _, u := range j.plainOf(n) {
		if slices.ContainsFunc(u.plain, func(plain string) bool { return mayHave(plain, parts) }) {
			out = append(out, u.id)
		}
	}
	return out
}

// mayHave says whether characters hold those of the first words of a quotation.
func mayHave(plain string, parts []read.Stretch) bool {
	for k := range parts {
		if parts[k].Words == "" {
			continue
		}
		n := parts[k].Needles()
		return n.Shouted || n.Forms[0].In(plain) || n.Forms[1].In(plain)
	}
	return true
}

// plainOf gives the characters of a norm, unit by unit. Looking through them once costs
// their length.
func (j *checker) plainOf(n digesto.Norm) []plainUnit {
	if list, known := j.plain[n.ID]; known {
		j.Spend(findStep * list.size)
		return list.units
	}
	var list plainNorm
	for u := range j.Law.Units(n.ID) {
		unit := plainUnit{id: u.ID}
		for _, v := range u.Versions {
			j.Spend(prepareStep*len(v.Text) + unitSteps)
			plain := quote.Plain(judge.Heading(u) + v.Text)
			unit.plain = append(unit.plain, plain)
			list.size += len(plain)
		}
		list.units = append(list.units, unit)
	}
	if j.plainSize += list.size; j.plainSize > maxPlain {
		clear(j.plain)
		j.plainSize = list.size
	}
	j.plain[n.ID] = list
	return list.units
}

// plainNorm is a norm unit by unit, and how many bytes that takes.
type plainNorm struct {
	units []plainUnit
	size  int
}

// maxPlain bounds the characters of norms that are kept, in bytes.
const maxPlain = 16 << 20

// pagesOf gives the versions of a unit made ready for quotations.
func (j *checker) pagesOf(n digesto.Norm, u digesto.Unit) []*judge.Page {
	key := n.ID + "/" + u.ID
	pages := j.pages[key]
	if pages == nil {
		for _, v := range u.Versions {
			j.Spend(prepareStep * len(v.Text))
			j.keep(len(v.Text))
			pages = append(pages, judge.NewPage(u, v))
		}
		j.pages[key] = pages
	}
	return pages
}

// maxKept bounds the law that is kept ready for the next quotation, in bytes; ready it takes
// some thirty times as much.
const maxKept = 1 << 20

// keep makes room for law that is kept ready.
func (j *checker) keep(n int) {
	if j.kept += n; j.kept > maxKept {
		j.forget()
		j.kept = n
	}
}

// forget lets go of the law that is kept ready.
func (j *checker) forget() {
	j.kept = 0
	j.pages, j.passages, j.words, j.lexicon = map[string][]*judge.Page{}, map[string]*verify.Passage{}, map[string]*quote.Words{}, quote.Lexicon{}
}

// inUnit looks for the words in every version of a unit, in the parts that a citation names.
func (j *checker) inUnit(n digesto.Norm, u digesto.Unit, parts []read.Stretch, detail string) []spot {
	pages := j.pagesOf(n, u)
	var now, past []spot
	for i, v := range u.Versions {
		j.Spend(findStep*len(v.Text) + findLeast)
		where, state := judge.ZoneOf(detail, u.Number, v.Text)
		if state != judge.ZoneFound {
			where = nil
		}
		m, ok := pages[i].Find(parts, where)
		if !ok {
			continue
		}
		s := spot{Ground: verify.Ground{Norm: n, Unit: u, Version: v}, match: m.Match, altered: m.Altered, outside: m.Outside, state: state, said: detail}
		if s.inForce, s.undated = j.rules(s.Ground); s.inForce {
			now = append(now, s)
		} else {
			past = append(past, s)
		}
	}
	return append(now, past...)
}

// candidates of a search by words.
const (
	searchK  = 24
	maxWords = 60 // of a quotation, that are searched for
)

// elsewhere is what a search for the words of a quotation found.
type elsewhere struct {
	exact []spot
	near  []verify.Ground
}

// maxLately is how many searches are remembered: texts say the same again and again.
const maxLately = 64

// elsewhere searches the cited norms, then all law, for the words of a quotation.
func (j *checker) elsewhere(places []place, parts []read.Stretch, words string) (out elsewhere) {
	if j.Search == nil || len(parts) == 0 {
		return out
	}
	key := words + "\x00" + parts[0].Words
	var cited []string
	for _, p := range places {
		cited = append(cited, p.norm.ID)
	}
	key += "\x00" + strings.Join(cited, "\x00")
	if out, known := j.lately[key]; known {
		return out
	}
	out = j.searched(cited, parts, words)
	if len(cited) > 0 && len(out.exact) == 0 {
		all := j.searched(nil, parts, words)
		out.exact, out.near = all.exact, append(out.near, all.near...)
	}
	if len(j.lately) >= maxLately {
		clear(j.lately)
	}
	j.lately[key] = out
	return out
}

// searched searches some norms, or all, for the words of a quotation.
func (j *checker) searched(norms []string, parts []read.Stretch, words string) (out elsewhere) {
	q := digesto.Query{Text: some(words), K: searchK}
	if len(norms) > 0 {
		q.Filter.In = map[string][]string{"norm": norms}
	}
	j.Spend(searchSteps)
	r, err := j.Search.Search(j.Ctx, q)
	read.Must(err)
	var past []spot
	for _, h := range r.Hits {
		n, _ := j.Law.Norm(h.Norm)
		u, found := j.Law.Unit(h.Norm, strings.TrimPrefix(h.Unit, h.Norm+"/"))
		if !found {
			continue
		}
		for _, s := range j.inUnit(n, u, parts, "") {
			switch {
			case s.altered != "":
			case s.inForce:
				out.exact = append(out.exact, s)
			default:
				past = append(past, s)
			}
		}
		out.near = append(out.near, current(n, u)...)
	}
	out.exact = append(out.exact, past...)
	return out
}

// current gives the versions of a unit that are of today.
func current(n digesto.Norm, u digesto.Unit) (out []verify.Ground) {
	for _, v := range u.Versions {
		if v.Current {
			out = append(out, verify.Ground{Norm: n, Unit: u, Version: v})
		}
	}
	return out
}

// some gives the first words of a quotation, enough to find it by.
func some(words string) string {
	f := strings.Fields(words)
	return strings.Join(f[:min(len(f), maxWords)], " ")
}

// nearest looks in the cited units first, then in what the search found.
func (j *checker) nearest(places []place, near []verify.Ground, words string) *Nearest {
	var cited []verify.Ground
	for _, p := range places {
		if u, ok := j.Law.Unit(p.norm.ID, p.unit); ok && !p.missing {
			cited = append(cited, current(p.norm, u)...)
		}
	}
	n := j.nearestIn(cited, words)
	if n != nil && likeness(n, words) >= .5 {
		return n
	}
	n = j.nearestIn(append(cited, near...), words)
	if n != nil && shared(n.Diff, words) < leastShared {
		return nil // some law has a few of any words
	}
	return n
}

// leastShared is the share of a quotation's words that a passage of law has when it may be
// what was meant.
const leastShared = .55

func shared(pieces []diff.Piece, words string) float64 {
	n := 0
	for _, p := range pieces {
		if p.Op == diff.Equal {
			n += len(strings.Fields(p.Text))
		}
	}
	return float64(n) / float64(max(1, len(strings.Fields(words))))
}

// olderCopy gives the words in a copy of the norm cited that is installed beside it, of
// the same title and with an older text, and in the unit cited.
func (j *checker) olderCopy(places []place, found []spot) (spot, bool) {
	for _, p := range places {
		for _, s := range found {
			if s.Norm.ID != p.norm.ID && s.Unit.ID == p.unit && s.Norm.Jurisdiction == p.norm.Jurisdiction && read.Folded(s.Norm.Title) == read.Folded(p.norm.Title) && s.Norm.TextAsOf < p.norm.TextAsOf && s.Norm.TextAsOf != "" {
				return s, true
			}
		}
	}
	return spot{}, false
}
