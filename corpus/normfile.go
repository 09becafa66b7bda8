package corpus

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"sync"

	"digesto"
)

// A norm file holds the units of one norm:
//
//	magic (8) | unit records | table of units | footer (24)
//
// The footer is the offset, length and crc32c of the table, the number of the
// format and its own crc32c. Each entry of the table has the place and crc32c
// of its record, so one unit costs three small reads.
const (
	normMagic  = "DGSTNRM\n"
	normFormat = 1
	footerSize = 24
)

var errLayout = errors.New("layout")

// encodeUnits gives the bytes of a norm file.
func encodeUnits(units []digesto.Unit) ([]byte, error) {
	e := encoder{buf: make([]byte, 0, sizeHint(units))}
	e.buf = append(e.buf, normMagic...)
	t := newTable(units)
	for i := range units {
		off := len(e.buf)
		encode(&e, &units[i], unitForm)
		if uint64(len(e.buf)) > 1<<31 {
			return nil, &digesto.Error{Code: digesto.CodeTooLarge, Message: "Una norma no puede ocupar más de 2 GiB"}
		}
		t.refs[i].off, t.refs[i].size = uint32(off), uint32(len(e.buf)-off)
		t.refs[i].sum = checksum(e.buf[off:])
	}
	at := len(e.buf)
	encode(&e, t, tableForm)
	return appendFooter(e.buf, at), nil
}

func sizeHint(units []digesto.Unit) int {
	n := 1024
	for i := range units {
		n += 256
		for j := range units[i].Versions {
			n += len(units[i].Versions[j].Text) + 128
		}
	}
	return n
}

func tableForm(f *form, t *unitTable) { records(f, 1, &t.refs, unitRefForm) }

func unitRefForm(f *form, r *unitRef) {
	word(f, 1, &r.id)
	word(f, 2, &r.kind)
	word(f, 3, &r.number)
	number(f, 4, &r.run)
	number(f, 5, &r.off)
	number(f, 6, &r.size)
	var sum [4]byte
	binary.LittleEndian.PutUint32(sum[:], r.sum)
	f.raw(7, sum[:], true)
	r.sum = binary.LittleEndian.Uint32(sum[:])
}

func appendFooter(b []byte, table int) []byte {
	sum := checksum(b[table:])
	size := len(b) - table
	b = binary.LittleEndian.AppendUint64(b, uint64(table))
	b = binary.LittleEndian.AppendUint32(b, uint32(size))
	b = binary.LittleEndian.AppendUint32(b, sum)
	b = binary.LittleEndian.AppendUint32(b, normFormat)
	return binary.LittleEndian.AppendUint32(b, checksum(b[len(b)-20:]))
}

// decodeTable reads the table of units; end is where records stop.
func decodeTable(rec string, end int64) (*unitTable, error) {
	t := &unitTable{}
	err := decode(rec, t, tableForm)
	for _, r := range t.refs {
		if int64(r.off) < int64(len(normMagic)) || int64(r.off)+int64(r.size) > end {
			return t, cmp.Or(err, errLayout)
		}
	}
	return t, err
}

// readTable reads the table of a norm file of the given size.
func readTable(r io.ReaderAt, size int64) (*unitTable, error) {
	if size < int64(len(normMagic))+footerSize {
		return nil, errShort
	}
	var foot [footerSize]byte
	if _, err := r.ReadAt(foot[:], size-footerSize); err != nil {
		return nil, err
	}
	if binary.LittleEndian.Uint32(foot[20:]) != checksum(foot[:20]) {
		return nil, errLayout
	}
	if v := binary.LittleEndian.Uint32(foot[16:]); v != normFormat {
		return nil, otherFormat{v, normFormat}
	}
	off, n := binary.LittleEndian.Uint64(foot[:]), binary.LittleEndian.Uint32(foot[8:])
	if off > uint64(size) || off+uint64(n)+footerSize != uint64(size) {
		return nil, errLayout
	}
	buf := make([]byte, n)
	if _, err := r.ReadAt(buf, int64(off)); err != nil {
		return nil, err
	}
	if checksum(buf) != binary.LittleEndian.Uint32(foot[12:]) {
		return nil, errLayout
	}
	return decodeTable(string(buf), int64(off))
}

