package brief

import (
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/text/diff"
	"digesto/text/quote"
	"digesto/verify"
)

// spot is a place where the words of a quotation stand.
type spot struct {
	verify.Ground
	match   quote.Match
	inForce bool
	altered string // why the words, though there, say something else; see page.find
	// outside says that they are not in the part cited, and state what became of that part.
	outside bool
	state   zoneState
	said    string // the part cited
	undated bool   // it is the text of today, and nobody knows since when
}

// rules says whether a version is in force on the day asked. Of a past day that must be known:
// undated is what may have been, and no date shows it.
func (j *judge) rules(g verify.Ground) (inForce, undated bool) {
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
	if s.state > zoneNone {
		n++
	}
	return n
}

// sound says whether the words stand in force where they are said to stand, as they are there.
func (s spot) sound() bool {
	return s.inForce && s.altered == "" && !s.outside && s.state <= zoneNone
}

func (s spot) ref() *digesto.Ref { return s.Ref(s.match.Start, s.match.End) }

// search looks for the words in a place: in every version of the unit, those in
// force first; of a norm without a unit, in all of it.
func (j *judge) search(p place, parts []stretch) ([]spot, error) {
	if p.missing || len(parts) == 0 {
		return nil, nil
	}
	if p.unit != "" {
		if err := j.spend(unitSteps); err != nil {
			return nil, err
		}
		u, ok := j.Law.Unit(p.norm.ID, p.unit)
		if !ok {
			return nil, nil
		}
		return j.inUnit(p.norm, u, parts, p.detail)
	}
	units, err := j.unitsWith(p.norm, parts)
	if err != nil {
		return nil, err
	}
	var out []spot
	for _, id := range units {
		if err := j.spend(unitSteps); err != nil {
			return nil, err
		}
		u, ok := j.Law.Unit(p.norm.ID, id)
		if !ok {
			continue
		}
		some, err := j.inUnit(p.norm, u, parts, "")
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	return out, nil
}

// plainUnit is a unit with the characters of its versions.
type plainUnit struct {
	id    string
	plain []string
}

// unitsWith gives the units of a norm, in order, that may have a quotation.
func (j *judge) unitsWith(n digesto.Norm, parts []stretch) ([]string, error) {
	list, err := j.plainOf(n)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, u := range list {
		if slices.ContainsFunc(u.plain, func(plain string) bool { return mayHave(plain, parts) }) {
			out = append(out, u.id)
		}
	}
	return out, nil
}

// mayHave says whether characters hold those of the first words of a quotation.
func mayHave(plain string, parts []stretch) bool {
	for k := range parts {
		if parts[k].words == "" {
			continue
		}
		n := parts[k].needles()
		return n.shouted || n.forms[0].In(plain) || n.forms[1].In(plain)
	}
	return true
}

// plainOf gives the characters of a norm, unit by unit. Looking through them once costs
// their length.
func (j *judge) plainOf(n digesto.Norm) ([]plainUnit, error) {
	if list, known := j.plain[n.ID]; known {
		return list.units, j.spend(findStep * list.size)
	}
	var list plainNorm
	for u := range j.Law.Units(n.ID) {
		unit := plainUnit{id: u.ID}
		for _, v := range u.Versions {
			if err := j.spend(prepareStep*len(v.Text) + unitSteps); err != nil {
				return nil, err
			}
			plain := quote.Plain(heading(u) + v.Text)
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
	return list.units, nil
}

// plainNorm is a norm unit by unit, and how many bytes that takes.
type plainNorm struct {
	units []plainUnit
	size  int
}

// maxPlain bounds the characters of norms that are kept, in bytes.
const maxPlain = 16 << 20

// pagesOf gives the versions of a unit made ready for quotations.
func (j *judge) pagesOf(n digesto.Norm, u digesto.Unit) ([]*page, error) {
	key := n.ID + "/" + u.ID
	if pages := j.pages[key]; pages != nil {
		return pages, nil
	}
	pages := make([]*page, len(u.Versions))
	for i, v := range u.Versions {
		if err := j.spend(prepareStep * len(v.Text)); err != nil {
			return nil, err
		}
		j.keep(len(v.Text))
		pages[i] = newPage(u, v)
	}
	j.pages[key] = pages
	return pages, nil
}

// maxKept bounds the law that is kept ready for the next quotation, in bytes; ready it takes
// some thirty times as much.
const maxKept = 1 << 20

// keep makes room for law that is kept ready.
func (j *judge) keep(n int) {
	if j.kept += n; j.kept > maxKept {
		j.forget()
		j.kept = n
	}
}

// forget lets go of the law that is kept ready.
func (j *judge) forget() {
	j.kept = 0
	j.pages, j.passages, j.words, j.lexicon = map[string][]*page{}, map[string]*verify.Passage{}, map[string]*quote.Words{}, quote.Lexicon{}
}

// inUnit looks for the words in every version of a unit, in the parts that a citation names.
func (j *judge) inUnit(n digesto.Norm, u digesto.Unit, parts []stretch, detail string) ([]spot, error) {
	pages, err := j.pagesOf(n, u)
	if err != nil {
		return nil, err
	}
	var now, past []spot
	for i, v := range u.Versions {
		if err := j.spend(findStep*len(v.Text) + findLeast); err != nil {
			return nil, err
		}
		where, state := zoneOf(detail, u.Number, v.Text)
		if state != zoneFound {
			where = nil
		}
		m, ok := pages[i].find(parts, where)
		if !ok {
			continue
		}
		s := spot{Ground: verify.Ground{Norm: n, Unit: u, Version: v}, match: m.Match, altered: m.altered, outside: m.outside, state: state, said: detail}
		if s.inForce, s.undated = j.rules(s.Ground); s.inForce {
			now = append(now, s)
		} else {
			past = append(past, s)
		}
	}
	return append(now, past...), nil
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

// elsewhere searches the cited norms, then all law, for the words of a quotation.
func (j *judge) elsewhere(places []place, parts []stretch, words string) (elsewhere, error) {
	if j.Search == nil || len(parts) == 0 {
		return elsewhere{}, nil
	}
	key := words + "\x00" + parts[0].words
	for _, p := range places {
		key += "\x00" + p.norm.ID
	}
	if out, known := j.lately[key]; known {
		return out, nil
	}
	out, err := j.looksElsewhere(places, parts, words)
	if err == nil {
		if len(j.lately) >= maxLately {
			clear(j.lately)
		}
		j.lately[key] = out
	}
	return out, err
}

// maxLately is how many searches are remembered: texts say the same again and again.
const maxLately = 64

func (j *judge) looksElsewhere(places []place, parts []stretch, words string) (elsewhere, error) {
	var out elsewhere
	q := digesto.Query{Text: some(words), K: searchK}
	for _, p := range places {
		q.Filter.In = map[string][]string{"norm": append(q.Filter.In["norm"], p.norm.ID)}
	}
	for _, all := range []bool{false, true} {
		if all {
			if len(places) == 0 {
				break
			}
			q.Filter.In = nil
		}
		if err := j.spend(searchSteps); err != nil {
			return out, err
		}
		r, err := j.Search.Search(j.ctx, q)
		if err != nil {
			return out, err
		}
		var past []spot
		for _, h := range r.Hits {
			n, ok := j.Law.Norm(h.Norm)
			u, found := j.Law.Unit(h.Norm, strings.TrimPrefix(h.Unit, h.Norm+"/"))
			if !ok || !found {
				continue
			}
			there, err := j.inUnit(n, u, parts, "")
			if err != nil {
				return out, err
			}
			for _, s := range there {
				if s.altered != "" {
					continue
				}
				if s.inForce {
					out.exact = append(out.exact, s)
				} else {
					past = append(past, s)
				}
			}
			for _, v := range u.Versions {
				if g := (verify.Ground{Norm: n, Unit: u, Version: v}); v.Current {
					out.near = append(out.near, g)
				}
			}
		}
		if out.exact = append(out.exact, past...); len(out.exact) > 0 {
			return out, nil
		}
	}
	return out, nil
}

// some gives the first words of a quotation, enough to find it by.
func some(words string) string {
	f := strings.Fields(words)
	return strings.Join(f[:min(len(f), maxWords)], " ")
}

// nearest looks in the cited units first, then in what the search found.
func (j *judge) nearest(places []place, near []verify.Ground, words string) (*Nearest, error) {
	var cited []verify.Ground
	for _, p := range places {
		if p.unit == "" || p.missing {
			continue
		}
		if u, ok := j.Law.Unit(p.norm.ID, p.unit); ok {
			for _, v := range u.Versions {
				if v.Current {
					cited = append(cited, verify.Ground{Norm: p.norm, Unit: u, Version: v})
				}
			}
		}
	}
	n, err := j.nearestIn(cited, words)
	if err != nil || n != nil && likeness(n, words) >= .5 {
		return n, err
	}
	n, err = j.nearestIn(append(cited, near...), words)
	if n != nil && shared(n.Diff, words) < leastShared {
		return nil, err // some law has a few of any words
	}
	return n, err
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
func (j *judge) olderCopy(places []place, found []spot) (spot, bool) {
	for _, p := range places {
		for _, s := range found {
			if s.Norm.ID != p.norm.ID && s.Unit.ID == p.unit && s.Norm.Jurisdiction == p.norm.Jurisdiction && folded(s.Norm.Title) == folded(p.norm.Title) && s.Norm.TextAsOf < p.norm.TextAsOf && s.Norm.TextAsOf != "" {
				return s, true
			}
		}
	}
	return spot{}, false
}
