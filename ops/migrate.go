package ops

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"digesto"
	"digesto/app"
	"digesto/app/law"
	"digesto/disk"
	"digesto/index"
	"digesto/store"
)

// moved is what a migration did.
type moved struct {
	What    string `json:"what"`
	Total   int    `json:"total"`
	Moved   int    `json:"moved"`
	Already int    `json:"already"` // there and equal
	Sum     string `json:"sha256"`  // over all, the same on both sides
}

// Migration is from where to where: an address, or a data folder.
type Migration struct{ From, To string }

// Migrate moves conversations or indexes, then compares both sides by count and checksum.
func Migrate(a *app.App, c Migration, what string) (moved, error) {
	m := moved{What: what}
	move := c.conversations
	if what == "indexes" {
		move = c.indexes
	}
	err := move(a, &m)
	return m, err
}

func (c Migration) conversations(a *app.App, m *moved) error {
	if isFolder(c.From) {
		if _, err := os.Stat(filepath.Join(c.From, "conversations.db")); err != nil {
			return disk.Error(err, c.From, "En esa carpeta no hay conversaciones: revise --from.")
		}
	}
	from, err := openMover(a, c.From)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := openMover(a, c.To)
	if err != nil {
		return err
	}
	defer to.Close()
	users, err := from.Users(a.Context)
	if err != nil {
		return err
	}
	for _, u := range users {
		keys, err := from.UserKeys(a.Context, u.ID)
		if err == nil {
			err = to.Restore(a.Context, u, keys)
		}
		if err != nil {
			return err
		}
	}
	uses, err := from.Uses(a.Context, a.Now().Add(-48*time.Hour)) // what limits look at
	if err == nil {
		err = to.SetUses(a.Context, uses)
	}
	if err != nil {
		return err
	}
	sum := sha256.New()
	for b, err := range bundles(a.Context, from) {
		if err != nil {
			return err
		}
		want, err := b.Sum()
		if err != nil {
			return err
		}
		m.Total++
		if same(a.Context, to, b.Conversation.ID, want) {
			m.Already++
		} else {
			if err := to.PutBundle(a.Context, b); err != nil {
				return err
			}
			if !same(a.Context, to, b.Conversation.ID, want) {
				return &digesto.Error{Code: digesto.CodeCheck, Message: "La conversación «" + b.Conversation.ID + "» no ha llegado igual", Hint: "¿Se usa el destino mientras tanto? Pare «digesto serve» en los dos lados y repita."}
			}
			m.Moved++
		}
		_, _ = sum.Write([]byte(want))
		if m.Total%500 == 0 {
			a.Say("%d conversaciones…", m.Total)
		}
	}
	m.Sum = fmt.Sprintf("%x", sum.Sum(nil))
	return c.counted(a, to, m)
}

// counted compares how many there are; more than were moved is said, and right.
func (c Migration) counted(a *app.App, to store.Mover, m *moved) error {
	n := 0
	for id, err := range conversationIDs(a.Context, to) {
		if err != nil {
			return err
		}
		if id != "" {
			n++
		}
	}
	if n < m.Total {
		return &digesto.Error{Code: digesto.CodeCheck, Message: fmt.Sprintf("En el destino hay %d conversaciones y deberían ser %d", n, m.Total), Hint: "Repita la orden: sigue donde lo dejó."}
	}
	if n > m.Total {
		a.Say("En el destino había además %d conversaciones: siguen ahí.", n-m.Total)
	}
	return nil
}

// same says whether a conversation is there and equal.
func same(ctx context.Context, to store.Mover, id, want string) bool {
	b, err := to.Bundle(ctx, id)
	if err != nil {
		return false
	}
	got, err := b.Sum()
	return err == nil && got == want
}

// conversationIDs gives all conversations of a store.
func conversationIDs(ctx context.Context, s store.Mover) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for after := ""; ; {
			list, err := s.IDs(ctx, after, 500)
			if err != nil {
				yield("", err)
				return
			}
			for _, id := range list {
				if after = id; !yield(id, nil) {
					return
				}
			}
			if len(list) < 500 {
				return
			}
		}
	}
}

