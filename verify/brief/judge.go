package brief

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"digesto"
	"digesto/corpus"
	"digesto/text"
	"digesto/text/cite"
	"digesto/text/diff"
	"digesto/text/quote"
	"digesto/verify"
)

// judge holds what the verdicts on one text share.
type judge struct {
	Options
	meter
	runes []rune
	forms []*pattern // of rulings
	until int        // code points from which nothing is judged; see errSpent
	// quotes are those of the text, in order, and norms the installed ones that it names.
	quotes    []quotation
	norms     []string
	pages     map[string][]*page   // versions of units, by norm/unit; see keep
	lately    map[string]elsewhere // by the words looked for and the norms cited
	plain     map[string]plainNorm // norms looked through as a whole, by id
	plainSize int                  // bytes of them
	kept      int                  // bytes of law in them, in passages and in words
	beside    map[beside]string
	titles    map[string][2]string // titles folded, as they are and without what approves them
	units     map[beside]bool      // that norms have, or not; by norm and unit
	having    map[[3]string]bool   // whether a unit has a part; by norm, unit and part
	home      string               // jurisdiction of most of the norms cited
	parts     map[string]bool      // territories, as provinces, of which a norm is cited by a name of its own
	// country is the only one that the text names, when no norm says another; "" = none.
	country string
	fuller  map[string]string // by norm: the longest of its names in the text, folded

	fired map[string]int // how often each rule of linking decided

	said     []stated // sentences of the text that cite
	mentions []mention
	ends     []int                      // the last end among a citation and those before it
	passages map[string]*verify.Passage // versions read for claims, by norm/unit/version
	words    map[string]*quote.Words    // versions cut into words, by the same
	lexicon  quote.Lexicon
	an       text.Analyser
	court    court
}

func newJudge(ctx context.Context, s string, o Options) *judge {
	j := &judge{fired: map[string]int{}, lately: map[string]elsewhere{}, plain: map[string]plainNorm{}, beside: map[beside]string{}, titles: map[string][2]string{}, units: map[beside]bool{}, having: map[[3]string]bool{}, Options: o, meter: meter{ctx: ctx, most: cmp.Or(o.work, maxWork) / 2}, court: courtOf(o.Courts), runes: []rune(s)}
	j.until, j.forms = len(j.runes), []*pattern{ecli}
	for _, re := range o.Rulings {
		if !slices.ContainsFunc(j.forms, func(p *pattern) bool { return p.re.String() == re.String() }) {
			j.forms = append(j.forms, patternOf(re, len(s)))
		}
	}
	j.forget()
	return j
}

func (j *judge) day() digesto.Date {
	if j.AsOf != "" {
		return j.AsOf
	}
	return j.Today
}

// past is the day to look law up with; "" is today's.
func (j *judge) past() digesto.Date {
	if j.AsOf == j.Today {
		return ""
	}
	return j.AsOf
}

