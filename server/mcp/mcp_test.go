package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/pack"
	"digesto/server/mcp"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// asker answers as told and remembers what it was asked.
type asker struct {
	answer digesto.Answer
	err    error
	panics bool
	got    digesto.Question
}

func (f *asker) Ask(_ context.Context, q digesto.Question, _ func(digesto.Event)) (digesto.Answer, error) {
	f.got = q
	if f.panics {
		panic("lámpara rota")
	}
	return f.answer, f.err
}

// lighthouse is an invented unit with two versions.
func lighthouse() (digesto.Norm, digesto.Unit) {
	return digesto.Norm{ID: "FARO-1", Title: "Ley 1/2001, de los Faros", Source: "faros.pdf", URL: "https://example.org/faros", Official: true, TextAsOf: "2020-01-01"},
		digesto.Unit{Norm: "FARO-1", ID: "a2", Label: "Artículo 2", Rubric: "Del descanso", Versions: []digesto.Version{
			{ID: "2001", Text: "Diez días.", ValidFrom: "2001-01-01", ValidTo: "2020-01-01"},
			{ID: "2020", Text: "Veinte días.", ValidFrom: "2020-01-01", Current: true, Pages: []digesto.PageMark{{Page: 4}}},
		}}
}

// connect starts a server with that engine and a client of the SDK beside it.
func connect(t *testing.T, f *asker, change func(*mcp.Options)) *sdk.ClientSession {
	t.Helper()
	opt := mcp.Options{Engine: f, Packs: []*pack.Pack{{Name: "mar"}, {Name: "monte"}},
		Search: func(_ context.Context, in mcp.SearchArgs) (any, error) { return in, nil },
		Article: func(_ context.Context, in mcp.ArticleArgs) (mcp.Article, error) {
			n, u := lighthouse()
			if in.Unit != "2" {
				return mcp.Article{}, &digesto.Error{Code: digesto.CodeNotFound, Message: "no hay artículo " + in.Unit, Hint: "mire el índice", Err: errors.New("secreto")}
			}
			return mcp.ArticleOf(n, u, u.Versions[1], "2026-11-21"), nil
		},
		Coverage: func(_ context.Context, in mcp.CoverageArgs) (any, error) { return map[string]int{"norms": 1}, nil },
	}
	if change != nil {
		change(&opt)
	}
	s, err := mcp.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	here, there := sdk.NewInMemoryTransports()
	done := make(chan error, 1)
	go func() { done <- s.Connect(ctx, there) }()
	c, err := sdk.NewClient(&sdk.Implementation{Name: "prueba", Version: "1"}, nil).Connect(ctx, here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(); <-done; cancel() })
	return c
}

// call gives the text and the structured value of a call.
func call(t *testing.T, c *sdk.ClientSession, tool string, args any) (*sdk.CallToolResult, string) {
	t.Helper()
	res, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return res, res.Content[0].(*sdk.TextContent).Text
}

func TestToolsDescribeThemselves(t *testing.T) {
	c := connect(t, &asker{}, nil)
	list, err := c.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if a := tool.Annotations; a == nil || !a.ReadOnlyHint || *a.DestructiveHint || *a.OpenWorldHint || tool.Description == "" || tool.Title == "" {
			t.Errorf("%s: %+v", tool.Name, tool)
		}
	}
	if want := []string{"article", "ask", "coverage", "search"}; !reflect.DeepEqual(names, want) {
		t.Errorf("tools %v", names)
	}
	in := schema(t, list.Tools[1].InputSchema)
	if !reflect.DeepEqual(in.Required, []string{"question"}) || len(in.Properties) != 5 || len(in.Properties["pack"].Enum) != 2 {
		t.Errorf("schema of ask: %v", in)
	}
	for name, p := range in.Properties {
		if p.Description == "" {
			t.Errorf("%s is not described", name)
		}
	}
	if init := c.InitializeResult(); init.ServerInfo.Name != "digesto" || !strings.Contains(init.Instructions, "citas") {
		t.Errorf("%+v", init)
	}
}

