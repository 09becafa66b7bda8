package cite

import (
	"fmt"
	"strings"
	"testing"

	"digesto"
)

// testTable knows a few norms by facts (numbers, titles) and aliases as packs give them.
func testTable() *Table {
	return NewTable([]Alias{
		{Name: "ET", Norm: "BOE-A-2015-11430", Jurisdiction: "es"},
		{Name: "Estatuto de los Trabajadores", Norm: "BOE-A-2015-11430", Jurisdiction: "es"},
		{Name: "LGSS", Norm: "BOE-A-2015-11724", Jurisdiction: "es"},
		{Name: "Código Tributario", Norm: "DS-133-2013-EF", Jurisdiction: "pe"},
		{Name: "LCT", Norm: "LEY-20744", Jurisdiction: "ar"},
		{Name: "CN", Norm: "CONSTITUCION-AR", Jurisdiction: "ar"},
		{Name: "CE", Norm: "BOE-A-1978-31229", Jurisdiction: "es"},
		{Name: "Tribunal de Cuentas", Norm: "BOE-A-1982-11584", Jurisdiction: "es", Weak: true},
		{Name: "Código Civil", Norm: "BOE-A-1889-4763", Jurisdiction: "es"},
		{Name: "Código Civil", Norm: "DLEG-295", Jurisdiction: "pe"},
	}, []digesto.Norm{
		{ID: "BOE-A-2015-11430", Jurisdiction: "es", Rank: "Real Decreto Legislativo", IDs: []string{"es/rdlg/2015/10/23/2"},
			Title: "Real Decreto Legislativo 2/2015, de 23 de octubre, por el que se aprueba el texto refundido de la Ley del Estatuto de los Trabajadores"},
		{ID: "BOE-A-2015-11724", Jurisdiction: "es", Title: "Real Decreto Legislativo 8/2015, de 30 de octubre, por el que se aprueba el texto refundido de la Ley General de la Seguridad Social"},
		{ID: "BOE-A-2015-10565", Jurisdiction: "es", Title: "Ley 39/2015, de 1 de octubre, del Procedimiento Administrativo Común de las Administraciones Públicas"},
		{ID: "BOE-A-1985-5392", Jurisdiction: "es", Title: "Ley 7/1985, de 2 de abril, Reguladora de las Bases del Régimen Local"},
		{ID: "BOE-A-1982-11584", Jurisdiction: "es", Title: "Ley Orgánica 2/1982, de 12 de mayo, del Tribunal de Cuentas"},
		{ID: "BOE-A-1978-31229", Jurisdiction: "es", Title: "Constitución Española"},
		{ID: "ORDEN-PRB-1187", Jurisdiction: "es", Title: "Orden PRB/1187/2015, de 15 de junio, por la que se regulan las pruebas"},
		{ID: "DS-133-2013-EF", Jurisdiction: "pe", Title: "Decreto Supremo N.º 133-2013-EF, Texto Único Ordenado del Código Tributario"},
		{ID: "LEY-27444", Jurisdiction: "pe", Title: "Ley N° 27444, Ley del Procedimiento Administrativo General"},
		{ID: "LEY-20744", Jurisdiction: "ar", Title: "Ley de Contrato de Trabajo", IDs: []string{"Ley 20.744"}},
		{ID: "LEY-9459", Jurisdiction: "ar-x", Title: "Ley 9459, Código Arancelario para Abogados y Procuradores"},
		{ID: "DEC-70-2023", Jurisdiction: "ar", Rank: "decreto", Title: "Decreto 70/2023, Bases para la Reconstrucción de la Economía"},
		{ID: "DLEG-813", Jurisdiction: "pe", Title: "Decreto Legislativo N.º 813, Ley Penal Tributaria"},
		{ID: "32003L0088", Jurisdiction: "eu", Title: "Directiva 2003/88/CE, relativa a determinados aspectos de la ordenación del tiempo de trabajo"},
	})
}