// judge gives the verdict on a citation; ok is false for what is no citation of
// law: a quotation of something else, a number without a norm.
func (j *judge) judge(t tied) (f Finding, ok bool, err error) {
	if err := j.spend(findingStep); err != nil {
		return f, false, err
	}
	f.Where = []*digesto.Ref{}
	if q := t.quote; q != nil {
		f.Quote, f.QuoteStart, f.QuoteEnd, f.Start, f.End = &q.words, q.start, q.end, q.start, q.end
	}
	if len(t.mentions) == 0 {
		if f, ok, err := j.ofNear(f, t.near, *t.quote); ok || err != nil {
			return j.doubted(f, t, nil), ok, err
		}
		f, ok, err = j.unattributed(f, *t.quote)
		return j.doubted(f, t, nil), ok, err
	}
	first, last := t.mentions[0], t.mentions[len(t.mentions)-1]
	f.Start, f.End = first.Start, last.End
	f.Text = string(j.runes[first.Start:min(last.End, len(j.runes))])
	if t.ruling {
		f.Verdict = Unresolved
		f.Reason = "La resolución judicial «" + f.Text + "» no está instalada: no se puede comprobar que exista ni lo que dice. Búsquela en la publicación oficial de su tribunal antes de citarla."
		return f, true, nil
	}
	if t.quote != nil && len(t.mentions) == 1 {
		first = j.ownPart(j.besideIt(j.neighbour(j.unitBefore(first, false))), *t.quote)
		t.mentions = []mention{first}
	}
	if t.quote == nil && first.Relative && first.Number == "presente" && first.Name == "" {
		return f, false, nil // "el mismo precepto"
	}
	places := j.places(t.mentions)
	if len(places) == 0 {
		if first.Name == "" || first.Relative {
			if t.quote != nil {
				f, ok, err = j.unplaced(f, t.mentions, *t.quote)
				return j.doubted(f, t, nil), ok, err
			}
			return f, false, nil
		}
		if bareName.MatchString(first.Name) {
			f.Verdict, f.Unit = Unresolved, first.Unit
			f.Reason = "La cita dice «" + first.Name + "» y antes el texto no dice cuál: escriba el nombre o el número de la norma."
			return f, true, nil
		}
		return j.absent(f, first, "No está instalada la norma «"+first.Name+"»."), true, nil
	}
	if t.quote == nil {
		return j.bare(f, places, first), true, nil
	}
	f, ok, err = j.quoted(f, places, *t.quote)
	return j.doubted(f, t, places), ok, err
}

