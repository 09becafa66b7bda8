package corpus

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"digesto"
	"digesto/internal/long"
)

// TestReadersAreNeverBlocked reads all the time, through one library and
// through others that come and go, while a writer goes through generations. Every
// read sees one generation whole, never an older one than before, and a read
// within an open update does not wait for it.
func TestReadersAreNeverBlocked(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	put(t, l, generation(0)...)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for r := range 4 {
		wg.Go(func() {
			if err := readUntil(stop, l, dir, r%2 == 0); err != nil {
				t.Error(err)
			}
		})
	}
	for g := 1; g <= long.Of(25, 8); g++ {
		put(t, l, generation(g)...)
	}
	held, err := l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error {
		start := time.Now()
		s, err := l.Current()
		if err != nil {
			return err
		}
		defer s.Close()
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("a reader waited %v for a writer", d)
		}
		return errors.New("never mind")
	})
	if err == nil || held != "" {
		t.Errorf("%q, %v", held, err)
	}
	close(stop)
	wg.Wait()
}

func readUntil(stop chan struct{}, shared *Library, dir string, share bool) error {
	last := 0
	for {
		select {
		case <-stop:
			return nil
		default:
		}
		l := shared
		if !share {
			var err error
			if l, err = Open(dir, Options{}); err != nil {
				return err
			}
		}
		s, err := l.Current()
		if err != nil {
			return err
		}
		g, err := generationOf(s)
		if err == nil && g < last {
			err = fmt.Errorf("generation %d after %d", g, last)
		}
		last = g
		s.Close()
		if !share {
			l.Close()
		}
		if err != nil {
			return err
		}
	}
}

// fat gives a library of many norms, for the benchmarks.
func fat(b *testing.B, norms, units int) *Library {
	b.Helper()
	l, err := Open(b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	_, err = l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error {
		for i := range norms {
			d := Document{File: fmt.Sprintf("n%d.md", i), ContentHash: "h"}
			d.Norm = digesto.Norm{ID: fmt.Sprintf("NORMA-%05d", i), IDs: []string{fmt.Sprintf("eli/xx/l/%d", i)},
				Title: fmt.Sprintf("Ley %d/2020, de las ferias y los mercados del distrito número %d", i, i), Rank: "ley",
				Jurisdiction: "xx", Collection: "normativa", Source: fmt.Sprintf("n%d.md", i), Format: "markdown", Supplied: true, Claim: "https://example.org/ley"}
			for j := range units {
				text := fmt.Sprintf("Los puestos de la clase %d pagan %d monedas al entrar en la feria. ", j, i)
				for len(text) < 1200 {
					text += text
				}
				d.Units = append(d.Units, digesto.Unit{ID: fmt.Sprintf("a%d", j+1), Kind: digesto.KindArticle, Number: fmt.Sprint(j + 1),
					Label: fmt.Sprintf("Artículo %d", j+1), Path: []string{"Título I", "Capítulo II"},
					Versions: []digesto.Version{{ID: "1", Text: text, Current: true}}})
			}
			if err := tx.Put(d); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { l.Close() })
	return l
}

// BenchmarkOpenAndRead is what a single question costs the library: open it,
// list the norms, read ten units of ten norms.
func BenchmarkOpenAndRead(b *testing.B) {
	l := fat(b, 270, 110)
	b.ResetTimer()
	for b.Loop() {
		fresh, _ := Open(l.dir, Options{})
		s, err := fresh.Current()
		if err != nil {
			b.Fatal(err)
		}
		if len(s.Norms()) != 270 {
			b.Fatal("norms missing")
		}
		for i := range 10 {
			if _, err := s.Text(fmt.Sprintf("NORMA-%05d", 20*i), "a7", ""); err != nil {
				b.Fatal(err)
			}
		}
		s.Close()
		fresh.Close()
	}
}

func BenchmarkUnit(b *testing.B) {
	l := fat(b, 20, 300)
	s, err := l.Current()
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		if _, err := s.Load("NORMA-00011", "a170"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkChunks reads everything, as building an index does.
func BenchmarkChunks(b *testing.B) {
	l := fat(b, 100, 100)
	s, err := l.Current()
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		n := 0
		for c, err := range s.Chunks() {
			if err != nil {
				b.Fatal(err)
			}
			n += len(c.Body)
		}
		b.SetBytes(int64(n))
	}
}
