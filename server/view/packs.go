package view

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/pack"
	"digesto/text"
)

// Job is a job in words.
type Job struct {
	Title, Step, Left, Error, Count string
	Under, Ok                       bool
	Done, Total                     int
	Lines                           []string
}

// packView is a pack as pages show it.
type packView struct {
	Name, Title, Description, Numeral, Installed, Install string
	Selected                                              bool
	Norms                                                 int
	Examples                                              []string
	Badge                                                 badge
}

// packViews says for each pack what is installed of it.
func (s *Site) packViews(law *corpus.Snapshot, selected string) []packView {
	var out []packView
	for i, p := range s.Packs {
		norms, latest := installedOf(law, p)
		mine := oursOf(s.Embedded, p)
		v := packView{Name: p.Name, Title: p.Title, Description: p.Description, Numeral: roman(i + 1), Norms: norms + mine.all(), Selected: p.Name == selected}
		v.Examples = examplesOf(p, 3)
		switch {
		case norms > 0 && latest != "":
			v.Installed, v.Badge = count(norms, "norma", "normas")+" · "+DateShort(latest), badge{"is-ok", "Con ley"}
		case norms > 0:
			v.Installed, v.Badge = count(norms, "norma", "normas"), badge{"is-ok", "Con ley"}
		default:
			v.Installed, v.Badge, v.Install = "sin ley: solo "+mine.words(), badge{"is-none", "Sin ley"}, p.Install.Command()
		}
		out = append(out, v)
	}
	return out
}

func examplesOf(p *pack.Pack, n int) []string {
	var out []string
	for _, e := range append([]string{p.FirstQuestion}, p.Examples...) {
		if e != "" && !slices.Contains(out, e) && len(out) < n {
			out = append(out, e)
		}
	}
	return out
}

// installedOf counts the norms of a pack and gives the newest date of their texts.
func installedOf(snap *corpus.Snapshot, p *pack.Pack) (n int, latest digesto.Date) {
	for _, norm := range snap.Norms() {
		if p.Sees(norm) {
			n++
			latest = max(latest, norm.TextAsOf)
		}
	}
	return n, latest
}

// Home is the question box and the index of packs.
type Home struct {
	Error                                      string // what is missing in the question
	Today, Counts, Corpus, Question, Territory string
	AsOf                                       digesto.Date
	Packs                                      []packView
	Countries                                  []fact   // with how many norms of each are installed
	Empty, Boss                                bool     // no law is installed; who looks can install it
	Places                                     []string // names to choose a territory from
}

// Home is the first page, with the packs to ask and what is installed.
func (s *Site) Home(law *corpus.Snapshot, selected string) Home {
	h := Home{Today: DateLong(s.Clock()), Corpus: shortHash(law.Hash()), AsOf: s.Today(), Packs: s.packViews(law, selected)}
	for _, p := range s.Packs {
		h.Places = append(h.Places, p.PlaceNames()...)
	}
	slices.SortFunc(h.Places, func(a, b string) int { return cmp.Compare(text.Fold(a), text.Fold(b)) })
	h.Places = slices.Compact(h.Places)
	h.Countries = s.countries(law)
	h.Empty = len(law.Norms()) == 0
	h.Counts = count(len(s.Packs), "ámbito", "ámbitos") + " · " + count(len(law.Norms()), "norma", "normas")
	if mine := oursOf(s.Embedded, nil).words(); mine != "" {
		h.Counts += " · " + mine
	}
	return h
}

// countries counts the norms of each country, and those of none.
func (s *Site) countries(snap *corpus.Snapshot) (out []fact) {
	n := map[string]int{}
	for _, x := range snap.Norms() {
		country, _, _ := strings.Cut(TerritoryOf(x), "-")
		n[cmp.Or(s.place(country), "De ningún país en particular")]++
	}
	for _, name := range slices.Sorted(maps.Keys(n)) {
		out = append(out, fact{name, count(n[name], "norma", "normas")})
	}
	return out
}

type fact struct{ Name, Value string }

