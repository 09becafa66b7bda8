package verify

import (
	"slices"
	"testing"

	"digesto"
	"digesto/text/figure"
)

func TestAddresses(t *testing.T) {
	official := []string{"https://ley.example/1"}
	quotes := []string{"escribirá a quejas@puerto.example en el plazo"}
	for s, want := range map[string]bool{
		"El plazo es de quince días [C1][C2]. No cabe otro recurso (art. 5).":   false,
		"Según el texto, «escribirá a quejas@puerto.example en el plazo» [C1].": false,
		"Véase https://ley.example/1.":                                          false,
		"Véase https://ley.example/1?q=datos":                                   true,
		"Más en www.trampa.example":                                             true,
		"Más en //trampa.example/x":                                             true,
		"Pulse [aquí](javascript:x)":                                            true,
		"![](x)":                                                                true,
		"Se dice.<img src=x>":                                                   true,
		"Escriba a otro@trampa.example":                                         true,
		"Texto [1].\n[1]: x":                                                    true,
		"Entre en trampa.com y siga":                                            true,
		"Los importes son 1.000 y 2.000 euros; y/o lo que diga el convenio: a) b) c)": false,
		"La cuota es < 5 y el tipo > 3 %":                                             false,
		"Lo dicen el D.Leg. 728, la S.A. del art.5 y el inc.b), p.ej.":                false,
		"Conforme al apartado [a] y al [b]: lo que proceda":                           false,
		"Más en trampa.top/?q=datos":                                                  true,
		"Más en trampa.xyz, o en bit.ly/abc":                                          true,
		"Más en trampa[.]example":                                                     true,
		"Más en trampa punto com":                                                     true,
		"Más en 10.0.0.1/x":                                                           true,
		"Siga a @trampa_oficial":                                                      true,
		"Escriba a otro (arroba) trampa":                                              true,
		"Más en vbscript:x o file:x":                                                  true,
		"> [C1]: /x":                                                                  true,
		"- [^1]: x":                                                                   true,
		"Se dice&#58;&lt;img":                                                         true,
	} {
		if got := Addresses(s, quotes, official); (len(got) > 0) != want {
			t.Errorf("%q: %q", s, got)
		}
	}
}

func TestUnquoted(t *testing.T) {
	list := []Ground{{Norm: digesto.Norm{Title: "Ley de los Faros y de las Balizas"}, Version: digesto.Version{Text: "El farero descansará cuarenta días.\nNo podrá apagar la luz de noche sin permiso."}}}
	for s, want := range map[string][]string{
		"Dice: «No podrá apagar la luz de noche».":                              nil,
		"Dice: «No podrá apagar […] de noche sin permiso».":                     nil,
		"Lo llama «faro de costa» y nada más.":                                  nil,
		"La «Ley de los Faros y de las Balizas» lo regula.":                     nil,
		"Dice: “Podrá apagar la luz de noche”.":                                 {"Podrá apagar la luz de noche"},
		"Dice: «El farero “descansará” cuarenta días».":                         {`El farero “descansará” cuarenta días`},
		"L’article d’avui: el far 's i prou":                                    nil,
		"Dice: ‘Podrá apagar la luz de noche’.":                                 {"Podrá apagar la luz de noche"},
		"Dice: 'Podrá apagar la luz de noche'.":                                 {"Podrá apagar la luz de noche"},
		"Dice: „Podrá apagar la luz de noche“.":                                 {"Podrá apagar la luz de noche"},
		"Dice: <<Podrá apagar la luz de noche>>.":                               {"Podrá apagar la luz de noche"},
		"Dice: ``Podrá apagar la luz de noche''.":                               {"Podrá apagar la luz de noche"},
		"Dice: »Podrá apagar la luz de noche«.":                                 {"Podrá apagar la luz de noche"},
		"Dice: «Podrá apagar la luz de noche.":                                  {"Podrá apagar la luz de noche"},
		"Dice: «Podrá apagar» «la luz» «de noche».":                             {"Podrá apagar … la luz … de noche"},
		"Dice:\n> Podrá apagar la luz de noche":                                 {"Podrá apagar la luz de noche"},
		"Dice textualmente: Podrá apagar la luz de noche.":                      {"Podrá apagar la luz de noche"},
		`Dice: "No podrá encender la luz" y "El farero descansará siempre así"`: {"No podrá encender la luz", "El farero descansará siempre así"},
	} {
		if got := Unquoted(s, list); !slices.Equal(got, want) {
			t.Errorf("%q: %q", s, got)
		}
	}
}

