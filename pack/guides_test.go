package pack

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// guidePack is an invented pack with two guides, one of them for one place.
func guidePack(t *testing.T) *Pack {
	t.Helper()
	fs := fstest.MapFS{
		"vado/pack.yaml": {Data: []byte(`
name: vado
title: Trámites del vado
description: Permisos inventados.
version: "1"
jurisdictions: [xx]
locale: es-ES
first_question: ¿Qué es el permiso de paso?
everyday: [DNI]
bodies: [{name: Guarda del vado, for: permisos, url: "https://example.org"}]
install: {add: digesto corpus add CARPETA}
collections: [{name: fichas, title: Fichas, weight: 1}]
files: {fiches: [fiches.yaml], synonyms: [synonyms.txt], sections: [sections.tsv]}
`)},
		"vado/synonyms.txt": {Data: []byte("permiso de paso = salvoconducto = vale de cruce\n")},
		"vado/sections.tsv": {Data: []byte("section\taliases\tforms\nque-es\t\t|qué es\nrequisitos\t\trequisitos|qué piden\nplazos\t\tplazo|cuánto tardan\notros\t\tpuedo\npalabras\t\tnecesito|para\n")},
		"vado/fiches.yaml": {Data: []byte(`
reviewed: 2026-11-01
jurisdiction: xx
norms:
  N-1: {name: de la norma del vado, url: "https://example.org/n1"}
fiches:
  - id: paso
    title: Permiso de paso
    facts:
      - {id: que-es, ask: "¿Qué es el permiso de paso?", text: "El permiso deja cruzar el vado.", norm: N-1, unit: a1, ref: artículo 1}
      - {id: requisitos, ask: "¿Qué piden para el permiso de paso?", text: "Piden saber nadar.", norm: N-1, unit: a2, ref: artículo 2}
      - {id: requisitos-carro, ask: "¿Qué piden para pasar con un carro?", text: "El carro debe tener cuatro ruedas.", norm: N-1, unit: a3, ref: artículo 3}
      - {id: requisitos-rebano, ask: "¿Qué piden para pasar con un rebaño?", text: "El rebaño debe llevar pastor.", norm: N-1, unit: a4, ref: artículo 4}
  - id: multa
    title: Multa por cruzar sin permiso
    territory: xx-n
    facts:
      - {id: plazos, ask: "¿Qué plazo hay para pagar la multa?", text: "La multa se paga en diez días.", norm: N-1, unit: a9, ref: artículo 9}
`)},
	}
	p, err := Load(fs, "vado")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestLookUp: without a searcher guides are found by their words, and the facts of
// the section asked for are picked; a guide of one place is for who names it.
func TestLookUp(t *testing.T) {
	p := guidePack(t)
	r := &Retriever{Pack: p, Guides: p.Guides()}
	for _, c := range []struct {
		q       string
		place   Territory
		refused bool
		want    string // sections picked
	}{
		{q: "requisitos del permiso de paso", want: "requisitos requisitos-carro requisitos-rebano"},
		{q: "qué piden para el permiso de paso con carro", want: "requisitos-carro requisitos"},
		{q: "vale de cruce", want: "que-es requisitos"},
		{q: "permiso", want: "que-es"},
		{q: "vales de cruce", want: "que-es requisitos"},
		{q: "salvoconduto, qué piden con rebaño", want: "requisitos-rebano requisitos"},
		{q: "plazo del permiso de paso"},
		{q: "receta de tortilla", refused: true},
		{q: "plazo de la multa", refused: true},
		{q: "plazo de la multa", place: Territory{Name: "Norte", Code: "xx-n"}, want: "plazos"},
	} {
		f, err := r.RetrieveIn(t.Context(), c.q, c.place, 10)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		if !f.Refused {
			for _, x := range r.Pick(c.q, c.place, f, 4) {
				got = append(got, x.Section)
			}
		}
		if f.Refused != c.refused || strings.Join(got, " ") != c.want {
			t.Errorf("%s: refused %v, %v, want %s", c.q, f.Refused, got, c.want)
		}
	}
}

// TestSectionsOf: the longest expression first, a bare word asks what it is.
func TestSectionsOf(t *testing.T) {
	p := guidePack(t)
	for q, want := range map[string]string{"permiso": "que-es", "¿cuánto tardan y qué piden?": "plazos requisitos", "nada": "que-es", "sin más palabras": ""} {
		var got []string
		for _, s := range p.SectionsOf(q) {
			got = append(got, s.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", q, got, want)
		}
	}
	if p.SectionOf("¿cuánto tardan?") != "plazos" {
		t.Error("the first")
	}
}

// TestGuidesAreChecked: long sentences and unexplained abbreviations are faults.
func TestGuidesAreChecked(t *testing.T) {
	p := guidePack(t)
	if bad := Check(p); len(bad) > 0 {
		t.Fatal(bad)
	}
	p.Fiches[0].Facts[0].Text = "El PDV del art. 3 deja cruzar con el DNI."
	bad := Check(p)
	if !slices.ContainsFunc(bad, func(b Problem) bool { return strings.Contains(b.Text, "PDV") }) || !slices.ContainsFunc(bad, func(b Problem) bool { return strings.Contains(b.Text, "art.") }) ||
		slices.ContainsFunc(bad, func(b Problem) bool { return strings.Contains(b.Text, "DNI") }) {
		t.Errorf("%v", bad)
	}
}

// TestContacts: contacts of several needs, each once; a missing fact, a missed example
// and a near miss that it takes are faults.
func TestContacts(t *testing.T) {
	p := guidePack(t)
	pt, err := ParsePattern("socorro")
	if err != nil {
		t.Fatal(err)
	}
	p.Urgent = []Urgent{{Name: "a", When: []Pattern{pt}, Fiche: "paso", Facts: []string{"que-es", "requisitos"}, Examples: []string{"¡socorro!"}, Near: []string{"auxilio"}},
		{Name: "b", When: []Pattern{pt}, Fiche: "paso", Facts: []string{"que-es"}, Examples: []string{"socorro"}, Near: []string{"calma"}}}
	norm, units := p.Contacts("Socorro, ayuda")
	if norm != "ficha-vado-paso" || !slices.Equal(units, []string{"sque-es", "srequisitos"}) {
		t.Errorf("%s %v", norm, units)
	}
	if _, none := p.Contacts("buenos días"); none != nil {
		t.Errorf("%v", none)
	}
	if bad := Check(p); len(bad) > 0 {
		t.Error(bad)
	}
	p.Urgent[1] = Urgent{Name: "c", When: []Pattern{pt}, Fiche: "paso", Facts: []string{"nada"}, Examples: []string{"hola"}, Near: []string{"socorro"}}
	if bad := Check(p); len(bad) != 3 {
		t.Errorf("%v", bad)
	}
}
