package bench

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"sync/atomic"
)

// StubModel is a model for measures: it answers at once, with the first source
// that it is shown, quoted word for word. What it takes is what everything else
// takes; so it looks for the few words that it needs in the request as it comes,
// without decoding what is around them.
type StubModel struct{ Calls atomic.Int64 }

// stubSource gives the name and the first line of the first source of a request.
func stubSource(body []byte) (name, text string, ok bool) {
	end := []byte(`\n`)
	for _, mark := range []string{`\nDocumento: `, `\nLey: `} {
		if _, after, found := bytes.Cut(body, []byte(mark)); found {
			head, rest, _ := bytes.Cut(after, end)
			if _, rest, ok = bytes.Cut(rest, []byte(`\nTexto: `)); ok {
				line, _, _ := bytes.Cut(rest, end)
				return decoded(head), decoded(line), true
			}
		}
	}
	return "", "", false
}

// decoded reads a piece of a JSON string; "" for what is none.
func decoded(piece []byte) (s string) {
	_ = json.Unmarshal(append(append([]byte{'"'}, piece...), '"'), &s)
	return s
}

// ServeHTTP speaks the chat form of OpenAI.
func (b *StubModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.Calls.Add(1)
	body, _ := io.ReadAll(io.LimitReader(r.Body, 8<<20))
	content := "No consta."
	if name, text, ok := stubSource(body); ok {
		quote := []rune(text[:min(len(text), 1000)])
		out, _ := json.Marshal(map[string]any{"answer": "El texto que se cita responde a lo que usted pregunta.", "confidence": .9, "refusal": false, "notes": nil,
			"citations": []any{map[string]any{"quote": string(quote[:min(len(quote), 200)]), "source": name, "page": nil}}})
		content = string(out)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"model": stubName, "usage": map[string]int{"prompt_tokens": 1000, "completion_tokens": 50},
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]string{"role": "assistant", "content": content}}}})
}

// stubName is the name under which the stub is asked for.
const stubName = "al-instante"
