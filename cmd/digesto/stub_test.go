package main

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// stub is a server of models on loopback for whole runs of the program: what
// it does follows from the name of the model that is asked for.
func stub(tb testing.TB) string {
	h := httptest.NewServer(http.HandlerFunc(stubServe))
	tb.Cleanup(func() { h.CloseClientConnections(); h.Close() })
	return h.URL
}

// stubTLS is the same behind a certificate of its own, which stands in a PEM file.
func stubTLS(tb testing.TB) (url, ca string) {
	h := httptest.NewUnstartedServer(http.HandlerFunc(stubServe))
	h.Config.ErrorLog = log.New(io.Discard, "", 0) // clients that do not trust it are what is tried
	h.StartTLS()
	tb.Cleanup(func() { h.CloseClientConnections(); h.Close() })
	ca = filepath.Join(tb.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: h.Certificate().Raw}), 0o600); err != nil {
		tb.Fatal(err)
	}
	return h.URL, ca
}

type stubMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func stubServe(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model    string        `json:"model"`
		Messages []stubMessage `json:"messages"`
		Input    []string      `json:"input"`
		Texts    []string      `json:"texts"`
	}
	_ = json.NewDecoder(io.LimitReader(r.Body, 8<<20)).Decode(&in)
	if r.Header.Get("Authorization") != "Bearer clave-buena" {
		http.Error(w, `{"error":{"message":"wrong key `+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")+`"}}`, http.StatusUnauthorized)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	switch {
	case strings.HasSuffix(r.URL.Path, "/embeddings"):
		var data []any
		for i := range in.Input {
			data = append(data, map[string]any{"index": i, "embedding": []float64{1, 0, 0, float64(i)}})
		}
		stubSend(w, map[string]any{"data": data, "model": in.Model})
	case strings.HasSuffix(r.URL.Path, "/rerank"):
		var list []any
		for i := range in.Texts {
			list = append(list, map[string]any{"index": i, "relevance_score": 1 / float64(i+1)})
		}
		stubSend(w, map[string]any{"results": list})
	case in.Model == "desconocido":
		w.WriteHeader(http.StatusNotFound)
		stubSend(w, map[string]any{"error": map[string]any{"message": "no such model"}})
	case in.Model == "lento":
		select {
		case <-r.Context().Done():
		case <-time.After(20 * time.Second):
		}
	default:
		stubSend(w, map[string]any{"model": in.Model, "usage": map[string]any{"prompt_tokens": 1000, "completion_tokens": 50},
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": stubWrites(in.Model, in.Messages)}}}})
	}
}

func stubSend(w io.Writer, v any) { _ = json.NewEncoder(w).Encode(v) }

var stubSource = regexp.MustCompile(`(?s)(?:Documento|Ley): ([^\n]+)\n.*?Texto: ([^\n]+)`)

// stubWrites is what the model says: "fiel" says and quotes the first source word
// for word, "falso" changes a word of it, "prosa" forgets the form.
func stubWrites(name string, messages []stubMessage) string {
	all := ""
	for _, m := range messages {
		all += m.Content + "\n"
	}
	m := stubSource.FindStringSubmatch(all)
	if name == "prosa" || m == nil {
		if name == "lector" {
			return `{"terms":["descanso anual retribuido"]}`
		}
		return "No sé, depende."
	}
	quote := m[2]
	if r := []rune(quote); len(r) > 200 {
		quote = string(r[:200])
	}
	said := quote
	if name == "falso" {
		quote = strings.Replace(quote, " ", " jamás ", 1)
	}
	out, _ := json.Marshal(map[string]any{
		"answer": "Según el texto citado: " + said, "confidence": .9, "refusal": false, "notes": nil,
		"citations": []any{map[string]any{"quote": quote, "source": m[1], "page": nil}},
	})
	return fmt.Sprintf("```json\n%s\n```", out)
}
