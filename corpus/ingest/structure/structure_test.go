package structure

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/markup"
)

// The legal texts of these tests are made up.

// unitsOf runs the recogniser over Markdown.
func unitsOf(t *testing.T, md string) []digesto.Unit {
	t.Helper()
	title := "Ley de pruebas"
	if rest, ok := strings.CutPrefix(md, "# "); ok {
		title, _, _ = strings.Cut(rest, "\n")
	}
	units, _ := Units(digesto.Norm{ID: "N-1", Title: title}, Reflow(markup.Markdown(md)), Options{File: "n.md"})
	return units
}

// brief writes units as "id|rubric|text" with paragraphs joined by "/".
func brief(units []digesto.Unit) string {
	var out []string
	for _, u := range units {
		v := u.Versions[len(u.Versions)-1]
		s := u.ID + "|" + u.Rubric + "|" + strings.ReplaceAll(v.Text, "\n", "/")
		if !v.Current {
			s += "|no vigente"
		}
		out = append(out, s)
	}
	return strings.Join(out, "\n")
}

func TestStructure(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"headings of five and six marks": {
			"###### Artículo 1. Objeto.\n\nLos faroles alumbran la plaza.\n\n##### Artículo 2. Horario.\n\nDe noche.\n",
			"a1|Objeto|Los faroles alumbran la plaza.\na2|Horario|De noche."},
		"plain lines and hard blanks": {
			"Artículo\u00a01. Objeto.\n\nLos faroles alumbran la plaza.\n\nArtículo\u00a02. Horario.\n\nDe noche.\n",
			"a1|Objeto|Los faroles alumbran la plaza.\na2|Horario|De noche."},
		"numbers in words": {
			"Artículo primero. Los faroles alumbran.\n\nArtículo segundo. Los faroles se apagan.\n\nArtículo tercero bis. Se limpian.\n",
			"a1||Los faroles alumbran.\na2||Los faroles se apagan.\na3bis||Se limpian."},
		"suffixes": {
			"Artículo 1.- Uno.\n\nArtículo 1 bis.- Dos.\n\nArtículo 1 ter.- Tres.\n\nArtículo 2-A.- Cuatro.\n\nArtículo 2°-B.- Cinco.\n",
			"a1||Uno.\na1bis||Dos.\na1ter||Tres.\na2-A||Cuatro.\na2-B||Cinco."},
		"note calls before the label": {
			"(*) Artículo 1°.- (75) FAROLES\n\nAlumbran la plaza.\n\n(154)Artículo     2º.- BANCOS\n\nSon de madera.\n",
			"a1|FAROLES|Alumbran la plaza.\na2|BANCOS|Son de madera."},
		"spelling slips and optical recognition": {
			"Artículo 1%- Los faroles.\n\nArtículol 2.- Los bancos.\n\nArticulo 3”.- Las fuentes.\n",
			"a1||Los faroles.\na2||Los bancos.\na3||Las fuentes."},
		"an article glued to the paragraph before": {
			"Artículo 1. Los faroles se rigen por el apartado anterior.Artículo 2. Los bancos son de madera.\n",
			"a1||Los faroles se rigen por el apartado anterior.\na2||Los bancos son de madera."},
		"an article glued to a note": {
			"**ARTICULO 1°** — Los faroles son altos.\n\n*(Artículo sustituido por art. 3° de la Ley N° 77 B.O. 1/2/2003)***ARTICULO 2°** — Los bancos son verdes.\n",
			"a1||Los faroles son altos.\na2||Los bancos son verdes."},
		"mentions are no headings": {
			"Artículo 1. Los faroles son altos.\n\nArtículo 9 de la Ley de plazas se aplica aquí.\n\nartículo 2 y siguientes.\n\nArtículo 2. Los bancos son verdes según el\nartículo 3. de otra ley.\n",
			"a1||Los faroles son altos./Artículo 9 de la Ley de plazas se aplica aquí./artículo 2 y siguientes.\na2||Los bancos son verdes según el artículo 3. de otra ley."},
		"repealed articles keep their words": {
			"###### Artículo 1. Objeto.\n\nFaroles.\n\n###### Artículo 2. (Derogado)\n\n> <small>Se deroga por la ley 5/2001.</small>\n\n###### Artículo 3. Fin.\n\nBancos.\n",
			"a1|Objeto|Faroles.\na2||(Derogado)|no vigente\na3|Fin|Bancos."},
		"a first sentence is no rubric, whatever its verb": {
			"##### Art. 1. Objeto.\n\nSe cuidan los faroles.\n\n##### Art. 2. Los daños en los faroles que alguien cause, aun sin quererlo, prescriben en el plazo de un año.\n\nRige desde mayo.\n\n##### Art. 3. El reclamo por un farol roto suspende siempre el plazo.\n\nNo el de los bancos.\n\n##### Art. 4. Créase el registro de faroles, que lleva la plaza.\n\nEs público.\n\n##### Art. 5. Plazos contados desde la entrada en vigor de esta ley.\n\nSon de un mes.\n",
			"a1|Objeto|Se cuidan los faroles.\na2||Los daños en los faroles que alguien cause, aun sin quererlo, prescriben en el plazo de un año./Rige desde mayo.\na3||El reclamo por un farol roto suspende siempre el plazo./No el de los bancos.\na4||Créase el registro de faroles, que lleva la plaza./Es público.\na5|Plazos contados desde la entrada en vigor de esta ley|Son de un mes."},
		"a rubric glued to its text": {
			"**ARTICULO 1. —** *Luz.*Los faroles alumbran la plaza.\n\n**ARTICULO 2. —** *Bancos verdes.*Los bancos son de madera.\n",
			"a1|Luz|Los faroles alumbran la plaza.\na2|Bancos verdes|Los bancos son de madera."},
		"a phrase goes on over a blank line": {
			"Artículo 1. El reclamo se presenta ante el\n\nAlcalde, en cualquier momento:\n\na) por escrito, y\n\nb) firmado.\n\nRige la presente ley\n\nEn otro caso, se archiva.\n\nArtículo 2. Fin.\n",
			"a1||El reclamo se presenta ante el Alcalde, en cualquier momento:/a) por escrito, y/b) firmado./Rige la presente ley/En otro caso, se archiva.\na2||Fin."},
		"dispositions with their kind": {
			"Artículo 1. Faroles verdes.\n\nDisposición adicional primera. Bancos.\n\nSerán verdes.\n\nDisposición transitoria única.\n\nHasta mayo.\n\nDisposición final vigésima primera. Fin.\n\nMañana.\n",
			"a1||Faroles verdes.\nda1|Bancos|Serán verdes.\ndtunica||Hasta mayo.\ndf21|Fin|Mañana."},
		"dispositions under their group": {
			"Artículo 1.- Faroles.\n\nDISPOSICIONES FINALES\n\nPRIMERA.- Bancos verdes.\n\nSegunda.- Fuentes.\n\nDISPOSICIÓN COMPLEMENTARIA TRANSITORIA\n\nÚnica.- Hasta mayo.\n",
			"a1||Faroles.\ndf1||Bancos verdes.\ndf2||Fuentes.\ndtunica||Hasta mayo."},
		"norms of a preliminary title": {
			"TÍTULO PRELIMINAR\n\nNORMA I: CONTENIDO\n\nRige los faroles.\n\nNORMA II: ÁMBITO\n\nToda la plaza.\n\nTÍTULO I\n\nArtículo 1.- Bancos.\n",
			"nI|CONTENIDO|Rige los faroles.\nnII|ÁMBITO|Toda la plaza.\na1||Bancos."},
		"annexes": {
			"Artículo 1. Faroles.\n\nANEXO I\n\nMedidas de los faroles\n\nDos metros.\n",
			"a1||Faroles.\nan1|Medidas de los faroles|Dos metros."},
		"orders numbered in words": {
			"##### Primero. Objeto.\n\nFaroles.\n\n##### Segundo. Fin.\n\nBancos.\n",
			"s1|Objeto|Faroles.\ns2|Fin|Bancos."},
		"preamble and reform notes": {
			"# Ley de pruebas\n\nLa plaza estaba a oscuras.\n\n###### Artículo 1. Faroles.\n\nAlumbran la plaza.\n\n> <small>Se modifica por la Ley 3/2020.</small>\n",
			"pr||La plaza estaba a oscuras.\na1|Faroles|Alumbran la plaza."},
		"broken headings of a page with short lines": {
			strings.Repeat("Los considerandos de esta ley se escriben en\n\nlíneas cortas que se parten sin motivo alguno.\n\n", 12) +
				"##### ARTICULO 1°.- Faroles. Los faroles de la plaza deben ser encendidos\n\ncada noche por el guardián.\n\n##### ARTICULO 2°.- Bancos. Los bancos son\n\nde madera.\n",
			""},
	} {
		t.Run(name, func(t *testing.T) {
			units := unitsOf(t, c.in)
			if got := brief(units); c.want != "" && got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
			if name == "broken headings of a page with short lines" {
				last := units[len(units)-2:]
				if got, want := brief(last), "a1|Faroles|Los faroles de la plaza deben ser encendidos cada noche por el guardián.\na2|Bancos|Los bancos son de madera."; got != want {
					t.Errorf("got:\n%s\nwant:\n%s", got, want)
				}
			}
		})
	}
}

