package search

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"digesto"
	"digesto/digest"
	"digesto/index/quant"

	"github.com/klauspost/compress/zstd"
)

// Packed is what is prepared of the digest's asks, pack by pack in the order of its files: their
// vectors (the first principal components of the model's, four bits each), their words, and what
// the asks of each entry are together. An ask of two packs has its vector once. It is not written
// after it was read and given its More.
type Packed struct {
	// More gives the whole vector of an ask that is not among them, nil when there is none; it
	// may be nil itself.
	More func(ask string) []float32

	head  packedHead
	basis [][]float32 // kept × whole
	codes []byte      // of each ask, one after another (quant.Nibbles)
	parts []part      // of packs
}

// part is what is prepared of a pack.
type part struct {
	words    []byte   // its lexicon, compressed (Zstandard, RFC 8878)
	together together // without means where there are none
}

type packedHead struct {
	Model string     `json:"model"` // space of the whole vectors
	Whole int        `json:"whole"` // dimensions of the model's vectors
	Kept  int        `json:"kept"`  // components kept
	Rows  int        `json:"rows"`  // asks that have codes
	Parts []partHead `json:"parts"` // of packs
	Mean  []float32  `json:"-"`     // of all asks, taken out before projecting
	Step  []float32  `json:"-"`     // width of a code's step, a component
}

// partHead tells of the asks of a pack.
type partHead struct {
	Runs    []run  `json:"runs"`    // of rows, in the order of the asks
	Words   int    `json:"words"`   // bytes of their lexicon, compressed
	Entries int    `json:"entries"` // that they are of
	Usual   usual  `json:"usual"`
	Files   int    `json:"files"` // of the pack
	Sum     []byte `json:"sum"`   // SHA-256 of their names and those of their texts
}

// run is so many rows from one on.
type run [2]int

func (h partHead) rows() (n int) {
	for _, r := range h.Runs {
		n += r[1]
	}
	return n
}

const (
	packedMagic = "digesto asks 4\n"
	maxWhole    = 8192
	maxRows     = 4 << 20
)

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
func Pack(b Basis, packs [][]digest.File, whole map[string][]float32) []byte {
	p := Packed{head: packedHead{Model: b.Model, Whole: len(b.Mean), Kept: len(b.Axes), Mean: b.Mean}, basis: b.Axes}
	for _, s := range b.Sigma {
		p.head.Step = append(p.head.Step, s*stepSigmas)
	}
	return p.Extend(packs, nil, whole)
}

// Extend makes the file anew for these asks in the space that p has: those that are known
// keep their codes (Codes), the others get theirs from their whole vectors in more.
func (p *Packed) Extend(packs [][]digest.File, known Known, more map[string][]float32) []byte {
	parts := make([]part, len(packs))
	zip, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	for i, files := range packs {
		leads := digest.Leads(files)
		parts[i].words = zip.EncodeAll(makeLexicon(groupsOf(sizesOf(files)), func(i int) string { return leads[i] }), nil)
	}
	codes := func(text string) []byte {
		if codes := known.Of(text); codes != nil {
			return codes
		}
		return quant.EncodeNibbles(p.Project(more[text]), p.head.Step)
	}
	q, err := readPacked(p.write(packs, codes, parts))
	for i := range parts { // by what is written already
		if err == nil {
			parts[i].together = NewAsks(packs[i], q, Scoring{}).all
		}
	}
	return p.write(packs, codes, parts)
}

// Key tells the text of an ask from others: the first bytes of its SHA-256.
type Key [8]byte

func keyOf(text string) (k Key) {
	sum := sha256.Sum256([]byte(text))
	copy(k[:], sum[:])
	return k
}

// Keys are the SHA-256 of the file of packs, data, and the keys of their asks, in the order in which
// it has their codes.
func Keys(data []byte, packs [][]digest.File) []byte {
	sum, seen := sha256.Sum256(data), map[Key]bool{}
	out := sum[:]
	for _, files := range packs {
		for _, t := range digest.Leads(files) {
			if k := keyOf(t); !seen[k] {
				seen[k] = true
				out = append(out, k[:]...)
			}
		}
	}
	return out
}