// readUnit reads one record.
func readUnit(r io.ReaderAt, norm string, ref *unitRef) (digesto.Unit, error) {
	buf := make([]byte, ref.size)
	if _, err := r.ReadAt(buf, int64(ref.off)); err != nil {
		return digesto.Unit{}, err
	}
	if checksum(buf) != ref.sum {
		return digesto.Unit{}, errLayout
	}
	u, err := decodeUnit(norm, string(buf))
	if err == nil && u.ID != ref.id {
		err = errLayout
	}
	return u, err
}

// fileBody reads a norm file on demand. It keeps the table, never a file open:
// the snapshot's lock keeps the file in place.
type fileBody struct {
	path string
	norm string
	sum  [sha256.Size]byte
	size int64

	mu sync.Mutex
	t  *unitTable
}

func (b *fileBody) damaged(err error) error {
	if errors.Is(err, os.ErrPermission) {
		return errDisk("leer la biblioteca", b.path, err)
	}
	return errDamaged(b.path, "norma "+b.norm, err)
}

func (b *fileBody) table() (*unitTable, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.t != nil {
		return b.t, nil
	}
	f, err := os.Open(b.path)
	if err != nil {
		return nil, b.damaged(err)
	}
	defer f.Close()
	t, err := readTable(f, b.size)
	if err != nil {
		return nil, b.damaged(err)
	}
	b.t = t
	return t, nil
}

func (b *fileBody) unit(i int) (digesto.Unit, error) {
	t, err := b.table()
	if err != nil {
		return digesto.Unit{}, err
	}
	f, err := os.Open(b.path)
	if err != nil {
		return digesto.Unit{}, b.damaged(err)
	}
	defer f.Close()
	u, err := readUnit(f, b.norm, &t.refs[i])
	if err != nil {
		return u, b.damaged(err)
	}
	return u, nil
}

// all reads the file at once and proves its hash first.
func (b *fileBody) all() iter.Seq2[digesto.Unit, error] {
	return func(yield func(digesto.Unit, error) bool) {
		data, err := b.read()
		if err != nil {
			yield(digesto.Unit{}, b.damaged(err))
			return
		}
		for u, err := range unitsIn(b.norm, data) {
			if err != nil {
				err = b.damaged(err)
			}
			if !yield(u, err) {
				return
			}
		}
	}
}

// unitsIn gives the units of a norm file; the last pair carries the error, if any.
func unitsIn(norm string, data []byte) iter.Seq2[digesto.Unit, error] {
	return func(yield func(digesto.Unit, error) bool) {
		r := bytesReaderAt(data)
		t, err := readTable(r, int64(len(data)))
		if err != nil {
			yield(digesto.Unit{}, err)
			return
		}
		for i := range t.refs {
			u, err := readUnit(r, norm, &t.refs[i])
			if !yield(u, err) || err != nil {
				return
			}
		}
	}
}

// read gives the bytes of the file if they have the hash that names it.
func (b *fileBody) read() ([]byte, error) {
	data, err := os.ReadFile(b.path)
	if err != nil {
		return nil, err
	}
	if sha256.Sum256(data) != b.sum {
		return nil, fmt.Errorf("hash is not %s", hex.EncodeToString(b.sum[:]))
	}
	return data, nil
}

type bytesReaderAt []byte

func (b bytesReaderAt) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off > int64(len(b)) {
		return 0, io.EOF
	}
	n := copy(p, b[off:])
	if n < len(p) {
		return n, io.ErrUnexpectedEOF
	}
	return n, nil
}
