package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"digesto"
	"digesto/store"
)

// Clock is a clock that a test moves.
type Clock struct {
	mu sync.Mutex
	t  time.Time
}

// NewClock starts at a day of no meaning.
func NewClock() *Clock { return &Clock{t: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)} }

// Now tells the time.
func (c *Clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.t }

// Add moves the clock; it may go back.
func (c *Clock) Add(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.t = c.t.Add(d) }

// Open makes an empty store that reads a clock. It is closed by the test's cleanup.
type Open func(t *testing.T, clock func() time.Time) store.Store

// Run runs the suite.
func Run(t *testing.T, open Open) {
	for _, c := range []struct {
		name string
		run  func(*testing.T, *fixture)
	}{
		{"turns", turns}, {"window", window}, {"order", order}, {"keys", keys}, {"one answer", oneAnswer}, {"owners", owners},
		{"list", list}, {"search", search}, {"change", change}, {"deletion", deletion}, {"erase", erase}, {"share", share},
		{"feedback", feedback}, {"users", users}, {"api keys", apiKeys}, {"journal", journal}, {"registers", registers}, {"at once", atOnce}, {"cancelled", cancelled},
	} {
		t.Run(c.name, func(t *testing.T) {
			clock := NewClock()
			f := &fixture{T: t, clock: clock, s: open(t, clock.Now)}
			c.run(t, f)
			if bad, err := f.s.Check(t.Context()); err != nil || len(bad) > 0 {
				t.Errorf("check: %v %v", bad, err)
			}
		})
	}
	t.Run("as the twin", func(t *testing.T) { asTwin(t, open) })
}

type fixture struct {
	*testing.T
	clock *Clock
	s     store.Store
}

func (f *fixture) ask(user, conv, text string) store.Turn {
	f.Helper()
	t, err := f.s.Begin(f.Context(), store.Begin{User: user, Conversation: conv, Text: text, Title: store.Title(text), Tokens: len(text)})
	if err != nil {
		f.Fatal(err)
	}
	return t
}

func (f *fixture) answer(t store.Turn, kind, text string) store.Message {
	f.Helper()
	m, err := f.s.Finish(f.Context(), finish(t, kind, text))
	if err != nil {
		f.Fatal(err)
	}
	return m
}

func finish(t store.Turn, kind, text string) store.Finish {
	return store.Finish{Conversation: t.Conversation.ID, Turn: t.Message.Turn, Text: text, Tokens: 7,
		Meta: store.Metadata{store.TypeKey: json.RawMessage(`"` + kind + `"`), "extra": json.RawMessage(`{"a":[1,2]}`)},
		Run:  store.Run{Trace: "t-" + text, Type: kind, Pack: "p"}}
}

func contents(list []store.Message) string {
	var out []string
	for _, m := range list {
		out = append(out, m.Content)
	}
	return strings.Join(out, "|")
}

func (f *fixture) says(user, conv, want string) {
	f.Helper()
	list, err := f.s.Messages(f.Context(), user, conv)
	if err != nil || contents(list) != want {
		f.Errorf("messages %q, want %q (%v)", contents(list), want, err)
	}
}

func (f *fixture) code(err error, want digesto.Code) {
	f.Helper()
	if digesto.CodeOf(err) != want {
		f.Errorf("error %v, want code %s", err, want)
	}
}

func (f *fixture) titles(user string, q store.ListQuery) (string, string) {
	f.Helper()
	p, err := f.s.List(f.Context(), user, q)
	if err != nil {
		f.Fatal(err)
	}
	var out []string
	for _, c := range p.List {
		out = append(out, c.Title)
	}
	return strings.Join(out, "|"), p.Cursor
}

func turns(t *testing.T, f *fixture) {
	a := f.ask("ana", "", "¿primera?")
	if a.Conversation.Title != "¿primera?" || a.Message.Seq != 1 || a.Message.Turn != 1 || a.Message.Meta != nil || a.Repeated || len(a.Conversation.ID) < 20 {
		t.Errorf("turn: %+v", a)
	}
	f.clock.Add(time.Minute)
	m := f.answer(a, "answer", "sí")
	if m.Seq != 2 || m.Turn != 1 || m.Meta.Type() != "answer" || string(m.Meta["extra"]) != `{"a":[1,2]}` {
		t.Errorf("answer: %+v", m)
	}
	b := f.ask("ana", a.Conversation.ID, "otra")
	if b.Conversation.ID != a.Conversation.ID || b.Message.Seq != 3 || b.Conversation.Title != "¿primera?" {
		t.Errorf("second turn: %+v", b)
	}
	f.says("ana", a.Conversation.ID, "¿primera?|sí|otra")
	c, err := f.s.Get(t.Context(), "ana", a.Conversation.ID)
	if err != nil || c.Messages != 3 || !c.Updated.Equal(f.clock.Now()) || !c.Created.Equal(f.clock.Now().Add(-time.Minute)) {
		t.Errorf("conversation: %+v %v", c, err)
	}
}

