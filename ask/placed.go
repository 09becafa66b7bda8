package ask

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/decide"
	"digesto/digest"
	"digesto/extract"
	"digesto/ground"
	"digesto/model"
	"digesto/pack"
	"digesto/query"
	"digesto/retrieve"
	"digesto/search"
	"digesto/text"
	"digesto/write"
)

// placed lets the questions of the digest lead to the place that answers. ok is false
// when none of them is sure enough: then the texts themselves are asked, and offer says
// what may be meant where they do not answer either; g is the likeliest place all the
// same. A place whose text on the day asked for has not the decisive words of the entry
// leads nowhere.
func (e *Engine) placed(ctx context.Context, h *retrieve.Hits) (g ground.Grounds, ok bool, offer []reading, err error) {
	if e.opt.Places != nil && e.lawless(h) && len(h.Q.Filters) == 0 && !h.Chat.Norm && len(h.Tiers) == 0 && !h.Plan.Compare {
		return e.summarised(ctx, h)
	}
	if e.opt.Places == nil || h.Law.Empty() || len(h.Exact) > 0 || len(h.Q.Filters) > 0 || h.Chat.Norm || len(h.Tiers) > 0 || h.Plan.Compare {
		return g, false, nil, nil
	}
	judged, err := e.candidates(ctx, h)
	if err != nil {
		return g, false, nil, err
	}
	if judged, err = e.judged(ctx, h, judged); err != nil {
		return g, false, nil, err
	}
	var list []reading
	for _, j := range judged[:min(len(judged), placesLooked)] {
		if r, ok := readingOf(h, j); ok {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b reading) int { return cmp.Compare(b.p, a.p) })
	for i, r := range list {
		if h.Chosen && !r.elsewhere() && r.plainAsk() == h.Text { // offered, and taken
			list[i].p = max(r.p, decide.Certain)
			list[0], list[i] = list[i], list[0]
			break
		}
	}
	if ground.Lacks(*h) && (len(list) == 0 || !e.says(h.Pack, list[0].entry, h.Absent)) {
		return g, false, nil, nil
	}
	g, ok, offer = settle(h, list)
	switch {
	case h.History() == "" || g.Done != nil:
		return g, ok, offer, nil
	case ok && g.Verdict.Confidence >= decide.Certain: // the asks are of today's law
		return g, true, nil, nil
	}
	return ground.Grounds{}, false, nil, nil
}

// settle says what the likeliest places of a question make of it: ok where the first answers
// or a matter elsewhere ends it; g is the likeliest, and offer what may be meant where that is
// not sure.
func settle(h *retrieve.Hits, list []reading) (g ground.Grounds, ok bool, offer []reading) {
	if len(list) == 0 {
		return g, false, nil
	}
	g = ground.Grounds{Hits: *h, Notes: slices.Clone(h.Remarks)}
	first := list[0]
	bare := len(h.Focus.Terms) < 2
	if law := slices.DeleteFunc(slices.Clone(list), reading.elsewhere); bare && len(law) > 0 && law[0].p >= decide.First { // a word alone is a topic: what is here of it
		list, first = law, law[0]
	}
	switch r := rival(list); {
	case bare && (first.elsewhere() && first.p < decide.Sure || r != nil):
		return g, false, nil
	case first.elsewhere() && first.p >= decide.Read:
		first.endElsewhere(&g)
		return g, true, nil
	case r != nil:
		r.endElsewhere(&g)
		return g, true, nil
	case !first.elsewhere():
		g.Govern, g.Verdict = []retrieve.Hit{first.Hit}, ground.Verdict{Confidence: ground.Round2(first.p)}
		g.Evidence = ground.EvidenceOf(*h, g.Govern)
		g.Log("decide", "digest", first.Key()+" · "+first.plainAsk())
	}
	sure := len(g.Govern) > 0 && first.p >= decide.Sure
	if sure || h.GoesOn() || h.Reading == query.PromptFollowup { // nothing is asked back twice
		return g, sure, nil
	}
	return g, false, likely(list)
}

// agrees says that the texts alone answer from the place that the digest led to.
func agrees(g, texts ground.Grounds) bool {
	return texts.Done == nil && len(texts.Govern) > 0 && len(g.Govern) > 0 && texts.Govern[0].Key() == g.Govern[0].Key()
}

// placesQuery is what places are found for.
func placesQuery(h *retrieve.Hits) decide.Query {
	return decide.Query{Pack: h.Pack.Name, Question: h.Text, Articles: h.Found, Reach: h.Reaches, Text: shows(h)}
}

