package ask

import (
	"context"
	"regexp"
	"slices"

	"digesto"
	"digesto/extract"
	"digesto/pack"
	"digesto/passage"
	"digesto/question"
	"digesto/verify"
)

// grounds is what an answer is written from: the governing unit first.
type grounds struct {
	hits
	govern   []hit // the units that are quoted, in order
	evidence Evidence
	verdict  Verdict
	notes    []string
	done     *ending
	failed   []string // models that failed on the way: "reader_failed"
	unused   []string // roles that were not needed

	guide       *guide // what is answered from a guide of the pack; nil = from what was found
	related     []hit  // context that references led to
	conflicting []conflict
}

func (g grounds) ended() draft { return draft{grounds: g, end: g.done} }

// ground weighs the evidence: law first, then what the packs embed; a refusal
// says what is missing.
func (e *Weigher) ground(_ context.Context, h hits) (grounds, error) {
	g := grounds{hits: h, notes: slices.Clone(h.remarks)}
	t := thresholds(h.pack.Gate)
	law, own := split(h.list)
	law = h.within(law)
	if g.unheld() != "" && !slices.ContainsFunc(law, func(x hit) bool { return x.exact }) {
		g.verdict = Verdict{Reason: ReasonAbsent} // its neighbours are no answer to what it says
		g.done = g.refusal()
		return g, nil
	}
	g.evidence = h.evidence(law)
	g.verdict = Gate(g.evidence, t)
	if g.verdict.Reason == "" && len(law) > 0 {
		g.govern = g.withNext(governing(law), law)
		if x, ok := g.dated(own); ok {
			ev := h.evidence([]hit{x})
			if v := Gate(ev, t); v.Reason == "" {
				g.evidence, g.verdict, g.govern = ev, v, []hit{x}
			}
		}
		g.absentNote()
		return g, nil
	}
	own = g.withdraw(own)
	own = slices.DeleteFunc(own, func(x hit) bool { return !h.asks(x) })
	if ev := h.evidence(own); len(own) > 0 && ev.Coverage >= ficheCover {
		ev.Absent, ev.Elsewhere = false, ev.Elsewhere && !h.governs(own[0])
		if v := Gate(ev, t); v.Reason == "" {
			ev.Absent = g.evidence.Absent
			g.evidence, g.verdict, g.govern = ev, v, own[:1]
			g.official()
			return g, nil
		}
	}
	g.done = g.refusal()
	return g, nil
}

// dated gives the fiche with the figure of the year that is asked for, when the unit
// that was found does not speak of that year: a yearly figure stands in a norm of its
// own, and the law that only says what it is for is no answer.
func (g *grounds) dated(own []hit) (hit, bool) {
	if g.focus.Kind != question.KindAmount && g.focus.Kind != question.KindOpen || g.govern[0].exact || len(g.absent) > 0 {
		return hit{}, false
	}
	year, stated := g.yearAsked()
	if !stated && g.focus.Kind != question.KindAmount {
		return hit{}, false
	}
	for _, x := range own {
		_, fact, ok := g.pack.FicheOf(x.Norm.ID, x.Unit.ID)
		if !ok || fact.Year != year || !x.pick.Kind || x.pick.Cover < ficheCover || !x.Citable(g.history()) || g.contradicted(x) || g.withoutLaw(x) {
			continue
		}
		if !g.govern[0].unit.Has(year) {
			return x, true
		}
	}
	return hit{}, false
}

// thisYear is how a question says the year of its day.
var thisYear = patternsOf("este|presente|corriente ano", "ano actual|corriente|vigente", "ano en curso")

// yearAsked is the year whose figures are asked for: the one named, or that of the day;
// stated says that the question speaks of it.
func (h hits) yearAsked() (year string, stated bool) {
	for _, t := range h.focus.Terms {
		if isYear(t.Stem) {
			return t.Stem, true
		}
	}
	return string(h.asOf())[:4], matchesAny(thisYear, pack.Words(h.q.Text))
}