func window(t *testing.T, f *fixture) {
	a := f.ask("ana", "", "q1")
	f.answer(a, "answer", "a1")
	b := f.ask("ana", a.Conversation.ID, "q2")
	f.answer(b, "answer", "a2")
	c := f.ask("ana", a.Conversation.ID, "q3")
	for n, want := range map[int]string{0: "", 1: "a2", 3: "a1|q2|a2", 4: "q1|a1|q2|a2", 9: "q1|a1|q2|a2"} {
		got, err := f.s.Window(t.Context(), a.Conversation.ID, c.Message.Turn, n)
		if err != nil || contents(got) != want {
			t.Errorf("window %d: %q, want %q (%v)", n, contents(got), want, err)
		}
	}
	if err := f.s.DeleteMessage(t.Context(), "ana", a.Conversation.ID, b.Message.Seq); err != nil {
		t.Fatal(err)
	}
	got, _ := f.s.Window(t.Context(), a.Conversation.ID, c.Message.Turn, 3)
	if contents(got) != "q1|a1" {
		t.Errorf("deleted messages count: %q", contents(got))
	}
	_, err := f.s.Window(t.Context(), "ninguna", 1, 3)
	f.code(err, digesto.CodeNotFound)
}

// order: an answer that comes late, and a clock that goes back, change nothing.
func order(t *testing.T, f *fixture) {
	a := f.ask("ana", "", "q1")
	f.clock.Add(-time.Hour)
	b := f.ask("ana", a.Conversation.ID, "q2")
	f.answer(b, "answer", "a2")
	f.clock.Add(-time.Hour)
	f.answer(a, "answer", "a1")
	f.says("ana", a.Conversation.ID, "q1|a1|q2|a2")
	got, _ := f.s.Window(t.Context(), a.Conversation.ID, b.Message.Turn, 3)
	if contents(got) != "q1|a1" {
		t.Errorf("window of the second: %q", contents(got))
	}
}

