package pgvector

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"digesto/index"
)

// What a term is worth in a chunk depends on the average length of all chunks, which
// is known only at the end. So a block is put aside on the server as it is analysed,
// and its postings are written when all blocks are there.

// aside is an analysed block.
type aside struct {
	lengths []int   // of each chunk, in stems
	places  []place // by term and chunk
}

// place is a term in a chunk.
type place struct {
	term   int64 // hash
	at, tf uint16
	word   bool // a stem or a plain word; not kept
}

func (b aside) sort() {
	slices.SortFunc(b.places, func(x, y place) int {
		if x.term != y.term {
			return cmp.Compare(x.term, y.term)
		}
		return cmp.Compare(x.at, y.at)
	})
}

// lists gives the places of each term.
func (b aside) lists() iter.Seq[[]place] {
	return func(yield func([]place) bool) {
		for i, j := 0, 0; i < len(b.places); i = j {
			for j < len(b.places) && b.places[j].term == b.places[i].term {
				j++
			}
			if !yield(b.places[i:j]) {
				return
			}
		}
	}
}

// maxTF bounds a frequency: beyond, a chunk is worth the same.
const maxTF = 1<<16 - 1

// encode writes the lengths, then each term with its places as distances.
func (b aside) encode() []byte {
	out := binary.AppendUvarint(make([]byte, 0, 4*len(b.places)), uint64(len(b.lengths)))
	for _, l := range b.lengths {
		out = binary.AppendUvarint(out, uint64(l))
	}
	for list := range b.lists() {
		out = binary.LittleEndian.AppendUint64(out, uint64(list[0].term))
		out = binary.AppendUvarint(out, uint64(len(list)))
		last := uint16(0)
		for _, p := range list {
			out = binary.AppendUvarint(binary.AppendUvarint(out, uint64(p.at-last)), uint64(p.tf))
			last = p.at
		}
	}
	return out
}

var errAside = errors.New("a block that was put aside cannot be read")

// decodeAside reads what encode wrote.
func decodeAside(raw []byte) (aside, error) {
	broken := false
	next := func(limit int) int {
		v, n := binary.Uvarint(raw)
		if n <= 0 || v > uint64(limit) {
			broken, raw = true, nil
			return 0
		}
		raw = raw[n:]
		return int(v)
	}
	b := aside{lengths: make([]int, next(blockDocs))}
	for i := range b.lengths {
		b.lengths[i] = next(math.MaxInt32)
	}
	for len(raw) >= 8 && !broken {
		term := int64(binary.LittleEndian.Uint64(raw))
		raw = raw[8:]
		if n := len(b.places); n > 0 && b.places[n-1].term >= term {
			return aside{}, errAside
		}
		at := 0
		for range next(len(b.lengths)) {
			at += next(blockDocs)
			tf := next(maxTF)
			if broken = broken || at >= len(b.lengths); broken {
				break
			}
			b.places = append(b.places, place{term: term, at: uint16(at), tf: uint16(tf)})
		}
	}
	if broken || len(raw) > 0 {
		return aside{}, errAside
	}
	return b, nil
}

// rows writes a block as COPY reads rows of postings (PostgreSQL, COPY, "Binary
// Format"; the form of a sparsevec is that of its function sparsevec_recv).
func (b aside) rows(version int, base int64, s index.Scoring, average float64) []byte {
	var out bytes.Buffer
	out.WriteString("PGCOPY\n\xff\r\n\x00")
	buf := make([]byte, 8) // no flags, no extension
	u16 := func(v int) { buf = binary.BigEndian.AppendUint16(buf, uint16(v)) }
	u32 := func(v int) { buf = binary.BigEndian.AppendUint32(buf, uint32(v)) }
	field := func(size int, value int64) {
		u32(size)
		if size == 8 {
			buf = binary.BigEndian.AppendUint64(buf, uint64(value))
		} else {
			u32(int(value))
		}
	}
	for list := range b.lists() {
		u16(5)
		field(8, list[0].term)
		field(8, base)
		field(4, int64(version))
		field(4, int64(len(list)))
		u32(12 + 8*len(list))
		u32(blockDocs)
		u32(len(list))
		u32(0)
		for _, p := range list {
			u32(int(p.at))
		}
		for _, p := range list {
			u32(int(math.Float32bits(float32(s.Saturation(int(p.tf), b.lengths[p.at], average)))))
		}
		out.Write(buf)
		buf = buf[:0]
	}
	u16(1<<16 - 1)
	out.Write(buf)
	return out.Bytes()
}

// invert writes the postings of a block that was put aside.
func (b *builder) invert(ctx context.Context, number int) error {
	var raw []byte
	if err := b.x.db.Pool.QueryRow(ctx, fmt.Sprintf(`SELECT block FROM aside_%d WHERE number = $1`, b.version), number).Scan(&raw); err != nil {
		return err
	}
	bl, err := decodeAside(raw)
	if err != nil {
		return err
	}
	return b.copy(ctx, fmt.Sprintf(`COPY postings_%d (term, base, version, n, worth) FROM STDIN (FORMAT binary)`, b.version),
		bl.rows(b.version, b.base(number), b.scoring, average(int(b.length), b.current)))
}

// copy sends rows in the form that the statement names.
func (b *builder) copy(ctx context.Context, sql string, rows []byte) error {
	conn, err := b.x.db.Pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	_, err = conn.Conn().PgConn().CopyFrom(ctx, bytes.NewReader(rows), sql)
	return err
}
