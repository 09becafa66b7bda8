package sqlite

import (
	"context"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"digesto/store"
)

// BenchmarkBeginTogether stores fifty questions that arrive at one instant.
func BenchmarkBeginTogether(b *testing.B) {
	s, err := Open(context.Background(), filepath.Join(b.TempDir(), "c.db"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	for i := 0; b.Loop(); i++ {
		var wg sync.WaitGroup
		for k := range 50 {
			wg.Go(func() {
				q := "¿Cuánto dura el período de prueba número " + strconv.Itoa(i*50+k) + "?"
				if _, err := s.Begin(b.Context(), store.Begin{User: "u", Text: q, Title: q, Pack: "argentina", Tokens: 12}); err != nil {
					b.Error(err)
				}
			})
		}
		wg.Wait()
	}
}

// TestRefusedAmongOthers: questions that share a transaction with refused ones are
// stored once, and the refused leave nothing behind.
func TestRefusedAmongOthers(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "c.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	var wg sync.WaitGroup
	for k := range 60 {
		wg.Go(func() {
			b := store.Begin{User: "u", Text: "pregunta " + strconv.Itoa(k), Title: "t"}
			if k%3 == 0 {
				b.Conversation = "desconocida"
			}
			if _, err := s.Begin(t.Context(), b); (err == nil) != (k%3 != 0) {
				t.Errorf("question %d: %v", k, err)
			}
		})
	}
	wg.Wait()
	var conversations, messages, usage, touched, count int
	err = s.read.QueryRow(`SELECT (SELECT count(*) FROM conversations), (SELECT count(*) FROM messages), (SELECT count(*) FROM usage),
		(SELECT count(DISTINCT touched) FROM conversations), (SELECT n FROM counter)`).Scan(&conversations, &messages, &usage, &touched, &count)
	if err != nil || conversations != 40 || messages != 40 || usage != 40 || touched != 40 || count < 40 {
		t.Errorf("%d conversations, %d messages, %d uses, %d places in the order of %d: %v", conversations, messages, usage, touched, count, err)
	}
}
