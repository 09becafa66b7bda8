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
	"digesto/search"
)

// Insisted is what an answer says to a correction that the law does not bear out
// or contradicts: the question is answered again from the text, whatever was said.
const Insisted = "Lo que se afirma en la pregunta no cambia lo que dice la norma: compruébelo en la cita."

// goesOn says that the message goes on with a subject of its conversation, or may.
func (t turn) goesOn() bool {
	return t.read.About != nil && (t.read.Tied() || len(t.read.About.Places) > 0) && t.read.Move != dialogue.MoveNew && t.read.Move != dialogue.MoveTalk && !t.chosen
}

// candidates gives the places that may answer, the likeliest first: by the question
// alone, or, where it goes on with a subject, near the places that were in play.
func (e *Engine) candidates(ctx context.Context, h *hits) ([]decide.Judged, error) {
	if !h.goesOn() {
		return e.opt.Places(ctx, h.places())
	}
	return e.near(ctx, h)
}

// What the conversation says of where the answer is, in log odds. Chosen, in halves, on
// the development set of conversations; between half and double of each the turns right
// move by less than two in a hundred.
const (
	// What the message says alone counts so much beside what it says with its subject, if
	// it has fullMessage words of content or more; the less it says, the less it counts.
	shareOwn    = .7
	fullMessage = 2
	// A place of another norm than those in play must be likelier by so much.
	marginTied = 1.7
	marginOpen = .8
	// The same place again: where only a datum changes, or what was answered is denied.
	againSame   = .5
	againDenied = 2.
	// Articles stand by what they are about: worth one at the same article, falling by e
	// every nearArticles.
	worthNear    = .5
	nearArticles = 4.
	// unfound is the probability of a place that one of two searches did not find.
	unfound = .02
)

