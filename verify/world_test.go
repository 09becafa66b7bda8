package verify

import (
	"fmt"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/text/cite"
)

// library is an invented corpus with two documents of pages, whose sentences
// all differ, and a former wording.
func library() (*corpus.Snapshot, []Ground) {
	topics := []string{"los faros", "las balizas", "los muelles", "las grúas", "las boyas", "los diques", "las redes", "los hornos", "las barcas", "los silos"}
	var docs []corpus.Document
	for d, name := range []string{"Codigo-de-Costas.pdf", "Reglamento-de-Puertos.pdf"} {
		doc := corpus.Document{Norm: digesto.Norm{ID: fmt.Sprintf("N-%d", d+1), Title: fmt.Sprintf("Norma número %d de prueba", d+1), Jurisdiction: "xx", Collection: "normativa",
			Source: name, Format: "pdf", Official: true, PageCount: 40}}
		for a := 1; a <= len(topics); a++ {
			text := fmt.Sprintf("El titular de %s de la clase %d presentará su memoria en el plazo de %d días.\nLa tasa anual de %s será de %d euros, salvo exención acordada por el consejo de la zona %d.",
				topics[a-1], d+1, 10*d+a+3, topics[a-1], 100*d+7*a, a)
			half := strings.IndexByte(text, '\n') + 1
			unit := digesto.Unit{ID: cite.UnitID(digesto.KindArticle, fmt.Sprint(a)), Kind: digesto.KindArticle, Number: fmt.Sprint(a), Label: fmt.Sprintf("Artículo %d", a),
				Versions: []digesto.Version{
					{ID: "1", Text: fmt.Sprintf("El titular de %s quedaba exento de toda memoria durante %d años.", topics[a-1], a+1), Pages: []digesto.PageMark{{Page: a}}},
					{ID: "2", Text: text, Current: true, Pages: []digesto.PageMark{{Page: 2 * a}, {Start: len([]rune(text[:half])), Page: 2*a + 1}}},
				}}
			doc.Units = append(doc.Units, unit)
		}
		docs = append(docs, doc)
	}
	s := corpus.Memory(docs...)
	var grounds []Ground
	for _, n := range s.Norms() {
		for u := range s.Units(n.ID) {
			grounds = append(grounds, Ground{Norm: n, Unit: u, Version: u.Versions[1]})
		}
	}
	return s, grounds
}
