package index

import (
	"encoding/binary"
	"math"
	"sort"

	"digesto/index/kernel"
)

// The postings of a term take one of four forms, chosen by how many documents it
// is in, so that no form needs to be written down. codes are impacts: the
// saturation of the term's frequency in the document, rounded up to 8 bits.
//
//	once    df = 1: document and code stand in the term's record
//	sparse  few: sorted documents, then codes (2 bytes a document while the segment
//	        has at most 65,536; 4 bytes beyond for the smallest; else counts a 65,536)
//	delta   per block of 2,048 documents: u16 entries and u8 largest code; then
//	        a block's distances (u8) and its codes. A distance over 255 is bridged
//	        by entries with distance 255 and code 0, so that decoding never branches.
//	dense   a largest code per block; then a code for every document, 0 = absent
const (
	blockShift = kernel.BlockShift
	blockDocs  = kernel.BlockDocs
	chunkDocs  = 1 << 16
	maxDocs    = 1<<24 - 1 // of a segment: a term's record has 24 bits for df
)

type form uint8

const (
	formOnce form = iota
	formSparse
	formDelta
	formDense
)

func formOf(df, docs int) form {
	switch {
	case df == 1:
		return formOnce
	case 6*df >= docs && df >= 64: // adding a byte for every document beats adding a sixth one by one
		return formDense
	case df >= 64 && df >= docs/128:
		return formDelta
	}
	return formSparse
}

func blocksOf(docs int) int { return (docs + blockDocs - 1) / blockDocs }
func chunksOf(docs int) int { return (docs + chunkDocs - 1) / chunkDocs }

// smallSparse: documents are written with 4 bytes each.
func smallSparse(df, docs int) bool { return docs > chunkDocs && df < 8*chunksOf(docs) }

// termRecord holds what the dictionary knows about a term: df in the high 24 bits;
// below, the offset of its postings, or for a term of one document that document
// and its code.
type termRecord uint64

func (r termRecord) df() int            { return int(r >> 40) }
func (r termRecord) offset() int        { return int(r & (1<<40 - 1)) }
func (r termRecord) once() (int, uint8) { return int(r >> 8 & 0xFFFFFFFF), uint8(r) }

// quantiser turns frequencies into codes for one average length.
type quantiser struct {
	s       Scoring
	average float64
}

// codeAt is ⌈255 · saturation / (k1 + 1)⌉: never below the true value.
func (q quantiser) codeAt(tf, norm float64) uint8 {
	c := math.Ceil(float64(255*q.s.saturation(tf, norm)) / (q.s.K1 + 1))
	return uint8(min(255, max(1, c)))
}

// least gives the smallest frequency with that code, and whether it is the only
// one. It is 0 if there is none, which no sound file holds.
func (q quantiser) least(code uint8, length uint32) (tf uint32, sure bool) {
	norm := q.s.norm(float64(length), q.average)
	// saturation = tf·(k1+1)/(tf+norm) > (code−1)/255·(k1+1)  ⇔  tf > norm·c/(1−c)
	c := float64(code-1) / 255
	t := max(1, math.Floor(norm*c/(1-c)))
	if !(t < math.MaxUint32) {
		return 0, false
	}
	// The guess is off by rounding alone: a step or two.
	for range 8 {
		switch {
		case q.codeAt(t, norm) < code:
			t++
		case t > 1 && q.codeAt(t-1, norm) >= code:
			t--
		default:
			return uint32(t), q.codeAt(t+1, norm) != code
		}
	}
	return 0, false
}

// postingsWriter encodes the postings of one term after another.
type postingsWriter struct {
	docs    int
	q       quantiser
	norms   []float64 // by document
	oddKeys []uint64  // (term, document) whose frequency is not the least with its code
	oddTF   []uint32
	codes   []uint8
	buf     []byte
}

// encode appends nothing for a term of one document; its record says all. The
// bytes are valid until the next call; at is where they will stand.
func (w *postingsWriter) encode(term int, docs, tfs []uint32, at int) (termRecord, []byte) {
	w.codes = w.codes[:0]
	for i, d := range docs {
		tf, norm := float64(tfs[i]), w.norms[d]
		c := w.q.codeAt(tf, norm)
		w.codes = append(w.codes, c)
		if tf > 1 && w.q.codeAt(tf-1, norm) == c { // not the least with its code
			w.oddKeys = append(w.oddKeys, uint64(term)<<32|uint64(d))
			w.oddTF = append(w.oddTF, tfs[i])
		}
	}
	w.buf = w.buf[:0]
	rec := termRecord(len(docs))<<40 | termRecord(at)
	switch formOf(len(docs), w.docs) {
	case formOnce:
		return termRecord(1)<<40 | termRecord(docs[0])<<8 | termRecord(w.codes[0]), nil
	case formSparse:
		w.sparse(docs)
	case formDelta:
		w.delta(docs)
	case formDense:
		w.dense(docs)
	}
	return rec, w.buf
}

