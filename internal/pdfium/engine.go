// Package pdfium runs the PDF library PDFium as WebAssembly, with its work and memory
// bounded: it opens documents, gives the characters, rules and images of a page, and
// draws pages.
package pdfium

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"digesto/third_party/pdfium"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/emscripten"
)

// Engine is one instance of PDFium in a sandbox of its own. It is not safe
// for two goroutines: every worker has one.
type Engine struct {
	runtime wazero.Runtime
	mod     api.Module
	scan    api.Module // the loops of pdf_scan.go, beside PDFium's memory
	funcs   map[string]api.Function
	fuel    api.MutableGlobal
	Ration  uint64 // fuel for one page
	broken  bool   // a call failed: its memory may be in any state
	open    uint64 // page kept open, see page
	at      uint64 // the file that is open, in PDFium's memory
	size    int
}

// MaxMemory bounds the memory of one instance: what a hostile file can make it take.
const MaxMemory = 128 << 20

// newEngine compiles (or takes from the cache) and starts PDFium.
func newEngine(ctx context.Context, cache wazero.CompilationCache) (e *Engine, err error) {
	cfg := wazero.NewRuntimeConfig().
		WithMemoryLimitPages(MaxMemory / 65536)
	if cache != nil {
		cfg = cfg.WithCompilationCache(cache)
	}
	e = &Engine{runtime: wazero.NewRuntimeWithConfig(ctx, cfg), Ration: pageFuel, funcs: map[string]api.Function{}}
	defer func() {
		if err != nil {
			e.Close()
		}
	}()
	metered, err := meter(pdfium.Wasm)
	if err != nil {
		return e, err
	}
	compiled, err := e.runtime.CompileModule(ctx, metered)
	if err != nil {
		return e, fmt.Errorf("compile PDFium: %w", err)
	}
	if err = host(ctx, e.runtime, compiled); err != nil {
		return e, err
	}
	conf := wazero.NewModuleConfig().WithName("pdfium").WithStartFunctions("emscripten_stack_init", "__wasm_call_ctors")
	if e.mod, err = e.runtime.InstantiateModule(ctx, compiled, conf); err != nil {
		return e, fmt.Errorf("start PDFium: %w", err)
	}
	e.fuel = e.mod.ExportedGlobal(fuelExport).(api.MutableGlobal)
	e.refuel(openFuel)
	if e.scan, err = e.runtime.Instantiate(ctx, scanModule()); err != nil {
		return e, fmt.Errorf("start the page scanner: %w", err)
	}
	_, err = e.call(ctx, "FPDF_InitLibrary")
	return e, err
}

// Close frees the instance; calls after it fail.
func (e *Engine) Close() {
	if e.runtime != nil {
		_ = e.runtime.Close(context.Background())
	}
}

