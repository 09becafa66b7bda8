package brief

import (
	"testing"

	"digesto"
	"digesto/corpus"
	"digesto/index"
	"digesto/text/cite"
)

// twoLands has two invented countries whose laws bear the same names.
func twoLands(t *testing.T) Options {
	t.Helper()
	now := func(s string) []digesto.Version {
		return []digesto.Version{{ID: "1990-05-06", Text: s, ValidFrom: "1990-05-06", Current: true}}
	}
	art := func(n, s string) digesto.Unit {
		return digesto.Unit{ID: "a" + n, Kind: digesto.KindArticle, Number: n, Label: "Artículo " + n, Versions: now(s)}
	}
	law := corpus.Memory(
		corpus.Document{Norm: digesto.Norm{ID: "CN-1", Title: "Código de Nubes", Rank: "codigo", Jurisdiction: "qa", Published: "1990-05-06"}, Units: []digesto.Unit{
			art("7", "Las nubes bajas pagan un canon anual de dos monedas.\na) Las blancas, en enero.\nb) Las grises podrán pagar exclusivamente en trigo."),
			art("9", "Quien desvíe una nube ajena responde del agua perdida, si se prueba el desvío."),
			art("10", "El guardián de nubes lleva un libro sellado de entradas y salidas."),
		}},
		corpus.Document{Norm: digesto.Norm{ID: "LEY-5", Title: "Ley 5/1991, de 2 de mayo, de Rayos", Rank: "ley", Jurisdiction: "qa", Published: "1991-05-02"}, Units: []digesto.Unit{
			art("3", "Los rayos se cuentan por docenas cerradas y se anotan el mismo día."),
		}},
		corpus.Document{Norm: digesto.Norm{ID: "RDLEG-2", Title: "Real Decreto Legislativo 2/1992, de 3 de junio, de Truenos", Rank: "real_decreto_legislativo", Jurisdiction: "qa", Published: "1992-06-03"}, Units: []digesto.Unit{
			art("3", "Ningún trueno sonará en el valle después de la medianoche."),
		}},
		corpus.Document{Norm: digesto.Norm{ID: "LEY-8", Title: "Ley 8/1993, de 4 de julio, de Ecos", Rank: "ley", Jurisdiction: "qb", Published: "1993-07-04"}, Units: []digesto.Unit{
			art("3", "Los ecos largos del puerto pagan cada otoño al guardián de la cantera."),
		}},
	)
	ix, err := index.Memory(t.Context(), law.Chunks(), index.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return Options{Law: law, Search: ix, Table: cite.NewTable([]cite.Alias{{Name: "Código de Nubes", Norm: "CN-1"}, {Name: "LRY", Norm: "LEY-5"}}, law.Norms()), Today: "2026-11-21",
		Places: map[string]string{"qa": "Brumaria", "qb": "Solandia", "qa-x": "Nebla"}}
}

// A name says which norm is meant together with the words around it.
func TestOtherNorms(t *testing.T) {
	o := twoLands(t)
	const canon, rays, thunder = "«Las nubes bajas pagan un canon anual de dos monedas»", "«Los rayos se cuentan por docenas cerradas y se anotan el mismo día»", "«Ningún trueno sonará en el valle después de la medianoche»"
	for _, c := range []struct{ name, text, want string }{
		{"own country", "El art. 7 del Código de Nubes de Brumaria: " + canon + ".", "VERIFIED CN-1/a7"},
		{"own country, as a word", "El art. 7 del Código de Nubes brumariano: " + canon + ".", "VERIFIED CN-1/a7"},
		{"another country", "El art. 7 del Código de Nubes de Solandia: " + canon + ".", "UNRESOLVED /a7"},
		{"another country, as a word", "El art. 7 del Código de Nubes solandés: " + canon + ".", "UNRESOLVED /a7"},
		{"an unknown country", "El art. 7 del Código de Nubes de Umbría: " + canon + ".", "UNRESOLVED /a7"},
		{"a law of the country as one of a province", "El art. 7 del Código de Nubes de la Provincia de Nebla: " + canon + ".", "UNRESOLVED /a7"},
		{"another province", "El art. 3 de la Ley 5/1991 de la Provincia de Umbría: " + rays + ".", "UNRESOLVED /a3"},
		{"a law of another country", "El art. 3 de la LRY de Solandia: " + rays + ".", "UNRESOLVED /a3"},
		{"of a nation that is no place here", "El art. 7 del Código de Nubes urbiano: " + canon + ".", "UNRESOLVED /a7"},
		{"a verb", "El art. 7 del Código de Nubes ordena: " + canon + ".", "VERIFIED CN-1/a7"},
		{"the number of one, the title of another", "El art. 3 de la Ley 5/1991, de Truenos y Relámpagos: " + rays + ".", "UNRESOLVED /a3"},
		{"its title", "El art. 3 de la Ley 5/1991, de Rayos: " + rays + ".", "VERIFIED LEY-5/a3"},
		{"its year", "El art. 7 del Código de Nubes de 1990: " + canon + ".", "VERIFIED CN-1/a7"},
		{"the year of an older one", "El art. 7 del Código de Nubes de 1931: " + canon + ".", "UNRESOLVED /a7"},
		{"a text of another country", "Conforme al derecho solandés, el art. 7 del Código de Nubes dice " + canon + ".", "UNRESOLVED /a7"},
		{"a country compared", "A diferencia de Solandia, rigen la Ley 5/1991 y el art. 7 del Código de Nubes: " + canon + ".", "VERIFIED LEY-5/; VERIFIED CN-1/a7"},
		{"another rank", "El art. 3 del Real Decreto 2/1992: " + thunder + ".", "UNRESOLVED /a3"},
		{"its rank", "El art. 3 del Real Decreto Legislativo 2/1992: " + thunder + ".", "VERIFIED RDLEG-2/a3"},
		{"a higher rank", "El art. 3 de la Ley Orgánica 5/1991: " + rays + ".", "UNRESOLVED /a3"},
		{"the title of a law behind another number", "Según el art. 3 del Real Decreto Legislativo 2/1996, de 3 de junio, por el que se aprueba el texto de la Ley 5/1991, " + rays + ".", "UNRESOLVED /a3"},
		{"an acronym that is not known", "El art. 3 de la LXQ: " + rays + ".", "UNRESOLVED /a3"},
		{"a law of a province by its number", "El art. 3 de la ley provincial 5.991: " + rays + ".", "UNRESOLVED /a3"},
		{"a few words of a land not spoken of", "El art. 7 del Código de Nubes: «al guardián de la cantera».", "NOT_FOUND CN-1/a7"},
		{"of one spoken of", "A diferencia de Solandia, el art. 3 de la LRY: «al guardián de la cantera».", "MISATTRIBUTED LEY-5/a3"},
		{"many words of a land not spoken of", "El art. 7 del Código de Nubes: «del puerto pagan cada otoño al guardián de la cantera».", "MISATTRIBUTED CN-1/a7"},
		{"a Roman numeral", "El art. 3 II de la LRY: " + rays + ".", "VERIFIED LEY-5/a3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := verdicts(check(t, o, c.text)); got != c.want {
				t.Errorf("%q, want %q\n%s", got, c.want, c.text)
			}
		})
	}
}

