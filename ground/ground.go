package ground

import (
	"context"
	"digesto/extract"
	"slices"

	"digesto"
	"digesto/pack"
	"digesto/passage"
	"digesto/query"
	"digesto/question"
	"digesto/retrieve"
	"digesto/text"
	"digesto/text/lazyregexp"
	"digesto/verify"
)

// Grounds is what an answer is written from: the governing unit first.
type Grounds struct {
	retrieve.Hits
	Govern   []retrieve.Hit // the units that are quoted, in order
	Evidence Evidence
	Verdict  Verdict
	Notes    []string
	Done     *query.Ending
	Failed   []string // models that failed on the way: "reader_failed"
	Unused   []string // roles that were not needed

	Guide       *Guide         // what is answered from a guide of the pack; nil = from what was found
	Summed      bool           // the digest answers in place of law that is not installed
	Related     []retrieve.Hit // context that references led to
	Conflicting []conflict
}

// ground weighs the evidence: law first, then what the packs embed; a refusal
// says what is missing.
func (e *Weigher) ground(_ context.Context, h retrieve.Hits) (Grounds, error) {
	g := Grounds{Hits: h, Notes: slices.Clone(h.Remarks)}
	law, own := retrieve.Split(h.List)
	law = within(h, law)
	if g.unheld() != "" && !slices.ContainsFunc(law, func(x retrieve.Hit) bool { return x.Exact }) {
		g.Verdict = Verdict{Reason: ReasonAbsent} // its neighbours are no answer to what it says
		g.Done = g.Refusal()
		return g, nil
	}
	g.Evidence = EvidenceOf(h, law)
	g.Verdict = Gate(g.Evidence)
	if g.Verdict.Reason == "" && len(law) > 0 {
		g.Govern = governing(law)
		if x, ok := g.dated(own); ok {
			ev := EvidenceOf(h, []retrieve.Hit{x})
			if v := Gate(ev); v.Reason == "" {
				g.Evidence, g.Verdict, g.Govern = ev, v, []retrieve.Hit{x}
			}
		}
		g.absentNote()
		return g, nil
	}
	own = g.withdraw(own)
	own = slices.DeleteFunc(own, func(x retrieve.Hit) bool { return !asks(h, x) })
	if ev := EvidenceOf(h, own); len(own) > 0 && ev.Coverage >= extract.NearlyAll {
		ev.Absent, ev.Elsewhere = false, ev.Elsewhere && !governs(h, own[0])
		if v := Gate(ev); v.Reason == "" {
			ev.Absent = g.Evidence.Absent
			g.Evidence, g.Verdict, g.Govern = ev, v, own[:1]
			return g, nil
		}
	}
	g.Done = g.Refusal()
	return g, nil
}

// dated gives the fiche with the figure of the year that is asked for, when the unit
// that was found does not speak of that year: a yearly figure stands in a norm of its
// own, and the law that only says what it is for is no answer.
func (g *Grounds) dated(own []retrieve.Hit) (retrieve.Hit, bool) {
	if g.Focus.Kind != question.KindAmount && g.Focus.Kind != question.KindOpen || g.Govern[0].Exact || len(g.Absent) > 0 {
		return retrieve.Hit{}, false
	}
	year, stated := YearAsked(g.Hits)
	if !stated && g.Focus.Kind != question.KindAmount {
		return retrieve.Hit{}, false
	}
	for _, x := range own {
		_, fact, ok := g.Pack.FicheOf(x.Norm.ID, x.Unit.ID)
		if !ok || fact.Year != year || !x.Pick.Kind || x.Pick.Cover < extract.NearlyAll || !x.Citable(g.History()) || g.contradicted(x) || g.WithoutLaw(x) {
			continue
		}
		if !g.Govern[0].Prepared.Has(year) {
			return x, true
		}
	}
	return retrieve.Hit{}, false
}

// thisYear is how a question says the year of its day.
var thisYear = PatternsOf("este|presente|corriente ano", "ano actual|corriente|vigente", "ano en curso")

// YearAsked is the year whose figures are asked for: the one named, or that of the day;
// stated says that the question speaks of it.
func YearAsked(h retrieve.Hits) (year string, stated bool) {
	for _, t := range h.Focus.Terms {
		if isYear(t.Stem) {
			return t.Stem, true
		}
	}
	return string(h.AsOf())[:4], MatchesAny(thisYear, pack.Words(h.Q.Text))
}

// otherYear says that a fact is a figure of another year than the one asked for: where
// the question says which, or its fiche has that of the year asked.
func otherYear(h retrieve.Hits, f pack.Fiche, fact pack.Fact) bool {
	year, stated := YearAsked(h)
	return fact.Year != "" && fact.Year != year &&
		(stated || slices.ContainsFunc(f.Facts, func(o pack.Fact) bool { return o.Year == year }))
}

