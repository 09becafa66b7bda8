package brief

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"digesto"
	"digesto/corpus"
	"digesto/text"
	"digesto/text/cite"
	"digesto/text/diff"
	"digesto/text/lazyregexp"
	"digesto/text/quote"
	"digesto/verify"
	"digesto/verify/judge"
	"digesto/verify/link"
	"digesto/verify/read"
)

// checker holds what the verdicts on one text share.
type checker struct {
	Options
	read.Meter
	runes []rune
	forms []*read.Pattern // of rulings
	until int             // code points from which nothing is judged; see errSpent
	// quotes are those of the text, in order, and norms the installed ones that it names.
	quotes    []read.Quotation
	norms     []string
	pages     map[string][]*judge.Page // versions of units, by norm/unit; see keep
	lately    map[string]elsewhere     // by the words looked for and the norms cited
	plain     map[string]plainNorm     // norms looked through as a whole, by id
	plainSize int                      // bytes of them
	kept      int                      // bytes of law in them, in passages and in words
	beside    map[beside]string
	titles    map[string][2]string // titles folded, as they are and without what approves them
	units     map[beside]bool      // and parts of them that norms have, or not
	home      string               // jurisdiction of most of the norms cited
	parts     map[string]bool      // territories, as provinces, of which a norm is cited by a name of its own
	// country is the only one that the text names, when no norm says another; "" = none.
	country string
	lands   map[string]bool   // those that it names, itself or by a norm
	fuller  map[string]string // by norm: the longest of its names in the text, folded

	fired map[string]int // how often each rule of linking decided

	said     []stated // sentences of the text that cite
	mentions []read.Mention
	ends     []int                      // the last end among a citation and those before it
	passages map[string]*verify.Passage // versions read for claims, by norm/unit/version
	words    map[string]*quote.Words    // versions cut into words, by the same
	lexicon  quote.Lexicon
	an       text.Analyser
	court    link.Court
}

func newChecker(ctx context.Context, s string, o Options) *checker {
	j := &checker{fired: map[string]int{}, lately: map[string]elsewhere{}, plain: map[string]plainNorm{}, beside: map[beside]string{}, titles: map[string][2]string{}, units: map[beside]bool{}, Options: o, Meter: read.Meter{Ctx: ctx, Most: cmp.Or(o.work, maxWork) / 2}, court: link.CourtOf(o.Courts), runes: []rune(s)}
	j.until, j.forms = len(j.runes), []*read.Pattern{ecli}
	for _, re := range o.Rulings {
		if p := read.Of(re.String()); !slices.Contains(j.forms, p) {
			j.forms = append(j.forms, p)
		}
	}
	j.forget()
	return j
}

func (j *checker) day() digesto.Date {
	if j.AsOf != "" {
		return j.AsOf
	}
	return j.Today
}

// past is the day to look law up with; "" is today's.
func (j *checker) past() digesto.Date {
	if j.AsOf == j.Today {
		return ""
	}
	return j.AsOf
}

// judge gives the verdict on a citation; ok is false for what is no citation of
// law: a quotation of something else, a number without a norm.
func (j *checker) judge(t link.Tied) (f Finding, ok bool) {
	j.Spend(findingStep)
	f.Where = []*digesto.Ref{}
	if q := t.Quote; q != nil {
		f.Quote, f.QuoteStart, f.QuoteEnd, f.Start, f.End = &q.Words, q.Start, q.End, q.Start, q.End
	}
	var places []place
	if len(t.Mentions) == 0 {
		if f, ok = j.ofNear(f, t.Near, *t.Quote); !ok {
			f, ok = j.unattributed(f, *t.Quote)
		}
	} else if f, places, ok = j.citing(f, t); t.Quote == nil {
		return f, ok
	}
	return j.doubted(f, t, places), ok
}

