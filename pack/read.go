package pack

import (
	"bytes"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"digesto"
	"digesto/text/lazyregexp"
)

// Problem is one fault of a pack, where it is.
type Problem struct {
	File string
	Line int // 0 = the file as a whole
	Text string
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)
}

// MaxFile bounds one file of a pack, in bytes.
const MaxFile = 8 << 20

// reader reads the files of one pack and keeps what it found wrong.
type reader struct {
	fsys fs.FS
	dir  string
	sum  hash.Hash // SHA-256 of the names and contents of what was read
	bad  []Problem
}

func (r *reader) fail(file string, line int, format string, a ...any) {
	r.bad = append(r.bad, Problem{file, line, fmt.Sprintf(format, a...)})
}

// open reads a file named in the manifest: relative to the pack, "../" allowed
// as far as the file system goes.
func (r *reader) open(name string) (file string, data []byte, ok bool) {
	file = path.Join(r.dir, name)
	if !fs.ValidPath(file) {
		r.fail("pack.yaml", 0, "el archivo «%s» queda fuera de la carpeta de paquetes", name)
		return file, nil, false
	}
	f, err := r.fsys.Open(file)
	if err != nil {
		r.fail(file, 0, "no se puede abrir: %s", reason(err))
		return file, nil, false
	}
	defer func() { _ = f.Close() }() // only read
	var b bytes.Buffer
	if st, err := f.Stat(); err == nil {
		b.Grow(int(min(st.Size(), MaxFile)) + bytes.MinRead)
	}
	_, err = b.ReadFrom(io.LimitReader(f, MaxFile+1))
	data = b.Bytes()
	switch {
	case err != nil:
		r.fail(file, 0, "no se puede leer: %s", reason(err))
	case len(data) > MaxFile:
		r.fail(file, 0, "pasa de %d MB", MaxFile>>20)
	case !utf8.Valid(data):
		r.fail(file, 0, "no está en UTF-8")
	default:
		_, _ = io.WriteString(r.sum, file) // a hash takes all
		_, _ = r.sum.Write(data)
		return file, data, true
	}
	return file, nil, false
}

func reason(err error) string { return digesto.Told(err) }

// glob gives the files that a name of the manifest stands for, in order.
func (r *reader) glob(name string) []string {
	if !strings.ContainsAny(name, "*?[") {
		return []string{name}
	}
	found, err := fs.Glob(r.fsys, path.Join(r.dir, name))
	if err != nil || len(found) == 0 {
		r.fail("pack.yaml", 0, "ningún archivo corresponde a «%s»", name)
		return nil
	}
	for i, f := range found {
		found[i] = strings.TrimPrefix(f, path.Clean(r.dir)+"/")
	}
	return found
}

// yaml decodes a file into v; unknown fields are faults with their line, except of a file that has
// its tree: that is made of what is checked.
func (r *reader) yaml(name string, v any) (file string, line func(...any) int, ok bool) {
	file, data, ok := r.open(name)
	if !ok {
		return file, nil, false
	}
	tree, _ := fs.ReadFile(r.fsys, file+TreeSuffix) // most have none
	doc := readTree(tree, data)
	if doc == nil || doc.Decode(v) != nil {
		dec := yaml.NewDecoder(bytes.NewReader(data))
		dec.KnownFields(true)
		if err := dec.Decode(v); err != nil && !errors.Is(err, io.EOF) {
			r.yamlError(file, err)
			return file, nil, false
		}
		doc = nil // parsed again only when a fault asks for a line
	}
	return file, func(at ...any) int {
		if doc == nil {
			doc = new(yaml.Node)
			_ = yaml.Unmarshal(data, doc) // the same bytes decoded a moment ago
		}
		return lineOf(doc, at)
	}, true
}

