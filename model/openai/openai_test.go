package openai

import (
	"encoding/json"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/model"
	"digesto/model/modeltest"
	"digesto/model/wire"

	"github.com/google/go-cmp/cmp"
)

func client(t testing.TB, url string, change func(*Options)) *Client {
	t.Helper()
	opt := Options{BaseURL: url, Key: modeltest.Key, Model: "guion", FirstByte: 700 * time.Millisecond, Stall: 700 * time.Millisecond}
	if change != nil {
		change(&opt)
	}
	c, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestConformance(t *testing.T) {
	modeltest.Generator(t, func(t *testing.T, scripts ...modeltest.Script) model.Generator {
		return client(t, modeltest.NewServer(t, scripts...).URL, nil)
	})
}

func TestOptionsAreChecked(t *testing.T) {
	for name, o := range map[string]Options{
		"no address": {Model: "m"}, "no scheme": {BaseURL: "localhost:8000/v1", Model: "m"}, "file": {BaseURL: "file:///etc/passwd", Model: "m"},
		"no model": {BaseURL: "http://localhost/v1"}, "key in address": {BaseURL: "http://u:p@localhost/v1", Model: "m"},
		"parameters": {BaseURL: "http://localhost/v1?key=1", Model: "m"}, "line break in key": {BaseURL: "http://localhost/v1", Model: "m", Key: "a\nb"},
	} {
		if _, err := New(o); digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// sent runs one call and gives the body that the server got.
func sent(t *testing.T, change func(*Options), req model.Request, emit func(string) error) map[string]any {
	t.Helper()
	s := modeltest.NewServer(t, modeltest.Script{Pieces: []string{"ya"}})
	if _, err := client(t, s.URL, change).Generate(t.Context(), req, emit); err != nil {
		t.Fatal(err)
	}
	return s.Calls()[0].Body
}

func TestParametersAreSentOnlyWhereTaken(t *testing.T) {
	zero, some := 0.0, 0.7
	req := modeltest.Ask()
	plain := sent(t, nil, req, nil)
	for _, k := range []string{"temperature", "max_tokens", "max_completion_tokens", "response_format", "stream_options"} {
		if v, ok := plain[k]; ok {
			t.Errorf("%s is sent unasked: %v", k, v)
		}
	}
	req.Temperature, req.MaxTokens = &some, 99
	b := sent(t, nil, req, nil)
	if b["temperature"] != 0.7 || b["max_tokens"] != 99.0 || b["max_completion_tokens"] != nil {
		t.Errorf("plain model: %v", b)
	}
	b = sent(t, func(o *Options) { o.Model = "gpt-5-mini" }, req, nil)
	if b["temperature"] != nil || b["max_tokens"] != nil || b["max_completion_tokens"] != 99.0 {
		t.Errorf("reasoning model: %v", b)
	}
	b = sent(t, func(o *Options) { o.Caps = &Caps{} }, req, func(string) error { return nil })
	if b["temperature"] != nil || b["max_tokens"] != nil || b["max_completion_tokens"] != nil || b["stream_options"] != nil {
		t.Errorf("model that takes nothing: %v", b)
	}
	req.Temperature = &zero
	if v, ok := sent(t, nil, req, nil)["temperature"].(float64); !ok || v > 1e-30 {
		t.Errorf("temperature 0 is sent as %v", v)
	}
}

func TestSchema(t *testing.T) {
	req := modeltest.Ask()
	req.Schema = json.RawMessage(`{"type":"object"}`)
	b := sent(t, nil, req, nil)
	want := map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "respuesta", "strict": true, "schema": map[string]any{"type": "object"}}}
	if d := cmp.Diff(want, b["response_format"]); d != "" {
		t.Errorf("response_format (-want +got):\n%s", d)
	}
	b = sent(t, func(o *Options) { o.Caps = &Caps{Structured: StructuredPrompt} }, req, nil)
	first := b["messages"].([]any)[0].(map[string]any)
	if b["response_format"] != nil || first["role"] != "system" || !strings.Contains(first["content"].(string), `{"type":"object"}`) {
		t.Errorf("by the prompt: %v", b)
	}
	b = sent(t, func(o *Options) { o.Caps = &Caps{Structured: StructuredObject} }, model.Request{Messages: req.Messages[1:], Schema: req.Schema}, nil)
	if n := len(b["messages"].([]any)); n != 2 || b["response_format"].(map[string]any)["type"] != "json_object" {
		t.Errorf("by mode, no system message: %v", b)
	}
	req.Schema = json.RawMessage(`{`)
	if _, err := client(t, "http://127.0.0.1:1/v1", nil).Generate(t.Context(), req, nil); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("schema that is not JSON: %v", err)
	}
}