// citing judges what cites.
func (j *checker) citing(f Finding, t link.Tied) (_ Finding, places []place, ok bool) {
	first, last := t.Mentions[0], t.Mentions[len(t.Mentions)-1]
	f.Start, f.End = first.Start, last.End
	f.Text = string(j.runes[first.Start:min(last.End, len(j.runes))])
	if first.Ruling {
		f.say(ruling, f.Text)
		return f, nil, true
	}
	if t.Quote != nil && len(t.Mentions) == 1 {
		first = j.ownPart(j.besideIt(j.neighbour(j.unitBefore(first, false))), *t.Quote)
		t.Mentions = []read.Mention{first}
	}
	if t.Quote == nil && first.Relative && first.Number == "presente" && first.Name == "" {
		return f, nil, false // "el mismo precepto"
	}
	places = j.places(t.Mentions)
	switch {
	case len(places) == 0 && (first.Name == "" || first.Relative):
		if t.Quote == nil {
			return f, nil, false
		}
		f, ok = j.unplaced(f, t.Mentions, *t.Quote)
		return f, nil, ok
	case len(places) == 0 && bareName.MatchString(first.Name):
		f.Unit = first.Unit
		f.say(whichNorm, first.Name)
	case len(places) == 0:
		f.Norm, f.Unit = first.Norm, first.Unit
		f.say(notInstalled, first.Name)
		if j.Install != nil {
			if c := j.Install(first.Norm, first.Name); c != "" {
				f.Reason += " Se instala con: " + c
			}
		}
	case t.Quote == nil:
		f = j.bare(f, places, first)
	default:
		f = j.quoted(f, places, *t.Quote)
	}
	return f, places, true
}

// doubted leaves a verified quotation open when what its author says of its place was not
// all understood, or when it is a figure of something else.
func (j *checker) doubted(f Finding, t link.Tied, places []place) Finding {
	if f.Verdict != Verified {
		return f
	}
	whole := !slices.ContainsFunc(places, func(p place) bool { return p.unit != "" })
	what := j.unread(t, whole)
	if what == "" && whole {
		what = j.besideUnit(t, f.Unit)
	}
	if what != "" {
		f.Where = []*digesto.Ref{}
		f.say(notUnderstood, what)
		return f
	}
	if len(t.Mentions) == 0 {
		if who := j.otherSource(*t.Quote); who != "" {
			f.Norm, f.Unit = "", ""
			f.say(otherSource, who, f.Where[0].Title)
			return f
		}
	}
	if n, ok := j.Law.Norm(f.Norm); ok {
		if u, ok := j.Law.Unit(f.Norm, f.Unit); ok {
			for _, v := range u.Versions {
				g := verify.Ground{Norm: n, Unit: u, Version: v}
				if want := read.Stretches(t.Quote.Words); len(want) == 1 && g.Citable(j.past()) && j.objectless(t, g, want) {
					f.say(otherMatter)
					return f
				}
			}
		}
	}
	return f
}

// place is a unit, or a whole norm, that a citation may mean.
type place struct {
	norm    digesto.Norm
	unit    string // "" = the norm; else its id
	missing bool   // the norm has no such unit
	detail  string // what is cited below the unit
}

// places resolves the citations of a list. An abbreviation that several norms
// share means that of the jurisdiction of most of the text.
func (j *checker) places(list []read.Mention) []place {
	var out []place
	for _, m := range list {
		ids := []string{m.Norm}
		if m.Norm == "" {
			ids = m.Also
			if len(ids) == 0 && (m.Name == "" || m.Relative) && m.Context != "" {
				ids = []string{m.Context}
			}
		}
		var got []place
		for _, id := range ids {
			n, ok := j.Law.Norm(id)
			if !ok || id == "" {
				continue
			}
			p := place{norm: n, detail: m.Detail}
			if m.Unit != "" {
				c := m.Mention
				c.Norm, c.Also = n.ID, nil
				_, unit, err := j.Law.Resolve(c, n.ID)
				if v := read.RomanNumber(m.Number); err != nil && v > 0 && m.Kind == digesto.KindArticle && roman.MatchString(m.Number) {
					c.Number, c.Unit = strconv.Itoa(v), cite.UnitID(m.Kind, strconv.Itoa(v))
					_, unit, err = j.Law.Resolve(c, n.ID)
				}
				if err == nil {
					p.unit = unit
				} else {
					p.unit, p.missing = m.Unit, true
				}
			}
			got = append(append(got, p), j.through(m, p)...)
		}
		out = append(out, j.narrowed(got)...)
	}
	return out
}

