package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"digesto"

	"digesto/corpus/ingest"
	"digesto/server"
	"digesto/verify/brief"
	webverify "digesto/web/verify"
)

// verifyServer serves the check over a small law of its own.
func verifyServer(t *testing.T) http.Handler {
	t.Helper()
	data := t.TempDir()
	addLaw(t, data, "diez")
	e, _, _ := testEnv(nil)
	e.clock = func() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }
	a := newApp(context.Background(), e)
	a.Settings.Data, a.Settings.Origins = data, map[string]string{"data": "opción"}
	w, err := a.Open(a.Context)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	s, err := server.New(server.Options{Engine: silent{t}, Routes: webverify.Routes(a.App, w)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The law of addLaw says how many days the keeper rests.
const (
	trueBrief  = "Según el artículo 2 de la Ley 1/2001, «El farero tendrá diez días de descanso al año»."
	falseBrief = "Según el artículo 2 de la Ley 1/2001, «El farero tendrá doce días de descanso al año»."
)

func jsonPost(body string) *http.Request {
	r := httptest.NewRequest("POST", "/v1/verify", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return r
}

func TestVerifyHTTP(t *testing.T) {
	h := verifyServer(t)
	for text, want := range map[string]brief.Verdict{trueBrief: brief.Verified, falseBrief: brief.NotFound} {
		body, _ := json.Marshal(map[string]string{"text": text})
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, jsonPost(string(body)))
		var rep brief.Report
		if err := json.Unmarshal(rec.Body.Bytes(), &rep); err != nil || rec.Code != 200 || len(rep.Citations) != 1 || rep.Citations[0].Verdict != want {
			t.Errorf("%s: %d %v %s", text, rec.Code, err, rec.Body)
		}
	}
	for body, status := range map[string]int{`{}`: 422, `{"text":"  "}`: 422, `{"text":"x","nada":1}`: 422, `{"text":"x","as_of":"ayer"}`: 422, `{"text":"x","pack":"no"}`: 404, `{"text":"` + strings.Repeat("x", webverify.MaxVerify) + `"}`: 413} {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, jsonPost(body))
		if rec.Code != status || !strings.Contains(rec.Header().Get("Content-Type"), "problem+json") {
			t.Errorf("%.40s: %d %s, want %d", body, rec.Code, rec.Body, status)
		}
	}
}

// TestVerifyPageTellsNoCommand: whoever reads the page, or the report kept of it, gives no orders.
func TestVerifyPageTellsNoCommand(t *testing.T) {
	h := verifyServer(t)
	form := url.Values{"text": {"La Ley 99/1999 y el artículo 4 de la Ley 98/1998 lo confirman: «todo farero descansa»."}}
	for _, path := range []string{"/verificar", "/verificar/informe"} {
		form.Set("format", "html")
		r := httptest.NewRequest("POST", path, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Accept", "text/html")
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		if body := rec.Body.String(); rec.Code != 200 || !strings.Contains(body, "99/1999") || strings.Contains(body, "digesto corpus") {
			t.Errorf("%s: %d\n%s", path, rec.Code, body)
		}
	}
}

// briefDOCX is a text as word processors write it.
func briefDOCX(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("word/document.xml")
	if err == nil {
		_, err = fmt.Fprintf(w, `<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>%s</w:t></w:r></w:p></w:body></w:document>`, text)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestVerifyPage(t *testing.T) {
	h := verifyServer(t)
	post := func(field, name, text string) (int, string) {
		var b bytes.Buffer
		m := multipart.NewWriter(&b)
		if name == "" {
			_ = m.WriteField(field, text)
		} else {
			f, _ := m.CreateFormFile(field, name)
			_, _ = f.Write([]byte(text))
		}
		_ = m.Close()
		r := httptest.NewRequest("POST", "/verificar", &b)
		r.Header.Set("Content-Type", m.FormDataContentType())
		r.Header.Set("Accept", "text/html")
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		return rec.Code, rec.Body.String()
	}
	if code, page := post("text", "", trueBrief+"\n\n<script>alert(1)</script>"); code != 200 || !strings.Contains(page, "COMPROBADA") || !strings.Contains(page, `class="v is-ok" href="#c1"`) || strings.Contains(page, "<script>alert") {
		t.Errorf("%d %s", code, page)
	}
	if code, page := post("file", "escrito.md", falseBrief); code != 200 || !strings.Contains(page, "<del>doce") || !strings.Contains(page, "<ins>diez") {
		t.Errorf("%d %s", code, page)
	}
	if code, page := post("file", "escrito.docx", briefDOCX(t, trueBrief)); code != 200 || !strings.Contains(page, "COMPROBADA") {
		t.Errorf("a document of a word processor: %d %s", code, page)
	}
	if code, page := post("text", "", ""); code != 422 || !strings.Contains(page, `role="alert"`) {
		t.Errorf("empty: %d %s", code, page)
	}
	if code, page := post("file", "x.pdf", "%PDF-1.4 roto"); code != 422 || !strings.Contains(page, "PDF") {
		t.Errorf("damaged file: %d %s", code, page)
	}
}

// A report can be kept as a page, a text and a document with a comment at each citation; the
// graver verdict stands on words that two citations share, and paragraphs stay.
func TestVerifyReport(t *testing.T) {
	h := verifyServer(t)
	for format, want := range map[string]string{"html": `<mark class="is-bad">`, "md": "[^1]: **", "docx": "PK\x03\x04"} {
		r := httptest.NewRequest("POST", "/verificar/informe", strings.NewReader(url.Values{"text": {falseBrief + "\n\nOtro párrafo."}, "format": {format}}.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		if rec.Code != 200 || !strings.Contains(rec.Body.String(), want) || !strings.Contains(rec.Header().Get("Content-Disposition"), "citas."+format) {
			t.Errorf("%s: %d %.300s", format, rec.Code, rec.Body.String())
		}
		if format != "docx" {
			continue
		}
		s, err := ingest.Plain(t.Context(), "citas.docx", rec.Body.Bytes(), ingest.Options{})
		if err != nil || !strings.Contains(s, "Otro párrafo.") {
			t.Errorf("%v: %s", err, s)
		}
		z, err := zip.NewReader(bytes.NewReader(rec.Body.Bytes()), int64(rec.Body.Len()))
		if err != nil {
			t.Fatal(err)
		}
		f, err := z.Open("word/comments.xml")
		if err != nil {
			t.Fatal(err)
		}
		notes, _ := io.ReadAll(f)
		if err := xml.Unmarshal(notes, new(struct{})); err != nil || !strings.Contains(string(notes), "NO ENCONTRADA") {
			t.Errorf("%v: %s", err, notes)
		}
	}
	q := "uno dos"
	paras := webverify.MarkText("Dice uno dos tres.\n\nOtro.", []brief.Finding{
		{Verdict: brief.Verified, Quote: &q, QuoteStart: 5, QuoteEnd: 12},
		{Verdict: brief.NotFound, Quote: &q, QuoteStart: 9, QuoteEnd: 17},
	})
	if len(paras) != 2 || len(paras[0]) != 3 || paras[0][1].F.Verdict != brief.NotFound || paras[0][1].Text != "dos tres" {
		t.Errorf("%+v", paras)
	}
}

// silent is an engine that no page of verification may ask.
type silent struct{ T *testing.T }

func (s silent) Ask(context.Context, digesto.Question, func(digesto.Event)) (digesto.Answer, error) {
	s.T.Error("the page asks the engine")
	return digesto.Answer{}, nil
}
