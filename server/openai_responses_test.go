package server_test

import (
	"strings"
	"testing"
)

// TestResponses: the form «responses» takes a text or messages, and gives the same answer,
// with links that lead to the sentence on this server.
func TestResponses(t *testing.T) {
	w := newWorld(t, nil)
	w.asker.answer.Citations[0].Ref.URL = ""
	for _, body := range []string{`{"model":"digesto","input":"¿Cuánto descansa?"}`,
		`{"model":"digesto","instructions":"Sé breve","temperature":0,"input":[{"role":"user","content":"hola"},{"role":"assistant","content":[{"type":"output_text","text":"Buenas"}]},{"role":"user","content":[{"type":"input_text","text":"¿Cuánto descansa?"}]}]}`} {
		rec := w.postJSON("/v1/responses", body)
		type reply struct {
			Object, Status string
			Output         []struct {
				Content []struct {
					Type, Text  string
					Annotations []struct{ URL, Title string }
				}
			}
		}
		r := unmarshal[reply](t, rec.Body)
		if rec.Code != 200 || r.Object != "response" || r.Status != "completed" || len(r.Output) != 1 || w.asker.got.Text != "¿Cuánto descansa?" {
			t.Fatalf("%d %+v asked %q", rec.Code, r, w.asker.got.Text)
		}
		c := r.Output[0].Content[0]
		if c.Type != "output_text" || !strings.Contains(c.Text, quote) || len(c.Annotations) != 1 {
			t.Fatalf("%+v", c)
		}
		if at := c.Annotations[0].URL; !strings.HasPrefix(at, "http://example.com/leyes/FARO-1/a2?version=2020&quote=") || !strings.HasSuffix(at, "#cita") {
			t.Errorf("the link is %q", at)
		}
	}
	for body, says := range map[string]string{`{"model":"digesto","input":"x","stream":true}`: "flujo", `{"model":"digesto","input":7}`: "input", `{"input":"x"}`: "modelo"} {
		if rec := w.postJSON("/v1/responses", body); rec.Code != 400 || !strings.Contains(rec.Body.String(), says) {
			t.Errorf("%s: %d %s", body, rec.Code, rec.Body)
		}
	}
}
