// Package trace keeps the whole way of each answer in a folder, a file each or,
// where a server answers, one behind the other ([Log]), and compares an answer with the one given again. It knows nothing of how an
// answer comes about.
package trace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"digesto"
)

// maxFile bounds a trace that is read, in bytes.
const maxFile = 64 << 20

// Record is one answer and what it came from.
type Record struct {
	ID       string           `json:"id"` // meta.trace_id of the answer
	At       time.Time        `json:"at"`
	User     string           `json:"user,omitempty"`
	Program  string           `json:"program"` // version and revision
	Question digesto.Question `json:"question"`
	Session  string           `json:"session_id,omitempty"`
	Turn     int64            `json:"turn,omitempty"`
	Sticky   string           `json:"conversation_pack,omitempty"`
	ChatType string           `json:"conversation_type,omitempty"`
	Pack     string           `json:"pack"`
	Own      string           `json:"own,omitempty"` // [pack.Pack.Sum] of that pack; "" in traces of before
	AsOf     digesto.Date     `json:"as_of"`
	Corpus   string           `json:"corpus"` // hash of the snapshot; "embedded"
	From     string           `json:"from,omitempty"`
	Vectors  bool             `json:"vectors"`          // searched by meaning too
	Recipe   string           `json:"recipe,omitempty"` // of the search, where the question asked for one
	Roles    []string         `json:"roles,omitempty"`  // of the models that were configured
	Stages   []Stage          `json:"stages"`
	// Answer is given without times and ids, so that two runs can be compared by
	// their bytes; SHA256 is of those bytes.
	Answer    json.RawMessage   `json:"answer"`
	SHA256    string            `json:"sha256"`
	Exchanges []json.RawMessage `json:"exchanges,omitempty"` // with models
}

// Stage is when a stage of the way began, in µs from the arrival of the question.
type Stage struct {
	Name  string `json:"stage"`
	Begin int64  `json:"begin_us"`
}

// Bytes gives an answer in the form that is compared: without times, without
// ids, and without counts that say how a model was reached and not what it said.
func Bytes(a digesto.Answer) ([]byte, error) {
	if a.Meta != nil {
		m := *a.Meta
		m.ElapsedMS, m.SessionID, m.TraceID, m.ModelCalls = 0, "", "", digesto.ModelCalls{}
		m.Models = digesto.Models{}
		for role, u := range a.Meta.Models {
			m.Models[role] = digesto.ModelUse{Path: u.Path, Why: u.Why, Model: u.Model, Prompt: u.Prompt}
		}
		a.Meta = &m
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the form that RawMessage keeps too
	err := enc.Encode(a)
	return bytes.TrimSpace(b.Bytes()), err
}

// Sum is the SHA-256 of bytes, hexadecimal.
func Sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// Folder holds traces, in a folder for each day. It is safe for any number of
// goroutines and processes.
type Folder struct{ Dir string }

// Put keeps a trace; one with the same id of the same day is replaced. What was
// kept is whole after a crash, or not there.
func (f Folder) Put(r Record) error {
	if !plain(r.ID) {
		return badID()
	}
	dir := filepath.Join(f.Dir, r.At.UTC().Format(time.DateOnly))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	data, err := Encode(r)
	if err != nil {
		return err
	}
	t, err := os.CreateTemp(dir, ".new-")
	if err != nil {
		return err
	}
	_, err = t.Write(data)
	if err = errors.Join(err, t.Close()); err == nil {
		err = os.Rename(t.Name(), filepath.Join(dir, r.ID+".json"))
	}
	if err != nil {
		_ = os.Remove(t.Name())
	}
	return err
}

// Encode writes a trace in the form that is kept.
func Encode(r Record) ([]byte, error) {
	if !plain(r.ID) {
		return nil, badID()
	}
	answer, exchanges := r.Answer, r.Exchanges
	r.Answer, r.Exchanges = nil, nil
	var data bytes.Buffer
	enc := json.NewEncoder(&data)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return nil, err
	}
	return whole(data.Bytes(), answer, exchanges)
}

// empty is how a record without answer ends: its answer and exchanges, most of its
// bytes, are JSON already and are put there as they are.
const empty = `"answer":null,"sha256":`

func whole(record []byte, answer json.RawMessage, exchanges []json.RawMessage) ([]byte, error) {
	if answer == nil {
		answer = json.RawMessage("null")
	}
	head, rest, ok := bytes.Cut(bytes.TrimSpace(record), []byte(empty))
	if !ok || !json.Valid(answer) || slices.ContainsFunc(exchanges, func(x json.RawMessage) bool { return !json.Valid(x) }) {
		return nil, &digesto.Error{Code: digesto.CodeInternal, Message: "La traza no es JSON"}
	}
	end := []byte("}\n")
	if len(exchanges) > 0 {
		list := make([][]byte, len(exchanges))
		for k, x := range exchanges {
			list[k] = x
		}
		end = slices.Concat([]byte(`,"exchanges":[`), bytes.Join(list, []byte(",")), []byte("]}\n"))
	}
	return slices.Concat(head, []byte(`"answer":`), answer, []byte(`,"sha256":`), bytes.TrimSuffix(rest, []byte("}")), end), nil
}

func badID() error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: "El identificador de la traza no es válido"}
}