// near looks for what a message asks near its subject: first among the norms in play and
// those that the subject itself leads to, then in all the law at hand. Each place is judged
// twice, by what the message says alone and together with the question that the subject
// began with: what is carried may lead to a place, but not alone.
func (e *Engine) near(ctx context.Context, h *hits) ([]decide.Judged, error) {
	all := func(x *digest.Entry) bool {
		return h.reaches(x) && (!x.Elsewhere() || h.read.Move == dialogue.MoveOpen)
	}
	about := h.read.About
	norms, err := e.neighbours(ctx, h, about, all)
	if err != nil {
		return nil, err
	}
	within := func(x *digest.Entry) bool { return slices.Contains(norms, x.Norm) && all(x) }
	own := nonEmpty(h.read.Text, about.Query)
	if h.read.Denies { // the same is answered, whatever is said against it
		own = about.Query
	}
	whole := about.Question + " " + own
	odds := map[string]*odd{}
	beside := map[string]float64{}
	list, err := e.opt.Places(ctx, h.asked(own, func(x *digest.Entry) bool { return within(x) && h.beside(x) }))
	if err != nil {
		return nil, err
	}
	for _, j := range list {
		beside[j.ID] = j.P
	}
	for _, look := range []struct {
		text  string
		reach func(*digest.Entry) bool
		far   bool
		first bool
	}{{own, within, false, true}, {whole, within, false, false}, {own, all, true, true}, {whole, all, true, false}} {
		list, err := e.opt.Places(ctx, h.asked(look.text, look.reach))
		if err != nil {
			return nil, err
		}
		for _, j := range list {
			if j.Entry == nil {
				continue
			}
			near := slices.Contains(norms, j.Entry.Norm)
			if near == look.far {
				continue
			}
			o := odds[j.ID]
			if o == nil {
				o = &odd{Judged: j, far: look.far, own: unfound, whole: unfound}
				odds[j.ID] = o
			}
			if look.first {
				o.Judged, o.own = j, max(j.P, unfound)
			} else {
				o.whole = max(j.P, unfound)
			}
		}
	}
	share := shareOwn * min(1, float64(1+len(dialogue.Read(own).Content()))/fullMessage)
	out := make([]decide.Judged, 0, len(odds))
	for _, o := range odds {
		z := logit(o.own)
		if p, ok := beside[o.ID]; ok {
			z = (z + logit(max(p, unfound))) / 2
		}
		z = share*z + (1-share)*logit(o.whole)
		switch {
		case o.far:
			z -= h.margin()
		case o.own > unfound || beside[o.ID] > unfound || h.read.Denies: // what is carried alone is no evidence
			z += h.kept(o.Entry)
		}
		if o.P = 1 / (1 + math.Exp(-z)); h.read.Denies { // nothing is surer for being denied
			o.P = min(o.P, max(o.own, o.whole))
		}
		out = append(out, o.Judged)
	}
	slices.SortFunc(out, func(a, b decide.Judged) int {
		return cmp.Or(cmp.Compare(b.P, a.P), strings.Compare(a.ID, b.ID))
	})
	for k := range out[:min(len(out), maxReadings)] {
		if err := e.matter(ctx, h, &out[k], own); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// odd is a place with its probability by the message alone and with its subject.
type odd struct {
	decide.Judged
	far        bool
	own, whole float64
}

// matter puts that entry of a place first which what was told of the subject and what is
// asked now lead to together: an article settles several matters.
func (e *Engine) matter(ctx context.Context, h *hits, j *decide.Judged, own string) error {
	if e.opt.Entries == nil || h.read.Denies {
		return nil
	}
	about := h.read.About
	told := strings.Join(append([]string{about.Question}, about.Told...), " ")
	list, err := e.opt.Entries(ctx, h.pack.Name, j.ID, []string{own, about.Question + " " + own, told + " " + own})
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

// margin is by how much a place elsewhere must be likelier: the more, the less the
// message says by itself; nothing where the subject led nowhere.
func (t turn) margin() float64 {
	switch {
	case len(t.read.About.Places) == 0:
		return 0
	case t.read.Tied() && !dialogue.Complete(t.read.Text):
		return marginTied
	}
	return marginOpen
}

// kept is what speaks for a place because of the places in play.
func (t turn) kept(x *digest.Entry) float64 {
	z := 0.
	for k, p := range t.read.About.Places {
		norm, unit, _ := strings.Cut(p, "/")
		if norm != x.Norm {
			continue
		}
		if unit == x.Unit && k == 0 {
			switch {
			case t.read.Denies:
				z = max(z, againDenied)
			case t.read.Move == dialogue.MoveCorrection || t.read.Move == dialogue.MoveCondition:
				z = max(z, againSame)
			}
		}
	}
	best := 0.
	for _, p := range t.read.About.Places {
		norm, unit, _ := strings.Cut(p, "/")
		if d, ok := distance(unit, x.Unit); ok && norm == x.Norm {
			best = max(best, math.Exp(-d/nearArticles))
		}
	}
	return z + worthNear*best
}

// beside says that an entry is of an article in play or of one that stands near it.
func (t turn) beside(x *digest.Entry) bool {
	return slices.ContainsFunc(t.read.About.Places, func(p string) bool {
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
func (e *Engine) neighbours(ctx context.Context, h *hits, about *dialogue.Subject, reach func(*digest.Entry) bool) (out []string, err error) {
	add := func(norm string) {
		if norm != "" && !slices.Contains(out, norm) {
			out = append(out, norm)
		}
	}
	for _, p := range about.Places {
		norm, _, _ := strings.Cut(p, "/")
		add(norm)
	}
	list, err := e.opt.Places(ctx, h.asked(about.Question, reach))
	for _, j := range list[:min(len(list), maxReadings)] {
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
func (g grounds) leads(texts grounds) bool {
	p := g.verdict.Confidence
	if p < nearLeast {
		return false
	}
	if texts.done != nil || len(texts.govern) == 0 {
		return true
	}
	whole := !g.read.Tied() && dialogue.Complete(g.read.Text)
	return !whole || texts.verdict.Confidence < decide.Certain || p >= decide.Certain
}

// strays says that the texts alone answer a message that cannot stand alone from a norm
// that was never in play: its few words are met anywhere.
func (g grounds) strays() bool {
	if g.done != nil || len(g.govern) == 0 || !g.govern[0].law || !g.goesOn() || !g.read.Tied() || dialogue.Complete(g.read.Text) || len(g.read.About.Places) == 0 || len(g.exact)+len(g.norms) > 0 {
		return false
	}
	return !slices.ContainsFunc(g.read.About.Places, func(p string) bool { return strings.HasPrefix(p, g.govern[0].Norm.ID+"/") })
}

// nearLeast is the probability from which a place near the subject answers what goes on
// with it: nothing is asked back there, and what is not sure says so.
const nearLeast = .15