// otherYear says that a fact is a figure of another year than the one asked for: where
// the question says which, or its fiche has that of the year asked.
func (h hits) otherYear(f pack.Fiche, fact pack.Fact) bool {
	year, stated := h.yearAsked()
	return fact.Year != "" && fact.Year != year &&
		(stated || slices.ContainsFunc(f.Facts, func(o pack.Fact) bool { return o.Year == year }))
}

// governs says that a fiche is about a norm that, by the lexicon of everyday
// words, governs what is asked.
func (h hits) governs(x hit) bool {
	_, fact, ok := h.pack.FicheOf(x.Norm.ID, x.Unit.ID)
	return ok && slices.ContainsFunc(h.elsewhereLaw(), func(a absent) bool { return a.norm == fact.Norm })
}

// asks says that a fiche may answer what is asked: it is about one of the norms
// that the question names, if those are not installed, and about its year.
func (h hits) asks(x hit) bool {
	f, fact, ok := h.pack.FicheOf(x.Norm.ID, x.Unit.ID)
	if !ok {
		return true
	}
	if h.otherYear(f, fact) {
		return false
	}
	for _, a := range h.absent {
		if a.norm != fact.Norm {
			return false
		}
	}
	if h.elsewhereAsked(fact.Norm) {
		return false
	}
	for _, t := range h.focus.Terms {
		if isYear(t.Stem) && !x.unit.Has(t.Stem) {
			return false
		}
	}
	return true
}

func isYear(s string) bool {
	return len(s) == 4 && passage.AllDigits(s) && (s[:2] == "19" || s[:2] == "20")
}

// official puts the law in the place of the fiche that would answer, where its
// official place is installed: a fiche only finds it. The gate is not asked again: it
// measures the words that a question shares with a unit, and a fiche is what leads from
// the one's words to the other's. It has passed the gate itself, it holds most of the
// question (ficheCover), the unit holds all its figures (see withdraw), and without the
// sentence that it restates there (clue) it stays. What the unit must hold whoever led
// there is asked of it: a sum, a trade, a punishment, the norm that is named.
func (g *grounds) official() {
	_, fact, ok := g.pack.FicheOf(g.govern[0].Norm.ID, g.govern[0].Unit.ID)
	if !ok || fact.Place == "" {
		return
	}
	at, _ := g.join(fact.Norm, fact.Place, hintScore, true)
	if at < 0 {
		return
	}
	if x := &g.list[at]; x.clue == nil {
		g.aim(x, fact, g.govern[0].pick.Cover)
	}
	if x := g.list[at]; x.clue == nil || g.unmet(x) || len(g.within([]hit{x})) == 0 {
		return
	}
	ev := g.hits.evidence([]hit{g.list[at]})
	ev.Margin, ev.Absent = 0, g.evidence.Absent
	g.evidence, g.govern = ev, []hit{g.list[at]}
}

// within keeps to the norms that the question names: what another norm says is
// no answer to what this one does.
func (h hits) within(law []hit) []hit {
	if len(h.norms) == 0 {
		return law
	}
	var in []hit
	for _, x := range law {
		if x.exact || slices.Contains(h.norms, x.Norm.ID) {
			in = append(in, x)
		}
	}
	return in
}

// ficheCover is the share of the question's information that a fiche must hold:
// more than is asked of law, because a fiche is one fact and no context.
const ficheCover = .7

func split(list []hit) (law, own []hit) {
	n := 0
	for k := range list {
		n += int(extract.OneIf(list[k].law))
	}
	if n > 0 {
		law = make([]hit, 0, n)
	}
	if n < len(list) {
		own = make([]hit, 0, len(list)-n)
	}
	for _, x := range list {
		if x.law {
			law = append(law, x)
		} else {
			own = append(own, x)
		}
	}
	return law, own
}