func show(ms []Mention) string {
	var out []string
	for _, m := range ms {
		s := m.Norm + "/" + m.Unit
		if m.Norm == "" && m.Name != "" {
			s = "?" + m.Name + "/" + m.Unit
		}
		if m.To != "" {
			s += "–" + m.To
		}
		if m.Detail != "" {
			s += " [" + m.Detail + "]"
		}
		if m.Relative {
			s += " rel:" + m.Number
		}
		out = append(out, s)
	}
	return strings.Join(out, " | ")
}

func TestFind(t *testing.T) {
	table := testTable()
	const et, ss = "BOE-A-2015-11430", "BOE-A-2015-11724"
	for in, want := range map[string]string{
		"art. 48.4 ET": et + "/a48 [4]",
		"art. 55,6 ET": et + "/a55 [6]", "art. 55-6 ET": et + "/a55 [6]", "arts. 55,56 ET": et + "/a55–56", "art. 55.1.II ET": et + "/a55 [1 II]",
		"artículos 55, apartados 1 y 2, y 56 ET": et + "/a55 [apartados 1 y 2] | " + et + "/a56",
		// The letters of the department are part of an order's number.
		"artículo 3 de la Orden PRB/1187/2015, de 15 de junio":              "ORDEN-PRB-1187/a3",
		"la orden prb/1187/2015":                                            "ORDEN-PRB-1187/",
		"Orden TRB/1187/2015":                                               "?Orden TRB/1187/2015/",
		"según la Orden TRB/1187":                                           "",
		"artículo 38 del Estatuto de los Trabajadores":                      et + "/a38",
		"¿Qué dice el art 38 et?":                                           et + "/a38",
		"artículos 148 y 149 de la LGSS":                                    ss + "/a148 | " + ss + "/a149",
		"los arts. 15 y ss. del ET":                                         et + "/a15–ss",
		"artículos 15 a 20 de la Ley 39/2015":                               "BOE-A-2015-10565/a15–20",
		"arts. 15-20 ET":                                                    et + "/a15–20",
		"DA 3ª de la LGSS":                                                  ss + "/da3",
		"disposición transitoria quinta":                                    "/dt5",
		"la Primera Disposición Complementaria Final del Código Tributario": "DS-133-2013-EF/df1",
		"Ley 9459, art. 70 inc. b":                                          "LEY-9459/a70 [inc. b]",
		"Código Tributario, artículo 137°":                                  "DS-133-2013-EF/a137",
		"¿Qué es la NORMA XV?":                                              "/nXV",
		"norma XV del Título Preliminar del Código Tributario":              "DS-133-2013-EF/nXV",
		"artículo 62-A":                                                     "/a62-A",
		"artículo 62°-A del Código Tributario":                              "DS-133-2013-EF/a62-A",
		"Ley 39/2015, artículo 21":                                          "BOE-A-2015-10565/a21",
		"Ley 39/2015, de 1 de octubre, artículo 21.3":                       "BOE-A-2015-10565/a21 [3]",
		"art. 14 bis CN":                                                    "CONSTITUCION-AR/a14bis",
		"el art. 14 bis de la C.N.":                                         "CONSTITUCION-AR/a14bis",
		"artículo anterior":                                                 "/ rel:anterior",
		"en el artículo siguiente se fija":                                  "/ rel:siguiente",
		"lo dispuesto en este artículo":                                     "/ rel:presente",
		"el artículo 5 de esta Ley":                                         "?esta Ley/a5 rel:5",
		"BOE-A-2015-11430":                                                  et + "/",
		"BOE-A-1999-12345, art. 3":                                          "BOE-A-1999-12345/a3",
		"https://www.boe.es/eli/es/rdlg/2015/10/23/2":                       et + "/",
		"ECLI:ES:TS:2020:1234":                                              "ECLI:ES:TS:2020:1234/",
		"Directiva 2003/88/CE":                                              "32003L0088/",
		"Reglamento (UE) 2016/679":                                          "?Reglamento (UE) 2016/679/",
		"D.S. 133-2013-EF":                                                  "DS-133-2013-EF/",
		"Decreto Supremo N° 133-2013-EF":                                    "DS-133-2013-EF/",
		"DNU 70/2023":                                                       "DEC-70-2023/",
		"Decreto Legislativo 813":                                           "DLEG-813/",
		"RDL 8/2015":                                                        ss + "/",
		"Ley N.º 27444, artículo IV":                                        "LEY-27444/aIV",
		"Ley 20.744":                                                        "LEY-20744/",
		"art. 245 LCT":                                                      "LEY-20744/a245",
		"Ley 99/2099":                                                       "?Ley 99/2099/",
		"apartado 4 del artículo 48 del ET":                                 et + "/a48 [apartado 4]",
		"el inciso b) del artículo 70":                                      "/a70 [inciso b)]",
		"artículo 21.1.a) del ET":                                           et + "/a21 [1 a)]",
		"artículo 5, párrafo segundo, de la LGSS":                           ss + "/a5 [párrafo segundo]",
		"artículos 3, 4 y 5 bis del ET":                                     et + "/a3 | " + et + "/a4 | " + et + "/a5bis",
		"artículo 1.902":                                                    "/a1902",
		"artículo trigésimo octavo del ET":                                  et + "/a38",
		"artículo 3 y disposición adicional segunda del ET":                 et + "/a3 | " + et + "/da2",
		"la Ley 39/2015 y el artículo 5 de dicha Ley":                       "BOE-A-2015-10565/ | BOE-A-2015-10565/a5",
		"el Tribunal de Cuentas fiscaliza":                                  "",
		"artículo 5 de la Ley Orgánica del Tribunal de Cuentas":             "BOE-A-1982-11584/a5",
		"Anexo II de la Ley 39/2015":                                        "BOE-A-2015-10565/an2",
		"el plazo es de 30 días":                                            "",
		"artículo 38 del ET y 40 de la LGSS":                                et + "/a38 | " + ss + "/a40",
		"artículo 38 del ET y 40 días":                                      et + "/a38",
		"decreto 70/23, art. 3":                                             "DEC-70-2023/a3",
		"ley 20.744 art 150":                                                "LEY-20744/a150",
		"la Ley 9.459":                                                      "LEY-9459/",
		"norma vii":                                                         "/nVII",
		"et alii, ce que":                                                   "",
		"la constitución de la mesa":                                        "",
		"el art. 349 del Tratado de Aguas del Sur":                          "?Tratado de Aguas del Sur/a349",
		"este artículo. 3. Otro":                                            "/ rel:presente",
		"artículo 9 y 30 días después":                                      "/a9",
		"":                                                                  "",
	} {
		if got := show(table.Find(in)); got != want {
			t.Errorf("Find(%q)\n got %s\nwant %s", in, got, want)
		}
	}
}