// The articles of another norm that an amending article quotes are its text.
func TestQuotedArticles(t *testing.T) {
	for name, md := range map[string]string{
		"angular quotation marks": "###### Artículo primero. Modificación de la ley de plazas.\n\nUno. El artículo 11 queda redactado así:\n\n###### «Artículo 11. Faroles.\n\nAlumbran más.»\n\nDos. Se añade el artículo 12:\n\n« Artículo 12. Bancos.\n\nSon verdes.\n\nArtículo 13. Fuentes.\n\nSon altas.»\n\n###### Artículo segundo. Entrada en vigor.\n\nMañana.\n",
		"a colon and no marks":    "##### Artículo 1°- Sustitúyese el artículo 11 de la ley de plazas por el siguiente:\n\n##### Artículo 11: Faroles. Alumbran más.\n\nUno. Dos. Se añade.\n\nAlumbran más.\n\n##### Artículo 2°- Sustitúyese el artículo 3° de la ley de plazas por el siguiente:\n\n##### Artículo 3°: Bancos. Son verdes.\n\n##### Artículo 3°- Comuníquese.\n",
	} {
		t.Run(name, func(t *testing.T) {
			var ids []string
			for _, u := range unitsOf(t, md) {
				ids = append(ids, u.ID)
			}
			want := "a1 a2"
			if strings.Contains(name, "colon") {
				want = "a1 a2 a3"
			}
			if got := strings.Join(ids, " "); got != want {
				t.Errorf("units %s, want %s", got, want)
			}
		})
	}
}