func refusal(message string) modeltest.Script {
	body, _ := json.Marshal(map[string]any{"error": map[string]any{"message": message}})
	return modeltest.Script{Fault: modeltest.FaultStatus, Status: 400, Body: string(body)}
}

func TestRefusedParametersAreLeftOut(t *testing.T) {
	some := 0.7
	req := modeltest.Ask()
	req.Temperature, req.MaxTokens, req.Schema = &some, 9, json.RawMessage(`{}`)
	s := modeltest.NewServer(t, refusal("Unsupported parameter: 'temperature'"), refusal("use 'max_completion_tokens' instead of 'max_tokens'"),
		refusal("response_format of type json_schema is not supported"), refusal("unknown field stream_options"), modeltest.Script{Pieces: []string{"{}"}})
	c := client(t, s.URL, nil)
	for range 2 {
		if r, err := c.Generate(t.Context(), req, func(string) error { return nil }); err != nil || r.Text != "{}" {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	calls := s.Calls()
	if len(calls) != 6 {
		t.Fatalf("%d calls, want 5 for the first and 1 for the second", len(calls))
	}
	b := calls[5].Body
	if b["temperature"] != nil || b["max_tokens"] != nil || b["max_completion_tokens"] != 9.0 || b["stream_options"] != nil ||
		b["response_format"].(map[string]any)["type"] != "json_object" {
		t.Errorf("last call: %v", b)
	}
	s = modeltest.NewServer(t, refusal("no me gusta"))
	if _, err := client(t, s.URL, nil).Generate(t.Context(), req, nil); model.FaultOf(err) == nil || len(s.Calls()) != 1 {
		t.Errorf("a refusal of nothing in particular: %v after %d calls", err, len(s.Calls()))
	}
}

func TestErrorAnswers(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		kind   model.Kind
	}{
		{400, `{"error":{"message":"This model's maximum context length is 8192 tokens","code":"context_length_exceeded"}}`, model.KindTooLong},
		{400, `{"error":{"message":"request exceeds the available context size"}}`, model.KindTooLong},
		{400, `{"error":"plain words"}`, model.KindRequest},
		{400, `not json`, model.KindRequest},
		{401, ``, model.KindKey},
		{429, `{"error":{"message":"insufficient_quota","code":"insufficient_quota"}}`, model.KindLimited},
		{418, `{"error":null}`, model.KindRequest},
		{503, `{"error":{"message":["a","b"]}}`, model.KindServer},
	} {
		s := modeltest.NewServer(t, modeltest.Script{Fault: modeltest.FaultStatus, Status: c.status, Body: c.body})
		_, err := client(t, s.URL, nil).Generate(t.Context(), modeltest.Ask(), nil)
		f := model.FaultOf(err)
		if f == nil || f.Kind != c.kind || f.Status != c.status {
			t.Errorf("%d %s: %v", c.status, c.body, err)
		}
	}
	filtered := modeltest.Script{Fault: modeltest.FaultStatus, Status: 400, Body: `{"error":{"message":"The prompt was filtered","code":"content_filter"}}`}
	r, err := client(t, modeltest.NewServer(t, filtered).URL, nil).Generate(t.Context(), modeltest.Ask(), nil)
	if err != nil || r.Finish != model.FinishFilter {
		t.Errorf("filtered prompt: %+v, %v", r, err)
	}
}

func TestRetryAfter(t *testing.T) {
	for _, c := range []struct {
		header map[string]string
		want   time.Duration
	}{
		{map[string]string{"Retry-After": "7"}, 7 * time.Second},
		{map[string]string{"Retry-After-Ms": "250"}, 250 * time.Millisecond},
		{map[string]string{"Retry-After": "Sat, 21 Nov 2026 10:00:30 GMT", "Date": "Sat, 21 Nov 2026 10:00:00 GMT"}, 30 * time.Second},
		{map[string]string{"Retry-After": "Sat, 21 Nov 2026 09:00:00 GMT", "Date": "Sat, 21 Nov 2026 10:00:00 GMT"}, 0},
		{map[string]string{"Retry-After": "pronto"}, 0},
		{map[string]string{"Retry-After": "-3"}, 0},
		{nil, 0},
	} {
		h := http.Header{}
		for k, v := range c.header {
			h.Set(k, v)
		}
		if got := wire.RetryAfter(h); got != c.want {
			t.Errorf("%v: %v, want %v", c.header, got, c.want)
		}
	}
}

func TestKeyGoesOnlyWhereItBelongs(t *testing.T) {
	s := modeltest.NewServer(t, modeltest.Script{Pieces: []string{"ya"}})
	client(t, s.URL, nil).Generate(t.Context(), modeltest.Ask(), nil)
	client(t, s.URL, func(o *Options) { o.Key = "" }).Generate(t.Context(), modeltest.Ask(), nil)
	calls := s.Calls()
	if calls[0].Auth != "Bearer "+modeltest.Key || calls[1].Auth != "" {
		t.Errorf("authorisation %q and %q", calls[0].Auth, calls[1].Auth)
	}
}

func TestLocalOnly(t *testing.T) {
	s := modeltest.NewServer(t, modeltest.Script{Pieces: []string{"ya"}})
	local := func(o *Options) { o.LocalOnly = true }
	if _, err := client(t, s.URL, local).Generate(t.Context(), modeltest.Ask(), nil); err != nil {
		t.Errorf("loopback: %v", err)
	}
	_, err := client(t, "http://192.0.2.1/v1", local).Generate(t.Context(), modeltest.Ask(), nil)
	if f := model.FaultOf(err); f == nil || f.Kind != model.KindForbidden {
		t.Errorf("elsewhere: %v", err)
	}
}

// TestNothingIsLeftBehind makes many calls that fail in every way and counts
// goroutines afterwards.
func TestNothingIsLeftBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("calls", func(t *testing.T) {
		for _, f := range []modeltest.Fault{modeltest.FaultCut, modeltest.FaultStall, modeltest.FaultGarbled, modeltest.FaultInBand, modeltest.FaultEnd, modeltest.FaultStatus} {
			s := modeltest.NewServer(t, modeltest.Script{Pieces: []string{"a", "b"}, Fault: f, Status: 500})
			c := client(t, s.URL, func(o *Options) { o.Stall = 20 * time.Millisecond })
			for i := range 10 {
				var emit func(string) error
				if i%2 == 0 {
					emit = func(string) error { return nil }
				}
				if _, err := c.Generate(t.Context(), modeltest.Ask(), emit); err == nil {
					t.Errorf("%s: no error", f)
				}
			}
		}
	}) // clients and servers close here
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	buf := make([]byte, 64<<10)
	t.Errorf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
}

