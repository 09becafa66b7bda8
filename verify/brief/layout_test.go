package brief

import (
	"testing"

	"digesto"
	"digesto/corpus"
	"digesto/index"
	"digesto/text/cite"
)

// Lines, items, notes and brackets around a citation say which quotation is whose.
func TestLayout(t *testing.T) {
	o := port(t)
	const pilot, fee, claim = "«Ningún barco de más de veinte metros entrará sin práctico a bordo»", "«Quien pague tarde abonará un recargo del cinco por ciento»", "«El reclamo contra la liquidación se presenta dentro de los veinte días hábiles»"
	for _, c := range []struct{ name, text, want string }{
		{"bracket closed before the next citation", "El art. 16 LGP: " + fee + " (el resaltado es nuestro). Asimismo, el art. 17 LGP obliga.", "VERIFIED LEY-7/a16 q; VERIFIED LEY-7/a17"},
		{"next item", "- el práctico, art. 17 LGP\n   ojo: " + pilot + "\n- la cuota (art. 16 LGP)", "VERIFIED LEY-7/a17 q; VERIFIED LEY-7/a16"},
		{"source in the line below", "Se recuerda: " + pilot + "\n- art. 17 LGP", "VERIFIED LEY-7/a17 q"},
		{"next note", "Uno.[^1] Dos.[^2]\n\n[^1]: Art. 16 LGP: " + fee + ".\n[^2]: Art. 17 LGP.", "VERIFIED LEY-7/a16 q; VERIFIED LEY-7/a17"},
		{"words of the next paragraph", "Se pide lo del art. 16 LGP, con costas.\n\nHECHOS\nLa carta decía: «Prescindimos de su barco desde el día de hoy».", "VERIFIED LEY-7/a16"},
		{"article that the law spoken of does not have", "La Ley 9459 da plazo. El art. 17 LGP obliga. Según el art. 137, " + claim + ".", "VERIFIED LEY-9459/; VERIFIED LEY-7/a17; VERIFIED LEY-9459/a137 q"},
		// parts named beside the words
		{"part in brackets before", "El art. 70 inc. a) de la Ley 9459 da «Cuatro unidades por la carga seca»; y en el caso de animales (inc. b), «Seis unidades por la carga de animales vivos».", "VERIFIED LEY-9459/a70 q; VERIFIED LEY-9459/a70 q"},
		{"part in brackets before, wrong", "El art. 70 inc. a) de la Ley 9459 da «Cuatro unidades por la carga seca»; y en el caso de animales (inc. c), «Seis unidades por la carga de animales vivos».", "VERIFIED LEY-9459/a70 q; MISATTRIBUTED LEY-9459/a70 q"},
		{"part and colon", "Art. 70, literal a), de la Ley 9459: «Cuatro unidades por la carga seca». Literal b): «Seis unidades por la carga de animales vivos».", "VERIFIED LEY-9459/a70 q; VERIFIED LEY-9459/a70 q"},
		{"parts in brackets behind", "El art. 70 incs. a, b y c de la Ley 9459: «Cuatro unidades por la carga seca» (inc. a), «Seis unidades por la carga de animales vivos» (inc. b) y «Diez unidades por la carga peligrosa» (inc. c).", "VERIFIED LEY-9459/a70 q; VERIFIED LEY-9459/a70 q; VERIFIED LEY-9459/a70 q"},
		{"parts in brackets behind, wrong", "El art. 70 incs. a y b de la Ley 9459: «Cuatro unidades por la carga seca» (inc. a), «Seis unidades por la carga de animales vivos» (inc. a).", "VERIFIED LEY-9459/a70 q; MISATTRIBUTED LEY-9459/a70 q"},
		// headings, numbers alone, letters
		{"headings of their own", "Se transcribe la ley:\n\n    “Artículo 16.- Quien pague tarde abonará un recargo del cinco por ciento.”\n\n    “Artículo 17 LGP.- Ningún barco de más de veinte metros entrará sin práctico a bordo.”\n", "VERIFIED LEY-7/a16 q; VERIFIED LEY-7/a17 q"},
		{"heading of another article", "Se transcribe la ley:\n\n    “Artículo 17.- Quien pague tarde abonará un recargo del cinco por ciento.”\n", "MISATTRIBUTED LEY-7/a16 q"},
		{"heading, then another article", "Te copio la página:\n\n    Artículo 17 LGP.- Ningún barco de más de veinte metros entrará sin práctico a bordo\n\ny el art. 16 LGP, que es otro.", "VERIFIED LEY-7/a17 q; VERIFIED LEY-7/a16"},
		{"list mark with a dash", "El art. 15 LGP: «1.- El amarre se concede por tres años prorrogables. 2.- La concesión se extingue».", "VERIFIED LEY-7/a15 q"},
		{"list mark with a dash, altered", "El art. 15 LGP: «1.- El amarre se concede por dos años prorrogables. 2.- La concesión se extingue».", "NOT_FOUND LEY-7/a15 q"},
		{"number and quotation", "- cuota: art. 16 LGP " + fee + "\n- plazo de la Ley 9459: 137 " + claim, "VERIFIED LEY-7/a16 q; VERIFIED LEY-9459/a137 q"},
		{"number of the code spoken of", "El art. 16 LGP: " + fee + ". Es más: " + pilot + " (17 del mismo texto).", "VERIFIED LEY-7/a16 q; VERIFIED LEY-7/a17 q"},
		{"question of a letter", "> 1) ¿Me pueden cobrar la cuota así sin avisar?\n\nNo: art. 16 LGP: " + fee + ".\n\n> 2) y el barco entra solo?\n\nTampoco (art. 17 LGP).", "VERIFIED LEY-7/a16 q; VERIFIED LEY-7/a17"},
		{"abbreviation before the article", "El art. 17 LGP rige. El Reglamento (UE) 2016/679, t.o. 2019, art. 17: «El navegante tendrá derecho a que se borren sus rutas».", "VERIFIED LEY-7/a17; VERIFIED 32016R0679/; VERIFIED 32016R0679/a17 q"},
		{"source put into the words", "La cuota es otra cosa. «Ningún barco —dice el art. 17 LGP— de más de veinte metros entrará sin práctico a bordo».", "VERIFIED LEY-7/a17 q"},
		{"source put into the words, altered", "«Ningún barco —dice el art. 17 LGP— de más de treinta metros entrará sin práctico a bordo».", "NOT_FOUND LEY-7/a17 q"},
		{"source put into the words, wrong", "«Ningún barco —establece el artículo 16 LGP—, de más de veinte metros entrará sin práctico a bordo».", "NOT_FOUND LEY-7/a16 q"},
		{"arrow", "[9:26] Ana: art. 16 LGP\n[9:44] Luis: \"Ningún barco de más de veinte metros entrará sin práctico a bordo\" -> art. 17 LGP", "VERIFIED LEY-7/a16; VERIFIED LEY-7/a17 q"},
		{"remark set apart", "El art. 17 LGP obliga.\n\n> **Nota**: esto lo escribe quien hizo la lista y no es de ninguna ley.\n", "VERIFIED LEY-7/a17"},
		{"acronym at the head of the item that is not known", "- [x] **LGP, art. 17**: " + pilot + "\n- [ ] **XQT, art. 16**: " + fee, "VERIFIED LEY-7/a17 q; UNRESOLVED /a16 q"},
		{"source of a block without a mark", "La cuota (art. 16 LGP) es otra cosa.\n\n> Ningún barco de más de veinte metros entrará sin práctico a bordo\n>\n> art. 17, Ley 7/2007\n", "VERIFIED LEY-7/a16; VERIFIED LEY-7/a17 q"},
		{"number, in its turn", "El art. 16 LGP: " + fee + ". El 17, a su turno: " + pilot + ".", "VERIFIED LEY-7/a16 q; VERIFIED LEY-7/a17 q"},
		{"source behind a dash and a word", "El art. 16 LGP fija la cuota. Y hay otra regla: " + pilot + " — conforme surge del artículo 17 LGP.", "VERIFIED LEY-7/a16; VERIFIED LEY-7/a17 q"},
		{"source behind a comma and a word", "El art. 16 LGP fija la cuota. Y hay otra regla: " + pilot + ", conf. art. 17 LGP.", "VERIFIED LEY-7/a16; VERIFIED LEY-7/a17 q"},
		{"table with the words first", "| Texto | Artículo | Ley |\n|---|---|---|\n| " + pilot + " | 17 | LGP |\n| " + claim + " | 137 | Ley 9459 |\n", "VERIFIED LEY-7/a17 q; VERIFIED LEY-9459/a137 q"},
		{"table with the words first, wrong", "| Texto | Artículo | Ley |\n|---|---|---|\n| " + claim + " | 137 | Ley 9459 |\n| " + pilot + " | 16 | LGP |\n", "VERIFIED LEY-9459/a137 q; MISATTRIBUTED LEY-7/a16 q"},
		{"notes with a space before their call", "La LGP manda " + pilot + " (1) y que " + fee + " (2).\n\nNOTAS\n(1) Art. 17 LGP.\n(2) Art. 16 LGP.", "VERIFIED LEY-7/; VERIFIED LEY-7/a17 q; VERIFIED LEY-7/a16 q"},
		{"note that sends back", "La Ley 9459 manda " + pilot + " (1) y que " + fee + " (2).\n\n(1) Art. 17 LGP.\n(2) Ibíd., art. siguiente.", "VERIFIED LEY-9459/; VERIFIED LEY-7/a16 q; VERIFIED LEY-7/a17 q"},
		{"acronym with stops that is not known", "El art. 17 LGP obliga. Art. 16 C.X.C. y C.: " + fee + ".", "VERIFIED LEY-7/a17; UNRESOLVED /a16 q"},
	} {
		if got := quoted(check(t, o, c.text)); got != c.want {
			t.Errorf("%s: %q, want %q\n\t%s", c.name, got, c.want, c.text)
		}
	}
}