// strict decodes a mapping into a struct and refuses keys that it does not have:
// a decoder's own strictness ends where a type reads its node itself.
func strict(n *yaml.Node, v any) error {
	known := map[string]bool{}
	t := reflect.TypeOf(v).Elem()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		known[name] = true
	}
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if k := n.Content[i]; !known[k.Value] {
				return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: field %s not found in type", k.Line, k.Value)}}
			}
		}
	}
	return n.Decode(v)
}

var yamlLine = lazyregexp.New(`line (\d+): (.*)`)

func (r *reader) yamlError(file string, err error) {
	var te *yaml.TypeError
	if errors.As(err, &te) {
		for _, e := range te.Errors {
			r.yamlLine(file, e)
		}
		return
	}
	r.yamlLine(file, err.Error())
}

func (r *reader) yamlLine(file, e string) {
	m := yamlLine.FindStringSubmatch(e)
	if m == nil {
		r.fail(file, 0, "no es YAML válido: %s", strings.TrimPrefix(e, "yaml: "))
		return
	}
	n, _ := strconv.Atoi(m[1])
	what := m[2]
	switch {
	case strings.Contains(what, "not found in type"):
		f := strings.Fields(what)
		r.fail(file, n, "el campo «%s» no existe", f[1])
	case strings.Contains(what, "already defined") || strings.Contains(what, "already set"):
		r.fail(file, n, "un campo está dos veces: %s", what)
	case strings.HasPrefix(what, "cannot unmarshal"):
		r.fail(file, n, "el valor no es del tipo que se espera (%s)", strings.TrimPrefix(what, "cannot unmarshal "))
	default:
		r.fail(file, n, "no es YAML válido: %s", what)
	}
}

// lineOf walks a document by keys and indices and gives the line it arrives at,
// or that of the last node it found.
func lineOf(n *yaml.Node, at []any) int {
	if n.Kind == yaml.DocumentNode && len(n.Content) > 0 {
		n = n.Content[0]
	}
	line := n.Line
	for _, a := range at {
		next := child(n, a)
		if next == nil {
			return line
		}
		n, line = next, next.Line
	}
	return line
}

func child(n *yaml.Node, a any) *yaml.Node {
	switch k := a.(type) {
	case int:
		if n.Kind == yaml.SequenceNode && k < len(n.Content) {
			return n.Content[k]
		}
	case string:
		if n.Kind == yaml.MappingNode {
			for i := 0; i+1 < len(n.Content); i += 2 {
				if n.Content[i].Value == k {
					return n.Content[i+1]
				}
			}
		}
	}
	return nil
}

// tsv gives the rows of a file of values separated by tabs, under a header that
// must hold exactly the columns wanted; the last may be left out when its name ends in
// "?". "#" begins a comment line.
func (r *reader) tsv(name string, columns ...string) (file string, rows []row) {
	file, data, ok := r.open(name)
	if !ok {
		return file, nil
	}
	var head []string
	last := len(columns) - 1
	may, optional := strings.CutSuffix(columns[last], "?")
	columns = append(columns[:last:last], may)
	for i, l := range strings.Split(string(data), "\n") {
		l = strings.TrimRight(l, "\r")
		if strings.TrimSpace(l) == "" || strings.HasPrefix(l, "#") {
			continue
		}
		cells := strings.Split(l, "\t")
		if head == nil {
			head = cells
			if !slices.Equal(head, columns) && !(optional && slices.Equal(head, columns[:last])) {
				r.fail(file, i+1, "las columnas deben ser: %s (separadas por tabuladores)", strings.Join(columns, ", "))
				return file, nil
			}
			continue
		}
		if len(cells) > len(columns) {
			r.fail(file, i+1, "tiene %d columnas y deben ser %d", len(cells), len(columns))
			continue
		}
		for len(cells) < len(columns) {
			cells = append(cells, "")
		}
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		rows = append(rows, row{i + 1, cells})
	}
	return file, rows
}

type row struct {
	line  int
	cells []string
}

func invalid(msg, hint string) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: msg, Hint: hint}
}
