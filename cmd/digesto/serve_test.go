package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"digesto"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// syncBuffer is a buffer that a running server writes and a test reads.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}
func (s *syncBuffer) String() string { s.mu.Lock(); defer s.mu.Unlock(); return s.b.String() }

// startServer runs `digesto serve` in process and gives its address.
func startServer(t *testing.T) string { return startServerIn(t, "") }

// startServerIn is startServer with a data folder.
func startServerIn(t *testing.T, data string) string {
	t.Helper()
	var out, errs syncBuffer
	e := env{in: strings.NewReader(""), out: &out, err: &errs, lookup: func(k string) (string, bool) { return data, k == "DIGESTO_DATA" && data != "" }}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan int, 1)
	go func() { done <- run(ctx, []string{"serve", "--addr", "127.0.0.1:0"}, e) }()
	t.Cleanup(func() {
		cancel()
		if code := <-done; code != 0 {
			t.Errorf("serve ends with %d: %s", code, errs.String())
		}
	})
	url := regexp.MustCompile(`http://\S+`)
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if u := url.FindString(out.String()); u != "" {
			if !strings.Contains(errs.String(), "fichas y tablas que trae el programa") {
				t.Errorf("it does not say from what it answers: %q", errs.String())
			}
			return u
		}
	}
	t.Fatal("no address")
	return ""
}

const holidays = "¿Cuántos días de vacaciones me corresponden al año?"

func post(t *testing.T, url, accept, body string) string {
	t.Helper()
	req, _ := http.NewRequest("POST", url, strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", accept)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, _ := io.ReadAll(res.Body)
	if res.StatusCode != 200 {
		t.Fatalf("%s: %d %s", url, res.StatusCode, data)
	}
	return string(data)
}

// TestOneAnswerEverywhere puts the same questions by command line, as JSON, as a
// stream, in OpenAI's form (whole and streamed) and by MCP: the citations are
// the same bytes.
func TestOneAnswerEverywhere(t *testing.T) {
	base, tools := startServer(t), mcpClient(t)
	for _, k := range []struct{ pack, question string }{
		{"laboral", holidays},
		{"jus", "¿Cuánto son 12 JUS?"},
		{"argentina", "¿Quién puede pedir refugio?"},
		{"peru", "¿Cuál es el plazo para la reclamación tributaria?"},
		{"clara", "¿Qué es el ingreso mínimo vital?"},
		{"laboral", "¿Cuántas lunas tiene el planeta Zork?"},
	} {
		e, out, errs := testEnv(nil)
		if code := run(context.Background(), []string{"ask", "--json", "--pack", k.pack, k.question}, e); code != 0 {
			t.Fatal(errs)
		}
		want := citations(t, out.String())
		if k.question == holidays && len(want) < 50 {
			t.Fatalf("no citations: %s", out)
		}
		for name, got := range everyForm(t, base, tools, k.pack, k.question) {
			if got := citations(t, got); got != want {
				t.Errorf("%s, %s: citations differ\n%s\n%s", k.question, name, got, want)
			}
		}
	}
}

// everyForm asks in every form but the command line; each gives an answer as JSON.
func everyForm(t *testing.T, base string, tools *sdk.ClientSession, pack, question string) map[string]string {
	t.Helper()
	body := `{"question":` + strconv.Quote(question) + `,"pack":"` + pack + `"}`
	chat := `{"model":"digesto-` + pack + `","messages":[{"role":"user","content":` + strconv.Quote(question) + `}]`
	fromTool, failed := callTool(t, tools, "ask", map[string]any{"question": question, "pack": pack})
	if failed {
		t.Errorf("mcp: %s", fromTool)
	}
	chunks := strings.Split(strings.TrimSpace(post(t, base+"/v1/chat/completions", "*/*", chat+`,"stream":true}`)), "\n\n")
	return map[string]string{
		"JSON":          post(t, base+"/v1/ask", "application/json", body),
		"stream":        between(t, post(t, base+"/v1/ask", "text/event-stream", body), "event: answer\ndata: ", "\n"),
		"OpenAI":        inner(t, post(t, base+"/v1/chat/completions", "application/json", chat+"}")),
		"OpenAI stream": inner(t, strings.TrimPrefix(chunks[len(chunks)-2], "data: ")),
		"MCP":           fromTool,
	}
}

// inner is the answer within a chat completion, whose annotations must hold the
// same citations.
func inner(t *testing.T, body string) string {
	t.Helper()
	type said struct {
		Annotations []struct{ Citation json.RawMessage }
	}
	var c struct {
		Digesto json.RawMessage
		Choices []struct{ Message, Delta said }
	}
	if err := json.Unmarshal([]byte(body), &c); err != nil || len(c.Choices) != 1 {
		t.Fatalf("%v: %s", err, body)
	}
	list := []string{}
	for _, a := range append(c.Choices[0].Message.Annotations, c.Choices[0].Delta.Annotations...) {
		list = append(list, string(a.Citation))
	}
	if got, want := "["+strings.Join(list, ",")+"]", citations(t, string(c.Digesto)); got != want {
		t.Errorf("annotations\n%s\n%s", got, want)
	}
	return string(c.Digesto)
}

func between(t *testing.T, s, begin, end string) string {
	t.Helper()
	_, s, ok := strings.Cut(s, begin)
	if !ok {
		t.Fatalf("no %q", begin)
	}
	s, _, _ = strings.Cut(s, end)
	return s
}

// citations are the bytes of the citations of an answer, without the spaces of indentation.
func citations(t *testing.T, answer string) string {
	t.Helper()
	var a struct{ Citations json.RawMessage }
	if err := json.Unmarshal([]byte(answer), &a); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	var b bytes.Buffer
	if err := json.Compact(&b, a.Citations); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	return b.String()
}

// TestServedEndpoints looks at what a bare program serves.
func TestServedEndpoints(t *testing.T) {
	base := startServer(t)
	for path, says := range map[string]string{
		"/":                             "respuestas que se pueden comprobar",
		"/corpus":                       "sin ley: solo ",
		"/leyes":                        "Ficha",
		"/healthz":                      `"ok"`,
		"/metrics":                      `digesto_corpus_norms 0`,
		"/readyz":                       `"embedded"`,
		"/v1/packs":                     `"laboral"`,
		"/v1/norms":                     `"norms"`,
		"/v1/contract":                  `"citations"`,
		"/v1/jus/value?date=2025-12-15": `"37714.22"`,
		"/v1/laboral/cifras?nombre=smi&year=2025":                `"1184"`,
		"/v1/laboral/cifras":                                     `"figures"`,
		"/v1/jus/compare?code=jus&from=2025-01-01&to=2025-12-15": `"difference"`,
	} {
		res, err := http.Get(base + path)
		if err != nil {
			t.Fatal(err)
		}
		data, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != 200 || !strings.Contains(string(data), says) {
			t.Errorf("%s: %d lacks %s: %.300s", path, res.StatusCode, says, data)
		}
	}
	if got := post(t, base+"/v1/laboral/despido", "application/json", `{"desde":"2020-01-01","hasta":"2020-12-31","anual":"18250"}`); !strings.Contains(got, `"1650.00"`) {
		t.Errorf("severance: %s", got)
	}
	if got := post(t, base+"/v1/jus/convert", "application/json", `{"jus":"30","date":"2025-12-15"}`); !strings.Contains(got, `"1131426.60"`) {
		t.Errorf("convert: %s", got)
	}
	if got := post(t, base+"/v1/jus/quote", "application/json", `{"items":["consulta_verbal=2"],"date":"2025-12-15"}`); !strings.Contains(got, `"items"`) {
		t.Errorf("quote: %s", got)
	}
	if got := post(t, base+"/v1/search", "application/json", `{"text":"vacaciones","pack":"laboral"}`); !strings.Contains(got, `"hits":[{`) {
		t.Errorf("search: %s", got)
	}
}

// TestWireForm holds what is sent, for each outcome, against the schema that is served.
func TestWireForm(t *testing.T) {
	base := startServer(t)
	res, err := http.Get(base + "/v1/contract")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var schema jsonschema.Schema
	if err := json.NewDecoder(res.Body).Decode(&schema); err != nil {
		t.Fatal(err)
	}
	contract, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ pack, question, outcome string }{
		{"laboral", holidays, "answer"},
		{"jus", "¿Cuánto son 12 JUS?", "answer"},
		{"laboral", "¿Cuántas lunas tiene el planeta Zork?", "refusal"},
		{"argentina", "háblame de contratos", "clarification"},
		{"jus", "¿Cuánto vale el JUS en Santa Fe?", "out_of_scope"},
		{"argentina", "hola", "non_legal"},
	} {
		body := post(t, base+"/v1/ask", "application/json", `{"pack":"`+c.pack+`","question":"`+c.question+`"}`)
		var value map[string]any
		if err := json.Unmarshal([]byte(body), &value); err != nil {
			t.Fatal(err)
		}
		if err := contract.Validate(value); err != nil {
			t.Errorf("%s: %v\n%s", c.question, err, body)
		}
		if got := value["meta"].(map[string]any)["outcome"]; got != c.outcome {
			t.Errorf("%s: outcome %v, want %s", c.question, got, c.outcome)
		}
	}
	if err := contract.Validate(map[string]any{"answer": "sin lo demás"}); err == nil {
		t.Error("the schema lets anything through")
	}
}

