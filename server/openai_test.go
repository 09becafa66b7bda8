package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/pack"
	"digesto/server"

	api "github.com/sashabaranov/go-openai"
)

func withPacks(o *server.Options) {
	o.Packs = []*pack.Pack{{Name: "mar", Title: "Derecho del mar"}, {Name: "aire", Title: "Derecho del aire"}}
}

const chatURL = "/v1/chat/completions"

func chatBody(more string) string {
	return `{"model":"digesto-mar","messages":[{"role":"user","content":"¿Cuánto descansa el farero?"}]` + more + `}`
}

// completion is the wire form as a client reads it, written here by hand.
type completion struct {
	ID, Object, Model string
	Created           int64
	Choices           []struct {
		Index   int
		Message reply
		Delta   reply
		Finish  *string `json:"finish_reason"`
	}
	Usage   *struct{ Prompt_tokens, Completion_tokens, Total_tokens int }
	Digesto *struct{ Citations json.RawMessage }
}

type reply struct {
	Role, Content string
	Annotations   []struct {
		Type         string
		Url_citation struct {
			Url, Title             string
			Start_index, End_index int
		}
		Citation json.RawMessage
	}
}

// rawCitations are the bytes of the citations of an answer.
func rawCitations(t *testing.T, body []byte) string {
	t.Helper()
	var a struct{ Citations json.RawMessage }
	if err := json.Unmarshal(body, &a); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return string(a.Citations)
}

func TestChatCompletion(t *testing.T) {
	w := newWorld(t, withPacks)
	rec := w.postJSON(chatURL, chatBody(`,"temperature":0.2,"tools":[{"type":"function"}],"as_of":"2026-01-02","user":"x"`))
	if rec.Code != 200 {
		t.Fatalf("%d %s", rec.Code, rec.Body)
	}
	if want := (digesto.Question{Text: "¿Cuánto descansa el farero?", Pack: "mar", AsOf: "2026-01-02"}); !reflect.DeepEqual(w.asker.got, want) {
		t.Errorf("question %+v", w.asker.got)
	}
	c := unmarshal[completion](t, rec.Body)
	if c.Object != "chat.completion" || !strings.HasPrefix(c.ID, "chatcmpl-") || c.Model != "digesto-mar" || c.Created == 0 || len(c.Choices) != 1 {
		t.Fatalf("envelope: %+v", c)
	}
	ch := c.Choices[0]
	if ch.Message.Role != "assistant" || ch.Finish == nil || *ch.Finish != "stop" {
		t.Errorf("choice: %+v", ch)
	}
	if !strings.HasPrefix(ch.Message.Content, w.asker.answer.Answer) {
		t.Errorf("the answer changed: %s", ch.Message.Content)
	}
	for _, want := range []string{"Fuentes:\n\n1. [C1] Artículo 2 — Ley de Faros · faros.pdf, página 4. Versión 2020, vigente desde el 2020-01-01. https://example.org/faros",
		"Notas: Primera nota.", "Respuesta de un programa."} {
		if !strings.Contains(ch.Message.Content, want) {
			t.Errorf("text lacks %q:\n%s", want, ch.Message.Content)
		}
	}
	if c.Usage == nil || c.Usage.Prompt_tokens == 0 || c.Usage.Total_tokens != c.Usage.Prompt_tokens+c.Usage.Completion_tokens {
		t.Errorf("usage: %+v", c.Usage)
	}
	want := rawCitations(t, w.postJSON("/v1/ask", `{"question":"x"}`).Body.Bytes())
	if string(c.Digesto.Citations) != want {
		t.Errorf("citations differ\n%s\n%s", c.Digesto.Citations, want)
	}
	checkAnnotations(t, ch.Message, ch.Message.Content, want)
}

