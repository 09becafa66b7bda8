package index

import (
	"context"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// Large segments keep every vector a second time in two bits a dimension: where the
// value lies around the dimension's mean. A scan over these, a quarter of the
// bytes, chooses which rows are multiplied exactly. Memory bounds a scan, so it
// takes a third of the time; what it loses is measured (docs/speed.md).
//
// The two bits are the optimal quantiser of a normal distribution with four levels
// (Max 1960, Quantizing for minimum distortion, table I). Two dimensions make a
// code of four bits, and 32 rows a tile: for every four dimensions 32 bytes, one
// a row, the first two dimensions in the low half. So one shuffle looks 32 rows
// up in a table of 16 sums (André et al. 2015, Cache locality is not enough).
const (
	coarseRows  = 1 << 14 // a smaller segment is scanned exactly: that costs little
	coarseLeast = 1000    // rows multiplied exactly at least, and 10 for each wanted
	tileRows    = 32
	maxCoarse   = 1024 // dimensions, so that a sum of 63s fits 15 bits
	levelEdge   = 0.9816
	levelInner  = 0.4528
	levelOuter  = 1.510
)

// coarse is the part of a segment that holds the codes.
type coarse struct {
	sigma []float32 // standard deviation a dimension
	codes []byte
	tile  int // bytes of a tile
}

// coarseChunks is how many 32-byte chunks a tile has: one for four dimensions, an even number.
func coarseChunks(dim int) int { return (dim + 7) / 8 * 2 }

// coarseFits says whether a segment of that size gets codes.
func coarseFits(rows, dim int) bool { return rows >= coarseRows && dim <= maxCoarse }

// coarseWriter learns mean and deviation from all rows, then codes them.
type coarseWriter struct {
	n               float64
	sum, squares    []float64
	mean, edge, dev []float32
	tile            []byte
}

func newCoarseWriter(dim int) *coarseWriter {
	return &coarseWriter{sum: make([]float64, dim), squares: make([]float64, dim), tile: make([]byte, coarseChunks(dim)*tileRows)}
}

// learn takes one row: bytes and scale, as it is kept.
func (w *coarseWriter) learn(row []byte, scale float32) {
	if scale == 0 {
		return
	}
	w.n++
	for i := range w.sum {
		x := float64(int8(row[i])) * float64(scale)
		w.sum[i] += x
		w.squares[i] += float64(x * x)
	}
}

func (w *coarseWriter) learned() {
	for i := range w.sum {
		m := w.sum[i] / max(1, w.n)
		dev := math.Sqrt(max(0, w.squares[i]/max(1, w.n)-float64(m*m)))
		w.mean, w.dev, w.edge = append(w.mean, float32(m)), append(w.dev, float32(dev)), append(w.edge, float32(dev*levelEdge))
	}
}

// put codes a row at its place in the tile.
func (w *coarseWriter) put(row []byte, scale float32, at int) {
	for i := range w.mean {
		x, c := float32(float32(int8(row[i]))*scale)-w.mean[i], byte(0)
		switch {
		case x >= w.edge[i]:
			c = 3
		case x >= 0:
			c = 2
		case x >= -w.edge[i]:
			c = 1
		}
		w.tile[i/4*tileRows+at] |= c << (2 * (i % 4))
	}
}

// writeCoarse writes the codes of rows documents; row gives the bytes of each and its scale.
func writeCoarse(f *fileWriter, dim, rows int, row func(i int) ([]byte, float32)) {
	w := newCoarseWriter(dim)
	for i := range rows {
		w.learn(row(i))
	}
	w.learned()
	f.begin(secCodeScale)
	b := make([]byte, 0, 4*dim)
	for _, v := range w.dev {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	f.write(b)
	f.begin(secCodes)
	for from := 0; from < paddedRows(rows); from += tileRows {
		clear(w.tile)
		for at := range min(tileRows, rows-from) {
			r, scale := row(from + at)
			w.put(r, scale, at)
		}
		f.write(w.tile)
	}
}

func (s *segment) openCoarse(v *vectors) error {
	codes := s.f.sections[secCodes]
	if len(codes) == 0 {
		return nil // a small segment, or written before there were codes
	}
	tile := coarseChunks(v.dim) * tileRows
	sigma, err := s.f.whole(secCodeScale)
	if err != nil {
		return err
	}
	if len(sigma) != 4*v.dim || v.dim > maxCoarse || len(codes) != paddedRows(s.meta.Docs)/tileRows*tile {
		return damaged(s.f.name, "códigos de vectores")
	}
	v.coarse = coarse{codes: codes, tile: tile}
	for i := range v.dim {
		v.coarse.sigma = append(v.coarse.sigma, math.Float32frombits(array(sigma).u32(i)))
	}
	return nil
}

// coarseTable fills the tables of a query: for each two dimensions 16 sums, in
// units of which the widest table has 63.
func (c *coarse) table(dst []byte, query []float32) []byte {
	dst = resize(dst, c.tile) // 16 bytes a code, two codes a chunk of 32
	clear(dst)
	weight := func(i int) float32 {
		if i >= len(query) {
			return 0
		}
		return query[i] * c.sigma[i]
	}
	widest := float32(0)
	for i := 0; i < len(query); i += 2 {
		a, b := weight(i), weight(i+1)
		widest = max(widest, max(a, -a)+max(b, -b))
	}
	if !(widest > 0) || widest > math.MaxFloat32 {
		return dst
	}
	unit := 63 / (2 * levelOuter * widest)
	levels := [4]float32{-levelOuter, -levelInner, levelInner, levelOuter}
	for i := 0; i < len(query); i += 2 {
		a, b := float32(weight(i)*unit), float32(weight(i+1)*unit)
		least := float32(-levelOuter * (max(a, -a) + max(b, -b)))
		for code := range 16 {
			v := float32(a*levels[code&3]) + float32(b*levels[code>>2]) - least
			dst[8*i+code] = byte(min(63, v+0.5))
		}
	}
	return dst
}

// coarsely says whether the codes are worth scanning: there are some, and enough
// rows pass. Fewer are multiplied as fast as their codes are read.
func (v *vectors) coarsely(mask []uint64) bool {
	if len(v.coarse.codes) == 0 {
		return false
	}
	if mask == nil {
		return true
	}
	n := 0
	for _, w := range mask {
		n += bits.OnesCount64(w)
	}
	return n >= coarseRows
}

// rough is a row with the sum of its codes.
type rough struct {
	doc int32
	sum int16
}

// scanCoarse finds the most promising rows by their codes and multiplies those
// exactly.
func (s *segment) scanCoarse(ctx context.Context, sc *scratch, si int32, mask []uint64) error {
	c := &s.vectors.coarse
	sc.table = c.table(sc.table, sc.query)
	sc.rough = sc.rough[:0]
	best := sc.sums.start(max(coarseLeast, 10*sc.depth), 63*c.tile/16)
	rows := len(s.vectors.scales)
	for from := 0; from < rows; from += blockDocs {
		if from%(64*blockDocs) == 0 && ctx.Err() != nil {
			return cancelled(ctx.Err())
		}
		n := min(blockDocs, rows-from)
		if mask != nil && !anyBit(maskBlock(mask, from/blockDocs)) {
			continue
		}
		at, size := from/tileRows*c.tile, n/tileRows*c.tile
		if err := s.f.verify(secCodes, at, size); err != nil {
			return err
		}
		scanCodes(c.codes[at:at+size], sc.table, &sc.acc)
		for i := n; i < blockDocs; i++ {
			sc.acc[i] = -1
		}
		found := atLeast(&sc.acc, best.floor, &sc.found)
		for _, place := range sc.found[:found] {
			doc, sum := from+int(place), sc.acc[place]
			if sum >= best.floor && passes(mask, doc) && doc < s.meta.Docs && s.vectors.scales[doc] != 0 {
				sc.rough = append(sc.rough, rough{int32(doc), sum})
				best.add(sum)
			}
		}
	}
	sc.rough = slices.DeleteFunc(sc.rough, func(r rough) bool { return r.sum < best.floor })
	return s.multiply(sc, si)
}

// running knows the n-th largest of the sums it was given.
type running struct {
	counts []uint32
	n      int
	above  int   // sums of at least floor
	floor  int16 // the n-th largest; 0 while there are fewer
}

func (b *running) start(n, most int) *running {
	b.counts = resize(b.counts, most+1)
	clear(b.counts)
	b.n, b.above, b.floor = n, 0, 0
	return b
}

func (b *running) add(sum int16) {
	b.counts[sum]++
	for b.above++; b.above-int(b.counts[b.floor]) >= b.n; b.floor++ {
		b.above -= int(b.counts[b.floor])
	}
}

// multiply takes the rows chosen, by document, into sc.near as takeNear does.
func (s *segment) multiply(sc *scratch, si int32) error {
	v := &s.vectors
	for some := range slices.Chunk(sc.rough, vectorBlock) {
		sc.picks = sc.picks[:0]
		for _, r := range some {
			if err := s.f.verify(secVectors, int(r.doc)*v.width, v.width); err != nil {
				return err
			}
			sc.picks = append(sc.picks, uint32(r.doc))
		}
		for len(sc.picks)%4 != 0 { // the kernel takes four
			sc.picks = append(sc.picks, sc.picks[len(sc.picks)-1])
		}
		dotPicks(v.rows, sc.picks, v.width, sc.bytesQ, &sc.dots)
		for i, r := range some {
			if approx := float32(sc.dots[i]) * v.scales[r.doc]; approx >= sc.floor {
				sc.near = append(sc.near, near{si, r.doc, sc.dots[i], approx, 0})
			}
		}
	}
	sc.cutNear()
	return nil
}

// scanCodesGo adds up the table entries of every row of some tiles.
func scanCodesGo(codes, table []byte, out *block) {
	for at := 0; len(codes) > 0; at += tileRows {
		var sum [tileRows]int16
		for chunk := 0; chunk < len(table); chunk += 32 {
			for r, c := range codes[chunk : chunk+32] {
				sum[r] += int16(table[chunk+int(c&15)]) + int16(table[chunk+16+int(c>>4)])
			}
		}
		copy(out[at:], sum[:])
		codes = codes[len(table):]
	}
}

// dotPicksGo is dotRowsGo for rows by number.
func dotPicksGo(rows []byte, picks []uint32, width int, query []int8, out *[vectorBlock]int32) {
	for i, p := range picks {
		row, sum := rows[int(p)*width:int(p)*width+width], int32(0)
		for j, x := range query[:width] {
			sum += int32(x) * int32(int8(row[j]))
		}
		out[i] = sum
	}
}
