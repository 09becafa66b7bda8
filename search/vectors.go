package search

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync"

	"digesto"
)

// Packed is what is prepared of the digest's asks, pack by pack in the order of its files: their
// vectors (the first principal components of the model's, four bits each) and their words. It
// is immutable.
type Packed struct {
	head  packedHead
	basis [][]float32 // kept × whole
	parts []part
	table func() map[askKeyed][]byte // codes by key, made when first asked for
}

// part are the asks of a pack.
type part struct {
	sum   [sha256.Size]byte
	keys  []byte // of each, one after another
	codes []byte
	words lexicon
}

func (p *part) rows() int { return len(p.keys) / len(askKeyed{}) }

type packedHead struct {
	Model string     `json:"model"` // space of the whole vectors
	Whole int        `json:"whole"` // dimensions of the model's vectors
	Kept  int        `json:"kept"`  // components kept
	Parts []partHead `json:"parts"`
	Mean  []float32  `json:"-"` // of all asks, taken out before projecting
	Step  []float32  `json:"-"` // width of a code's step, a component
}

type partHead struct {
	Rows  int    `json:"rows"`  // asks
	Words int    `json:"words"` // bytes of their lexicon
	Sum   []byte `json:"sum"`   // SHA-256 of their texts, each with a newline
}