func schema(t *testing.T, v any) *jsonschema.Schema {
	t.Helper()
	b, _ := json.Marshal(v)
	var s jsonschema.Schema
	if err := json.Unmarshal(b, &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// TestRefusalIsAResult: a refusal is no error, and what comes fits the schema
// that is announced.
func TestRefusalIsAResult(t *testing.T) {
	notes := "Falta la norma."
	f := &asker{answer: digesto.Answer{Answer: "No consta <texto>.", Refusal: true, Notes: &notes, Citations: []digesto.Citation{{Quote: "q", Ref: &digesto.Ref{}}}, Meta: &digesto.Meta{Outcome: digesto.OutcomeRefusal}}}
	c := connect(t, f, func(o *mcp.Options) { o.Pack = "mar" })
	res, text := call(t, c, "ask", map[string]any{"question": " ¿Cuánto? ", "as_of": "2020-01-02", "territory": "norte"})
	if res.IsError {
		t.Fatal(text)
	}
	if want := (digesto.Question{Text: "¿Cuánto?", Pack: "mar", AsOf: "2020-01-02", Territory: "norte"}); !reflect.DeepEqual(f.got, want) {
		t.Errorf("asked %+v", f.got)
	}
	var got digesto.Answer
	if err := json.Unmarshal([]byte(text), &got); err != nil || got.Answer != f.answer.Answer || !got.Refusal || *got.Notes != notes {
		t.Errorf("%v %s", err, text)
	}
	list, _ := c.ListTools(context.Background(), nil)
	for _, tool := range list.Tools {
		if tool.Name == "ask" {
			r, err := schema(t, tool.OutputSchema).Resolve(nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Validate(res.StructuredContent); err != nil {
				t.Errorf("the answer does not fit its schema: %v", err)
			}
		}
	}
}

func TestArticle(t *testing.T) {
	_, text := call(t, connect(t, &asker{}, nil), "article", map[string]any{"norm": "FARO-1", "unit": "2"})
	var a mcp.Article
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatal(err)
	}
	if a.Text != "Veinte días." || a.Version != "2020" || *a.ValidFrom != "2020-01-01" || a.ValidTo != nil || *a.Page != 4 || a.URL == "" || len(a.Versions) != 2 {
		t.Errorf("%s", text)
	}
}

func TestSearchAndCoverage(t *testing.T) {
	c := connect(t, &asker{}, nil)
	if _, text := call(t, c, "search", map[string]any{"text": "faro"}); !strings.Contains(text, `"k":10`) {
		t.Error(text)
	}
	if _, text := call(t, c, "coverage", nil); text != `{"norms":1}` {
		t.Error(text)
	}
}

func TestBadArguments(t *testing.T) {
	c := connect(t, &asker{}, nil)
	for _, k := range []struct {
		name, tool string
		args       any
		says       []string
	}{
		{"missing", "ask", map[string]any{}, []string{"«question»", "Qué hacer"}},
		{"null", "ask", map[string]any{"question": nil}, []string{"«question»"}},
		{"blank", "ask", map[string]any{"question": "  "}, []string{"vacía"}},
		{"wrong type", "ask", map[string]any{"question": 7}, []string{"question", "tipo"}},
		{"unknown", "ask", map[string]any{"question": "x", "idioma": "es"}, []string{"idioma", "territory"}},
		{"not an object", "ask", []int{1}, []string{"invalid"}},
		{"no such pack", "ask", map[string]any{"question": "x", "pack": "luna"}, []string{"luna", "monte"}},
		{"bad date", "ask", map[string]any{"question": "x", "as_of": "ayer"}, []string{"ayer", "AAAA-MM-DD"}},
		{"bad date of article", "article", map[string]any{"norm": "x", "unit": "2", "as_of": "2026-02-30"}, []string{"AAAA-MM-DD"}},
		{"no such unit", "article", map[string]any{"norm": "x", "unit": "9"}, []string{"not_found", "no hay artículo 9", "mire el índice"}},
		{"bad k", "search", map[string]any{"text": "x", "k": 500}, []string{"100"}},
	} {
		t.Run(k.name, func(t *testing.T) {
			res, text := call(t, c, k.tool, k.args)
			if !res.IsError || strings.Contains(text, "secreto") {
				t.Fatalf("%v %s", res.IsError, text)
			}
			for _, s := range k.says {
				if !strings.Contains(text, s) {
					t.Errorf("%q is not in %s", s, text)
				}
			}
		})
	}
}

// TestProtocolErrorsInSpanish: what the library refuses is told in our words.
func TestProtocolErrorsInSpanish(t *testing.T) {
	c := connect(t, &asker{}, nil)
	_, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "nada"})
	if err == nil || strings.Contains(err.Error(), "unknown") || !strings.Contains(err.Error(), "tools/list") {
		t.Error(err)
	}
	_, err = c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "nada"})
	if err == nil || strings.Contains(err.Error(), "unknown") {
		t.Error(err)
	}
}

