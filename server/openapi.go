package server

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"digesto"
	"digesto/corpus"
	"digesto/store"

	"github.com/google/jsonschema-go/jsonschema"
)

// Replies are examples of what operations answer: by the id of the operation, then by media.
type Replies map[string]map[string]any

// Doc describes a route in /openapi.json. The values are those that the handler
// reads and writes, empty: their types give the schemas.
type Doc struct {
	Summary   string   // Spanish
	About     string   // what the summary has no room for, Spanish; "" = nothing
	Query     any      // a struct: its fields are the parameters of the query
	Body      any      // of the request; nil: none
	Reply     any      // nil: 204, nothing
	Event     any      // what a stream sends instead, on request; nil: it never does
	Media     string   // of the reply; "" = application/json
	Also      []string // media that it sends instead where the query asks for them, as text
	Fault     any      // body of an error; nil: a problem (RFC 9457)
	OrProblem bool     // what is refused before it gets to who answers so is a problem
	Either    []string // fields of the body of which one must be there
	Loose     bool     // fields of the body that are not known do no harm
	Example   any      // of the body, or by name of the parameters of the query; nil: none
}

// eventForm is an event of a stream (WHATWG HTML, "Server-sent events").
type eventForm struct {
	Event string `json:"event,omitempty" jsonschema:"Su clase; sin ella, «message»."`
	ID    string `json:"id,omitempty" jsonschema:"Lo que se manda en «Last-Event-ID» para seguir."`
	Data  string `json:"data" jsonschema:"Un valor JSON."`
}

// table is a route table that remembers its patterns.
type table struct {
	*http.ServeMux
	patterns []string
	docs     map[string]*Doc
	asked    map[string]asked // by pattern, of those of the API
	refuse   func(http.ResponseWriter, *http.Request, error)
}

func newTable(refuse func(http.ResponseWriter, *http.Request, error)) *table {
	return &table{ServeMux: http.NewServeMux(), docs: map[string]*Doc{}, asked: map[string]asked{}, refuse: refuse}
}

func (t *table) HandleFunc(pattern string, h func(http.ResponseWriter, *http.Request)) {
	t.Handle(pattern, http.HandlerFunc(h))
}

func (t *table) Handle(pattern string, h http.Handler) {
	if ofAPI(pattern) {
		h = t.strict(pattern, h)
	}
	t.ServeMux.Handle(pattern, h)
	t.patterns = append(t.patterns, pattern)
}

// Routes gives the patterns of what the server answers, as net/http writes them.
func (s *Server) Routes() []string { return slices.Clone(s.table.patterns) }

// methods are those that the path of a request can be asked with.
func (t *table) methods(r *http.Request) (out []string) {
	for _, m := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodPut, http.MethodDelete} {
		probe := http.Request{Method: m, URL: r.URL, Host: r.Host}
		if _, pattern := t.Handler(&probe); pattern != "" && pattern != "/" {
			out = append(out, m)
		}
	}
	return out
}

// The document (OpenAPI Specification 3.1.0), as far as it is used here.
type (
	apiDocument struct {
		OpenAPI    string                              `json:"openapi"`
		Info       apiInfo                             `json:"info"`
		Servers    []apiServer                         `json:"servers"`
		Tags       []apiTag                            `json:"tags"`
		Paths      map[string]map[string]*apiOperation `json:"paths"`
		Components apiComponents                       `json:"components"`
		Security   []map[string][]string               `json:"security"`

		given   map[string]any // examples of what stands in paths, by name
		replies Replies
	}
	apiInfo struct {
		Title       string `json:"title"`
		Description string `json:"description"`
		Version     string `json:"version"`
	}
	apiServer struct {
		URL         string `json:"url"`
		Description string `json:"description,omitempty"`
	}
	apiTag struct {
		Name        string `json:"name"`
		Description string `json:"description,omitempty"`
	}
	apiComponents struct {
		Schemas  map[string]*jsonschema.Schema `json:"schemas"`
		Security map[string]map[string]string  `json:"securitySchemes"`
	}
	apiOperation struct {
		ID         string              `json:"operationId"`
		Tags       []string            `json:"tags"`
		Summary    string              `json:"summary"`
		About      string              `json:"description,omitempty"`
		Parameters []apiParameter      `json:"parameters,omitempty"`
		Body       *apiBody            `json:"requestBody,omitempty"`
		Responses  map[string]*apiBody `json:"responses"`
	}
	apiParameter struct {
		Name        string             `json:"name"`
		In          string             `json:"in"`
		Description string             `json:"description,omitempty"`
		Required    bool               `json:"required,omitempty"`
		Schema      *jsonschema.Schema `json:"schema"`
		Example     any                `json:"example,omitempty"`
	}
	apiBody struct {
		Description string              `json:"description,omitempty"`
		Required    bool                `json:"required,omitempty"`
		Content     map[string]apiMedia `json:"content,omitempty"`
	}
	apiMedia struct {
		Schema  *jsonschema.Schema `json:"schema"`
		Example any                `json:"example,omitempty"`
	}
)

