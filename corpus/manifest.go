package corpus

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"digesto"
)

// manifest is all a snapshot knows but the units: every copy of every norm,
// every source file, every defect. It is ordered, so that the same contents
// have the same bytes and the same hash.
type manifest struct {
	copies []copyEntry // by norm id, then file
	files  []fileEntry // by path
	// effects are what the norms that stand do to each other. They follow from the rest,
	// and are kept so that opening a snapshot reads no text.
	effects []Effect
}

// copyEntry is a norm as one source file gave it.
type copyEntry struct {
	norm  digesto.Norm
	file  string
	sum   [sha256.Size]byte // names its norm file
	size  int
	units int
	// behind is the key of the copy that stands in for this one; "" = it stands
	// itself. It is stored, so that a change of the rule never changes what an
	// old snapshot shows under the same hash.
	behind string
	cites  []string // see citesOf
	woven  woven    // of a copy that stands, with its earlier states
	former bool     // it stands behind another copy, as an earlier state of it
	says   []Statement
	prints string   // see printsOf
	named  bool     // see Candidate
	chosen bool     // see Candidate
	also   []string // identifiers of the copies behind this one; made when a snapshot is opened
}

func (c *copyEntry) key() string { return copyKey(c.norm.ID, c.file) }

func copyKey(norm, file string) string { return norm + "\x00" + file }

func (c *copyEntry) candidate() Candidate {
	return Candidate{Norm: c.norm, File: c.file, Units: c.units, Chosen: c.chosen, Named: c.named}
}

// visible gives the copies that stand, with the packs of those behind them.
func (m *manifest) visible() []copyEntry {
	packs, also := map[string][][]string{}, map[string][]string{}
	for i := range m.copies {
		if b := m.copies[i].behind; b != "" {
			packs[b] = append(packs[b], m.copies[i].norm.Packs)
			also[b] = append(also[b], identifiers(&m.copies[i].norm)...)
		}
	}
	out := make([]copyEntry, 0, len(m.copies))
	for _, c := range m.copies {
		if c.behind != "" {
			continue
		}
		for _, p := range packs[c.key()] {
			c.norm.Packs = mergePacks(c.norm.Packs, p)
		}
		c.also = also[c.key()]
		if w := c.woven; w.size > 0 {
			c.sum, c.size, c.units = w.sum, w.size, w.units
		}
		out = append(out, c)
	}
	return out
}

// candidate is a copy as the rule of precedence sees it.
func (m *manifest) candidate(i int) Candidate {
	return m.copies[i].candidate()
}

// superseded reports the copies that gave way and are of no further use.
func (m *manifest) superseded() []Defect {
	byKey := make(map[string]*copyEntry, len(m.copies))
	for i := range m.copies {
		byKey[m.copies[i].key()] = &m.copies[i]
	}
	var out []Defect
	for i := range m.copies {
		if w := byKey[m.copies[i].behind]; w != nil && !m.copies[i].former {
			out = append(out, supersededDefect(&m.copies[i], w))
		}
	}
	return out
}

// fileEntry is a source file that was read.
type fileEntry struct {
	path    string
	hash    string // Document.ContentHash
	defects []Defect
}

const (
	manifestMagic  = "DGSTMAN\n"
	manifestFormat = 1
)

func (m *manifest) sort() {
	slices.SortFunc(m.copies, func(a, b copyEntry) int {
		if c := strings.Compare(a.norm.ID, b.norm.ID); c != 0 {
			return c
		}
		return strings.Compare(a.file, b.file)
	})
	slices.SortFunc(m.files, func(a, b fileEntry) int { return strings.Compare(a.path, b.path) })
}

// encode gives the bytes of a manifest and the hash that names it.
func (m *manifest) encode() ([]byte, string) {
	m.sort()
	e := encoder{buf: []byte(manifestMagic)}
	e.buf = binary.LittleEndian.AppendUint32(e.buf, manifestFormat)
	encode(&e, m, manifestForm)
	return e.buf, hashOf(e.buf)
}

func hashOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func manifestForm(f *form, m *manifest) {
	records(f, 1, &m.copies, copyForm)
	records(f, 2, &m.files, fileForm)
	records(f, 3, &m.effects, effectForm)
}

func copyForm(f *form, c *copyEntry) {
	record(f, 1, &c.norm, normForm)
	word(f, 2, &c.file)
	f.raw(3, c.sum[:], true)
	number(f, 4, &c.size)
	number(f, 5, &c.units)
	word(f, 6, &c.behind)
	f.words(7, &c.cites)
	word(f, 8, &c.woven.of)
	number(f, 9, &c.woven.states)
	number(f, 10, &c.woven.size)
	number(f, 11, &c.woven.units)
	f.raw(12, c.woven.sum[:], c.woven.size > 0)
	f.flag(13, &c.former)
	records(f, 14, &c.says, statementForm)
	word(f, 15, &c.prints)
	f.flag(16, &c.named)
	f.flag(17, &c.chosen)
}

func fileForm(f *form, x *fileEntry) {
	word(f, 1, &x.path)
	word(f, 2, &x.hash)
	records(f, 3, &x.defects, defectForm)
}

func defectForm(f *form, d *Defect) {
	word(f, 1, &d.File)
	word(f, 2, &d.Norm)
	word(f, 3, &d.Kind)
	word(f, 4, &d.Detail)
	f.flag(5, &d.Skipped)
}

// decodeManifest reads a manifest. It never allocates more than a small
// multiple of its input.
func decodeManifest(data []byte) (*manifest, error) {
	if len(data) < len(manifestMagic)+4 || string(data[:len(manifestMagic)]) != manifestMagic {
		return nil, errors.New("not a manifest")
	}
	if v := binary.LittleEndian.Uint32(data[len(manifestMagic):]); v != manifestFormat {
		return nil, otherFormat{v, manifestFormat}
	}
	m := &manifest{}
	err := decode(string(data[len(manifestMagic)+4:]), m, manifestForm)
	return m, err
}

// memoryHash is the hash that the documents would have on disk, without the
// names of their files.
func memoryHash(c *core) string {
	m := &manifest{}
	for i := range c.entries {
		b, read := c.bodies[i].(*memoryBody)
		if !read { // what is read late is of the program, whose version stands beside the hash
			continue
		}
		data, err := encodeUnits(b.units)
		if err != nil {
			continue
		}
		m.copies = append(m.copies, copyEntry{norm: c.entries[i].Norm, sum: sha256.Sum256(data), size: len(data)})
	}
	if len(m.copies) == 0 {
		return ""
	}
	_, h := m.encode()
	return h
}
