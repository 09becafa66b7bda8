// Package vectorfile keeps the vectors of texts in one file, so that what a slow
// model has seen once it need not see again. A vector stands by the hash of its
// text, as bytes with a scale. What made them stands in the file: vectors of two
// models are never read as one.
//
// A write replaces the whole file or nothing, and every read checks a sum over all
// of it: half a file or a flipped bit is an error, never a wrong neighbour.
package vectorfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"digesto"
)

// Space is what made vectors: two that differ in anything are never compared.
type Space struct {
	Name string `json:"name"`
	Dims int    `json:"dims"`
	Hash string `json:"hash"` // of the model's weights
}

// Key is the hash of a text.
type Key [16]byte

// KeyOf gives the key of a text: the first half of its SHA-256.
func KeyOf(text string) Key {
	sum := sha256.Sum256([]byte(text))
	return Key(sum[:16])
}

// File is an open file. It is safe for any number of goroutines.
type File struct {
	path  string
	space Space

	mu    sync.RWMutex
	rows  map[Key]row
	fresh int // rows that the file does not have yet
}

type row struct {
	scale float32
	bytes []int8
}

const (
	magic   = "digesto vectors 1\n"
	maxDims = 8192
	maxHead = 1 << 12
)

// header is the JSON after the magic word, its length before it as uint32.
type header struct {
	Space
	Rows int `json:"rows"`
}

// Open reads the file at path; where there is none it begins empty, and nothing is
// written before Save. Vectors of another space are an error with CodeConflict, a
// damaged file one with CodeInvalid; both say what to do.
func Open(path string, space Space) (*File, error) {
	f := &File{path: path, space: space, rows: map[Key]row{}}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, damaged(path, err)
	}
	if err := f.read(data); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *File) read(data []byte) error {
	found, rows, err := decode(data)
	if err != nil {
		return damaged(f.path, err)
	}
	if found != f.space {
		return &digesto.Error{Code: digesto.CodeConflict,
			Message: fmt.Sprintf("Los vectores guardados en %s son de «%s» (%d dimensiones, pesos %.8s) y el modelo de ahora es «%s» (%d, %.8s)",
				f.path, found.Name, found.Dims, found.Hash, f.space.Name, f.space.Dims, f.space.Hash),
			Hint: "Vuelva a crearlos con el modelo de ahora: digesto corpus vectors --new"}
	}
	f.rows = rows
	return nil
}

func damaged(path string, err error) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: "El fichero de vectores " + path + " no se puede leer o está dañado", Err: err,
		Hint: "Se puede volver a crear sin perder nada: digesto corpus vectors --new"}
}

// Space is what made the vectors of the file.
func (f *File) Space() Space { return f.space }

// Path is where it stands.
func (f *File) Path() string { return f.path }

// Len counts the vectors.
func (f *File) Len() int {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return len(f.rows)
}

// Has says whether a text has its vector.
func (f *File) Has(k Key) bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	_, ok := f.rows[k]
	return ok
}

// Dot gives the product of a text's vector with another of unit length.
func (f *File) Dot(k Key, v []float32) (float64, bool) {
	f.mu.RLock()
	r, ok := f.rows[k]
	f.mu.RUnlock()
	if !ok || len(v) != len(r.bytes) {
		return 0, false
	}
	return r.dot(v), true
}

func (r row) dot(v []float32) float64 {
	sum := 0.0
	for i, x := range r.bytes {
		sum += float64(float64(x) * float64(v[i]))
	}
	return sum * float64(r.scale)
}

// Vector gives a text's vector; nil when it has none.
func (f *File) Vector(k Key) []float32 {
	f.mu.RLock()
	r, ok := f.rows[k]
	f.mu.RUnlock()
	if !ok {
		return nil
	}
	v := make([]float32, len(r.bytes))
	for i, x := range r.bytes {
		v[i] = float32(x) * r.scale
	}
	return v
}

