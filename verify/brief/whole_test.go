package brief

import (
	"testing"

	"digesto/verify/link"
)

// What people write around citations in whole texts: numbers alone, sentences that go on
// behind a quotation, letters within letters, names of cases.
func TestWhole(t *testing.T) {
	o := port(t)
	o.Courts = []string{"TDA"}
	const pilot, fee, claim = "«Ningún barco de más de veinte metros entrará sin práctico a bordo»", "«Quien pague tarde abonará un recargo del cinco por ciento»", "«El reclamo contra la liquidación se presenta dentro de los veinte días hábiles»"
	for _, c := range []struct{ name, text, want string }{
		// numbers alone
		{"paragraph by its number alone", "El art. 15.1 LGP: «El amarre se concede por tres años prorrogables». Y el 15.2 añade: «La concesión se extingue: […] Por naufragio».", "VERIFIED LEY-7/a15 q; VERIFIED LEY-7/a15 q"},
		{"paragraph by its number alone, wrong", "El art. 15.2 LGP: «La concesión se extingue». Y el 15.1 añade: «Por impago de dos cuotas seguidas».", "VERIFIED LEY-7/a15 q; MISATTRIBUTED LEY-7/a15 q"},
		{"number alone in brackets", "Véase el art. 15.1 LGP. La ley es clara: «La concesión se extingue» (15.2).", "VERIFIED LEY-7/a15; VERIFIED LEY-7/a15 q"},
		{"article by its number alone", "El art. 16 LGP: " + fee + ". La regla del práctico es del 17: " + pilot + ".", "VERIFIED LEY-7/a16 q; VERIFIED LEY-7/a17 q"},
		{"article by its number alone, wrong", "El art. 16 LGP: " + fee + ". El 18 dice otra cosa: " + pilot + ".", "VERIFIED LEY-7/a16 q; MISATTRIBUTED LEY-7/a18 q"},
		{"number before its norm", "Lo del práctico, «Ningún barco de más de veinte metros entrará», está en el 17 LGP.", "VERIFIED LEY-7/a17 q"},
		{"number with its paragraph before its norm", "Véase el 15.2 LGP.", "VERIFIED LEY-7/a15"},
		{"article not cited before, by a part that it has", "El art. 16 LGP fija la cuota. El 15.2 dice: «La concesión se extingue: […] Por naufragio». El 15.1, nada.", "VERIFIED LEY-7/a16; VERIFIED LEY-7/a15 q; VERIFIED LEY-7/a15"},
		{"article not cited before, by a part that it has not", "El art. 16 LGP fija la cuota. Subió del 15.7 al 17.9.", "VERIFIED LEY-7/a16"},
		{"another part named since", "El art. 70, inciso a, de la Ley 9459 dice «Cuatro unidades por la carga seca», y el inciso b) «Seis unidades por la carga de animales vivos».", "VERIFIED LEY-9459/a70 q; VERIFIED LEY-9459/a70 q"},
		{"another part named since, wrong", "El art. 70, inciso a, de la Ley 9459 dice «Cuatro unidades por la carga seca», y el inciso c) «Seis unidades por la carga de animales vivos».", "VERIFIED LEY-9459/a70 q; MISATTRIBUTED LEY-9459/a70 q"},
		{"verb behind the words", "El art. 16 LGP fija la cuota; " + pilot + ", dice el artículo 17 LGP.", "VERIFIED LEY-7/a16; VERIFIED LEY-7/a17 q"},
		{"verb behind the words, of the next ones", "El art. 16 LGP dice " + fee + ", dice el artículo 17 LGP: " + pilot + ".", "VERIFIED LEY-7/a16 q; VERIFIED LEY-7/a17 q"},
		{"source behind a comma, next sentence", "El art. 16 LGP fija la cuota. Otra regla: " + pilot + ", art. 17 LGP.", "VERIFIED LEY-7/a16; VERIFIED LEY-7/a17 q"},
		{"part of the same article behind a comma", "«Cuatro unidades por la carga seca», art. 70, inciso a, de la Ley 9459. La peligrosa: «Diez unidades por la carga peligrosa», inciso c del mismo artículo.\n\n7) Otra cosa.", "VERIFIED LEY-9459/a70 q; VERIFIED LEY-9459/a70 q"},
		{"part of the same article behind a comma, wrong", "«Cuatro unidades por la carga seca», art. 70, inciso a, de la Ley 9459. La peligrosa: «Diez unidades por la carga peligrosa», inciso b del mismo artículo.", "VERIFIED LEY-9459/a70 q; MISATTRIBUTED LEY-9459/a70 q"},
		{"name before a paragraph that begins with a capital", "Según el artículo 17 del Convenio.\n\nEntre otras, el art. 16 LGP.", "UNRESOLVED /a17; VERIFIED LEY-7/a16"},
		{"a day is no article", "El art. 15 LGP rige desde el 15.4.99 y el 15.04.25 cambió.", "VERIFIED LEY-7/a15"},
		{"a figure is no article", "El art. 17 LGP rige desde el 17 de mayo, con un 17.5 % de recargo y el 16.2 por ciento de tasa.", "VERIFIED LEY-7/a17"},
		// what goes on behind a quotation
		{"next sentence cites another", "El art. 16 LGP exige pago: " + fee + ". El práctico, que es otra cosa (artículo 17 LGP), no se discute.", "VERIFIED LEY-7/a16 q; VERIFIED LEY-7/a17"},
		{"next sentence, full stop within the marks", "El art. 16 LGP: «Quien pague tarde abonará un recargo del cinco por ciento.» El práctico (art. 17 LGP) es cosa aparte.", "VERIFIED LEY-7/a16 q; VERIFIED LEY-7/a17"},
		{"source behind a dash", "El art. 16 LGP fija la cuota. El barco grande no entra sin práctico: " + pilot + " — art. 17 LGP.", "VERIFIED LEY-7/a16; VERIFIED LEY-7/a17 q"},
		{"source within the brackets", "El art. 16 LGP fija la cuota y hay otra regla (" + pilot + ", artículo 17 LGP).", "VERIFIED LEY-7/a16; VERIFIED LEY-7/a17 q"},
		{"source within the brackets, wrong", "El art. 17 LGP fija la cuota y hay otra regla (" + pilot + ", artículo 16 LGP).", "VERIFIED LEY-7/a17; MISATTRIBUTED LEY-7/a16 q"},
		// who speaks
		{"article within what another says", "El artículo 17 LGP dice que con la cuota del artículo 16 se navega y que «Ningún barco de más de veinte metros entrará».", "VERIFIED LEY-7/a17 q; VERIFIED LEY-7/a16"},
		{"another speaks", "El artículo 17 LGP dice que paga. Según el artículo 16, «Ningún barco de más de veinte metros entrará».", "VERIFIED LEY-7/a17; MISATTRIBUTED LEY-7/a16 q"},
		{"norm that reworded it", "El art. 17 LGP, después de la Ley 9459, señala: " + pilot + ".", "VERIFIED LEY-7/a17 q; VERIFIED LEY-9459/"},
		{"the first, the second", "Rigen el artículo 17 LGP en relación con el artículo 137 de la Ley 9459. Dice el primero: " + pilot + "; y el segundo, " + claim + ".", "VERIFIED LEY-7/a17 q; VERIFIED LEY-9459/a137 q"},
		{"the same precept", "El art. 15.1 LGP da tres años.\n\nAl amparo de la letra c) del mismo precepto, «Por naufragio del barco», se pide.", "VERIFIED LEY-7/a15; NOT_FOUND LEY-7/a15 q"},
		{"article cited before, another law since", "El art. 17 LGP obliga. La Ley 9459 también. Según el art. 17, " + pilot + ".", "VERIFIED LEY-7/a17; VERIFIED LEY-9459/; VERIFIED LEY-7/a17 q"},
		{"article cited before of another law, in a sentence of its own law", "El art. 16 LGP obliga. El art. 137 de la Ley 9459 da plazo y el art. 16, nada; «Quien pague tarde abonará un recargo» (art. 16 LGP).", "VERIFIED LEY-7/a16; VERIFIED LEY-9459/a137; UNRESOLVED LEY-9459/a16; VERIFIED LEY-7/a16 q"},
		{"the first, the second, of a list", "Rigen los arts. 16 y 17 LGP. El primero exige " + fee + "; el segundo manda que " + pilot + " y que «entrará sin práctico a bordo».", "VERIFIED LEY-7/a16 q; VERIFIED LEY-7/a17 q; VERIFIED LEY-7/a17 q"},
		{"the first, the second, of a list, wrong", "Rigen los arts. 16 y 17 LGP. El primero exige " + pilot + "; el segundo manda que " + fee + ".", "MISATTRIBUTED LEY-7/a16 q; MISATTRIBUTED LEY-7/a17 q"},
		{"a paragraph counted is no unit of a list", "Rigen los arts. 16 y 17 LGP. El segundo párrafo dice " + fee + ".", "VERIFIED LEY-7/a16 q"},
		{"lines of a chat", "[1/2/26 9:02] Ana: art. 16 LGP " + fee + " eh\n[1/2/26 9:03] Luis: y el art. 17 LGP, " + pilot + "\n[1/2/26 9:04] Ana: el art. 19 LGP da igual", "VERIFIED LEY-7/a16 q; VERIFIED LEY-7/a17 q; VERIFIED LEY-7/a19"},
		{"source in a sentence of its own", "Véase el art. 16 LGP. Otra cosa: " + pilot + ". Es el 17 LGP.", "VERIFIED LEY-7/a16; VERIFIED LEY-7/a17 q"},
		{"source in a sentence without a verb", "Véase el art. 16 LGP. Otra cosa: " + pilot + ".\n\nAsí, el art. 17 LGP.", "VERIFIED LEY-7/a16; VERIFIED LEY-7/a17 q"},
		{"thus, another article", "Dice el art. 17 LGP: " + pilot + ". Así, el art. 16 LGP cobra.", "VERIFIED LEY-7/a17 q; VERIFIED LEY-7/a16"},
		{"part in a sentence of its own", "El art. 15.1 LGP: «El amarre se concede por tres años prorrogables». El apartado 2 añade que «La concesión se extingue».", "VERIFIED LEY-7/a15 q; VERIFIED LEY-7/a15 q"},
		{"part in a sentence of its own, wrong", "El art. 15.2 LGP: «La concesión se extingue». El apartado 1 añade que «Por impago de dos cuotas seguidas».", "VERIFIED LEY-7/a15 q; MISATTRIBUTED LEY-7/a15 q"},
		{"part right before a colon", "El art. 15.1 LGP: «El amarre se concede por tres años». Nada dice de la del apartado 2: «Por impago de dos cuotas seguidas».", "VERIFIED LEY-7/a15 q; VERIFIED LEY-7/a15 q"},
		{"part of its own letter, wrong", "Según el art. 70.a) de la Ley 9459, «Cuatro unidades por la carga seca»; según su letra c), «Cuatro unidades por la carga seca».", "VERIFIED LEY-9459/a70 q; MISATTRIBUTED LEY-9459/a70 q"},
		{"letter in brackets before a sentence of other articles", "El art. 70 de la Ley 9459 da «Seis unidades por la carga de animales vivos» (letra b).\n\nLos artículos 16 y 17 LGP no.", "VERIFIED LEY-9459/a70 q; VERIFIED LEY-7/a16; VERIFIED LEY-7/a17"},
		{"paragraph behind a comma", "Art. 15,2 LGP: «La concesión se extingue». Art. 15-1 LGP: «Por impago de dos cuotas seguidas».", "VERIFIED LEY-7/a15 q; MISATTRIBUTED LEY-7/a15 q"},
		{"article behind a list of paragraphs", "Artículos 15, apartados 1 y 2, y 16 LGP: " + fee + ".", "VERIFIED LEY-7/a16 q"},
		{"part of a part", "El art. 15.1 LGP: «El amarre se concede por tres años»; la letra b) del apartado 2 habla de «Por impago de dos cuotas seguidas».", "VERIFIED LEY-7/a15 q; VERIFIED LEY-7/a15 q"},
		{"part in brackets behind", "El art. 15.1 LGP: «El amarre se concede por tres años», y «Por impago de dos cuotas seguidas» (ídem, apartado 2).", "VERIFIED LEY-7/a15 q; VERIFIED LEY-7/a15 q"},
		{"letter in brackets behind, wrong", "Según el art. 15.2 LGP, «Por impago de dos cuotas seguidas» (letra a).", "MISATTRIBUTED LEY-7/a15 q"},
		{"part behind a comma", "El art. 70.a) de la Ley 9459: «Cuatro unidades por la carga seca», y luego «Seis unidades por la carga de animales vivos» y «Diez unidades por la carga peligrosa», letras b) y c).", "VERIFIED LEY-9459/a70 q; VERIFIED LEY-9459/a70 q; VERIFIED LEY-9459/a70 q"},
		{"one of a row of several laws", "Véanse los arts. 16 y 17 LGP y 137 de la Ley 9459. El primero exige " + fee + "; el último, " + claim + ".", "VERIFIED LEY-7/a16 q; VERIFIED LEY-7/a17; VERIFIED LEY-9459/a137 q"},
		{"number alone in brackets, not cited before", "Rige el art. 16 LGP. Otra cosa es la prórroga: «El amarre se concede por tres años» (15.1).", "VERIFIED LEY-7/a16; VERIFIED LEY-7/a15 q"},
		{"letter of a number alone", "El art. 16 LGP: " + fee + ". Y el 70.b) de la Ley 9459, «Seis unidades por la carga de animales vivos»; el 70.c), «Diez unidades por la carga peligrosa».", "VERIFIED LEY-7/a16 q; VERIFIED LEY-9459/a70 q; VERIFIED LEY-9459/a70 q"},
		{"the article said before, behind", "El art. 15.1 LGP y el art. 16 LGP. Este rige. Otra cosa: «Por impago de dos cuotas seguidas», último párrafo del citado 15.2.", "VERIFIED LEY-7/a15; VERIFIED LEY-7/a16; VERIFIED LEY-7/a15 q"},
		{"words of the unit in a heading", "### Artículo 16 LGP. Cuotas\n\n- **¿Y si no?** Pues «abonará un recargo del cinco por ciento», y «abonará un recargo del seis».\n", "VERIFIED LEY-7/a16; VERIFIED LEY-7/a16 q"},
		{"English words for ranks", "See Organic Law 5/2001 and article 17 of Law 7/2007: " + pilot + ".", "UNRESOLVED /; VERIFIED LEY-7/a17 q"},
		// negations that the author puts or leaves out
		{"negation before the mark", "El art. 18 LGP dice que no «se admitirá la carga que gotee en cubierta».", "VERIFIED LEY-7/a18 q"},
		{"negation of something else", "El art. 18 LGP no dice que «se admitirá la carga que gotee en cubierta».", "NOT_FOUND LEY-7/a18 q"},
		{"negation at the head left out", "El art. 20 LGP dice que «el fondeo podrá durar más de dos noches».", "NOT_FOUND LEY-7/a20 q"},
		{"negation at the head, the author's", "En ningún caso, dice el art. 20.1 LGP, «el fondeo podrá durar más de dos noches».", "VERIFIED LEY-7/a20 q"},
		// quotations without marks of quotation
		{"italics", "El art. 17 LGP dice que *ningún barco de más de veinte metros entrará sin práctico a bordo*, y así es.", "VERIFIED LEY-7/a17 q"},
		{"italics, altered", "El art. 17 LGP dice que _ningún barco de más de treinta metros entrará sin práctico a bordo_, y así es.", "NOT_FOUND LEY-7/a17 q"},
		{"italics, wrong", "El art. 16 LGP dice que *ningún barco de más de veinte metros entrará sin práctico a bordo*.", "MISATTRIBUTED LEY-7/a16 q"},
		{"italics that name another article", "El art. 16 LGP: *Quien pague tarde abonará un recargo del cinco por ciento*; el mismo artículo, «La cuota se paga».", "VERIFIED LEY-7/a16 q; VERIFIED LEY-7/a16 q"},
		{"the author's own emphasis", "El art. 17 LGP rige. *Nadie discute que el barco de mi cliente es de menos metros* y **ningún barco de más de treinta metros entrará sin práctico a bordo**.", "VERIFIED LEY-7/a17"},
		{"cells of a table", "| Norma | Texto | Nota |\n|---|---|---|\n| Art. 17 LGP | Ningún barco de más de veinte metros entrará sin práctico a bordo | a |\n| Art. 16 LGP | Ningún barco de más de veinte metros entrará sin práctico a bordo | b |\n| Art. 18 LGP | Dice cuándo el capitán niega la entrada de un barco | c |\n", "VERIFIED LEY-7/a17 q; MISATTRIBUTED LEY-7/a16 q; VERIFIED LEY-7/a18"},
		{"LaTeX", "El art.~17 LGP:\n\\begin{quote}\nNingún barco de más de veinte metros entrará sin práctico a bordo\n\\end{quote}\nY el art.~16 LGP, \\enquote{Quien pague tarde abonará un recargo del seis por ciento}.", "VERIFIED LEY-7/a17 q; NOT_FOUND LEY-7/a16 q"},
		// no quotations of law
		{"name of a case", "El art. 17 LGP se aplicó en “Rosas, Juan c/ Faro del Sur S.A.” sin discusión.", "VERIFIED LEY-7/a17"},
		{"facts as they should read", "Con base en el art. 17 LGP se revisa el hecho probado tercero, con esta redacción: «El barco entró en el puerto a las nueve».", "VERIFIED LEY-7/a17"},
		{"letter within a letter", "Pablo: el art. 16 LGP es otra cosa.\n\n> El 3 de mayo Inés escribió:\n>\n> He puesto " + pilot + " (art. 17 LGP).\n>> Y antes el art. 16 LGP.", "VERIFIED LEY-7/a16; VERIFIED LEY-7/a17 q; VERIFIED LEY-7/a16"},
		{"a bare name before its norm is named", "El artículo 4 del Estatuto: «El faro se enciende antes de que caiga la tarde». Rige la Ley 8/2010, del Estatuto de los Faros.", "VERIFIED LEY-8/a4 q; VERIFIED LEY-8/"},
		{"a bare name of another kind", "El artículo 16 del Código: «Quien pague tarde abonará un recargo». Y el artículo 17 de la Ley General de Puertos.", "UNRESOLVED /a16 q; VERIFIED LEY-7/a17"},
		{"what a court says of an article", "Sobre el art. 17 LGP ha dicho el Tribunal de Aguas que «la vigilancia del práctico es personal».", "VERIFIED LEY-7/a17"},
		{"what a court with initials says of it", "Sobre el art. 17 LGP ha dicho el TDA que «la vigilancia del práctico es personal».", "VERIFIED LEY-7/a17"},
		{"what a court says of an article, with its words", "Respecto del art. 17 LGP dice la Sala que «entrará sin práctico a bordo».", "VERIFIED LEY-7/a17; UNRESOLVED / q"},
		// other texts
		{"article of an agreement without a name", "El art. 17 LGP rige. El artículo 16 del convenio colectivo dice: «Los amarres serán de veintitrés días». El artículo 18 del contrato, «no hay carga».", "VERIFIED LEY-7/a17; UNRESOLVED /a16 q; UNRESOLVED /a18 q"},
		{"agreement that speaks in its article", "El art. 17 LGP rige. El convenio, en su artículo 16, dice: «Los amarres serán de veintitrés días». El contrato dispone en el art. 18 que «la carga va seca».", "VERIFIED LEY-7/a17; UNRESOLVED /a16 q; UNRESOLVED /a18 q"},
		{"article of a law named before the agreement", "Rige la LGP. El convenio, en su artículo 3, calla, pero lo dice el art. 16 de esta: «abonará un recargo del cinco por ciento». El art. 17, «abonará un recargo del cinco por ciento».", "VERIFIED LEY-7/; UNRESOLVED /a3; VERIFIED LEY-7/a16 q; MISATTRIBUTED LEY-7/a17 q"},
		{"agreement of which nothing is cited", "El contrato se acabó; el artículo 16 LGP obliga. El convenio calla y el artículo 17 dice: " + pilot + ".", "VERIFIED LEY-7/a16; VERIFIED LEY-7/a17 q"},
		{"unknown text before its article", "El art. 17 LGP rige. La Carta de los Puertos Libres, art. 16, también.", "VERIFIED LEY-7/a17; UNRESOLVED /a16"},
		{"article with a suffix below it", "El art. 15.2 bis de la Directiva 98/59/CE y el art. 17 LGP.", "UNRESOLVED /a15; VERIFIED LEY-7/a17"},
		{"compiled text of a law", "El art. 17 del TUO de la Ley 7/2007: " + pilot + ".", "UNRESOLVED /a17 q"},
		{"all in capitals", "EL ART. 17 LGP: «NINGÚN BARCO DE MÁS DE VEINTE METROS ENTRARÁ SIN PRÁCTICO A BORDO».", "VERIFIED LEY-7/a17 q"},
		{"all in capitals, altered", "EL ART. 17 LGP: «NINGÚN BARCO DE MÁS DE TREINTA METROS ENTRARÁ SIN PRÁCTICO A BORDO».", "NOT_FOUND LEY-7/a17 q"},
	} {
		if got := quoted(check(t, o, c.text)); got != c.want {
			t.Errorf("%s: %q, want %q\n\t%s", c.name, got, c.want, c.text)
		}
	}
}

// A rule that decides nothing in any text of the tests has no place in the table.
func TestRulesFire(t *testing.T) {
	total := 0
	for _, n := range firedInTests {
		total += n
	}
	if total < 250 {
		t.Skip("needs the texts of the other tests: go test ./verify/brief")
	}
	for _, u := range link.RulesUsed(firedInTests) {
		if t.Logf("%-34s %3d %4d", u.Rule, u.Weight, u.Fired); u.Fired == 0 {
			t.Errorf("%s never decides", u.Rule)
		}
	}
}
