package ask

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/decide"
	"digesto/digest"
	"digesto/extract"
	"digesto/model"
	"digesto/pack"
	"digesto/search"
)

// placed lets the questions of the digest lead to the place that answers. ok is false
// when none of them is sure enough: then the texts themselves are asked, and offer says
// what may be meant where they do not answer either; g is the likeliest place all the
// same. A place whose text on the day asked for has not the decisive words of the entry
// leads nowhere.
func (e *Engine) placed(ctx context.Context, h *hits) (g grounds, ok bool, offer []reading, err error) {
	if e.opt.Places == nil || h.law.empty() || len(h.exact) > 0 || len(h.q.Filters) > 0 || h.chat.Norm || len(h.tiers) > 0 || h.plan.compare {
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
		if r, ok := h.readingOf(j); ok {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b reading) int { return cmp.Compare(b.p, a.p) })
	for i, r := range list {
		if h.chosen && !r.elsewhere() && r.plainAsk() == h.text { // offered, and taken
			list[i].p = max(r.p, chosenSure)
			list[0], list[i] = list[i], list[0]
			break
		}
	}
	if h.lacks() && (len(list) == 0 || !list[0].says(h.absent)) {
		return g, false, nil, nil
	}
	g = grounds{hits: *h, notes: slices.Clone(h.remarks)}
	switch {
	case len(list) == 0:
		return g, false, nil, nil
	case list[0].elsewhere() && list[0].p >= decide.Elsewhere:
		g.endElsewhere(list[0])
		return g, true, nil, nil
	case rival(list) != nil:
		g.endElsewhere(*rival(list))
		return g, true, nil, nil
	case !list[0].elsewhere():
		g.govern, g.verdict = []hit{list[0].hit}, Verdict{Confidence: round2(list[0].p)}
		g.evidence = h.evidence(g.govern)
		g.log("decide", "digest", list[0].key()+" · "+list[0].ask)
	}
	sure := decide.Sure
	if h.history() != "" { // the asks are of today's law
		sure = decide.Certain
	}
	switch {
	case len(g.govern) > 0 && list[0].p >= sure:
		return g, true, nil, nil
	case h.history() != "":
		return grounds{}, false, nil, nil
	}
	if h.goesOn() {
		return g, false, nil, nil
	}
	return g, false, likely(list), nil
}

// places is what places are found for.
func (h *hits) places() decide.Query {
	return decide.Query{Pack: h.pack.Name, Question: h.text, Articles: h.found, Reach: h.reaches, Text: func(place string) search.Passage { return h.shows(place) }}
}

// asked is what places are found for where something else than the whole is asked.
func (h *hits) asked(question string, reach func(*digest.Entry) bool) decide.Query {
	return decide.Query{Pack: h.pack.Name, Question: question, Reach: reach, Text: func(place string) search.Passage { return h.shows(place) }}
}

// whole is the question with what was told before of the subject that it goes on with.
func (h *hits) whole() string {
	if about := h.read.About; about != nil && h.goesOn() {
		return about.Question + " " + strings.Join(about.Told, " ") + " " + h.q.Text
	}
	return h.q.Text
}

// PlacesOf gives the places that a question of its own is led to, likeliest first, as
// answers are: for evaluation and for fitting what decides. edit, if not nil, may change
// what is looked for. exact are the places that the question names, which need no leading.
func (e *Engine) PlacesOf(ctx context.Context, q digesto.Question, edit func(*decide.Query)) (judged []decide.Judged, exact []string, err error) {
	err = e.lookUp(ctx, q, edit, func(h *hits, list []decide.Judged) {
		judged = list
		for _, x := range h.exact {
			exact = append(exact, x.norm+"/"+x.unit)
		}
	})
	return judged, exact, err
}

