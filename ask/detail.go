package ask

import (
	"strconv"
	"strings"

	"digesto/text"
	"digesto/text/cite"
	"digesto/text/sentence"
)

// detailSpan finds the paragraph, number or letter that the question names
// below a unit ("4", "4.b)", "inc. b", "párrafo segundo"): the span from its
// first sentence to the last before the next of its kind. ok is false when the
// unit has no such part.
func (u *unitText) detailSpan(detail string) (span, bool) {
	found, ok := span{0, len(u.sents) - 1}, false
	for _, part := range detailParts(detail) {
		s, got := u.part(part, found)
		if !got {
			return found, ok
		}
		found, ok = s, true
	}
	return found, ok
}

// detailParts reads the steps of a detail, from the widest to the narrowest:
// folded numbers and letters; "p2" for the second paragraph.
func detailParts(detail string) []string {
	var out []string
	paragraph := false
	for _, t := range text.Tokens(nil, strings.ReplaceAll(detail, ".", " ")) {
		w := t.Text
		switch {
		case w == "parrafo":
			paragraph = true
		case ordinalWord[w] != "" && paragraph:
			out = append(out, "p"+ordinalWord[w])
		case ordinalWord[w] != "":
			out = append(out, ordinalWord[w])
		case len(out) > 0 && cite.Suffix(w): // "b bis"
			out[len(out)-1] += " " + w
		case len(w) == 1 && w[0] >= 'a' && w[0] <= 'z', allDigits(w):
			out = append(out, w)
		}
	}
	return out
}

var ordinalWord = map[string]string{"primero": "1", "primera": "1", "segundo": "2", "segunda": "2", "tercero": "3", "tercera": "3", "cuarto": "4", "cuarta": "4",
	"quinto": "5", "quinta": "5", "sexto": "6", "sexta": "6", "septimo": "7", "octavo": "8", "noveno": "9", "decimo": "10"}

func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// part finds one step within a span.
func (u *unitText) part(name string, in span) (span, bool) {
	if n, ok := strings.CutPrefix(name, "p"); ok && allDigits(n) {
		return u.nthParagraph(n, in)
	}
	for _, nested := range []bool{false, true} { // "2." before the "2.º" of a list
		for i := in.from; i <= in.to; i++ {
			s := u.sents[i]
			if !s.First || s.Marker == sentence.NoMarker || (s.Marker == sentence.OrdinalMarker) != nested || !named(s.mark, name) {
				continue
			}
			to := in.to
			for k := u.endOf(i) + 1; k <= in.to; k++ {
				if u.sents[k].First && u.sents[k].Marker == s.Marker {
					to = k - 1
					break
				}
			}
			return span{i, to}, true
		}
	}
	return span{}, false
}

// named says that a marker has a name, or ends in it ("218.2").
func named(marker, name string) bool {
	return marker == name || allDigits(name) && strings.HasSuffix(marker, "."+name)
}

func (u *unitText) nthParagraph(n string, in span) (span, bool) {
	count := 0
	for i := in.from; i <= in.to; i++ {
		if !u.sents[i].First {
			continue
		}
		count++
		if strconv.Itoa(count) == n {
			return span{i, min(in.to, u.endOf(i))}, true
		}
	}
	return span{}, false
}

// markerName is the number or letter at the start of a paragraph, folded:
// "4. El" → "4", "b) La" → "b".
func markerName(s string) string {
	n, _ := markEnd(s)
	name := strings.Trim(text.Fold(s[:n]), " .)(-–—ºª°")
	if v, _, words := text.Numeral([]string{name}); words > 0 && len(name) > 2 { // "Uno."
		return strconv.Itoa(v)
	}
	if name != "" && name[0] >= '0' && name[0] <= '9' {
		name = strings.TrimRight(name, "oaº.") // "1.o", the folded ordinal mark
	}
	return name
}