// through gives the further units of a range, "artículos 5 a 9", whose words may be
// those of any of them.
func (j *checker) through(m read.Mention, first place) (out []place) {
	lo, err := strconv.Atoi(m.Number)
	hi, bad := strconv.Atoi(m.To)
	if err != nil || bad != nil || hi <= lo || hi-lo > maxRange || m.Kind != digesto.KindArticle {
		return nil
	}
	for n := lo + 1; n <= hi; n++ {
		unit := cite.UnitID(m.Kind, strconv.Itoa(n))
		if _, ok := j.Law.Unit(first.norm.ID, unit); ok {
			out = append(out, place{norm: first.norm, unit: unit})
		}
	}
	return out
}

const maxRange = 60 // units

func (j *checker) narrowed(list []place) []place {
	if len(list) < 2 {
		return list
	}
	for _, keep := range []func(place) bool{func(p place) bool { return j.parts[p.norm.Territory] }, func(p place) bool { return p.norm.Jurisdiction == j.home }, func(p place) bool { return !p.missing }} {
		var some []place
		for _, p := range list {
			if keep(p) {
				some = append(some, p)
			}
		}
		if len(some) > 0 {
			list = some
		}
	}
	return list
}

// unreadable leaves a citation open when a text that it names is damaged on the disk:
// nobody is told of words that they are not there when nobody can look.
func (j *checker) unreadable(f *Finding, places []place) bool {
	for _, p := range places {
		if p.unit == "" {
			continue
		}
		if _, err := j.Law.Load(p.norm.ID, p.unit); err != nil && digesto.CodeOf(err) != digesto.CodeNotFound {
			f.Norm, f.Unit = p.norm.ID, p.unit
			f.say(damaged, corpus.NameOf(p.norm))
			return true
		}
	}
	return false
}

// bare is a citation without words: the unit must be there and in force.
func (j *checker) bare(f Finding, places []place, m read.Mention) Finding {
	p := places[0]
	f.Norm, f.Unit = p.norm.ID, p.unit
	title := cmp.Or(p.norm.Short, p.norm.Title)
	if p.missing && j.unreadable(&f, places) {
		return f
	}
	switch {
	case p.missing && m.Name == "":
		f.say(unitOfNone, title)
	case p.missing:
		f.say(noUnit, title, m.Text)
	case p.unit == "" && verify.Repealed(p.norm, j.day()):
		f.say(normRepealed, since(p.norm.RepealedFrom)+noted(p.norm))
	case p.unit == "":
		f.say(normThere, j.ceases(p.norm))
	default:
		j.inForce(&f, p, m)
	}
	return f
}

func (j *checker) inForce(f *Finding, p place, m read.Mention) {
	u, _ := j.Law.Unit(p.norm.ID, p.unit)
	for _, v := range u.Versions {
		g := verify.Ground{Norm: p.norm, Unit: u, Version: v}
		if g.Citable(j.past()) {
			f.say(unitThere, j.ceases(p.norm))
			f.Where = append(f.Where, g.Ref(0, 0))
			f.Claim = j.claim(m, g)
			return
		}
	}
	f.say(notInForce)
	if verify.Repealed(p.norm, j.day()) {
		f.say(unitRepealed, since(p.norm.RepealedFrom)+noted(p.norm))
	}
}

