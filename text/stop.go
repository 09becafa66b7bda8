package text

import "strings"

// stopWords carry no meaning of their own. Words that change what a rule says
// are missing on purpose: "no", "sin", "ni", "salvo", "excepto", "sino", "solo",
// "hasta", "desde", "antes", "después", "más", "menos", "todo", "ningún".
var stopWords = WordSet(`
a al algo ante aquel aquella aquellas aquello aquellos asi aun aunque bajo cabe cada como con cual cuales cualquier
cualquiera cuando cuya cuyas cuyo cuyos de del dicha dichas dicho dichos donde e el ella ellas ello ellos en entonces
entre era eran eres es esa esas ese eso esos esta estaba estaban estan estar estas este esto estos fue fueran fuere
fueren fueron fuera ha haber habia habian habra han has hay haya hayan he la las le les lo los me mediante mi mis
misma mismas mismo mismos mucho muy nos o os otra otras otro otros para pero por porque pues que quien quienes se
sea sean segun ser sera seran seria si siendo sido sobre son soy su sus suya suyas suyo suyos tal tales tambien tan
tanto te tener tiene tienen tu tus u un una unas uno unos y ya yo
`)

// WordSet is the set of the words of a text.
func WordSet(words string) map[string]bool {
	m := make(map[string]bool, 200)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// IsStop reports that a folded word is a stop word: it is not indexed. Numbers and
// words of negation, exception and limit never are.
func IsStop(folded string) bool {
	_, ok := stopWords[folded]
	return ok
}
