package brief

import (
	"regexp"
	"slices"
	"sort"
	"strings"
)

// Parts named by themselves: right before a quotation, "…; y el inciso 6, «…»", "El
// apartado 5 añade que «…»", "; inc. c) «…»", and right behind it in brackets, "«…» (inc.
// b)", "«…» (ídem, apartado 4)".
const aPart = `(?:apartado|apdo\.|ap\.|inciso|inc\.?|numeral|num\.|literal|lit\.|letra|ordinal)\s(?:\d{1,2}(?:\.[a-zñ]\)?)?|[a-zñ]\)|[a-zñ]\b)`

var (
	partNamed    = regexp.MustCompile(`(?i)(?:\b(?:y|e|pero|mientras que)|[,;.])\s(?:(?:el|la|su|del|de la|en el|en la)\s)+(` + aPart + `(?:,?\s(?:del|de la)\s` + aPart + `)?)[º°]?(?:[\s,:][^.«“"]{0,40})?[«“"]?$|\b(?:(?:según|conforme a|a tenor de|en)\s(?:el|la|su|los?)\s(` + aPart + `)[º°]?[,:]?|(?:el|la|del|de la)\s(` + aPart + `)[º°]?:)\s?$`)
	partBefore   = regexp.MustCompile(`(?i)(?:^|[\n(;.,])\s*(?:y\s)?(?:(?:el|la)\s)?(` + aPart + `)\)?[º°]?[\s,:]*$`)
	partBehind   = regexp.MustCompile(`(?i)^[.,]?\s?[(\[](?:(?:ídem|idem|ibídem|ibidem|íd\.|id\.|ibíd\.|ib\.|mismo (?:artículo|precepto|art\.))[,.]?\s)?(` + aPart + `(?:,?\s(?:(?:del|de la|y)\s)?` + aPart + `)?)[º°]?[)\]]`)
	partAside    = regexp.MustCompile(`(?i)^,?\s(?:en\s)?(?:(?:el|la|los|las|del|de la)\s)?((?:letras?|apartados?|` + aPart + `|párrafo \pL+)(?:\s[a-zñ]\) y [a-zñ]\))?(?:,?\s(?:del|de la)\s` + aPart + `)?)(?:\s(?:del|de la|de)\s(?:(?:ese|esa|este|esta|dicho|dicha|mismo|misma|citado|citada|propio|propia)\s)+(?:artículo|art\.|precepto|norma)|\s?[.;)]|\s?$)`)
	goesTogether = regexp.MustCompile(`(?i)^,?\s(?:y|e|,)?\s?(?:(?:a|de|en|el|la|los|las|que)\s)*$`)
)

// ofTheLast ends right before a part that is said of the quotation before it: "«…» (inc. a), ".
var ofTheLast = regexp.MustCompile(`[»”"’'][\s,(\[]*$`)

// ownPart gives to a citation the part that is named beside a quotation behind it.
func (j *judge) ownPart(m mention, q quotation) mention {
	if m.Detail == "" || m.End >= q.from {
		return m
	}
	if n := partBehind.FindStringSubmatch(string(j.runes[q.to:min(len(j.runes), q.to+60)])); n != nil {
		within, _ := levelsOf(m.Detail)
		m.Detail = n[1]
		if own, _ := levelsOf(n[1]); len(own) > 0 && own[0].kind != numberPart && len(within) > 0 && within[0].kind == numberPart {
			m.Detail = "apartado " + within[0].values[0] + ", " + n[1]
		}
		return m
	}
	if n := partAside.FindStringSubmatch(j.behind(q)); n != nil {
		m.Detail = n[1]
		return m
	}
	before := string(j.runes[max(m.End, q.from-110):q.from])
	if n := partNamed.FindStringSubmatch(before); n != nil {
		m.Detail = n[1] + n[2] + n[3]
	} else if n := partBefore.FindStringSubmatchIndex(before); n != nil && !ofTheLast.MatchString(before[:n[2]]) {
		m.Detail = before[n[2]:n[3]]
	}
	return m
}

