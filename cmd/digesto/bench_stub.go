package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
)

// benchStub is a model for measures: it answers at once, with the first source
// that it is shown, quoted word for word. What it takes is what everything else takes.
type benchStub struct{ calls atomic.Int64 }

// benchSource gives the name and the first line of the first source of a prompt.
func benchSource(s string) (name, text string, ok bool) {
	for _, mark := range []string{"\nDocumento: ", "\nLey: "} {
		if _, after, found := strings.Cut(s, mark); found {
			name, rest, _ := strings.Cut(after, "\n")
			if _, rest, ok = strings.Cut(rest, "\nTexto: "); ok {
				text, _, _ = strings.Cut(rest, "\n")
				return name, text, true
			}
		}
	}
	return "", "", false
}

// ServeHTTP speaks the chat form of OpenAI.
func (b *benchStub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.calls.Add(1)
	var in struct {
		Model    string `json:"model"`
		Messages []struct {
			Content string `json:"content"`
		} `json:"messages"`
	}
	_ = json.NewDecoder(io.LimitReader(r.Body, 8<<20)).Decode(&in)
	var all strings.Builder
	for _, m := range in.Messages {
		all.WriteString(m.Content + "\n")
	}
	content := "No consta."
	if name, text, ok := benchSource(all.String()); ok {
		quote := []rune(text[:min(len(text), 1000)])
		out, _ := json.Marshal(map[string]any{"answer": "El texto que se cita responde a lo que usted pregunta.", "confidence": .9, "refusal": false, "notes": nil,
			"citations": []any{map[string]any{"quote": string(quote[:min(len(quote), 200)]), "source": name, "page": nil}}})
		content = string(out)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"model": in.Model, "usage": map[string]int{"prompt_tokens": 1000, "completion_tokens": 50},
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]string{"role": "assistant", "content": content}}}})
}
