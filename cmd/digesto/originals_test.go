package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto/internal/browser"
)

// smallPDF is a document of one page with lines of text.
func smallPDF(lines ...string) []byte {
	var content strings.Builder
	for i, l := range lines {
		fmt.Fprintf(&content, "BT /F1 11 Tf 72 %d Td (%s) Tj ET\n", 760-24*i, l)
	}
	objs := []string{"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [5 0 R] /Count 1 >>", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>", "<< >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 6 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", content.Len(), content.String())}
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, o := range objs {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objs)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objs)+1, start)
	return b.Bytes()
}

// TestPageOfQuote installs a PDF, asks, and sees its page with the quotation
// marked beside the answer; removed law leaves no copy.
func TestPageOfQuote(t *testing.T) {
	data, dir := t.TempDir(), t.TempDir()
	file := filepath.Join(dir, "boyas.pdf")
	if err := os.WriteFile(file, smallPDF("Ley 7/2003, de 2 de mayo, de las Boyas", "Articulo 1. Objeto.", "Esta ley regula las boyas del puerto.", "Articulo 2. Color de la boya.", "La boya de babor se pinta de rojo y la de estribor de verde."), 0o644); err != nil {
		t.Fatal(err)
	}
	e, _, errs := testEnv(map[string]string{"DIGESTO_DATA": data})
	if code := run(context.Background(), []string{"corpus", "add", file, "--pack", "laboral"}, e); code != 0 {
		t.Fatal(errs)
	}
	document := ""
	t.Run("served", func(t *testing.T) { document = seePage(t, serveLaw(t, data)) })
	e, _, errs = testEnv(map[string]string{"DIGESTO_DATA": data})
	if code := run(context.Background(), []string{"corpus", "rm", "--purge", document}, e); code != 0 {
		t.Fatal(errs)
	}
	if left, _ := filepath.Glob(filepath.Join(data, "originals", "*")); len(left) > 0 {
		t.Errorf("copies are left: %v", left)
	}
}

// seePage looks at the page of a quotation and gives the document's name.
func seePage(t *testing.T, base string) string {
	const question = `{"pack":"laboral","question":"¿De qué color se pinta la boya de babor?"}`
	var a struct {
		Citations []struct {
			Page *int
			Ref  struct {
				Document, Unit, Version string
				Start, End              int
			}
		}
		Meta struct {
			Session string `json:"session_id"`
		}
	}
	if err := json.Unmarshal([]byte(putTo(t, base, question)), &a); err != nil || len(a.Citations) == 0 || a.Citations[0].Page == nil {
		t.Fatalf("%v %+v", err, a)
	}
	page := get(t, base+"/conversaciones/"+a.Meta.Session+"/2")
	src := between(t, page, `<img class="facsimile" src="`, `"`)
	res, err := http.Get(base + strings.ReplaceAll(src, "&amp;", "&"))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	picture, _ := io.ReadAll(res.Body)
	if cfg, err := png.DecodeConfig(bytes.NewReader(picture)); err != nil || cfg.Height != 1400 || res.Header.Get("Content-Type") != "image/png" {
		t.Errorf("%v %v %s", cfg, err, res.Header)
	}
	c := a.Citations[0].Ref
	for _, bad := range []string{"/paginas/9", "/paginas/0", "/paginas/x", "/paginas/1?at=5-2", "/paginas/1?at=0-999999", "/paginas/1?at=x"} {
		res, err := http.Get(base + "/leyes/" + c.Document + "/" + c.Unit + bad)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != 404 && res.StatusCode != 422 {
			t.Errorf("%s: %d", bad, res.StatusCode)
		}
	}
	t.Run("browser", func(t *testing.T) {
		tab := browser.Start(t).Tab(t, browser.Look{})
		tab.Go(base + "/conversaciones/" + a.Meta.Session + "/2")
		tab.Click("summary:has(+.facsimile)")
		tab.Wait("document.querySelector('.facsimile').naturalHeight===1400")
		checkPage(t, tab, "a page of a document")
		tab.Shot("facsimil")
	})
	return c.Document
}
