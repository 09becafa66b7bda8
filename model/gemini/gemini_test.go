package gemini

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/model"
	"digesto/model/modeltest"

	"github.com/google/go-cmp/cmp"
)

// The wire form is played by the test's own server after the documentation: no
// exchange with the real service stands behind these tests.

func client(t testing.TB, url string, change func(*Options)) *Client {
	t.Helper()
	opt := Options{BaseURL: url, Key: modeltest.Key, Model: "models/guion", FirstByte: 500 * time.Millisecond, Stall: 500 * time.Millisecond}
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

func TestGeminiDocumentedFormConforms(t *testing.T) {
	modeltest.Generator(t, func(t *testing.T, scripts ...modeltest.Script) model.Generator {
		return client(t, modeltest.NewGemini(t, scripts...).URL, nil)
	})
}

func TestGeminiDocumentedFormOfARequest(t *testing.T) {
	some := 0.3
	req := modeltest.Ask()
	req.Messages = append(req.Messages, model.Message{Role: model.Assistant, Text: "El lunes."}, model.Message{Role: model.User, Text: "¿Seguro?"})
	req.Temperature, req.MaxTokens, req.Schema = &some, 99, json.RawMessage(`{"type":"object"}`)
	s := modeltest.NewGemini(t, modeltest.Script{Pieces: []string{"{}"}})
	if _, err := client(t, s.URL, nil).Generate(t.Context(), req, nil); err != nil {
		t.Fatal(err)
	}
	call := s.Calls()[0]
	if call.Path != "/v1beta/models/guion:generateContent" || call.Key != modeltest.Key || call.Auth != "" || strings.Contains(call.Query, "key") {
		t.Errorf("call %+v", call)
	}
	turn := func(role, text string) map[string]any {
		return map[string]any{"role": role, "parts": []any{map[string]any{"text": text}}}
	}
	want := map[string]any{
		"systemInstruction": map[string]any{"parts": []any{map[string]any{"text": "Responde."}}},
		"contents":          []any{turn("user", "¿Cuándo abre la feria?"), turn("model", "El lunes."), turn("user", "¿Seguro?")},
		"generationConfig": map[string]any{"temperature": .3, "maxOutputTokens": 99.0, "responseMimeType": "application/json",
			"responseJsonSchema": map[string]any{"type": "object"}},
	}
	if d := cmp.Diff(want, call.Body); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if _, err := client(t, s.URL, func(o *Options) { o.NoTemperature = true }).Generate(t.Context(), req, nil); err != nil {
		t.Fatal(err)
	}
	if g := s.Calls()[1].Body["generationConfig"].(map[string]any); g["temperature"] != nil {
		t.Errorf("temperature is sent to a model that takes none: %v", g)
	}
}

func TestGeminiDocumentedFormFaults(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		kind   model.Kind
	}{
		{400, `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}`, model.KindKey},
		{400, `{"error":{"code":400,"message":"The input token count (9) exceeds the maximum number of tokens allowed (8).","status":"INVALID_ARGUMENT"}}`, model.KindTooLong},
		{429, `{"error":{"code":429,"message":"Resource has been exhausted","status":"RESOURCE_EXHAUSTED"}}`, model.KindLimited},
	} {
		s := modeltest.NewGemini(t, modeltest.Script{Fault: modeltest.FaultStatus, Status: c.status, Body: c.body})
		_, err := client(t, s.URL, nil).Generate(t.Context(), modeltest.Ask(), nil)
		if f := model.FaultOf(err); f == nil || f.Kind != c.kind {
			t.Errorf("%s: %v", c.body, err)
		}
	}
}

func TestThoughtsAreNoAnswer(t *testing.T) {
	s := &sum{}
	err := s.whole(strings.NewReader(`{"candidates":[{"content":{"parts":[{"text":"hmm","thought":true},{"text":"ya"}]},"finishReason":"STOP"}]}`))
	out, serr := s.settle()
	if err != nil || serr != nil || out.Text != "ya" {
		t.Errorf("%+v %v %v", out, err, serr)
	}
}

func TestGeminiDocumentedFormOfVectors(t *testing.T) {
	s := modeltest.NewGemini(t, modeltest.Script{})
	c := client(t, s.URL, func(o *Options) { o.Batch, o.Dims, o.SendDims = 2, 4, true })
	got, err := c.Embed(t.Context(), []string{"a", "bb", "ccc"}, model.Passage)
	if err != nil || len(got) != 3 || got[0][1] != 0 {
		t.Fatalf("%v %v", got, err)
	}
	if q, err := c.Embed(t.Context(), []string{"a"}, model.Query); err != nil || q[0][1] != 1 {
		t.Errorf("query: %v %v", q, err)
	}
	one := s.Calls()[0].Body["requests"].([]any)[0].(map[string]any)
	if len(s.Calls()) != 3 || one["model"] != "models/guion" || one["outputDimensionality"] != 4.0 || one["taskType"] != "RETRIEVAL_DOCUMENT" {
		t.Errorf("%d calls, %v", len(s.Calls()), one)
	}
	for name, body := range map[string]string{"wrong dimensions": `{"embeddings":[{"values":[1,2]}]}`, "missing": `{"embeddings":[]}`, "empty": `{"embeddings":[{"values":[]}]}`, "broken": `{"embeddi`} {
		s := modeltest.NewGemini(t, modeltest.Script{Pieces: []string{body}})
		if _, err := client(t, s.URL, func(o *Options) { o.Dims = 4 }).Embed(t.Context(), []string{"a"}, model.Query); model.FaultOf(err) == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for name, o := range map[string]Options{
		"no address": {Model: "m"}, "key in address": {BaseURL: "https://x/v1beta?key=1", Model: "m"}, "no model": {BaseURL: "https://x/v1beta"},
		"line break in key": {BaseURL: "https://x/v1beta", Model: "m", Key: "a\nb"},
	} {
		if _, err := New(o); digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzAnswer reads what a server may send as an answer.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(`data: {"candidates":[{"content":{"parts":[{"text":"ya"}]},"finishReason":"STOP"}]}` + "\n\n"))
	f.Add([]byte(`{"promptFeedback":{"blockReason":"SAFETY"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			t.Skip()
		}
		for _, read := range []func(*sum) error{
			func(s *sum) error { return s.whole(strings.NewReader(string(data))) },
			func(s *sum) error { return s.stream(strings.NewReader(string(data))) },
		} {
			s := &sum{emit: func(string) error { return nil }}
			if read(s) != nil {
				continue
			}
			if out, err := s.settle(); err == nil && out.Text == "" && out.Finish != model.FinishFilter {
				t.Fatalf("an answer without a word: %+v", out)
			}
		}
	})
}
