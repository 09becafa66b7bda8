package index

import (
	"math"

	"digesto/index/kernel"
	"digesto/index/quant"
)

// Vectors are kept at unit length as bytes: value = byte · scale of the row, scale =
// largest value / 127. Rows are as wide as a multiple of 32 and come in groups
// of 64, filled up with zeros, so that kernels need no remainder. A document
// without a vector has a row of zeros and scale 0: it is never found.
//
// The scan multiplies all rows exactly in integers; the best are scored again from
// the float32 vectors where those are kept.
const (
	vectorBlock = kernel.VectorBlock
	vectorGroup = 64   // rows a word of a filter
	maxDim      = 8192 // so that a product fits 32 bits: 8,192 · 127² < 2³¹
)

// vectors is the part of a segment that holds them.
type vectors struct {
	dim, width int
	rows       []byte
	scales     []float32
	full       []byte // float32 rows, or empty
	coarse     coarse // without codes in a small segment
}

func paddedRows(docs int) int { return (docs + vectorGroup - 1) / vectorGroup * vectorGroup }

// writeVectors writes the vectors that documents have.
func writeVectors(f *fileWriter, docs []*segDoc, dim int, m *segMeta) {
	for _, d := range docs {
		if d.spool != nil {
			m.Dim = dim
			m.Vectors++
		}
	}
	if m.Vectors == 0 {
		return
	}
	width, n := quant.RowWidth(m.Dim), paddedRows(len(docs))
	scales := make([]uint32, n)
	buf := make([]byte, width)
	row := func(i int) ([]byte, float32) { return f.vector(buf, docs[i], 0), docs[i].scale }
	f.begin(secVectors)
	for i := range docs {
		r, scale := row(i)
		scales[i] = math.Float32bits(scale)
		f.write(r)
	}
	f.write(make([]byte, (n-len(docs))*width))
	f.begin(secVectorInfo)
	f.u32s(scales)
	if coarseFits(len(docs), m.Dim) {
		writeCoarse(f, m.Dim, len(docs), row)
	}
	if m.Full {
		f.begin(secVectorFull)
		full := make([]byte, 4*m.Dim)
		for _, d := range docs {
			f.write(f.vector(full, d, width))
		}
	}
}

// vector reads bytes of a document's vector from the spool; zeros where it has none.
func (f *fileWriter) vector(b []byte, d *segDoc, from int) []byte {
	clear(b)
	if d.spool != nil && f.err == nil {
		_, f.err = d.spool.reader().ReadAt(b, d.at+int64(from))
	}
	return b
}

func (s *segment) openVectors() error {
	m := &s.meta
	if m.Vectors == 0 {
		return nil
	}
	v := vectors{dim: m.Dim, width: quant.RowWidth(m.Dim)}
	n := paddedRows(m.Docs)
	if m.Dim < 1 || m.Dim > maxDim || len(s.f.sections[secVectors]) != n*v.width || len(s.f.sections[secVectorInfo]) != 4*n {
		return damaged(s.f.name, "vectores")
	}
	v.rows = s.f.sections[secVectors]
	info, err := s.f.whole(secVectorInfo)
	if err != nil {
		return err
	}
	v.scales = make([]float32, n)
	for i := range v.scales {
		v.scales[i] = math.Float32frombits(array(info).u32(i))
	}
	if m.Full {
		if v.full = s.f.sections[secVectorFull]; len(v.full) != 4*m.Dim*m.Docs {
			return damaged(s.f.name, "vectores")
		}
	}
	if err := s.openCoarse(&v); err != nil {
		return err
	}
	s.vectors = v
	return nil
}