// evidence measures the first of the hits against the question.
func (h hits) evidence(list []hit) Evidence {
	ev := Evidence{Asked: h.focus.Kind, Terms: len(h.focus.Terms), Named: len(h.norms) > 0, Absent: h.lacks(), Elsewhere: len(h.elsewhereLaw()) > 0}
	if len(list) == 0 {
		return ev
	}
	x := list[0]
	ev.Law, ev.Exact, ev.Kind, ev.Unmet = x.law, x.exact, x.pick.Kind, h.unmet(x)
	governs, _ := h.authority(x.Norm)
	ev.Principal = x.law && governs > 0
	if x.law && x.clue != nil {
		ev.Vouched = round2(x.hint)
	}
	if x.law {
		ev.Like = round2(x.certain)
	}
	ev.Coverage = round2(max(x.pick.Cover, x.vouch, h.focus.Cover(func(s string) bool { return x.means(s) || x.unit.InParagraph(x.pick.At, s) || x.unit.RubricHas(s) })))
	ev.Unit = round2(max(x.vouch, h.focus.Cover(func(s string) bool { return x.means(s) || x.unit.Has(s) })))
	switch {
	case !x.law:
		ev.Lexical = round2(h.ownShare)
	case h.reach > 0:
		ev.Lexical = round2(h.best / h.reach)
	}
	ev.Order, ev.Stated = h.stated(x)
	ev.Rare = round2(max(x.vouch, h.focus.Rare(func(s string) bool { return x.means(s) || x.unit.Has(s) })))
	ev.Stated = max(ev.Stated, round2(x.vouch)) // a fiche that asks the same says it in the question's words
	ev.Spread = round2(h.spread(x))
	ev.Told, ev.Unheard = round2(h.told(x)), round2(h.unheard(x))
	if !x.law && x.vouch > 0 { // a fiche found by its meaning has few of the words
		ev.Told, ev.Unheard = max(ev.Told, round2(x.vouch)), 0
	}
	if len(list) > 1 {
		ev.Margin = round2(max(0, x.order-list[1].order))
	} else {
		ev.Margin = 1
	}
	return ev
}

// means says that a word is of a term that the glossary leads here by: the unit
// says it in words of its own.
func (x hit) means(stem string) bool {
	return slices.ContainsFunc(x.terms, func(m map[string]bool) bool { return m[stem] })
}

// stated checks the question as a claim against the unit: what its words say
// there, and in which order.
func (h hits) stated(x hit) (order, share float64) {
	an := h.analyser()
	c := verify.NewClaim(an, "", h.struck, h.focus.WeightOf())
	s, ok := h.units.passage(an, x.Ground, x.unit.Title).Check(c)
	if !ok {
		return 0, 0
	}
	return round2(s.Order), round2(s.Cover)
}

// spread is how far a unit's score in the search stands above the mean of the
// other units' (0 = not at all, 1 = they have none).
func (h hits) spread(x hit) float64 {
	sum, n := 0.0, 0
	for k := range h.list {
		if o := &h.list[k]; o.law && (o.Unit.ID != x.Unit.ID || o.Norm.ID != x.Norm.ID) {
			sum += o.score
			n++
		}
	}
	if n == 0 || x.score <= 0 {
		return 1
	}
	return max(0, (x.score-sum/float64(n))/x.score)
}

// elsewhereLaw gives the norms that, by the pack's lexicon of everyday words,
// govern what is asked, when none of them is installed and the question names none.
// The lexicon is of a whole country: of a pack that searches a part of its law
// only, it says nothing.
func (h hits) elsewhereLaw() []absent {
	if len(h.norms) > 0 || len(h.exact) > 0 || len(h.pack.Filter) > 0 {
		return nil
	}
	var out []absent
	for _, note := range h.pack.Lay.Governs(h.text) {
		for _, m := range h.table.Find(note) {
			if _, ok := h.installed(m.Norm); ok {
				return nil
			}
			out = append(out, absent{name: note, norm: m.Norm})
		}
	}
	return out
}