// NotFound says that there is no trace with an id.
func NotFound(id string) error {
	return &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ninguna traza «" + id + "»", Hint: "Use el «trace_id» de una respuesta. Sin carpeta de datos no se guardan trazas, y pasado su plazo se borran."}
}

// plain says whether an id can name a file: letters, digits, "-" and "_".
func plain(id string) bool {
	for _, c := range id {
		if c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return id != "" && len(id) <= 128
}

// days are the folders of the days, newest first.
func (f Folder) days() []string {
	list, _ := os.ReadDir(f.Dir)
	var out []string
	for _, d := range list {
		if _, err := time.Parse(time.DateOnly, d.Name()); err == nil && d.IsDir() {
			out = append(out, d.Name())
		}
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}

// Get gives the newest trace with an id: not_found without one, invalid for one
// that was changed after it was kept.
func (f Folder) Get(id string) (Record, error) {
	if plain(id) {
		for _, day := range f.days() {
			data, err := readFile(filepath.Join(f.Dir, day, id+".json"))
			if errors.Is(err, fs.ErrNotExist) {
				var ok bool
				if data, ok, err = f.logged(day, id); err == nil && !ok {
					continue
				}
			}
			if err != nil {
				return Record{}, &digesto.Error{Code: digesto.CodeInvalid, Message: "La traza «" + id + "» no se puede leer", Err: err, Hint: "Revise los permisos de la carpeta de datos."}
			}
			return Decode(id, data)
		}
	}
	return Record{}, NotFound(id)
}

func readFile(path string) ([]byte, error) {
	st, err := os.Stat(path)
	if err == nil && st.Size() > maxFile {
		return nil, fmt.Errorf("%d bytes", st.Size())
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// Decode reads what Encode wrote: invalid where it is not what was kept under the id.
func Decode(id string, data []byte) (Record, error) {
	var r Record
	if err := json.Unmarshal(data, &r); err != nil {
		return r, &digesto.Error{Code: digesto.CodeInvalid, Message: "La traza «" + id + "» está dañada", Err: err, Hint: "Restaure una copia de seguridad."}
	}
	if r.ID != id || Sum(r.Answer) != r.SHA256 {
		return r, &digesto.Error{Code: digesto.CodeInvalid, Message: "La traza «" + id + "» no es la que se guardó: su respuesta no tiene el resumen SHA-256 que dice", Hint: "Restaure una copia de seguridad."}
	}
	return r, nil
}

// Prune removes the days before a day.
func (f Folder) Prune(before time.Time) error {
	var errs []error
	for _, day := range f.days() {
		if day < before.UTC().Format(time.DateOnly) {
			errs = append(errs, os.RemoveAll(filepath.Join(f.Dir, day)))
		}
	}
	return errors.Join(errs...)
}

// Drop removes the traces that match, as when what was said has to be erased.
// It reads them all.
func (f Folder) Drop(match func(Record) bool) error {
	var errs []error
	for _, day := range f.days() {
		list, err := filepath.Glob(filepath.Join(f.Dir, day, "*.json"))
		errs = append(errs, err)
		for _, path := range list {
			data, err := readFile(path)
			var r Record
			if err == nil && json.Unmarshal(data, &r) == nil && match(r) {
				errs = append(errs, os.Remove(path))
			}
		}
		logs, err := filepath.Glob(filepath.Join(f.Dir, day, "*"+logName))
		errs = append(errs, err)
		for _, path := range logs {
			errs = append(errs, dropLogged(path, match))
		}
	}
	return errors.Join(errs...)
}

// Difference is a field that is not the same in two answers; "" stands for one
// that is not there.
type Difference struct {
	Field    string `json:"field"` // path with points: "citations.0.quote"
	Recorded string `json:"recorded"`
	Now      string `json:"now"`
}

// Compare names the fields in which two answers differ, in order.
func Compare(recorded, now []byte) ([]Difference, error) {
	if bytes.Equal(recorded, now) {
		return nil, nil
	}
	var a, b any
	if err := errors.Join(json.Unmarshal(recorded, &a), json.Unmarshal(now, &b)); err != nil {
		return nil, err
	}
	left, right := map[string]string{}, map[string]string{}
	flatten("", a, left)
	flatten("", b, right)
	var out []Difference
	for k, v := range left {
		if w, ok := right[k]; !ok || v != w {
			out = append(out, Difference{k, v, w})
		}
	}
	for k, w := range right {
		if _, ok := left[k]; !ok {
			out = append(out, Difference{k, "", w})
		}
	}
	slices.SortFunc(out, func(x, y Difference) int { return bytes.Compare([]byte(x.Field), []byte(y.Field)) })
	if len(out) == 0 {
		out = append(out, Difference{Field: "bytes", Recorded: Sum(recorded), Now: Sum(now)})
	}
	return out, nil
}

// flatten writes the leaves of a JSON value under their paths.
func flatten(path string, v any, out map[string]string) {
	under := func(k string) string {
		if path == "" {
			return k
		}
		return path + "." + k
	}
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			flatten(under(k), x, out)
		}
	case []any:
		for i, x := range v {
			flatten(under(fmt.Sprint(i)), x, out)
		}
	default:
		b, _ := json.Marshal(v)
		out[path] = string(b)
	}
}
