package search

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"digesto"
)

// Packed are the vectors of the digest's asks: the first principal components of
// the model's vectors, four bits each. It is immutable.
type Packed struct {
	head  packedHead
	basis [][]float32 // kept × whole
	rows  []byte      // of the file: a key and its codes, one after another
	table []uint32    // a row's number, from 1, by its key: open addressing, 0 = free
}

type packedHead struct {
	Model string    `json:"model"` // space of the whole vectors
	Whole int       `json:"whole"` // dimensions of the model's vectors
	Kept  int       `json:"kept"`  // components kept
	Rows  int       `json:"rows"`
	Mean  []float32 `json:"-"` // of all asks, taken out before projecting
	Step  []float32 `json:"-"` // width of a code's step, a component
}

const (
	packedMagic = "digesto asks 1\n"
	maxWhole    = 8192
	maxRows     = 4 << 20
	codeZero    = 7 // the code of 0; codes are 0–14
)

// askKeyed is the beginning of an ask's SHA-256.
type askKeyed = [8]byte

func askKey(ask string) askKeyed {
	sum := sha256.Sum256([]byte(ask))
	return askKeyed(sum[:])
}

// Basis says how whole vectors become short ones.
type Basis struct {
	Model string      // space of the whole vectors
	Mean  []float32   // whole: taken out first
	Axes  [][]float32 // kept × whole, orthonormal
	Sigma []float32   // kept: spread of each component
}

// stepSigmas is the width of a code's step in standard deviations: fifteen steps
// of it cover a normal distribution to ±2.4σ with the least mean error (Max, 1960).
const stepSigmas = .335

// Pack makes the file of vectors of asks: text → whole vector.
func Pack(b Basis, asks map[string][]float32) []byte {
	p := Packed{head: packedHead{Model: b.Model, Whole: len(b.Mean), Kept: len(b.Axes), Mean: b.Mean}, basis: b.Axes}
	for _, s := range b.Sigma {
		p.head.Step = append(p.head.Step, s*stepSigmas)
	}
	return p.write(sortedKeys(asks), func(text string) []byte { return encode(p.Project(asks[text]), p.head.Step) })
}

// Extend makes the file anew for these asks in the space that p has: those that p knows keep
// their codes, the others get theirs from their whole vectors in more.
func (p *Packed) Extend(asks []string, more map[string][]float32) []byte {
	list := slices.Compact(slices.Sorted(slices.Values(asks)))
	return p.write(list, func(text string) []byte {
		if codes := p.codes(text); codes != nil {
			return codes
		}
		return encode(p.Project(more[text]), p.head.Step)
	})
}

// write makes the file: what the space is, and the key and codes of each ask.
func (p *Packed) write(asks []string, codes func(text string) []byte) []byte {
	var out bytes.Buffer
	out.WriteString(packedMagic)
	h := p.head
	h.Rows = len(asks)
	head, _ := json.Marshal(h)
	_ = binary.Write(&out, binary.LittleEndian, uint32(len(head)))
	out.Write(head)
	_ = binary.Write(&out, binary.LittleEndian, h.Mean)
	_ = binary.Write(&out, binary.LittleEndian, h.Step)
	for _, axis := range p.basis {
		_ = binary.Write(&out, binary.LittleEndian, axis)
	}
	for _, text := range asks {
		key := askKey(text)
		out.Write(key[:])
		out.Write(codes(text))
	}
	return out.Bytes()
}

// encode writes two components a byte.
func encode(v, step []float32) []byte {
	out := make([]byte, (len(v)+1)/2)
	for i, x := range v {
		c := codeZero
		if step[i] > 0 {
			c = min(14, max(0, codeZero+int(math.Round(float64(x/step[i])))))
		}
		out[i/2] |= byte(c) << (4 * (i % 2))
	}
	return out
}

// ReadPacked reads what Pack wrote; damage is an error with CodeInvalid.
func ReadPacked(data []byte) (*Packed, error) {
	p, err := readPacked(data)
	if err != nil {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "El fichero de vectores de las preguntas está dañado", Err: err,
			Hint: "Vuelva a crearlo con «digesto pack digest --vectors FICHERO»."}
	}
	return p, nil
}

