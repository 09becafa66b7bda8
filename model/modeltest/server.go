package modeltest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"digesto/model"
)

// Key is what the server wants as a bearer token, and what must never appear in an error.
const Key = "sk-secreto-1234567890"

// Call is a request that the server got.
type Call struct {
	Path  string
	Body  map[string]any
	Auth  string // Authorization
	Key   string // api-key of Azure, x-goog-api-key of Gemini
	Query string
}

// Server speaks the OpenAI-compatible protocol on loopback and plays scripts.
type Server struct {
	URL string // base address, ends in /v1

	mu      sync.Mutex
	scripts []Script
	calls   []Call
}

// NewServer starts a server; it ends with the test.
func NewServer(tb testing.TB, scripts ...Script) *Server {
	tb.Helper()
	s := &Server{scripts: scripts}
	h := httptest.NewServer(s)
	tb.Cleanup(func() { h.CloseClientConnections(); h.Close() })
	s.URL = h.URL + "/v1"
	if len(scripts) > 0 && scripts[0].Fault == FaultRefused {
		h.Close()
	}
	return s
}

// Calls gives what was asked so far.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

func (s *Server) take(r *http.Request) (Script, Call) {
	c := Call{Path: r.URL.Path, Auth: r.Header.Get("Authorization"), Key: r.Header.Get("api-key") + r.Header.Get("x-goog-api-key"), Query: r.URL.RawQuery}
	if data, err := io.ReadAll(r.Body); err == nil {
		_ = json.Unmarshal(data, &c.Body) // a body that is not JSON shows as none
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, c)
	if len(s.scripts) == 0 {
		return Script{Fault: FaultEmpty}, c
	}
	out := s.scripts[0]
	if len(s.scripts) > 1 {
		s.scripts = s.scripts[1:]
	}
	return out, c
}

// ServeHTTP plays the next script.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	sc, call := s.take(r)
	for k, v := range sc.Header {
		w.Header().Set(k, v)
	}
	switch {
	case sc.Fault == FaultStatus:
		status(w, sc)
	case sc.Fault == FaultSlow:
		hang(r)
	case sc.Fault == FaultMoved:
		http.Redirect(w, r, "http://192.0.2.1/", http.StatusFound)
	case sc.Fault == FaultHTML:
		w.Header().Set("Content-Type", "text/html")
		say(w, "<!doctype html><title>Bienvenido</title>")
	case strings.HasSuffix(call.Path, "/embeddings"):
		embeddings(w, r, sc, call)
	case strings.HasSuffix(call.Path, "/rerank"):
		say(w, sc.Text())
	case call.Body["stream"] == true:
		stream(w, r, sc, call)
	default:
		whole(w, r, sc)
	}
}

// say writes to a client who may have gone.
func say(w io.Writer, s string) { _, _ = io.WriteString(w, s) }

func status(w http.ResponseWriter, sc Script) {
	body := sc.Body
	if body == "" {
		body = fmt.Sprintf(`{"error":{"message":"status %d for key %s","type":"x","code":null}}`, sc.Status, Key)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(sc.Status)
	say(w, body)
}

// hang waits until the client has gone.
func hang(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-time.After(20 * time.Second):
	}
}

func finish(sc Script) string {
	if sc.Finish == "" {
		return string(model.FinishStop)
	}
	return string(sc.Finish)
}

func usage(sc Script) map[string]any {
	if sc.Usage == nil {
		return nil
	}
	return map[string]any{"prompt_tokens": sc.Usage.Prompt, "completion_tokens": sc.Usage.Completion, "total_tokens": sc.Usage.Prompt + sc.Usage.Completion}
}

func whole(w http.ResponseWriter, r *http.Request, sc Script) {
	choice := map[string]any{"index": 0, "finish_reason": finish(sc), "message": map[string]any{"role": "assistant", "content": sc.Text()}}
	body := map[string]any{"id": "1", "object": "chat.completion", "model": "guion", "choices": []any{choice}}
	if u := usage(sc); u != nil {
		body["usage"] = u
	}
	if sc.Fault == FaultEmpty {
		body["choices"] = []any{}
	}
	data, _ := json.Marshal(body)
	_ = wait(r.Context(), sc.Pause*time.Duration(len(sc.Pieces)))
	w.Header().Set("Content-Type", "application/json")
	half(w, r, sc, data)
}

