package corpus

import (
	"context"
	"encoding/hex"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"digesto"

	"golang.org/x/sync/errgroup"
)

// maxProblems is how many faults the error of Check names.
const maxProblems = 20

// Check proves a snapshot sound: every file has the hash that names it, every
// record its checksum, every version the hash of its text; ids are unique, no
// unit is empty, page marks and references lie inside their text, counts are
// those of the manifest. The error (CodeCheck) names the first faults;
// [Snapshot.Problems] gives all.
func (s *Snapshot) Check(ctx context.Context) error {
	all, err := s.Problems(ctx)
	if err != nil || len(all) == 0 {
		return err
	}
	msg := fmt.Sprintf("La biblioteca tiene %d fallos", len(all))
	if len(all) == 1 {
		msg = "La biblioteca tiene un fallo"
	}
	shown := all[:min(len(all), maxProblems)]
	return &digesto.Error{Code: digesto.CodeCheck, Message: msg + ": " + strings.Join(shown, "; "),
		Hint: "Quite cada norma dañada con «digesto corpus rm» y añádala de nuevo, o restaure una copia de seguridad."}
}

// Problems gives every fault that Check looks for, in Spanish, ordered; an
// error only when ctx ends.
func (s *Snapshot) Problems(ctx context.Context) ([]string, error) {
	p := &problems{}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(2, runtime.GOMAXPROCS(0)))
	for _, c := range s.stored() {
		g.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			c.check(p)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, &digesto.Error{Code: digesto.CodeCancelled, Message: "La comprobación se interrumpió", Err: err}
	}
	s.checkOrder(p)
	slices.Sort(p.list)
	return p.list, nil
}

type problems struct {
	mu   sync.Mutex
	list []string
}

func (p *problems) add(format string, args ...any) {
	p.mu.Lock()
	p.list = append(p.list, fmt.Sprintf(format, args...))
	p.mu.Unlock()
}

// storedNorm is one norm as it lies in the snapshot, standing or behind another copy.
type storedNorm struct {
	norm  digesto.Norm
	body  body
	units int // per the manifest; -1 = not said
}

func (s *Snapshot) stored() []storedNorm {
	var out []storedNorm
	for i := range s.c.entries {
		out = append(out, storedNorm{s.c.entries[i].Norm, s.c.bodies[i], -1})
	}
	if s.c.man == nil {
		return out
	}
	for i := range s.c.entries {
		out[i].units = s.c.entries[i].units
	}
	for _, c := range s.c.man.copies {
		if c.behind != "" || c.woven.size > 0 { // as its file gave it
			out = append(out, storedNorm{c.norm, s.c.newBody(&c), c.units})
		}
	}
	return out
}

func (c storedNorm) check(p *problems) {
	seen := map[string]bool{}
	t, err := c.body.table()
	if err != nil {
		p.add("%v", err)
		return
	}
	n := 0
	for u, err := range c.body.all() {
		if err != nil {
			p.add("%v", err)
			return
		}
		if !validID(u.ID) || seen[u.ID] {
			p.add("%s: unidad repetida o sin identificador válido (%q)", c.norm.ID, u.ID)
		}
		seen[u.ID] = true
		if what := faultOf(&u); what != "" {
			p.add("%s/%s: %s", c.norm.ID, u.ID, what)
		}
		for i := range u.Versions {
			if u.Versions[i].SHA256 == "" {
				p.add("%s/%s/%s: falta la huella del texto", c.norm.ID, u.ID, u.Versions[i].ID)
			}
		}
		if n < len(t.refs) && t.refs[n].id != u.ID {
			p.add("%s/%s: no está donde dice el índice", c.norm.ID, u.ID)
		}
		n++
	}
	if c.units >= 0 && n != c.units || n != len(t.refs) {
		p.add("%s: tiene %d unidades, el manifiesto dice %d", c.norm.ID, n, c.units)
	}
}

// checkOrder proves that the manifest is what its own contents would give: each
// norm once, the rule of precedence kept.
func (s *Snapshot) checkOrder(p *problems) {
	seen := map[string]bool{}
	for i := range s.c.entries {
		id := foldID(s.c.entries[i].Norm.ID)
		if seen[id] {
			p.add("%s: norma repetida", s.c.entries[i].Norm.ID)
		}
		seen[id] = true
	}
	if s.c.man == nil {
		return
	}
	keys := map[string]bool{}
	for i := range s.c.man.copies {
		keys[s.c.man.copies[i].key()] = true
	}
	for _, c := range s.c.man.copies {
		if c.behind != "" && !keys[c.behind] {
			p.add("%s (%s): falta la copia que la sustituye", c.norm.ID, c.file)
		}
	}
}

func (c *core) newBody(e *copyEntry) *fileBody {
	return &fileBody{path: c.lib.normPath(hex.EncodeToString(e.sum[:])), norm: e.norm.ID, sum: e.sum, size: int64(e.size)}
}
