package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/index"
	"digesto/pack"
	"digesto/query"
	"digesto/text/cite"
)

// world is a small invented law and pack, enough to ask every kind of question.
type world struct {
	law, own query.View
	packs    []*pack.Pack
}

// invented are norms of a country that does not exist; every sentence is ours.
var invented = []struct {
	id, title, short string
	articles         map[string]string // "38|Rubric" → text
}{
	{"LEY-1", "Ley 1/2001, de 3 de marzo, de Faros y Balizas", "Ley de Faros", map[string]string{
		"1|Objeto":                "1. Esta ley ordena el servicio de los faros de la costa.\n2. Se entiende por faro toda torre con luz que guía a los barcos.",
		"2|Descanso del farero":   "1. El descanso anual del farero lo fija el convenio de cada puerto. Nunca durará menos de veintidós días naturales.\n2. El farero sabrá sus fechas con un mes de antelación, salvo temporal declarado.",
		"3|Requisitos del farero": "Para ser farero se requiere:\na) Haber cumplido dieciocho años.\nb) Superar la prueba de vista.\nc) Saber nadar.\nSe exceptúa de la letra c) a quien sirva en faros de tierra adentro.",
		"4|Tasa de luz":           "1. La tasa de luz será de 45,50 euros por cada arribada. No obstante, los barcos de pesca pagarán la mitad.\n2. El impago devenga un recargo del 5 por ciento.",
		"5|Órgano competente":     "El director del puerto resolverá las quejas contra el farero. Contra su resolución cabe recurso ante el consejo de costas en el plazo de quince días.",
		"6|Prohibiciones":         "El farero no podrá apagar la luz durante la noche, excepto por orden escrita del director.",
		"7 bis|Guardias":          "Las guardias se harán por parejas. Cada guardia durará ocho horas.",
	}},
	{"LEY-2", "Ley 2/2002, de 4 de abril, de Mercados de Barrio", "Ley de Mercados", map[string]string{
		"1|Puestos":   "Cada puesto se adjudica por sorteo público entre los vecinos inscritos.",
		"2|Horario":   "Los puestos abrirán de siete a quince horas. El domingo permanecerán cerrados.",
		"3|Sanciones": "El abandono del puesto durante treinta días seguidos se sanciona con multa de 120 euros.",
	}},
}

func lawDocs() []corpus.Document {
	var docs []corpus.Document
	for _, n := range invented {
		d := corpus.Document{Norm: digesto.Norm{ID: n.id, Title: n.title, Short: n.short, Rank: "ley", Jurisdiction: "xx", Collection: "normativa",
			Packs: []string{"costa"}, Published: "2001-03-03", TextAsOf: "2020-05-06", Source: n.id + ".md", Format: "markdown", Official: true, URL: "https://example.org/" + n.id}}
		for _, k := range sorted(n.articles) {
			num, rubric, _ := strings.Cut(k, "|")
			d.Units = append(d.Units, digesto.Unit{Norm: n.id, ID: cite.UnitID(digesto.KindArticle, num), Kind: digesto.KindArticle, Number: num,
				Label: "Artículo " + num, Rubric: rubric, Versions: []digesto.Version{{ID: "2020-05-06", Text: n.articles[k], Published: "2020-05-06", Current: true}}})
		}
		docs = append(docs, d)
	}
	return docs
}

func sorted(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	for i := range out {
		for k := i + 1; k < len(out); k++ {
			if out[k] < out[i] {
				out[i], out[k] = out[k], out[i]
			}
		}
	}
	return out
}

