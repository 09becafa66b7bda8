package ask_test

import (
	"context"
	"testing"
	"time"

	"digesto"
	"digesto/ask"
	"digesto/conversation"
	"digesto/packs"
	"digesto/store"
)

// TestPackNamedAnew: a word of the conversation changes the country, although the client goes on
// naming its pack; a pack that it names anew is its choice, though both were spoken of.
func TestPackNamedAnew(t *testing.T) {
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := ask.New(ask.Options{Packs: all, Conversations: conversation.Keep(store.Memory(nil)), Clock: func() time.Time { return time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC) }})
	if err != nil {
		t.Fatal(err)
	}
	session := "new"
	for k, turn := range []struct{ pack, say, want string }{
		{"laboral", "¿Cuántos días de vacaciones tengo al año?", "laboral"},
		{"laboral", "¿y en Argentina?", "argentina"},
		{"laboral", "¿y cuándo se avisan?", "argentina"},
		{"", "¿y quién las paga?", "argentina"},
		{"laboral", "¿Cuántos días de vacaciones tengo al año?", "laboral"},
		{"argentina", "¿Cuántos días de vacaciones tengo al año?", "argentina"},
	} {
		a, err := e.Ask(context.Background(), digesto.Question{Text: turn.say, Pack: turn.pack, Conversation: session}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if session = a.Meta.SessionID; a.Meta.Pack != turn.want {
			t.Errorf("turn %d, %q named %q: pack %q, want %q", k+1, turn.say, turn.pack, a.Meta.Pack, turn.want)
		}
	}
}
