package server_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/pack"
	"digesto/server"
	"digesto/store"
)

const contract = "CONTRATO DE TRABAJO\nPrimera. El farero cuidará de la lámpara.\nSegunda. El periodo de prueba será de seis meses.\nTercera. Las vacaciones serán de doce días."

// TestBroughtDocument: a text that someone brings is asked about, beside the law; nobody
// else sees it, and it is gone when they say so or after a while.
func TestBroughtDocument(t *testing.T) {
	now, who := clock(), "ana"
	w := newWorld(t, func(o *server.Options) {
		o.Store = store.Memory(clock)
		o.Clock = func() time.Time { return now }
		o.Who = func(*http.Request) (store.User, error) { return store.User{ID: who}, nil }
	})
	want(t, w.page("/documento").Body.String(), `type="file"`, "no se guarda")
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	f, _ := m.CreateFormFile("file", "contrato.txt")
	_, _ = f.Write([]byte(contract))
	m.Close()
	rec := w.do("POST", "/documento", body.String(), "Content-Type", m.FormDataContentType(), "Accept", "text/html")
	at := rec.Header().Get("Location")
	if rec.Code != 303 || !strings.HasPrefix(at, "/documento/") {
		t.Fatalf("%d %s %s", rec.Code, at, rec.Body)
	}
	want(t, w.page(at).Body.String(), "contrato.txt", "Segunda. El periodo de prueba")
	ask := func(q string) string {
		return w.do("POST", at, url.Values{"question": {q}}.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html").Body.String()
	}
	page := ask("¿Cuánto dura el periodo de prueba en este contrato?")
	want(t, page, "<mark>«Segunda. El periodo de prueba será de seis meses.»</mark>", `href="#parte-1"`, `id="parte-1"`, "la ley dice", quote, "/respuestas/t1")
	if strings.Contains(page, "«Tercera") {
		t.Error("what was not asked is given as an answer")
	}
	want(t, ask("¿Puedo llevar perro?"), "No lo dice")
	if rec := w.page(at); rec.Code != 200 {
		t.Fatal(rec.Code)
	}
	who = "luis"
	if rec := w.page(at); rec.Code != 404 || strings.Contains(rec.Body.String(), "seis meses") {
		t.Errorf("somebody else gets %d", rec.Code)
	}
	who = "ana"
	if code, to := w.form(at, url.Values{"do": {"borrar"}}); code != 303 || to != "/documento?borrado=1" {
		t.Errorf("forgetting it: %d %s", code, to)
	}
	if rec := w.page(at); rec.Code != 404 {
		t.Errorf("after it was forgotten: %d", rec.Code)
	}
	_, at = w.form("/documento", url.Values{"text": {contract}})
	now = now.Add(3 * time.Hour)
	if rec := w.page(at); rec.Code != 404 {
		t.Errorf("three hours later: %d", rec.Code)
	}
	if rec := w.do("POST", "/documento", "text=++", "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html"); rec.Code != 422 || !strings.Contains(rec.Body.String(), "No hay ningún texto") {
		t.Errorf("an empty text: %d", rec.Code)
	}
}

// TestDocumentAsksWhoseLaw: where the law depends on a country that was not said, it is chosen
// by a button, with the same question and the same text.
func TestDocumentAsksWhoseLaw(t *testing.T) {
	w := newWorld(t, func(o *server.Options) {
		o.Store = store.Memory(clock)
		o.Packs = []*pack.Pack{{Name: "mar", Title: "Derecho del mar"}, {Name: "costa", Title: "Costas"}}
	})
	answered := w.asker.answer
	w.asker.answer = digesto.Answer{Answer: "¿De qué derecho?", Citations: []digesto.Citation{}, Meta: &digesto.Meta{Outcome: digesto.OutcomeClarification, Options: []string{"mar", "costa"}}}
	_, at := w.form("/documento", url.Values{"text": {contract}})
	ask := func(form url.Values) string {
		return w.do("POST", at, form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html").Body.String()
	}
	question := "¿Cuánto dura el periodo de prueba?"
	want(t, ask(url.Values{"question": {question}}), "seis meses", "¿De qué derecho?", `<input type="hidden" name="question" value="`+question+`">`, `name="pack" value="mar"><b>Derecho del mar</b>`)
	w.asker.answer = answered
	page := ask(url.Values{"question": {question}, "pack": {"mar"}})
	want(t, page, "Y la ley dice", `<option value="mar" selected>`)
	if w.asker.got.Pack != "mar" || w.asker.got.Text != question {
		t.Errorf("asked %+v", w.asker.got)
	}
}
