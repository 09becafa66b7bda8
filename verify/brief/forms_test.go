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
			art("18", "Entrada", "El capitán podrá negar la entrada. En tal caso no se admitirá la carga que gotee en cubierta."),
			art("19", "Tasas", "Las tasas son las de la Ley 9459."),
			art("20", "Fondeo", "En ningún caso, incluidos los barcos de recreo, el fondeo podrá durar más de dos noches."),
			{ID: "da3", Kind: digesto.KindAdditional, Number: "3", Label: "Disposición adicional tercera", Rubric: "Boyas", Versions: v("Las boyas perdidas se repondrán antes del primero de mayo de cada año.")},
			{ID: "df1", Kind: digesto.KindFinal, Number: "1", Label: "Disposición final primera", Versions: v("La presente ley entrará en vigor cuando pasen veinte días de su publicación en la gaceta.")},
		}},
		{Norm: digesto.Norm{ID: "LEY-9459", Title: "Ley 9459, Arancel de los Estibadores", Rank: "ley", Jurisdiction: "xx", Published: "2008-01-17"}, Units: []digesto.Unit{
			art("70", "Mínimos", "Por cada carga se regulará como mínimo:\na) Cuatro unidades por la carga seca.\nb) Seis unidades por la carga de animales vivos.\nc) Diez unidades por la carga peligrosa."),
			art("137", "Plazo", "El reclamo contra la liquidación se presenta dentro de los veinte días hábiles computados desde el día siguiente de su notificación."),
		}},
		{Norm: digesto.Norm{ID: "LEY-8", Title: "Ley 8/2010, del Estatuto de los Faros", Rank: "ley", Jurisdiction: "xx", Published: "2010-02-03"}, Units: []digesto.Unit{
			art("4", "Luz", "El faro se enciende antes de que caiga la tarde."),
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
		{"paragraph without marks", "El artículo 17 LGP dispone:\n\nNingún barco de más de veinte metros entrará sin práctico a bordo, salvo que el capitán del puerto lo autorice por escrito.\n\nPor tanto, procede estimar.", "VERIFIED LEY-7/a17 q"},
		{"paragraph without marks, altered", "El artículo 17 LGP dispone:\n\nNingún barco de más de treinta metros entrará sin práctico a bordo, salvo que el capitán del puerto lo autorice por escrito.\n\nPor tanto, procede estimar.", "NOT_FOUND LEY-7/a17 q"},
		{"paragraph without marks, wrong", "El artículo 16 LGP dispone:\n\nNingún barco de más de veinte metros entrará sin práctico a bordo, salvo que el capitán del puerto lo autorice por escrito.\n\nPor tanto, procede estimar.", "MISATTRIBUTED LEY-7/a16 q"},
		{"paragraphs without marks", "Según el artículo 15 de la LGP:\n\n2. La concesión se extingue:\n\n(…)\n\nb) Por impago de dos cuotas seguidas.\n\nEl artículo 16 LGP fija la cuota.", "VERIFIED LEY-7/a15 q; VERIFIED LEY-7/a15 q; VERIFIED LEY-7/a16"},
		{"author's own paragraph", "El artículo 17 LGP nos lleva a esto:\n\nLos hechos del pleito son conocidos de las partes y no se discuten, salvo en lo que toca al barco.", "VERIFIED LEY-7/a17"},
		// words left out and put in
		{"figure of the subject left out", "El art. 17 LGP: «Ningún barco (...) entrará sin práctico a bordo».", "NOT_FOUND LEY-7/a17 q"},
		{"dots in round brackets", "El art. 16 LGP: «La cuota se paga (...) en la oficina del puerto».", "VERIFIED LEY-7/a16 q"},
		{"sic and emphasis", "El art. 16 LGP: «Quien pague tarde [sic] abonará un recargo del **cinco por ciento**» (énfasis añadido).", "VERIFIED LEY-7/a16 q"},
		{"emphasis inside the marks", "El art. 16 LGP: «Quien pague tarde abonará un recargo del cinco por ciento (el subrayado es nuestro)».", "VERIFIED LEY-7/a16 q"},
		{"word explained in brackets", "El art. 16 LGP: «Quien pague tarde abonará un recargo [sobre la cuota] del cinco por ciento».", "VERIFIED LEY-7/a16 q"},
		{"dots at both ends", "El art. 16 LGP: «…abonará un recargo del cinco por ciento…».", "VERIFIED LEY-7/a16 q"},
		{"dots and altered", "El art. 16 LGP: «Quien pague tarde […] un recargo del diez por ciento».", "NOT_FOUND LEY-7/a16 q"},
		{"exception kept out with dots", "El art. 17 LGP: «Ningún barco de más de veinte metros entrará […] salvo que el capitán del puerto lo autorice por escrito».", "NOT_FOUND LEY-7/a17 q"},
		{"denial put in", "El art. 15 LGP: «1. El amarre [no] se concede por tres años prorrogables».", "NOT_FOUND LEY-7/a15 q"},
		{"duty put in the place of leave", "El art. 18 LGP: «El capitán [deberá] negar la entrada».", "NOT_FOUND LEY-7/a18 q"},
		{"leave kept, put in brackets", "El art. 18 LGP: «El capitán [podrá] negar la entrada».", "VERIFIED LEY-7/a18 q"},
		{"figure put in", "El art. 16 LGP: «Quien pague tarde abonará un recargo del [diez] por ciento».", "NOT_FOUND LEY-7/a16 q"},
		{"exception put in at the end", "El art. 16 LGP: «Quien pague tarde abonará un recargo [salvo fuerza mayor]».", "NOT_FOUND LEY-7/a16 q"},
		{"cut behind a denial and its pronoun", "Según el art. 18 LGP, «admitirá la carga que gotee en cubierta».", "NOT_FOUND LEY-7/a18 q"},
		{"doubt in round brackets", "El art. 16 LGP: «Quien pague tarde (sic) abonará un recargo del cinco por ciento».", "VERIFIED LEY-7/a16 q"},
		{"emphasis of somebody", "El art. 16 LGP: «Quien pague tarde abonará un recargo del cinco por ciento (sin destacar en el original)».", "VERIFIED LEY-7/a16 q"},
		{"emphasis by underlines", "El art. 16 LGP: «Quien pague tarde __abonará un recargo__ del _cinco_ por ciento».", "VERIFIED LEY-7/a16 q"},
		{"emphasis by tags", "El art. 16 LGP: «Quien pague tarde <b>abonará un <em>recargo</em></b> del <span class=\"x\">cinco</span> por ciento».", "VERIFIED LEY-7/a16 q"},
		{"block by tags", "El art. 17 LGP dice:\n\n<blockquote>Ningún barco de más de veinte metros entrará sin práctico a bordo</blockquote>\n\nY basta.", "VERIFIED LEY-7/a17 q"},
		{"block by tags, wrong", "El art. 16 LGP dice:\n\n<blockquote>\n<p>Ningún barco de más de veinte metros entrará sin práctico a bordo</p>\n</blockquote>\n\nY basta.", "MISATTRIBUTED LEY-7/a16 q"},
		{"block by tags with its source", "<blockquote>Ningún barco de más de veinte metros entrará sin práctico a bordo\n<footer>art. 17 LGP</footer></blockquote>", "VERIFIED LEY-7/a17 q"},
		{"apostrophe and dots", "El art. 16 LGP: '(...) abonará un recargo del cinco por ciento'.", "VERIFIED LEY-7/a16 q"},
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
		{"disposition shortened", "Según la disp. adic. 3ª LGP, «Las boyas perdidas se repondrán antes del primero de mayo».", "VERIFIED LEY-7/da3 q"},
		{"transitional disposition shortened", "Según la disp. trans. 3ª LGP, «Las boyas perdidas se repondrán antes del primero de mayo».", "MISATTRIBUTED LEY-7/dt3 q"},
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
		{"footnote by a figure that touches", "«Ningún barco de más de veinte metros entrará sin práctico a bordo»2. Y basta.\n\n1. Un hecho.\n\n2. Otro hecho.\n\n1 Art. 16 LGP.\n2 Art. 17 LGP.", "VERIFIED LEY-7/a16; VERIFIED LEY-7/a17 q"},
		{"footnote, wrong", "«Ningún barco de más de veinte metros entrará sin práctico a bordo».[^e2] Y basta.\n\n[^e2]: Art. 16 LGP.", "MISATTRIBUTED LEY-7/a16 q"},
		{"footnote of another look", "«Ningún barco de más de veinte metros entrará sin práctico a bordo»¹² y basta.\n\nNOTAS\n\n[12] Art. 17 LGP.", "VERIFIED LEY-7/a17 q"},
		{"bold citation", "**Art. 17 LGP.** «Ningún barco de más de veinte metros entrará sin práctico a bordo».", "VERIFIED LEY-7/a17 q"},
		{"italics for a quotation's words", "El art. 17 LGP: «*Ningún barco de más de veinte metros entrará sin práctico a bordo*».", "VERIFIED LEY-7/a17 q"},
		{"ruling with number", "STS n.º 123/2019, de 4 de marzo (ECLI:XX:TS:2019:1234).", "UNRESOLVED /"},
		// rows, and citations by their place
		{"in turn", "Los arts. 16 y 17 LGP dicen, respectivamente, «Quien pague tarde abonará un recargo» y «Ningún barco de más de veinte metros entrará».", "VERIFIED LEY-7/a16 q; VERIFIED LEY-7/a17 q"},
		{"in turn, changed over", "Los arts. 16 y 17 LGP dicen, respectivamente, «Ningún barco de más de veinte metros entrará» y «Quien pague tarde abonará un recargo».", "MISATTRIBUTED LEY-7/a16 q; MISATTRIBUTED LEY-7/a17 q"},
		{"in turn, words first", "«Quien pague tarde abonará un recargo» y «Ningún barco de más de veinte metros entrará» son de los arts. 17 y 16 LGP, respectivamente.", "MISATTRIBUTED LEY-7/a17 q; MISATTRIBUTED LEY-7/a16 q"},
		{"in turn, of two norms", "El art. 17 LGP y el art. 137 de la Ley 9459 dicen, respectivamente, «Ningún barco de más de veinte metros entrará» y «dentro de los veinte días hábiles computados».", "VERIFIED LEY-7/a17 q; VERIFIED LEY-9459/a137 q"},
		{"the last of two", "Vistos los artículos 16 y 17 LGP, y en especial este último, conforme al cual «Quien pague tarde abonará un recargo del cinco por ciento», procede estimar.", "MISATTRIBUTED LEY-7/a17 q"},
		{"the next", "El art. 16 LGP fija la cuota. El artículo siguiente dice: «Ningún barco de más de veinte metros entrará sin práctico a bordo».", "VERIFIED LEY-7/a16; VERIFIED LEY-7/a17 q"},
		{"the next, wrong", "El art. 16 LGP fija la cuota. El artículo siguiente dice: «Quien pague tarde abonará un recargo del cinco por ciento».", "VERIFIED LEY-7/a16; MISATTRIBUTED LEY-7/a17 q"},
		{"the one before", "Tras el art. 17 LGP, el precepto anterior dice: «Quien pague tarde abonará un recargo del cinco por ciento».", "VERIFIED LEY-7/a17; VERIFIED LEY-7/a16 q"},
		{"the same, wrong", "El art. 17 LGP lo prohíbe. El mismo artículo añade: «Quien pague tarde abonará un recargo del cinco por ciento».", "VERIFIED LEY-7/a17; MISATTRIBUTED LEY-7/a17 q"},
		// the citation behind
		{"tells behind whose the words are", "«Ningún barco de más de veinte metros entrará sin práctico a bordo»\n\nTal es el texto del artículo 16 LGP, que nadie discute.", "MISATTRIBUTED LEY-7/a16 q"},
		{"tells behind, the law before", "La LGP es terminante. «Ningún barco de más de veinte metros entrará sin práctico a bordo.» Así reza su artículo 16.", "VERIFIED LEY-7/; MISATTRIBUTED LEY-7/a16 q"},
		{"goes on behind with another", "El art. 17 LGP dice «Ningún barco de más de veinte metros entrará sin práctico a bordo». Así, el art. 16 LGP dice «Quien pague tarde abonará un recargo».", "VERIFIED LEY-7/a17 q; VERIFIED LEY-7/a16 q"},
		{"card", "Cita: «Ningún barco de más de veinte metros entrará sin práctico a bordo»\nNorma: LGP vigente\nArtículo: 16\n", "VERIFIED LEY-7/; MISATTRIBUTED LEY-7/a16 q"},
		{"heading without its rubric", "LGP:\n\n> Art. 17. Ningún barco de más de veinte metros entrará sin práctico a bordo.", "VERIFIED LEY-7/a17 q"},
		{"heading of another", "LGP:\n\n> Art. 16. Ningún barco de más de veinte metros entrará sin práctico a bordo.", "MISATTRIBUTED LEY-7/a16 q"},
		{"exception's word left out", "El art. 17 LGP: «Ningún barco de más de veinte metros entrará sin práctico a bordo […] que el capitán del puerto lo autorice».", "NOT_FOUND LEY-7/a17 q"},
		{"one of several, norm unknown", "Los artículos 70, 88 y 137: «El reclamo contra la liquidación se presenta dentro de los veinte días hábiles».", "VERIFIED LEY-9459/a137 q"},
		// names that the text gives
		{"a name of its own", "Rige la Ley 7/2007, de 8 de julio, General de Puertos (en adelante, LXP). La Ley 9459 no.\n\nEl art. 17 LXP dice: «Ningún barco de más de veinte metros entrará sin práctico a bordo».", "VERIFIED LEY-7/; VERIFIED LEY-9459/; VERIFIED LEY-7/a17 q"},
		{"a name in marks", "Rige la Ley 7/2007 (en lo sucesivo, «la Norma Portuaria»), no la Ley 9459. El artículo 17 de la Norma Portuaria dice: «Ningún barco de más de veinte metros entrará sin práctico a bordo».", "VERIFIED LEY-7/; VERIFIED LEY-9459/; VERIFIED LEY-7/a17 q"},
		{"a name in brackets alone", "Rige la Ley 7/2007 (“la Ley”), no el Reglamento (UE) 2016/679. El artículo 16 de la Ley dice: «Ningún barco de más de veinte metros entrará sin práctico a bordo».", "VERIFIED LEY-7/; VERIFIED 32016R0679/; MISATTRIBUTED LEY-7/a16 q"},
		{"a name before its article", "Rige la Ley 7/2007 (LXP), no la Ley 9459. Y la LXP, en su art. 17, dice: «Ningún barco de más de veinte metros entrará sin práctico a bordo».", "VERIFIED LEY-7/; VERIFIED LEY-9459/; VERIFIED LEY-7/a17 q"},
		{"an acronym that is another's", "Rige la Ley 9459 (en adelante, LGP). El art. 137 LGP: «dentro de los veinte días hábiles computados desde el día siguiente».", "VERIFIED LEY-9459/; VERIFIED LEY-9459/a137 q"},
		{"the law of which is spoken", "La Ley 9459 rige el caso. El artículo 137 de la Ley dice: «dentro de los veinte días hábiles computados desde el día siguiente».", "VERIFIED LEY-9459/; VERIFIED LEY-9459/a137 q"},
		{"a law that is not named", "El artículo 137 de la Ley dice: «dentro de los cuarenta días hábiles desde la boya».", "UNRESOLVED /a137 q"},
		// parts of an article
		{"another letter", "El art. 15.2.a) LGP: «Por impago de dos cuotas seguidas».", "MISATTRIBUTED LEY-7/a15 q"},
		{"another number", "El apartado 1 del artículo 15 LGP: «Por impago de dos cuotas seguidas».", "MISATTRIBUTED LEY-7/a15 q"},
		{"another item", "Ley 9459, art. 70 inc. c: «Seis unidades por la carga de animales vivos».", "MISATTRIBUTED LEY-9459/a70 q"},
		{"another number, behind the words", "«Por impago de dos cuotas seguidas» (apartado 1 del artículo 15 LGP).", "MISATTRIBUTED LEY-7/a15 q"},
		{"one of two letters", "El art. 15.2, letras a) y b), LGP: «Por impago de dos cuotas seguidas».", "VERIFIED LEY-7/a15 q"},
		{"one of a range", "Los apartados 1 a 2 del artículo 15 LGP: «Por impago de dos cuotas seguidas».", "VERIFIED LEY-7/a15 q"},
		{"head and letter", "El art. 15.2.c) LGP: «La concesión se extingue: […] Por naufragio».", "VERIFIED LEY-7/a15 q"},
		{"counted, not labelled", "El tercer párrafo del artículo 15 LGP: «Por impago de dos cuotas seguidas».", "MISATTRIBUTED LEY-7/a15 q"},
		{"a part that the law has not", "El art. 16.4 LGP: «Quien pague tarde abonará un recargo del cinco por ciento».", "MISATTRIBUTED LEY-7/a16 q"},
		{"the same law, not that within the quotation", "El art. 19 LGP dice: «Las tasas son las de la Ley 9459». Y el art. 17 de la misma ley, «Ningún barco de más de veinte metros entrará sin práctico a bordo».", "VERIFIED LEY-7/a19 q; VERIFIED LEY-7/a17 q"},
		{"the law at hand, not that within the quotation", "El art. 19 LGP dice: «Las tasas son las de la Ley 9459». Y el art. 17, ley cit., «Ningún barco de más de veinte metros entrará sin práctico a bordo».", "VERIFIED LEY-7/a19 q; VERIFIED LEY-7/a17 q"},
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
		{"dots of four", "El art. 17 LGP: «Ningún barco.... entrará sin práctico a bordo».", "NOT_FOUND LEY-7/a17 q"},
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
