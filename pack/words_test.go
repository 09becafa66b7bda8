package pack

import (
	"strings"
	"testing"

	"digesto/text"
)

// TestSpelling: words of the street are left as they are even when no text has them
// and one has a neighbour; other words are mended as ever.
func TestSpelling(t *testing.T) {
	p := &Pack{Synonyms: newSynonyms(), Lay: &Lay{found: newPhrases()}, Glossary: &Glossary{found: newPhrases()}}
	if bad := p.Synonyms.read("s", strings.NewReader("mancha = mácula\n")); bad != nil {
		t.Fatal(bad)
	}
	p.Lay.found.add("el curro", 0)
	p.Glossary.found.add("guita", 0)
	p.Territories = &Gazetteer{rows: []row{{cells: []string{"Mancera de Arriba", "zz/m", "municipality", "zz", ""}}}}
	indexed := map[string]int{"curso": 90, "marcha": 40, "guia": 30, "cursos": 5, "mandarina": 2}
	frequency := func(word string, stem bool) int {
		if stem {
			return 0
		}
		return indexed[word]
	}
	for question, want := range map[string]string{
		"me echan del curro":  "me echan del curro",
		"hay una mancha aquí": "hay una mancha aquí",
		"no me da la guita":   "no me da la guita",
		"busco otros curros":  "busco otros curros", // another form of a known word
		"vivo en mancera":     "vivo en mancera",
		"es de mancer":        "es de mancer", // no place either
		"acabo el cirso ya":   "acabo el curso ya",
		"pierdo el currro ya": "pierdo el curro ya",
	} {
		if got, _ := text.Correct(question, Spelling(frequency, nil, p)); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
	if got, _ := text.Correct("me echan del curro", frequency); got == "me echan del curro" {
		t.Error("the index alone would have mended nothing: the test shows nothing")
	}
}
