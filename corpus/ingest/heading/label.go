package heading

import (
	"strings"

	"digesto"
)

// Label is the name of a unit for people.
func Label(h Head) string {
	num := h.Num.String()
	switch h.Unit {
	case digesto.KindArticle:
		if h.Num.To > 0 {
			return "Artículos " + num + " a " + Number{Main: h.Num.To}.String()
		}
		return "Artículo " + num
	case digesto.KindPreliminary:
		return "Norma " + num
	case digesto.KindSection:
		return ordinal(h.Num, false)
	}
	name := map[digesto.UnitKind]string{digesto.KindAdditional: "Disposición adicional", digesto.KindTransitional: "Disposición transitoria",
		digesto.KindRepealing: "Disposición derogatoria", digesto.KindFinal: "Disposición final", digesto.KindOther: "Disposición complementaria"}[h.Unit]
	return strings.TrimSpace(name + " " + strings.ToLower(ordinal(h.Num, true)))
}

var (
	ordinalOnes = []string{"", "Primer", "Segund", "Tercer", "Cuart", "Quint", "Sext", "Séptim", "Octav", "Noven"}
	ordinalTens = []string{"", "Décim", "Vigésim", "Trigésim", "Cuadragésim", "Quincuagésim", "Sexagésim", "Septuagésim", "Octogésim", "Nonagésim"}
	ordinalTeen = []string{"Décim", "Undécim", "Duodécim", "Decimotercer", "Decimocuart", "Decimoquint", "Decimosext", "Decimoséptim", "Decimoctav", "Decimonoven"}
)

// ordinal writes a number as an ordinal word.
func ordinal(n Number, feminine bool) string {
	end := "o"
	if feminine {
		end = "a"
	}
	var s string
	switch {
	case n.Only:
		return "Únic" + end
	case n.Main == 0:
		return ""
	case n.Main >= 100:
		return n.String()
	case n.Main < 10:
		s = ordinalOnes[n.Main] + end
	case n.Main < 20:
		s = ordinalTeen[n.Main-10] + end
	default:
		s = ordinalTens[n.Main/10] + end
		if n.Main%10 > 0 {
			s += " " + strings.ToLower(ordinalOnes[n.Main%10]) + end
		}
	}
	return s + n.suffixed()
}
