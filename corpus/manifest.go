package corpus

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
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
}

func (c *copyEntry) key() string { return copyKey(c.norm.ID, c.file) }

func copyKey(norm, file string) string { return norm + "\x00" + file }

// visible gives the copies that stand, with the packs of those behind them.
func (m *manifest) visible() []copyEntry {
	packs := map[string][][]string{}
	for i := range m.copies {
		if b := m.copies[i].behind; b != "" {
			packs[b] = append(packs[b], m.copies[i].norm.Packs)
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
		if w := c.woven; w.size > 0 {
			c.sum, c.size, c.units = w.sum, w.size, w.units
		}
		out = append(out, c)
	}
	return out
}

// candidate is a copy as the rule of precedence sees it.
func (m *manifest) candidate(i int) Candidate {
	return Candidate{m.copies[i].norm, m.copies[i].file, m.copies[i].units, false}
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
	for i := range m.copies {
		e.message(1, func(in *encoder) { encodeCopy(in, &m.copies[i]) })
	}
	for i := range m.files {
		e.message(2, func(in *encoder) { encodeFile(in, &m.files[i]) })
	}
	return e.buf, hashOf(e.buf)
}

func hashOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func encodeCopy(e *encoder, c *copyEntry) {
	e.message(1, func(in *encoder) { encodeNorm(in, &c.norm) })
	e.str(2, c.file)
	e.str(3, string(c.sum[:]))
	e.int(4, c.size)
	e.int(5, c.units)
	e.str(6, c.behind)
	e.strs(7, c.cites)
	e.str(8, c.woven.of)
	e.int(9, int(c.woven.states))
	e.int(10, c.woven.size)
	e.int(11, c.woven.units)
	if c.woven.size > 0 {
		e.str(12, string(c.woven.sum[:]))
	}
	e.bool(13, c.former)
}

func encodeFile(e *encoder, f *fileEntry) {
	e.str(1, f.path)
	e.str(2, f.hash)
	for i := range f.defects {
		d := &f.defects[i]
		e.message(3, func(in *encoder) {
			in.str(1, d.File)
			in.str(2, d.Norm)
			in.str(3, d.Kind)
			in.str(4, d.Detail)
			in.bool(5, d.Skipped)
		})
	}
}

// decodeManifest reads a manifest. It never allocates more than a small
// multiple of its input.
func decodeManifest(data []byte) (*manifest, error) {
	if len(data) < len(manifestMagic)+4 || string(data[:len(manifestMagic)]) != manifestMagic {
		return nil, errors.New("not a manifest")
	}
	if v := binary.LittleEndian.Uint32(data[len(manifestMagic):]); v != manifestFormat {
		return nil, fmt.Errorf("format %d, this program reads %d", v, manifestFormat)
	}
	m := &manifest{}
	d := decoder{s: string(data[len(manifestMagic)+4:])}
	err := d.fields(func(field, _ int, s string) {
		switch field {
		case 1:
			c, err := decodeCopy(s)
			d.sub(err)
			m.copies = append(m.copies, c)
		case 2:
			f, err := decodeFile(s)
			d.sub(err)
			m.files = append(m.files, f)
		}
	})
	return m, err
}

func decodeCopy(rec string) (c copyEntry, err error) {
	d := decoder{s: rec}
	err = d.fields(func(field, i int, s string) {
		switch field {
		case 1:
			n, err := decodeNorm(s)
			d.sub(err)
			c.norm = n
		case 2:
			c.file = s
		case 3:
			if copy(c.sum[:], s) != sha256.Size || len(s) != sha256.Size {
				d.fail(errLayout)
			}
		case 4:
			c.size = i
		case 5:
			c.units = i
		case 6:
			c.behind = s
		case 7:
			c.cites = append(c.cites, s)
		case 8:
			c.woven.of = s
		case 9:
			c.woven.states = uint64(i)
		case 10:
			c.woven.size = i
		case 11:
			c.woven.units = i
		case 12:
			if copy(c.woven.sum[:], s) != sha256.Size || len(s) != sha256.Size {
				d.fail(errLayout)
			}
		case 13:
			c.former = i != 0
		}
	})
	return c, err
}

func decodeFile(rec string) (f fileEntry, err error) {
	d := decoder{s: rec}
	err = d.fields(func(field, _ int, s string) {
		switch field {
		case 1:
			f.path = s
		case 2:
			f.hash = s
		case 3:
			x, err := decodeDefect(s)
			d.sub(err)
			f.defects = append(f.defects, x)
		}
	})
	return f, err
}

func decodeDefect(rec string) (x Defect, err error) {
	d := decoder{s: rec}
	err = d.fields(func(field, i int, s string) {
		switch field {
		case 1:
			x.File = s
		case 2:
			x.Norm = s
		case 3:
			x.Kind = s
		case 4:
			x.Detail = s
		case 5:
			x.Skipped = i != 0
		}
	})
	return x, err
}

// memoryHash is the hash that the documents would have on disk, without the
// names of their files.
func memoryHash(c *core) string {
	m := &manifest{}
	for i := range c.entries {
		data, err := encodeUnits(c.bodies[i].(*memoryBody).units)
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