const (
	packedMagic = "digesto asks 2\n"
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

// Pack makes the file of the asks of packs from their whole vectors.
func Pack(b Basis, packs [][]string, whole map[string][]float32) []byte {
	p := Packed{head: packedHead{Model: b.Model, Whole: len(b.Mean), Kept: len(b.Axes), Mean: b.Mean}, basis: b.Axes}
	for _, s := range b.Sigma {
		p.head.Step = append(p.head.Step, s*stepSigmas)
	}
	return p.write(packs, func(text string) []byte { return encode(p.Project(whole[text]), p.head.Step) })
}

// Extend makes the file anew for these asks in the space that p has: those that p knows keep
// their codes, the others get theirs from their whole vectors in more.
func (p *Packed) Extend(packs [][]string, more map[string][]float32) []byte {
	return p.write(packs, func(text string) []byte {
		if codes := p.codes(text); codes != nil {
			return codes
		}
		return encode(p.Project(more[text]), p.head.Step)
	})
}

// write makes the file: what the space is, then of each pack keys, codes and words.
func (p *Packed) write(packs [][]string, codes func(text string) []byte) []byte {
	h := p.head
	h.Parts = nil
	var body bytes.Buffer
	for _, asks := range packs {
		words := makeLexicon(len(asks), func(i int) string { return asks[i] })
		sum := sumOf(len(asks), func(i int) string { return asks[i] })
		h.Parts = append(h.Parts, partHead{Rows: len(asks), Words: len(words), Sum: sum[:]})
		for _, a := range asks {
			key := askKey(a)
			body.Write(key[:])
		}
		for _, a := range asks {
			body.Write(codes(a))
		}
		body.Write(words)
	}
	var out bytes.Buffer
	out.WriteString(packedMagic)
	head, _ := json.Marshal(h)
	_ = binary.Write(&out, binary.LittleEndian, uint32(len(head)))
	out.Write(head)
	_ = binary.Write(&out, binary.LittleEndian, h.Mean)
	_ = binary.Write(&out, binary.LittleEndian, h.Step)
	for _, axis := range p.basis {
		_ = binary.Write(&out, binary.LittleEndian, axis)
	}
	out.Write(body.Bytes())
	return out.Bytes()
}

// sumOf names n texts in their order.
func sumOf(n int, text func(int) string) (sum [sha256.Size]byte) {
	h, buf := sha256.New(), make([]byte, 0, 1<<16)
	for i := range n {
		if buf = append(append(buf, text(i)...), '\n'); len(buf) >= 1<<15 {
			h.Write(buf)
			buf = buf[:0]
		}
	}
	h.Write(buf)
	return [sha256.Size]byte(h.Sum(nil))
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
	if h.Whole < 1 || h.Whole > maxWhole || h.Kept < 1 || h.Kept > h.Whole {
		return nil, fmt.Errorf("medidas imposibles: %d de %d", h.Kept, h.Whole)
	}
	if r.Len() < 4*(h.Whole+h.Kept+h.Kept*h.Whole) {
		return nil, fmt.Errorf("ejes cortados")
	}
	h.Mean, h.Step = make([]float32, h.Whole), make([]float32, h.Kept)
	_ = binary.Read(r, binary.LittleEndian, h.Mean)
	_ = binary.Read(r, binary.LittleEndian, h.Step)
	for range h.Kept {
		axis := make([]float32, h.Whole)
		_ = binary.Read(r, binary.LittleEndian, axis)
		p.basis = append(p.basis, axis)
	}
	p.table = sync.OnceValue(p.byKey)
	return p, p.readParts(data[len(data)-r.Len():])
}

// readParts reads the packs' asks, which are all that is left of the file.
func (p *Packed) readParts(data []byte) (err error) {
	take := func(n int) (out []byte) {
		out, data = data[:n], data[n:]
		return out
	}
	for _, h := range p.head.Parts {
		if h.Rows < 0 || h.Rows > maxRows || h.Words < 0 || h.Words > len(data) || len(data) < h.Rows*(len(askKeyed{})+p.width())+h.Words || len(h.Sum) != sha256.Size {
			return fmt.Errorf("medidas imposibles: %d preguntas, %d bytes", h.Rows, h.Words)
		}
		x := part{sum: [sha256.Size]byte(h.Sum), keys: take(h.Rows * len(askKeyed{})), codes: take(h.Rows * p.width())}
		if x.words, err = readLexicon(take(h.Words)); err != nil || x.words.texts != h.Rows {
			return fmt.Errorf("las palabras no son las de %d preguntas: %w", h.Rows, err)
		}
		p.parts = append(p.parts, x)
	}
	if len(data) > 0 {
		return fmt.Errorf("sobran %d bytes", len(data))
	}
	return nil
}

// width is the bytes of an ask's codes.
func (p *Packed) width() int { return (p.head.Kept + 1) / 2 }

// byKey finds the codes of asks by their keys.
func (p *Packed) byKey() map[askKeyed][]byte {
	out := make(map[askKeyed][]byte, p.Len())
	for i := range p.parts {
		x := &p.parts[i]
		for k := range x.rows() {
			out[askKeyed(x.keys[k*len(askKeyed{}):])] = x.codes[k*p.width() : (k+1)*p.width()]
		}
	}
	return out
}

// Made is what is prepared of the first asks of a list.
type Made struct {
	rows int // how many
	part *part
	step []float32
}

// Made finds the part that holds the first of n asks; its zero when none does.
func (p *Packed) Made(n int, ask func(int) string) Made {
	for i := range p.parts {
		if x := &p.parts[i]; x.rows() > 0 && x.rows() <= n && askKey(ask(0)) == askKeyed(x.keys) && sumOf(x.rows(), ask) == x.sum {
			return Made{x.rows(), x, p.head.Step}
		}
	}
	return Made{}
}

// Len is how many asks are prepared.
func (m Made) Len() int { return m.rows }

// vector is that of an ask, in v when it has room.
func (m Made) vector(i int, v []float32) []float32 {
	v = slices.Grow(v[:0], len(m.step))[:len(m.step)]
	decode(v, m.part.codes[i*((len(v)+1)/2):], m.step)
	return v
}

// vocabulary is the words of n asks, those that are not prepared read now.
func (m Made) vocabulary(n int, ask func(int) string) vocabulary {
	var parts []lexicon
	if m.rows > 0 {
		parts = append(parts, m.part.words)
	}
	if m.rows < n {
		l, _ := readLexicon(makeLexicon(n-m.rows, func(i int) string { return ask(m.rows + i) }))
		parts = append(parts, l)
	}
	return newVocabulary(parts...)
}

// Model is the space of the whole vectors.
func (p *Packed) Model() string { return p.head.Model }

// Len is how many asks have a vector, those of two packs twice.
func (p *Packed) Len() (n int) {
	for i := range p.parts {
		n += p.parts[i].rows()
	}
	return n
}

// Dims is the length of the short vectors.
func (p *Packed) Dims() int { return p.head.Kept }

// Has says that an ask has a vector.
func (p *Packed) Has(ask string) bool { return p.codes(ask) != nil }

// codes are those of an ask; nil when it has none.
func (p *Packed) codes(ask string) []byte { return p.table()[askKey(ask)] }

// Of gives the short vector of an ask; nil when it has none.
func (p *Packed) Of(ask string) []float32 {
	codes := p.codes(ask)
	if codes == nil {
		return nil
	}
	v := make([]float32, p.head.Kept)
	decode(v, codes, p.head.Step)
	return v
}

// decode reads what encode wrote.
func decode(v []float32, codes []byte, step []float32) {
	for i := range v {
		v[i] = float32(int(codes[i/2]>>(4*(i%2))&15)-codeZero) * step[i]
	}
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
