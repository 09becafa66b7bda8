package retrieve

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"digesto"
	"digesto/model"
	"digesto/query"
	"digesto/text/cite"
)

// Bounds of the evaluation of what was found, where the manifest sets none.
const (
	evaluateRounds = 2
	evaluateNeeds  = 3
	evaluateRunes  = 200
	evaluateUnits  = 12
)

// need is a unit that an evaluator asks for.
type need struct{ article, law string }

// judgement is what an evaluator said of what was found.
type judgement struct {
	ready bool
	Needs []need
	Drop  []int
}

// JudgementOf reads the lines of an evaluator. Anything that is none of the
// three forms counts for nothing; ok is false when no line is one of them.
func JudgementOf(raw string, units, most int) (j judgement, ok bool) {
	for line := range strings.Lines(raw) {
		f := strings.Split(strings.TrimSpace(strings.Trim(strings.TrimSpace(line), "`*- ")), "|")
		switch word := strings.TrimRight(strings.ToUpper(strings.TrimSpace(f[0])), ".:"); {
		case word == "READY" && len(f) == 1:
			j.ready, ok = true, true
		case word == "NEED" && len(f) == 3:
			n := need{strings.TrimSpace(f[1]), strings.TrimSpace(f[2])}
			ok = true
			if n.article != "" && n.law != "" && len(n.article) < 20 && len(n.law) < 120 && len(j.Needs) < most && !slices.Contains(j.Needs, n) {
				j.Needs = append(j.Needs, n)
			}
		case word == "DROP" && len(f) == 2:
			ok = true
			for s := range strings.FieldsFuncSeq(f[1], func(r rune) bool { return r == ',' || r == ' ' || r == ';' }) {
				if k, err := strconv.Atoi(strings.Trim(s, "[]")); err == nil && k >= 0 && k < units && !slices.Contains(j.Drop, k) {
					j.Drop = append(j.Drop, k)
				}
			}
		}
	}
	j.ready = j.ready && len(j.Needs) == 0
	return j, ok
}

// Evaluate asks the writer's model whether what was found is enough, up to two
// rounds: units that it needs are fetched, units that do not help are dropped.
func (e *Retriever) Evaluate(ctx context.Context, h Hits) (Hits, error) {
	p, ok := h.Pack.Prompt("evaluate")
	if !ok || e.Writer == nil || h.Law.Empty() {
		return h, nil
	}
	asked := map[string]bool{}
	for range query.OrInt(h.Pack.Retrieval.Rounds, evaluateRounds) {
		law, own := Split(h.List)
		seen := law[:min(len(law), evaluateUnits)]
		r, err := e.Writer.Generate(ctx, model.Request{Corpus: h.Corpus(), Messages: []model.Message{
			{Role: model.System, Text: p.Text}, {Role: model.User, Text: h.evaluated(seen)},
		}}, nil)
		if ctx.Err() != nil {
			return h, model.Cancelled(ctx)
		}
		if err != nil {
			return h.degrade("evaluate", "evaluator_failed", "falló el modelo: se sigue con lo encontrado"), nil
		}
		j, ok := JudgementOf(r.Text, len(seen), query.OrInt(h.Pack.Retrieval.Needs, evaluateNeeds))
		switch {
		case !ok:
			return h.degrade("evaluate", "evaluator_parse_error", "el modelo no dijo READY, NEED ni DROP: se sigue con lo encontrado"), nil
		case j.ready && len(j.Drop) == 0:
			h.Log("evaluate", "model", "READY")
			return h, nil
		}
		h.List = append(h.dropped(law, j.Drop), own...)
		fresh, err := h.fetch(ctx, j.Needs, asked)
		if err != nil {
			return h, err
		}
		if fresh == 0 {
			break
		}
		h = rerankKeeping(h)
	}
	return h, nil
}

