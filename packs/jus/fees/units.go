package fees

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"digesto"
	"digesto/pack"
)

// ValuesNorm and ServicesNorm are the ids of the tables as citable texts.
const (
	ValuesNorm   = "jus-valores"
	ServicesNorm = "jus-servicios"
)

const (
	valuesURL   = "https://www.justiciacordoba.gob.ar"
	servicesURL = "https://www.cac.org.ar"
	reviewed    = digesto.Date("2026-11-21")
)

func (v Value) unit() string { return "t" + string(v.Date) }

func (s Service) unit() string { return "t" + s.Code }

// lawUnit is the id of the article.
func (s Service) LawUnit() string { return "a" + strings.ReplaceAll(s.Article, " ", "") }

// text is the row as a sentence: what a citation of it quotes.
func (v Value) text() string {
	return "Valor de 1 JUS en la provincia de " + Province + " desde el " + LongDate(v.Date) + ": " + Pesos(v.Amount) + " (fuente: " + v.Source + ")."
}

// text is the row as a sentence with its place in the law and its date.
func (s Service) text() string {
	t := s.core() + " (" + s.Place() + ")"
	if s.Since != "" {
		t += ", texto vigente desde el " + LongDate(s.Since)
	}
	return t + "."
}

// core is the quantity alone: what is compared with the article when it is installed.
func (s Service) core() string {
	t := s.Name + ": "
	switch s.Kind {
	case "fixed":
		t += Jus(s.Min)
	case "range":
		t += "entre " + Local(s.Min) + " y " + Jus(s.Max)
	case "minimum":
		t += "como mínimo " + Jus(s.Min)
	default:
		t += "sin cantidad propia de JUS"
	}
	if s.Per != "" {
		t += " por cada " + s.Per
	}
	return t
}

// Fiches gives both tables as citable texts: a norm each, a unit a row, in
// words of ours, never official.
func (c *Tables) Fiches() []pack.Fiche {
	values := table(ValuesNorm, "Valores del JUS de "+Province, "valor_jus", valuesURL)
	for _, v := range append(append([]Value{}, c.former...), c.values...) {
		text := v.text()
		if v.Flags["former"] {
			text = strings.TrimSuffix(text, ".") + "; es del régimen anterior y no el JUS de la " + LawName + "."
		}
		add(&values, row{id: v.unit(), number: string(v.Date), rubric: "Valor del JUS desde el " + LongDate(v.Date), text: text, note: v.Note,
			from: v.Date, ref: LawName + ", artículo 35", core: text, current: !v.Flags["former"]})
	}
	services := table(ServicesNorm, "Servicios y honorarios en JUS de "+Province, "tabla_servicios", servicesURL)
	for _, s := range c.services {
		add(&services, row{id: s.unit(), number: s.Code, rubric: s.Name, text: s.text(), note: s.Condition, from: s.Since, ref: s.Place(), core: s.core() + ".",
			place: s.LawUnit(), current: true})
	}
	return []pack.Fiche{values, services}
}

func table(id, title, collection, url string) pack.Fiche {
	return pack.Fiche{ID: id, Title: title, File: "jus/data", Norm: digesto.Norm{
		ID: id, Title: title + " (" + pack.Label + ")", Short: title, Rank: pack.FicheRank, Jurisdiction: "ar", Territory: Territory, Collection: collection,
		Packs: []string{"jus"}, TextAsOf: reviewed, URL: url,
		Source: "Tabla «" + title + "» de Digesto (no es el texto oficial)", Format: digesto.FormatTable,
	}}
}

type row struct {
	id, number, rubric, text, note string
	from                           digesto.Date
	ref, place, core               string
	current                        bool
}

func add(f *pack.Fiche, x row) {
	sum := sha256.Sum256([]byte(x.text))
	notes := []string{pack.Label + "."}
	if x.note != "" {
		notes = append(notes, x.note)
	}
	f.Units = append(f.Units, digesto.Unit{Norm: f.Norm.ID, ID: x.id, Kind: digesto.KindTable, Number: x.number, Label: "Fila", Rubric: x.rubric,
		Path: []string{f.Title}, Versions: []digesto.Version{{ID: "1", Text: x.text, ValidFrom: x.from, Current: x.current, Notes: notes,
			Refs: []digesto.Reference{{Norm: Law, Name: x.ref, Unit: x.place}}, SHA256: hex.EncodeToString(sum[:])}}})
	f.Facts = append(f.Facts, pack.Fact{Unit: x.id, Ask: x.rubric, Text: x.core, Norm: Law, Place: x.place, Ref: x.ref, URL: f.Norm.URL, Reviewed: reviewed})
}
