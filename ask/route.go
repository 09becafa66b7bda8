package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"digesto"
	"digesto/pack"
	"digesto/query"
)

// route settles the pack: the one named, or the one that the question's own
// identifiers, units, places and words point to; one question when two fit.
func (e *Router) route(ctx context.Context, t query.Turn) (query.Scope, error) {
	if p := e.packOf(t.Sticky); p != nil && t.Q.Pack == "" && e.stays(t, p) {
		return e.scoped(t, p, nil), nil
	}
	if t.Q.Pack != "" {
		p := e.packOf(t.Q.Pack)
		if p == nil {
			return query.Scope{}, &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ningún paquete «" + t.Q.Pack + "»", Hint: "Los paquetes son: " + strings.Join(e.packNames(), ", ") + "."}
		}
		return e.named(t, p), nil
	}
	if s, ok := e.routeByRule(t, e.Packs); ok {
		return s, nil
	}
	if len(e.Packs) == 1 {
		return e.scoped(t, e.Packs[0], nil), nil
	}
	cand := pack.Route(e.Packs, t.Q.Text)
	if len(cand) > 0 && (len(cand) == 1 && cand[0].Score >= plainLead || len(cand) > 1 && cand[0].Score-cand[1].Score >= plainLead) {
		return e.scoped(t, cand[0].Pack, cand[0].Why), nil
	}
	return e.routeByText(ctx, t)
}

// plainLead is the lead of one pack's signals from which nothing else is looked at.
const plainLead = 2.0

// stays says that a question of a conversation keeps its pack: it does not
// plainly point to another.
func (e *Router) stays(t query.Turn, p *pack.Pack) bool {
	for _, c := range pack.Route(e.Packs, t.Q.Text) {
		if c.Pack == p {
			return true
		}
		if query.Pointing(c.Why) >= query.ForeignSignal {
			return false
		}
	}
	return true
}

// named takes the pack that the question was put to, unless the question
// plainly belongs to another country's.
func (e *Router) named(t query.Turn, p *pack.Pack) query.Scope {
	s := e.scoped(t, p, nil)
	own, _ := p.Signalled(t.Q.Text)
	for _, c := range pack.Route(e.Packs, t.Q.Text) {
		if c.Pack == p || own > 0 || query.Pointing(c.Why) < query.ForeignSignal || digesto.Country(c.Pack.Jurisdiction()) == digesto.Country(p.Jurisdiction()) {
			continue
		}
		s.Why = c.Why
		s.Done = &query.Ending{
			Outcome: digesto.OutcomeOutOfScope,
			Text:    fmt.Sprintf("Esta pregunta no es de «%s»: parece de «%s».", p.Title, c.Pack.Title),
			Notes:   []string{fmt.Sprintf("Vuelva a preguntar con el paquete «%s». Nunca se mezclan dos ordenamientos en una respuesta.", c.Pack.Name)},
			Classes: []string{"out_of_scope"},
		}
		break
	}
	return s
}

func (e *Router) scoped(t query.Turn, p *pack.Pack, why []pack.Evidence) query.Scope {
	return query.Scope{Turn: t, Pack: p, Table: e.tables.Get(p, t.Law.Snapshot), Why: why, Abroad: e.Abroad, Packs: e.Packs}
}

// routeByText lets all that is known decide: the country whose law is most probably
// asked, if that is sure enough, and the pack of it; one question when two fit.
func (e *Router) routeByText(ctx context.Context, t query.Turn) (query.Scope, error) {
	list, err := e.fits(ctx, t)
	if err != nil {
		return query.Scope{}, err
	}
	if len(list) == 0 {
		return query.Scope{Turn: t, Done: e.noPack()}, nil
	}
	law := byCountry(list)
	if len(law) == 1 || law[0].sure() && !askedAlike(law) || t.Reading == query.PromptFollowup {
		_, why := law[0].pack.Signalled(t.Q.Text)
		return e.scoped(t, law[0].pack, why), nil
	}
	return query.Scope{Turn: t, Done: &query.Ending{
		Outcome: digesto.OutcomeClarification,
		Text:    fmt.Sprintf("¿A qué ordenamiento se refiere: %s o %s?", law[0].pack.Title, law[1].pack.Title),
		Options: []string{law[0].pack.Name, law[1].pack.Name},
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
func (e *Router) routeByRule(t query.Turn, among []*pack.Pack) (query.Scope, bool) {
	for _, p := range among {
		if d, ok := p.Detect(t.Q.Text); ok && d.Outcome == digesto.OutcomeNonLegal {
			s := e.scoped(t, p, nil)
			s.Done = &query.Ending{Outcome: d.Outcome, Text: e.welcome(), Classes: []string{d.Name}}
			return s, true
		}
	}
	return query.Scope{}, false
}

// welcome says what the program is when no pack was named.
func (e *Router) welcome() string {
	var lines []string
	for _, p := range e.Packs {
		lines = append(lines, "- "+p.Title+": «"+p.FirstQuestion+"»")
	}
	return "Soy Digesto, un programa que responde preguntas de derecho con citas literales de la ley. No soy una persona ni un abogado. Puede preguntar, por ejemplo:\n" + strings.Join(lines, "\n")
}

func (e *Router) noPack() *query.Ending {
	var lines []string
	for _, p := range e.Packs {
		lines = append(lines, p.Name+" ("+p.Title+")")
	}
	return &query.Ending{
		Outcome: digesto.OutcomeRefusal,
		Text:    "No encontré en ningún paquete un texto que responda a esta pregunta.",
		Notes:   []string{"Paquetes disponibles: " + strings.Join(lines, "; ") + ". Nombre la norma o el país, o elija un paquete."},
	}
}

func (e *Router) packOf(name string) *pack.Pack {
	for _, p := range e.Packs {
		if strings.EqualFold(p.Name, name) {
			return p
		}
	}
	return nil
}

func (e *Router) packNames() []string {
	var out []string
	for _, p := range e.Packs {
		out = append(out, p.Name)
	}
	return out
}