func TestEmbed(t *testing.T) {
	s := modeltest.NewServer(t, modeltest.Script{})
	c := client(t, s.URL, func(o *Options) { o.Batch = 2; o.QueryPrefix = "query: " })
	got, err := c.Embed(t.Context(), []string{"a", "bb", "ccc"}, model.Passage)
	if err != nil || !cmp.Equal(got, [][]float32{{1, 0, 0, 0}, {2, 0, 0, 0}, {3, 0, 0, 0}}) || c.Dims() != 4 {
		t.Errorf("%v, %d, %v", got, c.Dims(), err)
	}
	got, err = c.Embed(t.Context(), []string{"a"}, model.Query)
	if err != nil || got[0][1] != 1 {
		t.Errorf("query: %v, %v", got, err)
	}
	if n := len(s.Calls()); n != 3 {
		t.Errorf("%d requests, want 2 + 1", n)
	}
	if out, err := c.Embed(t.Context(), nil, model.Query); err != nil || len(out) != 0 {
		t.Errorf("no texts: %v, %v", out, err)
	}
}

// TestNamesTellSpacesApart: vectors of other prefixes or dimensions are never compared.
func TestNamesTellSpacesApart(t *testing.T) {
	seen := map[string]bool{}
	for _, change := range []func(*Options){nil, func(o *Options) { o.QueryPrefix = "query: " }, func(o *Options) { o.Dims, o.SendDims = 256, true },
		func(o *Options) { o.Dims, o.SendDims = 512, true }, func(o *Options) { o.Model = "otro" }} {
		name := client(t, "http://127.0.0.1:1/v1", change).Name()
		if seen[name] {
			t.Errorf("two spaces are called %q", name)
		}
		seen[name] = true
	}
}

