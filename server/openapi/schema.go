package openapi

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/store"
	"digesto/text/lazyregexp"

	"github.com/google/jsonschema-go/jsonschema"
)

// pathSchema is that of a value in a path: a number of a message, or a name.
func pathSchema(name string) *jsonschema.Schema {
	if name == "seq" {
		return &jsonschema.Schema{Type: "integer", Minimum: jsonschema.Ptr(1.0)}
	}
	return &jsonschema.Schema{Type: "string", MinLength: jsonschema.Ptr(1)}
}

var bounds = lazyregexp.New(`^De (-?\d+) a (\d+)[.;]`)

// narrow adds to the schema of what a client sends what the handlers ask of it
// and Go types cannot say: a field that must be there is not empty, and a number
// keeps within the bounds that its description begins with. In a body, null
// stands for what is left out.
func narrow(s *jsonschema.Schema, body bool) {
	if s == nil {
		return
	}
	for name, f := range s.Properties {
		if slices.Contains(s.Required, name) && f.Type == "string" {
			f.MinLength = jsonschema.Ptr(1)
			f.Pattern = strings.NewReplacer("^(", "^", ")?$", "$").Replace(f.Pattern) // a date that must be there
		}
		if body && !slices.Contains(s.Required, name) {
			nullable(f)
		}
		if strings.HasPrefix(f.Description, "Solo false") {
			f.Enum = []any{false, nil}
		}
		if m := bounds.FindStringSubmatch(f.Description); m != nil && (f.Type == "integer" || slices.Contains(f.Types, "integer")) {
			low, _ := strconv.ParseFloat(m[1], 64)
			high, _ := strconv.ParseFloat(m[2], 64)
			f.Minimum, f.Maximum = &low, &high
		}
	}
}

// nullable says that null stands for what is left out, here and within, where
// nothing is asked for.
func nullable(s *jsonschema.Schema) {
	if s.Type != "" && s.Enum == nil {
		s.Types, s.Type = []string{"null", s.Type}, ""
	}
	if s.Items != nil {
		nullable(s.Items)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil {
		nullable(s.AdditionalProperties)
	}
	s.Required = nil
	for _, p := range s.Properties {
		nullable(p)
	}
}

// loosen lets a schema and those within it accept fields that they do not name.
func loosen(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Properties) > 0 {
		s.AdditionalProperties = nil
	}
	loosen(s.Items)
	for _, p := range s.Properties {
		loosen(p)
	}
}

// nameOf is the name of a schema: that of the type, after its package where
// that says something.
func nameOf(t reflect.Type) string {
	pkg := t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+1:]
	if slices.Contains([]string{"digesto", "server", "openai", "openapi", "wire", "main", "json"}, pkg) {
		pkg = ""
	}
	return title(pkg) + title(t.Name())
}

func title(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// ExportFormat is the form of an exported conversation: json, or nothing, md or html.
type ExportFormat string

// schemaOf derives the JSON Schema of a type; what a type cannot say is added.
func schemaOf(t reflect.Type) (*jsonschema.Schema, error) {
	return jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage](): {Description: "Cualquier valor."},
		reflect.TypeFor[store.Metadata]():  {Types: []string{"null", "object"}},
		reflect.TypeFor[digesto.Date]():    {Type: "string", Pattern: `^(\d{4}-\d{2}-\d{2})?$`, Description: "AAAA-MM-DD"},
		reflect.TypeFor[digesto.Code]():    {Type: "string", Enum: codes()},
		reflect.TypeFor[digesto.Outcome](): {Type: "string", Enum: outcomes()},
		reflect.TypeFor[store.State]():     {Type: "string", Enum: []any{string(store.Active), string(store.Archived), string(store.Deleted)}},
		reflect.TypeFor[corpus.Form]():     {Type: "string", Enum: forms()},
		reflect.TypeFor[ExportFormat]():    {Type: "string", Enum: []any{"", "json", "md", "html"}},
	}})
}

// forms are the forms of a citation, and that of all.
func forms() []any {
	out := []any{""}
	for _, f := range corpus.Forms {
		out = append(out, string(f))
	}
	return out
}

func codes() []any    { return keys(digesto.Codes) }
func outcomes() []any { return keys(digesto.Outcomes) }

func keys[K ~string, V any](m map[K]V) []any {
	var names []string
	for k := range m {
		names = append(names, string(k))
	}
	slices.Sort(names)
	out := make([]any, len(names))
	for i, n := range names {
		out[i] = n
	}
	return out
}
