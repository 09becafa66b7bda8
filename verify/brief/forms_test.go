package brief

import (
	"strings"
	"testing"

	"digesto"
	"digesto/corpus"
	"digesto/index"
	"digesto/text/cite"
)

// port is a law of an invented country with every kind of unit that people cite.
func port(t testing.TB) Options {
	t.Helper()
	v := func(s string) []digesto.Version {
		return []digesto.Version{{ID: "2020-05-06", Text: s, ValidFrom: "2020-05-06", Current: true}}
	}
	art := func(n, rubric, s string) digesto.Unit {
		return digesto.Unit{ID: "a" + n, Kind: digesto.KindArticle, Number: n, Label: "Artículo " + n, Rubric: rubric, Versions: v(s)}
	}
	docs := []corpus.Document{
		{Norm: digesto.Norm{ID: "LEY-7", Title: "Ley 7/2007, de 8 de julio, General de Puertos", Short: "Ley General de Puertos", Rank: "ley", Jurisdiction: "xx", Published: "2007-07-08"}, Units: []digesto.Unit{
			art("15", "Amarres", "1. El amarre se concede por tres años prorrogables.\n2. La concesión se extingue:\na) Por abandono del barco.\nb) Por impago de dos cuotas seguidas.\nc) Por naufragio."),
			art("16", "Cuotas", "La cuota se paga «por trimestres adelantados» en la oficina del puerto. Quien pague tarde abonará un recargo del cinco por ciento."),
			art("17", "Prácticos", "Ningún barco de más de veinte metros entrará sin práctico a bordo, salvo que el capitán del puerto lo autorice por escrito."),
			{ID: "da3", Kind: digesto.KindAdditional, Number: "3", Label: "Disposición adicional tercera", Rubric: "Boyas", Versions: v("Las boyas perdidas se repondrán antes del primero de mayo de cada año.")},
			{ID: "df1", Kind: digesto.KindFinal, Number: "1", Label: "Disposición final primera", Versions: v("La presente ley entrará en vigor cuando pasen veinte días de su publicación en la gaceta.")},
		}},
		{Norm: digesto.Norm{ID: "LEY-9459", Title: "Ley 9459, Arancel de los Estibadores", Rank: "ley", Jurisdiction: "xx", Published: "2008-01-17"}, Units: []digesto.Unit{
			art("70", "Mínimos", "Por cada carga se regulará como mínimo:\na) Cuatro unidades por la carga seca.\nb) Seis unidades por la carga de animales vivos.\nc) Diez unidades por la carga peligrosa."),
			art("137", "Plazo", "El reclamo contra la liquidación se presenta dentro de los veinte días hábiles computados desde el día siguiente de su notificación."),
		}},
		{Norm: digesto.Norm{ID: "32016R0679", Title: "Reglamento (UE) 2016/679 relativo a las cartas náuticas", Rank: "reglamento_ue", Jurisdiction: "eu", Published: "2016-04-27"}, Units: []digesto.Unit{
			art("17", "Borrado", "El navegante tendrá derecho a que se borren sus rutas sin dilación indebida."),
		}},
	}
	law := corpus.Memory(docs...)
	ix, err := index.Memory(t.Context(), law.Chunks(), index.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	names := []cite.Alias{{Name: "LGP", Norm: "LEY-7"}, {Name: "Ley General de Puertos", Norm: "LEY-7"}, {Name: "Arancel de los Estibadores", Norm: "LEY-9459"}, {Name: "RGCN", Norm: "32016R0679"}}
	return Options{Law: law, Search: ix, Table: cite.NewTable(names, law.Norms()), Today: "2026-11-21"}
}

// The ways in which people who write briefs cite and quote.
func TestForms(t *testing.T) {
	o := port(t)
	for _, c := range []struct{ name, text, want string }{
		// quotation marks
		{"nested quotes", "El art. 16 LGP dispone: «La cuota se paga “por trimestres adelantados” en la oficina del puerto».", "VERIFIED LEY-7/a16 q"},
		{"nested quotes, the other way", "El art. 16 LGP dispone: “La cuota se paga ‘por trimestres adelantados’ en la oficina del puerto”.", "VERIFIED LEY-7/a16 q"},
		{"straight within angular", "El art. 16 LGP dispone: «La cuota se paga \"por trimestres adelantados\" en la oficina del puerto».", "VERIFIED LEY-7/a16 q"},
		{"without the inner marks", "El art. 16 LGP dispone: «La cuota se paga por trimestres adelantados en la oficina del puerto».", "NOT_FOUND LEY-7/a16 q"},
		{"doubled angle signs", "El art. 17 LGP: <<Ningún barco de más de veinte metros entrará sin práctico a bordo>>.", "VERIFIED LEY-7/a17 q"},
		{"two commas for marks", "El art. 17 LGP: ''Ningún barco de más de veinte metros entrará sin práctico a bordo''.", "VERIFIED LEY-7/a17 q"},
		{"indented block", "Dice el art. 17 de la Ley 7/2007:\n\n    Ningún barco de más de veinte metros entrará sin práctico a bordo, salvo que el capitán del puerto lo autorice por escrito.\n\nPor tanto, procede estimar.", "VERIFIED LEY-7/a17 q"},
		{"block with bars", "Artículo 17 LGP:\n\n> Ningún barco de más de veinte metros entrará\n> sin práctico a bordo, salvo que el capitán del puerto lo autorice por escrito.\n", "VERIFIED LEY-7/a17 q"},
		{"source inside the block", "> Ningún barco de más de veinte metros entrará sin práctico a bordo\n>\n> (artículo 17 LGP)", "VERIFIED LEY-7/a17 q"},
		{"wrong source inside the block", "> Ningún barco de más de veinte metros entrará sin práctico a bordo\n>\n> — artículo 16 LGP", "MISATTRIBUTED LEY-7/a16 q"},
		{"paragraph of its own", "Dispone el artículo 17.º de la LGP lo siguiente:\n\n«Ningún barco de más de veinte metros entrará sin práctico a bordo»\n\nDe ahí el recurso.", "VERIFIED LEY-7/a17 q"},
		{"paragraph of its own, wrong", "Dispone el artículo 16 de la LGP lo siguiente:\n\n«Ningún barco de más de veinte metros entrará sin práctico a bordo»\n\nDe ahí el recurso.", "MISATTRIBUTED LEY-7/a16 q"},
		{"source in the next paragraph, wrong", "«Ningún barco de más de veinte metros entrará sin práctico a bordo»\n\n(artículo 16 LGP)", "MISATTRIBUTED LEY-7/a16 q"},
		{"norm in brackets, wrong", "Se invoca el art. 16 del mismo texto (Ley General de Puertos), que reza: «Ningún barco de más de veinte metros entrará sin práctico a bordo».", "MISATTRIBUTED LEY-7/a16 q"},
		{"quote of two paragraphs", "El art. 15 LGP: «2. La concesión se extingue:\na) Por abandono del barco.\nb) Por impago de dos cuotas seguidas».", "VERIFIED LEY-7/a15 q"},
		{"marks opened anew", "El art. 15 LGP: «2. La concesión se extingue:\n»a) Por abandono del barco.\n»b) Por impago de dos cuotas seguidas».", "VERIFIED LEY-7/a15 q"},
		// words left out and put in
		{"dots in round brackets", "El art. 17 LGP: «Ningún barco (...) entrará sin práctico a bordo».", "VERIFIED LEY-7/a17 q"},
		{"sic and emphasis", "El art. 16 LGP: «Quien pague tarde [sic] abonará un recargo del **cinco por ciento**» (énfasis añadido).", "VERIFIED LEY-7/a16 q"},
		{"emphasis inside the marks", "El art. 16 LGP: «Quien pague tarde abonará un recargo del cinco por ciento (el subrayado es nuestro)».", "VERIFIED LEY-7/a16 q"},
		{"word explained in brackets", "El art. 16 LGP: «Quien pague tarde abonará un recargo [sobre la cuota] del cinco por ciento».", "VERIFIED LEY-7/a16 q"},
		{"dots at both ends", "El art. 16 LGP: «…abonará un recargo del cinco por ciento…».", "VERIFIED LEY-7/a16 q"},
		{"dots and altered", "El art. 16 LGP: «Quien pague tarde […] un recargo del diez por ciento».", "NOT_FOUND LEY-7/a16 q"},
		{"exception kept out with dots", "El art. 17 LGP: «Ningún barco de más de veinte metros entrará […] salvo que el capitán del puerto lo autorice por escrito».", "VERIFIED LEY-7/a17 q"},
		// line breaks of a PDF
		{"hyphen at the line's end", "El art. 17 LGP: «Ningún barco de más de veinte me-\ntros entrará sin práctico a bordo».", "VERIFIED LEY-7/a17 q"},
		{"broken lines", "El art.\n17 de la Ley\n7/2007: «Ningún barco\nde más de veinte metros\nentrará sin práctico a bordo».", "VERIFIED LEY-7/a17 q"},
		{"soft hyphen", "El art. 17 LGP: «Ningún bar\u00adco de más de veinte metros entrará sin práctico a bordo».", "VERIFIED LEY-7/a17 q"},
		{"hard blank", "El art.\u00a017\u00a0LGP: «Ningún barco de más de veinte metros entrará sin práctico a\u00a0bordo».", "VERIFIED LEY-7/a17 q"},
		{"ligatures", "La disposición ﬁnal primera LGP: «La presente ley entrará en vigor cuando pasen veinte días».", "VERIFIED LEY-7/df1 q"},
		// forms of citing
		{"ex art.", "La extinción ex art. 15.2.b) LGP es clara.", "VERIFIED LEY-7/a15"},
		{"and following", "Véanse los arts. 15 y ss. LGP.", "VERIFIED LEY-7/a15"},
		{"range", "Los arts. 15 a 17 de la LGP rigen el caso.", "VERIFIED LEY-7/a15"},
		{"disposition short", "La DA 3ª LGP: «Las boyas perdidas se repondrán antes del primero de mayo».", "VERIFIED LEY-7/da3 q"},
		{"disposition shorter", "D.A. 3.ª de la Ley 7/2007: «Las boyas perdidas se repondrán antes del primero de mayo».", "VERIFIED LEY-7/da3 q"},
		{"disposition in words", "La disposición adicional tercera de la Ley 7/2007 ordena que «las boyas perdidas se repondrán antes del primero de mayo de cada año».", "VERIFIED LEY-7/da3 q"},
		{"final disposition", "DF 1ª LGP: «La presente ley entrará en vigor cuando pasen veinte días de su publicación».", "VERIFIED LEY-7/df1 q"},
		{"item", "Ley 9459, art. 70 inc. b: «Seis unidades por la carga de animales vivos».", "VERIFIED LEY-9459/a70 q"},
		{"item before", "Conforme al inc. b) del art. 70 de la Ley Nº 9459, corresponden «Seis unidades por la carga de animales vivos».", "VERIFIED LEY-9459/a70 q"},
		{"degree sign", "Según el artículo 137° de la Ley N° 9459, «dentro de los veinte días hábiles computados desde el día siguiente de su notificación».", "VERIFIED LEY-9459/a137 q"},
		{"number with a point", "Ley n.º 9.459, art. 137: «dentro de los veinte días hábiles computados desde el día siguiente».", "VERIFIED LEY-9459/a137 q"},
		{"name and number", "el artículo 137 del Arancel de los Estibadores (Ley 9459): «dentro de los veinte días hábiles computados desde el día siguiente».", "VERIFIED LEY-9459/a137 q"},
		{"paragraph", "art. 16, párr. 2, LGP: «Quien pague tarde abonará un recargo del cinco por ciento».", "VERIFIED LEY-7/a16 q"},
		{"paragraph in words", "El segundo párrafo del artículo 16 de la LGP dice que «Quien pague tarde abonará un recargo».", "VERIFIED LEY-7/a16 q"},
		{"lower case abbreviations", "segun el art 17 lgp, «ningún barco de más de veinte metros entrará sin práctico a bordo».", "VERIFIED LEY-7/a17 q"},
		{"capitals", "ARTÍCULO 17 DE LA LEY 7/2007: «Ningún barco de más de veinte metros entrará sin práctico a bordo».", "VERIFIED LEY-7/a17 q"},
		{"article sign", "§ 17 LGP: «Ningún barco de más de veinte metros entrará sin práctico a bordo».", "VERIFIED LEY-7/a17 q"},
		{"cited before by id.", "El art. 17 LGP lo prohíbe. El mismo artículo añade: «salvo que el capitán del puerto lo autorice por escrito».", "VERIFIED LEY-7/a17; VERIFIED LEY-7/a17 q"},
		{"European regulation", "El art. 17 del Reglamento (UE) 2016/679: «El navegante tendrá derecho a que se borren sus rutas sin dilación indebida».", "VERIFIED 32016R0679/a17 q"},
		{"European regulation, short", "art. 17 RGCN: «tendrá derecho a que se borren sus rutas sin dilación indebida».", "VERIFIED 32016R0679/a17 q"},
		{"directive not installed", "La Directiva 2019/1152 del Parlamento Europeo y del Consejo no dice eso.", "UNRESOLVED /"},
		{"footnote", "El barco no puede entrar solo[^1].\n\n[^1]: Art. 17 LGP: «Ningún barco de más de veinte metros entrará sin práctico a bordo».", "VERIFIED LEY-7/a17 q"},
		{"superscript footnote", "«Ningún barco de más de veinte metros entrará sin práctico a bordo»¹.\n\n¹ Art. 17 LGP.", "VERIFIED LEY-7/a17 q"},
		{"bold citation", "**Art. 17 LGP.** «Ningún barco de más de veinte metros entrará sin práctico a bordo».", "VERIFIED LEY-7/a17 q"},
		{"italics for a quotation's words", "El art. 17 LGP: «*Ningún barco de más de veinte metros entrará sin práctico a bordo*».", "VERIFIED LEY-7/a17 q"},
		{"ruling with number", "STS n.º 123/2019, de 4 de marzo (ECLI:XX:TS:2019:1234).", "UNRESOLVED /"},
		// Argentina and Peru
		{"numeral and literal", "El literal c) del numeral 2 del artículo 15 de la Ley N.° 7/2007: «Por naufragio» y «La concesión se extingue».", "VERIFIED LEY-7/a15 q"},
		{"item with its number", "el art. 70, inc. c, ley 9459 («Diez unidades por la carga peligrosa»)", "VERIFIED LEY-9459/a70 q"},
		{"item in words", "conf. art. 70 inciso c) de la ley 9.459: “Diez unidades por la carga peligrosa”", "VERIFIED LEY-9459/a70 q"},
		{"colon before the citation", "Ley 9459: art. 137: «dentro de los veinte días hábiles computados desde el día siguiente».", "VERIFIED LEY-9459/a137 q"},
		{"citation in brackets before", "(art. 137, Ley 9459) El reclamo se presenta «dentro de los veinte días hábiles computados desde el día siguiente».", "VERIFIED LEY-9459/a137 q"},
		{"cfr.", "«Por cada carga se regulará como mínimo» (cfr. art. 70, primer párrafo, Ley 9459).", "VERIFIED LEY-9459/a70 q"},
		{"concordances", "«Por cada carga se regulará como mínimo» (arts. 70 y 137 de la Ley 9459).", "VERIFIED LEY-9459/a70 q"},
		{"number with its sign", "Art. Nº 137 de la Ley N° 9459: «dentro de los veinte días hábiles computados».", "VERIFIED LEY-9459/a137 q"},
		{"the law before", "La Ley 9459 establece en su artículo 137 que «El reclamo contra la liquidación se presenta dentro de los veinte días hábiles».", "VERIFIED LEY-9459/; VERIFIED LEY-9459/a137 q"},
		{"the law before, far", "La Ley General de Puertos, norma básica en la materia y de aplicación preferente, dispone en su art. 17 que «Ningún barco de más de veinte metros entrará sin práctico a bordo».", "VERIFIED LEY-7/; VERIFIED LEY-7/a17 q"},
		{"said law", "La Ley 9459 rige el caso. El artículo 137 de dicha ley dice: «El reclamo contra la liquidación se presenta dentro de los veinte días hábiles».", "VERIFIED LEY-9459/; VERIFIED LEY-9459/a137 q"},
		{"cited text", "Art. 137, texto según Ley 9459: «El reclamo contra la liquidación se presenta dentro de los veinte días hábiles».", "VERIFIED LEY-9459/a137 q"},
		{"dash", "Art. 137 — Ley 9459 — «El reclamo contra la liquidación se presenta dentro de los veinte días hábiles».", "VERIFIED LEY-9459/a137 q"},
		{"apartado and letra", "art. 15, apdo. 2, letra b) LGP: «Por impago de dos cuotas seguidas»", "VERIFIED LEY-7/a15 q"},
		{"dotted letter", "art. 15.2 b) LGP: «Por impago de dos cuotas seguidas»", "VERIFIED LEY-7/a15 q"},
		{"two laws, one article each", "El art. 17 LGP («Ningún barco de más de veinte metros entrará sin práctico a bordo») y el art. 137 de la Ley 9459 («dentro de los veinte días hábiles computados»).", "VERIFIED LEY-7/a17 q; VERIFIED LEY-9459/a137 q"},
		{"invented, of the right article", "El art. 17 LGP: «Ningún barco entrará en el puerto durante la noche sin luces encendidas».", "NOT_FOUND LEY-7/a17 q"},
		{"half a word more", "El art. 16 LGP: «Quien pague tarde abonará un recargo del cinco por cientos».", "NOT_FOUND LEY-7/a16 q"},
		{"capital inside", "El art. 16 LGP: «quien pague tarde abonará un recargo del cinco por ciento».", "VERIFIED LEY-7/a16 q"},
		{"full stop within the marks", "El art. 16 LGP: «Quien pague tarde abonará un recargo del cinco por ciento.»", "VERIFIED LEY-7/a16 q"},
		{"apostrophes for marks", "El art. 16 LGP: 'Quien pague tarde abonará un recargo del cinco por ciento'.", "VERIFIED LEY-7/a16 q"},
		{"years with an apostrophe", "Desde los '90 el art. 16 LGP rige, y en los '80 regía otro.", "VERIFIED LEY-7/a16"},
		{"apostrophe, then apostrophes for marks", "Desde los '90.\n\nEl art. 16 LGP: 'Quien pague tarde abonará un recargo del cinco por ciento'.", "VERIFIED LEY-7/a16 q"},
		{"marks of another country", "El art. 16 LGP: „Quien pague tarde abonará un recargo del cinco por ciento“.", "VERIFIED LEY-7/a16 q"},
		{"entities of HTML", "El art. 16 LGP: &laquo;Quien pague tarde abonar&aacute; un recargo del cinco por ciento&raquo;.", "VERIFIED LEY-7/a16"},
		{"dots of four", "El art. 17 LGP: «Ningún barco.... entrará sin práctico a bordo».", "VERIFIED LEY-7/a17 q"},
	} {
		if got := quoted(check(t, o, c.text)); got != c.want {
			t.Errorf("%s: %q, want %q\n\t%s", c.name, got, c.want, c.text)
		}
	}
}

// quoted is verdicts with a mark for each that has a quotation.
func quoted(r Report) string {
	var out []string
	for _, f := range r.Citations {
		v := string(f.Verdict) + " " + f.Norm + "/" + f.Unit
		if f.Quote != nil {
			v += " q"
		}
		out = append(out, v)
	}
	return strings.Join(out, "; ")
}
