package retrieve

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"digesto"
	"digesto/model"
	"digesto/query"
	"digesto/text/jsonx"
)

// Bounds of the order that a reader gives, where the manifest sets none.
const (
	orderUnits = 20  // units that it sees
	OrderRunes = 300 // of each
	orderKept  = 8   // most that it may keep
)

// ReaderOrder lets the reader put the units in order and leave out what does not
// help. Units that the question names stay first; an answer that is no array
// leaves the order of the rules, and says so.
func (e *Retriever) ReaderOrder(ctx context.Context, h Hits) (Hits, error) {
	p, ok := h.Pack.Prompt("rerank")
	law, own := Split(h.List)
	if !ok || e.Model == nil || len(law) < 2 {
		return h, nil
	}
	seen := law[:min(len(law), query.OrInt(h.Pack.Retrieval.Top, orderUnits))]
	r, err := e.Model.Generate(ctx, model.Request{Corpus: h.Corpus(), Messages: []model.Message{
		{Role: model.System, Text: p.Text}, {Role: model.User, Text: h.fragments("Pregunta: "+h.Text+"\n\nFragmentos:\n", seen)},
	}}, nil)
	if ctx.Err() != nil {
		return h, model.Cancelled(ctx)
	}
	if err != nil {
		return h.degrade("rerank", "reader_failed", "falló el lector: orden por reglas"), nil
	}
	order, ok := IndicesOf(r.Text, len(seen), query.OrInt(h.Pack.Retrieval.Rerank, orderKept))
	if !ok {
		return h.degrade("rerank", "reader_parse_error", "el lector no dio un array de índices: orden por reglas"), nil
	}
	var list []Hit
	for k, x := range seen {
		if x.Exact && !slices.Contains(order, k) {
			list = append(list, x)
		}
	}
	for _, k := range order {
		list = append(list, seen[k])
	}
	top := 0.0
	for _, x := range list {
		top = max(top, x.Order)
	}
	for k := range list {
		list[k].Order = top + 1 - float64(k)/10
	}
	out := h
	out.List = append(list, own...)
	out.Log("rerank", "model", fmt.Sprintf("%d de %d fragmentos", len(list), len(seen)))
	return out, nil
}

// fragments writes units as the reader sees them: number, collection, title, the
// beginning of the text.
func (h Hits) fragments(head string, list []Hit) string {
	var b strings.Builder
	b.WriteString(head)
	for k, x := range list {
		fmt.Fprintf(&b, "[%d] (%s) %s del %s: %s\n\n", k, x.Norm.Collection, x.label(), h.ShortName(x.Norm), query.CutRunes(OneLine(x.Version.Text), OrderRunes))
	}
	return b.String()
}

func (x Hit) label() string { return strings.TrimSuffix(x.Unit.Label+". "+x.Unit.Rubric, ". ") }

func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// IndicesOf reads an array of places below n, each once, the first most of them.
// Places that there are not count for nothing; ok is false when it is no array,
// or nothing of it counts.
func IndicesOf(raw string, n, most int) ([]int, bool) {
	arr, ok := jsonx.Array(raw)
	if !ok {
		return nil, false
	}
	var list []any
	if json.Unmarshal([]byte(arr.JSON), &list) != nil {
		return nil, false
	}
	var out []int
	for _, v := range list {
		f, ok := v.(float64)
		if k := int(f); ok && f == float64(k) && k >= 0 && k < n && !slices.Contains(out, k) && len(out) < most {
			out = append(out, k)
		}
	}
	return out, len(out) > 0
}

// Log adds what a stage did to the trace.
func (h *Hits) Log(stage, how, note string) {
	h.Trace = append(slices.Clone(h.Trace), digesto.TraceStep{Stage: stage, How: how, Note: note})
}

// degrade notes that a model failed in a stage and the rules stood in.
func (h Hits) degrade(stage, why, note string) Hits {
	h.Log(stage, "heuristic", note)
	h.Faults = append(slices.Clone(h.Faults), why)
	return h
}

// RerankRunes is how much of each unit the reranker sees.
const RerankRunes = 2000

// SortByOrder puts the highest first; equals stay as they stand.
func SortByOrder(list []Hit) {
	slices.SortStableFunc(list, func(a, b Hit) int { return cmp.Compare(b.Order, a.Order) })
}
