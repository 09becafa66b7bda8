package verify

import (
	"strings"
	"unicode"
)

// Function words that stand in nearly every sentence of their language and
// hardly in Spanish. Words that two languages share are in neither list.
var (
	spanishWords = words("el la los las un una unos unas del al y o que en por con para se su sus es son está están no lo le les como más pero si sí cuando donde esta este esto ese esa según entre sobre también hay ha han ser será deberá puede podrá qué cuál")
	foreignWords = words("the of and to is are was were in for that with this from by not be on it as at which shall must have has your you " +
		"le les des est dans pour que qui avec sur pas une du aux ce cette sont être par " +
		"o os do da dos das em é um ou foi não uma com são pelo pela mais ao às também você " +
		"il gli della dei delle che per non una sono con nel alla " +
		"der die das und ist nicht mit von den ein eine zu auf für " +
		"els les amb és per als dels aquest aquesta")
)

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// Spanish says whether a text is in Spanish, by its function words. A text of
// fewer than four words without any is let through: it may be a name or a figure.
func Spanish(s string) bool {
	n, es, other := 0, 0, 0
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) }) {
		n++
		inES, inOther := spanishWords[w], foreignWords[w]
		if inES && !inOther {
			es += 2
		} else if inES {
			es++
		}
		if inOther && !inES {
			other += 2
		} else if inOther {
			other++
		}
	}
	if n < 4 {
		return other <= es || es == 0 && other <= 2
	}
	return es > 0 && es >= other && latin(s)
}

// latin says that nearly all letters are of the Latin script.
func latin(s string) bool {
	in, out := 0, 0
	for _, r := range s {
		if !unicode.IsLetter(r) {
			continue
		}
		if unicode.Is(unicode.Latin, r) {
			in++
		} else {
			out++
		}
	}
	return out*10 <= in
}