// Parts that stand beside a unit and are not read with it: "art. 5 LXY, primer párrafo:", "LXY,
// art. 5, 2:", "el n.º 2 del art. 5".
var (
	partNext  = regexp.MustCompile(`(?i)^(?:,\s?|\s?\(|\s)((?:(?:primer|segundo|tercer|cuarto|quinto|sexto|último|penúltimo)\s(?:párrafo|apartado|inciso|punto)|(?:` + partNames + `)\s?(?:\d{1,3}[º°]?|[a-zñ]\)?|\pL{5,9})(?:,?\s(?:` + partNames + `)\s?(?:\d{1,3}|[a-zñ]\)?))?|in fine|\d{1,2}(?:\.\d{1,2})?))\)?\s?(?:[:,;)\]»«“"—–-]|\.(?:\s|$)|$|\n)`)
	partPrior = regexp.MustCompile(`(?i)\b(?:n\.?[º°]|número|nro\.?|núm\.?)\s?(\d{1,2})\s(?:del|de la|de los)\s$`)
)

const partNames = `apartado|apdo\.|ap\.|párrafo|párr\.|pár\.|inciso|inc\.?|numeral|num\.|núm\.|nro\.|letra|let\.|literal|lit\.|ordinal`

// besideIt gives to a citation the part that stands next to it.
func (j *judge) besideIt(m mention) mention {
	if m.Unit == "" {
		return m
	}
	if n := partNext.FindStringSubmatch(string(j.runes[min(m.End, len(j.runes)):min(len(j.runes), m.End+60)])); n != nil {
		if _, ok := levelsOf(n[1]); ok {
			m.Detail = strings.Trim(m.Detail+", "+n[1], ", ")
		}
	}
	if n := partPrior.FindStringSubmatch(string(j.runes[max(0, m.Start-30):m.Start])); n != nil {
		m.Detail = strings.Trim("apartado "+n[1]+", "+m.Detail, ", ")
	}
	return m
}

// behind gives what the author writes behind a quotation, or behind the last of those that
// go together with it: "«…» y las «…», letras b) y c)".
func (j *judge) behind(q quotation) string {
	to := q.to
	for _, next := range j.quotes[sort.Search(len(j.quotes), func(k int) bool { return j.quotes[k].from >= to }):] {
		if next.from-to >= 12 {
			break
		}
		if next.from >= to && next.from-to < 12 && goesTogether.MatchString(string(j.runes[to:next.from])) {
			to = next.to
		}
	}
	return string(j.runes[to:min(len(j.runes), to+80)])
}

// ownHeading is the heading of an article at the start of a quotation.
var ownHeading = regexp.MustCompile(`^(?i)art(?:ículo|iculo|\.)?\s*(\d{1,4})[º°ª]?(?:\.[º°ª]?)?(?-i:\s(?:del?\s(?:la\s)?)?\p{Lu}[\p{Lu}.]{1,9})?\s*[.:–—-]+\s*`)

// headed takes the heading of an article off a quotation whose words do not stand right
// behind it in the law ("Artículo 5. […]"), and lets it say which article of a norm is
// cited when nothing else does.
func (j *judge) headed(want []stretch, places []place) ([]stretch, []place, error) {
	m := ownHeading.FindStringSubmatch(want[0].words)
	if m == nil || len(m[0]) == len(want[0].words) {
		return want, places, nil
	}
	unit := "a" + m[1]
	own := slices.Clone(places)
	for i, p := range own {
		if p.unit != "" && p.unit != unit {
			return want, places, nil
		}
		if p.unit == "" {
			_, ok := j.Law.Unit(p.norm.ID, unit)
			own[i].unit, own[i].missing = unit, !ok
		}
	}
	for _, p := range own {
		if there, err := j.search(p, want); len(there) > 0 || err != nil {
			return want, own, err
		}
	}
	rest := slices.Clone(want)
	rest[0] = want[0].with(want[0].words[len(m[0]):])
	return rest, own, nil
}
