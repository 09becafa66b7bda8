package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"digesto"
	"digesto/model"
	"digesto/text/jsonx"
)

// Bounds of the order that a reader gives, where the manifest sets none.
const (
	orderUnits = 20  // units that it sees
	orderRunes = 300 // of each
	orderKept  = 8   // most that it may keep
)

// readerOrder lets the reader put the units in order and leave out what does not
// help. Units that the question names stay first; an answer that is no array
// leaves the order of the rules, and says so.
func (e *Retriever) readerOrder(ctx context.Context, h hits) (hits, error) {
	p, ok := h.pack.Prompt("rerank")
	law, own := split(h.list)
	if !ok || e.Model == nil || len(law) < 2 {
		return h, nil
	}
	seen := law[:min(len(law), orInt(h.pack.Retrieval.Top, orderUnits))]
	r, err := e.Model.Generate(ctx, model.Request{Corpus: h.corpus(), Messages: []model.Message{
		{Role: model.System, Text: p.Text}, {Role: model.User, Text: h.fragments("Pregunta: "+h.text+"\n\nFragmentos:\n", seen)},
	}}, nil)
	if ctx.Err() != nil {
		return h, model.Cancelled(ctx)
	}
	if err != nil {
		return h.degrade("rerank", "reader_failed", "falló el lector: orden por reglas"), nil
	}
	order, ok := indicesOf(r.Text, len(seen), orInt(h.pack.Retrieval.Rerank, orderKept))
	if !ok {
		return h.degrade("rerank", "reader_parse_error", "el lector no dio un array de índices: orden por reglas"), nil
	}
	var list []hit
	for k, x := range seen {
		if x.exact && !slices.Contains(order, k) {
			list = append(list, x)
		}
	}
	for _, k := range order {
		list = append(list, seen[k])
	}
	top := 0.0
	for _, x := range list {
		top = max(top, x.order)
	}
	for k := range list {
		list[k].order = top + 1 - float64(k)/10
	}
	out := h
	out.list = append(list, own...)
	out.log("rerank", "model", fmt.Sprintf("%d de %d fragmentos", len(list), len(seen)))
	return out, nil
}

// fragments writes units as the reader sees them: number, collection, title, the
// beginning of the text.
func (h hits) fragments(head string, list []hit) string {
	var b strings.Builder
	b.WriteString(head)
	for k, x := range list {
		fmt.Fprintf(&b, "[%d] (%s) %s del %s: %s\n\n", k, x.Norm.Collection, x.label(), h.shortName(x.Norm), cutRunes(oneLine(x.Version.Text), orderRunes))
	}
	return b.String()
}

func (x hit) label() string { return strings.TrimSuffix(x.Unit.Label+". "+x.Unit.Rubric, ". ") }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// indicesOf reads an array of places below n, each once, the first most of them.
// Places that there are not count for nothing; ok is false when it is no array,
// or nothing of it counts.
func indicesOf(raw string, n, most int) ([]int, bool) {
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

// log adds what a stage did to the trace.
func (h *hits) log(stage, how, note string) {
	h.trace = append(slices.Clone(h.trace), digesto.TraceStep{Stage: stage, How: how, Note: note})
}

// degrade notes that a model failed in a stage and the rules stood in.
func (h hits) degrade(stage, why, note string) hits {
	h.log(stage, "heuristic", note)
	h.faults = append(slices.Clone(h.faults), why)
	return h
}