// governs says that a fiche is about a norm that, by the lexicon of everyday
// words, governs what is asked.
func governs(h retrieve.Hits, x retrieve.Hit) bool {
	_, fact, ok := h.Pack.FicheOf(x.Norm.ID, x.Unit.ID)
	return ok && slices.ContainsFunc(elsewhereLaw(h), func(a query.Absent) bool { return a.Norm == fact.Norm })
}

// asks says that a fiche may answer what is asked: it is about one of the norms
// that the question names, if those are not installed, and about its year.
func asks(h retrieve.Hits, x retrieve.Hit) bool {
	f, fact, ok := h.Pack.FicheOf(x.Norm.ID, x.Unit.ID)
	if !ok {
		return true
	}
	if otherYear(h, f, fact) {
		return false
	}
	for _, a := range h.Absent {
		if a.Norm != fact.Norm {
			return false
		}
	}
	if elsewhereAsked(h, fact.Norm) {
		return false
	}
	for _, t := range h.Focus.Terms {
		if isYear(t.Stem) && !x.Prepared.Has(t.Stem) {
			return false
		}
	}
	return true
}

func isYear(s string) bool {
	return len(s) == 4 && passage.AllDigits(s) && (s[:2] == "19" || s[:2] == "20")
}

// within keeps to the norms that the question names: what another norm says is
// no answer to what this one does.
func within(h retrieve.Hits, law []retrieve.Hit) []retrieve.Hit {
	if len(h.Norms) == 0 {
		return law
	}
	var in []retrieve.Hit
	for _, x := range law {
		if x.Exact || slices.Contains(h.Norms, x.Norm.ID) {
			in = append(in, x)
		}
	}
	return in
}

// EvidenceOf measures the first of the hits against the question.
func EvidenceOf(h retrieve.Hits, list []retrieve.Hit) Evidence {
	ev := Evidence{Asked: h.Focus.Kind, Terms: len(h.Focus.Terms), Named: len(h.Norms) > 0, Absent: Lacks(h), Elsewhere: len(elsewhereLaw(h)) > 0}
	if len(list) == 0 {
		return ev
	}
	x := list[0]
	ev.Law, ev.Exact, ev.Kind, ev.Unmet = x.Law, x.Exact, x.Pick.Kind, Unmet(h, x)
	governs, _ := h.Authority(x.Norm)
	ev.Principal = x.Law && governs > 0
	ev.Coverage = Round2(max(x.Pick.Cover, h.Focus.Cover(func(s string) bool {
		return means(x, s) || x.Prepared.InParagraph(x.Pick.At, s) || x.Prepared.RubricHas(s)
	})))
	ev.Unit = Round2(h.Focus.Cover(func(s string) bool { return means(x, s) || x.Prepared.Has(s) }))
	switch {
	case !x.Law:
		ev.Lexical = Round2(h.OwnShare)
	case h.Reach > 0:
		ev.Lexical = Round2(h.Best / h.Reach)
	}
	ev.Order, ev.Stated = stated(h, x)
	ev.Rare = Round2(h.Focus.Rare(func(s string) bool { return means(x, s) || x.Prepared.Has(s) }))
	ev.Spread = Round2(spread(h, x))
	ev.Unheard = Round2(unheard(h, x))
	if len(list) > 1 {
		ev.Margin = Round2(max(0, x.Order-list[1].Order))
	} else {
		ev.Margin = 1
	}
	return ev
}

// means says that a word is of a term that the glossary leads here by: the unit
// says it in words of its own.
func means(x retrieve.Hit, stem string) bool {
	return slices.ContainsFunc(x.Terms, func(m map[string]bool) bool { return m[stem] })
}

// stated checks the question as a claim against the unit: what its words say
// there, and in which order.
func stated(h retrieve.Hits, x retrieve.Hit) (order, share float64) {
	an := h.Analyser()
	c := verify.NewClaim(an, "", h.Struck, h.Focus.WeightOf())
	s, ok := h.Units.Passage(an, x.Ground, x.Prepared.Title).Check(c)
	if !ok {
		return 0, 0
	}
	return Round2(s.Order), Round2(s.Cover)
}

// spread is how far a unit's score in the search stands above the mean of the
// other units' (0 = not at all, 1 = they have none).
func spread(h retrieve.Hits, x retrieve.Hit) float64 {
	sum, n := 0.0, 0
	for k := range h.List {
		if o := &h.List[k]; o.Law && (o.Unit.ID != x.Unit.ID || o.Norm.ID != x.Norm.ID) {
			sum += o.Score
			n++
		}
	}
	if n == 0 || x.Score <= 0 {
		return 1
	}
	return max(0, (x.Score-sum/float64(n))/x.Score)
}

// elsewhereLaw gives the norms that, by the pack's lexicon of everyday words,
// govern what is asked, when none of them is installed and the question names none.
// The lexicon is of a whole country: of a pack that searches a part of its law
// only, it says nothing.
func elsewhereLaw(h retrieve.Hits) []query.Absent {
	if len(h.Norms) > 0 || len(h.Exact) > 0 || len(h.Pack.Filter) > 0 {
		return nil
	}
	var out []query.Absent
	for _, note := range h.Pack.Lay.Governs(h.Text) {
		for _, m := range h.Table.Find(note) {
			if _, ok := h.Installed(m.Norm); ok {
				return nil
			}
			out = append(out, query.Absent{Name: note, Norm: m.Norm})
		}
	}
	return out
}