// TestBrokenToolKeepsTheSession: a panic is the error of one call.
func TestBrokenToolKeepsTheSession(t *testing.T) {
	f := &asker{panics: true}
	c := connect(t, f, nil)
	if res, text := call(t, c, "ask", map[string]any{"question": "x"}); !res.IsError || strings.Contains(text, "lámpara") {
		t.Errorf("%s", text)
	}
	f.panics = false
	if res, text := call(t, c, "ask", map[string]any{"question": "x"}); res.IsError {
		t.Errorf("%s", text)
	}
}

// TestForeignHostRefused: a page that points its name at this machine gets nothing.
func TestForeignHostRefused(t *testing.T) {
	s, err := mcp.New(mcp.Options{Engine: &asker{}})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(s.Handler())
	defer srv.Close()
	for host, want := range map[string]int{"": 200, "malo.example": 403} {
		req, _ := http.NewRequest("POST", srv.URL, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`))
		req.Host = host
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("host %q: %d, want %d", host, res.StatusCode, want)
		}
	}
}

func TestEngineRequired(t *testing.T) {
	if _, err := mcp.New(mcp.Options{}); err == nil {
		t.Error("a server without an engine")
	}
}

// TestResourcesAndPrompts: an article is a resource with its text and its date, and the ways
// to begin are prompts.
func TestResourcesAndPrompts(t *testing.T) {
	c := connect(t, &asker{}, nil)
	ctx := t.Context()
	list, err := c.ListResourceTemplates(ctx, nil)
	if err != nil || len(list.ResourceTemplates) != 1 || list.ResourceTemplates[0].URITemplate != "digesto://ley/{norma}/{articulo}" {
		t.Fatalf("%+v %v", list, err)
	}
	res, err := c.ReadResource(ctx, &sdk.ReadResourceParams{URI: "digesto://ley/FARO-1/2"})
	if err != nil || len(res.Contents) != 1 {
		t.Fatalf("%+v %v", res, err)
	}
	for _, part := range []string{"# Artículo 2. Del descanso", "Veinte días.", "vigente desde el 2020-01-01", "https://example.org/faros"} {
		if !strings.Contains(res.Contents[0].Text, part) {
			t.Errorf("the resource lacks %q: %s", part, res.Contents[0].Text)
		}
	}
	if _, err := c.ReadResource(ctx, &sdk.ReadResourceParams{URI: "digesto://ley/FARO-1/99"}); err == nil || strings.Contains(err.Error(), "secreto") {
		t.Errorf("an article that there is not: %v", err)
	}
	prompts, err := c.ListPrompts(ctx, nil)
	if err != nil || len(prompts.Prompts) != 2 {
		t.Fatalf("%+v %v", prompts, err)
	}
	p, err := c.GetPrompt(ctx, &sdk.GetPromptParams{Name: "consulta", Arguments: map[string]string{"pregunta": "¿Cuánto descansa?"}})
	if err != nil || len(p.Messages) != 1 || !strings.HasSuffix(p.Messages[0].Content.(*sdk.TextContent).Text, "Duda: ¿Cuánto descansa?") {
		t.Errorf("%+v %v", p, err)
	}
	if _, err := c.GetPrompt(ctx, &sdk.GetPromptParams{Name: "consulta"}); err == nil {
		t.Error("a prompt without its question")
	}
}