// manifest is the invented pack.
var manifest = fstest.MapFS{
	"costa/pack.yaml": {Data: []byte(`
name: costa
title: Normas de costa
description: Faros y mercados.
version: "1"
jurisdictions: [xx]
locale: es-ES
first_question: ¿Cuántos días descansa el farero?
install: {add: digesto corpus add CARPETA --pack costa}
bodies:
  - {name: Consejo de Costas, for: faros, url: "https://example.org/consejo"}
collections:
  - {name: normativa, title: Normativa, weight: 1.0}
  - {name: fichas, title: Fichas, weight: 0.5}
files:
  aliases: [aliases.tsv]
  synonyms: [synonyms.txt]
  fiches: [fiches.yaml]
  rules: [rules.yaml]
`)},
	"costa/aliases.tsv":  {Data: []byte("name\tnorm\tweak\tjurisdiction\nLFB\tLEY-1\t\txx\nLey de Faros\tLEY-1\t\txx\nLey de Puertos Secos\tLEY-9\t\txx\n")},
	"costa/synonyms.txt": {Data: []byte("vacaciones = descanso anual\n")},
	"costa/fiches.yaml": {Data: []byte(`
jurisdiction: xx
collection: fichas
reviewed: 2026-11-01
norms:
  LEY-1: {name: de la Ley de Faros, url: "https://example.org/LEY-1"}
fiches:
  - id: faro
    title: El farero
    facts:
      - {id: descanso, ask: "¿Cuántos días de vacaciones tiene el farero?", text: "El farero descansa al menos veintidós días naturales al año.", norm: LEY-1, unit: a2, ref: artículo 2}
      - {id: tasa, ask: "¿Cuánto cuesta la tasa de luz?", text: "La tasa de luz cuesta 40 euros por arribada.", norm: LEY-1, unit: a4, ref: artículo 4}
`)},
	"costa/rules.yaml": {Data: []byte(`
detectors:
  - name: identity
    outcome: non_legal
    reply: Soy un programa que responde con citas de la ley.
    when: ["^ quien sos|eres"]
    examples: ["¿Quién eres?"]
    near_misses: ["¿Quién resuelve las quejas?"]
  - name: advice
    outcome: advice
    reply: No doy consejos sobre qué hacer en un caso; puedo decirle qué establece la norma.
    when: ["me conviene"]
    examples: ["¿Me conviene recurrir?"]
    near_misses: ["¿Qué recurso cabe?"]
`)},
}

// newWorld makes the world; with law false none is installed.
func newWorld(t testing.TB, installed bool) world {
	t.Helper()
	p, err := pack.Load(manifest, "costa")
	if err != nil {
		t.Fatal(err)
	}
	w := world{packs: []*pack.Pack{p}, own: embeddedView(t, p)}
	if installed {
		w.law = view(t, lawDocs())
	}
	return w
}

// embeddedView is what packs bring with them.
func embeddedView(t testing.TB, packs ...*pack.Pack) query.View {
	t.Helper()
	var docs []corpus.Document
	for _, p := range packs {
		p.Norms(func(n digesto.Norm, u []digesto.Unit) bool {
			docs = append(docs, corpus.Document{Norm: n, Units: u})
			return true
		})
	}
	return view(t, docs)
}

func view(t testing.TB, docs []corpus.Document) query.View {
	t.Helper()
	s := corpus.Memory(docs...)
	x, err := index.Memory(context.Background(), s.Chunks(), index.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return query.View{Snapshot: s, Searcher: x, State: "test"}
}

func (w world) engine(t testing.TB, change func(*Options)) *Engine {
	t.Helper()
	opt := Options{Law: func() (query.View, func(), error) { return w.law, nil, nil }, Embedded: w.own, Packs: w.packs,
		Clock: func() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }}
	if change != nil {
		change(&opt)
	}
	e, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func ask(t testing.TB, e *Engine, q string) digesto.Answer {
	t.Helper()
	a, err := e.Ask(context.Background(), digesto.Question{Text: q, Pack: "costa"}, nil)
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	return a
}

func places(a digesto.Answer) string {
	var out []string
	for _, c := range a.Citations {
		out = append(out, fmt.Sprintf("%s/%s", c.Ref.Document, c.Ref.Unit))
	}
	return strings.Join(out, " ")
}

// quantile gives the value below which the share q of a list lies.
func quantile(list []float64, q float64) float64 {
	slices.Sort(list)
	return list[min(len(list)-1, int(q*float64(len(list))))]
}