func bundles(ctx context.Context, s store.Mover) iter.Seq2[store.Bundle, error] {
	return func(yield func(store.Bundle, error) bool) {
		for id, err := range conversationIDs(ctx, s) {
			var b store.Bundle
			if err == nil {
				b, err = s.Bundle(ctx, id)
			}
			if digesto.CodeOf(err) == digesto.CodeNotFound {
				continue // erased meanwhile
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
}

// openMover opens a store that can be moved; a folder is that of its data.
func openMover(a *app.App, address string) (store.Mover, error) {
	if isFolder(address) {
		address = app.ConversationsIn(address)
	}
	s, err := a.OpenStoreAt(address)
	if err != nil {
		return nil, err
	}
	return s.(store.Mover), nil // every store with an address is one
}

// movable is an index of a server that can be moved.
type movable interface {
	law.Remote
	Rows(ctx context.Context) iter.Seq2[index.Row, error]
	Names(ctx context.Context) ([]string, error)
}

func (c Migration) indexes(a *app.App, m *moved) error {
	if isFolder(c.From) || isFolder(c.To) {
		return &digesto.Error{Code: digesto.CodeUsage, Message: "El índice de una carpeta de datos no se mueve: se construye", Hint: "Arranque con --index DIRECCIÓN y se construirá allí; sin --index, en la carpeta."}
	}
	list, err := openMovable(a, c.From, "")
	if err != nil {
		return err
	}
	names, err := list.Names(a.Context)
	_ = list.Close()
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay índices en el origen", Hint: "Compruebe la dirección, y search_path si usa otro esquema."}
	}
	all := sha256.New()
	for _, name := range names {
		sum, was, err := c.index(a, name)
		if err != nil {
			return err
		}
		m.Total++
		if was {
			m.Already++
		} else {
			m.Moved++
		}
		_, _ = all.Write(sum[:])
	}
	m.Sum = fmt.Sprintf("%x", all.Sum(nil))
	return nil
}

// index moves one; was says that it was there already.
func (c Migration) index(a *app.App, name string) (sum [32]byte, was bool, err error) {
	from, err := openMovable(a, c.From, name)
	if err != nil {
		return sum, false, err
	}
	defer func() { _ = from.Close() }() // read only
	to, err := openMovable(a, c.To, name)
	if err != nil {
		return sum, false, err
	}
	defer func() { _ = to.Close() }()
	n, sum, err := sumOf(a.Context, from)
	if err != nil {
		return sum, false, err
	}
	if k, s, err := sumOf(a.Context, to); err == nil && k == n && s == sum {
		return sum, true, nil
	}
	a.Say("%s: %d fragmentos…", name, n)
	var made sync.Map
	opt := index.BuildOptions{Model: from.Model(), Vectors: func(c digesto.Chunk) ([]float32, error) {
		v, ok := made.LoadAndDelete(c.ID)
		if !ok {
			return nil, nil
		}
		return v.([]float32), nil
	}}
	rows := func(yield func(digesto.Chunk, error) bool) {
		for r, err := range from.Rows(a.Context) {
			if len(r.Vector) > 0 {
				made.Store(r.Chunk.ID, r.Vector)
			}
			if !yield(r.Chunk, err) || err != nil {
				return
			}
		}
	}
	if err := to.Build(a.Context, rows, opt); err != nil {
		return sum, false, err
	}
	k, s, err := sumOf(a.Context, to)
	if err == nil && (k != n || s != sum) {
		err = &digesto.Error{Code: digesto.CodeCheck, Message: fmt.Sprintf("El índice «%s» no ha llegado igual: %d fragmentos de %d", name, k, n), Hint: "Repita la orden; si vuelve a pasar, construya el índice en el destino con --index."}
	}
	return sum, false, err
}

// sumOf counts chunks and adds up their checksums, in any order. Of a vector only
// its length counts: servers keep them in forms of their own.
func sumOf(ctx context.Context, x movable) (n int, total [32]byte, err error) {
	for r, err := range x.Rows(ctx) {
		if err != nil {
			return n, total, err
		}
		raw, err := json.Marshal(r.Chunk)
		if err != nil {
			return n, total, err
		}
		h := sha256.Sum256(binary.AppendUvarint(raw, uint64(len(r.Vector))))
		for i := range total {
			total[i] ^= h[i]
		}
		n++
	}
	return n, total, nil
}

func openMovable(a *app.App, address, name string) (movable, error) {
	x, err := law.OpenRemote(a.Context, address, name, index.FusionStatic)
	if err != nil {
		return nil, err
	}
	return x.(movable), nil // both kinds are
}

// isFolder says that an address is a path.
func isFolder(address string) bool {
	return !strings.Contains(address, "://") && !strings.HasPrefix(address, "sqlite:")
}
