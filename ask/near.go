package ask

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"digesto/decide"
	"digesto/dialogue"
	"digesto/digest"
	"digesto/ground"
	"digesto/query"
	"digesto/retrieve"
	"digesto/search"
	"digesto/text"
)

// candidates gives the places that may answer, the likeliest first: by the question
// alone, or, where it goes on with a subject, near the places that were in play.
func (e *Engine) candidates(ctx context.Context, h *retrieve.Hits) ([]decide.Judged, error) {
	if !h.GoesOn() {
		return e.opt.Places(ctx, placesQuery(h))
	}
	return e.near(ctx, h)
}

// What says where the answer is: weights of a conditional logit over the places found, one
// more for none of them. A place has the log odds that each look gives it, above those of a
// place that is not found. Fitted on 1,231 messages made from the digest: an ask of one place,
// then, as people go on, an ask of a place near it without the words that name their
// matter; the asks themselves left out of what is searched.
const (
	weighOwn         = .10 // by the message alone, in all law at hand
	weighOwnWithin   = .27 // … in the norms in play
	weighOwnBeside   = .33 // … beside the articles in play
	weighTopic       = .29 // with the words that name the matter
	weighTopicWithin = -.19
	weighPlace       = .12 // with the words that others use for the place in play
	weighWhole       = .36 // with the question that the subject began with

	weighSays      = 3.53 // the share of the message's words that an entry of the place has
	weighNames     = .29  // … of the words that name the matter
	weighNorm      = 1.23 // of a norm in play
	weighNormLast  = -.3  // … of the last answer
	weighNormOpen  = -.52 // … where the message can stand alone
	weighBeside    = 1.16 // at an article in play, falling by e every nearArticles
	weighLast      = .18  // the article answered last
	weighLastTold  = .09  // … where only a datum changes
	weighLastSaid  = .33  // … where somebody says otherwise
	weighElsewhere = -.35
	weighCarried   = -.55 // not found by the message itself
	weighNone      = 5.4  // no place found answers

	// weighDenied is chosen, not fitted: what is denied is answered again.
	weighDenied = 3.
	// unfound is the probability of a place that a search did not find.
	unfound      = .02
	nearArticles = 4.
	topicWords   = 3
)

// look is a search for what a message asks.
type look struct {
	text   string
	reach  func(*digest.Entry) bool
	weight float64
	own    bool // by the message alone
}