// quoted is a citation with words. They must stand in a unit cited, in the
// version in force.
func (j *checker) quoted(f Finding, places []place, q read.Quotation) Finding {
	parts := read.Stretches(q.Words)
	parts, places = j.headed(parts, places)
	f.Norm, f.Unit = places[0].norm.ID, places[0].unit
	var past []spot
	var best *spot // of those in force
	for _, s := range j.spots(places, parts) {
		if s.altered == judge.Undenied && j.denies(q) {
			s.altered = ""
		}
		switch {
		case !s.inForce && s.altered == "":
			past = append(past, s)
		case best == nil || s.inForce && s.rank() < best.rank():
			best = &s
		}
	}
	if best != nil && (best.inForce || len(past) == 0) {
		return j.stands(f, *best, parts, q)
	}
	if len(past) > 0 {
		return j.superseded(f, past, q)
	}
	if j.unreadable(&f, places) {
		return f
	}
	found, abroad := j.elsewhere(places, parts, q.Words), false
	if len(text.Tokens(nil, q.Words)) < fewWords {
		all := len(found.exact)
		found = j.ofItsLands(places, found)
		abroad = len(found.exact) == 0 && all > 0
	}
	f.Where = refs(found.exact)
	if s, ok := j.olderCopy(places, found.exact); ok {
		f.Where = refs([]spot{s})
		f.say(olderCopy, s.Norm.ID, s.Norm.TextAsOf)
		f.Nearest = j.nearest(places, nil, q.Words)
		return f
	}
	if len(found.exact) > 0 {
		f.say(otherPlace, found.exact[0].Title())
		return f
	}
	f.Nearest = j.nearest(places, found.near, q.Words)
	if p := places[0]; abroad {
		f.say(wordsAbroad, advice(f.Nearest, places))
	} else if len(places) == 1 && p.missing {
		f.say(noUnitNorWords, cmp.Or(p.norm.Short, p.norm.Title), advice(f.Nearest, places))
	} else {
		f.say(noWords, advice(f.Nearest, places))
	}
	return f
}

func refs(list []spot) []*digesto.Ref {
	out := []*digesto.Ref{}
	for _, s := range list {
		out = append(out, s.Ref(s.match.Start, s.match.End))
	}
	return out
}

// stands is a quotation whose words are in a unit cited.
func (j *checker) stands(f Finding, s spot, parts []read.Stretch, q read.Quotation) Finding {
	f.Norm, f.Unit, f.Where = s.Norm.ID, s.Unit.ID, refs([]spot{s})
	r, changed := unseenChange(s, j.day())
	switch {
	case s.altered == judge.Adds:
		f.say(addsWords, s.altered)
	case s.altered != "":
		return j.turned(f, s, q)
	case changed:
		f.say(changedUnseen, r.Name, cmp.Or(r.From, r.Day()))
	case s.state == judge.ZoneMissing:
		f.say(noPart, s.Title(), s.said)
	case s.state == judge.ZoneUnread:
		f.say(whichPart, s.Title(), s.said)
	case s.outside:
		f.say(otherPart, s.Title(), s.said, really(judge.Innermost(s.Version.Text, s.match.Start)))
	default:
		f.say(stands, added(parts)+s.goesOn()+j.ceases(s.Norm))
	}
	return f
}

func really(part string) string {
	if part == "" {
		return ""
	}
	return ", sino en el" + part
}

// paragraph is the number that a paragraph of a unit begins with.
var paragraph = lazyregexp.New(`(?m)^(\d{1,3})\.`)

// unseenChange gives the change that the paragraph quoted had by a day and whose
// words no source here has.
func unseenChange(s spot, by digesto.Date) (digesto.Reform, bool) {
	if len(s.Version.Unseen) == 0 {
		return digesto.Reform{}, false
	}
	r := []rune(s.Version.Text)
	all := paragraph.FindAllStringSubmatch(string(r[:min(len(r), s.match.Start+4)]), -1) // its own number may be quoted
	if len(all) == 0 {
		return digesto.Reform{}, false
	}
	for _, r := range s.Version.Unseen {
		if cmp.Or(r.From, r.Day()) <= by && slices.Contains(r.Parts, all[len(all)-1][1]) {
			return r, true
		}
	}
	return digesto.Reform{}, false
}

// turned is a quotation whose words stand there with another sense.
func (j *checker) turned(f Finding, s spot, q read.Quotation) Finding {
	f.Norm, f.Unit = s.Norm.ID, s.Unit.ID
	f.say(turnsSense, s.altered)
	start, end := s.wider()
	if c, ok := s.Cite(start, end); ok {
		f.Nearest = &Nearest{Quote: c.Quote, Ref: c.Ref, Diff: diff.Words(q.Words, c.Quote)}
	}
	return f
}

