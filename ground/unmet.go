package ground

import (
	"slices"
	"strings"

	"digesto/extract"
	"digesto/pack"
	"digesto/passage"
	"digesto/query"
	"digesto/question"
	"digesto/retrieve"
	"digesto/text"
)

// Forms of questions that name what the answer must hold.
var (
	payForms    = PatternsOf("cuanto|cuanta cobra|cobran|gana|ganan|percibe|perciben|cuesta|cuestan", "que sueldo|salario|paga tiene|tienen|cobra|cobran|gana|ganan|percibe|perciben", "cual es el sueldo|salario de|del", "cuanto es el sueldo|salario|haber minimo", "cuanto es la jubilacion minima")
	earnerForms = PatternsOf("cuanto cobra|gana|percibe un|una _ $", "que sueldo|salario tiene|cobra|gana|percibe un|una _ $")
	priceForms  = PatternsOf("cuanto cuesta|cuestan|sale|salen|vale|valen", "que precio|coste|costo tiene|tienen", "cual es el precio|coste|costo de|del")
	placeForms  = PatternsOf("en que|cual articulo ... ... regula|regulan|habla|trata|establece|prohibe|permite|dice|recoge|contempla|fija|preve|reconoce|autoriza")
	fineForms   = PatternsOf("que multa|multas|sancion|sanciones|pena|penas|castigo|condena|prision _", "cuanta prision|carcel", "cuantos anos de prision|carcel")
	// who first did a thing is history: law does not tell it, however near it is
	PastForms = PatternsOf("^ quien|quienes invento|inventaron|descubrio|descubrieron|escribio|escribieron|pinto|pintaron|compuso|compusieron")
)

func PatternsOf(list ...string) []pack.Pattern {
	var out []pack.Pattern
	for _, s := range list {
		out = append(out, query.MustPattern(s))
	}
	return out
}

func MatchesAny(list []pack.Pattern, words []string) bool {
	return slices.ContainsFunc(list, func(p pack.Pattern) bool { return p.Match(words) })
}

// fineWords begin the words with which law speaks of what it punishes and how.
var fineWords = []string{"multa", "sancion", "infraccion", "falta", "pena", "prision", "reclusion", "inhabilita", "delito"}

// elsewhereAsked says that a question for the place in an installed norm that it names
// would be answered by a fiche of another norm.
func elsewhereAsked(h retrieve.Hits, norm string) bool {
	if len(h.Norms) == 0 || !MatchesAny(placeForms, pack.Words(h.Q.Text)) {
		return false
	}
	n, ok := h.Installed(norm)
	return !ok || !slices.Contains(h.Norms, n.ID)
}

// Unmet says that the unit, near as it is, does not hold what is asked for: pay or a
// price without any sum; what somebody of a trade earns, said of nobody of that trade; a
// punishment where none is spoken of; who invented a thing; the place where a norm
// regulates a matter, which it does not name.
func Unmet(h retrieve.Hits, x retrieve.Hit) bool {
	if x.Exact {
		return false
	}
	words := pack.Words(h.Q.Text)
	if MatchesAny(payForms, words) && !x.Prepared.Anywhere(passage.HasMoney|passage.HasPercent) {
		return true
	}
	if MatchesAny(priceForms, words) && !prices(h, x.Prepared) || uncounted(h, x) {
		return true
	}
	if MatchesAny(earnerForms, words) && !(x.Prepared.Anywhere(passage.HasMoney) && says(h, x, words[len(words)-1])) {
		return true
	}
	if MatchesAny(PastForms, words) || MatchesAny(fineForms, words) && !punishes(x.Prepared) {
		return true
	}
	return len(h.Norms) > 0 && MatchesAny(placeForms, words) && placed(h, x) < extract.NearlyAll
}

// currencies are the moneys, in the singular, in which a price is told.
var currencies = []string{"euro", "peso", "sol", "dolar", "unidad"}