func TestEmbedFaults(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		dims int
		kind model.Kind
	}{
		"wrong dimensions":   {`{"data":[{"index":0,"embedding":[1,2,3]}]}`, 4, model.KindRequest},
		"missing":            {`{"data":[]}`, 0, model.KindGarbled},
		"out of place":       {`{"data":[{"index":7,"embedding":[1]}]}`, 0, model.KindGarbled},
		"twice":              {`{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`, 0, model.KindGarbled},
		"no vector":          {`{"data":[{"index":0,"embedding":[]}]}`, 0, model.KindGarbled},
		"broken":             {`{"data":[{"ind`, 0, model.KindCut},
		"too large a number": {`{"data":[{"index":0,"embedding":[1e99]}]}`, 0, model.KindGarbled},
	} {
		s := modeltest.NewServer(t, modeltest.Script{Pieces: []string{c.body}})
		_, err := client(t, s.URL, func(o *Options) { o.Dims = c.dims }).Embed(t.Context(), []string{"a"}, model.Query)
		if f := model.FaultOf(err); f == nil || f.Kind != c.kind {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzErrorBody reads what a server may say about an error.
func FuzzErrorBody(f *testing.F) {
	f.Add(`{"error":{"message":"x","code":3}}`, 400)
	f.Add(`{"error":"x"}`, 500)
	f.Fuzz(func(t *testing.T, body string, status int) {
		o := wire.Options{Key: "clave-secreta"}
		got := o.StatusFault(&http.Response{StatusCode: status, Header: http.Header{}}, []byte(body+o.Key), nil)
		if strings.Contains(got.Detail, o.Key) || len(got.Detail) > 500 {
			t.Fatalf("detail %q", got.Detail)
		}
	})
}

// BenchmarkBare is the same exchange without any of our code: what BenchmarkCall
// takes beyond it is the overhead of the client stack.
func BenchmarkBare(b *testing.B) {
	s := modeltest.NewServer(b, modeltest.Script{Pieces: []string{"La feria ", "abre los ", "martes."}})
	for _, streamed := range []string{"false", "true"} {
		body := `{"model":"guion","messages":[{"role":"user","content":"x"}],"stream":` + streamed + `}`
		b.Run("stream="+streamed, func(b *testing.B) {
			for b.Loop() {
				resp, err := http.Post(s.URL+"/chat/completions", "application/json", strings.NewReader(body))
				if err != nil {
					b.Fatal(err)
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
}

// BenchmarkCall is the cost of the whole client stack against a server on loopback.
func BenchmarkCall(b *testing.B) {
	s := modeltest.NewServer(b, modeltest.Script{Pieces: []string{"La feria ", "abre los ", "martes."}})
	c := client(b, s.URL, nil)
	g := model.Timeout(model.Retry(c, model.RetryOptions{}), time.Minute)
	for _, streamed := range []bool{false, true} {
		name, emit := "whole", (func(string) error)(nil)
		if streamed {
			name, emit = "streamed", func(string) error { return nil }
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := g.Generate(b.Context(), modeltest.Ask(), emit); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
