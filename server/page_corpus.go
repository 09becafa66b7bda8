package server

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/pack"
)

type fact struct{ Name, Value string }

// packState is what is installed of a pack and how old it is.
type packState struct {
	packView
	Coverage, Looked string
	Do               string // the job that is offered: "install", "update" or none
}

type corpusPage struct {
	Facts  []fact
	Packs  []packState
	Corpus string
	Job    *jobView
	Boss   bool // who looks may install
	Adds   bool // and bring files
	Update bool // there is something to bring up to date
}

// fresh is how many days after they were looked up texts count as up to date.
const fresh = 31

// pageCorpus says what is installed and how old it is; whoever runs the server
// installs and updates there.
func (s *Server) pageCorpus(w http.ResponseWriter, r *http.Request) {
	law, done, err := s.textView()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	p := corpusPage{Corpus: shortHash(law.Snapshot.Hash()), Boss: s.opt.Jobs != nil && s.admin(r) == nil}
	if p.Boss {
		p.Job = s.jobView()
	}
	p.Adds = p.Boss && s.opt.Keep != nil
	p.Update = p.Boss && len(law.Snapshot.Norms()) > 0
	looked := map[string]digesto.Date{}
	if s.opt.Looked != nil {
		looked = s.opt.Looked()
	}
	for i, v := range s.packViews(law.Snapshot, "") {
		p.Packs = append(p.Packs, s.packState(law.Snapshot, s.opt.Packs[i], v, looked[s.opt.Packs[i].Name]))
	}
	undated := 0
	for _, n := range law.Snapshot.Norms() {
		if n.TextAsOf == "" {
			undated++
		}
	}
	p.Facts = append([]fact{{"Normas", thousands(len(law.Snapshot.Norms()))}, {"Sin fecha del texto", thousands(undated)}}, oursOf(s.opt.Embedded.Snapshot, nil).facts()...)
	s.page(w, r, http.StatusOK, "corpus", "Corpus: qué ley está instalada", p)
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
			out = append(out, fact{upperFirst(or(x.n == 1, x.one, x.many)), thousands(x.n)})
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
func (s *Server) packState(law *corpus.Snapshot, p *pack.Pack, v packView, looked digesto.Date) packState {
	out := packState{packView: v}
	there := 0
	for _, src := range p.Sources {
		if _, ok := law.Norm(src.ID); ok {
			there++
		}
	}
	if len(p.Sources) > 0 {
		out.Coverage = fmt.Sprintf("%s de sus %s fuentes", thousands(there), thousands(len(p.Sources)))
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

// daysSince counts the days from a date to today.
func (s *Server) daysSince(d digesto.Date) (int, bool) {
	then, err := time.Parse(time.DateOnly, string(d))
	today, err2 := time.Parse(time.DateOnly, string(s.now()))
	return int(today.Sub(then).Hours() / 24), err == nil && err2 == nil
}