// lacks says that what the question names is not installed. A norm missing
// beside one that is there is a remark, not a reason to refuse: it is often the
// same norm miswritten, or one that the first refers to.
func (h hits) lacks() bool {
	if len(h.norms) > 0 || len(h.exact) > 0 {
		for _, a := range h.absent {
			if a.unit != "" && len(h.exact) == 0 {
				return true
			}
		}
		return false
	}
	return len(h.absent) > 0
}

// governing takes every unit that the question names, or the first found.
func governing(law []hit) []hit {
	n := 0
	for n < len(law) && law[n].exact {
		n++
	}
	return law[:max(1, min(n, verify.MaxQuotes))]
}

// besideMargin is the lead below which the unit after the one that governs is quoted too.
const besideMargin = .3

// withNext adds the unit that comes next when the question names none and the
// evidence hardly tells the two apart: both are shown, and the reader chooses.
func (g *grounds) withNext(govern, law []hit) []hit {
	if len(govern) != 1 || govern[0].exact || len(law) < 2 || g.focus.Kind == question.KindText {
		return govern
	}
	x := law[1]
	if govern[0].order-x.order > besideMargin || !x.pick.Kind || x.pick.Cover < govern[0].pick.Cover-.35 {
		return govern
	}
	x.beside = true
	return append(slices.Clone(govern), x)
}

// absentNote says what of the named is not installed, when the rest was found.
func (g *grounds) absentNote() {
	for _, a := range g.absent {
		g.notes = append(g.notes, g.absentText(a))
	}
}

// withdraw drops the fiches that are younger than the day asked for, and those
// whose figures the installed law contradicts.
func (g *grounds) withdraw(own []hit) []hit {
	var out []hit
	for _, x := range own {
		if g.otherWording(x) {
			continue // it restates the law of today
		}
		if why, ok := g.lapsed(x); ok {
			if x.pick.Cover >= ficheCover {
				g.notes = append(g.notes, "Se ha retirado la ficha «"+x.Unit.Rubric+"»: "+why)
			}
			continue
		}
		if x.pick.Cover >= ficheCover && g.contradicted(x) {
			g.notes = append(g.notes, "Se ha retirado la ficha «"+x.Unit.Rubric+"»: el texto instalado dice otra cosa.")
			continue
		}
		out = append(out, x)
	}
	return out
}

// contradicted says that a fiche's official place is installed and does not
// hold one of its figures.
func (g *grounds) contradicted(x hit) bool {
	if g.law.empty() {
		return false
	}
	_, fact, ok := g.pack.FicheOf(x.Norm.ID, x.Unit.ID)
	if !ok || fact.Place == "" {
		return false
	}
	o, ok := g.ground(g.law, fact.Norm, fact.Place)
	if !ok {
		return false
	}
	return len(g.lackedFigures(fact, o)) > 0
}

// otherWording says that a fiche's official place is installed and had other words
// on the day asked for, or none that are known: the fiche restates those of today.
func (g *grounds) otherWording(x hit) bool {
	at := g.history()
	_, fact, ok := g.pack.FicheOf(x.Norm.ID, x.Unit.ID)
	if at == "" || g.law.empty() || !ok || fact.Place == "" {
		return false
	}
	now, err := g.law.Snapshot.Text(fact.Norm, fact.Place, "")
	if err != nil {
		return false
	}
	then, err := g.law.Snapshot.Text(fact.Norm, fact.Place, at)
	return err != nil || then.SHA256 != now.SHA256
}

// closed joins the groups of three figures that a text sets apart: "1 250" → "1250".
func closed(s string) string {
	return figureGroups.ReplaceAllString(s, "$1$2")
}

var figureGroups = regexp.MustCompile(`(\d)[ \x{a0}\x{202f}](\d{3})\b`)

func day(d digesto.Date) string {
	s := string(d)
	if len(s) != 10 {
		return s
	}
	return s[8:] + "/" + s[5:7] + "/" + s[:4]
}
