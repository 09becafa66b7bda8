package ask

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"digesto/text"
)

// focus is what the sentences of an answer are measured by: the content words
// of the question with their weight, and what it asks for.
type focus struct {
	kind  Kind
	terms []weighted        // of the question, each stem once
	alt   [][]string        // stems of each synonym: it counts when all are there
	total float64           // sum of the weights
	local float64           // sum of the local weights
	noun  string            // stem of the noun counted by "cuántos …"; "" = none
	where map[string]int    // stem → index in terms
	pairs map[[2]string]int // stems that follow one another in the question

	slots     slots // of all these words: see sight
	altSlots  [][]int32
	pairSlots []pairSlot
	rows      []uint64 // of the unit looked at last
	seen      map[*unitText]*sight
}

type weighted struct {
	stem  string
	kin   string  // of its family, "" = none: see kinOf
	part  float64 // share of its weight that counts: see share
	idf   float64 // weight in the collection
	local float64 // weight among the units found: what tells their sentences apart

	slot, kinSlot int32 // -1 = no family
}

// askWords are words of the question itself, not of the matter it is about.
var askWords = text.WordSet(`qu cuant cual quien cuand dond com dic establec dispon regul senal contien decim explic sab quier necesit plaz
	acuerd conform segun art articul ley norm norma correct siguient respuest afirm opcion indiqu senal cas relacion respect trat pregunt hay corresponde correspond`)

// newFocus weighs the content words of a question. named are the words
// with which it names units, which are no content; idf gives the weight of a
// stem in the collection; a word that it does not know has the largest.
func newFocus(an *text.Analyser, asked, struck string, named map[string]bool, also []string, idf func(stem string) float64) *focus {
	f := &focus{kind: kindOf(asked), where: map[string]int{}, pairs: map[[2]string]int{}}
	prev := ""
	for _, t := range an.Terms(struck) {
		if t.Stem == "" || t.Part || askWords[t.Stem] || named[t.Stem] || interrogative(t.Plain) {
			continue
		}
		if prev != "" {
			f.pairs[[2]string{prev, t.Stem}]++
		}
		prev = t.Stem
		if _, ok := f.where[t.Stem]; ok {
			continue
		}
		part := share(f.kind, t.Plain)
		w := part * idf(t.Stem)
		if w <= 0 {
			continue
		}
		f.where[t.Stem] = len(f.terms)
		f.terms = append(f.terms, weighted{stem: t.Stem, kin: kinOf(t.Stem), part: part, idf: w, local: w})
		f.total += w
	}
	for _, a := range also {
		var stems []string
		for _, t := range an.Terms(a) {
			if t.Stem != "" && !t.Part {
				stems = append(stems, t.Stem)
			}
		}
		if len(stems) > 0 {
			f.alt = append(f.alt, stems)
		}
	}
	f.noun = counted(asked)
	f.place()
	return f
}

// contextShare is how much of its weight a word keeps that the question took
// from the conversation: an answer need not repeat it.
const contextShare = .3

// lighten takes weight from the words that come from the conversation and that
// the person did not say now.
func (f *focus) lighten(an *text.Analyser, context, said string) {
	if context == "" {
		return
	}
	own := map[string]bool{}
	for _, t := range an.Terms(said) {
		own[t.Stem] = true
	}
	for _, t := range an.Terms(context) {
		k, ok := f.where[t.Stem]
		if !ok || own[t.Stem] {
			continue
		}
		own[t.Stem] = true // once
		x := &f.terms[k]
		f.total -= x.idf * (1 - contextShare)
		x.part, x.idf, x.local = x.part*contextShare, x.idf*contextShare, x.local*contextShare
	}
}

// share is how much of a word's weight counts: words that only carry the question
// ("hacer", "tener"), or say which kind of thing is asked ("plazo", "requisitos"),
// say little about the matter.
func share(k Kind, plain string) float64 {
	if lightWords[plain] {
		return .15
	}
	if namesKind(k, plain) {
		return .3
	}
	return 1
}

// namesKind says that a word only says which kind of thing is asked for.
func namesKind(k Kind, plain string) bool {
	return slices.ContainsFunc(kindWords[k], func(w string) bool { return strings.HasPrefix(plain, w) })
}

var lightWords = text.WordSet(`hacer hace hacen hago haga puedo puede pueden podria podrian tengo tiene tienes tenemos tener hay haber existe existen dar dan da dice dicen
	pedir pido pide pueda corresponde corresponden debo debe deben deberia necesito necesita quiero quiere dura duran durar cobro cobra cobran cobrar pago paga pagan
	pasa ocurre sucede caso casos forma manera persona personas alguien consiste llama llaman sirve sirven considera consideran entiende significa incluye aplica aplican
	tuve tuvo tenia tenian tenido teniendo tuviera tener hago hice hizo hecho haciendo haria hacerme hacerlo voy vas van vamos iba fui ido yendo vaya vayan irme irse
	vengo viene vienen volver vuelvo vuelve vuelva vuelvan dejar dejo deja dejan dejen poner pone ponen pongo ponerme puesto quitar quitan quita quitarme toca tocan tocaria
	llevo lleva llevamos llevan sigo sigue siguen sigan seguir digo dijo dijeron dicho sepa saber quieran quieres pudiera poder podre podra falta
	ayer anteayer anoche recien plata guita
	obligatorio posible legal mio mia tiempo vez veces cosa actual actualmente hoy ahora establece regula dispone hola gracias favor exactamente siempre`)