// packState is what is installed of a pack and how old it is.
type packState struct {
	packView
	Coverage, Looked string
	Do               string // the job that is offered: "install", "update" or none
}

// Corpus is what is installed and how old it is.
type Corpus struct {
	Facts  []fact
	Packs  []packState
	Corpus string
	Job    *Job
	Boss   bool // who looks may install
	Adds   bool // and bring files
	Update bool // there is something to bring up to date
}

// fresh is how many days after they were looked up texts count as up to date.
const fresh = 31

// Corpus is what is installed of each pack, looked up at its source on the days given.
func (s *Site) Corpus(law *corpus.Snapshot, looked map[string]digesto.Date) Corpus {
	p := Corpus{Corpus: shortHash(law.Hash())}
	for i, v := range s.packViews(law, "") {
		p.Packs = append(p.Packs, s.packState(law, s.Packs[i], v, looked[s.Packs[i].Name]))
	}
	undated := 0
	for _, n := range law.Norms() {
		if n.TextAsOf == "" {
			undated++
		}
	}
	p.Facts = append([]fact{{"Normas", Thousands(len(law.Norms()))}, {"Sin fecha del texto", Thousands(undated)}}, oursOf(s.Embedded, nil).facts()...)
	return p
}

// ours counts what the program itself says of the law: fiches, summaries of laws article by
// article (its digest), and tables.
type ours struct{ fiches, summaries, tables int }

// oursOf counts what is ours of a pack, or of all (nil).
func oursOf(snap *corpus.Snapshot, p *pack.Pack) (o ours) {
	for _, n := range snap.Norms() {
		switch {
		case p != nil && !p.Sees(n):
		case strings.HasPrefix(n.ID, pack.SummaryPrefix):
			o.summaries++
		case n.Format == digesto.FormatTable:
			o.tables++
		default:
			o.fiches++
		}
	}
	return o
}

func (o ours) all() int { return o.fiches + o.summaries + o.tables }

// facts names the counts that are not zero.
func (o ours) facts() (out []fact) {
	for _, x := range []struct {
		n         int
		one, many string
	}{{o.fiches, "ficha propia", "fichas propias"}, {o.summaries, "ley resumida", "leyes resumidas"}, {o.tables, "tabla propia", "tablas propias"}} {
		if x.n > 0 {
			out = append(out, fact{UpperFirst(or(x.n == 1, x.one, x.many)), Thousands(x.n)})
		}
	}
	return out
}

// words tells the counts in a line; "" when there is nothing of ours.
func (o ours) words() string {
	var parts []string
	for _, f := range o.facts() {
		parts = append(parts, f.Value+" "+lowerFirst(f.Name))
	}
	return strings.Join(parts, " · ")
}

// packState adds to a pack what its sources are and when they were looked up.
func (s *Site) packState(law *corpus.Snapshot, p *pack.Pack, v packView, looked digesto.Date) packState {
	out := packState{packView: v}
	there := 0
	for _, src := range p.Sources {
		if _, ok := law.Norm(src.ID); ok {
			there++
		}
	}
	if len(p.Sources) > 0 {
		out.Coverage = fmt.Sprintf("%s de sus %s fuentes", Thousands(there), Thousands(len(p.Sources)))
		out.Do = "install"
	}
	if v.Badge.Class == "is-none" {
		return out
	}
	if there == len(p.Sources) && there > 0 {
		out.Do = "update"
	}
	days, ok := s.daysSince(looked)
	switch {
	case !ok:
		out.Looked = "no se ha mirado en la fuente desde aquí"
	case days > fresh:
		out.Looked = "mirado en la fuente hace " + count(days, "día", "días")
		out.Badge = badge{"is-doubt", "Atrasado"}
	case days <= 0:
		out.Looked, out.Badge = "mirado en la fuente hoy", badge{"is-ok", "Al día"}
	default:
		out.Looked, out.Badge = "mirado en la fuente hace "+count(days, "día", "días"), badge{"is-ok", "Al día"}
	}
	return out
}