// near looks for what a message asks near its subject: by what it says alone, with the
// words that name the matter, and with the whole question that the subject began with;
// among the norms in play, and in all the law at hand. What is carried may lead to a
// place, but not alone.
func (e *Engine) near(ctx context.Context, h *retrieve.Hits) ([]decide.Judged, error) {
	all := func(x *digest.Entry) bool {
		return h.Reaches(x) && (!x.Elsewhere() || h.Read.Move == dialogue.MoveOpen)
	}
	about := h.Read.About
	norms, err := e.neighbours(ctx, h, about, all)
	if err != nil {
		return nil, err
	}
	within := func(x *digest.Entry) bool { return slices.Contains(norms, x.Norm) && all(x) }
	beside := func(x *digest.Entry) bool { return within(x) && beside(h.Intent.Scope.Turn, x) }
	own := query.NonEmpty(h.Read.Text, about.Query)
	if h.Read.Denies { // the same is answered, whatever is said against it
		own = about.Query
	}
	matter, place := e.topics(h, about)
	found := map[string]*odd{}
	for _, l := range []look{
		{own, beside, weighOwnBeside, true}, {own, within, weighOwnWithin, true}, {own, all, weighOwn, true},
		{matter + ", " + own, all, weighTopic, false}, {matter + ", " + own, within, weighTopicWithin, false},
		{place + ", " + own, all, weighPlace, false},
		{about.Question + " " + own, all, weighWhole, false},
	} {
		list, err := e.opt.Places(ctx, asked(h, l.text, l.reach))
		if err != nil {
			return nil, err
		}
		for _, j := range list {
			if j.Entry == nil {
				continue
			}
			o := found[j.ID]
			if o == nil {
				o = &odd{Judged: j, entries: map[*digest.Entry]bool{}}
				found[j.ID] = o
			}
			o.z += l.weight * (logit(max(j.P, unfound)) - logit(unfound))
			o.most, o.own = max(o.most, j.P), o.own || l.own
			for _, x := range j.Entries {
				o.entries[x.Entry] = true
			}
		}
	}
	said := stems(map[string]bool{}, nil, strings.Join(dialogue.Read(own).Content(), " "))
	named := stems(map[string]bool{}, nil, matter)
	for _, o := range found {
		o.z += weighSays*o.says(said) + weighNames*o.says(named)
	}
	out := weighed(h.Intent.Scope.Turn, found)
	for k := range out[:min(len(out), query.MaxReadings)] {
		if err := e.matter(ctx, h, &out[k], matter, own); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// odd is a place with what speaks for it.
type odd struct {
	decide.Judged
	z    float64
	most float64 // the highest probability that one look alone gave it
	own  bool    // found by the message alone

	entries map[*digest.Entry]bool // found of it
}

// says is the largest share of words that one of the entries found has.
func (o *odd) says(words map[string]bool) (best float64) {
	for x := range o.entries {
		has := map[string]bool{}
		for _, a := range x.Asks {
			stems(has, words, a.Text)
		}
		stems(has, words, x.Text)
		best = max(best, float64(len(has))/float64(max(1, len(words))))
	}
	return best
}

// stems puts those of a text among the wanted ones into a set; nil wants all.
func stems(into, want map[string]bool, s string) map[string]bool {
	for _, t := range text.Tokens(nil, s) {
		if k := text.Stem(t.Text); want == nil || want[k] {
			into[k] = true
		}
	}
	return into
}

// topics are the words that name the matter in the question that a subject began with, and
// those that others use for the place that was answered last.
func (e *Engine) topics(h *retrieve.Hits, about *dialogue.Subject) (matter, place string) {
	if e.opt.Topic != nil && len(about.Places) > 0 {
		matter = strings.Join(e.opt.Topic(h.Pack.Name, strings.Join(dialogue.Read(about.Question).Content(), " "), about.Places, topicWords), " ")
		place = strings.Join(e.opt.Topic(h.Pack.Name, "", about.Places[:1], topicWords), " ")
	}
	return query.NonEmpty(matter, dialogue.Bare(about.Question)), place
}

// weighed gives the places found with their probabilities, the likeliest first.
func weighed(t query.Turn, found map[string]*odd) []decide.Judged {
	out := make([]decide.Judged, 0, len(found))
	sum := math.Exp(weighNone)
	for _, o := range found {
		if !o.own && !t.Read.Denies {
			o.z += weighCarried
		}
		o.z += kept(t, o.Entry)
		o.P = math.Exp(o.z)
		sum += o.P
	}
	for _, o := range found {
		if o.P /= sum; t.Read.Denies { // nothing is surer for being denied
			o.P = min(o.P, o.most)
		}
		out = append(out, o.Judged)
	}
	slices.SortFunc(out, func(a, b decide.Judged) int {
		return cmp.Or(cmp.Compare(b.P, a.P), strings.Compare(a.ID, b.ID))
	})
	return out
}

// matter puts that entry of a place first which what was told of the subject and what is
// asked now lead to together: an article settles several matters.
func (e *Engine) matter(ctx context.Context, h *retrieve.Hits, j *decide.Judged, matter, own string) error {
	if e.opt.Entries == nil || h.Read.Denies {
		return nil
	}
	about := h.Read.About
	told := strings.Join(append([]string{about.Question}, about.Told...), " ")
	list, err := e.opt.Entries(ctx, h.Pack.Name, j.ID, []string{own, matter + ", " + own, about.Question + " " + own, told + " " + own})
	list = slices.DeleteFunc(list, func(x *digest.Entry) bool { return x.Place() != j.Entry.Place() })
	if err != nil || len(list) == 0 {
		return err
	}
	j.Entry, j.Entries = list[0], nil
	for k, x := range list[:min(len(list), 2)] { // a further matter is told beside the first
		j.Entries = append(j.Entries, search.Weighed{Entry: x, Score: 1 / float64(1+k)})
	}
	return nil
}

func logit(p float64) float64 { return math.Log(p / max(1-p, .001)) }

// kept is what speaks for a place because of the places in play.
func kept(t query.Turn, x *digest.Entry) (z float64) {
	if x.Elsewhere() {
		z += weighElsewhere
	}
	best, same := 0., false
	for k, p := range t.Read.About.Places {
		norm, unit, _ := strings.Cut(p, "/")
		if norm != x.Norm {
			continue
		}
		if k == 0 {
			z += weighNormLast
		}
		if k == 0 && unit == x.Unit {
			z += again(t)
		}
		if d, ok := distance(unit, x.Unit); ok {
			best = max(best, math.Exp(-d/nearArticles))
		}
		same = true
	}
	if z += weighBeside * best; same {
		if z += weighNorm; !t.Read.Tied() {
			z += weighNormOpen
		}
	}
	return z
}

// again is what speaks for the article answered last.
func again(t query.Turn) float64 {
	switch {
	case t.Read.Denies:
		return weighDenied
	case t.Read.Move == dialogue.MovePushback:
		return weighLast + weighLastSaid
	case t.Read.Move == dialogue.MoveCorrection || t.Read.Move == dialogue.MoveCondition:
		return weighLast + weighLastTold
	}
	return weighLast
}

// beside says that an entry is of an article in play or of one that stands near it.
func beside(t query.Turn, x *digest.Entry) bool {
	return slices.ContainsFunc(t.Read.About.Places, func(p string) bool {
		norm, unit, _ := strings.Cut(p, "/")
		d, ok := distance(unit, x.Unit)
		return ok && norm == x.Norm && d <= besideArticles
	})
}

// besideArticles is how far articles stand beside one in play.
const besideArticles = 10

// numbered is the id of a unit with a number: "a38", "da4".
var numbered = regexp.MustCompile(`^([a-z]+)(\d+)`)

// distance is how many articles lie between two units of a norm.
func distance(a, b string) (float64, bool) {
	x, y := numbered.FindStringSubmatch(a), numbered.FindStringSubmatch(b)
	if x == nil || y == nil || x[1] != y[1] {
		return 0, a == b
	}
	n, _ := strconv.Atoi(x[2])
	m, _ := strconv.Atoi(y[2])
	return math.Abs(float64(n - m)), true
}

// neighbours are the norms in play: of the places, and those that the subject's own
// question leads to.
func (e *Engine) neighbours(ctx context.Context, h *retrieve.Hits, about *dialogue.Subject, reach func(*digest.Entry) bool) (out []string, err error) {
	add := func(norm string) {
		if norm != "" && !slices.Contains(out, norm) {
			out = append(out, norm)
		}
	}
	for _, p := range about.Places {
		norm, _, _ := strings.Cut(p, "/")
		add(norm)
	}
	list, err := e.opt.Places(ctx, asked(h, about.Question, reach))
	for _, j := range list[:min(len(list), query.MaxReadings)] {
		if j.Entry != nil && j.P >= neighbourLeast {
			add(j.Entry.Norm)
		}
	}
	return out, err
}

// neighbourLeast is the probability from which a subject leads to a norm, too.
const neighbourLeast = .25

// leads says that the place found near the subject goes before what the texts alone gave:
// found by the words of both, they may stand on what is carried alone, unless the message
// is a whole question.
func leads(g ground.Grounds, texts ground.Grounds) bool {
	p := g.Verdict.Confidence
	if p < nearLeast {
		return false
	}
	if texts.Done != nil || len(texts.Govern) == 0 {
		return true
	}
	whole := !g.Read.Tied() && dialogue.Complete(g.Read.Text)
	return !whole || texts.Verdict.Confidence < decide.Certain || p >= decide.Certain
}

// strays says that the texts alone answer a message that cannot stand alone from a norm
// that was never in play: its few words are met anywhere.
func strays(g ground.Grounds) bool {
	if g.Done != nil || len(g.Govern) == 0 || !g.Govern[0].Law || !g.GoesOn() || !g.Read.Tied() || dialogue.Complete(g.Read.Text) || len(g.Read.About.Places) == 0 || len(g.Exact)+len(g.Norms) > 0 {
		return false
	}
	return !slices.ContainsFunc(g.Read.About.Places, func(p string) bool { return strings.HasPrefix(p, g.Govern[0].Norm.ID+"/") })
}

// nearLeast is the probability from which a place near the subject answers what goes on
// with it: nothing is asked back there, and what is not sure says so.
const nearLeast = .08