// Put keeps a vector of unit length. One of another length, or with what is no
// number, is refused.
func (f *File) Put(k Key, v []float32) error {
	most := float32(0)
	for _, x := range v {
		if x != x || x > math.MaxFloat32 || x < -math.MaxFloat32 {
			return &digesto.Error{Code: digesto.CodeInvalid, Message: "Un vector tiene un valor que no es un número", Hint: "Revise el modelo de vectores."}
		}
		most = max(most, x, -x)
	}
	if len(v) != f.space.Dims {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("Un vector tiene %d dimensiones y se esperaban %d", len(v), f.space.Dims), Hint: "Revise el modelo de vectores."}
	}
	r := row{bytes: make([]int8, len(v))}
	if most > 0 {
		r.scale = most / 127
		for i, x := range v {
			r.bytes[i] = int8(math.Round(float64(x) * 127 / float64(most)))
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.rows[k]; !ok {
		f.fresh++
	}
	f.rows[k] = r
	return nil
}

// Add takes the vectors of another file of the same space that this one lacks.
func (f *File) Add(other *File) {
	if other.space != f.space || other == f {
		return
	}
	other.mu.RLock()
	defer other.mu.RUnlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	for k, r := range other.rows {
		if _, ok := f.rows[k]; !ok {
			f.rows[k] = r
			f.fresh++
		}
	}
}

// Save writes what is not written yet, together with what another process may have
// written since: a temporary file that takes the old one's place. Without anything
// new it does nothing.
func (f *File) Save() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fresh == 0 {
		return nil
	}
	if data, err := os.ReadFile(f.path); err == nil {
		if found, rows, err := decode(data); err == nil && found == f.space {
			for k, r := range rows {
				if _, ok := f.rows[k]; !ok {
					f.rows[k] = r
				}
			}
		}
	}
	if err := replace(f.path, encode(f.space, f.rows)); err != nil {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "No se pueden guardar los vectores en " + f.path, Err: err, Hint: "Revise los permisos de la carpeta de datos y el sitio libre."}
	}
	f.fresh = 0
	return nil
}

// replace writes a file beside path, to the disk, and renames it.
func replace(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	t, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(t.Name()) }() // fails after the rename, as it should
	_, err = t.Write(data)
	if err == nil {
		err = t.Sync()
	}
	if e := t.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(t.Name(), path)
}

// encode writes magic, header, rows by key and the SHA-256 of all that.
func encode(s Space, rows map[Key]row) []byte {
	head, err := json.Marshal(header{s, len(rows)})
	if err != nil {
		panic(err) // strings and numbers
	}
	keys := make([]Key, 0, len(rows))
	for k := range rows {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b Key) int { return bytes.Compare(a[:], b[:]) })
	b := make([]byte, 0, len(magic)+4+len(head)+len(rows)*(20+s.Dims)+sha256.Size)
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
	b = append(b, head...)
	for _, k := range keys {
		r := rows[k]
		b = append(b, k[:]...)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(r.scale))
		for _, x := range r.bytes {
			b = append(b, byte(x))
		}
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

var errForm = errors.New("not the form of a file of vectors")

// decode reads what encode wrote, and nothing else.
func decode(b []byte) (Space, map[Key]row, error) {
	if len(b) < len(magic)+4+sha256.Size || string(b[:len(magic)]) != magic {
		return Space{}, nil, errForm
	}
	body := b[:len(b)-sha256.Size]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], b[len(body):]) {
		return Space{}, nil, errors.New("the sum does not hold")
	}
	body = body[len(magic):]
	n := binary.LittleEndian.Uint32(body)
	if body = body[4:]; n > maxHead || int(n) > len(body) {
		return Space{}, nil, errForm
	}
	var h header
	if err := json.Unmarshal(body[:n], &h); err != nil {
		return Space{}, nil, err
	}
	body = body[n:]
	if h.Dims < 1 || h.Dims > maxDims || h.Rows < 0 || len(body)%(20+h.Dims) != 0 || len(body)/(20+h.Dims) != h.Rows {
		return Space{}, nil, errForm
	}
	rows := make(map[Key]row, h.Rows)
	values := make([]int8, h.Rows*h.Dims)
	for len(body) > 0 {
		r := row{scale: math.Float32frombits(binary.LittleEndian.Uint32(body[16:])), bytes: values[:h.Dims:h.Dims]}
		for i := range r.bytes {
			r.bytes[i] = int8(body[20+i])
		}
		if r.scale != r.scale || r.scale < 0 || r.scale > 1 {
			return Space{}, nil, errForm
		}
		rows[Key(body[:16])] = r
		body, values = body[20+h.Dims:], values[h.Dims:]
	}
	return h.Space, rows, nil
}