func readPacked(data []byte) (*Packed, error) {
	r := bytes.NewReader(data)
	magic := make([]byte, len(packedMagic))
	if _, err := r.Read(magic); err != nil || string(magic) != packedMagic {
		return nil, fmt.Errorf("no es un fichero de vectores")
	}
	var n uint32
	if err := binary.Read(r, binary.LittleEndian, &n); err != nil || int64(n) > int64(r.Len()) {
		return nil, fmt.Errorf("cabecera cortada")
	}
	head := make([]byte, n)
	_, _ = r.Read(head)
	p := &Packed{}
	h := &p.head
	if err := json.Unmarshal(head, h); err != nil {
		return nil, err
	}
	width := (h.Kept + 1) / 2
	if h.Whole < 1 || h.Whole > maxWhole || h.Kept < 1 || h.Kept > h.Whole || h.Rows < 0 || h.Rows > maxRows {
		return nil, fmt.Errorf("medidas imposibles: %+v", *h)
	}
	if want := 4*(h.Whole+h.Kept+h.Kept*h.Whole) + h.Rows*(len(askKeyed{})+width); r.Len() != want {
		return nil, fmt.Errorf("%d bytes, y deben ser %d", r.Len(), want)
	}
	h.Mean, h.Step = make([]float32, h.Whole), make([]float32, h.Kept)
	_ = binary.Read(r, binary.LittleEndian, h.Mean)
	_ = binary.Read(r, binary.LittleEndian, h.Step)
	for range h.Kept {
		axis := make([]float32, h.Whole)
		_ = binary.Read(r, binary.LittleEndian, axis)
		p.basis = append(p.basis, axis)
	}
	p.rows = data[len(data)-r.Len():]
	p.table = make([]uint32, 1<<bits.Len(uint(2*h.Rows)))
	for i := range h.Rows {
		p.table[p.slot(p.row(i))] = uint32(i + 1)
	}
	return p, nil
}

// row is a key and its codes.
func (p *Packed) row(i int) []byte {
	width := len(askKeyed{}) + (p.head.Kept+1)/2
	return p.rows[i*width : (i+1)*width]
}

// slot is where a key stands in the table, or the free place where it would.
func (p *Packed) slot(key []byte) uint32 {
	mask := uint32(len(p.table) - 1)
	for at := binary.LittleEndian.Uint32(key) & mask; ; at = (at + 1) & mask {
		if n := p.table[at]; n == 0 || bytes.Equal(p.row(int(n - 1))[:len(askKeyed{})], key[:len(askKeyed{})]) {
			return at
		}
	}
}

// Model is the space of the whole vectors.
func (p *Packed) Model() string { return p.head.Model }

// Len is how many asks have a vector.
func (p *Packed) Len() int { return p.head.Rows }

// Dims is the length of the short vectors.
func (p *Packed) Dims() int { return p.head.Kept }

// Has says that an ask has a vector.
func (p *Packed) Has(ask string) bool { return p.codes(ask) != nil }

// codes are those of an ask; nil when it has none.
func (p *Packed) codes(ask string) []byte {
	key := askKey(ask)
	n := p.table[p.slot(key[:])]
	if n == 0 {
		return nil
	}
	return p.row(int(n - 1))[len(key):]
}

// Of gives the short vector of an ask; nil when it has none.
func (p *Packed) Of(ask string) []float32 {
	row := p.codes(ask)
	if row == nil {
		return nil
	}
	v := make([]float32, p.head.Kept)
	for i := range v {
		v[i] = float32(int(row[i/2]>>(4*(i%2))&15)-codeZero) * p.head.Step[i]
	}
	return v
}

// Project gives the short vector of a whole one; nil when it is of another length.
func (p *Packed) Project(full []float32) []float32 {
	if len(full) != len(p.head.Mean) {
		return nil
	}
	out := make([]float32, len(p.basis))
	for i, axis := range p.basis {
		sum := 0.0
		for j, x := range full {
			sum += float64(axis[j]) * float64(x-p.head.Mean[j])
		}
		out[i] = float32(sum)
	}
	return out
}

// With gives vectors of asks that p lacks too, from their whole vectors; more gives nil
// for those that it does not know either.
func With(p *Packed, more func(ask string) []float32) Vectors { return extended{p, more} }

type extended struct {
	*Packed
	more func(ask string) []float32
}

func (e extended) Of(ask string) []float32 {
	if v := e.Packed.Of(ask); v != nil {
		return v
	}
	if full := e.more(ask); full != nil {
		return e.Project(full)
	}
	return nil
}