// doubted leaves a verified quotation open when what its author says of its place was not
// all understood, or when it is a figure of something else.
func (j *judge) doubted(f Finding, t tied, places []place) Finding {
	if f.Verdict != Verified {
		return f
	}
	whole := !slices.ContainsFunc(places, func(p place) bool { return p.unit != "" })
	what := j.unread(t, whole)
	if what == "" && whole {
		what = j.besideUnit(t, f.Unit)
	}
	if what != "" {
		f.Verdict, f.Where = Unresolved, []*digesto.Ref{}
		f.Reason = "Junto a la cita está «" + what + "», que parece nombrar un lugar y no se entiende: no se puede comprobar que las palabras sean de él. Escriba el artículo y la norma."
		return f
	}
	if len(t.mentions) == 0 {
		if who := j.otherSource(*t.quote); who != "" {
			f.Verdict, f.Norm, f.Unit = Unresolved, "", ""
			f.Reason = "El texto parece decir que las palabras son de otra fuente («" + who + "»), que no está instalada o no se entiende. También están en " + f.Where[0].Title + "."
			return f
		}
	}
	if n, ok := j.Law.Norm(f.Norm); ok {
		if u, ok := j.Law.Unit(f.Norm, f.Unit); ok {
			for _, v := range u.Versions {
				g := verify.Ground{Norm: n, Unit: u, Version: v}
				if want := stretches(t.quote.words); len(want) == 1 && g.Citable(j.past()) && j.objectless(t, g, want) {
					f.Verdict = Unresolved
					f.Reason = "La cifra está en el lugar citado, pero no consta que la diga de lo que dice la frase: compruébelo."
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
func (j *judge) places(list []mention) []place {
	var out []place
	for _, m := range list {
		ids := []string{m.Norm}
		if m.Norm == "" {
			ids = m.Also
			if len(ids) == 0 && (m.Name == "" || m.Relative) && m.context != "" {
				ids = []string{m.context}
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
				if v := romanNumber(m.Number); err != nil && v > 0 && m.Kind == digesto.KindArticle && roman.MatchString(m.Number) {
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
func (j *judge) through(m mention, first place) (out []place) {
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

func (j *judge) narrowed(list []place) []place {
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

// absent is a citation of what is not installed.
func (j *judge) absent(f Finding, m mention, why string) Finding {
	f.Verdict, f.Reason, f.Norm, f.Unit = Unresolved, why, m.Norm, m.Unit
	if j.Install != nil {
		if c := j.Install(m.Norm, m.Name); c != "" {
			f.Reason += " Se instala con: " + c
		}
	}
	return f
}

// unreadable leaves a citation open when a text that it names is damaged on the disk:
// nobody is told of words that they are not there when nobody can look.
func (j *judge) unreadable(f *Finding, places []place) bool {
	for _, p := range places {
		if p.unit == "" {
			continue
		}
		if _, err := j.Law.Load(p.norm.ID, p.unit); err != nil && digesto.CodeOf(err) != digesto.CodeNotFound {
			f.Verdict, f.Norm, f.Unit = Unresolved, p.norm.ID, p.unit
			f.Reason = "El texto guardado de «" + corpus.NameOf(p.norm) + "» está dañado y no se puede leer: la cita no se puede comprobar. Quien lleva la biblioteca lo ve con «digesto corpus check»."
			return true
		}
	}
	return false
}

// bare is a citation without words: the unit must be there and in force.
func (j *judge) bare(f Finding, places []place, m mention) Finding {
	p := places[0]
	f.Norm, f.Unit = p.norm.ID, p.unit
	title := nonEmpty(p.norm.Short, p.norm.Title)
	if p.missing && j.unreadable(&f, places) {
		return f
	}
	switch {
	case p.missing && m.Name == "":
		f.Verdict, f.Reason = Unresolved, "La cita no dice de qué norma es el artículo, y «"+title+"», de la que se habla antes, no lo tiene: escriba la norma."
	case p.missing:
		f.Verdict, f.Reason = NotFound, fmt.Sprintf("«%s» no tiene %s.", title, m.Text)
	case p.unit == "" && verify.Repealed(p.norm, j.day()):
		f.Verdict, f.Reason = Superseded, "Norma derogada"+since(p.norm.RepealedFrom)+noted(p.norm)+"."
	case p.unit == "":
		f.Verdict, f.Reason = Verified, "La norma está instalada."+j.ceases(p.norm)
	default:
		j.inForce(&f, p, m)
	}
	return f
}

func (j *judge) inForce(f *Finding, p place, m mention) {
	u, _ := j.Law.Unit(p.norm.ID, p.unit)
	for _, v := range u.Versions {
		g := verify.Ground{Norm: p.norm, Unit: u, Version: v}
		if g.Citable(j.past()) {
			f.Verdict, f.Reason = Verified, "El artículo existe y está vigente."+j.ceases(p.norm)
			f.Where = append(f.Where, g.Ref(0, 0))
			f.Claim = j.claim(m, g)
			return
		}
	}
	f.Verdict, f.Reason = Superseded, "El artículo existe, pero no consta que rija en la fecha consultada."
	if verify.Repealed(p.norm, j.day()) {
		f.Reason = "El artículo existe, pero la norma está derogada" + since(p.norm.RepealedFrom) + noted(p.norm) + "."
	}
}

// quoted is a citation with words. They must stand in a unit cited, in the
// version in force.
func (j *judge) quoted(f Finding, places []place, q quotation) (Finding, bool, error) {
	parts := stretches(q.words)
	if len(parts) > 0 {
		var err error
		if parts, places, err = j.headed(parts, places); err != nil {
			return f, false, err
		}
	}
	f.Norm, f.Unit = places[0].norm.ID, places[0].unit
	var past []spot
	var best *spot // of those in force
	for _, p := range places {
		there, err := j.search(p, parts)
		if err != nil {
			return f, false, err
		}
		for _, s := range there {
			if s.altered == undenied && j.denies(q) {
				s.altered = ""
			}
			switch {
			case !s.inForce && s.altered == "":
				past = append(past, s)
			case best == nil || s.inForce && s.rank() < best.rank():
				best = &s
			}
		}
	}
	if best != nil && (best.inForce || len(past) == 0) {
		return j.stands(f, *best, parts, q), true, nil
	}
	if len(past) > 0 {
		f, err := j.superseded(f, past, q)
		return f, true, err
	}
	if j.unreadable(&f, places) {
		return f, true, nil
	}
	found, err := j.elsewhere(places, parts, q.words)
	if err != nil {
		return f, false, err
	}
	if s, ok := j.olderCopy(places, found.exact); ok {
		f.Verdict, f.Where = Superseded, []*digesto.Ref{s.ref()}
		f.Reason = "El texto es literal, pero de una copia anterior de la misma norma (" + s.Norm.ID + ", con texto hasta el " + string(s.Norm.TextAsOf) + "): la más reciente que está instalada dice otra cosa."
		f.Nearest, err = j.nearest(places, nil, q.words)
		return f, true, err
	}
	if len(found.exact) > 0 {
		f.Verdict = Misattributed
		for _, s := range found.exact {
			f.Where = append(f.Where, s.ref())
		}
		f.Reason = "Las palabras no están en el lugar citado: son de " + found.exact[0].Title() + ". Cite ese lugar, o las palabras del que cita."
		return f, true, nil
	}
	if len(places) == 1 && places[0].missing {
		f.Reason = fmt.Sprintf("«%s» no tiene ese artículo o disposición, y las palabras no están en el derecho instalado.", nonEmpty(places[0].norm.Short, places[0].norm.Title))
	} else {
		f.Reason = "Las palabras no están, literales, en el lugar citado ni en otro del derecho instalado."
	}
	f.Verdict = NotFound
	f.Nearest, err = j.nearest(places, found.near, q.words)
	f.Reason += advice(f.Nearest, places)
	return f, true, err
}

// stands is a quotation whose words are in a unit cited.
func (j *judge) stands(f Finding, s spot, parts []stretch, q quotation) Finding {
	f.Norm, f.Unit, f.Where = s.Norm.ID, s.Unit.ID, []*digesto.Ref{s.ref()}
	r, changed := changedUnseen(s, j.day())
	switch {
	case s.altered == adds:
		f.Verdict, f.Reason = Unresolved, s.altered
	case s.altered != "":
		return j.turned(f, s, q)
	case changed:
		f.Verdict = Superseded
		f.Reason = fmt.Sprintf("El texto es literal, pero %s cambió ese apartado el %s con palabras que no están en la fuente: no consta que rija en la fecha consultada.", r.Name, cmp.Or(r.From, r.Day()))
	case s.state == zoneMissing:
		f.Verdict = Misattributed
		f.Reason = fmt.Sprintf("Las palabras están, literales, en %s, pero ese lugar no tiene lo que la cita nombra (%s).", s.Title(), s.said)
	case s.state == zoneUnread:
		f.Verdict = Unresolved
		f.Reason = fmt.Sprintf("Las palabras están en %s, pero no se puede saber qué parte nombra la cita (%s): compruébela.", s.Title(), s.said)
	case s.outside:
		f.Verdict = Misattributed
		f.Reason = fmt.Sprintf("Las palabras están, literales, en %s, pero no en lo que la cita nombra (%s)%s.", s.Title(), s.said, really(innermost(s.Version.Text, s.match.Start)))
	default:
		f.Verdict = Verified
		f.Reason = "Las palabras están, literales, en el lugar citado." + added(parts) + s.goesOn() + j.ceases(s.Norm)
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
var paragraph = regexp.MustCompile(`(?m)^(\d{1,3})\.`)

// changedUnseen gives the change that the paragraph quoted had by a day and whose
// words no source here has.
func changedUnseen(s spot, by digesto.Date) (digesto.Reform, bool) {
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
func (j *judge) turned(f Finding, s spot, q quotation) Finding {
	f.Verdict, f.Norm, f.Unit = NotFound, s.Norm.ID, s.Unit.ID
	f.Reason = s.altered
	start, end := s.wider()
	if c, ok := s.Cite(start, end); ok {
		f.Nearest = &Nearest{Quote: c.Quote, Ref: c.Ref, Diff: diff.Words(q.words, c.Quote)}
	}
	return f
}

// ownNegation is a negation that the author writes right before a quotation, or at the
// head of the sentence of it.
var ownNegation = regexp.MustCompile(`(?i)(?:^|[\s(,])(?:(?:no|ni|nunca|jamás|tampoco|sin|nadie|ning[úu]n[oa]?)(?:\s(?:se|les?|l[oa]s?|han?|hayan?))*\s?[*_]*$|(?:en ningún (?:caso|supuesto|momento)|en modo alguno|de ningún modo|de ninguna (?:manera|forma)|bajo ningún concepto|en ninguna circunstancia)(?:[\s,](?:[^.;:«“"»”]|\. ?\d){0,60})?$)`)

// denies says whether the author of a text says before a quotation the negation that the
// law has before its words: 'no «se aplicará»'.
func (j *judge) denies(q quotation) bool {
	return ownNegation.MatchString(string(j.runes[max(0, q.from-100):q.from]))
}

// superseded is a quotation of a text that does not hold on the day asked.
func (j *judge) superseded(f Finding, past []spot, q quotation) (Finding, error) {
	s := past[len(past)-1]
	f.Verdict, f.Norm, f.Unit = Superseded, s.Norm.ID, s.Unit.ID
	f.Where = []*digesto.Ref{s.ref()}
	if s.undated {
		f.Verdict = Unresolved
		f.Reason = "Las palabras son del texto de hoy, y no consta desde cuándo rigen: no se puede comprobar que rigieran el " + string(j.day()) + "."
		return f, nil
	}
	if verify.Repealed(s.Norm, j.day()) {
		f.Reason = "El texto es literal, pero la norma está derogada" + since(s.Norm.RepealedFrom) + noted(s.Norm) + "."
		return f, nil
	}
	f.Reason = "El texto es literal, pero de una redacción que no rige en la fecha consultada"
	switch v := s.Version; {
	case v.ValidTo != "":
		f.Reason += " (rigió hasta el " + string(v.ValidTo) + ")"
	case v.Replaced != "":
		f.Reason += " (la sustituyó un texto publicado el " + string(v.Replaced) + ")"
	}
	f.Reason += "."
	for _, v := range s.Unit.Versions {
		g := verify.Ground{Norm: s.Norm, Unit: s.Unit, Version: v}
		if g.Citable(j.past()) {
			near, err := j.nearestIn([]verify.Ground{g}, q.words)
			if err != nil {
				return f, err
			}
			f.Nearest = near
			if v.ValidFrom != "" {
				f.Reason += " La redacción vigente rige desde el " + string(v.ValidFrom) + "."
			}
			if by := j.authors(v); by != "" {
				f.Reason += " La dio " + by + "."
			}
		}
	}
	return f, nil
}

func likeness(n *Nearest, words string) float64 {
	_, score := quote.Nearest(n.Quote, words)
	return score
}

// nearestIn gives the passage most like the words, of grounds in their order.
func (j *judge) nearestIn(list []verify.Ground, words string) (*Nearest, error) {
	var best *Nearest
	top := .3
	for _, g := range list {
		m, score, err := j.like(g, words, top)
		if err != nil {
			return nil, err
		}
		if score <= top+1e-9 {
			continue
		}
		if c, ok := g.Cite(m.Start, m.End); ok {
			top, best = score, &Nearest{Quote: c.Quote, Ref: c.Ref, Diff: diff.Words(words, c.Quote)}
		}
	}
	return best, nil
}

// like gives the passage of a ground most like the words, and how like them it is; 0 when
// that is not more than least.
func (j *judge) like(g verify.Ground, words string, least float64) (quote.Match, float64, error) {
	key := g.Norm.ID + "/" + g.Unit.ID + "/" + g.Version.ID
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
	if err := j.spend(nearStep*law.Len() + wordStep*said.Len()); err != nil {
		return quote.Match{}, 0, err
	}
	m, score := j.lexicon.Nearest(law, said, least)
	return m, score, nil
}
