package brief

import (
	"fmt"
	"testing"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
	"digesto/index"
	"digesto/text/cite"
)

// quay is a law with parts within parts, conditions, and notes of its editors.
func quay(t testing.TB) Options {
	t.Helper()
	art := func(n, s string) digesto.Unit {
		return digesto.Unit{ID: "a" + n, Kind: digesto.KindArticle, Number: n, Label: "Artículo " + n, Versions: []digesto.Version{{ID: "2020-05-06", Text: s, ValidFrom: "2020-05-06", Current: true}}}
	}
	law := corpus.Memory(corpus.Document{Norm: digesto.Norm{ID: "LEY-7", Title: "Ley 7/2007, de 8 de julio, General de Muelles", Rank: "ley", Jurisdiction: "xx", Published: "2007-07-08"}, Units: []digesto.Unit{
		art("3", "1. El muelle abre al alba.\nCierra con la última campana de la tarde.\nLos domingos abre la capilla del puerto.\n2. El alquiler del amarre, que se paga por adelantado, será fijado por la junta:\na) Para los barcos de remo, a mitad de precio.\nb) Para los barcos de vela, a precio entero.\nEn los demás casos decide la junta en la sesión siguiente."),
		art("4", "Los marineros tendrán derecho a una cama seca y los patrones deberán pagar la leña del invierno. Si el patrón abandona el barco, el armador responderá de los salarios. El seguro, no reembolsable en dinero, será contratado por la junta del puerto. La multa prescribe a los dos años, y a los seis años para quien la oculte. Esta regla vale en todos los muelles."),
		art("5", "La reclamación contra la tarifa se presenta en veinte días ante la junta.\n(Artículo sustituido por art. 3 de la Ley 9 del 4 de mayo. Vigencia: desde la fecha de su publicación en la gaceta)"),
		art("6", "La junta es elegida por los vecinos del puerto cada cuatro años."),
	}})
	ix, err := index.Memory(t.Context(), law.Chunks(), index.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return Options{Law: law, Search: ix, Table: cite.NewTable([]cite.Alias{{Name: "LGM", Norm: "LEY-7"}, {Name: "Ley de Muelles", Norm: "LEY-7"}}, law.Norms()), Today: "2026-11-21"}
}

// A quotation is VERIFIED only if the place named holds it all; what is not understood is
// never read as less than it says.
func TestSound(t *testing.T) {
	o := quay(t)
	const chapel, claim, vote = "«Los domingos abre la capilla del puerto»", "«La reclamación contra la tarifa se presenta en veinte días ante la junta»", "«La junta es elegida por los vecinos del puerto cada cuatro años»"
	for _, c := range []struct{ name, text, want string }{
		// parts
		{"paragraph", "El párrafo tercero del art. 3.1 LGM: " + chapel + ".", "VERIFIED LEY-7/a3"},
		{"paragraph, wrong", "El párrafo segundo del art. 3.1 LGM: " + chapel + ".", "MISATTRIBUTED LEY-7/a3"},
		{"end of a part", "Art. 3.1 in fine LGM: " + chapel + ".", "VERIFIED LEY-7/a3"},
		{"end of a part, wrong", "Art. 3.2 in fine LGM: " + chapel + ".", "MISATTRIBUTED LEY-7/a3"},
		{"last paragraph", "El último párrafo del art. 3 LGM: «En los demás casos decide la junta en la sesión siguiente».", "VERIFIED LEY-7/a3"},
		{"last paragraph, wrong", "El último párrafo del art. 3 LGM: " + chapel + ".", "MISATTRIBUTED LEY-7/a3"},
		{"part behind the norm", "Art. 3.1 LGM, tercer párrafo: " + chapel + ".", "VERIFIED LEY-7/a3"},
		{"part behind the norm, wrong", "Art. 3.1 LGM, primer párrafo: " + chapel + ".", "MISATTRIBUTED LEY-7/a3"},
		{"part in brackets", "Art. 3 (apdo. segundo, letra B) LGM: «Para los barcos de vela, a precio entero».", "VERIFIED LEY-7/a3"},
		{"part in brackets, wrong", "Art. 3 (apdo. segundo, letra A) LGM: «Para los barcos de vela, a precio entero».", "MISATTRIBUTED LEY-7/a3"},
		{"number before the unit, wrong", "El n.º 2 del artículo 3 LGM: " + chapel + ".", "MISATTRIBUTED LEY-7/a3"},
		{"part between unit and norm", "art. 3, 1, LGM: " + chapel + ".", "VERIFIED LEY-7/a3"},
		{"part between unit and norm, wrong", "art. 3, 2, LGM: " + chapel + ".", "MISATTRIBUTED LEY-7/a3"},
		{"lead-in and item", "Art. 3.2.b) LGM: «será fijado por la junta: […] b) Para los barcos de vela, a precio entero».", "VERIFIED LEY-7/a3"},
		// omissions
		{"relative clause left out", "Art. 3.2 LGM: «El alquiler del amarre […] será fijado por la junta».", "VERIFIED LEY-7/a3"},
		{"aside that denies something of its own", "Art. 4 LGM: «El seguro […] será contratado por la junta del puerto».", "VERIFIED LEY-7/a4"},
		{"denial of what stays", "Art. 4 LGM: «El seguro, […] reembolsable en dinero, será contratado por la junta del puerto».", "NOT_FOUND LEY-7/a4"},
		{"another's duty", "Art. 4 LGM: «Los marineros […] deberán pagar la leña del invierno».", "NOT_FOUND LEY-7/a4"},
		{"condition cut", "Art. 4 LGM: «Si el patrón […] el armador responderá de los salarios».", "NOT_FOUND LEY-7/a4"},
		{"condition left out at the head", "Art. 4 LGM: «El armador responderá de los salarios».", "NOT_FOUND LEY-7/a4"},
		{"the same words within a sentence", "Según el art. 4 LGM, «el armador responderá de los salarios».", "VERIFIED LEY-7/a4"},
		{"figures joined", "Art. 4 LGM: «La multa prescribe a los […] seis años».", "NOT_FOUND LEY-7/a4"},
		{"two sentences joined", "Art. 4 LGM: «Los marineros tendrán derecho a una cama seca […] por la junta del puerto».", "NOT_FOUND LEY-7/a4"},
		{"two sentences, the end of the first shown", "Art. 4 LGM: «Los marineros tendrán derecho a una cama seca (…). El seguro, no reembolsable en dinero, será contratado por la junta del puerto».", "NOT_FOUND LEY-7/a4"},
		{"whole sentences", "Art. 3.1 LGM: «El muelle abre al alba. […] Los domingos abre la capilla del puerto».", "VERIFIED LEY-7/a3"},
		{"a sentence that speaks of the one before", "Art. 4 LGM: «El seguro, no reembolsable en dinero, será contratado por la junta del puerto. […] Esta regla vale en todos los muelles».", "NOT_FOUND LEY-7/a4"},
		{"item of another list", "Art. 3 LGM: «El muelle abre […] a mitad de precio».", "NOT_FOUND LEY-7/a3"},
		{"a word alone", "Art. 4 LGM: «La multa […] prescribe».", "NOT_FOUND LEY-7/a4"},
		{"remark that says more than whose the emphasis is", "Art. 6 LGM: «La junta es elegida por los vecinos (énfasis: y forasteros) del puerto cada cuatro años».", "NOT_FOUND LEY-7/a6"},
		{"put in, of what the article does not say", "Art. 6 LGM: «La junta es elegida por los vecinos [y armadores] del puerto cada cuatro años».", "UNRESOLVED LEY-7/a6"},
		// what a reader sees
		{"hidden word", "<p>Art. 4 LGM:</p><blockquote>El seguro, <span style=\"display:none\">no</span> reembolsable en dinero, será contratado por la junta</blockquote>", "NOT_FOUND LEY-7/a4"},
		{"struck word", "Art. 4 LGM: «El seguro, ~~no~~ reembolsable en dinero, será contratado por la junta».", "NOT_FOUND LEY-7/a4"},
		{"comment", "Art. 4 LGM: «El seguro, <!-- no --> reembolsable en dinero, será contratado por la junta».", "NOT_FOUND LEY-7/a4"},
		{"marks of elsewhere", "Art. 6 LGM: 『La junta es elegida por los vecinos del puerto』.", "VERIFIED LEY-7/a6"},
		{"low marks, wrong", "Art. 5 LGM: ‚La junta es elegida por los vecinos del puerto‘.", "MISATTRIBUTED LEY-7/a5"},
		{"backticks", "Art. 6 LGM: `La junta es elegida por los vecinos del puerto`.", "VERIFIED LEY-7/a6"},
		{"editors' words", "Art. 5 LGM: «Vigencia: desde la fecha de su publicación en la gaceta».", "NOT_FOUND LEY-7/a5"},
		// forms of citing
		{"behind the name", "LGM 6: " + vote + ".", "VERIFIED LEY-7/a6"},
		{"behind the name, wrong", "LGM-5.1 → " + vote, "MISATTRIBUTED LEY-7/a5"},
		{"behind the name, in a row", "Norma;Artículo;Texto\nLGM;5;\"La junta es elegida por los vecinos del puerto cada cuatro años\"\n", "MISATTRIBUTED LEY-7/a5"},
		{"in a list below the name", "LEY DE MUELLES\n\n5.- " + claim + ".\n5.- " + vote + ".", "VERIFIED LEY-7/a5; MISATTRIBUTED LEY-7/a5"},
		{"glued", "El articulo6 de la LGM: " + vote + ".", "VERIFIED LEY-7/a6"},
		{"broken by a line", "El artícu-\nlo 5 de la LGM: " + vote + ".", "MISATTRIBUTED LEY-7/a5"},
		{"stressed number", "Artículo **6** de la LGM: " + vote + ".", "VERIFIED LEY-7/a6"},
		{"Roman number", "El art. VI de la LGM: " + vote + ".", "VERIFIED LEY-7/a6"},
		{"rubric in brackets", "Art. 5 (Reclamación) LGM: " + vote + ".", "MISATTRIBUTED LEY-7/a5"},
		{"badly read", "El art. l5 LGM: " + vote + ".", "UNRESOLVED LEY-7/a6"},
		{"badly read, two figures", "El art. 1 6 LGM: " + vote + ".", "MISATTRIBUTED LEY-7/a1"},
		{"word for a unit that no law has", "Cláusula 5 de la LGM: " + vote + ".", "UNRESOLVED LEY-7/a6"},
		{"number in words", "Según la LGM (artículo correspondiente: cinco), " + vote + ".", "UNRESOLVED LEY-7/a6"},
		{"first and second", "El art. 5 LGM sobre plazos y el 6 LGM sobre la junta dicen: el primero, " + claim + ", y el segundo, " + vote + ".", "VERIFIED LEY-7/a5; VERIFIED LEY-7/a6"},
		// sources
		{"another source", "La Carta de los Puertos proclama: " + vote + ".", "UNRESOLVED /"},
		{"a ruling in words", "La sentencia recurrida razona que " + vote + ".", "UNRESOLVED /"},
		{"nobody", vote + ".", "VERIFIED LEY-7/a6"},
		{"note by an asterisk, wrong", vote + "*\n\n* Art. 5 LGM", "MISATTRIBUTED LEY-7/a5"},
		// figures
		{"figure with its object", "El art. 5 LGM da para la reclamación contra la tarifa «en veinte días».", "VERIFIED LEY-7/a5"},
		{"figure of something else", "El art. 5 LGM fija el permiso por matrimonio: «en veinte días».", "UNRESOLVED LEY-7/a5"},
	} {
		r := check(t, o, c.text)
		got := ""
		for _, f := range r.Citations {
			if f.Quote != nil {
				if got != "" {
					got += "; "
				}
				got += fmt.Sprintf("%s %s/%s", f.Verdict, f.Norm, f.Unit)
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q\n\t%s", c.name, got, c.want, c.text)
		}
	}
}

// A day before the law, or of which no date is known, proves nothing.
func TestSoundOnADay(t *testing.T) {
	o := quay(t)
	for day, want := range map[digesto.Date]Verdict{"2021-01-01": Verified, "2019-01-01": Superseded, "1999-01-01": Superseded} {
		o.AsOf = day
		if r := check(t, o, "Art. 6 LGM: «La junta es elegida por los vecinos del puerto»."); r.Citations[0].Verdict != want {
			t.Errorf("%s: %s", day, r.Citations[0].Verdict)
		}
	}
}

// The places of a report are those of the text given, whatever a reader does not see of it.
func TestPlacesOfTheTextGiven(t *testing.T) {
	o := quay(t)
	s := "~~nada~~ <!-- oculto --> El art\u200b. 6 de la LGM: «La jun\u00adta es ele\u00adgida por los vecinos»."
	r := check(t, o, s)
	runes := []rune(s)
	for _, f := range r.Citations {
		if f.Verdict != Verified || string(runes[f.Start:f.End]) != f.Text || string(runes[f.QuoteStart:f.QuoteEnd]) != "La jun\u00adta es ele\u00adgida por los vecinos" {
			t.Errorf("%+v", f)
		}
	}
	if len(r.Citations) != 1 || r.Checked.Read != utf8.RuneCountInString(s) {
		t.Errorf("%+v", r.Checked)
	}
}
