package ingest_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus/ingest"
	"digesto/corpus/ingest/office"
	"digesto/internal/ingesttest"
)

func TestPlainReadsWordProcessors(t *testing.T) {
	for name, in := range map[string]string{
		"faroles.docx": ingesttest.Zipped(t, "word/document.xml", ingesttest.LampDOCX),
		"faroles.odt":  ingesttest.Zipped(t, "content.xml", ingesttest.LampODT),
		"faroles.rtf":  ingesttest.LampRTF,
		"sin-nombre":   ingesttest.Zipped(t, "word/document.xml", ingesttest.LampDOCX), // what it is follows from its bytes
		"pagina.html":  "<html><body><h1>Ley 5/2001, de faroles</h1><p>El farol mide cuatro metros.</p><p>Mayor | 12</p><p>Nada más.</p></body></html>",
		"texto.txt":    "Ley 5/2001, de faroles\n\nEl farol mide cuatro metros.\n\nMayor | 12\n\nNada más.\n",
	} {
		got, err := ingest.Plain(context.Background(), name, []byte(in), ingest.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, want := range []string{"Ley 5/2001, de faroles\n", "El farol mide cuatro metros", "Mayor | 12", "Nada más."} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q without %q", name, got, want)
			}
		}
		if strings.Contains(got, "dos") || strings.Contains(got, "rtf") || strings.Contains(got, "<") {
			t.Errorf("%s: what was struck out, or marks, in %q", name, got)
		}
	}
}

// What a page quotes by its elements alone keeps marks of text.
func TestPlainMarksQuotations(t *testing.T) {
	got, err := ingest.Plain(context.Background(), "faroles.html", []byte("<p>Dice: <q>El farol mide</q> y <i>el farol alumbra desde que cae la tarde</i> con <em>luz</em>.</p><blockquote><p>Arde de noche.</p><p>Y de día.</p><footer>— artículo 5</footer></blockquote><p>Fin.</p><blockquote>Y al alba.<footer>artículo 6</footer></blockquote>"), ingest.Options{})
	want := "Dice: «El farol mide» y *el farol alumbra desde que cae la tarde* con luz.\n\n> Arde de noche.\n>\n> Y de día.\n>\n> — artículo 5\n\nFin.\n\n> Y al alba.\n>\n> artículo 6\n\n"
	if err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

// The calls of notes lead to their notes; a note says where it belongs.
func TestPlainKeepsCallsOfNotes(t *testing.T) {
	docx := ingesttest.Zipped(t,
		"word/document.xml", `<w:document><w:body><w:p><w:r><w:t>El farol alumbra</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t> y arde</w:t></w:r><w:r><w:endnoteReference w:id="2"/></w:r></w:p></w:body></w:document>`,
		"word/footnotes.xml", `<w:footnotes><w:footnote w:id="0"><w:p><w:r><w:separator/></w:r></w:p></w:footnote><w:footnote w:id="2"><w:p><w:r><w:footnoteRef/><w:t>De noche.</w:t></w:r></w:p><w:p><w:r><w:t>Y de día.</w:t></w:r></w:p></w:footnote></w:footnotes>`,
		"word/endnotes.xml", `<w:endnotes><w:endnote w:id="2"><w:p><w:r><w:t>Sin humo.</w:t></w:r></w:p></w:endnote></w:endnotes>`)
	odt := ingesttest.Zipped(t, "content.xml", `<office:document-content><office:body><office:text><text:p>El farol alumbra<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>De noche.</text:p></text:note-body></text:note> y arde</text:p></office:text></office:body></office:document-content>`)
	for in, want := range map[string]string{
		docx: "El farol alumbra[^2] y arde[^e2]\n\n[^2]: De noche.\n\nY de día.\n\n[^e2]: Sin humo.\n\n",
		odt:  "El farol alumbra[^1] y arde\n\n[^1]: De noche.\n\n",
	} {
		if got, err := ingest.Plain(context.Background(), "faroles", []byte(in), ingest.Options{}); err != nil || got != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
}

func TestPlainSaysWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		code digesto.Code
	}{
		"vacio.txt":  {" \n", digesto.CodeInvalid},
		"fotos.zip":  {ingesttest.Zipped(t, "a.png", "x"), digesto.CodeInvalid},
		"roto.docx":  {ingesttest.Zipped(t, "word/document.xml", ingesttest.LampDOCX)[:200], digesto.CodeInvalid},
		"bomba.docx": {ingesttest.Zipped(t, "word/document.xml", "<w:document><w:body><w:p><w:r><w:t>"+strings.Repeat("a", office.MaxPart)), digesto.CodeTooLarge},
		"viejo.doc":  {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00", digesto.CodeInvalid},
	} {
		_, err := ingest.Plain(context.Background(), name, []byte(c.in), ingest.Options{})
		var e *digesto.Error
		if !errors.As(err, &e) || e.Code != c.code || e.Hint == "" || strings.HasSuffix(e.Message, ".") {
			t.Errorf("%s: %#v", name, err)
		}
	}
}