func TestFindOffsets(t *testing.T) {
	table := testTable()
	s := "Año 2015: según el artículo 48.4 del Estatuto de los Trabajadores y la Ley 39/2015, art. 21, se aplica."
	r := []rune(s)
	for _, m := range table.Find(s) {
		if got := string(r[m.Start:m.End]); got != m.Text {
			t.Errorf("offsets give %q, Text is %q", got, m.Text)
		}
	}
	if n := len(table.Find(s)); n != 2 {
		t.Errorf("%d mentions, want 2", n)
	}
}

func TestAmbiguousName(t *testing.T) {
	table := testTable()
	m := table.Find("artículo 5 del Código Civil")[0]
	if m.Norm != "" || len(m.Also) != 2 {
		t.Errorf("two countries' name gave %+v", m)
	}
	if m := table.In("pe").Find("artículo 5 del Código Civil")[0]; m.Norm != "DLEG-295" {
		t.Errorf("within one country it gave %+v", m)
	}
}

func TestRecognise(t *testing.T) {
	table := testTable()
	for in, want := range map[string]string{
		"Según la Ley 7/1985, de 2 de abril, Reguladora de las Bases del Régimen Local, ¿quién nombra al tesorero?": "[BOE-A-1985-5392] Según la , ¿quién nombra al tesorero?",
		"¿Qué plazo da el texto refundido de la Ley del Estatuto de los Trabajadores?":                              "[BOE-A-2015-11430] ¿Qué plazo da el ?",
		"¿Quién preside el Tribunal de Cuentas?":                                                                    "[BOE-A-1982-11584] ¿Quién preside el Tribunal de Cuentas?",
		"Según la Constitución Española, ¿quién preside el Tribunal de Cuentas?":                                    "[BOE-A-1978-31229] Según la , ¿quién preside el Tribunal de Cuentas?",
		"¿Qué regula la Ley 39/2015?":                                                                               "[BOE-A-2015-10565] ¿Qué regula la Ley 39/2015?",
		"multa por ruido":                                                                                           "[] multa por ruido",
	} {
		named := table.Recognise(in)
		if got := fmt.Sprint(named.Norms, " ", named.Struck); got != want {
			t.Errorf("Recognise(%q)\n got %s\nwant %s", in, got, want)
		}
	}
}

