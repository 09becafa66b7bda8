package ask

import (
	"context"
	"fmt"
	"slices"

	"digesto"
	"digesto/model"
	"digesto/pack"
	"digesto/verify"
)

// ordered puts what was found in order by rules; base articles that the texts
// only refer to come in first.
func ordered(h hits) hits {
	h = rerank(h)
	if h.baseArticles() > 0 {
		h = rerank(h)
	}
	return h
}

// weigh finds what governs: the unit that answers, or one for each side of a
// comparison.
func (e *Weigher) weigh(ctx context.Context, h hits) (grounds, error) {
	g, err := e.ground(ctx, h)
	if err != nil {
		return g, err
	}
	return e.compareGrounds(ctx, g)
}

// settle decides what the answer stands on. Models look at it again only where a
// plain question has not found its evidence, or where it has several parts.
func (e *Weigher) settle(ctx context.Context, h hits, emit func(digesto.Event)) (grounds, error) {
	h, err := e.byStrategy(ctx, h)
	if err != nil {
		return grounds{hits: h}, err
	}
	g, err := e.weigh(ctx, h)
	if err != nil {
		return g, err
	}
	g, err = e.looked(ctx, g, emit)
	return e.proven(ctx, g, err)
}

// looked lets the models order and evaluate what was found.
func (e *Weigher) looked(ctx context.Context, g grounds, emit func(digesto.Event)) (grounds, error) {
	if _, stated := g.strategy(); stated { // the flag has ordered it
		return e.reread(ctx, g, emit)
	}
	full := staged(g.pack, "rerank") && staged(g.pack, "evaluate") && e.Model != nil
	if !full {
		if e.Model == nil && e.Writer == nil {
			g.log("rerank", "heuristic", "")
		}
		return e.assisted(ctx, g, emit)
	}
	if g.done == nil && len(g.plan.queries) <= 1 {
		const why = "pregunta sencilla con evidencia bastante"
		g.log("rerank", "skipped", why)
		g.log("evaluate", "skipped", why)
		g.unused = append(g.unused, model.Reader)
		return g, nil
	}
	emit(stage("evaluate"))
	h, err := e.readerOrder(ctx, g.hits)
	if err != nil {
		return g, err
	}
	if h, err = e.evaluate(ctx, h); err != nil {
		return g, err
	}
	failed, unused := g.failed, g.unused
	if g, err = e.weigh(ctx, h); err != nil {
		return g, err
	}
	g.failed, g.unused = append(failed, g.failed...), append(unused, g.unused...)
	return g, nil
}

// byRank gives the units beside those that govern in the order of the context:
// by the rank of their norms, then as they were found; what references led to
// comes last.
func (g grounds) byRank() []hit {
	var out []hit
	for _, x := range g.list {
		if x.law == g.govern[0].law {
			out = append(out, x)
		}
	}
	out = out[:min(len(out), g.chunks())]
	slices.SortStableFunc(out, func(a, b hit) int { return g.level(a) - g.level(b) })
	return append(out, g.related...)
}

func (g grounds) level(x hit) int {
	if l := g.pack.Level(x.Norm.Jurisdiction, x.Norm.Rank); l > 0 {
		return l
	}
	return 99
}

// messages makes the writer's messages: rules, context, the last messages of the
// conversation, the question.
func (g grounds) messages(rules, text string) []model.Message {
	out := []model.Message{{Role: model.System, Text: rules}, {Role: model.System, Text: text}}
	p, _ := g.pack.Prompt("answer")
	if p.Window > 0 {
		out = append(out, earlier(g.q.History, p.Window, p.Cut)...)
	}
	return append(out, model.Message{Role: model.User, Text: g.q.Text})
}

// addConflicts puts the conflicts that code found behind what a model wrote,
// unless it has cited both sides.
func (d *draft) addConflicts() {
	if d.end != nil || len(d.conflicting) == 0 || len(d.govern) == 0 {
		return
	}
	top := d.conflicting[0].top
	if !slices.ContainsFunc(d.citations, func(c digesto.Citation) bool { return c.Ref.Document == top.Norm.ID && c.Ref.Unit == top.Unit.ID }) {
		return
	}
	for _, line := range d.quoteConflicts(verify.MaxQuotes - len(d.citations)) {
		if len([]rune(d.answer))+len([]rune(line)) < verify.MaxAnswer-2 {
			d.answer += "\n\n" + line
		}
	}
}

// hintText gives the words of an installed unit that a glossary leads to.
func hintText(v View, h pack.Hint) (string, bool) {
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
func Misled(p *pack.Pack, law View) (compared int, bad []pack.Misled) {
	held, bad := p.Glossary.CheckHints(func(h pack.Hint) (string, bool) { return hintText(law, h) })
	return len(held) + len(bad), bad
}
