package model

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// CacheStore keeps what models wrote, by key. Both methods are safe for any
// number of goroutines; a store that loses an entry costs a call, nothing else.
type CacheStore interface {
	Get(key string) ([]byte, bool)
	Put(key string, data []byte)
}

// Cache answers a request that was answered before by the same model, with the
// same prompt, over the same version of the corpus. Only whole answers are kept
// (not those that a limit or a filter cut). Put it inside of the redaction: then
// nothing personal reaches the store.
func Cache(g Generator, model string, store CacheStore) Generator {
	if store == nil {
		return g
	}
	return &cache{g, model, store}
}

type cache struct {
	next  Generator
	model string
	store CacheStore
}

func (c *cache) key(req Request) string {
	sum := sha256.Sum256([]byte(c.model + "\x00" + KeyOf(req) + "\x00" + req.Corpus))
	return hex.EncodeToString(sum[:])
}

func (c *cache) Generate(ctx context.Context, req Request, emit func(string) error) (Response, error) {
	key := c.key(req)
	if data, ok := c.store.Get(key); ok && ctx.Err() == nil {
		var out Response
		if json.Unmarshal(data, &out) == nil && out.Text != "" {
			out.Cached = true
			if emit != nil {
				if err := emit(out.Text); err != nil {
					return Response{}, err
				}
			}
			return out, nil
		}
	}
	out, err := c.next.Generate(ctx, req, emit)
	if err == nil && out.Finish == FinishStop {
		if data, merr := json.Marshal(out); merr == nil {
			c.store.Put(key, data)
		}
	}
	return out, err
}

// MemoryCache keeps the last max entries (0 = 256) in memory.
func MemoryCache(max int) CacheStore {
	if max <= 0 {
		max = 256
	}
	return &memory{max: max, data: map[string][]byte{}}
}

type memory struct {
	max   int
	mu    sync.Mutex
	data  map[string][]byte
	order []string
}

func (m *memory) Get(key string) ([]byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	d, ok := m.data[key]
	return d, ok
}

func (m *memory) Put(key string, data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.data[key]; !ok {
		if m.order = append(m.order, key); len(m.order) > m.max {
			delete(m.data, m.order[0])
			m.order = slices.Delete(m.order, 0, 1)
		}
	}
	m.data[key] = data
}

// DirCache keeps entries as files of a folder, that only their owner can read,
// at most max of them (0 = 2,000), the newest. A folder that cannot be written keeps nothing.
func DirCache(dir string, max int) CacheStore {
	if max <= 0 {
		max = 2000
	}
	return &dirCache{dir: dir, max: max}
}

type dirCache struct {
	dir string
	max int
	mu  sync.Mutex
	n   int // entries written since the last look
}

func (d *dirCache) path(key string) string { return filepath.Join(d.dir, key+".json") }

// maxEntry bounds an entry, in bytes.
const maxEntry = 1 << 20

func (d *dirCache) Get(key string) ([]byte, bool) {
	if st, err := os.Stat(d.path(key)); err != nil || st.Size() > maxEntry {
		return nil, false
	}
	data, err := os.ReadFile(d.path(key))
	return data, err == nil
}

func (d *dirCache) Put(key string, data []byte) {
	if len(data) > maxEntry || os.MkdirAll(d.dir, 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(d.dir, ".new-") // 0600
	if err != nil {
		return
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err != nil || cerr != nil || os.Rename(f.Name(), d.path(key)) != nil {
		_ = os.Remove(f.Name())
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.n++; d.n == 1 || d.n > d.max/10 {
		d.n = 2
		d.prune()
	}
}

// prune removes the oldest entries beyond the most that are kept.
func (d *dirCache) prune() {
	list, err := os.ReadDir(d.dir)
	if err != nil || len(list) <= d.max {
		return
	}
	type aged struct {
		name string
		at   time.Time
	}
	var all []aged
	for _, e := range list {
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), ".json") {
			all = append(all, aged{e.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b aged) int { return a.at.Compare(b.at) })
	for len(all) > d.max {
		_ = os.Remove(filepath.Join(d.dir, all[0].name))
		all = all[1:]
	}
}