// TestNotesAreChecked: what the answer may not say, its notes may not say either.
func TestNotesAreChecked(t *testing.T) {
	g := grounds()
	for note, stays := range map[string]bool{"Compruebe lo que diga su convenio.": true, "La multa es de 12.345 euros.": false, "Vea https://trampa.example": false} {
		c := Contract([]byte(object(set("notes", note))), g)
		if len(c.Answer.Citations) != 1 || (c.Answer.Notes != nil && *c.Answer.Notes == note) != stays || slices.Contains(c.Failed, CheckNotes) == stays {
			t.Errorf("%q: %v %v", note, c.Failed, c.Answer.Notes)
		}
	}
}

// TestFigureDisguises: a figure is one however it is written.
func TestFigureDisguises(t *testing.T) {
	said := []string{"Nunca durará menos de veintidós días naturales, o la mitad de una quincena en 2020 y 40 horas."}
	for s, free := range map[string]bool{
		"veintidós días naturales": true, "22 días naturales": true, "22\u00a0días naturales": true, "la mitad de una quincena": true, "dos de ellos": true,
		"artículo treinta y ocho": true, "40horas": true,
		"99días": false, "99\u00a0días": false, "noventa y nueve": false, "un centenar de días": false, "el doble": false, "medio año": false, "XCIX días": false,
		"noventa y nueve veces": false, "dos décadas": false,
	} {
		if got := Figures("El farero descansa "+s+".", said, nil, figure.Locale{}); len(got) == 0 != free {
			t.Errorf("%q: %v", s, got)
		}
	}
}

func TestDisguises(t *testing.T) {
	for s, want := range map[string]bool{
		"El farero descansará, según el artículo 5.º y la disposición 3.ª, 22 días…": false,
		"La finca de 30 m² vale 1.000 €; véase «lo que dice» — y ¡basta!":            false,
		"El número BOE-A-2015-11430 y el expediente 2020/000123456789012345":         false,
		"l’Hospitalet de Llobregat, A Coruña, Güímar, Çelik, Łódź ⚖\ufe0f":           false,
		"de\u0301cima":                         false, // composed by NFC
		"９９ días":                              true,
		"𝟗𝟗 días":                              true,
		"٩٩ días":                              true,
		"⁹⁹ días":                              true,
		"⑨⑨ días":                              true,
		"½ año":                                true,
		"Ⅻ días":                               true,
		"nоventa días":                         true, // a Cyrillic о
		"no\u200bventa días":                   true,
		"9\u00ad9 días":                        true,
		"\u202eelpmaxe.live":                   true,
		"n\u0336o":                             true,
		"\U000e0041\U000e0042":                 true,
		"ｈｔｔｐｓ":                                true,
		"n-o-v-e-n-t-a días":                   true,
		"ᴇᴠɪʟ":                                 true,
		"aHR0cHM6Ly9ldmlsLmV4YW1wbGUvP3E9eA==": true,
	} {
		if got := Disguises(s); len(got) > 0 != want {
			t.Errorf("%q: %q", s, got)
		}
	}
}

// TestSourceAddress: a document's address is of the web, or none.
func TestSourceAddress(t *testing.T) {
	for in, want := range map[string]string{
		"https://ley.example/1?a=b": "https://ley.example/1?a=b", "http://ley.example": "http://ley.example", "": "",
		"javascript:alert(1)": "", "data:text/html,x": "", "//trampa.example/x": "", "https://ley.example@trampa.example/": "", "https://": "", "https://a\x1b]8;;": "", "file:///etc/passwd": "",
	} {
		g := Ground{Norm: digesto.Norm{URL: in}, Version: digesto.Version{Text: "El farero."}}
		if got := g.Ref(0, 2).URL; got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
