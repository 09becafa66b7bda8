package ask

import (
	"context"
	"fmt"
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
}

// scope is a turn whose pack is settled.
type scope struct {
	turn
	pack  *pack.Pack // nil only when done
	table *cite.Table
	why   []pack.Evidence
	done  *ending

	abroad abroad
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
	switch {
	case len(cand) == 1 || len(cand) > 1 && cand[0].Score > cand[1].Score:
		return e.scoped(t, cand[0].Pack, cand[0].Why), nil
	case len(cand) > 1:
		return e.routeByText(ctx, t, tied(cand))
	}
	return e.routeByText(ctx, t, e.opt.Packs)
}

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

func tied(cand []pack.Candidate) []*pack.Pack {
	var out []*pack.Pack
	for _, c := range cand {
		if c.Score == cand[0].Score {
			out = append(out, c.Pack)
		}
	}
	return out
}

// named takes the pack that the question was put to, unless the question
// plainly belongs to another country's.
func (e *Engine) named(t turn, p *pack.Pack) scope {
	s := e.scoped(t, p, nil)
	own, _ := p.Signalled(t.q.Text)
	for _, c := range pack.Route(e.opt.Packs, t.q.Text) {
		if c.Pack == p || own > 0 || pointing(c.Why) < foreignSignal || country(c.Pack.Jurisdiction()) == country(p.Jurisdiction()) {
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

// country is the first part of a jurisdiction: "ar" of "ar-x".
func country(jurisdiction string) string {
	c, _, _ := strings.Cut(jurisdiction, "-")
	return c
}

func (e *Engine) scoped(t turn, p *pack.Pack, why []pack.Evidence) scope {
	return scope{turn: t, pack: p, table: e.tables.get(p, t.law.Snapshot), why: why, abroad: e.abroad}
}

// routeByText lets the texts decide: the pack whose law or fiches hold most of
// the question's information, if it leads clearly.
func (e *Engine) routeByText(ctx context.Context, t turn, among []*pack.Pack) (scope, error) {
	type vote struct {
		p *pack.Pack
		v float64
	}
	var best, next vote
	for _, p := range among {
		v, err := e.fits(ctx, e.scoped(t, p, nil))
		if err != nil {
			return scope{}, err
		}
		if v > best.v {
			best, next = vote{p, v}, best
		} else if v > next.v {
			next = vote{p, v}
		}
	}
	switch {
	case best.p == nil || best.v < .25:
		return scope{turn: t, done: e.noPack()}, nil
	case next.p == nil || best.v-next.v >= .1 || country(best.p.Jurisdiction()) == country(next.p.Jurisdiction()), t.reading == promptFollowup:
		return e.scoped(t, best.p, nil), nil
	}
	return scope{turn: t, done: &ending{
		outcome: digesto.OutcomeClarification,
		text:    fmt.Sprintf("¿A qué ordenamiento se refiere: %s o %s?", best.p.Title, next.p.Title),
		options: []string{best.p.Name, next.p.Name},
	}}, nil
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

// fits says how much of the question's information a pack's texts hold.
func (e *Engine) fits(ctx context.Context, s scope) (float64, error) {
	h, err := e.retrieve(ctx, e.read(s, s.q.Text))
	if err != nil || len(h.list) == 0 {
		return 0, err
	}
	h = rerank(h)
	if len(h.exact) > 0 {
		return 1, nil
	}
	return h.list[0].pick.cover, nil
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