// A code is called by the first words of its name, and by "el Código", once the text has
// cited it, whatever its title says before.
func TestFirstWords(t *testing.T) {
	norm := func(id, title, words string) corpus.Document {
		return corpus.Document{Norm: digesto.Norm{ID: id, Title: title, Rank: "ley", Jurisdiction: "xx", Published: "2007-07-08"}, Units: []digesto.Unit{
			{ID: "a8", Kind: digesto.KindArticle, Number: "8", Label: "Artículo 8", Versions: []digesto.Version{{ID: "1", Text: words, ValidFrom: "2020-05-06", Current: true}}},
		}}
	}
	law := corpus.Memory(
		norm("CPM", "CODIGO PROCESAL MARITIMO DE LA NACION", "La demanda se entrega en el muelle con cuatro copias."),
		norm("CPF", "CODIGO PROCESAL FLUVIAL", "La demanda se entrega en el embarcadero con dos copias."),
		norm("TUO", "DECRETO SUPREMO QUE APRUEBA EL TEXTO UNICO ORDENADO DEL CODIGO DE AMARRES", "El amarre se paga por meses vencidos en la capitanía."),
	)
	ix, err := index.Memory(t.Context(), law.Chunks(), index.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	names := []cite.Alias{{Name: "CPM", Norm: "CPM"}, {Name: "CPF", Norm: "CPF"}, {Name: "TUO del Código de Amarres", Norm: "TUO"}}
	o := Options{Law: law, Search: ix, Table: cite.NewTable(names, law.Norms()), Today: "2026-11-21"}
	for _, c := range []struct{ text, want string }{
		{"El CPM manda. Dice el art. 8 del Código Procesal: «La demanda se entrega en el muelle».", "VERIFIED CPM/; VERIFIED CPM/a8 q"},
		{"El CPM manda y el CPF también. Dice el art. 8 del Código Procesal: «La demanda se entrega en el muelle».", "VERIFIED CPM/; VERIFIED CPF/; UNRESOLVED /a8 q"},
		{"Rige el TUO del Código de Amarres. El artículo 8° del Código señala: «El amarre se paga por meses vencidos».", "VERIFIED TUO/; VERIFIED TUO/a8 q"},
		{"Rige el TUO del Código de Amarres y después el CPM. Según el art. 8 del mismo código, «La demanda se entrega en el muelle».", "VERIFIED TUO/; VERIFIED CPM/; VERIFIED CPM/a8 q"},
	} {
		if got := quoted(check(t, o, c.text)); got != c.want {
			t.Errorf("%q, want %q\n\t%s", got, c.want, c.text)
		}
	}
}

// A name that a province's law shares with the nation's means the province's in a text
// that cites its law.
func TestProvince(t *testing.T) {
	norm := func(id, title, territory, words string) corpus.Document {
		return corpus.Document{Norm: digesto.Norm{ID: id, Title: title, Rank: "ley", Jurisdiction: "xx", Territory: territory, Published: "2007-07-08"}, Units: []digesto.Unit{
			{ID: "a8", Kind: digesto.KindArticle, Number: "8", Label: "Artículo 8", Versions: []digesto.Version{{ID: "1", Text: words, ValidFrom: "2020-05-06", Current: true}}},
		}}
	}
	law := corpus.Memory(
		norm("NAT", "Código de Muelles de la Nación", "", "La demanda se entrega en el muelle con cuatro copias."),
		norm("PROV", "Código de Muelles de la Provincia", "xx-p", "La demanda se entrega en el embarcadero con dos copias."),
		norm("ARA", "Arancel de la Provincia", "xx-p", "El arancel del práctico es de cinco unidades."),
		norm("LIG", "Ley de Luces", "", "Toda luz del muelle se apaga al alba."),
	)
	ix, err := index.Memory(t.Context(), law.Chunks(), index.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	names := []cite.Alias{{Name: "CDM", Norm: "NAT"}, {Name: "CDM", Norm: "PROV"}, {Name: "ARP", Norm: "ARA"}, {Name: "LDL", Norm: "LIG"}}
	o := Options{Law: law, Search: ix, Table: cite.NewTable(names, law.Norms()), Today: "2026-11-21"}
	for _, c := range []struct{ text, want string }{
		{"Rige el art. 8 del CDM, y el art. 8 ARP da el arancel. Según el art. 8 CDM, «La demanda se entrega en el embarcadero».", "VERIFIED PROV/a8; VERIFIED ARA/a8; VERIFIED PROV/a8 q"},
		{"El art. 8 ARP da el arancel. Según el art. 8 CDM, «La demanda se entrega en el embarcadero con tres copias».", "VERIFIED ARA/a8; NOT_FOUND PROV/a8 q"},
	} {
		if got := quoted(check(t, o, c.text)); got != c.want {
			t.Errorf("%q, want %q\n\t%s", got, c.want, c.text)
		}
	}
}