// checkAnnotations holds annotations against the text they point into and the citations.
func checkAnnotations(t *testing.T, m reply, text, citations string) {
	t.Helper()
	if len(m.Annotations) != 1 {
		t.Fatalf("annotations: %+v", m.Annotations)
	}
	a := m.Annotations[0]
	if a.Type != "url_citation" || a.Url_citation.Url != "https://example.org/faros" || a.Url_citation.Title == "" {
		t.Errorf("annotation: %+v", a)
	}
	if got := string([]rune(text)[a.Url_citation.Start_index:a.Url_citation.End_index]); got != "[C1]" {
		t.Errorf("the annotation points at %q", got)
	}
	if "["+string(a.Citation)+"]" != citations {
		t.Errorf("citation %s, want %s", a.Citation, citations)
	}
}

// TestChatStream reads the stream by hand: chunks, usage when asked for, [DONE];
// together they are the text that the plain form gives.
func TestChatStream(t *testing.T) {
	w := newWorld(t, withPacks)
	plain := unmarshal[completion](t, w.postJSON(chatURL, chatBody("")).Body)
	rec := w.postJSON(chatURL, chatBody(`,"stream":true,"stream_options":{"include_usage":true}`))
	if ct := rec.Header().Get("Content-Type"); !strings.HasPrefix(ct, "text/event-stream") || rec.Header().Get("X-Accel-Buffering") != "no" {
		t.Errorf("headers: %v", rec.Header())
	}
	var chunks []completion
	blocks := strings.Split(strings.TrimSpace(rec.Body.String()), "\n\n")
	if blocks[len(blocks)-1] != "data: [DONE]" {
		t.Fatalf("ends with %q", blocks[len(blocks)-1])
	}
	text := ""
	for _, b := range blocks[:len(blocks)-1] {
		data, ok := strings.CutPrefix(b, "data: ")
		if !ok || strings.Contains(data, "\n") {
			t.Fatalf("not a chunk: %q", b)
		}
		c := unmarshal[completion](t, strings.NewReader(data))
		if c.Object != "chat.completion.chunk" || c.ID == "" || len(chunks) > 0 && c.ID != chunks[0].ID {
			t.Errorf("chunk: %s", data)
		}
		for _, ch := range c.Choices {
			text += ch.Delta.Content
		}
		chunks = append(chunks, c)
	}
	if text != plain.Choices[0].Message.Content {
		t.Errorf("streamed\n%s\nplain\n%s", text, plain.Choices[0].Message.Content)
	}
	if chunks[0].Choices[0].Delta.Role != "assistant" {
		t.Error("the first chunk does not say who speaks")
	}
	last, usage := chunks[len(chunks)-2], chunks[len(chunks)-1]
	if f := last.Choices[0].Finish; f == nil || *f != "stop" {
		t.Error("the last choice has no finish_reason")
	}
	if len(usage.Choices) != 0 || usage.Usage == nil || *usage.Usage != *plain.Usage {
		t.Errorf("usage: %+v", usage)
	}
	checkAnnotations(t, last.Choices[0].Delta, text, string(plain.Digesto.Citations))
	if !bytes.Equal(last.Digesto.Citations, plain.Digesto.Citations) {
		t.Error("citations of the stream differ")
	}
	if strings.Contains(w.postJSON(chatURL, chatBody(`,"stream":true`)).Body.String(), `"usage"`) {
		t.Error("usage that nobody asked for")
	}
}