// TestBusyPort finds the next free port when none was asked for, and says so;
// an address that was asked for is never exchanged for another.
func TestBusyPort(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	e, _, errs := testEnv(nil)
	l, err := nextFree(newApp(context.Background(), e), busy.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if l.Addr().String() == busy.Addr().String() || !strings.Contains(errs.String(), "ocupado") {
		t.Errorf("listens on %s and says %q", l.Addr(), errs)
	}
	e, _, errs = testEnv(nil)
	if code := run(context.Background(), []string{"serve", "--addr", busy.Addr().String()}, e); code != 5 || !strings.Contains(errs.String(), "ocupado") {
		t.Errorf("exit %d: %s", code, errs)
	}
	e, _, errs = testEnv(nil)
	if code := run(context.Background(), []string{"serve", "--addr", "ninguna parte"}, e); code != 3 {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// TestTraceServed asks a server with a data folder and looks at the trace.
func TestTraceServed(t *testing.T) {
	base := startServerIn(t, t.TempDir())
	var a digesto.Answer
	if err := json.Unmarshal([]byte(post(t, base+"/v1/ask", "application/json", `{"question":`+strconv.Quote(holidays)+`,"pack":"laboral"}`)), &a); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{"/v1/traces/" + a.Meta.TraceID: 200, "/v1/traces/otra": 404, "/v1/traces/..%2f..%2fconversations": 404} {
		res, err := http.Get(base + path)
		if err != nil {
			t.Fatal(err)
		}
		data, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != want || want == 200 && !(strings.Contains(string(data), `"begin_us"`) && strings.Contains(string(data), a.Citations[0].Ref.SHA256)) {
			t.Errorf("%s: %d %.300s", path, res.StatusCode, data)
		}
	}
}