// asked is what places are found for where something else than the whole is asked.
func asked(h *retrieve.Hits, question string, reach func(*digest.Entry) bool) decide.Query {
	return decide.Query{Pack: h.Pack.Name, Question: question, Reach: reach, Text: shows(h)}
}

// whole is the question with what was told before of the subject that it goes on with.
func whole(h *retrieve.Hits) string {
	if about := h.Read.About; about != nil && h.GoesOn() {
		return about.Question + " " + strings.Join(about.Told, " ") + " " + h.Q.Text
	}
	return h.Q.Text
}

// PlacesOf gives the places that a question of its own is led to, likeliest first, as
// answers are: for evaluation and for fitting what decides. edit, if not nil, may change
// what is looked for. exact are the places that the question names, which need no leading.
func (e *Engine) PlacesOf(ctx context.Context, q digesto.Question, edit func(*decide.Query)) (judged []decide.Judged, exact []string, err error) {
	err = e.lookUp(ctx, q, edit, func(h *retrieve.Hits, list []decide.Judged) {
		judged = list
		for _, x := range h.Exact {
			exact = append(exact, x.Norm+"/"+x.Unit)
		}
	})
	return judged, exact, err
}

// lookUp finds the places of a question of its own and hands them to look, as long as the
// law that they are of is open.
func (e *Engine) lookUp(ctx context.Context, q digesto.Question, edit func(*decide.Query), look func(*retrieve.Hits, []decide.Judged)) error {
	if e.opt.Places == nil {
		return nil
	}
	began := e.opt.Clock()
	t := query.Turn{Q: q, Said: q.Text, Today: digesto.Date(began.Format(time.DateOnly)), Began: began, Units: e.units, Hurt: &query.Damage{}, Meter: model.NewMeter(e.opt.Limits, e.opt.Clock)}
	law, release, err := e.law()
	if err != nil {
		return err
	}
	defer release()
	t.Law, t.Embedded = law, e.opt.Embedded
	var idle func()
	t.An, t.Spare, idle = e.Analysers()
	defer idle()
	s, err := e.Route(ctx, t)
	if err != nil || s.Pack == nil {
		return err
	}
	i, err := e.Classify(ctx, s)
	if err != nil {
		return err
	}
	if i.Struck == "" { // the rules end it
		i = e.Read(s, q.Text)
	}
	h, err := e.Gather(ctx, i, query.Plan{})
	if err != nil {
		return err
	}
	find := placesQuery(&h)
	if edit != nil {
		edit(&find)
	}
	list, err := e.opt.Places(ctx, find)
	if err == nil {
		look(&h, list)
	}
	return err
}

// shows gives what says of the text of a place what it shows for the question.
func shows(h *retrieve.Hits) func(place string) search.Passage {
	said := sync.OnceValue(func() []int { return h.Pack.RegimesSaid(whole(h)) })
	return func(place string) (p search.Passage) {
		norm, unit, _ := strings.Cut(place, "/")
		x, ok := h.Placed(norm, unit)
		if !ok {
			return p
		}
		x.Prepared = h.Units.Get(h.An, x.Ground).Proven(x.Version, h.History())
		best, ok := h.Focus.Best(x.Prepared)
		if !ok {
			return p
		}
		principal, _ := h.Authority(x.Norm)
		regimes := h.Units.Regimes(h.Pack, &x.Ground)
		return search.Passage{Sentence: best.Score, Principal: principal > 0, Local: x.Norm.Territory != "" && h.Name != "", Special: len(h.Norms) == 0 && len(regimes) > 0 && pack.Departs(regimes, said())}
	}
}

// aside ends a question that the digest is sure is none of the law at hand, before guides
// are asked, which meet what shares a word with them. What it is less sure of they may know.
func (e *Engine) aside(ctx context.Context, i query.Intent) (g ground.Grounds, ok bool, err error) {
	if e.opt.Places == nil || i.Law.Empty() || len(i.Exact) > 0 || len(i.Norms) > 0 || i.GoesOn() {
		return g, false, nil
	}
	g.Hits = retrieve.Hits{Intent: i}
	judged, err := e.opt.Places(ctx, decide.Query{Pack: i.Pack.Name, Question: i.Text, Reach: g.Reaches})
	judged = slices.DeleteFunc(judged, func(j decide.Judged) bool { return j.Entry.Elsewhere() && g.OfOthers(j.Entry) })
	if err != nil || len(judged) == 0 || !judged[0].Entry.Elsewhere() || judged[0].P < decide.Sure {
		return g, false, err
	}
	g.Notes = slices.Clone(i.Remarks)
	reading{entry: judged[0].Entry, p: judged[0].P}.endElsewhere(&g)
	return g, true, nil
}