// lookUp finds the places of a question of its own and hands them to look, as long as the
// law that they are of is open.
func (e *Engine) lookUp(ctx context.Context, q digesto.Question, edit func(*decide.Query), look func(*hits, []decide.Judged)) error {
	if e.opt.Places == nil {
		return nil
	}
	began := e.opt.Clock()
	t := turn{q: q, said: q.Text, today: digesto.Date(began.Format(time.DateOnly)), began: began, units: e.units, hurt: &damage{}, meter: model.NewMeter(e.opt.Limits, e.opt.Clock)}
	law, release, err := e.law()
	if err != nil {
		return err
	}
	defer release()
	t.law = law
	var idle func()
	t.an, t.spare, idle = e.analysers()
	defer idle()
	s, err := e.route(ctx, t)
	if err != nil || s.pack == nil {
		return err
	}
	i, err := e.classify(ctx, s)
	if err != nil {
		return err
	}
	if i.struck == "" { // the rules end it
		i = e.read(s, q.Text)
	}
	h, err := e.gather(ctx, i, plan{})
	if err != nil {
		return err
	}
	find := h.places()
	if edit != nil {
		edit(&find)
	}
	list, err := e.opt.Places(ctx, find)
	if err == nil {
		look(&h, list)
	}
	return err
}

// shows says what the text of a place shows for the question.
func (h *hits) shows(place string) (p search.Passage) {
	norm, unit, _ := strings.Cut(place, "/")
	x, ok := h.ground(h.law, norm, unit)
	if !ok {
		return p
	}
	x.unit = h.units.get(h.an, x.Ground).Proven(x.Version, h.history())
	best, ok := h.focus.Best(x.unit)
	if !ok {
		return p
	}
	principal, _ := h.authority(x.Norm)
	return search.Passage{Sentence: best.Score, Principal: principal > 0,
		Special: len(h.norms) == 0 && pack.Departs(h.units.regimes(h.pack, &x.Ground), h.pack.RegimesSaid(h.whole()))}
}

// aside ends a question that the digest says is none of the law at hand, before guides
// are asked, which meet what shares a word with them.
func (e *Engine) aside(ctx context.Context, i intent) (g grounds, ok bool, err error) {
	if e.opt.Places == nil || i.law.empty() || len(i.exact) > 0 || len(i.norms) > 0 || i.goesOn() {
		return g, false, nil
	}
	g.hits = hits{intent: i}
	judged, err := e.opt.Places(ctx, decide.Query{Pack: i.pack.Name, Question: i.text, Reach: g.reaches})
	judged = slices.DeleteFunc(judged, func(j decide.Judged) bool { return j.Entry.Elsewhere() && g.ofOthers(j.Entry) })
	if err != nil || len(judged) == 0 || !judged[0].Entry.Elsewhere() || judged[0].P < decide.Elsewhere {
		return g, false, err
	}
	g.notes = slices.Clone(i.remarks)
	g.endElsewhere(reading{entry: judged[0].Entry, p: judged[0].P})
	return g, true, nil
}

// says that the entry asks with the very words that were taken for the name of a norm
// that is not installed: then they are no name here. "RGI" is a benefit to who lives on it.
func (r reading) says(list []absent) bool {
	return slices.ContainsFunc(r.entry.Asks, func(a digest.Ask) bool {
		words := " " + strings.Join(pack.Words(a.Text), " ") + " "
		return !slices.ContainsFunc(list, func(x absent) bool {
			return !strings.Contains(words, " "+strings.Join(pack.Words(x.name), " ")+" ")
		})
	})
}

// chosenSure is the least probability of a reading that the person has chosen.
const chosenSure = .8

// placesLooked is how many of the likeliest places are read.
const placesLooked = 6

// reading is a place that may answer, with the entry that leads there.
type reading struct {
	hit
	entry *digest.Entry
	ask   string // nearest ask
	p     float64
}

func (r reading) elsewhere() bool { return r.entry != nil && r.entry.Elsewhere() }

// reaches says that an entry is about law that this question may be answered from.
func (h *intent) reaches(x *digest.Entry) bool {
	if len(h.norms) > 0 && !slices.Contains(h.norms, x.Norm) {
		return false
	}
	if x.Elsewhere() {
		return !slices.ContainsFunc(x.Until, func(id string) bool { _, ok := h.installed(id); return ok })
	}
	n, ok := h.installed(x.Norm)
	if !ok || !h.pack.Admits(n) || !h.pack.SameLaw(n) || !h.chat.Admits(n) || h.fromAbroad(n) {
		return false
	}
	return n.Territory == "" || slices.Contains(h.codes, n.Territory)
}

