package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"digesto"
	"digesto/index/kernel"
	"digesto/index/quant"
)

// dim is the dimension of the vectors of the index; 0 if it has none.
func (x *snapshot) dim() int {
	for _, s := range x.segs {
		if s.meta.Vectors > 0 {
			return s.vectors.dim
		}
	}
	return 0
}

// near is a document found by its vector: byte product, then cosine.
type near struct {
	seg, doc int32
	dot      int32 // of bytes
	approx   float32
	cosine   float64
}

// nearest fills sc.near with the n nearest documents, best first: a scan of the bytes
// (of large segments only of those that their codes choose), then, where float32
// vectors are kept, the best scored again by them.
func (x *snapshot) nearest(ctx context.Context, sc *scratch, vector []float32, n int, skip []bool) error {
	sc.near = sc.near[:0]
	scale, err := x.askVector(sc, vector)
	if err != nil || sc.query == nil {
		return err
	}
	sc.depth, sc.floor = n, float32(math.Inf(-1))
	if x.full() {
		sc.depth = max(40, 4*n) // bytes may misplace some: float32 decides among more
	}
	for si, seg := range x.segs {
		if skip[si] || seg.meta.Vectors == 0 {
			continue
		}
		scan := seg.scanVectors
		if !x.exactVectors && seg.vectors.coarsely(sc.masks[si]) {
			scan = seg.scanCoarse
		}
		if err := scan(ctx, sc, int32(si), sc.masks[si]); err != nil {
			return err
		}
	}
	return x.exactNear(sc, scale, n)
}

// askVector puts a question's vector into sc.query, at unit length, and its bytes
// beside it; sc.query is nil for a vector without length.
func (x *snapshot) askVector(sc *scratch, vector []float32) (scale float32, err error) {
	dim := x.dim()
	if len(vector) != dim {
		return 0, &digesto.Error{Code: digesto.CodeInvalid,
			Message: "El vector de la consulta tiene " + strconv.Itoa(len(vector)) + " dimensiones y los del índice " + strconv.Itoa(dim),
			Hint:    "Use el mismo modelo con el que se hizo el índice, o vuelva a crearlo con el nuevo."}
	}
	if sc.query = quant.Unit(vector); sc.query == nil {
		return 0, nil
	}
	width := quant.RowWidth(dim)
	sc.bytesQ = resize(sc.bytesQ, 2*width)
	scale = quant.Query(sc.bytesQ, sc.query)
	return scale, nil
}

// scanVectors multiplies all rows that pass, 1,024 at a time and only groups of 64
// in which something passes.
func (s *segment) scanVectors(ctx context.Context, sc *scratch, si int32, mask []uint64) error {
	v := &s.vectors
	rows := len(v.scales)
	for from := 0; from < rows; {
		if from%(64*vectorBlock) == 0 && ctx.Err() != nil {
			return cancelled(ctx.Err())
		}
		n := min(vectorBlock, rows-from)
		if mask != nil {
			if mask[from/vectorGroup] == 0 {
				from += vectorGroup
				continue
			}
			n = runOf(mask, from, n)
		}
		if err := s.f.verify(secVectors, from*v.width, n*v.width); err != nil {
			return err
		}
		kernel.DotRows(v.rows[from*v.width:(from+n)*v.width], n, v.width, sc.bytesQ, &sc.dots)
		s.takeNear(sc, si, mask, from, n)
		from += n
	}
	return nil
}

// runOf gives how many rows from there on lie in groups of which something passes.
func runOf(mask []uint64, from, most int) int {
	n := vectorGroup
	for n < most && mask[(from+n)/vectorGroup] != 0 {
		n += vectorGroup
	}
	return n
}

func (s *segment) takeNear(sc *scratch, si int32, mask []uint64, from, n int) {
	found := kernel.Reach(&sc.dots, s.vectors.scales[from:from+n], n, sc.floor, &sc.places)
	for _, at := range sc.places[:found] {
		doc := from + int(at)
		scale := s.vectors.scales[doc]
		if scale != 0 && doc < s.meta.Docs && passes(mask, doc) {
			sc.near = append(sc.near, near{si, int32(doc), sc.dots[at], float32(sc.dots[at]) * scale, 0})
		}
	}
	if len(sc.near) >= 2*sc.depth {
		sc.cutNear()
	}
}