// An approving norm and the text it approves both begin at 1: the text keeps
// the plain ids, which is what an exact reference means.
func TestApprovedText(t *testing.T) {
	md := "# Decreto de faroles\n\nArtículo 1.- Apruébase el texto ordenado.\n\nArtículo 2.- Comuníquese.\n\n## TEXTO ORDENADO DE LA LEY DE FAROLES\n\n### TÍTULO I\n\nDe los faroles\n\n"
	for _, n := range []string{"1", "2", "3", "4"} {
		md += "Artículo " + n + ".- El farol " + n + " se enciende de noche.\n\n"
	}
	units := unitsOf(t, md)
	if got, want := brief(units), "a1~2||Apruébase el texto ordenado.\na2~2||Comuníquese.\na1||El farol 1 se enciende de noche.\na2||El farol 2 se enciende de noche.\na3||El farol 3 se enciende de noche.\na4||El farol 4 se enciende de noche."; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if got := strings.Join(units[2].Path, " > "); got != "TEXTO ORDENADO DE LA LEY DE FAROLES > TÍTULO I. De los faroles" {
		t.Errorf("path %q", got)
	}
}

func TestHeadingPath(t *testing.T) {
	md := "## LIBRO PRIMERO\n\n### TÍTULO I. De las plazas\n\n#### CAPÍTULO ÚNICO\n\nDe los faroles\n\n###### Artículo 1. Uno.\n\nTexto.\n\n#### Sección 1.ª Luces\n\n###### Artículo 2. Dos.\n\nTexto.\n\n### TÍTULO II\n\n###### Artículo 3. Tres.\n\nTexto.\n"
	units := unitsOf(t, md)
	want := []string{
		"LIBRO PRIMERO > TÍTULO I. De las plazas > CAPÍTULO ÚNICO. De los faroles",
		"LIBRO PRIMERO > TÍTULO I. De las plazas > CAPÍTULO ÚNICO. De los faroles > Sección 1.ª Luces",
		"LIBRO PRIMERO > TÍTULO II",
	}
	for i, w := range want {
		if got := strings.Join(units[i].Path, " > "); got != w {
			t.Errorf("%s: path %q, want %q", units[i].ID, got, w)
		}
	}
}

