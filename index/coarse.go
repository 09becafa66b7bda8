package index

import (
	"context"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"digesto/index/kernel"
	"digesto/index/quant"
)

// Large segments keep every vector a second time in two bits a dimension: where the
// value lies around the dimension's mean. A scan over these, a quarter of the
// bytes, chooses which rows are multiplied exactly. Memory bounds a scan, so it
// takes a third of the time; what it loses is measured (docs/speed.md). Package quant
// makes the codes.
const (
	coarseRows  = 1 << 14 // a smaller segment is scanned exactly: that costs little
	coarseLeast = 1000    // rows multiplied exactly at least, and 10 for each wanted
	tileRows    = kernel.TileRows
)

// coarse is the part of a segment that holds the codes.
type coarse struct {
	sigma []float32 // standard deviation a dimension
	codes []byte
	tile  int // bytes of a tile
}

// coarseFits says whether a segment of that size gets codes.
func coarseFits(rows, dim int) bool { return rows >= coarseRows && dim <= quant.MaxCoarse }

// writeCoarse writes the codes of rows documents; row gives the bytes of each and its scale.
func writeCoarse(f *fileWriter, dim, rows int, row func(i int) ([]byte, float32)) {
	w := quant.NewCoder(dim)
	for i := range rows {
		w.Learn(row(i))
	}
	f.begin(secCodeScale)
	b := make([]byte, 0, 4*dim)
	for _, v := range w.Learned() {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	f.write(b)
	f.begin(secCodes)
	for from := 0; from < paddedRows(rows); from += tileRows {
		f.write(w.Tile(min(tileRows, rows-from), func(i int) ([]byte, float32) { return row(from + i) }))
	}
}

func (s *segment) openCoarse(v *vectors) error {
	codes := s.f.sections[secCodes]
	if len(codes) == 0 {
		return nil // a small segment, or written before there were codes
	}
	tile := quant.TileBytes(v.dim)
	sigma, err := s.f.whole(secCodeScale)
	if err != nil {
		return err
	}
	if len(sigma) != 4*v.dim || v.dim > quant.MaxCoarse || len(codes) != paddedRows(s.meta.Docs)/tileRows*tile {
		return damaged(s.f.name, "códigos de vectores")
	}
	v.coarse = coarse{codes: codes, tile: tile}
	for i := range v.dim {
		v.coarse.sigma = append(v.coarse.sigma, math.Float32frombits(array(sigma).u32(i)))
	}
	return nil
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
	sc.table = resize(sc.table, c.tile)
	quant.Sums(sc.table, sc.query, c.sigma)
	sc.rough = sc.rough[:0]
	best := sc.sums.start(max(coarseLeast, 10*sc.depth), quant.MostSum*c.tile/16)
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
		kernel.ScanCodes(c.codes[at:at+size], sc.table, &sc.acc)
		for i := n; i < blockDocs; i++ {
			sc.acc[i] = -1
		}
		found := kernel.AtLeast(&sc.acc, best.floor, &sc.found)
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
		kernel.DotPicks(v.rows, sc.picks, v.width, sc.bytesQ, &sc.dots)
		for i, r := range some {
			if approx := float32(sc.dots[i]) * v.scales[r.doc]; approx >= sc.floor {
				sc.near = append(sc.near, near{si, r.doc, sc.dots[i], approx, 0})
			}
		}
	}
	sc.cutNear()
	return nil
}
