package ask

import (
	"context"
	"slices"
	"strings"

	"digesto/decide"
	"digesto/digest"
	"digesto/ground"
	"digesto/pack"
	"digesto/retrieve"
	"digesto/search"
	"digesto/text/cite"
)

// Where none of a pack's law is installed, what the digest answers of a place stands in
// place of the law: found by the same asks, quoted as ours and labelled, never as law.

// lawless says that no law is installed that the digest of the pack is about.
func (e *Engine) lawless(h *retrieve.Hits) bool {
	if h.Law.Empty() {
		return true
	}
	for n := range h.Law.Snapshot.Each() {
		if h.Pack.Sees(n) && (e.opt.Covers == nil || e.opt.Covers(h.Pack.Name, n.ID)) {
			return false
		}
	}
	return true
}

// summarised lets the digest answer where no law of the pack is installed.
func (e *Engine) summarised(ctx context.Context, h *retrieve.Hits) (g ground.Grounds, ok bool, offer []reading, err error) {
	if e.opt.Embedded.Empty() || len(h.Exact) > 0 || h.History() != "" {
		return g, false, nil, nil
	}
	judged, err := e.opt.Places(ctx, decide.Query{Pack: h.Pack.Name, Question: h.Text, Alone: true, Reach: func(x *digest.Entry) bool { return covers(h, x) }, Text: func(place string) search.Passage { return title(h, place) }})
	if err != nil {
		return g, false, nil, err
	}
	var list []reading
	for _, j := range judged[:min(len(judged), placesLooked)] {
		if r, ok := e.summary(h, j); ok {
			list = append(list, r)
		}
	}
	if len(list) == 0 || !e.summed(h, list[0]) {
		return g, false, nil, nil
	}
	g, ok, offer = settle(h, list)
	g.Summed = true
	if len(g.Govern) > 0 {
		g.Verdict.Confidence = min(g.Verdict.Confidence, ground.OwnMost)
		g.Notes = append(g.Notes, g.Govern[0].Version.Notes...)
	}
	return g, ok || h.GoesOn() && len(g.Govern) > 0, offer, nil
}

// summed says that the likeliest entry may be looked at: a need that presses has contacts and
// guides, what names a norm is answered by an entry of that norm, and a bare topic is not sent
// elsewhere, unless the digest is certain.
func (e *Engine) summed(h *retrieve.Hits, first reading) bool {
	if bare := len(h.Focus.Terms) < 2; bare && first.elsewhere() {
		return false
	}
	if slices.ContainsFunc(h.Mentions, func(m cite.Mention) bool { return m.Unit != "" }) { // an article by its number is asked for its text
		return false
	}
	return first.p >= decide.Certain || !pressing(h.Intent) && (!ground.Lacks(*h) || e.says(h.Pack, first.entry, h.Absent))
}

// summary is what an entry answers as a reading that quotes it.
func (e *Engine) summary(h *retrieve.Hits, j decide.Judged) (r reading, ok bool) {
	if j.Entry == nil {
		return r, false
	}
	r = reading{entry: j.Entry, p: j.P}
	if j.Entry.Elsewhere() {
		return r, !h.OfOthers(j.Entry)
	}
	norm, unit := digest.SummaryPlace(h.Pack, j.Entry)
	x, ok := h.Ground(e.opt.Embedded, norm, unit)
	if !ok {
		return r, false
	}
	x.Score, x.Asked = j.P, j.Entry.Short()
	x.Prepared = h.Units.Get(h.An, x.Ground)
	x.Pick, ok = h.Focus.Best(x.Prepared)
	r.Hit = x
	return r, ok
}

// title says of a place what the title of its norm shows.
func title(h *retrieve.Hits, place string) (p search.Passage) {
	norm, _, _ := strings.Cut(place, "/")
	p.Principal = slices.Contains(h.Pack.Principal, norm)
	s, ok := h.Pack.SourceOf(norm)
	p.Local = s.Territory != "" && h.Name != ""
	if ok && len(h.Norms) == 0 {
		p.Special = pack.Departs(h.Pack.RegimesOf(s.Title), h.Pack.RegimesSaid(whole(h)))
	}
	return p
}

// covers says that an entry is about law that the question may be answered from: that of
// a place only where the question is about it.
func covers(h *retrieve.Hits, x *digest.Entry) bool {
	if len(h.Norms) > 0 && !slices.Contains(h.Norms, x.Norm) {
		return false
	}
	if _, _, ok := h.Pack.FactOf(x.Norm, x.Unit); ok {
		return h.Reaches(x)
	}
	s, ok := h.Pack.SourceOf(x.Norm)
	return x.Elsewhere() || ok && (s.Territory == "" || slices.Contains(h.Codes, s.Territory))
}
