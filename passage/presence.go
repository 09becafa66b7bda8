package passage

import (
	"strings"

	"digesto/text"
)

// Presence says which kinds of thing a sentence holds: a set of bits.
type Presence uint32

const (
	HasNumber Presence = 1 << iota
	HasMoney
	HasPercent
	HasPeriod
	HasDate
	HasOrgan
	HasModal
	HasDefinition
	HasException
	HasProcedure
	HasRate // how often, without how long
	hasNegation
)

// words of each kind, folded; a trailing "*" stands for any ending.
var markWords = []struct {
	bit   Presence
	words []string
}{
	{HasMoney, list("euro* peso* sol soles dolar* moneda eur ars pen unidad* salario* sueldo* remuneracion* cuota*")},
	{HasPercent, list("porcentaje* ciento porciento")},
	{HasPeriod, list("dia* mes meses ano anos semana* hora* trimestre* semestre* bienio trienio quincena* plazo* inmediat*")},
	{HasRate, list("mensual* anual* diari*")},
	{HasDate, list("enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre cuando desde partir siguiente momento fecha dia vez")},
	{HasOrgan, list("organo* organismo* juez juece* jueza* juzgado* tribunal* sala salas ministr* ministerio* consej* president* director* alcald* pleno junta* comision* secretari* autoridad* " +
		"administracion* gobierno* congreso senado camara* parlamento cortes rey fiscal* defensor* empleador* empresari* empresa trabajador* delegad* subdelegad* inspeccion* inspector* intendent* municipalidad* " +
		"ayuntamiento* notari* registrador* intendencia* superintendencia* gerent* rector* jefe* jefatura* titular* representante* entidad* instituto* agencia* comunidad* provincia* diputad* senador* letrad* abogad* " +
		"progenitor* padre* madre* conyuge* heredero* acreedor* deudor* arrendador* arrendatari* propietari* contribuyente* interesad* persona* sociedad* perito* curador* tutor* poder legislativ* ejecutivo*")},
	{HasModal, list("podra* puede* poder debera* debe* tendra* tiene* obligad* obligatori* prohib* permit* nul* procede* corresponde* exig* requer* necesari* sera* seran excluye* derecho* autoriz* suspend* lici* valid*")},
	{HasDefinition, list("entiende* entendera* considera* considerara* define* denomina* llama* constituye* consiste* comprende* significa* tendra* concepto tiene* conjunto aquell*")},
	{HasException, list("salvo excepto excepcion* excepcional* exceptua* exceptuan* obstante perjuicio embargo excluid* excluye* excluyen* menos")},
	{HasProcedure, list("mediante solicitud* presenta* presentara* presentar* procedimiento* tramit* traves escrito* formulari* instancia* previa* previo comunica* notific* inscri* interpon* formula* deber* realiza* efectu*")},
	{hasNegation, list("no ningun* nunca prohib* tampoco")},
}

func list(s string) []string { return strings.Fields(s) }

// marks is markWords as a look-up: whole words and, by their first four bytes, beginnings.
var marks = func() (m struct {
	whole map[string]Presence
	begin map[string][]beginning
}) {
	m.whole, m.begin = map[string]Presence{}, map[string][]beginning{}
	for _, g := range markWords {
		for _, w := range g.words {
			if b, ok := strings.CutSuffix(w, "*"); ok {
				k := b[:min(3, len(b))]
				m.begin[k] = append(m.begin[k], beginning{b, g.bit})
			} else {
				m.whole[w] |= g.bit
			}
		}
	}
	return m
}()

type beginning struct {
	text string
	bit  Presence
}

// kindsOfWord gives the kinds that one folded word stands for.
func kindsOfWord(w string) Presence {
	p := marks.whole[w]
	if len(w) >= 3 {
		for _, b := range marks.begin[w[:3]] {
			if strings.HasPrefix(w, b.text) {
				p |= b.bit
			}
		}
	}
	return p
}

// presenceOf reads a sentence's words. A number makes a period of a word of
// time and an amount of a word of money near it.
func presenceOf(terms []text.Term, raw string) Presence {
	var p Presence
	numberAt := -10
	for i, t := range terms {
		if t.Stem != "" && t.Stem[0] >= '0' && t.Stem[0] <= '9' {
			p |= HasNumber
			numberAt = i
		}
		m := kindsOfWord(t.Plain)
		if m&(HasPeriod|HasMoney) != 0 && oneBefore(raw, t.Start) {
			p |= HasNumber
			numberAt = i
		}
		if m&(HasPeriod|HasMoney) != 0 && i-numberAt > 4 && !nextNumber(terms, i) && !timeAlone(t.Plain) {
			m &^= HasPeriod | HasMoney
		}
		p |= m
	}
	if strings.ContainsAny(raw, "%") {
		p |= HasPercent
	}
	if strings.ContainsAny(raw, "€$") || strings.Contains(raw, "S/") {
		p |= HasMoney
	}
	return p
}

// oneBefore says that "un" or "una" stands before a word: a number there, though a
// stop word elsewhere.
func oneBefore(raw string, at int) bool {
	if at > len(raw) {
		return false
	}
	before := strings.ToLower(raw[max(0, at-5):at])
	for _, w := range []string{"un ", "una "} {
		if b, ok := strings.CutSuffix(before, w); ok && (b == "" || b[len(b)-1] == ' ' || b[len(b)-1] == '\n') {
			return true
		}
	}
	return false
}

func nextNumber(terms []text.Term, i int) bool {
	for k := i + 1; k < len(terms) && k <= i+2; k++ {
		if s := terms[k].Stem; s != "" && s[0] >= '0' && s[0] <= '9' {
			return true
		}
	}
	return false
}

// timeAlone are words that say how long or how often without a number.
func timeAlone(w string) bool {
	for _, b := range []string{"inmediat", "mensual", "anual", "diari", "semanal", "trimestral", "semestral"} {
		if strings.HasPrefix(w, b) {
			return true
		}
	}
	return false
}
