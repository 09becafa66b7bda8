package text

import (
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/spanish"
)

// Stem gives the Spanish stem of a folded word: Snowball's algorithm, after a
// light step that brings together what Snowball keeps apart once accents are
// gone: régimen/regímenes, juez/jueces, aplicación/aplicaciones. A word with a
// digit in it is given back untouched, so that article numbers stay what they are.
func Stem(folded string) string {
	if len(folded) < 3 || hasDigit(folded) {
		return folded
	}
	w, done := light(folded)
	if done {
		return w
	}
	env := snowballstem.NewEnv(w)
	spanish.Stem(env)
	if s := env.Current(); s != "" {
		return s
	}
	return w
}

func hasDigit(s string) bool {
	for i := 0; i < len(s); i++ {
		if isDigit(s[i]) {
			return true
		}
	}
	return false
}

// zWords are words in -z with a plural in -ces. The list is closed because -ces is
// also the plural of -ce (índices, enlaces).
var zWords = WordSet(`acidez actriz albornoz altavoz antifaz aprendiz arroz atroz audaz avestruz barniz capaz capataz cicatriz
codorniz contraluz cruz desliz diez directriz disfraz doblez eficaz emperatriz falaz faz feliz feroz fugaz haz incapaz
ineficaz infeliz institutriz juez lapiz locuaz luz matriz motriz mordaz nuez paz perdiz perspicaz pez portavoz precoz
raiz rapaz sagaz solidez suspicaz tapiz tenaz tez timidez tenaz validez vejez veloz veraz vez viudez vivaz voraz voz
bisectriz automotriz secuaz soez ninez nitidez`)

// nounsEn end in -en and make their plural in -enes; Snowball takes their -en for a verb's.
var nounsEn = []string{"imen", "amen", "umen", "orden", "igen", "agen", "irgen", "oven", "argen", "abdomen", "imagen", "ermen"}

// light applies the rules before Snowball; done reports a finished stem.
func light(w string) (stem string, done bool) {
	if s, ok := strings.CutSuffix(w, "ces"); ok && len(w) >= 5 {
		if zWords[s+"z"] {
			return s + "z", true
		}
	}
	if zWords[w] {
		return w, true
	}
	if len(w) == 4 && w[3] == 's' && w[1] == 'i' && (w[2] == 'a' || w[2] == 'o') {
		return w[:3], true // día/días, vía/vías, río/ríos: too short for Snowball
	}
	if w == "interes" || w == "estres" {
		return w, true // Snowball takes their -es for a plural
	}
	s := strings.TrimSuffix(w, "es")
	if strings.HasSuffix(s, "en") {
		for _, e := range nounsEn {
			if strings.HasSuffix(s, e) {
				return s, true
			}
		}
	}
	// Snowball knows "ación" only with its accent; the plural loses it.
	if strings.HasSuffix(w, "acion") || strings.HasSuffix(w, "ucion") {
		return w + "es", false
	}
	return w, false
}
