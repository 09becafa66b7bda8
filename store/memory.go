package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"digesto"
	"digesto/text"
)

// Memory makes a store that lives as long as the process: the twin of the
// databases, written for being plainly right. clock nil = time.Now.
func Memory(clock func() time.Time) Store {
	if clock == nil {
		clock = time.Now
	}
	return &memory{clock: clock, users: map[string]User{}, access: map[string]Key{}, convs: map[string]*memConv{}, keys: map[[2]string]memKey{}, values: map[string]string{}}
}

type memory struct {
	mu      sync.Mutex
	clock   func() time.Time
	users   map[string]User
	access  map[string]Key
	convs   map[string]*memConv
	keys    map[[2]string]memKey // user, key
	asked   []memAsked
	runs    []Run
	touched int64
	values  map[string]string
}

type memConv struct {
	Conversation
	touched int64
	list    []Message // by sequence
	ratings map[int64]Feedback
}

type memKey struct {
	conv string
	turn int64
}

type memAsked struct {
	user string
	at   time.Time
}

func (m *memory) now() time.Time { return m.clock().UTC().Truncate(time.Millisecond) }

// own gives a conversation of the user that is not deleted.
func (m *memory) own(user, id string) (*memConv, error) {
	c := m.convs[id]
	if c == nil || c.User != user {
		return nil, NotFound(id)
	}
	return c, nil
}

func (m *memory) live(user, id string) (*memConv, error) {
	c, err := m.own(user, id)
	if err == nil && c.Deleted != nil {
		err = NotFound(id)
	}
	return c, err
}

