package storetest

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"digesto"
	"digesto/store"

	"pgregory.net/rapid"
)

// asTwin makes any row of calls on a store and on the twin: what is seen is the same.
func asTwin(t *testing.T, open Open) {
	rapid.Check(t, func(r *rapid.T) {
		clock := NewClock()
		p := &pair{r: r, a: open(t, clock.Now), b: store.Memory(clock.Now)}
		defer p.a.Close()
		r.Repeat(map[string]func(*rapid.T){
			"begin": p.begin, "finish": p.finish, "delete": p.delete, "change": p.change, "erase": p.erase, "rate": p.rate,
			"time": func(*rapid.T) { clock.Add(time.Duration(rapid.IntRange(-1000, 5000).Draw(r, "ms")) * time.Millisecond) },
			"":     p.same,
		})
	})
}

// pair is a store and its twin; ids differ, so conversations go by number.
type pair struct {
	r     *rapid.T
	a, b  store.Store
	convs []*both
}

type both struct {
	a, b, user string
	turns      []int64
}

func (p *pair) user() string { return rapid.SampledFrom([]string{"ana", "berta"}).Draw(p.r, "user") }

func (p *pair) conv() *both {
	if len(p.convs) == 0 {
		p.r.Skip("no conversation yet")
	}
	return p.convs[rapid.IntRange(0, len(p.convs)-1).Draw(p.r, "conversation")]
}

func (p *pair) agree(x, y error) bool {
	if digesto.CodeOf(x) != digesto.CodeOf(y) {
		p.r.Fatalf("errors differ: %v, twin %v", x, y)
	}
	return x == nil
}

func (p *pair) begin(r *rapid.T) {
	text := rapid.SampledFrom([]string{"uno", "Dos árboles", "tres"}).Draw(r, "text")
	key := rapid.SampledFrom([]string{"", "", "k1", "k2"}).Draw(r, "key")
	q := store.Begin{User: p.user(), Text: text, Title: text, Key: key, Tokens: 3}
	q2 := q
	var c *both
	if len(p.convs) > 0 && rapid.Bool().Draw(r, "old") {
		c = p.conv()
		q.Conversation, q2.Conversation = c.a, c.b
	}
	x, errA := p.a.Begin(r.Context(), q)
	y, errB := p.b.Begin(r.Context(), q2)
	if !p.agree(errA, errB) {
		return
	}
	if x.Repeated != y.Repeated || x.Message.Seq != y.Message.Seq || (x.Reply == nil) != (y.Reply == nil) {
		r.Fatalf("turns differ: %+v, twin %+v", x, y)
	}
	if x.Repeated {
		return
	}
	if c == nil {
		c = &both{a: x.Conversation.ID, b: y.Conversation.ID, user: q.User}
		p.convs = append(p.convs, c)
	}
	c.turns = append(c.turns, x.Message.Turn)
}

func (p *pair) finish(r *rapid.T) {
	c := p.conv()
	turn := rapid.SampledFrom(append([]int64{99}, c.turns...)).Draw(r, "turn")
	f := store.Finish{Conversation: c.a, Turn: turn, Text: "re", Pack: "p", Meta: store.Metadata{store.TypeKey: json.RawMessage(`"answer"`)}, Run: store.Run{Trace: "t", Type: "answer"}}
	g := f
	g.Conversation = c.b
	x, errA := p.a.Finish(r.Context(), f)
	y, errB := p.b.Finish(r.Context(), g)
	if p.agree(errA, errB) && x.Seq != y.Seq {
		r.Fatalf("answers differ: %+v, twin %+v", x, y)
	}
}

func (p *pair) delete(r *rapid.T) {
	c, u, seq := p.conv(), p.user(), int64(rapid.IntRange(1, 6).Draw(r, "seq"))
	p.agree(p.a.DeleteMessage(r.Context(), u, c.a, seq), p.b.DeleteMessage(r.Context(), u, c.b, seq))
}

func (p *pair) change(r *rapid.T) {
	var ch store.Change
	if rapid.Bool().Draw(r, "rename") {
		s := rapid.SampledFrom([]string{"Nuevo", "dos", ""}).Draw(r, "title")
		ch.Title = &s
	}
	if rapid.Bool().Draw(r, "archive?") {
		v := rapid.Bool().Draw(r, "archived")
		ch.Archived = &v
	}
	if rapid.IntRange(0, 3).Draw(r, "delete?") == 0 {
		v := rapid.Bool().Draw(r, "deleted")
		ch.Deleted = &v
	}
	c, u := p.conv(), p.user()
	_, errA := p.a.Change(r.Context(), u, c.a, ch)
	_, errB := p.b.Change(r.Context(), u, c.b, ch)
	p.agree(errA, errB)
}

func (p *pair) erase(r *rapid.T) {
	if rapid.IntRange(0, 4).Draw(r, "really") > 0 {
		r.Skip("seldom")
	}
	c, u := p.conv(), p.user()
	p.agree(p.a.Erase(r.Context(), u, c.a), p.b.Erase(r.Context(), u, c.b))
}

func (p *pair) rate(r *rapid.T) {
	c, u, seq := p.conv(), p.user(), int64(rapid.IntRange(1, 6).Draw(r, "seq"))
	f := store.Feedback{Conversation: c.a, Seq: seq, Rating: 1}
	g := f
	g.Conversation = c.b
	p.agree(p.a.Rate(r.Context(), u, f), p.b.Rate(r.Context(), u, g))
}

// same compares everything that can be seen.
func (p *pair) same(r *rapid.T) {
	if x, y := p.seen(r, p.a, true), p.seen(r, p.b, false); x != y {
		r.Fatalf("they differ:\n%s\ntwin:\n%s", x, y)
	}
}

func (p *pair) seen(r *rapid.T, s store.Store, a bool) string {
	out, ctx := "", r.Context()
	name := map[string]int{}
	for i, c := range p.convs {
		id := c.b
		if a {
			id = c.a
		}
		name[id] = i
		list, err := s.Messages(ctx, c.user, id)
		out += fmt.Sprintf("%d %s", i, digesto.CodeOf(err))
		for _, m := range list {
			out += fmt.Sprintf(" [%d %d %s %s %s %s]", m.Seq, m.Turn, m.Role, m.Content, m.Meta.Type(), m.Created)
		}
		w, err := s.Window(ctx, id, 4, 3)
		out += fmt.Sprintf(" window %d %s\n", len(w), digesto.CodeOf(err))
	}
	for _, u := range []string{"ana", "berta"} {
		for _, q := range []store.ListQuery{{}, {Search: "DOS"}, {State: store.Archived}, {State: store.Deleted, Limit: 1}} {
			page, err := s.List(ctx, u, q)
			out += fmt.Sprintf("%s %v %s %v:", u, q, digesto.CodeOf(err), page.Cursor)
			for _, c := range page.List {
				out += fmt.Sprintf(" %d %s %s %d %v %s", name[c.ID], c.Title, c.Pack, c.Messages, c.Archived != nil, c.Updated)
			}
			out += "\n"
		}
		asked, _ := s.Asked(ctx, u, time.Time{})
		out += fmt.Sprintln(len(asked))
	}
	runs, _ := s.Runs(ctx, time.Time{}, time.Time{})
	ratings, _ := s.Ratings(ctx, time.Time{}, time.Time{})
	return out + fmt.Sprintln(len(runs), len(ratings))
}
