package pdf

import (
	"reflect"
	"testing"

	"digesto"
	"digesto/corpus/ingest/line"
	"digesto/internal/pdfium"
	"digesto/internal/pdftest"
)

// The parts of the PDF reader, each by itself.

func TestJoinRules(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []ruled
		want []ruled
	}{
		{"pieces that touch", []ruled{{10, 0, 50}, {10.2, 51, 100}, {10, 99, 120}}, []ruled{{10, 0, 120}}},
		{"pieces far apart", []ruled{{10, 0, 50}, {10, 60, 100}}, []ruled{{10, 0, 50}, {10, 60, 100}}},
		{"side by side", []ruled{{10, 0, 50}, {14, 0, 50}}, []ruled{{10, 0, 50}, {14, 0, 50}}},
		{"none", nil, nil},
	} {
		if got := joinRules(c.in); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// sides gives the rules of a rectangle.
func sides(l, b, r, t float32) (vertical, horizontal []ruled) {
	return []ruled{{l, b, t}, {r, b, t}}, []ruled{{b, l, r}, {t, l, r}}
}

func TestFindBlocks(t *testing.T) {
	type want struct {
		box     pdfium.Box
		columns int
		parent  int
	}
	outerV, outerH := sides(50, 100, 500, 700)
	innerV, innerH := sides(80, 300, 400, 400)
	touchV, touchH := sides(51, 300, 400, 400) // its left side touches the table's
	hangV, hangH := sides(80, 300, 506, 400)   // it hangs over the right edge
	for _, c := range []struct {
		name string
		v, h []ruled
		want []want
	}{
		{"one box", outerV, outerH, []want{{boxOf(50, 100, 500, 700), 1, -1}}},
		{"a box in a box", append(outerV, innerV...), append(outerH, innerH...), []want{{boxOf(80, 300, 400, 400), 1, 1}, {boxOf(50, 100, 500, 700), 1, -1}}},
		{"a box whose side touches the one around it", append(outerV, touchV...), append(outerH, touchH...), []want{{boxOf(51, 300, 400, 400), 1, 1}, {boxOf(50, 100, 500, 700), 1, -1}}},
		{"a box that hangs over the edge", append(outerV, hangV...), append(outerH, hangH...), []want{{boxOf(80, 300, 506, 400), 1, 1}, {boxOf(50, 100, 500, 700), 1, -1}}},
		{"a table of two columns", append(outerV, ruled{300, 100, 700}), append(outerH, ruled{500, 50, 500}), []want{{boxOf(50, 100, 500, 700), 2, -1}}},
		{"the sides of a box that runs on over both edges of the page", []ruled{{50, 60, 780}, {500, 60, 780}}, nil, []want{{boxOf(50, 60, 500, 780), 1, -1}}},
		{"one rule is no box", []ruled{{50, 60, 780}}, []ruled{{60, 50, 400}}, nil},
		{"a rule under a header is no box", nil, []ruled{{60, 50, 400}}, nil},
	} {
		var got []want
		for _, b := range findBlocks(joinRules(append([]ruled(nil), c.v...)), joinRules(append([]ruled(nil), c.h...))) {
			got = append(got, want{b.Box, b.columns(), b.parent})
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestFindBlocksIsBounded(t *testing.T) {
	many := make([]ruled, maxRules+1)
	if got := findBlocks(many, nil); got != nil {
		t.Errorf("%d blocks in a drawing of %d rules", len(got), len(many))
	}
}

func TestRowsAndColumns(t *testing.T) {
	v, h := sides(0, 0, 300, 90)
	v = append(v, ruled{100, 0, 90}, ruled{200, 0, 30}) // the last column is parted in the lowest row only
	h = append(h, ruled{30, 0, 300}, ruled{60, 0, 300}, ruled{75, 0, 100})
	b := findBlocks(joinRules(v), joinRules(h))[0]
	for _, c := range []struct {
		x, y        float32
		row, column int
	}{{50, 80, 0, 0}, {150, 70, 0, 1}, {250, 40, 1, 1}, {250, 10, 2, 2}, {150, 10, 2, 1}} {
		l := textLine{left: c.x - 5, right: c.x + 5, y: c.y, size: 8}
		if r, k := b.row(c.y), b.column(l); r != c.row || k != c.column {
			t.Errorf("(%v, %v) is in row %d column %d, want %d %d", c.x, c.y, r, k, c.row, c.column)
		}
	}
}

func TestListHead(t *testing.T) {
	for in, want := range map[string]bool{
		"a) de noche": true, "1. El faro": true, "12.3. El faro": true, "1.º El faro": true, "– de dia": true, "ii) con niebla": true,
		"(3) La grua": true, "(b) La grua": true, "3.Pago": true, "El faro": false, "2019 fue bueno": false, "de 3. Nada": false, "": false,
	} {
		if got := listHead(in); got != want {
			t.Errorf("listHead(%q) = %v", in, got)
		}
	}
}

func TestEndsParagraph(t *testing.T) {
	for in, want := range map[string]bool{
		"fin.": true, "fin:": true, "fin;": true, "fin.»": true, "fin.)": true, "uno; y": true, "uno, o": true,
		"uno y": false, "la Ley": false, "uno,": false, "": false,
	} {
		if got := endsParagraph(in); got != want {
			t.Errorf("endsParagraph(%q) = %v", in, got)
		}
	}
}

func TestMargin(t *testing.T) {
	for _, c := range []struct {
		name   string
		rights []float32
		want   float32
	}{
		{"justified", []float32{500, 499, 500, 320, 500, 410}, 500},
		{"one line beyond, as a page number", []float32{560, 500, 499, 500, 498, 320}, 500},
		{"one line", []float32{300}, 300},
		{"ragged", []float32{480, 485, 300, 478}, 485},
	} {
		if got := margin(c.rights); got != c.want {
			t.Errorf("%s: margin %v, want %v", c.name, got, c.want)
		}
	}
}

func TestReformNote(t *testing.T) {
	for in, want := range map[string]bool{
		"(12) Artículo sustituido por la Ley 3, publicada el 5 de mayo.": true,
		"Numeral incluido por el Decreto 4, publicado ayer.":             true,
		"El faro será sustituido por otro.":                              false,
		"La ley publicada ayer rige mañana.":                             false,
	} {
		if got := reformNote(in); got != want {
			t.Errorf("reformNote(%q) = %v", in, got)
		}
	}
}

func TestFirstDate(t *testing.T) {
	for in, want := range map[string]string{
		"Última modificación: 02 de agosto de 2024":              "2024-08-02",
		"última actualización 3 de marzo de 1999":                "1999-03-03",
		"y normas modificatorias al 16.5.2025)":                  "2025-05-16",
		"Texto vigente a 1/2/2003":                               "2003-02-01",
		"Última modificación: 02 de brumario de 2024":            "",
		"La modificación de 1999 no cambió nada":                 "",
		"con las modificaciones que se indican en el artículo 3": "",
	} {
		if got := firstDate(in, lastReform, reformsTo); got != want {
			t.Errorf("firstDate(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTitleOf(t *testing.T) {
	for in, want := range map[string]string{
		"Ley 7/1999, de 3 de mayo, del faro.":        "Ley 7/1999, de 3 de mayo, del faro",
		"8567 Ley 7/1999, de 3 de mayo, del faro.":   "Ley 7/1999, de 3 de mayo, del faro",
		"DECRETO QUE APRUEBA EL CÓDIGO DE LOS FAROS": "DECRETO QUE APRUEBA EL CÓDIGO DE LOS FAROS",
		"Leyenda del faro":                           "",
		"EL SENADO Y LA CÁMARA SANCIONAN CON FUERZA": "",
		"I. DISPOSICIONES GENERALES":                 "",
	} {
		if got := titleOf(in); got != want {
			t.Errorf("titleOf(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestKeepsHyphen(t *testing.T) {
	j := joiner{compounds: compounds([][]textLine{{{text: "del Decreto-ley y lo contencioso-administrativo."}}})}
	for _, c := range []struct {
		before, after string
		want          bool
	}{
		{"el Real Decreto", "ley 3", true}, {"lo contencioso", "administrativo y", true}, {"la bi", "blioteca", false},
		{"los años 2020", "2021", true}, {"el eje Norte", "Sur", true},
	} {
		if got := j.keepsHyphen(c.before, c.after); got != c.want {
			t.Errorf("keepsHyphen(%q, %q) = %v", c.before, c.after, got)
		}
	}
}

func TestDropCalls(t *testing.T) {
	ls := []line.Line{
		{Text: "(7) El muelle mide treinta.", Page: 3, Marks: []digesto.PageMark{{Start: 10, Page: 4}}},
		{Text: "(8) La grua mide seis.", Page: 3},
		{Text: "(7) Párrafo modificado.", Page: 4, Note: true},
		{Text: "(8) Párrafo modificado.", Page: 40, Note: true},
	}
	dropCalls(ls)
	if ls[0].Text != "El muelle mide treinta." || ls[0].Marks[0].Start != 6 {
		t.Errorf("call of a note on the next page: %+v", ls[0])
	}
	if ls[1].Text != "(8) La grua mide seis." {
		t.Errorf("a note forty pages on is no note of it: %+v", ls[1])
	}
	if ls[2].Text != "(7) Párrafo modificado." {
		t.Errorf("the note itself must stay: %+v", ls[2])
	}
}

func BenchmarkPDF(b *testing.B) {
	var pages []string
	for range 20 {
		s := pastBox(300, "TEXTO ANTERIOR", "Las barcas duermen en la playa.")
		for k := range 30 {
			s += pdftest.At(90, 780-14*float64(k), 10, "Las personas que presten servicios en la biblioteca del faro tendran derecho a un dia")
		}
		pages = append(pages, s)
	}
	data := pdftest.MakePDF(pages...)
	readTest(b, data)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		readTest(b, data)
	}
}