// A table of contents lists the articles before they come.
func TestContentsTable(t *testing.T) {
	md := "ÍNDICE\n\n"
	for _, n := range []string{"1", "2", "3", "4", "5"} {
		md += "Artículo " + n + ". Farol " + n + "\n\n"
	}
	md += "TÍTULO I\n\nDe los faroles\n\n"
	for _, n := range []string{"1", "2", "3", "4", "5"} {
		md += "Artículo " + n + ". Farol " + n + "\n\nEl farol " + n + " será encendido de noche.\n\n"
	}
	n := 0
	for _, u := range unitsOf(t, md) {
		if u.Kind == digesto.KindArticle {
			n++
			if !strings.HasPrefix(u.Versions[0].Text, "El farol") {
				t.Errorf("%s: %q", u.ID, u.Versions[0].Text)
			}
		}
	}
	if n != 5 {
		t.Errorf("%d articles, want 5", n)
	}
}

// Printed contents with dotted leaders are dropped.
func TestDottedLeaders(t *testing.T) {
	md := "ÍNDICE\n\nArtículo 1. Faroles . . . . . . . . 3\n\nArtículo 2. Bancos ........ 4\n\nDisposición final única. Fin . . . . . . 5\n\nArtículo 1. Los faroles alumbran.\n\nArtículo 2. Los bancos son verdes.\n\nDisposición final única. Rige mañana.\n"
	if got, want := brief(unitsOf(t, md)), "pr||ÍNDICE\na1||Los faroles alumbran.\na2||Los bancos son verdes.\ndfunica||Rige mañana."; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// History boxes are versions that are not current, whatever they say.
func TestHistoryBoxes(t *testing.T) {
	lines := []line.Line{
		{Text: "Artículo 1.- FAROLES", Page: 3, Bold: true}, {Text: "Alumbran hasta las doce.", Page: 3},
		{Text: "TEXTO ANTERIOR", Page: 3, History: true}, {Text: "Alumbran hasta las diez.", Page: 3, History: true},
		{Text: "Se limpian cada mes.", Page: 4},
		{Text: "TEXTO ANTERIOR", Page: 4, History: true}, {Text: "Se limpian cada año.", Page: 4, History: true},
		{Text: "Artículo 2.- BANCOS", Page: 4, Bold: true}, {Text: "Son verdes.", Page: 4},
	}
	units, _ := Units(digesto.Norm{ID: "N"}, lines, Options{})
	if len(units) != 2 || len(units[0].Versions) != 3 {
		t.Fatalf("%d units: %+v", len(units), units)
	}
	v := units[0].Versions
	if v[0].Current || v[1].Current || !v[2].Current || v[0].Text != "Alumbran hasta las diez." || v[2].Text != "Alumbran hasta las doce.\nSe limpian cada mes." {
		t.Errorf("versions: %+v", v)
	}
	if p := v[2].Pages; len(p) != 2 || p[0] != (digesto.PageMark{Start: 0, Page: 3}) || p[1] != (digesto.PageMark{Start: 25, Page: 4}) {
		t.Errorf("pages: %+v", p)
	}
}

// Sources that keep former wordings in place: italics and repeated articles are
// history, the quoted article is the law.
func TestReplacedInPlace(t *testing.T) {
	var b strings.Builder
	for _, n := range []string{"1", "2", "3"} {
		b.WriteString("**_Artículo " + n + ".- FAROLES_**\n\n_Los faroles " + n + " alumbran hasta las diez._\n\n**(\\*) Artículo sustituido por el Artículo 2 del Decreto Supremo N° 9-2001, publicado el 3 de mayo de 2001, cuyo texto es el siguiente:**\n\n**“Artículo " + n + ".- FAROLES**\n\nLos faroles " + n + " alumbran hasta las doce.”\n\n")
	}
	b.WriteString("**Artículo 4.- BANCOS**\n\na) Los bancos son verdes.\n\n_b) Los bancos son bajos._\n\n**(\\*) Inciso sustituido por el Artículo 3 del Decreto Supremo N° 9-2001, publicado el 3 de mayo de 2001.**\n\nb) Los bancos son altos.\n")
	units := unitsOf(t, b.String())
	if len(units) != 4 {
		t.Fatalf("units:\n%s", brief(units))
	}
	for _, u := range units[:3] {
		v := u.Versions
		if len(v) != 2 || v[0].Current || !v[1].Current || !strings.Contains(v[1].Text, "doce") || !strings.Contains(v[0].Text, "diez") {
			t.Errorf("%s: %+v", u.ID, v)
		}
	}
	v := units[3].Versions
	if len(v) != 2 || v[1].Text != "a) Los bancos son verdes.\nb) Los bancos son altos." || v[0].Text != "b) Los bancos son bajos." {
		t.Errorf("%s: %+v", units[3].ID, v)
	}
}

// What stands after the closing formula is not the norm.
func TestAfterTheClosingFormula(t *testing.T) {
	md := "Artículo 1.- Los faroles son altos.\n\nArtículo 2.- Los bancos son verdes.\n\nDado en la Casa de la Plaza.\n\nJuana Farol\n\n" + strings.Repeat("Otra norma cuenta aquí otra cosa.\n\n", 40)
	units := unitsOf(t, md)
	last := units[len(units)-1]
	if last.Kind != digesto.KindSection || last.Versions[0].Current {
		t.Errorf("after the formula: %+v", last)
	}
	if got := units[1].Versions[0].Text; got != "Los bancos son verdes." {
		t.Errorf("article 2: %q", got)
	}
}

// Codes that print the rubric above the article: it belongs to the one below.
func TestLeadingRubrics(t *testing.T) {
	md := ""
	for i, r := range []string{"Nulidad", "Oportunidad y forma", "Caducidad", "Efectos"} {
		md += r + "\n\nArt. " + string(rune('1'+i)) + ". - El farol " + string(rune('1'+i)) + " será encendido de noche.\n\n"
	}
	if got, want := brief(unitsOf(t, md)), "a1|Nulidad|El farol 1 será encendido de noche.\na2|Oportunidad y forma|El farol 2 será encendido de noche.\na3|Caducidad|El farol 3 será encendido de noche.\na4|Efectos|El farol 4 será encendido de noche."; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// A number that is plainly a slip is mended, and said.
func TestMendedNumber(t *testing.T) {
	md := ""
	for _, n := range []string{"1", "2", "3", "44", "5", "6"} {
		md += "Artículo " + n + ".- El farol será encendido de noche.\n\n"
	}
	units, defects := Units(digesto.Norm{ID: "N"}, Reflow(markup.Markdown(md)), Options{})
	if len(units) != 6 || units[3].ID != "a4" || len(units[3].Versions[0].Notes) != 1 {
		t.Errorf("units:\n%s", brief(units))
	}
	if len(defects) != 1 || defects[0].Kind != "number_mended" {
		t.Errorf("defects: %+v", defects)
	}
}

// A line under a bare heading of division is its title where the articles have rubrics
// beside their numbers, over two lines too.
func TestTitlesOfDivisions(t *testing.T) {
	var b strings.Builder
	b.WriteString("# LEY\n\n")
	for _, c := range []struct{ part, title string }{{"CAPÍTULO I", "De la luz y"}, {"CAPÍTULO II", "Del aceite"}, {"CAPÍTULO III", "De la sal"}} {
		b.WriteString(c.part + "\n\n" + strings.ToUpper(c.title) + "\n\n")
		if strings.HasSuffix(c.title, " y") {
			b.WriteString("DE SU CUIDADO\n\n")
		}
		n := strconv.Itoa(strings.Count(b.String(), "ARTICULO") + 1)
		b.WriteString("ARTICULO " + n + ". - Objeto número " + n + " del faro. El farero enciende la luz al anochecer y la apaga al alba.\n\n")
	}
	var got []string
	for _, u := range unitsOf(t, b.String()) {
		if u.Kind == digesto.KindArticle {
			got = append(got, u.Rubric+" | "+strings.Join(u.Path, " > "))
		}
	}
	want := []string{"Objeto número 1 del faro | CAPÍTULO I. DE LA LUZ Y DE SU CUIDADO", "Objeto número 2 del faro | CAPÍTULO II. DEL ACEITE", "Objeto número 3 del faro | CAPÍTULO III. DE LA SAL"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