// ownNegation is a negation that the author writes right before a quotation, or at the
// head of the sentence of it.
var ownNegation = lazyregexp.New(`(?i)(?:^|[\s(,])(?:(?:no|ni|nunca|jamás|tampoco|sin|nadie|ning[úu]n[oa]?)(?:\s(?:se|les?|l[oa]s?|han?|hayan?))*\s?[*_]*$|(?:en ningún (?:caso|supuesto|momento)|en modo alguno|de ningún modo|de ninguna (?:manera|forma)|bajo ningún concepto|en ninguna circunstancia)(?:[\s,](?:[^.;:«“"»”]|\. ?\d){0,60})?$)`)

// denies says whether the author of a text says before a quotation the negation that the
// law has before its words: 'no «se aplicará»'.
func (j *checker) denies(q read.Quotation) bool {
	return ownNegation.MatchString(string(j.runes[max(0, q.From-100):q.From]))
}

// superseded is a quotation of a text that does not hold on the day asked.
func (j *checker) superseded(f Finding, past []spot, q read.Quotation) Finding {
	s := past[len(past)-1]
	f.Norm, f.Unit, f.Where = s.Norm.ID, s.Unit.ID, refs([]spot{s})
	if s.undated {
		f.say(undated, j.day())
		return f
	}
	if verify.Repealed(s.Norm, j.day()) {
		f.say(wordsRepealed, since(s.Norm.RepealedFrom)+noted(s.Norm))
		return f
	}
	until := "."
	switch v := s.Version; {
	case v.ValidTo != "":
		until = " (rigió hasta el " + string(v.ValidTo) + ")."
	case v.Replaced != "":
		until = " (la sustituyó un texto publicado el " + string(v.Replaced) + ")."
	}
	f.say(formerWords, until)
	for _, v := range s.Unit.Versions {
		g := verify.Ground{Norm: s.Norm, Unit: s.Unit, Version: v}
		if !g.Citable(j.past()) {
			continue
		}
		f.Nearest = j.nearestIn([]verify.Ground{g}, q.Words)
		if v.ValidFrom != "" {
			f.Reason += " La redacción vigente rige desde el " + string(v.ValidFrom) + "."
		}
		if len(v.AmendedBy) > 0 {
			name := v.AmendedBy[len(v.AmendedBy)-1]
			if n, ok := j.Law.Norm(name); ok {
				name = cmp.Or(n.Short, n.Title)
			}
			f.Reason += " La dio " + name + "."
		}
	}
	return f
}

func likeness(n *Nearest, words string) float64 {
	_, score := quote.Nearest(n.Quote, words)
	return score
}

// nearestIn gives the passage most like the words, of grounds in their order.
func (j *checker) nearestIn(list []verify.Ground, words string) (best *Nearest) {
	top := .3
	for _, g := range list {
		m, score := j.like(g, words, top)
		if c, ok := g.Cite(m.Start, m.End); ok && score > top+1e-9 {
			top, best = score, &Nearest{Quote: c.Quote, Ref: c.Ref, Diff: diff.Words(words, c.Quote)}
		}
	}
	return best
}

// like gives the passage of a ground most like the words, and how like them it is; 0 when
// that is not more than least.
func (j *checker) like(g verify.Ground, words string, least float64) (quote.Match, float64) {
	key := keyOf(g)
	law := j.words[key]
	if law == nil {
		j.keep(len(g.Version.Text))
		law = j.lexicon.Words(g.Version.Text)
		j.words[key] = law
	}
	said := j.words[""] // the words asked for last
	if said == nil || said.Text() != words {
		said = j.lexicon.Words(words)
		j.words[""] = said
	}
	j.Spend(nearStep*law.Len() + wordStep*said.Len())
	return j.lexicon.Nearest(law, said, least)
}

func keyOf(g verify.Ground) string { return g.Norm.ID + "/" + g.Unit.ID + "/" + g.Version.ID }
