package openapi

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"digesto"
	"digesto/server/wire"
	"digesto/text/lazyregexp"

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
	Fault     any      // body of an error; nil: a problem (RFC 9457). One with a method Of(wire.Problem, error) any gives its own examples
	OrProblem bool     // what is refused before it gets to who answers so is a problem
	Either    []string // fields of the body of which one must be there
	Loose     bool     // fields of the body that are not known do no harm
	Example   any      // of the body, or by name of the parameters of the query; nil: none
}

// EventForm is an event of a stream (WHATWG HTML, "Server-sent events").
type EventForm struct {
	Event string `json:"event,omitempty" jsonschema:"Su clase; sin ella, «message»."`
	ID    string `json:"id,omitempty" jsonschema:"Lo que se manda en «Last-Event-ID» para seguir."`
	Data  string `json:"data" jsonschema:"Un valor JSON."`
}

// The document (OpenAPI Specification 3.1.0), as far as it is used here.
type (
	// Document is the description of an API.
	Document struct {
		OpenAPI    string                           `json:"openapi"`
		Info       Info                             `json:"info"`
		Servers    []Server                         `json:"servers"`
		Tags       []Tag                            `json:"tags"`
		Paths      map[string]map[string]*Operation `json:"paths"`
		Components Components                       `json:"components"`
		Security   []map[string][]string            `json:"security"`

		opt Options
	}
	// Info says what API it is.
	Info struct {
		Title       string `json:"title"`
		Description string `json:"description"`
		Version     string `json:"version"`
	}
	// Server is where it is asked.
	Server struct {
		URL         string `json:"url"`
		Description string `json:"description,omitempty"`
	}
	// Tag is a group of operations.
	Tag struct {
		Name        string `json:"name"`
		Description string `json:"description,omitempty"`
	}
	// Components are the schemas that operations refer to, and how to say who asks.
	Components struct {
		Schemas  map[string]*jsonschema.Schema `json:"schemas"`
		Security map[string]map[string]string  `json:"securitySchemes"`
	}
	// Operation is a method of a path.
	Operation struct {
		ID         string           `json:"operationId"`
		Tags       []string         `json:"tags"`
		Summary    string           `json:"summary"`
		About      string           `json:"description,omitempty"`
		Parameters []Parameter      `json:"parameters,omitempty"`
		Body       *Body            `json:"requestBody,omitempty"`
		Responses  map[string]*Body `json:"responses"`
	}
	// Parameter is a value in a path or a query.
	Parameter struct {
		Name        string             `json:"name"`
		In          string             `json:"in"`
		Description string             `json:"description,omitempty"`
		Required    bool               `json:"required,omitempty"`
		Schema      *jsonschema.Schema `json:"schema"`
		Example     any                `json:"example,omitempty"`
	}
	// Body is what is sent, or a response, by media.
	Body struct {
		Description string           `json:"description,omitempty"`
		Required    bool             `json:"required,omitempty"`
		Content     map[string]Media `json:"content,omitempty"`
	}
	// Media is the form of a body in one media type.
	Media struct {
		Schema  *jsonschema.Schema `json:"schema"`
		Example any                `json:"example,omitempty"`
	}
)

// Options is what a description says besides its operations.
type Options struct {
	Version  string         // of the program; "" = 0
	Replies  Replies        // examples
	Examples map[string]any // of what is sent, by pattern
	InPaths  map[string]any // examples of what stands in paths, by name
}

// Route is an operation to be described, by its pattern as net/http writes it.
type Route struct {
	Pattern string
	Doc     *Doc
}

// Describe makes the description of operations.
func Describe(list []Route, opt Options) (*Document, error) {
	d := &Document{opt: opt, OpenAPI: "3.1.0", Paths: map[string]map[string]*Operation{},
		Info:    Info{"Digesto", "Preguntas jurídicas contestadas con citas literales, localizadas y fechadas. Los errores son application/problem+json (RFC 9457) con un código de una lista cerrada. Un parámetro que no existe, que se repite o que no es de su tipo es un error, como un campo del cuerpo que no existe.", cmp.Or(opt.Version, "0")},
		Servers: []Server{{"/", "Este servidor"}}, Tags: tags,
		Components: Components{Schemas: map[string]*jsonschema.Schema{}, Security: map[string]map[string]string{
			"clave": {"type": "http", "scheme": "bearer", "description": "Clave de «digesto keys»; sin ella se pregunta como visitante donde el servidor lo permite."}}},
		Security: []map[string][]string{{}, {"clave": {}}},
	}
	for _, x := range list {
		method, path, ok := strings.Cut(x.Pattern, " ")
		if !ok {
			method, path = "POST", x.Pattern
		}
		doc := x.Doc
		if doc == nil { // a test sees to it that there is none
			doc = &Doc{Summary: x.Pattern, Reply: map[string]any{}}
		}
		if sent, ok := opt.Examples[x.Pattern]; ok {
			with := *doc
			with.Example = sent
			doc = &with
		}
		op, err := d.operation(method, path, doc)
		if err != nil {
			return nil, fmt.Errorf("openapi: %s: %w", x.Pattern, err)
		}
		if d.Paths[path] == nil {
			d.Paths[path] = map[string]*Operation{}
		}
		d.Paths[path][strings.ToLower(method)] = op
	}
	return d, nil
}

