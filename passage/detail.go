package passage

import (
	"strconv"
	"strings"

	"digesto/text"
	"digesto/text/cite"
	"digesto/text/sentence"
)

// DetailSpan finds the paragraph, number or letter that the question names
// below a unit ("4", "4.b)", "inc. b", "párrafo segundo"): the span from its
// first sentence to the last before the next of its kind. ok is false when the
// unit has no such part.
func (u *Unit) DetailSpan(detail string) (Span, bool) {
	found, ok := Span{0, len(u.Sentences) - 1}, false
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
		case len(w) == 1 && w[0] >= 'a' && w[0] <= 'z', AllDigits(w):
			out = append(out, w)
		}
	}
	return out
}

var ordinalWord = map[string]string{"primero": "1", "primera": "1", "segundo": "2", "segunda": "2", "tercero": "3", "tercera": "3", "cuarto": "4", "cuarta": "4",
	"quinto": "5", "quinta": "5", "sexto": "6", "sexta": "6", "septimo": "7", "octavo": "8", "noveno": "9", "decimo": "10"}

func AllDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// part finds one step within a span.
func (u *Unit) part(name string, in Span) (Span, bool) {
	if n, ok := strings.CutPrefix(name, "p"); ok && AllDigits(n) {
		return u.nthParagraph(n, in)
	}
	for _, nested := range []bool{false, true} { // "2." before the "2.º" of a list
		for i := in.From; i <= in.To; i++ {
			s := u.Sentences[i]
			if !s.First || s.Marker == sentence.NoMarker || (s.Marker == sentence.OrdinalMarker) != nested || !markerIs(s.mark, name) {
				continue
			}
			to := in.To
			for k := u.EndOf(i) + 1; k <= in.To; k++ {
				if u.Sentences[k].First && u.Sentences[k].Marker == s.Marker {
					to = k - 1
					break
				}
			}
			return Span{i, to}, true
		}
	}
	return Span{}, false
}

// markerIs says that a marker has a name, or ends in it ("218.2").
func markerIs(marker, name string) bool {
	return marker == name || AllDigits(name) && strings.HasSuffix(marker, "."+name)
}

func (u *Unit) nthParagraph(n string, in Span) (Span, bool) {
	count := 0
	for i := in.From; i <= in.To; i++ {
		if !u.Sentences[i].First {
			continue
		}
		count++
		if strconv.Itoa(count) == n {
			return Span{i, min(in.To, u.EndOf(i))}, true
		}
	}
	return Span{}, false
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
