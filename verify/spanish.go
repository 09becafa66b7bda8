package verify

import (
	"strings"
	"unicode"

	"digesto/text"
)

// Function words that stand in nearly every sentence of their language and
// hardly in Spanish. Words that two languages share are in neither list.
var (
	spanishWords = text.WordSet("el la los las un una unos unas del al y o que en por con para se su sus es son está están no lo le les como más pero si sí cuando donde esta este esto ese esa según entre sobre también hay ha han ser será deberá puede podrá qué cuál")
	foreignWords = text.WordSet("the of and to is are was were in for that with this from by not be on it as at which shall must have has your you " +
		"le les des est dans pour que qui avec sur pas une du aux ce cette sont être par " +
		"o os do da dos das em é um ou foi não uma com são pelo pela mais ao às também você " +
		"il gli della dei delle che per non una sono con nel alla " +
		"der die das und ist nicht mit von den ein eine zu auf für " +
		"els les amb és per als dels aquest aquesta")
)

// Spanish says whether a text is in Spanish, by its function words. A short text
// without any of any language is let through: it may be a name, a figure or a row
// of a table with the title of its law.
func Spanish(s string) bool {
	n, es, other := functionWords(s)
	if n < 4 {
		return other <= es || es == 0 && other <= 2
	}
	return es >= other && (es > 0 || n < telling) && latin(s)
}

// telling is the number of words from which a text without function words is no Spanish.
const telling = 40

// Foreign says whether a text is plainly in another language: several function
// words of one and hardly any Spanish. Bare keywords are not foreign.
func Foreign(s string) bool {
	_, es, other := functionWords(s)
	return other >= 6 && other > 2*es || !latin(s)
}

// functionWords counts the words of a text and weighs those that are Spanish or
// foreign function words: 2 for one of one side alone, 1 for one of both.
func functionWords(s string) (n, es, other int) {
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) }) {
		n++
		inES, inOther := spanishWords[w], foreignWords[w]
		switch {
		case inES && inOther:
			es++
			other++
		case inES:
			es += 2
		case inOther:
			other += 2
		}
	}
	return n, es, other
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