// TestChatHistory turns messages into the question and its history; how an
// earlier answer ended is known again.
func TestChatHistory(t *testing.T) {
	w := newWorld(t, withPacks)
	w.asker.answer.Meta.Outcome = digesto.OutcomeClarification
	first := unmarshal[completion](t, w.postJSON(chatURL, chatBody("")).Body)
	said, _ := json.Marshal(first.Choices[0].Message.Content)
	body := `{"model":"digesto","messages":[{"role":"system","content":"Eres un pirata."},{"role":"user","content":"¿Cuánto descansa el farero?"},` +
		`{"role":"assistant","content":` + string(said) + `},{"role":"assistant","content":null,"tool_calls":[]},{"role":"tool","content":"7"},` +
		`{"role":"user","content":[{"type":"text","text":"¿Y en"},{"type":"text","text":"verano?"}]}]}`
	if rec := w.postJSON(chatURL, body); rec.Code != 200 {
		t.Fatalf("%d %s", rec.Code, rec.Body)
	}
	want := digesto.Question{Text: "¿Y en\nverano?", History: []digesto.Message{{Role: "user", Text: "¿Cuánto descansa el farero?"},
		{Role: "assistant", Text: w.asker.answer.Answer, Type: "clarification", Pack: "mar", Norms: []string{"FARO-1"}, Places: []string{"FARO-1/a2"}}, {Role: "assistant"}}}
	if !reflect.DeepEqual(w.asker.got, want) {
		t.Errorf("got  %+v\nwant %+v", w.asker.got, want)
	}
}

// TestChatErrors is the table of what a client can get wrong, in OpenAI's form.
func TestChatErrors(t *testing.T) {
	w := newWorld(t, withPacks)
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		kind, code, param        string
	}{
		{"unknown model", "POST", chatURL, `{"model":"gpt-4o","messages":[{"role":"user","content":"x"}]}`, 404, "invalid_request_error", "model_not_found", "model"},
		{"no model", "POST", chatURL, `{"messages":[{"role":"user","content":"x"}]}`, 400, "invalid_request_error", "invalid", "model"},
		{"no messages", "POST", chatURL, `{"model":"digesto"}`, 400, "invalid_request_error", "invalid", "messages"},
		{"no question", "POST", chatURL, `{"model":"digesto","messages":[{"role":"system","content":"x"}]}`, 400, "invalid_request_error", "invalid", "messages"},
		{"empty question", "POST", chatURL, `{"model":"digesto","messages":[{"role":"user","content":" "}]}`, 400, "invalid_request_error", "invalid", "messages"},
		{"role", "POST", chatURL, `{"model":"digesto","messages":[{"role":"jefe","content":"x"}]}`, 400, "invalid_request_error", "invalid", "messages[0].role"},
		{"image", "POST", chatURL, `{"model":"digesto","messages":[{"role":"user","content":[{"type":"image_url"}]}]}`, 400, "invalid_request_error", "invalid", "messages[0].content"},
		{"content", "POST", chatURL, `{"model":"digesto","messages":[{"role":"user","content":7}]}`, 400, "invalid_request_error", "invalid", "messages[0].content"},
		{"two answers", "POST", chatURL, chatBody(`,"n":2`), 400, "invalid_request_error", "invalid", "n"},
		{"JSON", "POST", chatURL, chatBody(`,"response_format":{"type":"json_object"}`), 400, "invalid_request_error", "invalid", "response_format"},
		{"date", "POST", chatURL, chatBody(`,"as_of":"ayer"`), 400, "invalid_request_error", "invalid", ""},
		{"cut", "POST", chatURL, `{"model":`, 400, "invalid_request_error", "invalid", ""},
		{"many", "POST", chatURL, `{"model":"digesto","messages":[` + strings.Repeat(`{"role":"user"},`, 1000) + `{"role":"user","content":"x"}]}`, 400, "invalid_request_error", "invalid", "messages"},
		{"huge", "POST", chatURL, chatBody(`,"user":"` + strings.Repeat("a", 300<<10) + `"`), 413, "invalid_request_error", "too_large", ""},
		{"deep", "POST", chatURL, strings.Repeat("[", 20000), 400, "invalid_request_error", "invalid", ""},
		{"no such model", "GET", "/v1/models/nada", "", 404, "invalid_request_error", "model_not_found", "model"},
		{"method", "GET", chatURL, "", 405, "invalid_request_error", "usage", ""},
	} {
		rec := w.do(c.method, c.path, c.body, "Content-Type", "application/json")
		var got struct {
			Error struct {
				Message, Type, Code string
				Param               *string
			}
		}
		if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil {
			t.Errorf("%s: %v: %s", c.name, err, rec.Body)
			continue
		}
		param := ""
		if got.Error.Param != nil {
			param = *got.Error.Param
		}
		if rec.Code != c.status || got.Error.Type != c.kind || got.Error.Code != c.code || param != c.param || !strings.Contains(got.Error.Message, ": ") {
			t.Errorf("%s: %d %s", c.name, rec.Code, rec.Body)
		}
	}
	w.asker.err = &digesto.Error{Code: digesto.CodeUnavailable, Message: "El modelo no contesta", Hint: "Espere."}
	if rec := w.postJSON(chatURL, chatBody("")); rec.Code != 503 || !strings.Contains(rec.Body.String(), `"server_error"`) {
		t.Errorf("engine's error: %d %s", rec.Code, rec.Body)
	}
	w.asker.panics = true
	if rec := w.postJSON(chatURL, chatBody(`,"stream":true`)); rec.Code != 500 || !strings.Contains(rec.Body.String(), `{"error":{`) || strings.Contains(rec.Body.String(), "lámpara") {
		t.Errorf("panic: %d %s", rec.Code, rec.Body)
	}
}

