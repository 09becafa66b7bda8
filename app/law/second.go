package law

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"digesto"
	"digesto/index"
	"digesto/model"
	"digesto/model/vectorfile"
)

// secondDepth is how many of the first hits are ordered by their own vectors. Ten
// gained what twenty to forty did (docs/retrieval.md), at a third of the cost.
const secondDepth = 10

// SecondStage orders the first hits of a search by the vectors that the transformer
// gives the articles themselves.
type SecondStage struct {
	Model     model.Embedder
	Open      func() *vectorfile.File          // nil from it: there are none to use
	Text      func(digesto.Hit) (string, bool) // what the model reads of a hit
	Budget    time.Duration                    // for vectors that are missing; 0 = none are made, < 0 = all are
	wanted    func(text string)                // told of each that stays missing; nil = nobody is
	EveryNorm bool                             // make those of questions that name their norm too
}

// ready says whether the first hits of a question that names its norm are worth
// ordering: their vectors are all there, or all are made whatever the time. Those
// that are missing are asked for.
func (p *SecondStage) ready(hits []digesto.Hit) bool {
	if p.EveryNorm {
		return true
	}
	kept := p.Open()
	if kept == nil {
		return false
	}
	_, missing, ok := p.keys(kept, hits[:min(len(hits), secondDepth)])
	p.ask(missing)
	return ok && len(missing) == 0
}

func (p *SecondStage) keys(kept *vectorfile.File, hits []digesto.Hit) (keys []vectorfile.Key, missing []string, ok bool) {
	for _, h := range hits {
		text, ok := p.Text(h)
		if !ok {
			return nil, nil, false
		}
		k := vectorfile.KeyOf(text)
		if keys = append(keys, k); !kept.Has(k) {
			missing = append(missing, text)
		}
	}
	return keys, missing, true
}

func (p *SecondStage) ask(texts []string) {
	for _, text := range texts {
		if p.wanted != nil {
			p.wanted(text)
		}
	}
}

// order puts the first hits in the order of the passage rule: what the first stage
// gave them, and the cosine of their own vectors. All of them have one, or
// none is looked at: the two kinds are never mixed in one list. What is below
// them stays below.
func (p *SecondStage) order(ctx context.Context, e model.Embedder, q digesto.Query, res *digesto.Results) error {
	kept := p.Open()
	if kept == nil {
		res.Means.Why = "los vectores propios de los artículos no se pueden usar: «digesto corpus vectors --new» los vuelve a crear"
		return nil
	}
	hits := res.Hits[:min(len(res.Hits), secondDepth)]
	keys, missing, ok := p.keys(kept, hits)
	if !ok {
		res.Means.Why = "el texto de un resultado no se puede leer"
		return nil
	}
	left, err := p.make(ctx, kept, missing)
	if err != nil {
		return err
	}
	if len(left) > 0 {
		res.Means.Why = fmt.Sprintf("faltan los vectores propios de %d de los %d primeros artículos: «digesto corpus vectors» los calcula", len(left), len(hits))
		p.ask(left)
		return nil
	}
	if q.Vector == nil {
		v, err := e.Embed(ctx, []string{q.Text}, model.Query)
		if err != nil {
			return err
		}
		q.Vector = v[0]
	}
	return fuse(kept, q, keys, hits, res)
}

// fuse orders hits that all have their vectors.
func fuse(kept *vectorfile.File, q digesto.Query, keys []vectorfile.Key, hits []digesto.Hit, res *digesto.Results) error {
	if len(hits) == 0 {
		return nil
	}
	signals := make([]index.Signal, len(hits))
	order := make([]int, len(hits))
	for i, h := range hits {
		order[i], signals[i].Lex = i, h.Score
		signals[i].Vec, _ = kept.Dot(keys[i], q.Vector)
	}
	asked := index.Asked{Norm: len(q.Norms) > 0}
	fused, err := index.Fuse(index.FusionPassage, asked, signals)
	if err != nil {
		return err
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(signals[b].Vec, signals[a].Vec) })
	for rank, i := range order {
		if e := hits[i].Explain; e != nil {
			e.Lists = append(e.Lists, digesto.ListShare{List: "passage", Rank: rank + 1, Score: signals[i].Vec})
			e.Notes = append(e.Notes, fmt.Sprintf("En la primera etapa tenía el puesto %d, con %.3f.", i+1, hits[i].Score))
		}
	}
	least := hits[len(hits)-1].Score // so that the rest stays below
	for i := range hits {
		hits[i].Score = least + fused[i]
	}
	slices.SortStableFunc(hits, func(a, b digesto.Hit) int { return cmp.Compare(b.Score, a.Score) })
	res.Means = digesto.Means{Fusion: index.FusionPassage, Vectors: kept.Space().Name, Alpha: index.Alpha(index.FusionPassage, asked), Near: len(hits)}
	return nil
}

// make gives texts their vectors, as many at once as there are CPUs, until the
// budget is spent. It gives back those that are left.
func (p *SecondStage) make(ctx context.Context, kept *vectorfile.File, texts []string) ([]string, error) {
	end := time.Now().Add(p.Budget)
	for len(texts) > 0 && (p.Budget < 0 || time.Now().Before(end)) {
		n := min(len(texts), runtime.GOMAXPROCS(0))
		if err := EmbedInto(ctx, p.Model, kept, texts[:n], model.Passage); err != nil {
			return texts, err
		}
		texts = texts[n:]
	}
	return texts, nil
}

// EmbedInto makes and keeps the vectors of texts.
func EmbedInto(ctx context.Context, e model.Embedder, kept *vectorfile.File, texts []string, mode model.Mode) error {
	vectors, err := e.Embed(ctx, texts, mode)
	if err != nil {
		return err
	}
	for i, v := range vectors {
		if err := kept.Put(vectorfile.KeyOf(texts[i]), v); err != nil {
			return err
		}
	}
	return nil
}

// KeptPath is where the vectors of a snapshot's articles stand.
func KeptPath(data, hash string) string { return filepath.Join(data, "vectors", hash+".vec") }

// OpenKept opens the vectors of a snapshot. A new snapshot begins with those of
// another: most of its articles are the same, and a vector stands by its text.
func OpenKept(data, hash string, s vectorfile.Space) (*vectorfile.File, error) {
	path := KeptPath(data, hash)
	f, err := vectorfile.Open(path, s)
	if err != nil || f.Len() > 0 {
		return f, err
	}
	others, err := filepath.Glob(filepath.Join(data, "vectors", "*.vec"))
	if err != nil {
		return f, nil //nolint:nilerr // a folder whose name is no pattern: nothing to begin with
	}
	for _, other := range others {
		if old, err := vectorfile.Open(other, s); err == nil {
			f.Add(old)
		}
	}
	return f, nil
}

// PruneKept removes the vectors of snapshots that are gone, once those of the
// first to keep hold them. Failure costs disk space only.
func PruneKept(data string, keep ...string) {
	if _, err := os.Stat(KeptPath(data, keep[0])); err != nil {
		return
	}
	others, _ := filepath.Glob(filepath.Join(data, "vectors", "*.vec"))
	for _, path := range others {
		if !slices.ContainsFunc(keep, func(h string) bool { return KeptPath(data, h) == path }) {
			_ = os.Remove(path)
		}
	}
}
