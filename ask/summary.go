package ask

import (
	"context"
	"slices"
	"strings"

	"digesto/decide"
	"digesto/digest"
	"digesto/pack"
	"digesto/search"
)

// Where none of a pack's law is installed, what the digest answers of a place stands in
// place of the law: found by the same asks, quoted as ours and labelled, never as law.

// lawless says that no law of the pack is installed.
func (h *hits) lawless() bool {
	if h.law.empty() {
		return true
	}
	for n := range h.law.Snapshot.Each() {
		if h.pack.Sees(n) {
			return false
		}
	}
	return true
}

// summarised lets the digest answer where no law of the pack is installed.
func (e *Engine) summarised(ctx context.Context, h *hits) (g grounds, ok bool, offer []reading, err error) {
	if e.opt.Embedded.empty() || len(h.exact) > 0 || h.lacks() || h.history() != "" {
		return g, false, nil, nil
	}
	judged, err := e.opt.Places(ctx, decide.Query{Pack: h.pack.Name, Question: h.text, Alone: true, Reach: h.covers, Text: h.title})
	if err != nil {
		return g, false, nil, err
	}
	var list []reading
	for _, j := range judged[:min(len(judged), placesLooked)] {
		if r, ok := e.summary(h, j); ok {
			list = append(list, r)
		}
	}
	if len(list) == 0 {
		return g, false, nil, nil
	}
	g = grounds{hits: *h, notes: slices.Clone(h.remarks), summed: true}
	switch first := list[0]; {
	case first.elsewhere() && first.p >= decide.Elsewhere:
		g.endElsewhere(first)
		return g, true, nil, nil
	case rival(list) != nil:
		g.endElsewhere(*rival(list))
		return g, true, nil, nil
	case first.elsewhere():
		return g, false, nil, nil
	}
	g.govern, g.verdict = []hit{list[0].hit}, Verdict{Confidence: round2(list[0].p)}
	g.evidence = h.evidence(g.govern)
	g.log("decide", "digest", list[0].key()+" · "+list[0].ask)
	if list[0].p >= decide.Sure || h.goesOn() {
		return g, true, nil, nil
	}
	if h.pressing() || h.reading == promptFollowup { // the contacts answer; nothing is asked back twice
		return g, false, nil, nil
	}
	return g, false, likely(list), nil
}

// summary is what an entry answers as a reading that quotes it.
func (e *Engine) summary(h *hits, j decide.Judged) (r reading, ok bool) {
	if j.Entry == nil {
		return r, false
	}
	r = reading{entry: j.Entry, ask: j.Ask.Text, p: j.P}
	if j.Entry.Elsewhere() {
		return r, !h.ofOthers(j.Entry)
	}
	norm, unit := digest.SummaryPlace(h.pack.Name, j.Entry)
	x, ok := h.ground(e.opt.Embedded, norm, unit)
	if !ok {
		return r, false
	}
	x.score, x.asked = j.P, j.Entry.Short()
	x.unit = h.units.get(h.an, x)
	x.pick, ok = x.unit.best(h.focus)
	r.hit = x
	return r, ok
}

// title says of a place what the title of its norm shows.
func (h *hits) title(place string) (p search.Passage) {
	norm, _, _ := strings.Cut(place, "/")
	p.Principal = slices.Contains(h.pack.Principal, norm)
	if s, ok := h.source(norm); ok && len(h.norms) == 0 {
		p.Special = pack.Departs(h.pack.RegimesOf(s.Title), h.pack.RegimesSaid(h.whole()))
	}
	return p
}

func (h *hits) source(norm string) (pack.Source, bool) {
	k := slices.IndexFunc(h.pack.Sources, func(s pack.Source) bool { return s.ID == norm })
	if k < 0 {
		return pack.Source{}, false
	}
	return h.pack.Sources[k], true
}

// covers says that an entry is about law that the question may be answered from: that of
// a place only where the question is about it.
func (h *hits) covers(x *digest.Entry) bool {
	if len(h.norms) > 0 && !slices.Contains(h.norms, x.Norm) {
		return false
	}
	s, ok := h.source(x.Norm)
	return x.Elsewhere() || ok && (s.Territory == "" || slices.Contains(h.codes, s.Territory))
}