// call runs an exported function of PDFium. Parameters are 32-bit integers or
// float bits; a function without a result gives 0.
func (e *Engine) call(ctx context.Context, name string, args ...uint64) (uint64, error) {
	f := e.funcs[name]
	if f == nil {
		if f = e.mod.ExportedFunction(name); f == nil {
			if f = e.scan.ExportedFunction(name); f == nil {
				return 0, fmt.Errorf("PDFium has no function %s", name)
			}
		}
		e.funcs[name] = f
	}
	var stack [8]uint64
	copy(stack[:], args)
	if err := f.CallWithStack(ctx, stack[:]); err != nil {
		e.broken = true
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if e.fuel.Get() == 0 {
			return 0, ErrFuel
		}
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return stack[0] & math.MaxUint32, nil
}

// alloc takes n bytes of PDFium's heap.
func (e *Engine) alloc(ctx context.Context, n int) (uint64, error) {
	p, err := e.call(ctx, "malloc", uint64(n))
	if err == nil && p == 0 {
		err = errMemory
	}
	return p, err
}

func (e *Engine) free(ctx context.Context, p uint64) { _, _ = e.call(ctx, "free", p) }

// bytes gives a view of PDFium's memory, good until the next call.
func (e *Engine) bytes(p uint64, n int) ([]byte, error) {
	b, ok := e.mod.Memory().Read(uint32(p), uint32(n))
	if !ok {
		return nil, errors.New("PDFium gave an address out of its memory")
	}
	return b, nil
}

// File gives the file that is open, good until the next call; nil if its memory is gone.
func (e *Engine) File() []byte {
	b, _ := e.bytes(e.at, e.size)
	return b
}

// refuel lets PDFium work on.
func (e *Engine) refuel(fuel uint64) { e.fuel.Set(fuel) }

// Spent is what has been burnt since the last refuelling for a page.
func (e *Engine) Spent() int64 { return int64(e.Ration - e.fuel.Get()) }

// Full says that hardly any of the memory it may use is left.
func (e *Engine) Full() bool { return e.mod.Memory().Size() > MaxMemory-4<<20 }

// ErrFuel says that a page costs more work than it may.
var ErrFuel = errors.New("PDFium used up the work that one page may cost")

var errMemory = errors.New("PDFium is out of the memory it may use")

// host gives PDFium what emscripten expects of its host. It is a sandbox: no
// files (every call is "not implemented"), a clock that stands still, memory
// that grows to the runtime's limit.
func host(ctx context.Context, r wazero.Runtime, guest wazero.CompiledModule) error {
	invoke, err := emscripten.NewFunctionExporterForModule(guest)
	if err != nil {
		return err
	}
	hosts := map[string]wazero.HostModuleBuilder{}
	for _, f := range guest.ImportedFunctions() {
		module, name, _ := f.Import()
		b := hosts[module]
		if b == nil {
			b = r.NewHostModuleBuilder(module)
			hosts[module] = b
			if module == "env" {
				invoke.ExportFunctions(b)
			}
		}
		if strings.HasPrefix(name, "invoke_") || name == "_emscripten_throw_longjmp" {
			continue
		}
		b.NewFunctionBuilder().
			WithGoModuleFunction(hostFunc(name, len(f.ResultTypes()) > 0), f.ParamTypes(), f.ResultTypes()).
			Export(name)
	}
	for module, b := range hosts {
		if _, err := b.Instantiate(ctx); err != nil {
			return fmt.Errorf("host module %s: %w", module, err)
		}
	}
	return nil
}

// hostFunc is the host's side of one import.
func hostFunc(name string, result bool) api.GoModuleFunc {
	const nosys = 52 // both wasi's and emscripten's number for "not implemented"
	switch name {
	case "_abort_js", "__assert_fail":
		return func(context.Context, api.Module, []uint64) { panic(ErrAbort) }
	case "_emscripten_memcpy_js":
		return func(_ context.Context, m api.Module, s []uint64) {
			src, ok := m.Memory().Read(uint32(s[1]), uint32(s[2]))
			if !ok || !m.Memory().Write(uint32(s[0]), src) {
				panic(ErrAbort)
			}
		}
	case "emscripten_resize_heap":
		return func(_ context.Context, m api.Module, s []uint64) {
			want, have := uint32(s[0]), m.Memory().Size()
			if want > have {
				if _, ok := m.Memory().Grow((want - have + 65535) / 65536); !ok {
					s[0] = 0
					return
				}
			}
			s[0] = 1
		}
	case "environ_get":
		return func(_ context.Context, _ api.Module, s []uint64) { s[0] = 0 }
	case "environ_sizes_get":
		return func(_ context.Context, m api.Module, s []uint64) {
			m.Memory().WriteUint32Le(uint32(s[0]), 0)
			m.Memory().WriteUint32Le(uint32(s[1]), 0)
			s[0] = 0
		}
	case "emscripten_date_now":
		return func(_ context.Context, _ api.Module, s []uint64) { s[0] = 0 }
	}
	syscall := strings.HasPrefix(name, "__syscall_")
	return func(_ context.Context, _ api.Module, s []uint64) {
		switch {
		case syscall:
			s[0] = api.EncodeI32(-nosys)
		case result:
			s[0] = nosys
		}
	}
}

// ErrAbort says that PDFium ended its own work.
var ErrAbort = errors.New("PDFium gave up")
