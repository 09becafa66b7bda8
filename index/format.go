package index

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
	"sync/atomic"

	"digesto"
)

// A segment is one immutable file of sections, each beginning at a multiple of 64
// bytes, then a footer:
//
//	sections … | table: (id, offset, length) each 3 × u64 | page checksums: u32 each
//	| table length u64 | pages u64 | body length u64 | version u32 | CRC-32C u32 | magic 8
//
// The checksum in the footer covers table, page checksums and the footer
// before it; a page checksum covers 16 KiB of the body. Pages are verified when they are
// first touched, so opening stays fast and a flipped bit can never reach a result.
// All numbers are little-endian.
const (
	magic         = "DIGESTO\x01"
	formatVersion = 1
	pageBytes     = 16 << 10
	sectionAlign  = 64
	footerBytes   = 8 + 8 + 8 + 4 + 4 + 8
)

type section int

// The sections. Numbers are part of the format: never reuse one.
const (
	secMeta section = 1 + iota // JSON: see segMeta
	secLengths
	secKeys       // ids, front-coded
	secKeyBlocks  // u32 offsets of their blocks
	secUnitPrefix // u16 a document: the unit is that many bytes of the id; 0xFFFF = see secUnitOther
	secUnitOther  // (document u32, length u32, bytes)…
	secUnitHash   // u32 a document
	secByID       // documents by id, u32
	secByUnit     // documents by (unit, id), u32
	secNorms      // strings of norms
	secNormOf     // u32 a document: number of its norm, 0 = none
	secDates      // strings of days
	secTimes      // two u32 a document: number of first and last day, 0 = unknown
	secFilters    // strings "field\x00value"
	secFilterEnds // u64 end of each bitmap
	secFilterBits // roaring bitmaps
	secStems
	secStemBlocks
	secPlains
	secPlainBlocks
	secPairFirst  // u32 a stem, and one more: where its bigrams begin
	secPairSecond // u32 a bigram: number of its second stem
	secTerms      // u64 a term: see termRecord
	secPostings
	secOddKeys // u64 (term, document) whose frequency its impact does not tell
	secOddTF   // u32
	secVectors
	secVectorInfo
	secVectorFull
	secCodeScale // float32 a dimension
	secCodes     // see coarse.go
	sections
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// fileWriter writes sections in any order and the footer at the end.
type fileWriter struct {
	w     *bufio.Writer
	n     int
	table []byte
	pages []byte
	crc   uint32
	start int
	err   error
}

func newFileWriter(w io.Writer) *fileWriter { return &fileWriter{w: bufio.NewWriterSize(w, 1<<16)} }

// begin starts a section; what is written until the next begin belongs to it.
func (f *fileWriter) begin(id section) {
	f.end()
	f.start = f.n
	f.table = binary.LittleEndian.AppendUint64(f.table, uint64(id))
	f.table = binary.LittleEndian.AppendUint64(f.table, uint64(f.start))
}

func (f *fileWriter) end() {
	if len(f.table)%24 != 0 {
		f.table = binary.LittleEndian.AppendUint64(f.table, uint64(f.n-f.start))
	}
	f.write(make([]byte, (sectionAlign-f.n%sectionAlign)%sectionAlign))
}

func (f *fileWriter) write(b []byte) {
	for len(b) > 0 && f.err == nil {
		part := b[:min(len(b), pageBytes-f.n%pageBytes)]
		f.crc = crc32.Update(f.crc, castagnoli, part)
		_, f.err = f.w.Write(part)
		f.n += len(part)
		b = b[len(part):]
		if f.n%pageBytes == 0 {
			f.closePage()
		}
	}
}

func (f *fileWriter) closePage() {
	f.pages = binary.LittleEndian.AppendUint32(f.pages, f.crc)
	f.crc = 0
}

func (f *fileWriter) u32s(v []uint32) {
	var b [1024]byte
	for len(v) > 0 {
		n := min(len(v), len(b)/4)
		for i, x := range v[:n] {
			binary.LittleEndian.PutUint32(b[4*i:], x)
		}
		f.write(b[:4*n])
		v = v[n:]
	}
}

func (f *fileWriter) u64s(v []uint64) {
	var b [8]byte
	for _, x := range v {
		binary.LittleEndian.PutUint64(b[:], x)
		f.write(b[:])
	}
}

// finish writes the footer.
func (f *fileWriter) finish() error {
	f.end()
	if f.n%pageBytes != 0 {
		f.closePage()
	}
	tail := append(f.table, f.pages...)
	tail = binary.LittleEndian.AppendUint64(tail, uint64(len(f.table)))
	tail = binary.LittleEndian.AppendUint64(tail, uint64(len(f.pages)/4))
	tail = binary.LittleEndian.AppendUint64(tail, uint64(f.n))
	tail = binary.LittleEndian.AppendUint32(tail, formatVersion)
	tail = binary.LittleEndian.AppendUint32(tail, crc32.Checksum(tail, castagnoli))
	tail = append(tail, magic...)
	if f.err == nil {
		_, f.err = f.w.Write(tail)
	}
	if f.err == nil {
		f.err = f.w.Flush()
	}
	return f.err
}

// file is an open segment file: bytes that nobody changes, verified page by page.
type file struct {
	name     string
	data     []byte // body
	pages    []byte // checksums
	verified []atomic.Uint64
	sections [sections][]byte
	offsets  [sections]int
}

func damaged(name, what string) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: "El índice está dañado (" + name + ": " + what + ")",
		Hint: "Vuelva a crearlo a partir de los documentos: «digesto corpus check» dice cómo."}
}