func (h Hits) evaluated(list []Hit) string {
	var b strings.Builder
	b.WriteString("Pregunta: " + h.Text + "\n\nFragmentos disponibles:\n")
	for k, x := range list {
		fmt.Fprintf(&b, "[%d] %s > %s\n%s\n\n", k, h.ShortName(x.Norm), x.Unit.Label, query.CutRunes(OneLine(x.Version.Text), evaluateRunes))
	}
	return b.String()
}

// dropped leaves out the units at the places given, but never one that the
// question names, and never all.
func (h *Hits) dropped(law []Hit, drop []int) []Hit {
	var out []Hit
	var names []string
	for k, x := range law {
		if slices.Contains(drop, k) && !x.Exact {
			names = append(names, strconv.Itoa(k))
			continue
		}
		out = append(out, x)
	}
	switch {
	case len(drop) == 0:
	case len(out) == 0:
		h.Log("evaluate", "model", "DROP de todo: no se atiende")
		return law
	default:
		h.Log("evaluate", "model", "DROP "+strings.Join(names, ","))
	}
	return out
}

// fetch adds the units asked for that are not there yet: by their place, else by
// a search within the law. It gives how many are new.
func (h *Hits) fetch(ctx context.Context, needs []need, asked map[string]bool) (fresh int, err error) {
	for _, n := range needs {
		name := "NEED " + n.article + " " + n.law
		if asked[name] {
			h.Log("evaluate", "model", name+": ya pedido")
			continue
		}
		asked[name] = true
		at, how, err := h.needed(ctx, n)
		if err != nil {
			return fresh, err
		}
		if at < 0 {
			h.Log("evaluate", "model", name+": "+how)
			continue
		}
		h.List[at].needed = true
		fresh++
		h.Log("evaluate", "model", name+": "+h.List[at].Key()+" ("+how+")")
	}
	return fresh, nil
}

// needed finds one unit; at is -1 with the reason when there is none to add.
func (h *Hits) needed(ctx context.Context, n need) (at int, how string, err error) {
	text := "artículo " + n.article + " de la " + n.law
	norm := h.lawNamed(n.law)
	if norm != "" {
		unit := cite.UnitID(digesto.KindArticle, n.article)
		if at, fresh := h.Join(norm, unit, 1, true); fresh {
			return at, "por su lugar", nil
		} else if at > 0 || len(h.List) > 0 && h.List[0].Norm.ID == norm && h.List[0].Unit.ID == unit {
			return -1, "ya estaba", nil
		}
	}
	f := PackFilter(h.Intent, true)
	if norm != "" {
		f.In["norm"] = []string{norm}
	}
	r, err := h.Law.Searcher.Search(ctx, digesto.Query{Text: text + " " + h.Struck, Filter: f, K: 3, NoTotal: true})
	if err != nil {
		return -1, "", err
	}
	for _, x := range r.Hits {
		_, unit, _ := strings.Cut(x.Unit, "/")
		if at, fresh := h.Join(x.Norm, unit, 1, true); fresh {
			return at, "por búsqueda", nil
		}
	}
	return -1, "no se encontró", nil
}

// lawNamed gives the installed norm that a short name means; "" = none.
func (h *Hits) lawNamed(name string) string {
	for _, id := range h.Table.Recognise(name).Norms {
		if n, ok := h.Installed(id); ok {
			return n.ID
		}
	}
	for _, m := range h.Table.Find("artículo 1 de la " + name) {
		if n, ok := h.Installed(m.Norm); ok {
			return n.ID
		}
	}
	return ""
}

// rerankKeeping orders anew; units that an evaluator asked for come after the
// first.
func rerankKeeping(h Hits) Hits {
	first := h.List[0].Order
	for k := range h.List {
		if h.List[k].needed {
			h.List[k].Order = first - .01
		}
	}
	out := h
	out.List = slices.Clone(h.List)
	slices.SortStableFunc(out.List, func(a, b Hit) int {
		switch {
		case a.Order > b.Order:
			return -1
		case a.Order < b.Order:
			return 1
		}
		return 0
	})
	return out
}