func (w *postingsWriter) sparse(docs []uint32) {
	if smallSparse(len(docs), w.docs) {
		for _, d := range docs {
			w.buf = binary.LittleEndian.AppendUint32(w.buf, d)
		}
	} else {
		if n := chunksOf(w.docs); n > 1 {
			i := 0
			for c := range n {
				k := i
				for k < len(docs) && int(docs[k]) < (c+1)*chunkDocs {
					k++
				}
				w.buf = binary.LittleEndian.AppendUint16(w.buf, uint16(k-i))
				i = k
			}
		}
		for _, d := range docs {
			w.buf = binary.LittleEndian.AppendUint16(w.buf, uint16(d))
		}
	}
	w.buf = append(w.buf, w.codes...)
}

func (w *postingsWriter) delta(docs []uint32) {
	n := blocksOf(w.docs)
	w.buf = append(w.buf, make([]byte, 3*n)...)
	var gaps, codes []byte
	i := 0
	for b := range n {
		gaps, codes = gaps[:0], codes[:0]
		last, top := uint32(b*blockDocs), uint8(0)
		for ; i < len(docs) && int(docs[i]) < (b+1)*blockDocs; i++ {
			gap := docs[i] - last
			for ; gap > 255; gap -= 255 {
				gaps, codes = append(gaps, 255), append(codes, 0)
			}
			gaps, codes = append(gaps, byte(gap)), append(codes, w.codes[i])
			last, top = docs[i], max(top, w.codes[i])
		}
		binary.LittleEndian.PutUint16(w.buf[2*b:], uint16(len(gaps)))
		w.buf[2*n+b] = top
		w.buf = append(append(w.buf, gaps...), codes...)
	}
}

func (w *postingsWriter) dense(docs []uint32) {
	n := blocksOf(w.docs)
	w.buf = append(w.buf, make([]byte, n+n*blockDocs)...)
	for i, d := range docs {
		w.buf[n+int(d)] = w.codes[i]
		w.buf[int(d)/blockDocs] = max(w.buf[int(d)/blockDocs], w.codes[i])
	}
}

// list is one term's postings in one segment, ready to be walked and looked up.
type list struct {
	form   form
	df     int
	docs   []uint32 // once, sparse: decoded
	counts array    // delta: entries a block
	tops   []byte   // delta, dense: largest code a block
	starts []uint32 // delta: where a block's bytes begin in data
	codes  []byte   // once, sparse, dense
	data   []byte   // delta
	cursor int      // once, sparse: first document not yet walked
}

// sparseBytes is the size of a sparse list.
func sparseBytes(df, docs int) int {
	if smallSparse(df, docs) {
		return 5 * df
	}
	n := 3 * df
	if c := chunksOf(docs); c > 1 {
		n += 2 * c
	}
	return n
}

// decodeSparse appends the documents of a sparse list to dst. It refuses
// documents that are not in the segment; order is the checksum's business.
func decodeSparse(dst []uint32, b []byte, df, docs int) ([]uint32, bool) {
	start := len(dst)
	if smallSparse(df, docs) {
		for i := range df {
			dst = append(dst, array(b).u32(i))
		}
	} else {
		n := chunksOf(docs)
		ids := array(b)
		if n > 1 {
			ids = ids[2*n:]
		}
		for c, i := 0, 0; c < n; c++ {
			end := df
			if n > 1 {
				end = i + int(array(b).u16(c))
			}
			if end > df {
				return dst, false
			}
			base := uint32(c * chunkDocs)
			for ; i < end; i++ {
				dst = append(dst, base+uint32(ids.u16(i)))
			}
		}
		if len(dst)-start != df {
			return dst, false
		}
	}
	for _, d := range dst[start:] {
		if int(d) >= docs {
			return dst, false
		}
	}
	return dst, true
}

// code looks one document up: its code, or 0.
func (l *list) code(doc uint32) uint8 {
	switch l.form {
	case formDense:
		return l.codes[doc]
	case formDelta:
		b := int(doc >> blockShift)
		n := int(l.counts.u16(b))
		block := l.data[l.starts[b]:]
		if i := kernel.FindGap(block[:n], doc&(blockDocs-1)); i >= 0 {
			return block[n+i] // 0 if the entry only bridges
		}
		return 0
	}
	i := sort.Search(len(l.docs), func(i int) bool { return l.docs[i] >= doc })
	if i < len(l.docs) && l.docs[i] == doc {
		return l.codes[i]
	}
	return 0
}

// all decodes a list: its documents, sorted, and their codes.
func (l *list) all(s *segment) (docs []uint32, codes []byte) {
	switch l.form {
	case formOnce, formSparse:
		return l.docs, l.codes
	case formDense:
		for d, c := range l.codes[:s.meta.Docs] {
			if c != 0 {
				docs, codes = append(docs, uint32(d)), append(codes, c)
			}
		}
		return docs, codes
	}
	for b := range s.blocks {
		n := int(l.counts.u16(b))
		data, at := l.data[l.starts[b]:], uint32(b<<blockShift)
		for i := range n {
			at += uint32(data[i])
			if c := data[n+i]; c != 0 && int(at) < s.meta.Docs {
				docs, codes = append(docs, at), append(codes, c)
			}
		}
	}
	return docs, codes
}
