package ask

import (
	"context"
	"fmt"

	"digesto"
	"digesto/corpus"
	"digesto/decide"
	"digesto/ground"
	"digesto/retrieve"
	"digesto/search"
	"digesto/write"
)

// refer ends a question. To a refusal it adds which other pack of the same country is
// certain to answer from law that is installed: what this one's digest is not about may be
// the matter of that.
func (e *Engine) refer(ctx context.Context, g ground.Grounds) (write.Draft, error) {
	d := write.EndedGrounds(g)
	if e.opt.Places == nil || d.End == nil || d.End.Outcome != digesto.OutcomeRefusal || g.Law.Empty() || len(g.Exact)+len(g.Norms) > 0 || g.GoesOn() {
		return d, nil
	}
	for _, p := range e.opt.Packs {
		if p.Name == g.Pack.Name || digesto.Country(p.Jurisdiction()) != digesto.Country(g.Pack.Jurisdiction()) {
			continue
		}
		h := retrieve.Hits{Intent: g.Intent}
		h.Pack = p
		judged, err := e.opt.Places(ctx, decide.Query{Pack: p.Name, Question: g.Text, Alone: true, Reach: h.Reaches, Text: func(place string) search.Passage { return title(&h, place) }})
		if err != nil {
			return d, err
		}
		if len(judged) == 0 || judged[0].P < decide.Certain || judged[0].Entry.Elsewhere() || e.opt.Covers != nil && e.opt.Covers(g.Pack.Name, judged[0].Entry.Norm) { // what the own digest is about it would have led to
			continue
		}
		if x, ok := h.Placed(judged[0].Entry.Norm, judged[0].Entry.Unit); ok {
			d.End.Notes = append(d.End.Notes, fmt.Sprintf("Parece que lo contesta el paquete «%s» (%s): pregúntelo con ese paquete.", p.Name, corpus.PlaceOf(x.Norm, x.Unit)))
			return d, nil
		}
	}
	return d, nil
}