// Known are the codes of asks by their keys.
type Known map[Key][]byte

// Of are those of an ask; nil where it is not among them.
func (k Known) Of(text string) []byte { return k[keyOf(text)] }

// Codes gives those of the file, data, by what Keys gave of it; nil where that is of another.
func (p *Packed) Codes(data, keys []byte) Known {
	const n = len(Key{})
	sum := sha256.Sum256(data)
	keys, of := bytes.CutPrefix(keys, sum[:])
	if !of || len(keys) != n*p.head.Rows {
		return nil
	}
	out, w := make(Known, p.head.Rows), p.width()
	for i := range p.head.Rows {
		out[Key(keys[n*i:])] = p.codes[w*i : w*(i+1)]
	}
	return out
}

// sizesOf are how many texts lead to each entry of files.
func sizesOf(files []digest.File) (out []int) {
	for _, f := range files {
		for i := range f.Entries {
			out = append(out, f.Entries[i].Leads())
		}
	}
	return out
}

// write makes the file: what the space is, then the codes, then of each pack the words and what
// the asks of its entries are together.
func (p *Packed) write(packs [][]digest.File, codes func(text string) []byte, parts []part) []byte {
	h := p.head
	h.Rows, h.Parts = 0, nil
	var body, rest bytes.Buffer
	at := map[string]int{}
	for i, files := range packs {
		asks, t := digest.Leads(files), parts[i].together
		x := partHead{Files: len(files), Sum: sumOf(files), Words: len(parts[i].words), Entries: len(t.scale), Usual: t.usual}
		for _, a := range asks {
			row, ok := at[a]
			if !ok {
				row, at[a] = h.Rows, h.Rows
				body.Write(codes(a))
				h.Rows++
			}
			if last := len(x.Runs) - 1; last >= 0 && x.Runs[last][0]+x.Runs[last][1] == row {
				x.Runs[last][1]++
			} else {
				x.Runs = append(x.Runs, run{row, 1})
			}
		}
		rest.Write(parts[i].words)
		if x.Entries > 0 {
			for _, list := range [][]float32{t.scale, t.long} {
				_ = binary.Write(&rest, binary.LittleEndian, list)
			}
			rest.Write(t.means)
		}
		h.Parts = append(h.Parts, x)
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
	return slices.Concat(out.Bytes(), body.Bytes(), rest.Bytes())
}

// sumOf names files by what is written in them.
func sumOf(files []digest.File) []byte {
	h := sha256.New()
	for i := range files {
		h.Write([]byte(files[i].Name + "\n"))
		h.Write(files[i].Sum)
	}
	return h.Sum(nil)
}

// ReadPacked reads what Pack wrote; damage is an error with CodeInvalid.
func ReadPacked(data []byte) (*Packed, error) {
	p, err := readPacked(data)
	if err != nil {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "El fichero de vectores de las preguntas está dañado", Err: err,
			Hint: "Vuelva a crearlo con «digesto pack digest --make CARPETA»."}
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
	return p, p.readParts(data[len(data)-r.Len():])
}

// readParts reads the codes and what is prepared of packs, which are all that is left of the file.
func (p *Packed) readParts(data []byte) error {
	take := func(n int) (out []byte, ok bool) {
		if n < 0 || n > len(data) {
			return nil, false
		}
		out, data = data[:n:n], data[n:]
		return out, true
	}
	h, ok := &p.head, false
	if h.Rows < 0 || h.Rows > maxRows {
		return fmt.Errorf("medidas imposibles: %d preguntas", h.Rows)
	}
	if p.codes, ok = take(h.Rows * p.width()); !ok {
		return fmt.Errorf("códigos cortados")
	}
	for _, x := range h.Parts {
		var y part
		if y.words, ok = take(x.Words); !ok || len(x.Sum) != sha256.Size || x.Entries < 0 || x.Entries > maxRows {
			return fmt.Errorf("palabras cortadas")
		}
		if x.Entries > 0 {
			floats, ok := take(4 * 2 * x.Entries)
			means, whole := take(x.Entries * quant.RowWidth(h.Kept))
			if !ok || !whole {
				return fmt.Errorf("entradas cortadas")
			}
			t := &y.together
			t.usual, t.means = x.Usual, means
			t.scale, t.long = make([]float32, x.Entries), make([]float32, x.Entries)
			r := bytes.NewReader(floats)
			for _, list := range [][]float32{t.scale, t.long} {
				_ = binary.Read(r, binary.LittleEndian, list)
			}
		}
		for _, r := range x.Runs {
			if r[0] < 0 || r[1] < 1 || r[0] > h.Rows || r[1] > h.Rows-r[0] {
				return fmt.Errorf("preguntas imposibles: %d desde la %d, de %d", r[1], r[0], h.Rows)
			}
		}
		p.parts = append(p.parts, y)
	}
	if len(data) > 0 {
		return fmt.Errorf("sobran %d bytes", len(data))
	}
	return nil
}

// width is the bytes of an ask's codes.
func (p *Packed) width() int { return (p.head.Kept + 1) / 2 }

// made is what is prepared of the first asks of a list; its zero is nothing.
type made struct {
	rows     int      // how many
	codes    [][]byte // of each, one after another
	words    lexicon
	together together // of the entries that they are of
}

// made finds what is prepared of the first of files; its zero when nothing is, or when their words
// are damaged.
func (p *Packed) made(files []digest.File) (m made) {
	for i, x := range p.head.Parts {
		if x.Files < 1 || x.Files > len(files) || !bytes.Equal(sumOf(files[:x.Files]), x.Sum) {
			continue
		}
		sizes := sizesOf(files[:x.Files])
		words, err := readWords(p.parts[i].words)
		if err != nil || words.texts != x.rows() || !bytes.Equal(words.size, groupsOf(sizes)) {
			return made{}
		}
		m.rows, m.words = words.texts, words
		if t := p.parts[i].together; len(t.scale) == len(sizes) {
			m.together = t
		}
		for _, r := range x.Runs {
			m.codes = append(m.codes, p.codes[r[0]*p.width():(r[0]+r[1])*p.width()])
		}
		return m
	}
	return m
}

// maxLexicon is the most that the words of a pack may be, decompressed.
const maxLexicon = 64 << 20

// readWords reads a lexicon as the file has it.
func readWords(data []byte) (lexicon, error) {
	unzip, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxLexicon))
	if err != nil {
		return lexicon{}, err
	}
	defer unzip.Close()
	plain, err := unzip.DecodeAll(data, nil)
	if err != nil {
		return lexicon{}, err
	}
	return readLexicon(plain)
}

// vocabulary is the words of asks of entries that have so many, those that are not prepared read
// now.
func (m made) vocabulary(sizes []int, ask func(int) string) vocabulary {
	var parts []lexicon
	rows := 0
	if m.rows > 0 {
		for parts = append(parts, m.words); rows < m.rows; sizes = sizes[1:] {
			rows += sizes[0]
		}
	}
	if len(sizes) > 0 {
		l, _ := readLexicon(makeLexicon(groupsOf(sizes), func(i int) string { return ask(rows + i) }))
		parts = append(parts, l)
	}
	return newVocabulary(parts...)
}

// Model is the space of the whole vectors.
func (p *Packed) Model() string { return p.head.Model }

// Len is how many asks have a vector.
func (p *Packed) Len() int { return p.head.Rows }

// of is the short vector of an ask that is not among the prepared ones; nil when it has none.
func (p *Packed) of(ask string) []float32 {
	if p.More == nil {
		return nil
	}
	return p.Project(p.More(ask))
}

// Step is the width of a code's step, a dimension.
func (p *Packed) Step() []float32 { return p.head.Step }

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