// describe serves the description of what a table answers to programs.
func (s *Server) describe(mux *table) {
	described := sync.OnceValues(func() (*apiDocument, error) { return s.document(mux) })
	made := sync.OnceValues(func() ([]byte, error) {
		doc, err := described()
		if err != nil {
			return nil, err
		}
		return json.MarshalIndent(doc, "", "  ")
	})
	mux.HandleFunc("GET /docs", func(w http.ResponseWriter, r *http.Request) {
		doc, err := described()
		if err != nil {
			s.fail(w, r, err)
			return
		}
		s.page(w, r, http.StatusOK, "api", "Para programas", apiPageOf(doc, baseOf(r)))
	})
	mux.HandleFunc("GET /openapi.json", func(w http.ResponseWriter, r *http.Request) {
		b, err := made()
		if err != nil {
			s.fail(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(b)
	})
}

// forPrograms says whether a pattern is of the API; all others are pages.
func forPrograms(path string) bool {
	return strings.HasPrefix(path, "/v1/") || slices.Contains([]string{"/mcp", "/healthz", "/readyz", "/metrics", "/openapi.json"}, path)
}

func (s *Server) document(mux *table) (*apiDocument, error) {
	examples := s.examples()
	d := &apiDocument{given: s.given(), replies: s.opt.Replies, OpenAPI: "3.1.0", Paths: map[string]map[string]*apiOperation{},
		Info:    apiInfo{"Digesto", "Preguntas jurídicas contestadas con citas literales, localizadas y fechadas. Los errores son application/problem+json (RFC 9457) con un código de una lista cerrada. Un parámetro que no existe, que se repite o que no es de su tipo es un error, como un campo del cuerpo que no existe.", or(s.opt.Version == "", "0", s.opt.Version)},
		Servers: []apiServer{{"/", "Este servidor"}}, Tags: apiTags,
		Components: apiComponents{Schemas: map[string]*jsonschema.Schema{}, Security: map[string]map[string]string{
			"clave": {"type": "http", "scheme": "bearer", "description": "Clave de «digesto keys»; sin ella se pregunta como visitante donde el servidor lo permite."}}},
		Security: []map[string][]string{{}, {"clave": {}}},
	}
	docs := apiDocs()
	for _, p := range mux.patterns {
		method, path, ok := strings.Cut(p, " ")
		if !ok {
			method, path = "POST", p
		}
		if !forPrograms(path) {
			continue
		}
		doc := mux.docs[p]
		if doc == nil {
			doc = docs[p]
		}
		if doc == nil { // a test sees to it that there is none
			doc = &Doc{Summary: p, Reply: map[string]any{}}
		}
		if x, ok := examples[p]; ok {
			with := *doc
			with.Example = x
			doc = &with
		}
		op, err := d.operation(method, path, doc)
		if err != nil {
			return nil, fmt.Errorf("server: %s: %w", p, err)
		}
		if d.Paths[path] == nil {
			d.Paths[path] = map[string]*apiOperation{}
		}
		d.Paths[path][strings.ToLower(method)] = op
	}
	return d, nil
}

var (
	pathValue = regexp.MustCompile(`\{(\w+)\}`)
	notName   = regexp.MustCompile(`[^A-Za-z0-9]+`)
)

func (d *apiDocument) operation(method, path string, doc *Doc) (*apiOperation, error) {
	op := &apiOperation{ID: strings.ToLower(method) + "_" + strings.Trim(notName.ReplaceAllString(path, "_"), "_"), Tags: []string{tagOf(path)}, Summary: doc.Summary, About: doc.About, Responses: map[string]*apiBody{}}
	for _, m := range pathValue.FindAllStringSubmatch(path, -1) {
		op.Parameters = append(op.Parameters, apiParameter{Name: m[1], In: "path", Description: pathWords[m[1]], Required: true, Schema: pathSchema(m[1]), Example: d.given[m[1]]})
	}
	if doc.Query != nil {
		q, err := querySchema(doc.Query)
		if err != nil {
			return nil, err
		}
		given, _ := doc.Example.(map[string]any)
		for _, name := range q.PropertyOrder {
			f := q.Properties[name]
			op.Parameters = append(op.Parameters, apiParameter{Name: name, In: "query", Description: f.Description, Required: slices.Contains(q.Required, name), Schema: f, Example: given[name]})
		}
	}
	if doc.Body != nil {
		body, err := d.content(doc.Body, "application/json")
		if err != nil {
			return nil, err
		}
		if m, ok := body["application/json"]; ok && doc.Example != nil {
			m.Example = doc.Example
			body["application/json"] = m
		}
		op.Body = &apiBody{Required: true, Content: body}
		narrow(d.Components.Schemas[nameOf(reflect.TypeOf(doc.Body))], true)
		for _, name := range doc.Either {
			s := d.Components.Schemas[nameOf(reflect.TypeOf(doc.Body))]
			s.AnyOf = append(s.AnyOf, &jsonschema.Schema{Required: []string{name}})
		}
		if doc.Loose {
			loosen(d.Components.Schemas[nameOf(reflect.TypeOf(doc.Body))])
		}
	}
	return op, d.responses(op, doc)
}

// pathSchema is that of a value in a path: a number of a message, or a name.
func pathSchema(name string) *jsonschema.Schema {
	if name == "seq" {
		return &jsonschema.Schema{Type: "integer", Minimum: jsonschema.Ptr(1.0)}
	}
	return &jsonschema.Schema{Type: "string", MinLength: jsonschema.Ptr(1)}
}

var bounds = regexp.MustCompile(`^De (-?\d+) a (\d+)[.;]`)

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

// responses are the answer, as a value and as events, and whatever else: an error.
func (d *apiDocument) responses(op *apiOperation, doc *Doc) error {
	op.Responses["204"] = &apiBody{Description: "Hecho."}
	if doc.Reply != nil {
		ok, err := d.content(doc.Reply, or(doc.Media == "", "application/json", doc.Media))
		if err != nil {
			return err
		}
		if doc.Event != nil {
			ev, err := d.content(doc.Event, "text/event-stream")
			if err != nil {
				return err
			}
			ok["text/event-stream"] = ev["text/event-stream"]
		}
		for _, media := range doc.Also {
			ok[media] = apiMedia{Schema: &jsonschema.Schema{Type: "string"}}
		}
		delete(op.Responses, "204")
		op.Responses["200"] = &apiBody{Description: "La respuesta.", Content: ok}
	}
	for media, x := range d.replies[op.ID] {
		for _, body := range op.Responses {
			if m, ok := body.Content[media]; ok {
				m.Example = x
				body.Content[media] = m
			}
		}
	}
	var fault any = Problem{}
	media := "application/problem+json"
	if doc.Fault != nil {
		fault, media = doc.Fault, "application/json"
	}
	bad, err := d.content(fault, media)
	if err == nil && doc.OrProblem {
		var more map[string]apiMedia
		more, err = d.content(Problem{}, "application/problem+json")
		maps.Copy(bad, more)
	}
	for _, f := range faults {
		if f.status != "default" && !f.when(op) {
			continue
		}
		status := f.status
		if doc.Fault != nil && status == "422" { // what a client got wrong is a 400 there
			status = "400"
		}
		op.Responses[status] = &apiBody{Description: f.says, Content: withFault(bad, fault, f.code, f.says)}
	}
	return err
}

// withFault gives the media of an error an example of that code.
func withFault(content map[string]apiMedia, fault any, code digesto.Code, says string) map[string]apiMedia {
	err := &digesto.Error{Code: code, Message: says}
	p := problemOf(context.Background(), err)
	p.RequestID = "EJEMPLO234567ABC"
	out := maps.Clone(content)
	for media, m := range out {
		switch m.Example = p; {
		case media == "application/problem+json":
		case reflect.TypeOf(fault) == reflect.TypeFor[chatFault]():
			m.Example = chatProblem(p, err)
		default: // JSON-RPC 2.0, "Error object"
			m.Example = map[string]any{"jsonrpc": "2.0", "id": 1, "error": map[string]any{"code": -32602, "message": says}}
		}
		out[media] = m
	}
	return out
}

// content is a body whose schema is kept once, under the name of its type.
func (d *apiDocument) content(v any, media string) (map[string]apiMedia, error) {
	t := reflect.TypeOf(v)
	s, err := schemaOf(t)
	if err != nil {
		return nil, err
	}
	if t.Name() == "" || t.PkgPath() == "" {
		return map[string]apiMedia{media: {Schema: s}}, nil
	}
	name := nameOf(t)
	d.Components.Schemas[name] = s
	return map[string]apiMedia{media: {Schema: &jsonschema.Schema{Ref: "#/components/schemas/" + name}}}, nil
}

// nameOf is the name of a schema: that of the type, after its package where
// that says something.
func nameOf(t reflect.Type) string {
	pkg := t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+1:]
	if slices.Contains([]string{"digesto", "server", "main", "json"}, pkg) {
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
		reflect.TypeFor[exportFormat]():    {Type: "string", Enum: []any{"", "json", "md", "html"}},
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