// TestReferencesInLawTexts are forms met in the texts of three countries, with
// norms of our own.
func TestReferencesInLawTexts(t *testing.T) {
	table := NewTable([]Alias{
		{Name: "la Carta", Norm: "LEY-1", Jurisdiction: "xx"},
		{Name: "LAS", Norm: "LEY-100", Jurisdiction: "xx"},
		{Name: "Código de Faros", Norm: "LEY-200", Jurisdiction: "xx"},
		{Name: "Ley General de Faros", Norm: "BOE-A-2030-8", Jurisdiction: "xx"},
		{Name: "Ley 11222", Norm: "BOE-A-2030-8", Jurisdiction: "xx"},
	}, []digesto.Norm{
		{ID: "LEY-1", Jurisdiction: "xx", Title: "Carta de las Islas"},
		{ID: "LEY-100", Jurisdiction: "xx", Title: "ASOCIACIONES"},
		{ID: "LEY-200", Jurisdiction: "xx", Title: "CODIGO DE FAROS"},
		{ID: "LEY-27999", Jurisdiction: "xx", Title: "CODIGO DE BOYAS"},
		{ID: "DS-007-2034-JUS", Jurisdiction: "xx", Title: "Reglamento de boyas"},
		{ID: "BOE-A-2030-8", Jurisdiction: "xx", Title: "Real Decreto Legislativo 8/2030, de 3 de mayo, por el que se aprueba el texto refundido de la Ley General de Faros"},
		{ID: "BOE-A-2033-3", Jurisdiction: "xx", Title: "Ley 3/2033, de 28 de febrero, de Muelles"},
		{ID: "BOE-A-2033-9", Jurisdiction: "xx-an", Title: "Ley 3/2033, de 7 de marzo, de Botes"},
		{ID: "BOE-A-2033-9", Jurisdiction: "xx-an", Title: "Ley 3/2033, de 7 de marzo, de Botes"}, // a copy: one norm all the same
		{ID: "BOE-A-2036-35", Jurisdiction: "xx", Title: "Ley 35/2036, de 28 de noviembre, de Tasas"},
	})
	for in, want := range map[string]string{
		"los artículos 48 y 49, respectivamente, de la Ley 35/2036":                                                       "BOE-A-2036-35/a48 | BOE-A-2036-35/a49",
		"el artículo 231.3 del texto refundido de la Ley General de Faros, aprobado por Real Decreto Legislativo 1/1994":  "?texto refundido de la Ley General de Faros, aprobado por Real Decreto Legislativo 1/1994/a231 [3]",
		"el artículo 164 del texto refundido de la Ley General de Faros, aprobado por el Real Decreto Legislativo 8/2030": "BOE-A-2030-8/a164",
		"la disposición adicional segunda de la Ley 3/2033, de 28 de febrero":                                             "BOE-A-2033-3/da2",
		"la disposición adicional segunda de la Ley 3/2033, de 7 de marzo":                                                "BOE-A-2033-9/da2",
		"el artículo 37, apartados 4.bis y 5 de la Ley 35/2036":                                                           "BOE-A-2036-35/a37 [apartados 4.bis y 5]",
		"el artículo segundo, número uno, apartado d) de la Ley 35/2036":                                                  "BOE-A-2036-35/a2 [número uno, apartado d)]",
		"una entidad de nueva carta":                                                                  "",
		"LAS PERSONAS que viven aquí":                                                                 "",
		"Decreto Supremo 007-2034-JUS":                                                                "DS-007-2034-JUS/",
		"art. 3 del D.S. N.º 7-2034-JUS":                                                              "DS-007-2034-JUS/a3",
		"a la ley 27.999 y a otras":                                                                   "LEY-27999/",
		"art. 21 de laLey N° 27.999":                                                                  "LEY-27999/a21",
		"Ley N° 27999, Art. 4, numeral 4.1 y Art. 16":                                                 "LEY-27999/a4 [numeral 4.1] | LEY-27999/a16",
		"la Carta y la Ley.\n121.2 Otra cosa":                                                         "LEY-1/",
		"en los términos del artículo 69 de la Ley Nº\n27.999":                                        "LEY-27999/a69",
		"las leyes 27.999 (t.o. 2034) y 23.546 (t.o. 2034)":                                           "LEY-27999/ | ?23.546/",
		"las Directivas 64/221/CEE, 68/360/CEE y 93/96/CEE":                                           "?Directivas 64/221/CEE/ | ?68/360/CEE/ | ?93/96/CEE/",
		"Decretos Leyes Nº s. 25751, 26010 y 26201":                                                   "?Decretos Leyes Nº s. 25751/ | ?26010/ | ?26201/",
		"el Decreto Legislativo Nº 8":                                                                 "?Decreto Legislativo Nº 8/",
		"la Ley de Muelles y Boyas del Norte N° 27.541":                                               "?Ley de Muelles y Boyas del Norte N° 27.541/",
		"la Resolución de 21 de febrero de 2038, del Servicio":                                        "?Resolución de 21 de febrero de 2038/",
		"el artículo ciento veinte de la Ley de veintiuno de abril de mil novecientos sesenta y seis": "?Ley de veintiuno de abril de mil novecientos sesenta y seis/a120",
		"el Decreto Foral 69/2038 y la Ley Foral 15/2036":                                             "?Decreto Foral 69/2038/ | ?Ley Foral 15/2036/",
		"el artículo 6 de la Ley 35/2036. En los términos del artículo 6 mencionado en el párrafo anterior": "BOE-A-2036-35/a6 | BOE-A-2036-35/a6",
		"el Decreto Legislativo 627, y el artículo 16 del Decreto Legislativo antes citado":                 "?Decreto Legislativo 627/ | ?Decreto Legislativo 627/a16",
		"el artículo 87 del presente Código de Faros":                                                       "LEY-200/a87",
		"el artículo 268 (2) del Código de Faros":                                                           "LEY-200/a268 [2)]",
		"Decreto 70/2038 (t.o. 2040), art. 73":                                                              "?Decreto 70/2038/a73",
		"la Ley N.º 11.222":                                                                                 "BOE-A-2030-8/",
		"D. T. 13ª del Código de Faros":                                                                     "LEY-200/dt13",
		"Decreto PEN 70/23, art. 2":                                                                         "?Decreto PEN 70/23/a2",
		"el numeral 1.1 del art. IV del T.P. de la Ley N° 27999":                                            "LEY-27999/aIV [numeral 1.1]",
		"R. Nº 111-2030-XYZ y Resolución ABCD Nº 068-2030":                                                  "?R. Nº 111-2030-XYZ/ | ?Resolución ABCD Nº 068-2030/",
	} {
		if got := show(table.Find(in)); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}
