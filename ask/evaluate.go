package ask

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"digesto"
	"digesto/model"
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
	needs []need
	drop  []int
}

// judgementOf reads the lines of an evaluator. Anything that is none of the
// three forms counts for nothing; ok is false when no line is one of them.
func judgementOf(raw string, units, most int) (j judgement, ok bool) {
	for line := range strings.Lines(raw) {
		f := strings.Split(strings.TrimSpace(strings.Trim(strings.TrimSpace(line), "`*- ")), "|")
		switch word := strings.TrimRight(strings.ToUpper(strings.TrimSpace(f[0])), ".:"); {
		case word == "READY" && len(f) == 1:
			j.ready, ok = true, true
		case word == "NEED" && len(f) == 3:
			n := need{strings.TrimSpace(f[1]), strings.TrimSpace(f[2])}
			ok = true
			if n.article != "" && n.law != "" && len(n.article) < 20 && len(n.law) < 120 && len(j.needs) < most && !slices.Contains(j.needs, n) {
				j.needs = append(j.needs, n)
			}
		case word == "DROP" && len(f) == 2:
			ok = true
			for s := range strings.FieldsFuncSeq(f[1], func(r rune) bool { return r == ',' || r == ' ' || r == ';' }) {
				if k, err := strconv.Atoi(strings.Trim(s, "[]")); err == nil && k >= 0 && k < units && !slices.Contains(j.drop, k) {
					j.drop = append(j.drop, k)
				}
			}
		}
	}
	j.ready = j.ready && len(j.needs) == 0
	return j, ok
}

