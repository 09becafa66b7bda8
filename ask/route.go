package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"digesto"
	"digesto/pack"
	"digesto/text/cite"
)

// ending is an outcome that needs no law.
type ending struct {
	outcome digesto.Outcome
	text    string
	notes   []string
	classes []string
	options []string
	missing []string
	// readings are what a clarification offers to choose from, with their proof.
	readings []digesto.Reading
}

// scope is a turn whose pack is settled.
type scope struct {
	turn
	pack  *pack.Pack // nil only when done
	table *cite.Table
	why   []pack.Evidence
	done  *ending

	abroad abroad
	packs  []*pack.Pack // all that there are
}

func (s scope) ended() draft {
	return draft{grounds: grounds{hits: hits{intent: intent{scope: s}}}, end: s.done}
}

// Weight of signals from which a question belongs to another pack than the one
// it was put to.
const foreignSignal = 2.0

// route settles the pack: the one named, or the one that the question's own
// identifiers, units, places and words point to; one question when two fit.
func (e *Engine) route(ctx context.Context, t turn) (scope, error) {
	if p := e.packOf(t.sticky); p != nil && t.q.Pack == "" && e.stays(t, p) {
		return e.scoped(t, p, nil), nil
	}
	if t.q.Pack != "" {
		p := e.packOf(t.q.Pack)
		if p == nil {
			return scope{}, &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ningún paquete «" + t.q.Pack + "»", Hint: "Los paquetes son: " + strings.Join(e.packNames(), ", ") + "."}
		}
		return e.named(t, p), nil
	}
	if s, ok := e.routeByRule(t, e.opt.Packs); ok {
		return s, nil
	}
	if len(e.opt.Packs) == 1 {
		return e.scoped(t, e.opt.Packs[0], nil), nil
	}
	cand := pack.Route(e.opt.Packs, t.q.Text)
	if len(cand) > 0 && (len(cand) == 1 && cand[0].Score >= plainLead || len(cand) > 1 && cand[0].Score-cand[1].Score >= plainLead) {
		return e.scoped(t, cand[0].Pack, cand[0].Why), nil
	}
	return e.routeByText(ctx, t)
}

// plainLead is the lead of one pack's signals from which nothing else is looked at.
const plainLead = 2.0

// stays says that a question of a conversation keeps its pack: it does not
// plainly point to another.
func (e *Engine) stays(t turn, p *pack.Pack) bool {
	for _, c := range pack.Route(e.opt.Packs, t.q.Text) {
		if c.Pack == p {
			return true
		}
		if pointing(c.Why) >= foreignSignal {
			return false
		}
	}
	return true
}

// named takes the pack that the question was put to, unless the question
// plainly belongs to another country's.
func (e *Engine) named(t turn, p *pack.Pack) scope {
	s := e.scoped(t, p, nil)
	own, _ := p.Signalled(t.q.Text)
	for _, c := range pack.Route(e.opt.Packs, t.q.Text) {
		if c.Pack == p || own > 0 || pointing(c.Why) < foreignSignal || digesto.Country(c.Pack.Jurisdiction()) == digesto.Country(p.Jurisdiction()) {
			continue
		}
		s.why = c.Why
		s.done = &ending{
			outcome: digesto.OutcomeOutOfScope,
			text:    fmt.Sprintf("Esta pregunta no es de «%s»: parece de «%s».", p.Title, c.Pack.Title),
			notes:   []string{fmt.Sprintf("Vuelva a preguntar con el paquete «%s». Nunca se mezclan dos ordenamientos en una respuesta.", c.Pack.Name)},
			classes: []string{"out_of_scope"},
		}
		break
	}
	return s
}

// pointing is the weight of the signals that name a country, not its topics:
// both countries have holidays, only one has that unit of account.
func pointing(why []pack.Evidence) float64 {
	sum := 0.0
	for _, w := range why {
		switch w.Kind {
		case "unit", "place", "body", "identifier":
			sum += w.Weight
		}
	}
	return sum
}

func (e *Engine) scoped(t turn, p *pack.Pack, why []pack.Evidence) scope {
	return scope{turn: t, pack: p, table: e.tables.get(p, t.law.Snapshot), why: why, abroad: e.abroad, packs: e.opt.Packs}
}

