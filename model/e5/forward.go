package e5

import (
	"context"
	"fmt"
	"math"
)

const (
	layers  = 12
	heads   = 12
	headDim = Dims / heads
	inner   = 4 * Dims
)

type layer struct {
	qkv, ao, fi, fo linear
	aln, oln        norm
}

// network is the transformer: embeddings and twelve post-norm layers; and what makes of its
// means the vectors of each space.
type network struct {
	word  []int8 // [pieces][Dims]
	scale []float32
	pos   []float32 // [512][Dims], token type 0 already added
	eln   norm
	layer [layers]layer
	mean  []float32 // of vectors of asks
	w, b  []float32 // [means][Dims], [Dims]: from both means of a text to the space of articles
}

// lower is after how many layers the mean of the tokens is taken too: the upper layers were
// tuned for questions that are compared with questions, and forget some of what articles need.
const lower = 6

func (n *network) words() int { return len(n.scale) }

func newNetwork(file string) (*network, error) {
	t, err := readTensors(file)
	if err != nil {
		return nil, err
	}
	n := &network{}
	if n.scale, err = t.floats("emb.word.s", -1); err != nil {
		return nil, err
	}
	if n.word, err = t.int8s("emb.word.q", len(n.scale), Dims); err != nil {
		return nil, err
	}
	if n.pos, err = t.floats("emb.pos", 512, Dims); err != nil {
		return nil, err
	}
	if n.eln, err = t.norm("emb.ln"); err != nil {
		return nil, err
	}
	for i := range n.layer {
		if err := n.layer[i].read(t, fmt.Sprintf("l%d.", i)); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// readSpaces reads what the file has beside the transformer as it is published.
func (n *network) readSpaces(file string) error {
	t, err := readTensors(file)
	if err != nil {
		return err
	}
	if n.mean, err = t.floats("mean", Dims); err != nil {
		return err
	}
	if n.w, err = t.floats("articles.w", means, Dims); err != nil {
		return err
	}
	n.b, err = t.floats("articles.b", Dims)
	return err
}

func (n *network) prepareBytes() {
	for i := range n.layer {
		n.layer[i].prepareBytes()
	}
}

func (l *layer) prepareBytes() {
	for _, m := range []*linear{&l.qkv, &l.ao, &l.fi, &l.fo} {
		m.prepareBytes()
	}
}

func (l *layer) read(t *tensors, p string) (err error) {
	for _, x := range []struct {
		to      *linear
		name    string
		out, in int
	}{{&l.qkv, "qkv", 3 * Dims, Dims}, {&l.ao, "ao", Dims, Dims}, {&l.fi, "fi", inner, Dims}, {&l.fo, "fo", Dims, inner}} {
		if *x.to, err = t.linear(p+x.name, x.out, x.in); err != nil {
			return err
		}
	}
	if l.aln, err = t.norm(p + "aln"); err != nil {
		return err
	}
	l.oln, err = t.norm(p + "oln")
	return err
}

// workspace holds every buffer of one text; it grows to the longest text seen
// and is used again, so that a pass allocates nothing.
type workspace struct {
	tok                 lattice
	ids                 []int32
	x, qkv, ctx, y, mid []float32 // rows are padded to a multiple of four tokens
	quant               []int16
	bytes               []uint8 // of the largest product seen, at levelVNNI only
	scale               []float32
	keys, prob          []float32
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

func (w *workspace) resize(tokens int) (padded int) {
	t := (tokens + 3) &^ 3
	w.x, w.ctx, w.y = grow(w.x, t*Dims), grow(w.ctx, t*Dims), grow(w.y, t*Dims)
	w.qkv, w.mid = grow(w.qkv, t*3*Dims), grow(w.mid, t*inner)
	w.quant, w.scale = grow(w.quant, t*inner), grow(w.scale, t)
	keys := (tokens + 15) &^ 15
	w.keys, w.prob = grow(w.keys, headDim*keys), grow(w.prob, keys)
	clear(w.x[tokens*Dims:])
	clear(w.ctx[tokens*Dims:])
	return t
}

// means is the length of what forward gives.
const means = 2 * Dims

// forward writes into out (means floats) the unit mean vector of the tokens after all layers,
// and that after the lower ones. It looks at ctx before each: one layer of the longest text
// takes a few milliseconds.
func (n *network) forward(ctx context.Context, w *workspace, ids []int32, out []float32, lv level) error {
	t, padded := len(ids), w.resize(len(ids))
	n.embed(w.x, ids)
	layerNorm(w.x[:t*Dims], nil, n.eln)
	for i := range n.layer {
		if err := ctx.Err(); err != nil {
			return err
		}
		if i == lower {
			meanOf(w.x[:t*Dims], out[Dims:])
		}
		l := &n.layer[i]
		l.qkv.apply(w, w.x, padded, w.qkv, lv)
		attend(w, t, lv)
		l.ao.apply(w, w.ctx, padded, w.y, lv)
		layerNorm(w.x[:t*Dims], w.y, l.aln)
		l.fi.apply(w, w.x, padded, w.mid, lv)
		activate(w.mid[:padded*inner], lv)
		l.fo.apply(w, w.mid, padded, w.y, lv)
		layerNorm(w.x[:t*Dims], w.y, l.oln)
	}
	meanOf(w.x[:t*Dims], out[:Dims])
	return nil
}

// meanOf writes into out the unit mean of rows.
func meanOf(rows, out []float32) {
	clear(out)
	for len(rows) >= Dims {
		for j, v := range rows[:Dims] {
			out[j] += v
		}
		rows = rows[Dims:]
	}
	normalise(out)
}

// toArticles writes into out the unit vector of a text in the space of articles, of what
// forward gave.
func (n *network) toArticles(of, out []float32) {
	copy(out, n.b)
	for i, x := range of {
		for j, w := range n.w[i*Dims : (i+1)*Dims] {
			out[j] += x * w
		}
	}
	normalise(out)
}

func (n *network) embed(x []float32, ids []int32) {
	for i, id := range ids {
		q, s := n.word[int(id)*Dims:(int(id)+1)*Dims], n.scale[id]
		pos, row := n.pos[i*Dims:(i+1)*Dims], x[i*Dims:(i+1)*Dims]
		for j := range row {
			row[j] = float32(q[j])*s + pos[j]
		}
	}
}

// layerNorm replaces x by LN(x+y), row by row: eps 1e-12, population variance.
func layerNorm(x, y []float32, n norm) {
	for len(x) >= Dims {
		row := x[:Dims:Dims]
		var m0, m1, m2, m3 float32
		if y != nil {
			add := y[:Dims:Dims]
			for i := range row {
				row[i] += add[i]
			}
			y = y[Dims:]
		}
		for i := 0; i < Dims; i += 4 {
			m0, m1, m2, m3 = m0+row[i], m1+row[i+1], m2+row[i+2], m3+row[i+3]
		}
		mean := (m0 + m1 + m2 + m3) / Dims
		m0, m1, m2, m3 = 0, 0, 0, 0
		for i := 0; i < Dims; i += 4 {
			a, b, c, d := row[i]-mean, row[i+1]-mean, row[i+2]-mean, row[i+3]-mean
			m0, m1, m2, m3 = m0+a*a, m1+b*b, m2+c*c, m3+d*d
		}
		inv := 1 / float32(math.Sqrt(float64((m0+m1+m2+m3)/Dims)+1e-12))
		w, b := n.w[:Dims:Dims], n.b[:Dims:Dims]
		for i := range row {
			row[i] = (row[i]-mean)*inv*w[i] + b[i]
		}
		x = x[Dims:]
	}
}

// attend computes ctx = softmax(q·kᵀ/√headDim)·v for each head.
func attend(w *workspace, t int, lv level) {
	stride := (t + 15) &^ 15
	scale := float32(1 / math.Sqrt(headDim))
	for h := range heads {
		for s := range stride {
			for e := range headDim {
				var k float32
				if s < t {
					k = w.qkv[s*3*Dims+Dims+h*headDim+e] * scale
				}
				w.keys[e*stride+s] = k
			}
		}
		values := w.qkv[2*Dims+h*headDim:]
		for i := range t {
			q := w.qkv[i*3*Dims+h*headDim:][:headDim]
			attendOne(q, w.keys, stride, values, t, w.prob, w.ctx[i*Dims+h*headDim:][:headDim], lv)
		}
	}
}