// says that the entry is of the norm that is named and not installed, or asks with the very
// words that were taken for its name: then they are no name here. "RGI" is a benefit to who
// lives on it. A name of one word may stand in any of its asks, a longer one in its plain question.
func (e *Engine) says(p *pack.Pack, entry *digest.Entry, list []query.Absent) bool {
	plain, asks := " "+strings.Join(pack.Words(entry.Short()), " ")+" ", e.asks(p)
	return !slices.ContainsFunc(list, func(x query.Absent) bool {
		name := pack.Words(x.Name)
		if x.Norm == entry.Norm && x.Unit == "" || strings.Contains(plain, " "+strings.Join(name, " ")+" ") {
			return false
		}
		if asks == nil || len(name) != 1 {
			return true
		}
		stem := text.Stem(name[0])
		return !asks.Having([]*digest.Entry{entry}, []string{stem})[entry][stem]
	})
}

// placesLooked is how many of the likeliest places are read.
const placesLooked = 6

// reading is a place that may answer, with the entry that leads there.
type reading struct {
	retrieve.Hit
	entry *digest.Entry
	p     float64
}

func (r reading) elsewhere() bool { return r.entry != nil && r.entry.Elsewhere() }

// readingOf reads the text of a place on the day asked for.
func readingOf(h *retrieve.Hits, j decide.Judged) (reading, bool) {
	r := reading{entry: j.Entry, p: j.P}
	if j.Entry == nil {
		return byText(h, j)
	}
	if j.Entry.Elsewhere() {
		return r, !h.OfOthers(j.Entry)
	}
	x, ok := h.Placed(j.Entry.Norm, j.Entry.Unit)
	if !ok {
		return r, false
	}
	x.Score = j.P
	x.Prepared = h.Units.Get(h.An, x.Ground).Proven(x.Version, h.History())
	if len(x.Prepared.Sentences) == 0 || !ground.Tell(h, &x, j.Entries) || ground.Unmet(*h, x) && !voted(h, j.ID) {
		return r, false
	}
	if !ground.Meets(&x, h.Focus) && !voted(h, j.ID) {
		r.p *= decide.Figureless
	}
	r.entry = x.Plain[0].Entry
	r.Hit = x
	return r, true
}

// rival is a matter elsewhere that is too near the first place for that to be answered:
// to say that it is not here harms less than an answer that is none.
func rival(list []reading) *reading {
	if list[0].p >= decide.Certain {
		return nil
	}
	for i, r := range list {
		if r.elsewhere() && r.p >= decide.Rival*list[0].p {
			return &list[i]
		}
	}
	return nil
}

// likely gives the first places when one of them probably answers.
func likely(list []reading) []reading {
	sum := 0.
	var out []reading
	for _, r := range list[:min(len(list), query.MaxReadings)] {
		if r.elsewhere() && r.p >= list[0].p/2 { // it may as well not be here
			return nil
		}
		if r.elsewhere() || r.p < decide.First {
			continue
		}
		sum += r.p
		out = append(out, r)
	}
	if sum < decide.Read || list[0].p < decide.First {
		return nil
	}
	return out
}

// stated claims of a place that the digest led to what may be said of it.
func stated(g ground.Grounds) ground.Grounds {
	if g.Done == nil {
		g.Verdict.Confidence = ground.Round2(decide.Stated(g.Verdict.Confidence))
	}
	return g
}

// doubt lets what the texts alone answer claim no more than may be said in a low voice where
// the digest leads elsewhere.
func doubt(g *ground.Grounds, led ground.Grounds) {
	if g.Done == nil && len(led.Govern) > 0 && led.Verdict.Confidence >= decide.First && !agrees(led, *g) {
		g.Verdict.Confidence = min(g.Verdict.Confidence, decide.Quiet)
	}
}

// over says that what the digest led to goes before what the texts alone gave: a place
// that answers more likely than not where they do not answer; where they do, unless they
// are surer, or sure and it is not: who asks in the law's own words is answered by them.
// What is elsewhere goes before texts that are not sure.
func over(g ground.Grounds, texts ground.Grounds) bool {
	p, t := g.Verdict.Confidence, texts.Verdict.Confidence
	answers := texts.Done == nil && len(texts.Govern) > 0
	switch {
	case g.GoesOn() && g.Done == nil && len(g.Govern) > 0:
		return leads(g, texts)
	case g.Done != nil && g.Summed:
		return !answers
	case g.Done != nil:
		return !answers || t < decide.Sure || p >= decide.Sure
	case len(g.Govern) == 0 || p < decide.Sure:
		return false
	case answers && t >= decide.Sure && p < decide.Certain && texts.Evidence.Coverage >= extract.Most:
		return texts.Govern[0].Key() == g.Govern[0].Key()
	case answers:
		texts.Recalibrate(true)
		return p >= texts.Verdict.Confidence || texts.Govern[0].Key() == g.Govern[0].Key()
	}
	return true
}

