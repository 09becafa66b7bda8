package quant

import (
	"math"

	"digesto/index/kernel"
)

// Codes of two bits say where a value lies around its dimension's mean. They are the optimal
// quantiser of a normal distribution with four levels (Max 1960, Quantizing for minimum
// distortion, table I). Two dimensions make a code of four bits, and 32 rows a tile: for every
// four dimensions 32 bytes, one a row, the first two dimensions in the low half. So one shuffle
// looks 32 rows up in a table of 16 sums (André et al. 2015, Cache locality is not enough).
const (
	MaxCoarse  = 1024 // dimensions, so that a sum of 63s fits 15 bits
	MostSum    = 63   // largest entry of a table of sums
	levelEdge  = 0.9816
	levelInner = 0.4528
	levelOuter = 1.510
)

// TileBytes is the size of a tile, and of a table of sums (16 bytes a code of four bits): 32
// bytes for every four dimensions, of which there is an even number.
func TileBytes(dim int) int { return (dim + 7) / 8 * 2 * kernel.TileRows }

// Coder learns mean and deviation of each dimension from all rows, then codes them.
type Coder struct {
	n               float64
	sum, squares    []float64
	mean, edge, dev []float32
	tile            []byte
}

// NewCoder codes vectors of so many dimensions, MaxCoarse at most.
func NewCoder(dim int) *Coder {
	return &Coder{sum: make([]float64, dim), squares: make([]float64, dim), tile: make([]byte, TileBytes(dim))}
}

// Learn takes one row: bytes and scale, as Bytes writes it.
func (c *Coder) Learn(row []byte, scale float32) {
	if scale == 0 {
		return
	}
	c.n++
	for i := range c.sum {
		x := float64(int8(row[i])) * float64(scale)
		c.sum[i] += x
		c.squares[i] += float64(x * x)
	}
}

// Learned ends the learning and gives the standard deviation of each dimension.
func (c *Coder) Learned() []float32 {
	for i := range c.sum {
		m := c.sum[i] / max(1, c.n)
		dev := math.Sqrt(max(0, c.squares[i]/max(1, c.n)-float64(m*m)))
		c.mean, c.dev, c.edge = append(c.mean, float32(m)), append(c.dev, float32(dev)), append(c.edge, float32(dev*levelEdge))
	}
	return c.dev
}

// Tile codes n rows, at most 32, that row gives by number; it is valid until the next call.
func (c *Coder) Tile(n int, row func(i int) ([]byte, float32)) []byte {
	clear(c.tile)
	for at := range n {
		r, scale := row(at)
		c.put(r, scale, at)
	}
	return c.tile
}

// put codes a row at its place in the tile.
func (c *Coder) put(row []byte, scale float32, at int) {
	for i := range c.mean {
		x, code := float32(float32(int8(row[i]))*scale)-c.mean[i], byte(0)
		switch {
		case x >= c.edge[i]:
			code = 3
		case x >= 0:
			code = 2
		case x >= -c.edge[i]:
			code = 1
		}
		c.tile[i/4*kernel.TileRows+at] |= code << (2 * (i % 4))
	}
}

// Sums fills the tables of a query, of TileBytes: for each two dimensions 16 sums of its values
// by those that the codes stand for, in units of which the widest table has MostSum. They are
// all 0 when a value or a deviation is no number.
func Sums(table []byte, query, dev []float32) {
	clear(table)
	weight := func(i int) float32 {
		if i >= len(query) {
			return 0
		}
		return query[i] * dev[i]
	}
	widest := float32(0)
	for i := 0; i < len(query); i += 2 {
		a, b := weight(i), weight(i+1)
		widest = max(widest, max(a, -a)+max(b, -b))
	}
	if !(widest > 0) || widest > math.MaxFloat32 {
		return
	}
	unit := MostSum / (2 * levelOuter * widest)
	levels := [4]float32{-levelOuter, -levelInner, levelInner, levelOuter}
	for i := 0; i < len(query); i += 2 {
		a, b := float32(weight(i)*unit), float32(weight(i+1)*unit)
		least := float32(-levelOuter * (max(a, -a) + max(b, -b)))
		for code := range 16 {
			v := float32(a*levels[code&3]) + float32(b*levels[code>>2]) - least
			table[8*i+code] = byte(min(MostSum, v+0.5))
		}
	}
}
