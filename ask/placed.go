package ask

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
	"digesto/decide"
	"digesto/digest"
)

// placed lets the questions of the digest lead to the place that answers. ok is false
// when none of them is sure enough: then the texts themselves are asked, and offer says
// what may be meant where they do not answer either; g is the likeliest place all the
// same. A place whose text on the day asked for has not the decisive words of the entry
// leads nowhere.
func (e *Engine) placed(ctx context.Context, h *hits) (g grounds, ok bool, offer []reading, err error) {
	if e.opt.Places == nil || h.law.empty() || len(h.exact) > 0 || h.lacks() || len(h.q.Filters) > 0 || h.chat.Norm || len(h.tiers) > 0 || h.plan.compare {
		return g, false, nil, nil
	}
	judged, err := e.opt.Places(ctx, h.pack.Name, h.text, h.found, func(x *digest.Entry) bool { return h.reaches(x) })
	if err != nil {
		return g, false, nil, err
	}
	var list []reading
	for _, j := range judged[:min(len(judged), placesLooked)] {
		if r, ok := h.readingOf(j); ok {
			list = append(list, r)
		}
	}
	for i, r := range list {
		if h.chosen && !r.elsewhere() && r.plainAsk() == h.text { // offered, and taken
			list[i].p = max(r.p, chosenSure)
			list[0], list[i] = list[i], list[0]
			break
		}
	}
	g = grounds{hits: *h, notes: slices.Clone(h.remarks)}
	switch {
	case len(list) == 0:
		return g, false, nil, nil
	case list[0].elsewhere() && list[0].p >= decide.Elsewhere:
		g.endElsewhere(list[0])
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
	return g, false, likely(list), nil
}

// aside ends a question that the digest says is none of the law at hand, before guides
// are asked, which meet what shares a word with them.
func (e *Engine) aside(ctx context.Context, i intent) (g grounds, ok bool, err error) {
	if e.opt.Places == nil || i.law.empty() || len(i.exact) > 0 || len(i.norms) > 0 {
		return g, false, nil
	}
	g.hits = hits{intent: i}
	judged, err := e.opt.Places(ctx, i.pack.Name, i.text, nil, func(x *digest.Entry) bool { return g.reaches(x) })
	judged = slices.DeleteFunc(judged, func(j decide.Judged) bool { return j.Entry.Elsewhere() && g.ofOthers(j.Entry) })
	if err != nil || len(judged) == 0 || !judged[0].Entry.Elsewhere() || judged[0].P < decide.Elsewhere {
		return g, false, err
	}
	g.notes = slices.Clone(i.remarks)
	g.endElsewhere(reading{entry: judged[0].Entry, p: judged[0].P})
	return g, true, nil
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
func (h *hits) reaches(x *digest.Entry) bool {
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
func (h *hits) ofOthers(x *digest.Entry) bool {
	t, ok := h.pack.Territories.Detect(x.Text)
	return ok && !slices.Contains(h.codes, t.Code) && !slices.Contains(h.codes, t.Region)
}

// readingOf reads the text of a place on the day asked for.
func (h *hits) readingOf(j decide.Judged) (reading, bool) {
	r := reading{entry: j.Entry, ask: j.Ask.Text, p: j.P}
	if j.Entry == nil || j.Entry.Elsewhere() {
		return r, j.Entry != nil && !h.ofOthers(j.Entry)
	}
	x, ok := h.ground(h.law, j.Entry.Norm, j.Entry.Unit)
	if !ok {
		return r, false
	}
	x.law, x.score = true, j.P
	x.unit = h.units.get(h.an, x).proven(x.Version, h.history())
	if len(x.unit.sents) == 0 || !h.decides(&x, j.Entry) {
		return r, false
	}
	if h.unmet(x) {
		return r, false
	}
	x.tell(j)
	r.hit = x
	return r, true
}

// decides makes the sentence of a unit with the decisive words of an entry the one that
// answers; ok is false where the text on that day does not have them.
func (h *hits) decides(x *hit, of *digest.Entry) (ok bool) {
	k, ok := x.sentenceOf(of)
	if ok {
		x.pick = x.unit.score(h.focus, k)
	}
	return ok
}

// sentenceOf gives the sentence of a unit with the decisive words of an entry.
func (x *hit) sentenceOf(of *digest.Entry) (k int, ok bool) {
	at := strings.Index(x.Version.Text, of.Words)
	if at < 0 || of.Words == "" {
		return 0, false
	}
	start := utf8.RuneCountInString(x.Version.Text[:at])
	k = slices.IndexFunc(x.unit.sents, func(s analysed) bool { return s.Start <= start && start < s.End })
	return k, k >= 0
}

// plainLine is what an entry says of a unit, and the sentence there that decides it.
type plainLine struct {
	text string
	at   int
}

// tell says what the entries that led to a unit answer, the nearest first.
func (x *hit) tell(j decide.Judged) {
	x.plain = nil
	for _, e := range append([]*digest.Entry{j.Entry}, j.Also...) {
		if k, ok := x.sentenceOf(e); ok {
			x.plain = append(x.plain, plainLine{e.Text, k})
		}
	}
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

// over says that what the digest led to goes before what the texts alone gave: a place
// that answers more likely than not where they do not answer; where they do, unless they
// are certain, or sure and of a norm that is named, and it is not: who asks in the law's
// own words is answered by them. What is elsewhere goes before texts that are not sure.
func (g grounds) over(texts grounds) bool {
	p, t := g.verdict.Confidence, texts.verdict.Confidence
	answers := texts.done == nil && len(texts.govern) > 0
	switch {
	case g.done != nil:
		return !answers || t < decide.Sure || p >= decide.Sure
	case len(g.govern) == 0 || p < decide.Likely:
		return false
	case !answers:
		return p >= decide.Sure || texts.done != nil && texts.done.outcome == digesto.OutcomeRefusal
	case texts.govern[0].key() == g.govern[0].key() || p >= decide.Certain:
		return true
	case texts.evidence.Named:
		return t < decide.Sure
	}
	return t < decide.Certain
}

// offered lets a question choose between readings where the texts alone do not answer it,
// or hardly: not what names its law, nor what a fiche asks.
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
	readingRunes  = 700
	readingQuotes = 3
)

// clauses quotes the sentence with the decisive words and, where it is of a list, what
// announces that; of a sentence that announces one itself, its items.
func (r reading) clauses(f *focus) (out []digesto.Citation) {
	at := r.pick.at
	parts, _ := r.unit.stretches([]span{{at, at}}, readingRunes, readingQuotes)
	if lead := r.unit.leadOf(at); lead >= 0 {
		if head, more := r.unit.stretches([]span{{lead, lead}}, readingRunes/2, 1); !more && len(parts) < readingQuotes {
			parts = append(head, parts...)
		}
	} else if r.unit.sents[at].Lead() {
		parts, _ = r.parts(f, readingRunes, readingQuotes)
	}
	for _, p := range parts {
		if c, ok := r.Cite(p.start, p.end); ok {
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
	judged, err := e.opt.Places(ctx, g.pack.Name, g.text, nil, func(o *digest.Entry) bool { return o.Norm == x.Norm.ID && o.Unit == x.Unit.ID })
	if err != nil || len(judged) == 0 || judged[0].Entry == nil || judged[0].Cos < pointedLeast {
		return err
	}
	if g.decides(x, judged[0].Entry) {
		x.tell(judged[0])
	}
	return nil
}