func (m *memory) Begin(ctx context.Context, b Begin) (Turn, error) {
	if err := ctx.Err(); err != nil {
		return Turn{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if k, ok := m.keys[[2]string{b.User, b.Key}]; ok && b.Key != "" {
		return m.again(b, k)
	}
	c, err := m.begun(b)
	if err != nil {
		return Turn{}, err
	}
	now := m.now()
	seq := int64(1)
	if n := len(c.list); n > 0 {
		seq = c.list[n-1].Seq + 1
	}
	msg := Message{Seq: seq, Turn: seq, Role: RoleUser, Content: b.Text, Tokens: b.Tokens, Created: now}
	c.list = append(c.list, msg)
	m.touch(c, now)
	m.asked = append(m.asked, memAsked{b.User, now})
	if b.Key != "" {
		m.keys[[2]string{b.User, b.Key}] = memKey{c.ID, seq}
	}
	return Turn{Conversation: c.shown(), Message: msg}, nil
}

func (m *memory) begun(b Begin) (*memConv, error) {
	if b.Conversation != "" {
		return m.live(b.User, b.Conversation)
	}
	now := m.now()
	c := &memConv{Conversation: Conversation{ID: NewID(), User: b.User, Title: b.Title, Pack: b.Pack, ChatType: b.ChatType, Created: now, Updated: now}, ratings: map[int64]Feedback{}}
	m.convs[c.ID] = c
	return c, nil
}

// again gives the turn that a repeated key began.
func (m *memory) again(b Begin, k memKey) (Turn, error) {
	c, err := m.live(b.User, k.conv)
	if err != nil {
		return Turn{}, err
	}
	t := Turn{Conversation: c.shown(), Repeated: true}
	for i, x := range c.list {
		if x.Turn != k.turn {
			continue
		}
		if x.Role == RoleUser {
			t.Message = x
		} else {
			t.Reply = &c.list[i]
		}
	}
	if t.Message.Content != b.Text || b.Conversation != "" && b.Conversation != c.ID {
		return Turn{}, OtherText()
	}
	return t, nil
}

func (m *memory) touch(c *memConv, now time.Time) {
	m.touched++
	c.touched, c.Updated = m.touched, now
}

func (c *memConv) shown() Conversation {
	out := c.Conversation
	out.Messages = len(c.active())
	return out
}

// active are the messages not deleted, by turn and sequence.
func (c *memConv) active() []Message {
	var out []Message
	for _, x := range c.list {
		if x.Deleted == nil {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(a, b Message) int { return cmp.Or(cmp.Compare(a.Turn, b.Turn), cmp.Compare(a.Seq, b.Seq)) })
	return out
}

func (m *memory) Window(ctx context.Context, conversation string, turn int64, n int) ([]Message, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.convs[conversation]
	if c == nil {
		return nil, NotFound(conversation)
	}
	var out []Message
	for _, x := range c.active() {
		if x.Turn < turn {
			out = append(out, x)
		}
	}
	return out[max(0, len(out)-n):], nil
}

func (m *memory) Finish(ctx context.Context, f Finish) (Message, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.convs[f.Conversation]
	if c == nil {
		return Message{}, NotFound(f.Conversation)
	}
	found := false
	for _, x := range c.list {
		if x.Turn == f.Turn && x.Role == RoleAssistant {
			return x, nil
		}
		found = found || x.Turn == f.Turn
	}
	if !found {
		return Message{}, NoMessage(f.Turn)
	}
	now := m.now()
	msg := Message{Seq: c.list[len(c.list)-1].Seq + 1, Turn: f.Turn, Role: RoleAssistant, Content: f.Text, Tokens: f.Tokens, Meta: f.Meta, Created: now}
	c.list = append(c.list, msg)
	if f.Pack != "" {
		c.Pack = f.Pack
	}
	m.touch(c, now)
	r := f.Run
	r.User, r.Conversation, r.Turn, r.At = c.User, c.ID, f.Turn, now
	m.runs = append(m.runs, r)
	return msg, nil
}

func (m *memory) Get(ctx context.Context, user, id string) (Conversation, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, err := m.live(user, id)
	if err != nil {
		return Conversation{}, err
	}
	return c.shown(), nil
}

func (m *memory) List(ctx context.Context, user string, q ListQuery) (Page, error) {
	at, err := q.At()
	if err != nil {
		return Page{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var found []*memConv
	for _, c := range m.convs {
		if c.User == user && c.state() == q.State && (at == 0 || c.touched < at) && c.holds(SearchWords(q.Search)) {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b *memConv) int { return cmp.Compare(b.touched, a.touched) })
	p := Page{List: []Conversation{}}
	for _, c := range found {
		if len(p.List) == q.LimitOf() {
			break
		}
		p.List = append(p.List, c.shown())
		if len(p.List) == q.LimitOf() && len(found) > len(p.List) {
			p.Cursor = CursorOf(c.touched)
		}
	}
	return p, nil
}

func (c *memConv) state() State {
	switch {
	case c.Deleted != nil:
		return Deleted
	case c.Archived != nil:
		return Archived
	}
	return Active
}

func (c *memConv) holds(words []string) bool {
	for _, w := range words {
		in := strings.Contains(text.Fold(c.Title), w)
		for _, x := range c.active() {
			in = in || strings.Contains(text.Fold(x.Content), w)
		}
		if !in {
			return false
		}
	}
	return true
}

func (m *memory) Change(ctx context.Context, user, id string, ch Change) (Conversation, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	title := ""
	if ch.Title != nil {
		var err error
		if title, err = CheckTitle(*ch.Title); err != nil {
			return Conversation{}, err
		}
	}
	c, err := m.own(user, id)
	if err != nil || c.Deleted != nil && ch.Deleted == nil {
		return Conversation{}, NotFound(id)
	}
	if ch.Title != nil {
		c.Title = title
	}
	now := m.now()
	set := func(at **time.Time, want *bool) {
		switch {
		case want == nil || *want == (*at != nil):
		case *want:
			*at = &now
		default:
			*at = nil
		}
	}
	set(&c.Archived, ch.Archived)
	set(&c.Deleted, ch.Deleted)
	if ch.Share != nil {
		c.Share = *ch.Share
	}
	return c.shown(), nil
}

func (m *memory) Erase(ctx context.Context, user, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.own(user, id); err != nil {
		return err
	}
	m.drop(id)
	return nil
}

func (m *memory) drop(id string) {
	delete(m.convs, id)
	m.runs = slices.DeleteFunc(m.runs, func(r Run) bool { return r.Conversation == id })
	for k, v := range m.keys {
		if v.conv == id {
			delete(m.keys, k)
		}
	}
}

func (m *memory) Messages(ctx context.Context, user, conversation string) ([]Message, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, err := m.live(user, conversation)
	if err != nil {
		return nil, err
	}
	return c.active(), nil
}

func (m *memory) DeleteMessage(ctx context.Context, user, conversation string, seq int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, err := m.live(user, conversation)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(c.list, func(x Message) bool { return x.Seq == seq && x.Deleted == nil })
	if i < 0 {
		return NoMessage(seq)
	}
	now := m.now()
	for k := range c.list {
		if x := &c.list[k]; x.Deleted == nil && (x.Seq == seq || c.list[i].Role == RoleUser && x.Turn == seq) {
			x.Deleted = &now
		}
	}
	return nil
}

func (m *memory) Shared(ctx context.Context, token string) (Conversation, []Message, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.convs {
		if token != "" && c.Share == token && c.Deleted == nil {
			return c.shown(), c.active(), nil
		}
	}
	return Conversation{}, nil, NotFound("compartida")
}

func (m *memory) Rate(ctx context.Context, user string, f Feedback) error {
	if err := CheckFeedback(f); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c, err := m.live(user, f.Conversation)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(c.active(), func(x Message) bool { return x.Seq == f.Seq && x.Role == RoleAssistant }) {
		return NoMessage(f.Seq)
	}
	f.Created = m.now()
	c.ratings[f.Seq] = f
	return nil
}

func (m *memory) PutUser(ctx context.Context, u User) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, o := range m.users {
		if id != u.ID && u.KeyHash != "" && o.KeyHash == u.KeyHash {
			return KeyTaken()
		}
	}
	u.Created = m.now()
	if old, ok := m.users[u.ID]; ok {
		u.Created = old.Created
	}
	m.users[u.ID] = u
	return nil
}

func (m *memory) UserByKey(ctx context.Context, keyHash string) (User, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, u := range m.users {
		if keyHash != "" && u.KeyHash == keyHash {
			return u, nil
		}
	}
	return User{}, NoUser()
}

func (m *memory) Users(ctx context.Context) ([]User, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := []User{}
	for _, u := range m.users {
		out = append(out, u)
	}
	slices.SortFunc(out, func(a, b User) int { return cmp.Compare(a.ID, b.ID) })
	return out, nil
}

func (m *memory) DropUser(ctx context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.users[id]; !ok {
		return NoUser()
	}
	delete(m.users, id)
	maps.DeleteFunc(m.access, func(_ string, k Key) bool { return k.User == id })
	for cid, c := range m.convs {
		if c.User == id {
			m.drop(cid)
		}
	}
	m.asked = slices.DeleteFunc(m.asked, func(a memAsked) bool { return a.user == id })
	return nil
}

func (m *memory) PutKey(ctx context.Context, k Key) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.users[k.User]; !ok {
		return NoUser()
	}
	k.Created = m.now()
	if old, ok := m.access[k.ID]; ok {
		k.Created = old.Created
	}
	m.access[k.ID] = k.apart()
	return nil
}

func (m *memory) Key(ctx context.Context, id string) (Key, User, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, ok := m.access[id]
	if !ok {
		return Key{}, User{}, NoKey()
	}
	return k.apart(), m.users[k.User], nil
}

func (m *memory) UserKeys(ctx context.Context, user string) ([]Key, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := []Key{}
	for _, k := range m.access {
		if user == "" || k.User == user {
			out = append(out, k.apart())
		}
	}
	slices.SortFunc(out, func(a, b Key) int { return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID)) })
	return out, nil
}

func (m *memory) DropKey(ctx context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.access[id]; !ok {
		return NoKey()
	}
	delete(m.access, id)
	return nil
}

func within(t, from, to time.Time) bool {
	return (from.IsZero() || !t.Before(from)) && (to.IsZero() || t.Before(to))
}

func (m *memory) Runs(ctx context.Context, from, to time.Time) ([]Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := []Run{}
	for _, r := range m.runs {
		if within(r.At, from, to) {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b Run) int { return a.At.Compare(b.At) })
	return out, nil
}

func (m *memory) Ratings(ctx context.Context, from, to time.Time) ([]Feedback, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := []Feedback{}
	for _, c := range m.convs {
		for _, f := range c.ratings {
			if within(f.Created, from, to) {
				out = append(out, f)
			}
		}
	}
	slices.SortFunc(out, func(a, b Feedback) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.Conversation, b.Conversation), cmp.Compare(a.Seq, b.Seq))
	})
	return out, nil
}