// evaluate asks the writer's model whether what was found is enough, up to two
// rounds: units that it needs are fetched, units that do not help are dropped.
func (e *Retriever) evaluate(ctx context.Context, h hits) (hits, error) {
	p, ok := h.pack.Prompt("evaluate")
	if !ok || e.Writer == nil || h.law.empty() {
		return h, nil
	}
	asked := map[string]bool{}
	for range orInt(h.pack.Retrieval.Rounds, evaluateRounds) {
		law, own := split(h.list)
		seen := law[:min(len(law), evaluateUnits)]
		r, err := e.Writer.Generate(ctx, model.Request{Corpus: h.corpus(), Messages: []model.Message{
			{Role: model.System, Text: p.Text}, {Role: model.User, Text: h.evaluated(seen)},
		}}, nil)
		if ctx.Err() != nil {
			return h, model.Cancelled(ctx)
		}
		if err != nil {
			return h.degrade("evaluate", "evaluator_failed", "falló el modelo: se sigue con lo encontrado"), nil
		}
		j, ok := judgementOf(r.Text, len(seen), orInt(h.pack.Retrieval.Needs, evaluateNeeds))
		switch {
		case !ok:
			return h.degrade("evaluate", "evaluator_parse_error", "el modelo no dijo READY, NEED ni DROP: se sigue con lo encontrado"), nil
		case j.ready && len(j.drop) == 0:
			h.log("evaluate", "model", "READY")
			return h, nil
		}
		h.list = append(h.dropped(law, j.drop), own...)
		fresh, err := h.fetch(ctx, j.needs, asked)
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

func (h hits) evaluated(list []hit) string {
	var b strings.Builder
	b.WriteString("Pregunta: " + h.text + "\n\nFragmentos disponibles:\n")
	for k, x := range list {
		fmt.Fprintf(&b, "[%d] %s > %s\n%s\n\n", k, h.shortName(x.Norm), x.Unit.Label, cutRunes(oneLine(x.Version.Text), evaluateRunes))
	}
	return b.String()
}

// dropped leaves out the units at the places given, but never one that the
// question names, and never all.
func (h *hits) dropped(law []hit, drop []int) []hit {
	var out []hit
	var names []string
	for k, x := range law {
		if slices.Contains(drop, k) && !x.exact {
			names = append(names, strconv.Itoa(k))
			continue
		}
		out = append(out, x)
	}
	switch {
	case len(drop) == 0:
	case len(out) == 0:
		h.log("evaluate", "model", "DROP de todo: no se atiende")
		return law
	default:
		h.log("evaluate", "model", "DROP "+strings.Join(names, ","))
	}
	return out
}

// fetch adds the units asked for that are not there yet: by their place, else by
// a search within the law. It gives how many are new.
func (h *hits) fetch(ctx context.Context, needs []need, asked map[string]bool) (fresh int, err error) {
	for _, n := range needs {
		name := "NEED " + n.article + " " + n.law
		if asked[name] {
			h.log("evaluate", "model", name+": ya pedido")
			continue
		}
		asked[name] = true
		at, how, err := h.needed(ctx, n)
		if err != nil {
			return fresh, err
		}
		if at < 0 {
			h.log("evaluate", "model", name+": "+how)
			continue
		}
		h.list[at].needed = true
		fresh++
		h.log("evaluate", "model", name+": "+h.list[at].key()+" ("+how+")")
	}
	return fresh, nil
}

// needed finds one unit; at is -1 with the reason when there is none to add.
func (h *hits) needed(ctx context.Context, n need) (at int, how string, err error) {
	text := "artículo " + n.article + " de la " + n.law
	norm := h.lawNamed(n.law)
	if norm != "" {
		unit := cite.UnitID(digesto.KindArticle, n.article)
		if at, fresh := h.join(norm, unit, ledScore, true); fresh {
			return at, "por su lugar", nil
		} else if at > 0 || len(h.list) > 0 && h.list[0].Norm.ID == norm && h.list[0].Unit.ID == unit {
			return -1, "ya estaba", nil
		}
	}
	f := h.packFilter(true)
	if norm != "" {
		f.In["norm"] = []string{norm}
	}
	r, err := h.law.Searcher.Search(ctx, digesto.Query{Text: text + " " + h.struck, Filter: f, K: 3, NoTotal: true})
	if err != nil {
		return -1, "", err
	}
	for _, x := range r.Hits {
		_, unit, _ := strings.Cut(x.Unit, "/")
		if at, fresh := h.join(x.Norm, unit, ledScore/2, true); fresh {
			return at, "por búsqueda", nil
		}
	}
	return -1, "no se encontró", nil
}

// lawNamed gives the installed norm that a short name means; "" = none.
func (h *hits) lawNamed(name string) string {
	norms, _ := h.table.Recognise(name)
	for _, id := range norms {
		if n, ok := h.installed(id); ok {
			return n.ID
		}
	}
	for _, m := range h.table.Find("artículo 1 de la " + name) {
		if n, ok := h.installed(m.Norm); ok {
			return n.ID
		}
	}
	return ""
}

// rerankKeeping orders anew; units that an evaluator asked for come after the
// first.
func rerankKeeping(h hits) hits {
	first := h.list[0].order
	for k := range h.list {
		if h.list[k].needed {
			h.list[k].order = first - .01
		}
	}
	out := h
	out.list = slices.Clone(h.list)
	slices.SortStableFunc(out.list, func(a, b hit) int {
		switch {
		case a.order > b.order:
			return -1
		case a.order < b.order:
			return 1
		}
		return 0
	})
	return out
}

// baseArticles is the evaluation without a model: where the units found only
// refer to an article of a higher norm, that article is fetched. It gives how
// many were added.
func (h *hits) baseArticles() int {
	if h.law.empty() || len(h.exact) > 0 || len(h.norms) > 0 {
		return 0
	}
	type place struct{ norm, unit string }
	var order []place
	count := map[place]int{}
	law, _ := split(h.list)
	for k, x := range law[:min(len(law), maxSources)] {
		seen := map[place]bool{}
		for _, r := range x.Version.Refs {
			n, ok := h.installed(r.Norm)
			if !ok || r.Unit == "" || n.ID == x.Norm.ID || !h.above(n, x.Norm) {
				continue
			}
			p := place{n.ID, r.Unit}
			if seen[p] {
				continue
			}
			seen[p] = true
			if count[p] == 0 {
				order = append(order, p)
			}
			if count[p]++; k == 0 {
				count[p]++
			}
		}
	}
	added := 0
	for _, p := range order {
		if count[p] < 2 || added == evaluateNeeds {
			continue
		}
		at, fresh := h.join(p.norm, p.unit, ledScore, true)
		if !fresh {
			continue
		}
		if h.focus.Covers(h.focus.Over(h.list[at].unit).All) < baseCover {
			h.list = slices.Delete(h.list, at, at+1)
			continue
		}
		added++
		h.log("evaluate", "rules", "NEED "+h.list[at].key()+": lo citan los textos encontrados")
	}
	return added
}

// baseCover is the share of the question's information that a base article must
// hold: what is referred to for another matter does not come in.
const baseCover = .5

// above says that a norm ranks higher than another, or governs the domain.
func (h hits) above(n, than digesto.Norm) bool {
	a, b := h.pack.Level(n.Jurisdiction, n.Rank), h.pack.Level(than.Jurisdiction, than.Rank)
	return a > 0 && b > 0 && a < b
}
