package corpus

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
)

// The stored forms are made of fields: a tag (number and wire kind), then a
// varint or a length-prefixed string. A field that holds its zero value is not
// written, an unknown field is skipped, so that records can grow.

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

var errShort = errors.New("record ends early")

const (
	wireInt   uint64 = 0
	wireBytes uint64 = 1
)

func (e *encoder) tag(field int, wire uint64) { e.uvarint(uint64(field)<<1 | wire) }

type encoder struct{ buf []byte }

func (e *encoder) uvarint(n uint64) { e.buf = binary.AppendUvarint(e.buf, n) }

func (e *encoder) int(field int, n int) {
	if n != 0 {
		e.tag(field, wireInt)
		e.uvarint(uint64(n))
	}
}

func (e *encoder) bool(field int, b bool) {
	if b {
		e.int(field, 1)
	}
}

func (e *encoder) str(field int, s string) {
	if s != "" {
		e.always(field, s)
	}
}

// always writes a string even if it is empty: elements of lists.
func (e *encoder) always(field int, s string) {
	e.tag(field, wireBytes)
	e.uvarint(uint64(len(s)))
	e.buf = append(e.buf, s...)
}

func (e *encoder) strs(field int, list []string) {
	for _, s := range list {
		e.always(field, s)
	}
}

// message writes a record inside a record.
func (e *encoder) message(field int, write func(*encoder)) {
	var in encoder
	write(&in)
	e.tag(field, wireBytes)
	e.uvarint(uint64(len(in.buf)))
	e.buf = append(e.buf, in.buf...)
}

// decoder reads fields out of a string, so that the strings it gives share its
// memory. The first fault sticks.
type decoder struct {
	s   string
	err error
}

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
	d.s = ""
}

func (d *decoder) uvarint() uint64 {
	var n uint64
	for i := 0; i < len(d.s) && i < binary.MaxVarintLen64; i++ {
		b := d.s[i]
		if i == binary.MaxVarintLen64-1 && b > 1 {
			break
		}
		n |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			d.s = d.s[i+1:]
			return n
		}
	}
	d.fail(errShort)
	return 0
}

// count reads a varint that must fit an int.
func (d *decoder) count() int {
	n := d.uvarint()
	if n > math.MaxInt32 {
		d.fail(errors.New("number out of range"))
		return 0
	}
	return int(n)
}

func (d *decoder) bytes() string {
	n := d.uvarint()
	if n > uint64(len(d.s)) {
		d.fail(errShort)
		return ""
	}
	out := d.s[:n]
	d.s = d.s[n:]
	return out
}

// fields calls visit for each field with its number and its value: n for a
// varint, s for a string.
func (d *decoder) fields(visit func(field, n int, s string)) error {
	for d.err == nil && len(d.s) > 0 {
		tag := d.count()
		var n int
		var s string
		if uint64(tag)&1 == wireInt {
			n = d.count()
		} else {
			s = d.bytes()
		}
		if d.err == nil {
			visit(tag>>1, n, s)
		}
	}
	return d.err
}

// sub decodes a record inside a record; its fault becomes the outer one's.
func (d *decoder) sub(err error) {
	if err != nil {
		d.fail(err)
	}
}