// half sends a body, or as much of it as its fault lets through.
func half(w http.ResponseWriter, r *http.Request, sc Script, data []byte) {
	switch sc.Fault {
	case FaultStall:
		say(w, string(data[:len(data)/2]))
		w.(http.Flusher).Flush()
		hang(r)
	case FaultCut, FaultEnd, FaultGarbled:
		say(w, string(data[:len(data)/2]))
		if sc.Fault == FaultCut {
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
	case FaultInBand:
		status(w, Script{Status: 500})
	case FaultUTF8:
		say(w, strings.Replace(string(data), "ñ", "\xff", 1))
	case FaultHuge:
		endless(w, `{"id":"`, "x")
	default:
		say(w, string(data))
	}
}

// endless writes until the client gives up.
func endless(w io.Writer, head, more string) {
	say(w, head)
	block := strings.Repeat(more, 64<<10)
	for range 4096 {
		if _, err := io.WriteString(w, block); err != nil {
			return
		}
	}
}

func stream(w http.ResponseWriter, r *http.Request, sc Script, call Call) {
	w.Header().Set("Content-Type", "text/event-stream")
	out := w.(http.Flusher)
	send := func(v any) {
		data, _ := json.Marshal(v)
		if sc.Fault == FaultUTF8 {
			data = []byte(strings.Replace(string(data), "ñ", "\xff", 1))
		}
		fmt.Fprintf(w, "data: %s\n\n", data)
		out.Flush()
	}
	chunk := func(choices ...any) map[string]any {
		return map[string]any{"id": "1", "object": "chat.completion.chunk", "model": "guion", "choices": choices}
	}
	if sc.Fault == FaultEmpty {
		send(chunk())
		say(w, "data: [DONE]\n\n")
		return
	}
	for i, p := range sc.Pieces {
		_ = wait(r.Context(), sc.Pause)
		if i > 0 && broken(w, r, sc.Fault) {
			return
		}
		send(chunk(map[string]any{"index": 0, "delta": map[string]any{"content": p}, "finish_reason": nil}))
	}
	send(chunk(map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": finish(sc)}))
	if opt, _ := call.Body["stream_options"].(map[string]any); opt["include_usage"] == true && sc.Usage != nil {
		last := chunk()
		last["choices"], last["usage"] = []any{}, usage(sc)
		send(last)
	}
	say(w, "data: [DONE]\n\n")
}

// broken plays a fault in the middle of a stream; it says whether the stream is over.
func broken(w http.ResponseWriter, r *http.Request, f Fault) bool {
	switch f {
	case FaultStall:
		hang(r)
	case FaultCut:
		panic(http.ErrAbortHandler)
	case FaultEnd:
	case FaultGarbled:
		say(w, "data: {\"choices\":[{\"del\n\n")
	case FaultInBand:
		say(w, `data: {"error":{"message":"sin memoria, `+Key+`","type":"server_error"}}`+"\n\n")
	case FaultHuge:
		endless(w, "data: {\"id\":\"", "x")
	default:
		return false
	}
	return true
}

// embeddings answers with vectors that tell the texts apart: length of the
// text, 1 for a query, then zeros. Pieces hold another body, if any.
func embeddings(w http.ResponseWriter, r *http.Request, sc Script, call Call) {
	w.Header().Set("Content-Type", "application/json")
	if len(sc.Pieces) > 0 {
		say(w, sc.Text())
		return
	}
	input, _ := call.Body["input"].([]any)
	var data []any
	for i := range input { // backwards: the order is in the index
		i = len(input) - 1 - i
		text, _ := input[i].(string)
		v := []float64{float64(len(text)), 0, 0, 0}
		if strings.HasPrefix(text, "query: ") {
			v[1] = 1
		}
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": v})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": "guion", "data": data})
}
