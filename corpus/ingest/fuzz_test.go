package ingest

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"digesto"
)

var seeds = []string{
	"Artículo 1. Objeto.\n\nFaroles.\n\nArtículo 2.- (75) BANCOS\n\n(*) Inciso sustituido por la Ley 3, publicada el 2 de mayo de 2001.\n",
	"TEXTO ORDENADO\n\nDISPOSICIONES FINALES\n\nPRIMERA.- Uno.\n\n«Artículo 11. Dos.\n\nANEXO II\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
	"NORMA I: UNO\n\n**_Artículo 3 bis.-_** texto [de](http://x \n y) (B.O. 1/1/2001\n\n1.ª Tres\n",
	"<!-- pág. 3 -->\n\n###### Artículo único. Fin.\n\n> <small>Nota</small>\n\nArts. 4 a 9. (Derogados)\nPrimera Disposición Final.- X",
}

// sound checks what must hold for any input whatever.
func sound(t *testing.T, units []digesto.Unit) {
	t.Helper()
	seen := map[string]bool{}
	for _, u := range units {
		if u.ID == "" || seen[u.ID] || strings.ContainsAny(u.ID, "/ \n\t") {
			t.Fatalf("bad or repeated id %q", u.ID)
		}
		seen[u.ID] = true
		if len(u.Versions) == 0 {
			t.Fatalf("%s has no version", u.ID)
		}
		for _, v := range u.Versions {
			n := utf8.RuneCountInString(v.Text)
			if strings.TrimSpace(v.Text) == "" || !utf8.ValidString(v.Text) {
				t.Fatalf("%s: text %q", u.ID, v.Text)
			}
			for i, p := range v.Pages {
				if p.Start < 0 || p.Start > n || p.Page < 1 || i == 0 && p.Start != 0 {
					t.Fatalf("%s: page mark %+v in %d", u.ID, p, n)
				}
			}
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range seeds {
		f.Add("---\ntitle: x\n---\n" + s)
	}
	f.Fuzz(func(t *testing.T, s string) { fuzzFile(t, "f.md", s) })
}

func FuzzText(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Add("\xff\xfeA\x00")
	f.Fuzz(func(t *testing.T, s string) { fuzzFile(t, "f.txt", s) })
}

func FuzzJSONL(f *testing.F) {
	f.Add(`{"_id":"a/b","title":"Artículo 1","text":"x","metadata":{"page":1,"valid_from":"2001-01-01"}}`)
	f.Add("{}\n[]\nnull\n{\"_id\":1}")
	f.Fuzz(func(t *testing.T, s string) { fuzzFile(t, "f.jsonl", s) })
}

func FuzzHTML(f *testing.F) {
	f.Add("<meta charset=windows-1252><p><b>ART\xcdCULO 1\xba.-</b> Los faroles<br><br>Artículo 2. Los bancos<table><tr><td>a<td>b</table><a href=#1>índice</a>")
	f.Fuzz(func(t *testing.T, s string) { fuzzFile(t, "f.html", s) })
}

func fuzzFile(t *testing.T, name, s string) {
	if len(s) > 64<<10 {
		return
	}
	docs, _, err := ReadFile(context.Background(), name, []byte(s), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		sound(t, d.Units)
		if err := d.Validate(); err != nil {
			t.Fatal(err)
		}
	}
}

// FuzzStructure drives the recogniser with lines of every flag.
func FuzzStructure(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, uint8(i))
	}
	f.Fuzz(func(t *testing.T, s string, flags uint8) {
		if len(s) > 32<<10 || !utf8.ValidString(s) {
			return
		}
		var lines []Line
		for i, p := range strings.Split(s, "\n") {
			if p = tidy(p); p == "" {
				continue
			}
			k := (uint(flags) + uint(i)) % 11
			lines = append(lines, Line{Text: p, Page: int(flags % 3), Gap: k != 1, Bold: k == 2, Italic: k == 3, History: k == 4, Note: k == 5, Table: k == 6, Level: int(k) % 7})
		}
		units, _ := structure(digesto.Norm{ID: "N"}, lines, structOptions{})
		sound(t, units)
	})
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{"3 bis", "62°-A", "vigésimo primero", "XV", "única", "1.234", "12”.-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, size, ok := parseNumber(s)
		if size > len(s) || ok && size == 0 || ok && n.Main <= 0 {
			t.Fatalf("parseNumber(%q) = %+v, %d, %v", s, n, size, ok)
		}
		if ok && n.String() == "" {
			t.Fatalf("no spelling for %+v", n)
		}
	})
}

func FuzzXML(f *testing.F) {
	f.Add(lampXML)
	f.Add(`<documento><metadatos><identificador>X-A-2001-1</identificador></metadatos><texto><p class="articulo">Artículo 1. Luz.</p><p>Sí.</p><table><tr><td>a</td><td>b</td></tr></table></texto></documento>`)
	f.Add("<?xml version='1.0' encoding='iso-8859-1'?><response><data><texto><bloque tipo='precepto' titulo='Primera'><version fecha_vigencia='20011301'><p>\xf1</p></version></bloque></texto></data></response>")
	f.Fuzz(func(t *testing.T, s string) { fuzzFile(t, "f.xml", s) })
}

func FuzzRTF(f *testing.F) {
	f.Add(lampRTF)
	f.Add(`{\rtf1\ansicpg850{\*\x{\u-3?}}\pard\s9 a\'e\cell\row{\footnote{b}\par`)
	f.Fuzz(func(t *testing.T, s string) { fuzzFile(t, "f.rtf", `{\rtf1`+s) })
}

func FuzzJSON(f *testing.F) {
	f.Add(`{"document":{"content":{"numero-norma":5,"tipo-norma":{"texto":"Ley"},"articulo":[{"texto":"[[p]]ARTICULO 1° - Luz.[[/p]]","modificado-por":{"referencia-normativa":{"ref":"LEY C 000005 2001"}}}],"anexo":{"segmento":{"titulo-particion":"T","articulo":{"texto":"Artículo 1.- Más."}}}}}}`)
	f.Fuzz(func(t *testing.T, s string) { fuzzFile(t, "f.json", s) })
}

// FuzzOffice puts any bytes in the place of an archive, and in its text.
func FuzzOffice(f *testing.F) {
	f.Add(lampDOCX, true)
	f.Add(lampODT, false)
	f.Fuzz(func(t *testing.T, s string, word bool) {
		part := map[bool]string{true: "word/document.xml", false: "content.xml"}[word]
		fuzzFile(t, "f.docx", zipped(t, part, s))
		fuzzFile(t, "g.docx", "PK\x03\x04"+s)
	})
}
