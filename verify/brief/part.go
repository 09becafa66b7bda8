package brief

import (
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"digesto"
	"digesto/text"
)

// part is a numbered or lettered part of a unit, from … to in code points of the text.
type part struct {
	label    string
	from, to int
}

// partMark begins such a part: "2.", "3)", "4º", "b)", "88.4".
var partMark = regexp.MustCompile(`(?m)^[ \t]*(?:(\d{1,3}(?:\.\d{1,3}){1,2})[ \t]|(\d{1,3}(?:\.\d{1,3}){0,2})[ \t]?[.)º°ª]+|([a-zñ])[ \t]?\))`)

// parts gives the numbered parts of a text and the lettered ones. Numbers of another
// look than the first are smaller parts and left out. A label that comes twice, but not one
// right after the other, leaves in doubt what is meant: then none of its level are given, or
// for letters, none under numbers.
func parts(s string) (numbers, letters []part) {
	count := codePoints(s)
	end := len([]rune(s))
	shut := func(list []part, at int) {
		if n := len(list); n > 0 && list[n-1].to < 0 {
			list[n-1].to = at
		}
	}
	style, seen := "", map[string]bool{}
	twice := map[bool]bool{}
	for _, m := range partMark.FindAllStringSubmatchIndex(s, -1) {
		at := count(m[0])
		label, last, lettered := "", 0, m[6] >= 0
		for k := 2; k < 8; k += 2 {
			if m[k] >= 0 {
				label, last = s[m[k]:m[k+1]], m[k+1]
			}
		}
		look := "plain"
		if strings.ContainsAny(s[last:m[1]], "º°ª") {
			look = "ordinal"
		}
		if !lettered && style == "" {
			style = look
		}
		shut(letters, at)
		if !lettered && look != style {
			continue
		}
		key := label
		if lettered && len(numbers) > 0 {
			key = numbers[len(numbers)-1].label + "/" + label
		}
		again := lettered && len(letters) > 0 && letters[len(letters)-1].label == label // no other list: "g)" and "g) [sic]"
		twice[lettered] = twice[lettered] || seen[key] && !again
		seen[key] = true
		if lettered {
			letters = append(letters, part{label, at, -1})
			continue
		}
		shut(numbers, at)
		numbers = append(numbers, part{label, at, -1})
	}
	shut(letters, end)
	shut(numbers, end)
	if twice[false] { // nor do they tell the letters apart
		numbers = nil
		for i, p := range letters {
			twice[true] = twice[true] || slices.ContainsFunc(letters[:max(0, i-1)], func(o part) bool { return o.label == p.label })
		}
	}
	if twice[true] {
		letters = nil
	}
	return numbers, letters
}

// labels reads the numbers and letters of a citation's detail: "4", "2.b)", "apartados
// 1 a 3", "inc. c". ok is false for what is counted and not labelled ("párrafo segundo").
func labels(detail string) (numbers, letters []string, ok bool) {
	toks := text.Tokens(nil, detail)
	for i := 0; i < len(toks); i++ {
		w := strings.TrimRight(toks[i].Text, "oaº°ª")
		if toks[i].Text == "a" || toks[i].Text == "o" {
			w = toks[i].Text
		}
		next := i + 1
		switch {
		case w == "" || partWord[toks[i].Text]:
		case digits(w):
			numbers = append(numbers, w)
			if next+1 < len(toks) && toks[next].Text == "a" && digits(toks[next+1].Text) {
				lo, _ := strconv.Atoi(w)
				hi, _ := strconv.Atoi(toks[next+1].Text)
				for n := lo + 1; n <= hi && n < lo+100; n++ {
					numbers = append(numbers, strconv.Itoa(n))
				}
				i = next + 1
			}
		case len(w) == 1 && w[0] >= 'a' && w[0] <= 'z':
			if strings.Contains("yeou", w) && len(toks) > 1 && i > 0 && next < len(toks) {
				continue // "b y c"
			}
			letters = append(letters, w)
		case dotted.MatchString(w):
			a, b, _ := strings.Cut(w, ".")
			if digits(b) {
				numbers = append(numbers, w)
			} else {
				numbers, letters = append(numbers, a), append(letters, b)
			}
		default:
			return nil, nil, false
		}
	}
	return numbers, letters, len(numbers)+len(letters) > 0
}