// prices says that a unit tells a price: a sum in some money or in a unit of account of
// the pack, a percentage, or that nothing is to be paid.
func prices(h retrieve.Hits, u *passage.Unit) bool {
	moneys := currencies
	for _, x := range h.Pack.Units {
		moneys = slices.Concat(moneys, x.Words)
	}
	return slices.ContainsFunc(u.Sentences, func(s passage.Sentence) bool {
		return s.Holds&passage.HasPercent != 0 || strings.ContainsAny(s.Text, "€$") || slices.ContainsFunc(text.Tokens(nil, s.Text), func(t text.Token) bool {
			one := strings.TrimSuffix(strings.TrimSuffix(t.Text, "s"), "e")
			return s.Holds&passage.HasMoney != 0 && slices.Contains(moneys, one) || strings.HasPrefix(one, "gratuit")
		})
	})
}

// timeUnits are how the words sound that count time: a period holds them in other words too
// ("plazo", "semanal").
var timeUnits = func() map[string]bool {
	out := map[string]bool{}
	for w := range text.WordSet("dia dias semana semanas mes meses ano anos hora horas minuto minutos vez veces") {
		out[text.Sound(w)] = true
	}
	return out
}()

// uncounted says that a question counts things ("¿cuántos … ?") of which neither the unit
// speaks, in its words or in others, nor the fiche that leads there. A percentage counts
// things by what they are a part of.
func uncounted(h retrieve.Hits, x retrieve.Hit) bool {
	noun := ""
	toks := text.Tokens(nil, h.Q.Text)
	for i, t := range toks {
		if (t.Text == "cuantos" || t.Text == "cuantas") && i+1 < len(toks) {
			noun = toks[i+1].Text
		}
	}
	if noun == "" || x.Prepared.Anywhere(passage.HasPercent) || timeUnits[text.Sound(noun)] || question.LightWords[noun] || text.IsStop(noun) {
		return false
	}
	k, ok := h.Focus.Where[text.Stem(noun)]
	if !ok {
		return false
	}
	t := h.Focus.Terms[k]
	return !t.SaysWord(x.Prepared) && !means(x, t.Stem) && !otherwise(h, x, t.Stem) && !heard(x, noun)
}

// heard says that a unit has a word that sounds as this one is written: "cuántos ijos".
func heard(x retrieve.Hit, noun string) bool {
	sound := text.Sound(noun)
	return slices.ContainsFunc(x.Prepared.Sentences, func(s passage.Sentence) bool {
		return slices.ContainsFunc(text.Tokens(nil, s.Text), func(t text.Token) bool { return text.Sound(t.Text) == sound })
	})
}

// placed is the share of a matter that the paragraph of the deciding sentence and the
// rubric hold in its own words or those of its family: words here and there are not
// the place of a matter, and a synonym of another thing is none.
func placed(h retrieve.Hits, x retrieve.Hit) float64 {
	got, total := 0.0, 0.0
	for _, t := range h.Focus.Terms {
		total += t.IDF
		if has := func(s string) bool {
			return means(x, s) || x.Prepared.InParagraph(x.Pick.At, s) || x.Prepared.RubricHas(s)
		}; has(t.Stem) || t.Family != "" && has(t.Family) {
			got += t.IDF
		}
	}
	return got / max(total, 1e-9)
}

// punishes says that a unit or its headings speak of a punishment, or of a sum.
func punishes(u *passage.Unit) bool {
	if u.Anywhere(passage.HasMoney | passage.HasPercent) {
		return true
	}
	said := text.Fold(u.Title)
	for i := range u.Sentences {
		said += " " + text.Fold(u.Sentences[i].Text)
	}
	return slices.ContainsFunc(fineWords, func(w string) bool { return strings.Contains(" "+said, " "+w) })
}

// says says that the deciding sentence names somebody, one or several ("médicos", but
// not "médica", which shares its stem), or in other words that mean the same.
func says(h retrieve.Hits, x retrieve.Hit, noun string) bool {
	at := x.Prepared.Sentences[x.Pick.At]
	for _, t := range text.Tokens(nil, at.Text) {
		if t.Text == noun || t.Text == noun+"s" || t.Text == noun+"es" {
			return true
		}
	}
	return slices.ContainsFunc(h.Focus.Alt, func(stems []string) bool {
		return extract.AllOf(stems, func(s string) bool { return x.Prepared.SentHas(x.Pick.At, passage.Key(s)) })
	})
}
