package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"digesto"
	"digesto/server/wire"
	"digesto/text"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Tool describes a tool to people and to models, in Spanish.
type Tool struct {
	Name, Title, Description string
	// Enum gives the values allowed in an argument.
	Enum map[string][]string
}

// Add offers a tool that reads. The schema of its arguments is made from In (a
// struct: fields without omitempty are required, the jsonschema tag describes
// them), that of its result from Out unless Out is any. Arguments are checked
// here rather than by the SDK so that what is wrong with them is said in Spanish.
func Add[In, Out any](s *Server, t Tool, fn func(context.Context, In) (Out, error)) error {
	in, err := jsonschema.For[In](nil)
	if err != nil {
		return fmt.Errorf("mcp: %s: %w", t.Name, err)
	}
	for name, values := range t.Enum {
		if in.Properties[name] == nil {
			return fmt.Errorf("mcp: %s: no argument %s", t.Name, name)
		}
		for _, v := range values {
			in.Properties[name].Enum = append(in.Properties[name].Enum, v)
		}
	}
	closed := false
	tool := &sdk.Tool{Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: in,
		Annotations: &sdk.ToolAnnotations{Title: t.Title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &closed, OpenWorldHint: &closed}}
	var zero Out
	if any(zero) != nil {
		if tool.OutputSchema, err = jsonschema.For[Out](nil); err != nil {
			return fmt.Errorf("mcp: %s: %w", t.Name, err)
		}
	}
	s.sdk.AddTool(tool, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var args In
		if err := decode(req.Params.Arguments, in, &args); err != nil {
			return s.failed(t.Name, err), nil
		}
		ctx, cancel := context.WithTimeout(ctx, s.opt.Timeout)
		defer cancel()
		out, err := guarded(ctx, args, fn)
		if err != nil {
			return s.failed(t.Name, err), nil
		}
		return result(out)
	})
	return nil
}

// decode reads arguments: one object, no unknown field, all that are required,
// values of an enumeration.
func decode(data json.RawMessage, schema *jsonschema.Schema, v any) error {
	if len(bytes.TrimSpace(data)) == 0 || string(bytes.TrimSpace(data)) == "null" {
		data = json.RawMessage("{}")
	}
	if err := wire.DecodeBytes(data, v); err != nil {
		var e *digesto.Error
		if errors.As(err, &e) {
			return invalid(e.Message, "los argumentos que hay: "+strings.Join(names(schema), ", "))
		}
		return err
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(data, &given); err != nil {
		return invalid("los argumentos no son un objeto JSON", "envíe un objeto con: "+strings.Join(names(schema), ", "))
	}
	for _, name := range schema.Required {
		if g := string(given[name]); g == "" || g == "null" || g == `""` || g == "[]" {
			return invalid("falta el argumento «"+name+"»", schema.Properties[name].Description)
		}
	}
	return checkEnums(given, schema)
}

func checkEnums(given map[string]json.RawMessage, schema *jsonschema.Schema) error {
	for name, p := range schema.Properties {
		var v string
		if len(p.Enum) == 0 || json.Unmarshal(given[name], &v) != nil || v == "" || slices.Contains(p.Enum, any(v)) {
			continue
		}
		return invalid(fmt.Sprintf("«%s» no vale «%.80s»", name, v), "use uno de: "+strings.Trim(fmt.Sprint(p.Enum), "[]"))
	}
	return nil
}

func names(schema *jsonschema.Schema) []string {
	var out []string
	for n := range schema.Properties {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

func invalid(msg, hint string) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: msg, Hint: hint}
}

// guarded calls a tool; one that breaks is an error of that call, not the end
// of the process and of the client's session.
func guarded[In, Out any](ctx context.Context, args In, fn func(context.Context, In) (Out, error)) (out Out, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return fn(ctx, args)
}

// result is a value as structured content and, for clients that read none, as
// the same JSON in text.
func result(v any) (*sdk.CallToolResult, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	data := text.Masked(bytes.TrimSpace(b.Bytes()), true)
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(data)}}, StructuredContent: json.RawMessage(data)}, nil
}

// listedBy says what gives the names that a method takes.
var listedBy = map[string]string{"tools": "las herramientas las da «tools/list»", "resources": "los recursos los da «resources/templates/list»", "prompts": "los da «prompts/list»"}

// inSpanish puts what the library refuses into words of ours; its code stays.
func inSpanish(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		res, err := next(ctx, method, req)
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) {
			return res, err
		}
		said := *wire
		switch said.Code {
		case jsonrpc.CodeInvalidParams:
			said.Message = fmt.Sprintf("los datos de «%s» no valen, o nombran algo que no hay: %s", method, cmp.Or(listedBy[strings.Split(method, "/")[0]], listedBy["tools"]))
		case jsonrpc.CodeMethodNotFound:
			said.Message = fmt.Sprintf("no existe el método «%.80s»: los que hay son initialize, ping y los de tools, resources y prompts", method)
		}
		return res, &said
	}
}

// failed is an error as the client's model reads it; causes go to the log.
func (s *Server) failed(tool string, err error) *sdk.CallToolResult {
	var e *digesto.Error
	switch {
	case errors.As(err, &e):
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		e = &digesto.Error{Code: digesto.CodeCancelled, Message: "la llamada se ha interrumpido antes de acabar", Hint: "repítala"}
	default:
		e = &digesto.Error{Code: digesto.CodeInternal, Message: "ha fallado algo inesperado", Hint: "ejecute «digesto doctor»; si se repite, avise"}
	}
	s.opt.Log.Warn("tool failed", "tool", tool, "code", e.Code, "error", err)
	text := fmt.Sprintf("Error (%s): %s\nQué hacer: %s", e.Code, e.Message, e.Next())
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}