var (
	pathValue = lazyregexp.New(`\{(\w+)\}`)
	notName   = lazyregexp.New(`[^A-Za-z0-9]+`)
)

func (d *Document) operation(method, path string, doc *Doc) (*Operation, error) {
	op := &Operation{ID: strings.ToLower(method) + "_" + strings.Trim(notName.ReplaceAllString(path, "_"), "_"), Tags: []string{tagOf(path)}, Summary: doc.Summary, About: doc.About, Responses: map[string]*Body{}}
	for _, m := range pathValue.FindAllStringSubmatch(path, -1) {
		op.Parameters = append(op.Parameters, Parameter{Name: m[1], In: "path", Description: pathWords[m[1]], Required: true, Schema: pathSchema(m[1]), Example: d.opt.InPaths[m[1]]})
	}
	if doc.Query != nil {
		q, err := querySchema(doc.Query)
		if err != nil {
			return nil, err
		}
		given, _ := doc.Example.(map[string]any)
		for _, name := range q.PropertyOrder {
			f := q.Properties[name]
			op.Parameters = append(op.Parameters, Parameter{Name: name, In: "query", Description: f.Description, Required: slices.Contains(q.Required, name), Schema: f, Example: given[name]})
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
		op.Body = &Body{Required: true, Content: body}
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

// responses are the answer, as a value and as events, and whatever else: an error.
func (d *Document) responses(op *Operation, doc *Doc) error {
	op.Responses["204"] = &Body{Description: "Hecho."}
	if doc.Reply != nil {
		ok, err := d.content(doc.Reply, cmp.Or(doc.Media, "application/json"))
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
			ok[media] = Media{Schema: &jsonschema.Schema{Type: "string"}}
		}
		delete(op.Responses, "204")
		op.Responses["200"] = &Body{Description: "La respuesta.", Content: ok}
	}
	for media, x := range d.opt.Replies[op.ID] {
		for _, body := range op.Responses {
			if m, ok := body.Content[media]; ok {
				m.Example = x
				body.Content[media] = m
			}
		}
	}
	var fault any = wire.Problem{}
	media := "application/problem+json"
	if doc.Fault != nil {
		fault, media = doc.Fault, "application/json"
	}
	bad, err := d.content(fault, media)
	if err == nil && doc.OrProblem {
		var more map[string]Media
		more, err = d.content(wire.Problem{}, "application/problem+json")
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
		op.Responses[status] = &Body{Description: f.says, Content: withFault(bad, fault, f.code, f.says)}
	}
	return err
}

// withFault gives the media of an error an example of that code.
func withFault(content map[string]Media, fault any, code digesto.Code, says string) map[string]Media {
	err := &digesto.Error{Code: code, Message: says}
	p := wire.ProblemOf(context.Background(), err)
	p.RequestID = "EJEMPLO234567ABC"
	out := maps.Clone(content)
	for media, m := range out {
		form, ok := fault.(interface{ Of(wire.Problem, error) any })
		switch m.Example = p; {
		case media == "application/problem+json":
		case ok:
			m.Example = form.Of(p, err)
		default: // JSON-RPC 2.0, "Error object"
			m.Example = map[string]any{"jsonrpc": "2.0", "id": 1, "error": map[string]any{"code": -32602, "message": says}}
		}
		out[media] = m
	}
	return out
}

// content is a body whose schema is kept once, under the name of its type.
func (d *Document) content(v any, media string) (map[string]Media, error) {
	t := reflect.TypeOf(v)
	s, err := schemaOf(t)
	if err != nil {
		return nil, err
	}
	if t.Name() == "" || t.PkgPath() == "" {
		return map[string]Media{media: {Schema: s}}, nil
	}
	name := nameOf(t)
	d.Components.Schemas[name] = s
	return map[string]Media{media: {Schema: &jsonschema.Schema{Ref: "#/components/schemas/" + name}}}, nil
}
