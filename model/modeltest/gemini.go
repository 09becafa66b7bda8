package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"digesto/model"
)

// Gemini plays scripts in the form that Gemini's REST API documents
// (generateContent, streamGenerateContent?alt=sse, batchEmbedContents): no
// exchange with the real service stands behind it.
type Gemini struct {
	Server
}

// NewGemini starts a server; it ends with the test. Its URL is the base address.
func NewGemini(tb testing.TB, scripts ...Script) *Gemini {
	tb.Helper()
	g := &Gemini{Server{scripts: scripts}}
	h := httptest.NewServer(g)
	tb.Cleanup(func() { h.CloseClientConnections(); h.Close() })
	g.URL = h.URL + "/v1beta"
	if len(scripts) > 0 && scripts[0].Fault == FaultRefused {
		h.Close()
	}
	return g
}

// ServeHTTP plays the next script.
func (g *Gemini) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	sc, call := g.take(r)
	for k, v := range sc.Header {
		w.Header().Set(k, v)
	}
	switch {
	case sc.Fault == FaultStatus:
		if sc.Body == "" {
			sc.Body = fmt.Sprintf(`{"error":{"code":%d,"message":"status %d for key %s","status":"FAILED"}}`, sc.Status, sc.Status, Key)
		}
		status(w, sc)
	case sc.Fault == FaultSlow:
		hang(r)
	case sc.Fault == FaultMoved:
		http.Redirect(w, r, "http://192.0.2.1/", http.StatusFound)
	case sc.Fault == FaultHTML:
		w.Header().Set("Content-Type", "text/html")
		say(w, "<!doctype html><title>Bienvenido</title>")
	case strings.HasSuffix(call.Path, ":batchEmbedContents"):
		geminiVectors(w, sc, call)
	case strings.HasSuffix(call.Path, ":streamGenerateContent"):
		geminiStream(w, r, sc)
	case strings.HasSuffix(call.Path, ":generateContent"):
		geminiWhole(w, r, sc)
	default:
		http.NotFound(w, r)
	}
}

var geminiFinish = map[model.Finish]string{"": "STOP", model.FinishStop: "STOP", model.FinishLength: "MAX_TOKENS", model.FinishFilter: "SAFETY"}

// geminiPart is one answer of the documented form, or one event of a stream.
func geminiPart(sc Script, text string, last bool) map[string]any {
	cand := map[string]any{"index": 0, "content": map[string]any{"role": "model", "parts": []any{map[string]any{"text": text}}}}
	body := map[string]any{"modelVersion": "guion", "responseId": "1"}
	if last {
		cand["finishReason"] = geminiFinish[sc.Finish]
		if sc.Usage != nil {
			body["usageMetadata"] = map[string]any{"promptTokenCount": sc.Usage.Prompt, "candidatesTokenCount": sc.Usage.Completion,
				"totalTokenCount": sc.Usage.Prompt + sc.Usage.Completion}
		}
	}
	body["candidates"] = []any{cand}
	if len(sc.Pieces) == 0 && sc.Finish == model.FinishFilter { // a prompt that was blocked has no candidates
		body["candidates"], body["promptFeedback"] = []any{}, map[string]any{"blockReason": "SAFETY"}
	}
	if sc.Fault == FaultEmpty {
		body["candidates"] = []any{}
	}
	return body
}

func geminiWhole(w http.ResponseWriter, r *http.Request, sc Script) {
	data, _ := json.Marshal(geminiPart(sc, sc.Text(), true))
	_ = wait(r.Context(), sc.Pause*time.Duration(len(sc.Pieces)))
	w.Header().Set("Content-Type", "application/json")
	half(w, r, sc, data)
}

func geminiStream(w http.ResponseWriter, r *http.Request, sc Script) {
	w.Header().Set("Content-Type", "text/event-stream")
	out := w.(http.Flusher)
	send := func(v any) {
		data, _ := json.Marshal(v)
		if sc.Fault == FaultUTF8 {
			data = []byte(strings.Replace(string(data), "ñ", "\xff", 1))
		}
		fmt.Fprintf(w, "data: %s\r\n\r\n", data)
		out.Flush()
	}
	if len(sc.Pieces) == 0 || sc.Fault == FaultEmpty {
		send(geminiPart(sc, "", true))
		return
	}
	for i, p := range sc.Pieces {
		_ = wait(r.Context(), sc.Pause)
		if i > 0 && broken(w, r, sc.Fault) {
			return
		}
		send(geminiPart(sc, p, i == len(sc.Pieces)-1))
	}
}

func geminiVectors(w http.ResponseWriter, sc Script, call Call) {
	w.Header().Set("Content-Type", "application/json")
	if len(sc.Pieces) > 0 {
		say(w, sc.Text())
		return
	}
	list, _ := call.Body["requests"].([]any)
	var data []any
	for _, x := range list {
		one, _ := x.(map[string]any)
		text := fmt.Sprint(one["content"])
		v := []float64{float64(len(text)), 0, 0, 0}
		if one["taskType"] == "RETRIEVAL_QUERY" {
			v[1] = 1
		}
		data = append(data, map[string]any{"values": v})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"embeddings": data})
}