// kindWords are beginnings of the words that name the asked kind of thing.
var kindWords = map[Kind][]string{
	KindPeriod:     {"plazo", "durac", "tiempo", "dia", "semana", "mes", "ano", "hora", "periodicidad", "antelacion", "termino"},
	KindAmount:     {"cuantia", "importe", "monto", "precio", "coste", "costo", "valor", "cantidad", "numero"},
	KindDate:       {"fecha", "dia", "momento"},
	KindWho:        {"organo", "organismo", "competente", "autoridad", "encargad", "responsable"},
	KindList:       {"requisito", "documento", "documentacion", "supuesto", "caso", "condicion", "tipo", "clase"},
	KindDefinition: {"concepto", "definic", "significad"},
	KindHow:        {"procedimiento", "tramite", "paso", "manera", "forma"},
}

func interrogative(w string) bool {
	switch w {
	case "cuanto", "cuanta", "cuantos", "cuantas", "cual", "cuales", "quien", "quienes", "cuando", "donde", "como", "que":
		return true
	}
	return false
}

// counted gives the stem of the noun after "cuántos" or "cuántas".
func counted(question string) string {
	toks := text.Tokens(nil, question)
	for i, t := range toks {
		if (t.Text == "cuantos" || t.Text == "cuantas") && i+1 < len(toks) {
			return text.Stem(toks[i+1].Text)
		}
	}
	return ""
}

// cover is the share of the question's information that a set of stems holds,
// 0–1. A synonym counts for what is missing, at three quarters of its weight.
func (f *focus) cover(has func(stem string) bool) float64 {
	return f.weigh(has, func(t weighted) float64 { return t.idf }, f.total)
}

// rare is the share of the three most telling words of the question that a set
// of stems holds.
func (f *focus) rare(has func(stem string) bool) float64 {
	list := slices.Clone(f.terms)
	slices.SortStableFunc(list, func(a, b weighted) int { return cmp.Compare(b.idf, a.idf) })
	got, total := 0.0, 0.0
	for _, t := range list[:min(3, len(list))] {
		total += t.idf
		if has(t.stem) {
			got += t.idf
		}
	}
	return got / max(total, 1e-9)
}

// weightOf gives what a stem of the question tells; 0 for one that is no content.
func (f *focus) weightOf() func(string) float64 {
	return func(stem string) float64 {
		if k, ok := f.where[stem]; ok {
			return f.terms[k].idf
		}
		return 0
	}
}

func (f *focus) weigh(has func(stem string) bool, weight func(weighted) float64, total float64) float64 {
	if total == 0 {
		return 0
	}
	got, missing := 0.0, 0.0
	for _, t := range f.terms {
		if has(t.stem) {
			got += weight(t)
		} else if t.kin != "" && has(t.kin) {
			got += kinShare * weight(t)
		} else {
			missing = math.Max(missing, weight(t))
		}
	}
	if missing > 0 {
		for _, stems := range f.alt {
			if allOf(stems, has) {
				got += .75 * missing
				break
			}
		}
	}
	return math.Min(1, got/total)
}

// localise sets the local weights: the rarer a word is among the units found, the
// more it tells them apart.
func (f *focus) localise(among ...*unitText) {
	f.local = 0
	units := make([]bits, len(among))
	for k := range among {
		units[k] = f.on(among[k]).all
	}
	for k, t := range f.terms {
		df := 0
		for _, u := range units {
			if u.has(t.slot) {
				df++
			}
		}
		f.terms[k].local = t.part * logIDF(2*len(among), df)
		f.local += f.terms[k].local
	}
}

func allOf(stems []string, has func(string) bool) bool {
	for _, s := range stems {
		if !has(s) {
			return false
		}
	}
	return true
}

// logIDF is the weight of a term that df of n texts hold.
func logIDF(n, df int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+.5)/(float64(df)+.5))
}

// stemsOf is the set of stems of a text.
func stemsOf(an *text.Analyser, s string) map[string]bool {
	m := map[string]bool{}
	for _, t := range an.Terms(s) {
		if t.Stem != "" {
			m[strings.Clone(t.Stem)] = true
			if k := kinOf(t.Stem); k != "" {
				m[k] = true
			}
		}
	}
	return m
}

// unasked counts the stems that the question does not have itself: those that it has
// are counted already.
func (f *focus) unasked(stems []string) int {
	n := 0
	for _, s := range stems {
		if _, ok := f.where[s]; !ok {
			n++
		}
	}
	return n
}
