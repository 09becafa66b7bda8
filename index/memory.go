package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"iter"

	"digesto"
)

// Memory builds an index that is never written.
func Memory(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], opt BuildOptions) (*Index, error) {
	if _, err := Fuse(opt.Fusion, Asked{}, nil); err != nil {
		return nil, err
	}
	list, err := segmentsOf(ctx, chunks, opt)
	if err != nil {
		return nil, err
	}
	return opt.over(list)
}

// Pack gives what Memory would search, to be searched by Packed: for each segment uint32 its
// bytes, little-endian, and they. The same chunks give the same bytes.
func Pack(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], opt BuildOptions) (out []byte, err error) {
	list, err := segmentsOf(ctx, chunks, opt)
	for _, b := range list {
		out = append(binary.LittleEndian.AppendUint32(out, uint32(len(b))), b...)
	}
	return out, err
}

// Packed opens what Pack gave, with the same options, where it lies: data must not change.
func Packed(data []byte, opt BuildOptions) (*Index, error) {
	var list [][]byte
	for len(data) > 0 {
		if len(data) < 4 || int(binary.LittleEndian.Uint32(data)) > len(data)-4 {
			return nil, damaged("memoria", "segmentos")
		}
		n := 4 + int(binary.LittleEndian.Uint32(data))
		list, data = append(list, data[4:n]), data[n:]
	}
	return opt.over(list)
}

func segmentsOf(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], opt BuildOptions) (list [][]byte, err error) {
	a, err := analyse(ctx, chunks, opt, "")
	if err != nil {
		return nil, err
	}
	current, history := a.parts()
	for i, order := range [][]place{current, history} {
		if len(order) == 0 {
			continue
		}
		var b bytes.Buffer
		if err := a.assemble(&b, opt.spec(), order, i == 1); err != nil {
			return nil, err
		}
		list = append(list, b.Bytes())
	}
	return list, nil
}

// over is an index of segments in memory.
func (o BuildOptions) over(list [][]byte) (*Index, error) {
	var segs []*segment
	for _, b := range list {
		s, err := openSegment("memoria", b)
		if err != nil {
			return nil, err
		}
		segs = append(segs, s)
	}
	x := newIndex(segs, o.spec().Scoring)
	x.snap.fusion, x.snap.model = o.Fusion, o.Model
	return x, nil
}
