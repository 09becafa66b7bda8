package pdf

import (
	"fmt"
	"strings"
	"testing"

	"digesto/internal/pdftest"
)

func TestPDFLayout(t *testing.T) {
	wide := "Las personas que presten servicios en la biblioteca del faro tendran derecho a un dia" // about 400 points at 10
	for _, c := range []struct {
		name  string
		pages []string
		want  string
	}{
		{
			"a paragraph breaks where the next word does not fit, and ends where it would",
			[]string{pdftest.Lines(90, 700, wide, "de descanso por cada siete noches de guardia, salvo pacto distinto que conste en un acta", "firmada.", "El acta se guarda en el archivo.")},
			"1: " + wide + " de descanso por cada siete noches de guardia, salvo pacto distinto que conste en un acta firmada.\n" +
				"1: El acta se guarda en el archivo.\n",
		},
		{
			"a paragraph goes on over the page and keeps the mark of the page",
			[]string{pdftest.Lines(90, 700, wide, "de descanso por cada siete noches de guardia, salvo pacto distinto que conste en un acta"),
				pdftest.Lines(90, 700, "firmada por ambas partes.")},
			"1: " + wide + " de descanso por cada siete noches de guardia, salvo pacto distinto que conste en un acta firmada por ambas partes. [175→2]\n",
		},
		{
			"a hyphen at a line end is healed",
			[]string{pdftest.Lines(90, 700, wide+" li-", "bre por cada semana.")},
			"1: " + wide + " libre por cada semana.\n",
		},
		{
			"a hyphen at the end of a page is healed",
			[]string{pdftest.Lines(90, 700, wide+" li-"), pdftest.Lines(90, 700, "bre por cada semana.")},
			"1: " + wide + " libre por cada semana. [88→2]\n",
		},
		{
			"the call of a note is no text though it is as large: its note says so",
			[]string{pdftest.Lines(90, 700, "(34) El muelle mide treinta metros.", "(5) La grua mide seis.") + pdftest.At(90, 660, 7, "(34) Parrafo modificado por la Ley 3, publicada ayer.")},
			"1: El muelle mide treinta metros.\n1: (5) La grua mide seis.\n1Ns: (34) Parrafo modificado por la Ley 3, publicada ayer.\n",
		},
		{
			"a compound keeps its hyphen when the document writes it so elsewhere",
			[]string{pdftest.Lines(90, 700, wide+" tras-", "faro por semana. El tras-faro es el muelle.")},
			"1: " + wide + " tras-faro por semana. El tras-faro es el muelle.\n",
		},
		{
			"a first-line indent begins a paragraph though the line before is full",
			[]string{pdftest.Lines(90, 700, wide+" y uno.") + pdftest.Lines(110, 688, "El segundo parrafo empieza con sangria y ocupa tambien todo el ancho de la linea aqui", "") + pdftest.Lines(90, 676, "y sigue.")},
			"1: " + wide + " y uno.\n1: El segundo parrafo empieza con sangria y ocupa tambien todo el ancho de la linea aqui y sigue.\n",
		},
		{
			"small digits in parentheses that call a footnote are no text, a square metre is",
			[]string{pdftest.At(90, 700, 6, "(12)") + pdftest.At(103, 700, 10, "El muelle mide 30 m") + pdftest.At(193, 704, 6, "2") + pdftest.At(200, 700, 10, "de largo.")},
			"1: El muelle mide 30 m2 de largo.\n",
		},
		{
			"two columns are read one after the other",
			[]string{columnsPage()},
			"1: Titulo del boletin que corre sobre las dos columnas de la pagina entera, de lado a lado, sin dejar medianil\n1: i0 izquierda. i1 izquierda. i2 izquierda. i3 izquierda. i4 izquierda. i5 izquierda. i6 izquierda. i7 izquierda. i8 izquierda. i9 izquierda.\n1: d0 derecha x. d1 derecha x. d2 derecha x. d3 derecha x. d4 derecha x. d5 derecha x. d6 derecha x. d7 derecha x. d8 derecha x. d9 derecha x.\n",
		},
		{
			"cells of a ruled table make rows",
			[]string{pdftest.Lines(90, 750, "La tarifa es esta:") +
				pdftest.Frame(90, 640, 400, 700) + pdftest.Bar(250, 640, 700) + "90 670 310 0.5 re f\n" +
				pdftest.Lines(95, 688, "Faro grande", "con guardian") + pdftest.Lines(255, 688, "12 monedas") + pdftest.Lines(95, 655, "Faro menor") + pdftest.Lines(255, 655, "3 monedas")},
			"1: La tarifa es esta:\n1T: Faro grande con guardian | 12 monedas\n1T: Faro menor | 3 monedas\n",
		},
		{
			"text on its side in the margin is no text",
			[]string{pdftest.Lines(90, 700, "Texto del cuerpo, que sigue recto.") + "BT /F1 8 Tf 0 1 -1 0 570 300 Tm (cve: lateral) Tj ET\n"},
			"1: Texto del cuerpo, que sigue recto.\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := show(readTest(t, pdftest.MakePDF(c.pages...)).Lines)
			if c.name == "two columns are read one after the other" {
				got = joinColumn(got)
			}
			if got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

func columnsPage() string {
	s := pdftest.At(60, 800, 10, "Titulo del boletin que corre sobre las dos columnas de la pagina entera, de lado a lado, sin dejar medianil")
	for i := range 10 { // drawn row by row, to be read column by column
		n := string(rune('0' + i))
		s += pdftest.At(60, 760-14*float64(i), 10, "i"+n+" izquierda.") + pdftest.At(330, 760-14*float64(i), 10, "d"+n+" derecha x.")
	}
	return s
}

// joinColumn makes one line of the ten of each column, whose order is what counts.
func joinColumn(s string) string {
	for _, c := range []string{"i", "d"} {
		s = strings.ReplaceAll(s, ".\n1: "+c, ". "+c)
	}
	s = strings.Replace(s, "x. i", "x.\n1: i", 1)
	return strings.Replace(s, "izquierda. d", "izquierda.\n1: d", 1)
}

func TestPDFFurniture(t *testing.T) {
	var pages []string
	for i, n := range []string{"farol", "ancla", "muelle", "timon", "grua"} {
		pages = append(pages, pdftest.At(200, 810, 9, "DIARIO DE LA ISLA")+pdftest.Lines(90, 700, "Regla numero uno del "+n+".")+pdftest.At(280, 30, 8, fmt.Sprint("Pag. ", i+1)))
	}
	got := show(readTest(t, pdftest.MakePDF(pages...)).Lines)
	if strings.Contains(got, "DIARIO") || strings.Contains(got, "Pag") {
		t.Errorf("headers or footers left:\n%s", got)
	}
	if n := strings.Count(got, "Regla numero"); n != 5 {
		t.Errorf("%d of 5 body lines left:\n%s", n, got)
	}
}

func TestPDFFormerWording(t *testing.T) {
	article := pdftest.Lines(90, 760, "Articulo 1. Las barcas duermen en el puerto nuevo.")
	for _, c := range []struct {
		name  string
		pages []string
		want  string
	}{
		{
			"in a box",
			[]string{article + pdftest.Frame(100, 680, 400, 740) + pdftest.Lines(110, 726, "TEXTO ANTERIOR", "Las barcas duermen en la playa.") + pdftest.Lines(90, 650, "Cada barca lleva un farol.")},
			"1: Articulo 1. Las barcas duermen en el puerto nuevo.\n1H: TEXTO ANTERIOR\n1H: Las barcas duermen en la playa.\n1: Cada barca lleva un farol.\n",
		},
		{
			"in a box that the file draws last",
			[]string{article + pdftest.Lines(90, 650, "Cada barca lleva un farol.") + pdftest.Frame(100, 680, 400, 740) + pdftest.Lines(110, 726, "TEXTO ANTERIOR", "Las barcas duermen en la playa.")},
			"1: Articulo 1. Las barcas duermen en el puerto nuevo.\n1H: TEXTO ANTERIOR\n1H: Las barcas duermen en la playa.\n1: Cada barca lleva un farol.\n",
		},
		{
			"in a box inside a box",
			[]string{article + pdftest.Frame(100, 640, 400, 740) + pdftest.Lines(110, 726, "TEXTO ANTERIOR", "Las barcas duermen en la playa.") + pdftest.Frame(120, 650, 390, 690) + pdftest.Lines(130, 676, "TEXTO ANTERIOR", "Las barcas no duermen.") + pdftest.Lines(90, 600, "Fin.")},
			"1: Articulo 1. Las barcas duermen en el puerto nuevo.\n1H: TEXTO ANTERIOR\n1H: Las barcas duermen en la playa.\n1H: TEXTO ANTERIOR\n1H: Las barcas no duermen.\n1: Fin.\n",
		},
		{
			"in a box that runs on over the page",
			[]string{article + pdftest.Frame(100, 60, 400, 740) + pdftest.Lines(110, 726, "TEXTO ANTERIOR", "Las barcas duermen en la playa y aunque llueva mucho no se van"),
				pdftest.Frame(100, 700, 400, 790) + pdftest.Lines(110, 776, "forzosamente hasta la noche siguiente.") + pdftest.Lines(90, 650, "Cada barca lleva un farol.")},
			"1: Articulo 1. Las barcas duermen en el puerto nuevo.\n1H: TEXTO ANTERIOR\n1H: Las barcas duermen en la playa y aunque llueva mucho no se van forzosamente hasta la noche siguiente. [63→2]\n2: Cada barca lleva un farol.\n",
		},
		{
			"under a label with a date",
			[]string{article + pdftest.Frame(100, 680, 400, 740) + pdftest.Lines(110, 726, "TEXTO VIGENTE HASTA EL 3.4.2020", "Las barcas duermen en la playa.")},
			"1: Articulo 1. Las barcas duermen en el puerto nuevo.\n1H: TEXTO VIGENTE HASTA EL 3.4.2020\n1H: Las barcas duermen en la playa.\n",
		},
		{
			"in a cell of a table, with the label over two lines",
			[]string{article + pdftest.Frame(90, 600, 400, 740) + pdftest.Bar(300, 600, 740) + pdftest.Lines(95, 726, "Barca sin farol.") + pdftest.Lines(305, 726, "9 monedas") +
				pdftest.Frame(310, 640, 390, 700) + pdftest.Lines(315, 686, "TEXTO", "ANTERIOR", "2 monedas")},
			"1: Articulo 1. Las barcas duermen en el puerto nuevo.\n1T: Barca sin farol. | 9 monedas\n1H: TEXTO ANTERIOR\n1H: 2 monedas\n",
		},
		{
			"with a label but no box: as far as the next clear space",
			[]string{article + pdftest.Lines(90, 720, "TEXTO ANTERIOR", "Las barcas duermen en la playa.") + pdftest.Lines(90, 650, "Cada barca lleva un farol.")},
			"1: Articulo 1. Las barcas duermen en el puerto nuevo.\n1H: TEXTO ANTERIOR\n1H: Las barcas duermen en la playa.\n1: Cada barca lleva un farol.\n",
		},
		{
			"in a box whose label was forgotten, in a document that has three with theirs",
			[]string{article + pastBox(740, "TEXTO ANTERIOR", "Uno.") + pastBox(660, "TEXTO ANTERIOR", "Dos.") + pastBox(580, "TEXTO ANTERIOR", "Tres.") + pastBox(500, "Sin rotulo.") + pdftest.Lines(90, 400, "Fin.")},
			"1: Articulo 1. Las barcas duermen en el puerto nuevo.\n1H: TEXTO ANTERIOR\n1H: Uno.\n1H: TEXTO ANTERIOR\n1H: Dos.\n1H: TEXTO ANTERIOR\n1H: Tres.\n1H: Sin rotulo.\n1: Fin.\n",
		},
		{
			"not in a box of a document that has no labels",
			[]string{article + pastBox(740, "La multa es de nueve monedas.")},
			"1: Articulo 1. Las barcas duermen en el puerto nuevo.\n1: La multa es de nueve monedas.\n",
		},
		{
			"a box that begins with an asterisk is a note",
			[]string{article + pastBox(740, "(*) El texto siguiente regira en otro siglo:", "Las barcas vuelan.") + pdftest.Lines(90, 640, "Fin.")},
			"1: Articulo 1. Las barcas duermen en el puerto nuevo.\n1N: (*) El texto siguiente regira en otro siglo:\n1N: Las barcas vuelan.\n1: Fin.\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := show(readTest(t, pdftest.MakePDF(c.pages...)).Lines); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

func pastBox(top float64, ls ...string) string {
	return pdftest.Frame(100, top-50, 400, top) + pdftest.Lines(110, top-14, ls...)
}

func TestPDFMeta(t *testing.T) {
	d := readTest(t, pdftest.MakePDF(
		pdftest.At(90, 780, 14, "Ley 7/1999, de 3 de mayo, del faro y de")+pdftest.At(90, 764, 14, "los muelles")+
			pdftest.Lines(90, 730, "Referencia: ISL-A-1999-77", "Publicado el 4 de mayo de 1999.", "Ultima linea de la portada.")+
			pdftest.Lines(90, 650, "Última modificación: 02 de agosto de 2004"),
		pdftest.Lines(90, 700, "Articulo 1. El faro alumbra.")))
	m := d.Meta
	if m.Title != "Ley 7/1999, de 3 de mayo, del faro y de los muelles" || m.ID != "ISL-A-1999-77" || m.Published != "1999-05-04" || m.TextAsOf != "2004-08-02" || d.Pages != 2 {
		t.Errorf("meta %+v, %d pages", m, d.Pages)
	}
	m = readTest(t, pdftest.MakePDF(pdftest.Lines(90, 700, "DECRETO DEL PUERTO N° 12-2001-XY", "", "Decreto Mayor N° 12-2001-XY y normas modificatorias al 5.6.2010"))).Meta
	if strings.Join(m.IDs, " ") != "12-2001-XY DM-12-2001-XY" || m.TextAsOf != "2010-06-05" {
		t.Errorf("number and date: %+v", m)
	}
	m = readTest(t, pdftest.MakePDF(pdftest.At(30, 800, 8, "Núm. 9")+pdftest.At(250, 800, 8, "Lunes 3 de abril de 2017")+pdftest.Lines(90, 700, "Orden 5/2017, de 1 de abril, del farol."))).Meta
	if m.Published != "2017-04-03" || m.TextAsOf != "2017-04-03" || m.Title != "Orden 5/2017, de 1 de abril, del farol" {
		t.Errorf("page of a journal: %+v", m)
	}
}