// ofOthers says that what is elsewhere is told of a place that the question is not about.
func (h *intent) ofOthers(x *digest.Entry) bool {
	t, ok := h.pack.Territories.Detect(x.Text)
	return ok && !slices.Contains(h.codes, t.Code) && !slices.Contains(h.codes, t.Region)
}

// readingOf reads the text of a place on the day asked for.
func (h *hits) readingOf(j decide.Judged) (reading, bool) {
	r := reading{entry: j.Entry, ask: j.Ask.Text, p: j.P}
	if j.Entry == nil {
		return h.byText(j)
	}
	if j.Entry.Elsewhere() {
		return r, !h.ofOthers(j.Entry)
	}
	x, ok := h.ground(h.law, j.Entry.Norm, j.Entry.Unit)
	if !ok {
		return r, false
	}
	x.law, x.score = true, j.P
	x.unit = h.units.get(h.an, x.Ground).Proven(x.Version, h.history())
	if len(x.unit.Sentences) == 0 || !h.tell(&x, j.Entries) || h.unmet(x) && !h.voted(j.ID) {
		return r, false
	}
	if !x.meets(h.focus.Kind) && !h.voted(j.ID) {
		r.p /= 2
	}
	r.entry = x.plain[0].entry
	r.hit = x
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
	for _, r := range list[:min(len(list), maxReadings)] {
		if r.elsewhere() && r.p >= list[0].p/2 { // it may as well not be here
			return nil
		}
		if r.elsewhere() || r.p < decide.Least {
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

// maxReadings is how many readings a question may get.
const maxReadings = 3

// stated claims of a place that the digest led to what may be said of it.
func (g grounds) stated() grounds {
	if g.done == nil {
		g.verdict.Confidence = round2(decide.Stated(g.verdict.Confidence))
	}
	return g
}

// confirmed makes what the digest is sure of certain where the texts alone answer from the
// same place in the question's own words: of 173 such of the sets at hand 172 are right,
// of 15 of strangers 14.
func (g grounds) confirmed(texts grounds) grounds {
	answers := texts.done == nil && len(texts.govern) > 0 && len(g.govern) > 0 && texts.govern[0].key() == g.govern[0].key()
	if p := g.verdict.Confidence; answers && p >= decide.Sure && texts.verdict.Confidence >= decide.Sure && texts.evidence.Coverage >= ownWords {
		g.verdict.Confidence = max(p, decide.Certain)
	}
	return g
}

// ownWords is the share of a question that the text must say for it to be asked in the law's
// own words: of 23 such of the sets at hand, whose place the digest was not sure of, all
// are answered by the text, and of six others two.
const ownWords = .5

// over says that what the digest led to goes before what the texts alone gave: a place
// that answers more likely than not where they do not answer; where they do, unless they
// are surer, or sure and it is not: who asks in the law's own words is answered by them.
// What is elsewhere goes before texts that are not sure.
func (g grounds) over(texts grounds) bool {
	p, t := g.verdict.Confidence, texts.verdict.Confidence
	answers := texts.done == nil && len(texts.govern) > 0
	switch {
	case g.goesOn() && g.done == nil && len(g.govern) > 0:
		return g.leads(texts)
	case g.done != nil:
		return !answers || t < decide.Sure || p >= decide.Sure
	case len(g.govern) == 0 || p < decide.Likely:
		return false
	case answers && t >= decide.Sure && p < decide.Sure && texts.evidence.Coverage >= ownWords:
		return texts.govern[0].key() == g.govern[0].key()
	case answers:
		texts.recalibrate(true)
		return p >= texts.verdict.Confidence || texts.govern[0].key() == g.govern[0].key()
	}
	return p >= decide.Sure || texts.done != nil && texts.done.outcome == digesto.OutcomeRefusal
}

// unknown says that the texts answer from a norm that no digest has anything about, such as
// one that the user added: that the matter is elsewhere it cannot know then.
func (e *Engine) unknown(texts grounds) bool {
	if e.opt.Covers == nil || texts.done != nil || len(texts.govern) == 0 || !texts.govern[0].law {
		return false
	}
	n := texts.govern[0].Norm
	return !slices.ContainsFunc(e.opt.Packs, func(p *pack.Pack) bool { return p.SameLaw(n) && e.opt.Covers(p.Name, n.ID) })
}

// offered lets a question choose between readings where the texts alone do not answer it:
// not what names its law, nor what a fiche asks.
func (g grounds) offered(list []reading) grounds {
	if len(list) < 2 || g.done == nil || g.done.outcome != digesto.OutcomeRefusal {
		return g
	}
	g.govern, g.done = nil, g.asReadings(list)
	return g
}

// asReadings asks which of several places is meant, each with what it answers.
func (g *grounds) asReadings(list []reading) *ending {
	end := &ending{outcome: digesto.OutcomeClarification, notes: g.notes, classes: g.classes}
	lines := []string{"No estoy seguro de cuál de estas cosas pregunta. Elija una (el resumen es de Digesto; vale el texto citado):"}
	for _, r := range list {
		cites := r.clauses(g.focus)
		if len(cites) == 0 {
			continue
		}
		x := digesto.NewReading(r.plainAsk(), r.entry.Text)
		x.Confidence, x.Citations = round2(r.p), cites
		end.readings = append(end.readings, x)
		end.options = append(end.options, x.Text)
		lines = append(lines, string(rune('0'+len(end.readings)))+". "+x.Text+"\n   "+x.Answer+" ("+corpus.PlaceOf(r.Norm, r.Unit)+")")
	}
	if len(end.readings) == 0 {
		return g.refusal()
	}
	end.text = strings.Join(lines, "\n\n")
	return end
}

// plainAsk is the entry's own short question.
func (r reading) plainAsk() string { return cmp.Or(r.entry.Short(), r.ask) }

// Bounds of what a reading quotes.
const (
	readingRunes  = 1200
	readingQuotes = 5
)

// clauses quotes the sentence with the decisive words and, where it is of a list, what
// announces that; of a sentence that announces one itself, its items.
func (r reading) clauses(f *extract.Focus) (out []digesto.Citation) {
	parts, _ := r.parts(f, readingRunes, readingQuotes)
	for _, p := range parts {
		if c, ok := r.Cite(p.Start, p.End); ok {
			c.Ref.Label = "C" + strconv.Itoa(len(out)+1)
			out = append(out, c)
		}
	}
	return out
}

// endElsewhere ends a question by saying where the matter is that the law at hand does not hold.
func (g *grounds) endElsewhere(r reading) {
	g.done = &ending{outcome: digesto.OutcomeRefusal, text: "No puedo responder con la ley instalada. " + r.entry.Text, notes: g.notes, classes: g.classes}
	g.verdict = Verdict{Reason: ReasonElsewhere, Confidence: round2(r.p)}
}

// pointedLeast is the cosine from which an ask is about what is asked: between .4 and .65
// it makes no difference on the development sets, from .7 entries that point well are lost.
const pointedLeast = .6

// pointed lets the entries of the unit that governs say which of its sentences decides.
func (e *Engine) pointed(ctx context.Context, g *grounds) error {
	if e.opt.Places == nil || g.done != nil || len(g.govern) == 0 || !g.govern[0].law || g.govern[0].detail != "" {
		return nil
	}
	x := &g.govern[0]
	judged, err := e.opt.Places(ctx, decide.Query{Pack: g.pack.Name, Question: g.text, Reach: func(o *digest.Entry) bool { return o.Norm == x.Norm.ID && o.Unit == x.Unit.ID }})
	if err != nil || len(judged) == 0 || judged[0].Entry == nil || judged[0].Cos < pointedLeast {
		return err
	}
	g.tell(x, judged[0].Entries)
	return nil
}
