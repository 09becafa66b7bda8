package question

import (
	"slices"
	"strings"

	"digesto/text"
)

// FormWords are words of the question itself, not of the matter it is about.
var FormWords = text.WordSet(`qu cuant cual quien cuand dond com dic establec dispon regul senal contien decim explic sab quier necesit plaz
	acuerd conform segun art articul ley norm norma correct siguient respuest afirm opcion indiqu senal cas relacion respect trat pregunt hay corresponde correspond`)

// namesKind says that a word only says which kind of thing is asked for.
func namesKind(k Kind, plain string) bool {
	return slices.ContainsFunc(kindNouns[k], func(w string) bool { return strings.HasPrefix(plain, w) })
}

// LightWords carry a question and say nothing of its matter.
var LightWords = text.WordSet(`hacer hace hacen hago haga puedo puede pueden podria podrian tengo tiene tienes tenemos tener hay haber existe existen dar dan da dice dicen
	pedir pido pide pueda corresponde corresponden debo debe deben deberia necesito necesita quiero quiere dura duran durar cobro cobra cobran cobrar pago paga pagan
	pasa ocurre sucede caso casos forma manera persona personas alguien consiste llama llaman sirve sirven considera consideran entiende significa incluye aplica aplican
	tuve tuvo tenia tenian tenido teniendo tuviera tener hago hice hizo hecho haciendo haria hacerme hacerlo voy vas van vamos iba fui ido yendo vaya vayan irme irse
	vengo viene vienen volver vuelvo vuelve vuelva vuelvan dejar dejo deja dejan dejen poner pone ponen pongo ponerme puesto quitar quitan quita quitarme toca tocan tocaria
	llevo lleva llevamos llevan sigo sigue siguen sigan seguir digo dijo dijeron dicho sepa saber quieran quieres pudiera poder podre podra falta
	ayer anteayer anoche recien plata guita
	obligatorio posible legal mio mia tiempo vez veces cosa actual actualmente hoy ahora establece regula dispone hola gracias favor exactamente siempre`)

// kindNouns are beginnings of the words that name the asked kind of thing.
var kindNouns = map[Kind][]string{
	KindPeriod:     {"plazo", "durac", "tiempo", "dia", "semana", "mes", "ano", "hora", "periodicidad", "antelacion", "termino"},
	KindAmount:     {"cuantia", "importe", "monto", "precio", "coste", "costo", "valor", "cantidad", "numero"},
	KindDate:       {"fecha", "dia", "momento"},
	KindWho:        {"organo", "organismo", "competente", "autoridad", "encargad", "responsable"},
	KindList:       {"requisito", "documento", "documentacion", "supuesto", "caso", "condicion", "tipo", "clase"},
	KindDefinition: {"concepto", "definic", "significad"},
	KindHow:        {"procedimiento", "tramite", "paso", "manera", "forma"},
}

func Interrogative(w string) bool {
	switch w {
	case "cuanto", "cuanta", "cuantos", "cuantas", "cual", "cuales", "quien", "quienes", "cuando", "donde", "como", "que":
		return true
	}
	return false
}

// Counted gives the stem of the noun after "cuántos" or "cuántas".
func Counted(question string) string {
	toks := text.Tokens(nil, question)
	for i, t := range toks {
		if (t.Text == "cuantos" || t.Text == "cuantas") && i+1 < len(toks) {
			return text.Stem(toks[i+1].Text)
		}
	}
	return ""
}

// NounKinds gives the kinds of thing that a word names ("plazo", "cuantía").
func NounKinds(plain string) Kinds {
	var out Kinds
	for k := range kindNouns {
		if namesKind(k, plain) {
			out |= k.Bit()
		}
	}
	return out
}