func keys(t *testing.T, f *fixture) {
	first := store.Begin{User: "ana", Key: "k1", Text: "hola", Title: "hola"}
	a, err := f.s.Begin(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.s.Begin(t.Context(), first)
	if err != nil || !b.Repeated || b.Conversation.ID != a.Conversation.ID || b.Message.Seq != 1 || b.Reply != nil {
		t.Errorf("again: %+v %v", b, err)
	}
	f.answer(a, "answer", "qué tal")
	if c, err := f.s.Begin(t.Context(), first); err != nil || c.Reply == nil || c.Reply.Content != "qué tal" {
		t.Errorf("again, answered: %+v %v", c, err)
	}
	f.says("ana", a.Conversation.ID, "hola|qué tal")
	other := first
	other.Text = "adiós"
	_, err = f.s.Begin(t.Context(), other)
	f.code(err, digesto.CodeConflict)
	other = first
	other.User = "berta"
	if d, err := f.s.Begin(t.Context(), other); err != nil || d.Repeated || d.Conversation.ID == a.Conversation.ID {
		t.Errorf("another user's key: %+v %v", d, err)
	}
	if page, _ := f.s.List(t.Context(), "ana", store.ListQuery{}); len(page.List) != 1 {
		t.Errorf("%d conversations", len(page.List))
	}
}

func oneAnswer(t *testing.T, f *fixture) {
	a := f.ask("ana", "", "q")
	f.answer(a, "answer", "uno")
	m, err := f.s.Finish(t.Context(), finish(a, "answer", "dos"))
	if err != nil || m.Content != "uno" {
		t.Errorf("second answer: %+v %v", m, err)
	}
	f.says("ana", a.Conversation.ID, "q|uno")
	_, err = f.s.Finish(t.Context(), store.Finish{Conversation: a.Conversation.ID, Turn: 9})
	f.code(err, digesto.CodeNotFound)
	_, err = f.s.Finish(t.Context(), store.Finish{Conversation: "ninguna", Turn: 1})
	f.code(err, digesto.CodeNotFound)
	if runs, _ := f.s.Runs(t.Context(), time.Time{}, time.Time{}); len(runs) != 1 {
		t.Errorf("%d runs", len(runs))
	}
}

// owners: nothing of another user's can be seen or changed.
func owners(t *testing.T, f *fixture) {
	id := f.ask("ana", "", "secreto de ana").Conversation.ID
	ctx, yes := t.Context(), true
	_, err := f.s.Get(ctx, "berta", id)
	f.code(err, digesto.CodeNotFound)
	_, err = f.s.Messages(ctx, "berta", id)
	f.code(err, digesto.CodeNotFound)
	_, err = f.s.Begin(ctx, store.Begin{User: "berta", Conversation: id, Text: "entro"})
	f.code(err, digesto.CodeNotFound)
	_, err = f.s.Change(ctx, "berta", id, store.Change{Deleted: &yes})
	f.code(err, digesto.CodeNotFound)
	f.code(f.s.Erase(ctx, "berta", id), digesto.CodeNotFound)
	f.code(f.s.DeleteMessage(ctx, "berta", id, 1), digesto.CodeNotFound)
	f.code(f.s.Rate(ctx, "berta", store.Feedback{Conversation: id, Seq: 1}), digesto.CodeNotFound)
	if got, _ := f.titles("berta", store.ListQuery{Search: "secreto"}); got != "" {
		t.Errorf("berta finds %q", got)
	}
	f.says("ana", id, "secreto de ana")
}

func list(t *testing.T, f *fixture) {
	var ids []string
	for i := range 5 {
		ids = append(ids, f.ask("ana", "", fmt.Sprintf("c%d", i)).Conversation.ID)
	}
	f.ask("ana", ids[1], "otra vez")
	first, cursor := f.titles("ana", store.ListQuery{Limit: 2})
	second, next := f.titles("ana", store.ListQuery{Limit: 2, Cursor: cursor})
	third, end := f.titles("ana", store.ListQuery{Limit: 2, Cursor: next})
	if first != "c1|c4" || second != "c3|c2" || third != "c0" || end != "" {
		t.Errorf("pages %q %q %q, end %q", first, second, third, end)
	}
	if all, more := f.titles("ana", store.ListQuery{Limit: 5}); all != "c1|c4|c3|c2|c0" || more != "" {
		t.Errorf("all: %q %q", all, more)
	}
	for _, bad := range []string{"x", "djE6", "!!", "djE6LTE"} {
		_, err := f.s.List(t.Context(), "ana", store.ListQuery{Cursor: bad})
		f.code(err, digesto.CodeInvalid)
	}
}

func search(t *testing.T, f *fixture) {
	a := f.ask("ana", "", "El Préstamo de libros")
	f.answer(a, "answer", "Dura quince días en la biblioteca.")
	f.ask("ana", "", "Otra cosa al 100 %")
	for q, want := range map[string]string{"prestamo": a.Conversation.Title, "PRÉSTAMO biblioteca": a.Conversation.Title, "prestamo cosa": "",
		"%": "Otra cosa al 100 %", "_": "", "  ": "Otra cosa al 100 %|" + a.Conversation.Title, "QUINCE": a.Conversation.Title} {
		if got, _ := f.titles("ana", store.ListQuery{Search: q}); got != want {
			t.Errorf("search %q: %q, want %q", q, got, want)
		}
	}
	if err := f.s.DeleteMessage(t.Context(), "ana", a.Conversation.ID, 2); err != nil {
		t.Fatal(err)
	}
	if got, _ := f.titles("ana", store.ListQuery{Search: "biblioteca"}); got != "" {
		t.Errorf("a deleted message is found: %q", got)
	}
}

func change(t *testing.T, f *fixture) {
	id := f.ask("ana", "", "título viejo").Conversation.ID
	ctx, yes, no, name, bad := t.Context(), true, false, "  título   nuevo ", " "
	c, err := f.s.Change(ctx, "ana", id, store.Change{Title: &name})
	if err != nil || c.Title != "título nuevo" {
		t.Errorf("rename: %+v %v", c, err)
	}
	if got, _ := f.titles("ana", store.ListQuery{Search: "nuevo"}); got != "título nuevo" {
		t.Errorf("found by its new title: %q", got)
	}
	_, err = f.s.Change(ctx, "ana", id, store.Change{Title: &bad})
	f.code(err, digesto.CodeInvalid)
	if c, err = f.s.Change(ctx, "ana", id, store.Change{Archived: &yes}); err != nil || c.Archived == nil {
		t.Errorf("archive: %+v %v", c, err)
	}
	if got, _ := f.titles("ana", store.ListQuery{}); got != "" {
		t.Errorf("archived ones are listed: %q", got)
	}
	if got, _ := f.titles("ana", store.ListQuery{State: store.Archived}); got != "título nuevo" {
		t.Errorf("archive: %q", got)
	}
	if c, err = f.s.Change(ctx, "ana", id, store.Change{Archived: &no}); err != nil || c.Archived != nil {
		t.Errorf("back: %+v %v", c, err)
	}
}

func deletion(t *testing.T, f *fixture) {
	a := f.ask("ana", "", "q1")
	id := a.Conversation.ID
	f.answer(a, "answer", "a1")
	b := f.ask("ana", id, "q2")
	f.answer(b, "answer", "a2")
	ctx, yes, no := t.Context(), true, false
	if err := f.s.DeleteMessage(ctx, "ana", id, 4); err != nil { // the answer alone
		t.Fatal(err)
	}
	f.says("ana", id, "q1|a1|q2")
	f.code(f.s.DeleteMessage(ctx, "ana", id, 4), digesto.CodeNotFound)
	f.code(f.s.DeleteMessage(ctx, "ana", id, 99), digesto.CodeNotFound)
	if err := f.s.DeleteMessage(ctx, "ana", id, 1); err != nil { // a question takes its answer along
		t.Fatal(err)
	}
	f.says("ana", id, "q2")
	if _, err := f.s.Change(ctx, "ana", id, store.Change{Deleted: &yes}); err != nil {
		t.Fatal(err)
	}
	_, err := f.s.Get(ctx, "ana", id)
	f.code(err, digesto.CodeNotFound)
	_, err = f.s.Begin(ctx, store.Begin{User: "ana", Conversation: id, Text: "x"})
	f.code(err, digesto.CodeNotFound)
	name := "x"
	_, err = f.s.Change(ctx, "ana", id, store.Change{Title: &name})
	f.code(err, digesto.CodeNotFound)
	if got, _ := f.titles("ana", store.ListQuery{State: store.Deleted}); got != "q1" {
		t.Errorf("deleted: %q", got)
	}
	if _, err := f.s.Change(ctx, "ana", id, store.Change{Deleted: &no}); err != nil {
		t.Fatal(err)
	}
	f.says("ana", id, "q2")
}

func erase(t *testing.T, f *fixture) {
	ctx := t.Context()
	keyed, err := f.s.Begin(ctx, store.Begin{User: "ana", Key: "k", Text: "borrar", Title: "borrar"})
	if err != nil {
		t.Fatal(err)
	}
	id := keyed.Conversation.ID
	f.answer(keyed, "answer", "bien")
	if err := f.s.Rate(ctx, "ana", store.Feedback{Conversation: id, Seq: 2, Rating: 1}); err != nil {
		t.Fatal(err)
	}
	yes := true
	if _, err := f.s.Change(ctx, "ana", id, store.Change{Deleted: &yes}); err != nil {
		t.Fatal(err)
	}
	if err := f.s.Erase(ctx, "ana", id); err != nil { // also what was deleted softly
		t.Fatal(err)
	}
	f.code(f.s.Erase(ctx, "ana", id), digesto.CodeNotFound)
	runs, _ := f.s.Runs(ctx, time.Time{}, time.Time{})
	ratings, _ := f.s.Ratings(ctx, time.Time{}, time.Time{})
	if len(runs)+len(ratings) > 0 {
		t.Errorf("left behind: %v %v", runs, ratings)
	}
	if again, err := f.s.Begin(ctx, store.Begin{User: "ana", Key: "k", Text: "otra", Title: "otra"}); err != nil || again.Repeated {
		t.Errorf("the key is free: %+v %v", again, err)
	}
}

func share(t *testing.T, f *fixture) {
	id := f.ask("ana", "", "compartida").Conversation.ID
	ctx, token, none, yes := t.Context(), store.NewID(), "", true
	if c, err := f.s.Change(ctx, "ana", id, store.Change{Share: &token}); err != nil || c.Share != token {
		t.Fatalf("share: %+v %v", c, err)
	}
	c, list, err := f.s.Shared(ctx, token)
	if err != nil || c.ID != id || contents(list) != "compartida" {
		t.Errorf("shared: %+v %q %v", c, contents(list), err)
	}
	if _, err := f.s.Change(ctx, "ana", id, store.Change{Share: &none}); err != nil {
		t.Fatal(err)
	}
	for _, tok := range []string{token, ""} {
		_, _, err = f.s.Shared(ctx, tok)
		f.code(err, digesto.CodeNotFound)
	}
	if _, err := f.s.Change(ctx, "ana", id, store.Change{Share: &token, Deleted: &yes}); err != nil {
		t.Fatal(err)
	}
	_, _, err = f.s.Shared(ctx, token)
	f.code(err, digesto.CodeNotFound)
}

func feedback(t *testing.T, f *fixture) {
	a := f.ask("ana", "", "q")
	f.answer(a, "answer", "a")
	ctx, id := t.Context(), a.Conversation.ID
	for _, r := range []int{1, -1} { // the last one holds
		if err := f.s.Rate(ctx, "ana", store.Feedback{Conversation: id, Seq: 2, Rating: r, Comment: "ojo"}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := f.s.Ratings(ctx, f.clock.Now(), f.clock.Now().Add(time.Second))
	if err != nil || len(got) != 1 || got[0].Rating != -1 || got[0].Comment != "ojo" || got[0].Seq != 2 {
		t.Errorf("ratings: %+v %v", got, err)
	}
	f.code(f.s.Rate(ctx, "ana", store.Feedback{Conversation: id, Seq: 1, Rating: 1}), digesto.CodeNotFound) // a question
	f.code(f.s.Rate(ctx, "ana", store.Feedback{Conversation: id, Seq: 2, Rating: 5}), digesto.CodeInvalid)
}

func users(t *testing.T, f *fixture) {
	ctx := t.Context()
	put := func(id, key string) error {
		return f.s.PutUser(ctx, store.User{ID: id, Name: strings.ToUpper(id), Plan: "libre", KeyHash: key})
	}
	for id, key := range map[string]string{"ana": "h1", "berta": "h2", "casa": "", "dora": ""} {
		if err := put(id, key); err != nil {
			t.Fatal(err)
		}
	}
	u, err := f.s.UserByKey(ctx, "h2")
	if err != nil || u.ID != "berta" || u.Name != "BERTA" || u.Plan != "libre" {
		t.Errorf("by key: %+v %v", u, err)
	}
	for _, h := range []string{"", "h3"} {
		_, err = f.s.UserByKey(ctx, h)
		f.code(err, digesto.CodeNotFound)
	}
	f.code(put("dora", "h1"), digesto.CodeConflict)
	if err := put("berta", "h4"); err != nil {
		t.Fatal(err)
	}
	_, err = f.s.UserByKey(ctx, "h2")
	f.code(err, digesto.CodeNotFound)
	all, err := f.s.Users(ctx)
	if err != nil || len(all) != 4 || all[0].ID != "ana" {
		t.Errorf("users: %+v %v", all, err)
	}
	id := f.ask("berta", "", "mía").Conversation.ID
	if err := f.s.DropUser(ctx, "berta"); err != nil {
		t.Fatal(err)
	}
	_, err = f.s.Get(ctx, "berta", id)
	f.code(err, digesto.CodeNotFound)
	f.code(f.s.DropUser(ctx, "berta"), digesto.CodeNotFound)
}

func apiKeys(t *testing.T, f *fixture) {
	ctx := t.Context()
	end := f.clock.Now().Add(time.Hour).UTC().Truncate(time.Millisecond)
	put := func(id, user, hash string, expires *time.Time, scopes ...string) error {
		defer f.clock.Add(time.Second)
		return f.s.PutKey(ctx, store.Key{ID: id, User: user, Hash: hash, Scopes: scopes, Expires: expires})
	}
	f.code(put("k0", "ana", "h0", nil, "ask"), digesto.CodeNotFound)
	for _, id := range []string{"ana", "berta"} {
		if err := f.s.PutUser(ctx, store.User{ID: id, Name: id, Plan: "libre"}); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{put("k1", "ana", "h1", nil, "ask", "read"), put("k2", "ana", "h2", &end, "read"), put("k3", "berta", "h3", nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	k, u, err := f.s.Key(ctx, "k1")
	if err != nil || u.ID != "ana" || u.Plan != "libre" || k.Hash != "h1" || strings.Join(k.Scopes, " ") != "ask read" || k.Expires != nil || k.Created.IsZero() {
		t.Errorf("%+v %+v %v", k, u, err)
	}
	since := k.Created
	if err := put("k1", "ana", "h9", &end, "ask"); err != nil {
		t.Fatal(err)
	}
	if k, _, err = f.s.Key(ctx, "k1"); err != nil || k.Hash != "h9" || len(k.Scopes) != 1 || k.Expires == nil || !k.Expires.Equal(end) || !k.Created.Equal(since) {
		t.Errorf("replaced: %+v %v", k, err)
	}
	_, _, err = f.s.Key(ctx, "h9")
	f.code(err, digesto.CodeNotFound)
	ids := func(user string) (out string) {
		list, err := f.s.UserKeys(ctx, user)
		if err != nil || list == nil {
			t.Errorf("%v %v", list, err)
		}
		for _, k := range list {
			out += k.ID + " "
		}
		return out
	}
	if ids("ana") != "k1 k2 " || ids("") != "k1 k2 k3 " || ids("dora") != "" {
		t.Errorf("%q %q %q", ids("ana"), ids(""), ids("dora"))
	}
	if err := f.s.DropKey(ctx, "k2"); err != nil {
		t.Fatal(err)
	}
	f.code(f.s.DropKey(ctx, "k2"), digesto.CodeNotFound)
	if err := f.s.DropUser(ctx, "ana"); err != nil {
		t.Fatal(err)
	}
	if ids("") != "k3 " {
		t.Errorf("the keys of who is gone stay: %q", ids(""))
	}
}

func journal(t *testing.T, f *fixture) {
	start := f.clock.Now()
	for i := range 3 {
		a := f.ask("ana", "", fmt.Sprintf("q%d", i))
		f.answer(a, "answer", fmt.Sprintf("a%d", i))
		f.clock.Add(time.Hour)
	}
	runs, err := f.s.Runs(t.Context(), start.Add(time.Hour), start.Add(2*time.Hour))
	if err != nil || len(runs) != 1 || runs[0].Trace != "t-a1" || runs[0].User != "ana" || runs[0].Turn != 1 || !runs[0].At.Equal(start.Add(time.Hour)) {
		t.Errorf("runs: %+v %v", runs, err)
	}
	asked, err := f.s.Asked(t.Context(), "ana", start.Add(time.Hour))
	if err != nil || len(asked) != 2 || !asked[0].Equal(start.Add(time.Hour)) {
		t.Errorf("asked: %v %v", asked, err)
	}
	if other, _ := f.s.Asked(t.Context(), "berta", time.Time{}); len(other) != 0 {
		t.Errorf("berta asked %v", other)
	}
}

// atOnce writes from many goroutines: numbers stay without gaps, each message is there once.
func atOnce(t *testing.T, f *fixture) {
	shared := f.ask("ana", "", "raíz").Conversation.ID
	var wg sync.WaitGroup
	for w := range 16 {
		wg.Go(func() {
			for i := range 10 {
				x, err := f.s.Begin(t.Context(), store.Begin{User: "ana", Conversation: shared, Text: fmt.Sprintf("%d-%d", w, i)})
				if err == nil {
					_, err = f.s.Finish(t.Context(), finish(x, "answer", "re "+x.Message.Content))
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	got, err := f.s.Messages(t.Context(), "ana", shared)
	if err != nil || len(got) != 1+16*10*2 {
		t.Fatalf("%d messages, %v", len(got), err)
	}
	for i := 1; i < len(got); i += 2 {
		if got[i+1].Content != "re "+got[i].Content || got[i+1].Turn != got[i].Seq {
			t.Fatalf("answer %q stands under %q", got[i+1].Content, got[i].Content)
		}
	}
	seqs := make([]int64, len(got))
	for i, m := range got {
		seqs[i] = m.Seq
	}
	slices.Sort(seqs)
	for i, n := range seqs {
		if n != int64(i)+1 {
			t.Fatalf("sequence %d at place %d", n, i)
		}
	}
}

func cancelled(t *testing.T, f *fixture) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.s.Begin(ctx, store.Begin{User: "ana", Text: "x"}); err == nil {
		t.Error("a cancelled question is stored")
	}
	if got, _ := f.titles("ana", store.ListQuery{}); got != "" {
		t.Errorf("stored: %q", got)
	}
}