var dotted = regexp.MustCompile(`^\d{1,3}\.(?:\d{1,3}|[a-z])$`)

func digits(w string) bool { return w != "" && strings.Trim(w, "0123456789") == "" }

// partWord are the words for parts that bear a label, and those between them.
var partWord = map[string]bool{"apartado": true, "apartados": true, "ap": true, "apdo": true, "apdos": true, "inciso": true, "incisos": true, "inc": true, "incs": true,
	"numeral": true, "numerales": true, "num": true, "letra": true, "letras": true, "let": true, "lit": true, "literal": true, "literales": true, "ordinal": true,
	"del": true, "de": true, "la": true, "los": true, "las": true, "el": true}

// astray names the part where a quotation stands, when the citation names
// another part of the same unit and the words are not there too.
func astray(detail string, s spot, want []stretch) (cited, real string) {
	numbers, letters, ok := labels(detail)
	if !ok || strings.Contains(detail, "bis") {
		return "", ""
	}
	byNumber, byLetter := parts(s.Version.Text)
	if cited, real = miss(numbers, byNumber, s, want); real == "" {
		cited, real = miss(letters, byLetter, s, want)
	}
	return cited, real
}

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
		within, _, _ := labels(m.Detail)
		m.Detail = n[1]
		if numbers, _, _ := labels(n[1]); len(numbers) == 0 && len(within) > 0 {
			m.Detail = "apartado " + within[0] + ", " + n[1]
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

// beyond names a part that a citation names and that a unit cannot have, in whatever
// way its parts are counted: a number above that of its lines, a letter that marks nothing.
func beyond(detail string, s spot) string {
	if detail == "" || strings.Contains(detail, "bis") {
		return ""
	}
	lines := len(sentenceEnds.FindAllString(s.Version.Text, -1)) + 1 // a sentence may pass for a paragraph
	numbers, letters, _ := labels(detail)
	byNumber, _ := parts(s.Version.Text)
	for _, n := range numbers {
		if v, err := strconv.Atoi(n); err == nil && v > lines && !slices.ContainsFunc(byNumber, func(p part) bool { return p.label == n }) {
			return called(n)
		}
	}
	for _, l := range letters {
		if !regexp.MustCompile(`(?i)(?:^|[\s(.\d])` + l + `\s?[).º°-]`).MatchString(s.Version.Text) {
			return called(l)
		}
	}
	if m := counted.FindStringSubmatch(text.Fold(detail)); m != nil {
		if v, ordinal, n := text.Numeral(strings.Fields(m[1] + m[2])); n == 1 && ordinal && v > lines {
			return "tantos párrafos"
		}
	}
	return ""
}

var sentenceEnds = regexp.MustCompile(`\n\s*|[.;:]\s+`)

// counted is a paragraph cited by its place.
var counted = regexp.MustCompile(`^(?:parrafo (\pL+)|(\pL+) parrafo)$`)

// miss says on one level that the words stand in none of the parts named, though the
// unit has them. Words before the first part belong to all.
func miss(named []string, all []part, s spot, want []stretch) (cited, real string) {
	var in []string
	for _, p := range all {
		if p.from < s.match.End && s.match.Start < p.to {
			in = append(in, p.label)
		}
	}
	if len(named) == 0 || len(in) == 0 || len(all) > 0 && s.match.Start < all[0].from {
		return "", ""
	}
	body := []rune(s.Version.Text)
	found := 0
	for _, p := range all {
		if !slices.ContainsFunc(named, func(n string) bool { return p.label == n || p.label == s.Unit.Number+"."+n }) {
			continue
		}
		found++
		if slices.ContainsFunc(in, func(l string) bool { return l == p.label || strings.HasPrefix(l, p.label+".") }) {
			return "", ""
		}
		if _, ok, _ := newPage(digesto.Unit{}, digesto.Version{Text: string(body[p.from:p.to])}).find(want); ok {
			return "", ""
		}
	}
	if found < len(named) {
		return "", "" // cited by another way of counting
	}
	return called(named...), called(in[0])
}

// called gives labels as people say them: "la letra b)", "el apartado 2".
func called(labels ...string) string {
	if digits(labels[0][:1]) {
		return "el apartado " + strings.Join(labels, ", ")
	}
	return "la letra " + strings.Join(labels, "), ") + ")"
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