// cutNear drops what can no longer be among the best and raises the floor for what
// comes. Ties with the last stay, so that the order of segments does not matter.
func (sc *scratch) cutNear() {
	if len(sc.near) <= sc.depth {
		return
	}
	sc.values = sc.values[:0]
	for _, d := range sc.near {
		sc.values = append(sc.values, d.approx)
	}
	sc.floor = largest(sc.values, sc.depth)
	sc.near = slices.DeleteFunc(sc.near, func(d near) bool { return d.approx < sc.floor })
}

// largest gives the k-th largest of v (k from 1) by quickselect, and disorders v.
func largest(v []float32, k int) float32 {
	lo, hi := 0, len(v)-1
	for lo < hi {
		p := v[lo+(hi-lo)/2]
		i, j := lo, hi
		for i <= j {
			for v[i] > p {
				i++
			}
			for v[j] < p {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k-1 <= j:
			hi = j
		case k-1 >= i:
			lo = i
		default:
			return v[k-1]
		}
	}
	return v[k-1]
}

// exactNear gives the candidates their cosine and keeps the n best documents, with
// those that tie with the last.
func (x *snapshot) exactNear(sc *scratch, scale float32, n int) error {
	sc.cutNear()
	for i := range sc.near {
		d := &sc.near[i]
		v := &x.segs[d.seg].vectors
		if len(v.full) == 0 {
			d.cosine = v.byteCosine(d.dot, int(d.doc), scale)
			continue
		}
		c, err := x.segs[d.seg].cosine(sc, int(d.doc), scale)
		if err != nil {
			return err
		}
		d.cosine = c
	}
	slices.SortFunc(sc.near, func(a, b near) int { return cmp.Compare(b.cosine, a.cosine) })
	for n < len(sc.near) && sc.near[n].cosine == sc.near[n-1].cosine {
		n++
	}
	sc.near = sc.near[:min(n, len(sc.near))]
	return nil
}

// cosine scores one document: by its float32 vector, or by its bytes.
func (s *segment) cosine(sc *scratch, doc int, scale float32) (float64, error) {
	v := &s.vectors
	if v.dim == 0 || v.scales[doc] == 0 {
		return 0, nil
	}
	if len(v.full) > 0 {
		row := v.full[4*v.dim*doc : 4*v.dim*(doc+1)]
		if err := s.f.verify(secVectorFull, 4*v.dim*doc, len(row)); err != nil {
			return 0, err
		}
		return dotFloat(sc.query, row), nil
	}
	group := doc &^ 3 // the kernel takes four rows at a time
	rows := v.rows[group*v.width : (group+4)*v.width]
	if err := s.f.verify(secVectors, group*v.width, len(rows)); err != nil {
		return 0, err
	}
	kernel.DotRows(rows, 4, v.width, sc.bytesQ, &sc.dots)
	sum := sc.dots[doc-group]
	return v.byteCosine(sum, doc, scale), nil
}

// byteCosine turns a product of bytes into a cosine.
func (v *vectors) byteCosine(dot int32, doc int, scale float32) float64 {
	return float64(dot) * float64(float64(v.scales[doc])*float64(scale))
}

// full says whether any segment keeps float32 vectors.
func (x *snapshot) full() bool {
	for _, s := range x.segs {
		if len(s.vectors.full) > 0 {
			return true
		}
	}
	return false
}

// dotFloat adds in eight sums, always the same way, in float64.
func dotFloat(q []float32, row []byte) float64 {
	var sum [8]float64
	for i, x := range q {
		y := math.Float32frombits(binary.LittleEndian.Uint32(row[4*i:]))
		sum[i%8] += float64(float64(x) * float64(y))
	}
	return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]))
}