func (m *memory) Asked(ctx context.Context, user string, since time.Time) ([]time.Time, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := []time.Time{}
	for _, a := range m.asked {
		if a.user == user && !a.at.Before(since) {
			out = append(out, a.at)
		}
	}
	return out, nil
}

func (m *memory) Check(ctx context.Context) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var bad []string
	for id, c := range m.convs {
		for i, x := range c.list {
			if x.Seq != int64(i)+1 {
				bad = append(bad, fmt.Sprintf("%s: mensaje %d fuera de orden", id, x.Seq))
			}
		}
	}
	return bad, nil
}

func (m *memory) Close() error { return nil }

// KeyTaken and NoUser are the errors about users.
func KeyTaken() error {
	return &digesto.Error{Code: digesto.CodeConflict, Message: "Esa clave ya es de otra persona", Hint: "Cree una clave nueva."}
}

// NoUser is the error for a user or a key that is not there.
func NoUser() error {
	return &digesto.Error{Code: digesto.CodeNotFound, Message: "No existe esa persona o clave", Hint: "Las que hay las lista «digesto keys list»."}
}

func (m *memory) Exchange(ctx context.Context, name string, do func(string) (string, error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	v, err := do(m.values[name])
	if err == nil {
		m.values[name] = v
	}
	return err
}
