package route

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"digesto"
	"digesto/decide"
	"digesto/pack"
	"digesto/query"
	"digesto/retrieve"
)

// Route settles the pack: the one named, or the one that the question's own
// identifiers, units, places and words point to; one question when two fit.
func (e *Router) Route(ctx context.Context, t query.Turn) (query.Scope, error) {
	if p := e.packOf(t.Sticky); p != nil && t.Q.Pack == "" && e.stays(t, p) {
		return e.Scoped(t, p, nil), nil
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
		return e.Scoped(t, e.Packs[0], nil), nil
	}
	cand := pack.Route(e.Packs, t.Q.Text)
	if len(cand) > 0 && (len(cand) == 1 && cand[0].Score >= plainLead || len(cand) > 1 && cand[0].Score-cand[1].Score >= plainLead) {
		return e.Scoped(t, cand[0].Pack, cand[0].Why), nil
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
	s := e.Scoped(t, p, nil)
	if c := e.foreign(t.Q.Text, p); c != nil {
		s.Why = c.Why
		s.Done = &query.Ending{
			Outcome: digesto.OutcomeOutOfScope,
			Text:    fmt.Sprintf("Esta pregunta no es de «%s»: parece de «%s».", p.Title, c.Pack.Title),
			Notes:   []string{fmt.Sprintf("Vuelva a preguntar con el paquete «%s». Nunca se mezclan dos ordenamientos en una respuesta.", c.Pack.Name)},
			Classes: []string{"out_of_scope"},
		}
	}
	return s
}

func (e *Router) Scoped(t query.Turn, p *pack.Pack, why []pack.Evidence) query.Scope {
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
	law := ByCountry(list)
	if len(law) == 1 || law[0].Sure() && !AskedAlike(law) || t.Reading == query.PromptFollowup {
		_, why := law[0].Pack.Signalled(t.Q.Text)
		return e.Scoped(t, law[0].Pack, why), nil
	}
	return query.Scope{Turn: t, Done: &query.Ending{
		Outcome: digesto.OutcomeClarification,
		Text:    fmt.Sprintf("¿A qué ordenamiento se refiere: %s o %s?", law[0].Pack.Title, law[1].Pack.Title),
		Options: []string{law[0].Pack.Name, law[1].Pack.Name},
	}}, nil
}

// Sure says that nothing need be asked back: the country is likely enough, or likelier
// than all others together and the question is an example of its pack.
func (f Fit) Sure() bool {
	return f.P >= RouteModel.Sure || f.Asked && f.P >= .5
}

// AskedAlike says that the law of the second country answers as plainly as that of the
// first, and that the question names neither: people of both ask it in the same words.
func AskedAlike(law []Fit) bool {
	return len(law) > 1 && law[0].Plain && law[1].Plain && law[1].P >= decide.First
}

// ByCountry adds up the packs of each country and gives the likeliest pack of each,
// the likeliest country first.
func ByCountry(list []Fit) []Fit {
	var out []Fit
	best := map[string]float64{}
	for _, x := range list {
		c := digesto.Country(x.Pack.Jurisdiction())
		k := slices.IndexFunc(out, func(o Fit) bool { return digesto.Country(o.Pack.Jurisdiction()) == c })
		if k < 0 {
			k, out = len(out), append(out, Fit{})
		}
		if out[k].P += x.P; x.P > best[c] {
			best[c], out[k].Pack, out[k].Asked, out[k].Plain = x.P, x.Pack, x.Asked, x.Plain
		}
	}
	slices.SortStableFunc(out, func(a, b Fit) int { return cmp.Compare(b.P, a.P) })
	return out
}

// routeByRule takes greetings and the like, which every pack answers alike.
func (e *Router) routeByRule(t query.Turn, among []*pack.Pack) (query.Scope, bool) {
	for _, p := range among {
		if d, ok := p.Detect(t.Q.Text); ok && d.Outcome == digesto.OutcomeNonLegal {
			s := e.Scoped(t, p, nil)
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

// Router settles which pack a question is for.
type Router struct {
	// Packs that may be asked.
	Packs []*pack.Pack
	// Abroad knows the law of other countries by its names.
	Abroad query.Abroad

	Search *retrieve.Retriever
	// Places gives what a pack's digest says of a question; nil = there is none.
	Places func(context.Context, decide.Query) ([]decide.Judged, error)
	tables query.TableCache
}