// routeByText lets all that is known decide: the country whose law is most probably
// asked, if that is sure enough, and the pack of it; one question when two fit.
func (e *Engine) routeByText(ctx context.Context, t turn) (scope, error) {
	list, err := e.fits(ctx, t)
	if err != nil {
		return scope{}, err
	}
	if len(list) == 0 {
		return scope{turn: t, done: e.noPack()}, nil
	}
	law := byCountry(list)
	if len(law) == 1 || law[0].sure() && !askedAlike(law) || t.reading == promptFollowup {
		_, why := law[0].pack.Signalled(t.q.Text)
		return e.scoped(t, law[0].pack, why), nil
	}
	return scope{turn: t, done: &ending{
		outcome: digesto.OutcomeClarification,
		text:    fmt.Sprintf("¿A qué ordenamiento se refiere: %s o %s?", law[0].pack.Title, law[1].pack.Title),
		options: []string{law[0].pack.Name, law[1].pack.Name},
	}}, nil
}

// sure says that nothing need be asked back: the country is likely enough, or likelier
// than all others together and the question is an example of its pack.
func (f fit) sure() bool {
	return f.p >= routeModel.Sure || f.asked && f.p >= .5
}

// askedAlike says that the law of the second country answers as plainly as that of the
// first, and that the question names neither: people of both ask it in the same words.
func askedAlike(law []fit) bool {
	return len(law) > 1 && law[0].plain && law[1].plain && law[1].p >= plainLeast
}

// byCountry adds up the packs of each country and gives the likeliest pack of each,
// the likeliest country first.
func byCountry(list []fit) []fit {
	var out []fit
	best := map[string]float64{}
	for _, x := range list {
		c := digesto.Country(x.pack.Jurisdiction())
		k := slices.IndexFunc(out, func(o fit) bool { return digesto.Country(o.pack.Jurisdiction()) == c })
		if k < 0 {
			k, out = len(out), append(out, fit{})
		}
		if out[k].p += x.p; x.p > best[c] {
			best[c], out[k].pack, out[k].asked, out[k].plain = x.p, x.pack, x.asked, x.plain
		}
	}
	slices.SortStableFunc(out, func(a, b fit) int { return cmp.Compare(b.p, a.p) })
	return out
}

// routeByRule takes greetings and the like, which every pack answers alike.
func (e *Engine) routeByRule(t turn, among []*pack.Pack) (scope, bool) {
	for _, p := range among {
		if d, ok := p.Detect(t.q.Text); ok && d.Outcome == digesto.OutcomeNonLegal {
			s := e.scoped(t, p, nil)
			s.done = &ending{outcome: d.Outcome, text: e.welcome(), classes: []string{d.Name}}
			return s, true
		}
	}
	return scope{}, false
}

// welcome says what the program is when no pack was named.
func (e *Engine) welcome() string {
	var lines []string
	for _, p := range e.opt.Packs {
		lines = append(lines, "- "+p.Title+": «"+p.FirstQuestion+"»")
	}
	return "Soy Digesto, un programa que responde preguntas de derecho con citas literales de la ley. No soy una persona ni un abogado. Puede preguntar, por ejemplo:\n" + strings.Join(lines, "\n")
}

func (e *Engine) noPack() *ending {
	var lines []string
	for _, p := range e.opt.Packs {
		lines = append(lines, p.Name+" ("+p.Title+")")
	}
	return &ending{
		outcome: digesto.OutcomeRefusal,
		text:    "No encontré en ningún paquete un texto que responda a esta pregunta.",
		notes:   []string{"Paquetes disponibles: " + strings.Join(lines, "; ") + ". Nombre la norma o el país, o elija un paquete."},
	}
}

func (e *Engine) packOf(name string) *pack.Pack {
	for _, p := range e.opt.Packs {
		if strings.EqualFold(p.Name, name) {
			return p
		}
	}
	return nil
}

func (e *Engine) packNames() []string {
	var out []string
	for _, p := range e.opt.Packs {
		out = append(out, p.Name)
	}
	return out
}