// parseFile reads the footer of a segment file and checks that every section lies
// within the body. The body itself is verified as it is used.
func parseFile(name string, b []byte) (*file, error) {
	if len(b) < footerBytes || string(b[len(b)-8:]) != magic {
		return nil, damaged(name, "no termina como un segmento")
	}
	foot := b[len(b)-footerBytes:]
	u64 := func(i int) uint64 { return binary.LittleEndian.Uint64(foot[i:]) }
	tableLen, pages, body := u64(0), u64(8), u64(16)
	version, crc := binary.LittleEndian.Uint32(foot[24:]), binary.LittleEndian.Uint32(foot[28:])
	size := uint64(len(b))
	if tableLen > size || pages > size/4 || body > size || body+tableLen+4*pages+footerBytes != size ||
		tableLen%24 != 0 || pages != (body+pageBytes-1)/pageBytes {
		return nil, damaged(name, "tamaño")
	}
	if crc32.Checksum(b[body:len(b)-12], castagnoli) != crc {
		return nil, damaged(name, "suma de control del final")
	}
	if version != formatVersion {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "El índice es de otra versión del programa (" + name + ")",
			Hint: "Vuelva a crearlo a partir de los documentos con esta versión."}
	}
	f := &file{name: name, data: b[:body:body], pages: b[body+tableLen : body+tableLen+4*pages], verified: make([]atomic.Uint64, (pages+63)/64)}
	for t := b[body : body+tableLen]; len(t) > 0; t = t[24:] {
		id, off, n := binary.LittleEndian.Uint64(t), binary.LittleEndian.Uint64(t[8:]), binary.LittleEndian.Uint64(t[16:])
		if id == 0 || off > body || n > body-off || off%sectionAlign != 0 {
			return nil, damaged(name, "tabla de secciones")
		}
		if id < uint64(sections) { // sections of later versions are skipped
			f.sections[id] = f.data[off : off+n : off+n]
			f.offsets[id] = int(off)
		}
	}
	return f, nil
}

// verify makes sure that n bytes of a section from off on are what was written.
func (f *file) verify(id section, off, n int) error {
	if n <= 0 {
		return nil
	}
	first := f.offsets[id] + off
	for p := first / pageBytes; p <= (first+n-1)/pageBytes; p++ {
		if f.verified[p/64].Load()&(1<<(p%64)) == 0 {
			if err := f.verifyPage(p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *file) verifyPage(p int) error {
	page := f.data[p*pageBytes : min(len(f.data), (p+1)*pageBytes)]
	if crc32.Checksum(page, castagnoli) != binary.LittleEndian.Uint32(f.pages[4*p:]) {
		return damaged(f.name, "suma de control de una página")
	}
	f.verified[p/64].Or(1 << (p % 64))
	return nil
}

// whole verifies all of a section and gives it.
func (f *file) whole(id section) ([]byte, error) {
	b := f.sections[id]
	return b, f.verify(id, 0, len(b))
}

// array is a section of fixed-size numbers.
type array []byte

func (a array) u16(i int) uint16 { return binary.LittleEndian.Uint16(a[2*i:]) }
func (a array) u32(i int) uint32 { return binary.LittleEndian.Uint32(a[4*i:]) }
func (a array) u64(i int) uint64 { return binary.LittleEndian.Uint64(a[8*i:]) }