// Units in forms of their own, and parts that a unit cannot have.
func TestOtherUnits(t *testing.T) {
	o := twoLands(t)
	const canon = "«Las nubes bajas pagan un canon anual de dos monedas»"
	for _, c := range []struct{ name, text, want string }{
		{"a number alone", "Véase el precepto 9 del Código de Nubes: " + canon + ".", "MISATTRIBUTED CN-1/a9"},
		{"another language", "Segons l'article 7 del Código de Nubes, " + canon + ".", "VERIFIED CN-1/a7"},
		{"another language, wrong", "Consonte o artigo 9 do noso texto, o artigo 9 del Código de Nubes: " + canon + ".", "MISATTRIBUTED CN-1/a9"},
		{"and those that go with it", "Artículo 9 y concordantes Código de Nubes: " + canon + ".", "MISATTRIBUTED CN-1/a9"},
		{"motives", "La exposición de motivos del Código de Nubes: " + canon + ".", "MISATTRIBUTED CN-1/pr"},
		{"range", "Los arts. 5 a 9 del Código de Nubes: " + canon + ".", "VERIFIED CN-1/a7"},
		{"range without it", "Los arts. 8 a 10 del Código de Nubes: " + canon + ".", "MISATTRIBUTED CN-1/a9"},
		{"letter that is none", "El art. 7, inciso z), del Código de Nubes: " + canon + ".", "MISATTRIBUTED CN-1/a7"},
		{"paragraph too far", "El párrafo décimo del art. 7 del Código de Nubes: " + canon + ".", "MISATTRIBUTED CN-1/a7"},
		{"tags", "<p>El <b>art. 9</b> <i>del Código de Nubes</i> dice: <q>Las nubes bajas pagan un canon anual de dos monedas</q></p>", "MISATTRIBUTED CN-1/a9"},
		{"table", "Normas (Código de Nubes)\n\n| Art. | Cita |\n|---|---|\n| 9 | " + canon + " |\n| **7** | " + canon + " |\n", "VERIFIED CN-1/; MISATTRIBUTED CN-1/a9; VERIFIED CN-1/a7"},
		{"card", "Cita: " + canon + "\nNorma: Código de Nubes, de 6 de mayo de 1990, con todas sus reformas\nArtículo: 9\n", "VERIFIED CN-1/; MISATTRIBUTED CN-1/a9"},
		{"identifier in brackets", "El art. 9 (GAC: LEY-5) dice «Los rayos se cuentan por docenas cerradas».", "MISATTRIBUTED LEY-5/a9"},
		{"list below a heading", "## Artículo 9 del Código de Nubes\n\n- «Quien desvíe una nube ajena responde del agua perdida»\n- " + canon + "\n", "VERIFIED CN-1/a9; MISATTRIBUTED CN-1/a9"},
		{"letter with bars", "Hola:\n\n> Según el art. 9 del Código de Nubes: «Las nubes bajas pagan\n> un canon anual de dos monedas».\n>\n> Saludos\n", "MISATTRIBUTED CN-1/a9"},
		{"typed marks", "El art. 7 del Código de Nubes: ``Las nubes bajas pagan un canon anual''.", "VERIFIED CN-1/a7"},
		{"another period", "El art. 7 del Código de Nubes: «Las nubes bajas pagan un canon [mensual] de dos monedas».", "NOT_FOUND CN-1/a7"},
		{"party swapped", "El art. 10 del Código de Nubes: «El guardián de [salidas] lleva un libro sellado de entradas y salidas».", "NOT_FOUND CN-1/a10"},
		{"party explained", "El art. 10 del Código de Nubes: «El guardián [de nubes, el actor] lleva un libro sellado».", "UNRESOLVED CN-1/a10"},
		{"page end", "El art. 10 del Código de Nubes: «El guardián de nubes lleva un libro\n\n— 4 —\n\nsellado de entradas».", "VERIFIED CN-1/a10"},
		{"page end, altered", "El art. 10 del Código de Nubes: «El guardián de nubes lleva un libro\n\nPágina 4 de 9\n\nazul de entradas».", "NOT_FOUND CN-1/a10"},
		{"leave replaced", "El art. 7 del Código de Nubes: «Las grises [tienen que] pagar exclusivamente en trigo».", "NOT_FOUND CN-1/a7"},
		{"bound left out", "El art. 7 del Código de Nubes: «Las grises podrán pagar (…) en trigo».", "NOT_FOUND CN-1/a7"},
		{"condition left out", "El art. 9 del Código de Nubes: «responde del agua perdida, (…) se prueba el desvío».", "NOT_FOUND CN-1/a9"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := verdicts(check(t, o, c.text)); got != c.want {
				t.Errorf("%q, want %q\n%s", got, c.want, c.text)
			}
		})
	}
}
