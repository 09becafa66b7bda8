package server_test

import (
	"bytes"
	"context"
	"io"
	"iter"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/pack"
	"digesto/server"
)

// TestTextsAreBrought: files of a folder chosen on the page are read into the corpus as a
// job, whose state the page shows; without files, or while there is another, nothing begins.
func TestTextsAreBrought(t *testing.T) {
	begun, free := make(chan server.Order, 9), make(chan bool)
	discarded, boss := 0, true
	jobs := server.NewJobs(t.Context(), time.Now, func(_ context.Context, o server.Order, tell func(string, int, int)) ([]string, error) {
		tell("Leyendo", 1, 2)
		begun <- o
		<-free
		return []string{"2 archivos"}, nil
	})
	w := newWorld(t, func(o *server.Options) {
		o.Jobs, o.Packs = jobs, []*pack.Pack{{Name: "mar", Title: "Mar"}}
		o.Keep = func(files iter.Seq2[string, io.Reader]) (string, int, error) {
			said := ""
			n := 0
			for name, r := range files {
				data, _ := io.ReadAll(r)
				said += name + "=" + string(data) + ";"
				n++
			}
			return said, n, nil
		}
		o.Discard = func(string) { discarded++ }
		o.Admin = func(*http.Request) error {
			if boss {
				return nil
			}
			return &digesto.Error{Code: digesto.CodeForbidden, Message: "no es quien lleva esto"}
		}
	})
	send := func(packName string, files ...string) (int, string) {
		var body bytes.Buffer
		m := multipart.NewWriter(&body)
		_ = m.WriteField("pack", packName)
		for _, f := range append(files, "") {
			part, _ := m.CreateFormFile("file", f)
			_, _ = io.WriteString(part, "texto de "+f)
		}
		m.Close()
		rec := w.do("POST", "/corpus/textos", body.String(), "Content-Type", m.FormDataContentType(), "Accept", "text/html")
		return rec.Code, rec.Body.String()
	}
	if code, page := send("mar"); code < 400 || !strings.Contains(page, "No ha elegido ningún archivo") {
		t.Errorf("no files: %d", code)
	}
	if code, _ := send("nada", "a.pdf"); code != 404 {
		t.Errorf("a pack there is not: %d", code)
	}
	if code, page := send("mar", "a.pdf", "b.md"); code != 303 {
		t.Fatalf("%d: %s", code, page)
	}
	if o := <-begun; o != (server.Order{Do: "add", Pack: "mar", Folder: "a.pdf=texto de a.pdf;b.md=texto de b.md;"}) {
		t.Errorf("%+v", o)
	}
	want(t, w.page("/corpus").Body.String(), "Añadiendo textos: Mar", "1 de 2", `webkitdirectory`)
	if code, _ := send("mar", "c.pdf"); code != 409 {
		t.Errorf("a second one: %d", code)
	}
	close(free)
	jobs.Wait()
	want(t, w.page("/corpus").Body.String(), "Añadir textos: Mar", "2 archivos", "Hecho")
	if discarded != 1 {
		t.Errorf("%d folders of what did not begin were removed, not 1", discarded)
	}
	if rec := w.do("POST", "/corpus", url.Values{"do": {"add"}}.Encode(), "Content-Type", "application/x-www-form-urlencoded"); rec.Code < 400 {
		t.Error("an order without files begins")
	}
	if _, err := jobs.Start(server.Order{Do: "install", Pack: "mar", Folder: "x"}); digesto.CodeOf(err) == "" {
		t.Error("a folder to install from")
	}
	boss = false
	if code, _ := send("mar", "a.pdf"); code != http.StatusForbidden || strings.Contains(w.page("/corpus").Body.String(), "webkitdirectory") {
		t.Errorf("who does not run the server: %d", code)
	}
}