// TestChatWithClient asks with a client library over a socket.
func TestChatWithClient(t *testing.T) {
	w := newWorld(t, func(o *server.Options) { withPacks(o); o.KeepAlive = 5 * time.Millisecond })
	w.asker.delay = 30 * time.Millisecond
	srv := httptest.NewServer(w.h)
	defer srv.Close()
	conf := api.DefaultConfig("sin clave")
	conf.BaseURL = srv.URL + "/v1"
	client, ctx := api.NewClientWithConfig(conf), context.Background()
	list, err := client.ListModels(ctx)
	if err != nil || len(list.Models) != 3 || list.Models[0].ID != "digesto" || list.Models[2].ID != "digesto-aire" {
		t.Fatalf("models: %+v %v", list, err)
	}
	if m, err := client.GetModel(ctx, "digesto-mar"); err != nil || m.ID != "digesto-mar" || m.CreatedAt == 0 {
		t.Errorf("model: %+v %v", m, err)
	}
	req := api.ChatCompletionRequest{Model: "digesto", Messages: []api.ChatCompletionMessage{{Role: "user", Content: "¿Cuánto descansa el farero?"}}, Temperature: .5}
	res, err := client.CreateChatCompletion(ctx, req)
	if err != nil || res.Choices[0].FinishReason != api.FinishReasonStop || res.Usage.TotalTokens == 0 {
		t.Fatalf("%+v %v", res, err)
	}
	st, err := client.CreateChatCompletionStream(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	text := ""
	for {
		c, err := st.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text += c.Choices[0].Delta.Content
	}
	if text != res.Choices[0].Message.Content || !strings.Contains(text, quote) {
		t.Errorf("streamed %q\nplain %q", text, res.Choices[0].Message.Content)
	}
	var fault *api.APIError
	req.Model = "gpt-4o"
	if _, err := client.CreateChatCompletion(ctx, req); !errors.As(err, &fault) || fault.HTTPStatusCode != 404 || fault.Code != "model_not_found" {
		t.Errorf("unknown model: %v", err)
	}
	req.Model = "digesto"
	w.asker.err = &digesto.Error{Code: digesto.CodeUnavailable, Message: "El modelo no contesta", Hint: "Espere."}
	if st, err = client.CreateChatCompletionStream(ctx, req); err == nil {
		for err == nil {
			_, err = st.Recv()
		}
		st.Close()
	}
	if !errors.As(err, &fault) || !strings.Contains(fault.Message, "El modelo no contesta") {
		t.Errorf("error in the stream: %v", err)
	}
}