// Lacks says that what the question names is not installed. A norm missing
// beside one that is there is a remark, not a reason to refuse: it is often the
// same norm miswritten, or one that the first refers to.
func Lacks(h retrieve.Hits) bool {
	if len(h.Norms) > 0 || len(h.Exact) > 0 {
		for _, a := range h.Absent {
			if a.Unit != "" && len(h.Exact) == 0 {
				return true
			}
		}
		return false
	}
	return len(h.Absent) > 0
}

// governing takes every unit that the question names, or the first found.
func governing(law []retrieve.Hit) []retrieve.Hit {
	n := 0
	for n < len(law) && law[n].Exact {
		n++
	}
	return law[:max(1, min(n, verify.MaxQuotes))]
}

// absentNote says what of the named is not installed, when the rest was found.
func (g *Grounds) absentNote() {
	for _, a := range g.Absent {
		g.Notes = append(g.Notes, g.absentText(a))
	}
}

// withdraw drops the fiches that are younger than the day asked for, and those
// whose figures the installed law contradicts.
func (g *Grounds) withdraw(own []retrieve.Hit) []retrieve.Hit {
	var out []retrieve.Hit
	for _, x := range own {
		if g.otherWording(x) {
			continue // it restates the law of today
		}
		if why, ok := g.Lapsed(x); ok {
			if x.Pick.Cover >= extract.NearlyAll {
				g.Notes = append(g.Notes, "Se ha retirado la ficha «"+x.Unit.Rubric+"»: "+why)
			}
			continue
		}
		if x.Pick.Cover >= extract.NearlyAll && g.contradicted(x) {
			g.Notes = append(g.Notes, "Se ha retirado la ficha «"+x.Unit.Rubric+"»: el texto instalado dice otra cosa.")
			continue
		}
		out = append(out, x)
	}
	return out
}

// contradicted says that a fiche's official place is installed and does not
// hold one of its figures.
func (g *Grounds) contradicted(x retrieve.Hit) bool {
	if g.Law.Empty() {
		return false
	}
	_, fact, ok := g.Pack.FicheOf(x.Norm.ID, x.Unit.ID)
	if !ok || fact.Place == "" {
		return false
	}
	o, ok := g.Ground(g.Law, fact.Norm, fact.Place)
	if !ok {
		return false
	}
	return len(LackedFigures(&g.Hits, fact, o)) > 0
}

// otherWording says that a fiche's official place is installed and had other words
// on the day asked for, or none that are known: the fiche restates those of today.
func (g *Grounds) otherWording(x retrieve.Hit) bool {
	at := g.History()
	_, fact, ok := g.Pack.FicheOf(x.Norm.ID, x.Unit.ID)
	if at == "" || g.Law.Empty() || !ok || fact.Place == "" {
		return false
	}
	now, err := g.Law.Snapshot.Text(fact.Norm, fact.Place, "")
	if err != nil {
		return false
	}
	then, err := g.Law.Snapshot.Text(fact.Norm, fact.Place, at)
	return err != nil || then.SHA256 != now.SHA256
}

// Closed joins the groups of three figures that a text sets apart: "1 250" → "1250".
func Closed(s string) string {
	return figureGroups.ReplaceAllString(s, "$1$2")
}

var figureGroups = lazyregexp.New(`(\d)[ \x{a0}\x{202f}](\d{3})\b`)

func Day(d digesto.Date) string {
	s := string(d)
	if len(s) != 10 {
		return s
	}
	return s[8:] + "/" + s[5:7] + "/" + s[:4]
}

// LackedFigures are the figures of a fact that its official unit does not hold,
// without the year that a figure is of.
func LackedFigures(h *retrieve.Hits, f pack.Fact, x retrieve.Hit) []string {
	key := query.LackKey{Text: f.Text, Year: f.Year, SHA: x.Version.SHA256}
	if list, ok := h.Units.Lacks.Get(key); ok && key.SHA != "" {
		return slices.Clone(list)
	}
	terms := slices.Clone(h.Analyser().Terms(f.Text))
	list := missingNumbers(terms, passage.Stems(h.Analyser(), x.Version.Text+" "+Closed(x.Version.Text)))
	list = slices.DeleteFunc(list, func(n string) bool { return n == f.Year })
	h.Units.Lacks.Put(key, slices.Clone(list), 200+len(f.Text))
	return list
}

// missingNumbers gives the numbers of a text that a set of stems lacks.
func missingNumbers(terms []text.Term, have map[string]bool) []string {
	var out []string
	for _, t := range terms {
		if t.Stem != "" && t.Stem[0] >= '0' && t.Stem[0] <= '9' && !t.Part && !have[t.Stem] {
			out = append(out, t.Stem)
		}
	}
	return out
}
