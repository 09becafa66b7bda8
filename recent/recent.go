// Package recent keeps what was made last, within a bound of bytes.
package recent

import "sync"

// Cache keeps values that follow from their keys alone and never change: two halves,
// the older of which is dropped when the newer is full. The zero value keeps nothing;
// it is safe for any number of goroutines.
type Cache[K comparable, V any] struct {
	Most int // bytes of each half; one value may take an eighth

	mu         sync.Mutex
	young, old map[K]kept[V]
	size       int // bytes of young
}

type kept[V any] struct {
	v    V
	size int
}

// Get gives what is kept of a key.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	x, ok := c.young[key]
	if !ok {
		if x, ok = c.old[key]; ok {
			c.keep(key, x)
		}
	}
	return x.v, ok
}

// Len is how many keys are held.
func (c *Cache[K, V]) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.young)
	for k := range c.old {
		if _, ok := c.young[k]; !ok {
			n++
		}
	}
	return n
}

// Put keeps a value of about so many bytes.
func (c *Cache[K, V]) Put(key K, v V, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.young[key]; !ok && size <= c.Most/8 {
		c.keep(key, kept[V]{v, size})
	}
}

func (c *Cache[K, V]) keep(key K, x kept[V]) {
	if c.size += x.size; c.size > c.Most {
		c.old, c.young, c.size = c.young, nil, x.size
	}
	if c.young == nil {
		c.young = map[K]kept[V]{}
	}
	c.young[key] = x
}
