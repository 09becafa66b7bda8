package brief

import (
	"regexp"
	"strings"
)

// court are the patterns of a court that speaks of a unit, whose words are then not the
// law's: "Sobre el artículo 5 ha dicho la Sala que «…»", "La sentencia señala respecto
// del artículo 5 que «…»".
type court struct {
	says *regexp.Regexp // between the unit and the quotation
	head *regexp.Regexp // before the unit
}

// courtOf makes the patterns with the initials of courts beside the common nouns.
func courtOf(initials []string) court {
	words := `\b(?:[Tt]ribunal|[Ss]ala|[Ss]entencia|[Jj]uzgado|[Jj]urisprudencia|[Dd]octrina`
	for _, c := range initials {
		words += "|" + regexp.QuoteMeta(strings.TrimSpace(c))
	}
	words += `)\b`
	return court{regexp.MustCompile(words + `[^.;:«“"]{0,80}\sque[\s,]*$`), regexp.MustCompile(words + `(?:\s?\([^()]{0,60}\))?[^.;«“"]{0,100}$`)}
}

var (
	speaksOf  = regexp.MustCompile(`(?i)(?:sobre|respecto (?:de|a)|al interpretar|interpretando|en relación (?:con|a)|a propósito de|en torno a|al aplicar|aplicando|al hilo de)(?:l| (?:el|la|los))?\s?$`)
	courtThat = regexp.MustCompile(`^[^.;:«“"]{0,20}\sque[\s,]*$`)
)

// ofCourt says that a quotation is what a court says of the unit cited before it.
func (j *judge) ofCourt(list []mention, q quotation) bool {
	start, end := list[0].Start, list[len(list)-1].End
	if list[0].ruling || q.from-end > reachBefore || !speaksOf.MatchString(string(j.runes[max(0, start-40):start])) {
		return false
	}
	gap := string(j.runes[end:q.from])
	return j.court.says.MatchString(gap) || courtThat.MatchString(gap) && j.court.head.MatchString(string(j.runes[max(0, start-180):start]))
}
