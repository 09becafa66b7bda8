package pdfium

import (
	"context"
	"sync"

	"github.com/tetratelabs/wazero"
)

// Pool lends instances of PDFium to the workers that read files. Nothing is
// compiled before the first PDF; what is compiled is kept in the folder given
// (a second later start takes a tenth of a second instead of seconds) or, with
// none, in memory.
type Pool struct {
	mu    sync.Mutex
	dir   string
	cache wazero.CompilationCache
	idle  []*Engine
}

// NewPool keeps what is compiled in a folder; "" = in memory.
func NewPool(cacheDir string) *Pool { return &Pool{dir: cacheDir} }

// Get takes an idle instance or makes one. Instances are made one at a time, so
// that a cold start compiles once.
func (p *Pool) Get(ctx context.Context) (*Engine, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		e := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return e, nil
	}
	if p.cache == nil {
		p.cache = wazero.NewCompilationCache()
		if p.dir != "" {
			if c, err := wazero.NewCompilationCacheWithDir(p.dir); err == nil { // a read-only folder is no reason to fail
				p.cache = c
			}
		}
	}
	return newEngine(ctx, p.cache)
}

// keepMemory is how much memory an instance may hold and still be lent again.
const keepMemory = 64 << 20

// Put takes an instance back. One that failed, or that grew large, is not lent
// again: its memory may be in any state, and WebAssembly's never shrinks.
func (p *Pool) Put(e *Engine) {
	if e.broken || e.mod.Memory().Size() > keepMemory {
		e.Close()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, e)
}

// Close frees all instances. Readers must have ended.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.idle {
		e.Close()
	}
	p.idle = nil
	if p.cache != nil {
		_ = p.cache.Close(context.Background())
	}
}
