package ground

import (
	"context"
	"fmt"
	"slices"

	"digesto"
	"digesto/model"
	"digesto/pack"
	"digesto/query"
	"digesto/retrieve"
)

// weigh finds what governs: the unit that answers, or one for each side of a
// comparison.
func (e *Weigher) weigh(ctx context.Context, h retrieve.Hits) (Grounds, error) {
	g, err := e.ground(ctx, h)
	if err != nil {
		return g, err
	}
	return e.compareGrounds(ctx, g)
}

// Settle decides what the answer stands on. Models look at it again only where a
// plain question has not found its evidence, or where it has several parts.
func (e *Weigher) Settle(ctx context.Context, h retrieve.Hits, emit func(digesto.Event)) (Grounds, error) {
	h, err := e.ByStrategy(ctx, h)
	if err != nil {
		return Grounds{Hits: h}, err
	}
	g, err := e.weigh(ctx, h)
	if err != nil {
		return g, err
	}
	g, err = e.looked(ctx, g, emit)
	return e.Proven(ctx, g, err)
}

// looked lets the models order and evaluate what was found.
func (e *Weigher) looked(ctx context.Context, g Grounds, emit func(digesto.Event)) (Grounds, error) {
	if _, stated := g.Strategy(); stated { // the flag has ordered it
		return e.reread(ctx, g, emit)
	}
	full := query.Staged(g.Pack, "rerank") && query.Staged(g.Pack, "evaluate") && e.Model != nil
	if !full {
		if e.Model == nil && e.Writer == nil {
			g.Log("rerank", "heuristic", "")
		}
		return e.assisted(ctx, g, emit)
	}
	if g.Done == nil && len(g.Plan.Queries) <= 1 {
		const why = "pregunta sencilla con evidencia bastante"
		g.Log("rerank", "skipped", why)
		g.Log("evaluate", "skipped", why)
		g.Unused = append(g.Unused, model.Reader)
		return g, nil
	}
	emit(Stage("evaluate"))
	h, err := e.ReaderOrder(ctx, g.Hits)
	if err != nil {
		return g, err
	}
	if h, err = e.Evaluate(ctx, h); err != nil {
		return g, err
	}
	failed, unused := g.Failed, g.Unused
	if g, err = e.weigh(ctx, h); err != nil {
		return g, err
	}
	g.Failed, g.Unused = append(failed, g.Failed...), append(unused, g.Unused...)
	return g, nil
}

// ByRank gives the units beside those that govern in the order of the context:
// by the rank of their norms, then as they were found; what references led to
// comes last.
func (g Grounds) ByRank() []retrieve.Hit {
	var out []retrieve.Hit
	for _, x := range g.List {
		if x.Law == g.Govern[0].Law {
			out = append(out, x)
		}
	}
	out = out[:min(len(out), g.Chunks())]
	slices.SortStableFunc(out, func(a, b retrieve.Hit) int { return g.level(a) - g.level(b) })
	return append(out, g.Related...)
}

func (g Grounds) level(x retrieve.Hit) int {
	if l := g.Pack.Level(x.Norm.Jurisdiction, x.Norm.Rank); l > 0 {
		return l
	}
	return 99
}

// Messages makes the writer's messages: rules, context, the last messages of the
// conversation, the question.
func (g Grounds) Messages(rules, text string) []model.Message {
	out := []model.Message{{Role: model.System, Text: rules}, {Role: model.System, Text: text}}
	p, _ := g.Pack.Prompt("answer")
	if p.Window > 0 {
		out = append(out, query.Earlier(g.Q.History, p.Window, p.Cut)...)
	}
	return append(out, model.Message{Role: model.User, Text: g.Q.Text})
}

// hintText gives the words of an installed unit that a glossary leads to.
func hintText(v query.View, h pack.Hint) (string, bool) {
	if v.Snapshot == nil {
		return "", false
	}
	n, ok := v.Snapshot.Norm(h.Norm)
	if !ok {
		return "", false
	}
	u, ok := v.Snapshot.Unit(n.ID, h.Unit)
	if !ok {
		return "", true
	}
	s := u.Rubric + "\n" + fmt.Sprint(u.Path)
	for _, ver := range u.Versions {
		if ver.Current {
			s += "\n" + ver.Text
		}
	}
	return s, true
}

// Misled gives the hints of a pack's glossary that the installed law does not
// bear out, and how many were compared.
func Misled(p *pack.Pack, law query.View) (compared int, bad []pack.Misled) {
	held, bad := p.Glossary.CheckHints(func(h pack.Hint) (string, bool) { return hintText(law, h) })
	return len(held) + len(bad), bad
}
