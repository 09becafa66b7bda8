package brief

import (
	"slices"
	"sort"
	"strings"

	"digesto/text/lazyregexp"
	"digesto/verify/read"
)

// Parts named by themselves: right before a quotation, "…; y el inciso 6, «…»", "El
// apartado 5 añade que «…»", "; inc. c) «…»", and right behind it in brackets, "«…» (inc.
// b)", "«…» (ídem, apartado 4)".
const aPart = `(?:apartado|apdo\.|ap\.|inciso|inc\.?|numeral|num\.|literal|lit\.|letra|ordinal)\s(?:\d{1,2}(?:\.[a-zñ]\)?)?|[a-zñ]\)|[a-zñ]\b)`

var (
	partNamed    = lazyregexp.New(`(?i)(?:\b(?:y|e|pero|mientras que)|[,;.])\s(?:(?:el|la|su|del|de la|en el|en la)\s)+(` + aPart + `(?:,?\s(?:del|de la)\s` + aPart + `)?)[º°]?(?:[\s,:][^.«“"]{0,40})?[«“"]?$|\b(?:(?:según|conforme a|a tenor de|en)\s(?:el|la|su|los?)\s(` + aPart + `)[º°]?[,:]?|(?:el|la|del|de la)\s(` + aPart + `)[º°]?:)\s?$`)
	partBefore   = lazyregexp.New(`(?i)(?:^|[\n(;.,])\s*(?:y\s)?(?:(?:el|la)\s)?(` + aPart + `)\)?[º°]?[\s,:]*$`)
	partBehind   = lazyregexp.New(`(?i)^[.,]?\s?[(\[](?:(?:ídem|idem|ibídem|ibidem|íd\.|id\.|ibíd\.|ib\.|mismo (?:artículo|precepto|art\.))[,.]?\s)?(` + aPart + `(?:,?\s(?:(?:del|de la|y)\s)?` + aPart + `)?)[º°]?[)\]]`)
	partAside    = lazyregexp.New(`(?i)^,?\s(?:en\s)?(?:(?:el|la|los|las|del|de la)\s)?((?:letras?|apartados?|` + aPart + `|párrafo \pL+)(?:\s[a-zñ]\) y [a-zñ]\))?(?:,?\s(?:del|de la)\s` + aPart + `)?)(?:\s(?:del|de la|de)\s(?:(?:ese|esa|este|esta|dicho|dicha|mismo|misma|citado|citada|propio|propia)\s)+(?:artículo|art\.|precepto|norma)|\s?[.;)]|\s?$)`)
	goesTogether = lazyregexp.New(`(?i)^,?\s(?:y|e|,)?\s?(?:(?:a|de|en|el|la|los|las|que)\s)*$`)
)

// ofTheLast ends right before a part that is said of the quotation before it: "«…» (inc. a), ".
var ofTheLast = lazyregexp.New(`[»”"’'][\s,(\[]*$`)

// ownPart gives to a citation the part that is named beside a quotation behind it.
func (j *checker) ownPart(m read.Mention, q read.Quotation) read.Mention {
	if m.Detail == "" || m.End >= q.From {
		return m
	}
	if n := partBehind.FindStringSubmatch(string(j.runes[q.To:min(len(j.runes), q.To+60)])); n != nil {
		within, _ := read.LevelsOf(m.Detail)
		m.Detail = n[1]
		if own, _ := read.LevelsOf(n[1]); len(own) > 0 && own[0].Kind != read.NumberPart && len(within) > 0 && within[0].Kind == read.NumberPart {
			m.Detail = "apartado " + within[0].Values[0] + ", " + n[1]
		}
		return m
	}
	if n := partAside.FindStringSubmatch(j.behind(q)); n != nil {
		m.Detail = n[1]
		return m
	}
	before := string(j.runes[max(m.End, q.From-110):q.From])
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
	partNext  = lazyregexp.New(`(?i)^(?:,\s?|\s?\(|\s)((?:(?:primer|segundo|tercer|cuarto|quinto|sexto|último|penúltimo)\s(?:párrafo|apartado|inciso|punto)|(?:` + partNames + `)\s?(?:\d{1,3}[º°]?|[a-zñ]\)?|\pL{5,9})(?:,?\s(?:` + partNames + `)\s?(?:\d{1,3}|[a-zñ]\)?))?|in fine|\d{1,2}(?:\.\d{1,2})?))\)?\s?(?:[:,;)\]»«“"—–-]|\.(?:\s|$)|$|\n)`)
	partPrior = lazyregexp.New(`(?i)\b(?:n\.?[º°]|número|nro\.?|núm\.?)\s?(\d{1,2})\s(?:del|de la|de los)\s$`)
)

const partNames = `apartado|apdo\.|ap\.|párrafo|párr\.|pár\.|inciso|inc\.?|numeral|num\.|núm\.|nro\.|letra|let\.|literal|lit\.|ordinal`

// besideIt gives to a citation the part that stands next to it.
func (j *checker) besideIt(m read.Mention) read.Mention {
	if m.Unit == "" {
		return m
	}
	if n := partNext.FindStringSubmatch(string(j.runes[min(m.End, len(j.runes)):min(len(j.runes), m.End+60)])); n != nil {
		if _, ok := read.LevelsOf(n[1]); ok {
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
func (j *checker) behind(q read.Quotation) string {
	to := q.To
	for _, next := range j.quotes[sort.Search(len(j.quotes), func(k int) bool { return j.quotes[k].From >= to }):] {
		if next.From-to >= 12 {
			break
		}
		if next.From >= to && next.From-to < 12 && goesTogether.MatchString(string(j.runes[to:next.From])) {
			to = next.To
		}
	}
	return string(j.runes[to:min(len(j.runes), to+80)])
}

// headed takes the heading of an article off a quotation whose words do not stand right
// behind it in the law ("Artículo 5. […]"), and lets it say which article of a norm is
// cited when nothing else does.
func (j *checker) headed(want []read.Stretch, places []place) ([]read.Stretch, []place) {
	head, rest := headless(want)
	if head == "" {
		return want, places
	}
	own := slices.Clone(places)
	for i, p := range own {
		if p.unit != "" && p.unit != head {
			return want, places
		}
		_, ok := j.Law.Unit(p.norm.ID, head)
		own[i].missing = p.unit == "" && !ok || p.missing
		own[i].unit = head
	}
	if len(j.spots(own, want)) > 0 {
		return want, own
	}
	return rest, own
}

// headless gives the article whose heading a quotation begins with, "" = none, and the rest.
func headless(want []read.Stretch) (unit string, rest []read.Stretch) {
	if len(want) == 0 {
		return "", want
	}
	m := read.OwnHeading.FindStringSubmatch(want[0].Words)
	if m == nil || len(m[0]) == len(want[0].Words) {
		return "", want
	}
	rest = slices.Clone(want)
	rest[0] = want[0].With(want[0].Words[len(m[0]):])
	return "a" + m[1], rest
}
