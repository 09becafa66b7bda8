package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// mcpClient runs `digesto mcp` in process and connects a client of the SDK to it.
func mcpClient(t *testing.T) *sdk.ClientSession {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	var errs syncBuffer
	e := env{in: toServer, out: fromServer, err: &errs, lookup: func(string) (string, bool) { return "", false }}
	done := make(chan int, 1)
	go func() { done <- run(context.Background(), []string{"mcp"}, e) }()
	return connected(t, &sdk.IOTransport{Reader: toClient, Writer: fromClient}, func() {
		if code := <-done; code != 0 {
			t.Errorf("mcp ends with %d: %s", code, errs.String())
		}
	})
}

func connected(t *testing.T, tr sdk.Transport, after func()) *sdk.ClientSession {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	c, err := sdk.NewClient(&sdk.Implementation{Name: "prueba", Version: "1"}, nil).Connect(ctx, tr, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(); cancel(); after() })
	return c
}

func callTool(t *testing.T, c *sdk.ClientSession, name string, args map[string]any) (string, bool) {
	t.Helper()
	res, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return res.Content[0].(*sdk.TextContent).Text, res.IsError
}

// TestMCPSameAsCommandLine compares each tool with the command it stands for.
func TestMCPSameAsCommandLine(t *testing.T) {
	c := mcpClient(t)
	for _, k := range []struct {
		tool   string
		args   map[string]any
		cli    []string
		fields []string // nil = all
	}{
		{"ask", map[string]any{"question": holidays, "pack": "laboral"}, []string{"ask", "--pack", "laboral", holidays}, []string{"answer", "citations", "confidence", "refusal", "notes"}},
		{"ask", map[string]any{"question": "¿Quién ganó la liga?"}, []string{"ask", "¿Quién ganó la liga?"}, []string{"answer", "citations", "confidence", "refusal", "notes"}},
		{"search", map[string]any{"text": "vacaciones", "pack": "laboral", "k": 3}, []string{"search", "vacaciones", "--pack", "laboral", "-k", "3"}, nil},
		{"coverage", map[string]any{"pack": "jus"}, []string{"coverage", "--pack", "jus"}, nil},
		{"jus_value", map[string]any{"year": "2025"}, []string{"jus", "valor", "--year", "2025"}, nil},
		{"jus_convert", map[string]any{"jus": "2,5", "date": "2025-12-15"}, []string{"jus", "convertir", "--jus", "2,5", "--date", "2025-12-15"}, nil},
		{"jus_quote", map[string]any{"items": []string{"consulta_verbal=2", "divorcio_bilateral"}, "con": map[string]string{"letrados": "2"}, "date": "2025-12-15"},
			[]string{"jus", "presupuesto", "consulta_verbal=2", "divorcio_bilateral", "--con", "letrados=2", "--date", "2025-12-15"}, nil},
		{"jus_compare", map[string]any{"code": "jus", "from": "2025-01-01", "to": "2025-12-15"}, []string{"jus", "comparar", "jus", "--from", "2025-01-01", "--to", "2025-12-15"}, nil},
	} {
		text, failed := callTool(t, c, k.tool, k.args)
		e, out, errs := testEnv(nil)
		if code := run(context.Background(), append(k.cli, "--json"), e); code != 0 {
			t.Errorf("%v: %s", k.cli, errs)
			continue
		}
		got, want := object(t, text), object(t, out.String())
		if failed || len(want) < 4 {
			t.Errorf("%s: %s", k.tool, text)
		}
		if k.fields == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%s differs from %v\n%s\n%s", k.tool, k.cli, text, out)
		}
		for _, f := range k.fields {
			if !reflect.DeepEqual(got[f], want[f]) {
				t.Errorf("%s of %s: %v, want %v", f, k.tool, got[f], want[f])
			}
		}
	}
}

func object(t *testing.T, s string) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(s), &m); err != nil {
		t.Fatalf("%v: %s", err, s)
	}
	return m
}

func TestMCPErrorsSayWhatToDo(t *testing.T) {
	c := mcpClient(t)
	for _, k := range []struct {
		tool string
		args map[string]any
		says string
	}{
		{"article", map[string]any{"norm": "NADA-9", "unit": "1"}, "NADA-9"},
		{"jus_value", map[string]any{"date": "enero"}, "enero"},
		{"jus_convert", map[string]any{}, "Qué hacer"},
		{"jus_convert", map[string]any{"jus": "1.000"}, "mil"},
		{"jus_quote", map[string]any{"items": []string{"no_existe"}}, "no_existe"},
		{"jus_compare", map[string]any{"code": "jus"}, "«from»"},
	} {
		if text, failed := callTool(t, c, k.tool, k.args); !failed || !strings.Contains(text, k.says) || !strings.Contains(text, "Qué hacer") {
			t.Errorf("%s %v: %v %s", k.tool, k.args, failed, text)
		}
	}
}

// TestMCPArticle reads an embedded fiche, twice: the first reading closes nothing.
func TestMCPArticle(t *testing.T) {
	c := mcpClient(t)
	found, _ := callTool(t, c, "search", map[string]any{"text": "vacaciones", "k": 1})
	hit := object(t, found)["hits"].([]any)[0].(map[string]any)
	args := map[string]any{"norm": hit["norm"], "unit": strings.TrimPrefix(hit["unit"].(string), hit["norm"].(string)+"/")}
	for range 2 {
		text, failed := callTool(t, c, "article", args)
		if a := object(t, text); failed || a["text"] != hit["text"] || a["official"] != false {
			t.Errorf("%s\n%v", text, hit)
		}
	}
}

// TestMCPOverHTTP calls the tools that `digesto serve` has at /mcp.
func TestMCPOverHTTP(t *testing.T) {
	c := connected(t, &sdk.StreamableClientTransport{Endpoint: startServer(t) + "/mcp", DisableStandaloneSSE: true}, func() {})
	if text, failed := callTool(t, c, "jus_value", map[string]any{"date": "2025-12-15"}); failed || !strings.Contains(text, "37714.22") {
		t.Error(text)
	}
}

// asProgram gives the test binary the name by which it is the program itself.
func asProgram(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := t.TempDir() + "/digesto"
	if err := os.Symlink(self, name); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	return name
}

// TestMCPBinary runs the program as a client would: only the protocol comes by
// stdout, and the end of stdin ends it after what was asked is answered.
func TestMCPBinary(t *testing.T) {
	name, home := asProgram(t), t.TempDir()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, "mcp", "--verbose")
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_DATA_HOME="+home, "DIGESTO_DATA="+home)
	cmd.Stdin = strings.NewReader(strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"jus_value","arguments":{"date":"2025-12-15"}}}`, ""}, "\n"))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	ids := map[any]map[string]any{}
	for line := range strings.Lines(out.String()) {
		m := object(t, line)
		ids[m["id"]] = m
	}
	if len(ids) != 3 || !strings.Contains(out.String(), "37714.22") || errs.Len() == 0 {
		t.Fatalf("stdout %s\nstderr %s", out.String(), errs.String())
	}
	if tools := ids[2.0]["result"].(map[string]any)["tools"].([]any); len(tools) != 15 {
		t.Errorf("%d tools", len(tools))
	}
}
