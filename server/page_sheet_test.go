package server_test

import (
	"context"
	"strings"
	"testing"

	"digesto"
	"digesto/server"
)

// drawer has two pages of one document.
type drawer struct{}

func (drawer) Has(string) bool { return true }

func (drawer) Page(_ context.Context, _ string, page int, _ []string) ([]byte, error) {
	if page > 2 {
		return nil, &digesto.Error{Code: digesto.CodeNotFound, Message: "el documento no tiene esa página"}
	}
	return []byte("png"), nil
}

// TestSheet: a page of the document stands by itself, larger or smaller, with its neighbours.
func TestSheet(t *testing.T) {
	w := newWorld(t, func(o *server.Options) { o.Facsimiles = drawer{} })
	page := w.page("/leyes/FARO-1/a2/paginas/2?hoja=2&at=0-3").Body.String()
	want(t, page, "<h1>Página 2 del documento</h1>", `src="/leyes/FARO-1/a2/paginas/2?at=0-3"`, `href="/leyes/FARO-1/a2/paginas/1?at=0-3&amp;hoja=2" rel="prev"`, `href="/leyes/FARO-1/a2/paginas/3?at=0-3&amp;hoja=2" rel="next"`,
		`hoja=3">Muy grande</a>`, `aria-current="true">Grande</a>`, "sheet-2", `<a href="/leyes/FARO-1/a2">`)
	if first := w.page("/leyes/FARO-1/a2/paginas/1?hoja=99").Body.String(); strings.Contains(first, `rel="prev"`) || !strings.Contains(first, "sheet-1") {
		t.Error("the first page has one before it, or a size there is not")
	}
	if rec := w.page("/leyes/FARO-1/a2/paginas/1"); rec.Header().Get("Content-Type") != "image/png" {
		t.Errorf("the picture: %s", rec.Header())
	}
	if rec := w.page("/leyes/FARO-1/a2/paginas/0?hoja=1"); rec.Code != 422 && rec.Code != 400 {
		t.Errorf("page 0: %d", rec.Code)
	}
}

// TestInstallable: the pages can be installed as an application.
func TestInstallable(t *testing.T) {
	w := newWorld(t, nil)
	_, rest, _ := strings.Cut(w.page("/").Body.String(), `<link rel="manifest" href="`)
	link, _, _ := strings.Cut(rest, `"`)
	rec := w.page(link)
	if rec.Code != 200 || rec.Header().Get("Content-Type") != "application/manifest+json" || !strings.Contains(rec.Body.String(), `"start_url":"/"`) {
		t.Errorf("%s: %d %s %s", link, rec.Code, rec.Header(), rec.Body)
	}
}
