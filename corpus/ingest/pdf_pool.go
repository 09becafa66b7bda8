package ingest

import (
	"context"
	"sync"

	"github.com/tetratelabs/wazero"
)

// pdfPool lends instances of PDFium to the workers that read files. Nothing is
// compiled before the first PDF; what is compiled is kept in the folder given
// (a second later start takes a tenth of a second instead of seconds) or, with
// none, in memory.
type pdfPool struct {
	mu    sync.Mutex
	dir   string
	cache wazero.CompilationCache
	idle  []*pdfEngine
}

func newPDFPool(cacheDir string) *pdfPool { return &pdfPool{dir: cacheDir} }

// read reads one document. It is safe for any number of goroutines; each has an
// instance of its own while it reads.
func (p *pdfPool) read(ctx context.Context, data []byte, limits pdfLimits) (pdfDocument, error) {
	e, err := p.get(ctx)
	if ctx.Err() != nil {
		return pdfDocument{}, ctx.Err()
	}
	if err != nil {
		return pdfDocument{}, &pdfError{Kind: "engine", Err: err, Detail: "el lector de PDF no ha podido arrancar: compruebe que queda memoria libre y repita la orden"}
	}
	doc, err := readPDF(ctx, e, data, limits)
	p.put(e)
	return doc, err
}

// get takes an idle instance or makes one. Instances are made one at a time, so
// that a cold start compiles once.
func (p *pdfPool) get(ctx context.Context) (*pdfEngine, error) {
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
	return newPDFEngine(ctx, p.cache)
}

// keepMemory is how much memory an instance may hold and still be lent again.
const keepMemory = 64 << 20

// put takes an instance back. One that failed, or that grew large, is not lent
// again: its memory may be in any state, and WebAssembly's never shrinks.
func (p *pdfPool) put(e *pdfEngine) {
	if e.broken || e.mod.Memory().Size() > keepMemory {
		e.close()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, e)
}

// close frees all instances. Readers must have ended.
func (p *pdfPool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.idle {
		e.close()
	}
	p.idle = nil
	if p.cache != nil {
		_ = p.cache.Close(context.Background())
	}
}
