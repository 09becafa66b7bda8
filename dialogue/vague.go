package dialogue

import (
	"strings"

	"digesto/pack"
	"digesto/text"
)

// Vague says that a message asks for help and tells neither what happened nor what is
// asked ("tengo un problema con el banco, ¿me pueden ayudar?"); matter is what it names,
// as written; "" = nothing.
func Vague(said string) (matter string, ok bool) {
	words := pack.Words(said)
	if len(words) == 0 || len(words) > vagueWords || !matches(helps, words) {
		return "", false
	}
	w := Read(said)
	from, to, n := -1, -1, 0
	for i, t := range w.List {
		if text.IsStop(t.Text) || helpWords[t.Text] || emptyWords[t.Text] || Interrogatives[t.Text] || ties[t.Text] {
			continue
		}
		if strings.ContainsAny(t.Text, "0123456789") {
			return "", false // who tells figures tells the case
		}
		if n++; from < 0 {
			from, to = i, i
		} else if i == to+1 || i == to+2 && text.IsStop(w.List[to+1].Text) {
			to = i
		}
	}
	if n > vagueMatter {
		return "", false
	}
	if from >= 0 {
		matter = said[w.List[from].Start:w.List[to].End]
	}
	return matter, true
}

const (
	vagueWords  = 20 // who says more tells something
	vagueMatter = 3  // words that name a matter: with more it is told
)

// helps are the ways to ask for help at large.
var helps = patterns(
	"necesito|quiero|quisiera|busco|pido|preciso ?un ?una ?vuestra ?su ?tu ?de ayuda|orientacion|asesoramiento|asesoria|consejo",
	"me|nos pueden|podeis|puede|podes|puedes|podrian|podria|podriais|podrias ayudar|orientar|aconsejar|asesorar", "me|nos ayudan|ayudais|ayudas|ayuda|orientan|orientas", "echar|echan|echais|echas|echarme|echarnos una mano",
	"pueden|podeis|puede|podes|puedes|podrian|podria ayudarme|orientarme|aconsejarme|asesorarme|ayudarnos",
	"tengo|tenemos|traigo un|una|unos|unas problema|problemas|problemita|duda|dudas|consulta|lio|tema|asunto|cuestion",
	"tengo ?unas dudas|problemas con|de|sobre", "arreglar|regularizar|ordenar|resolver mi|mis|los|lo ?de",
	"no se que ?derechos ?me ?nos corresponde|corresponden|toca|tocaria|hacer", "no se por donde empezar", "que derechos tengo $", "una mano con")

// helpWords carry such a message and name nothing.
var helpWords = wordsSet(`ayudan ayudais ayudas echan echais echas orientan orientas ayuda ayudar ayudarme ayudarnos orientar orientarme orientacion aconsejar asesorar asesoramiento asesoria consejo echar echarme mano problema problemas problemita duda dudas
	consulta lio tema asunto cuestion caso situacion corresponde derechos hacer necesito quiero quisiera busco pido preciso traigo tengo tenemos tuve tuvimos se ver arreglar regularizar ordenar resolver
	toca tocaria empezar favor buenas buenos dias tardes noches hola urgente urgencia duermo preocupado preocupada nervioso nerviosa desesperado desesperada podeis pueden puede podes podria podrian`)