// unknown says that the texts answer from a norm that no digest has anything about, such as
// one that the user added: that the matter is elsewhere it cannot know then.
func (e *Engine) unknown(texts ground.Grounds) bool {
	if e.opt.Covers == nil || texts.Done != nil || len(texts.Govern) == 0 || !texts.Govern[0].Law {
		return false
	}
	n := texts.Govern[0].Norm
	return !slices.ContainsFunc(e.opt.Packs, func(p *pack.Pack) bool { return p.SameLaw(n) && e.opt.Covers(p.Name, n.ID) })
}

// offered lets a question choose what it may mean where the texts alone do not answer it: not
// what names its law, nor what a fiche asks.
func offered(g ground.Grounds, list []reading) ground.Grounds {
	if len(list) == 0 || g.Done == nil || g.Done.Outcome != digesto.OutcomeRefusal {
		return g
	}
	g.Govern, g.Done = nil, asReadings(&g, list)
	return g
}

// asReadings asks which of several places is meant, each with what it answers.
func asReadings(g *ground.Grounds, list []reading) *query.Ending {
	end := &query.Ending{Outcome: digesto.OutcomeClarification, Notes: g.Notes, Classes: g.Classes}
	var lines []string
	for _, r := range list {
		cites := r.clauses(g.Focus)
		if len(cites) == 0 {
			continue
		}
		x := digesto.NewReading(r.plainAsk(), r.entry.Text)
		x.Confidence, x.Citations = ground.Round2(r.p), cites
		end.Readings = append(end.Readings, x)
		end.Options = append(end.Options, x.Text)
		lines = append(lines, string(rune('0'+len(end.Readings)))+". "+x.Text+"\n   "+x.Answer+" ("+corpus.PlaceOf(r.Norm, r.Unit)+")")
	}
	lead := "No estoy seguro de cuál de estas cosas pregunta. Elija una"
	switch len(end.Readings) {
	case 0:
		return g.Refusal()
	case 1:
		lead = "No estoy seguro de que pregunte esto. Si es así, elíjalo"
	}
	end.Text = strings.Join(append([]string{lead + " (el resumen es de Digesto; vale el texto citado):"}, lines...), "\n\n")
	return end
}

// plainAsk is the entry's own short question.
func (r reading) plainAsk() string { return r.entry.Short() }

// Bounds of what a reading quotes.
const (
	readingRunes  = 1200
	readingQuotes = 5
)

// clauses quotes the sentence with the decisive words and, where it is of a list, what
// announces that; of a sentence that announces one itself, its items.
func (r reading) clauses(f *extract.Focus) (out []digesto.Citation) {
	parts, _ := write.Parts(r.Hit, f, readingRunes, readingQuotes)
	for _, p := range parts {
		if c, ok := r.Cite(p.Start, p.End); ok {
			c.Ref.Label = "C" + strconv.Itoa(len(out)+1)
			out = append(out, c)
		}
	}
	return out
}

// endElsewhere ends a question by saying where the matter is that the law at hand does not hold.
func (r reading) endElsewhere(g *ground.Grounds) {
	g.Done = &query.Ending{Outcome: digesto.OutcomeRefusal, Text: "No puedo responder con la ley instalada. " + r.entry.Text, Notes: g.Notes, Classes: g.Classes}
	if r.entry.Talk {
		g.Done.Outcome, g.Done.Text = digesto.OutcomeNonLegal, r.entry.Text
	}
	g.Verdict = ground.Verdict{Reason: ground.ReasonElsewhere, Confidence: ground.Round2(r.p)}
}

// pointed lets the entries of the unit that governs say which of its sentences decides.
func (e *Engine) pointed(ctx context.Context, g *ground.Grounds) error {
	if e.opt.Places == nil || g.Done != nil || len(g.Govern) == 0 || !g.Govern[0].Law || g.Govern[0].Detail != "" {
		return nil
	}
	x := &g.Govern[0]
	judged, err := e.opt.Places(ctx, decide.Query{Pack: g.Pack.Name, Question: g.Text, Reach: func(o *digest.Entry) bool { return o.Norm == x.Norm.ID && o.Unit == x.Unit.ID }})
	if err != nil || len(judged) == 0 || judged[0].Entry == nil || judged[0].Cos < extract.Most {
		return err
	}
	ground.Tell(&g.Hits, x, judged[0].Entries)
	return nil
}
