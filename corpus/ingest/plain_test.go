package ingest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"digesto"
)

func TestPlainReadsWordProcessors(t *testing.T) {
	for name, in := range map[string]string{
		"faroles.docx": zipped(t, "word/document.xml", lampDOCX),
		"faroles.odt":  zipped(t, "content.xml", lampODT),
		"faroles.rtf":  lampRTF,
		"sin-nombre":   zipped(t, "word/document.xml", lampDOCX), // what it is follows from its bytes
		"pagina.html":  "<html><body><h1>Ley 5/2001, de faroles</h1><p>El farol mide cuatro metros.</p><p>Mayor | 12</p><p>Nada más.</p></body></html>",
		"texto.txt":    "Ley 5/2001, de faroles\n\nEl farol mide cuatro metros.\n\nMayor | 12\n\nNada más.\n",
	} {
		got, err := Plain(context.Background(), name, []byte(in), Options{})
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

func TestPlainSaysWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		code digesto.Code
	}{
		"vacio.txt":  {" \n", digesto.CodeInvalid},
		"fotos.zip":  {zipped(t, "a.png", "x"), digesto.CodeInvalid},
		"roto.docx":  {zipped(t, "word/document.xml", lampDOCX)[:200], digesto.CodeInvalid},
		"bomba.docx": {zipped(t, "word/document.xml", "<w:document><w:body><w:p><w:r><w:t>"+strings.Repeat("a", maxPart)), digesto.CodeTooLarge},
		"viejo.doc":  {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00", digesto.CodeInvalid},
	} {
		_, err := Plain(context.Background(), name, []byte(c.in), Options{})
		var e *digesto.Error
		if !errors.As(err, &e) || e.Code != c.code || e.Hint == "" || strings.HasSuffix(e.Message, ".") {
			t.Errorf("%s: %#v", name, err)
		}
	}
}
