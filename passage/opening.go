package passage

import (
	"slices"
	"strings"

	"digesto/text"
	"digesto/text/lazyregexp"
)

// givesMeaning says that a text gives a word its meaning for the law: see Defines.
func givesMeaning(s string) bool { return Defines(text.Fold(strings.ToValidUTF8(s, ""))) }

// NotRule says that a sentence is no rule of its unit: it opens with a quotation
// mark that it does not close, or is a note of the editor.
func NotRule(s string) bool {
	if strings.HasPrefix(s, "«") && !strings.Contains(s, "»") {
		return true
	}
	const note = "tengase en cuenta"
	return strings.HasPrefix(text.Fold(s[:min(len(s), len(note)+8)]), note)
}

// OpensCase says that a sentence begins by naming the case it is for.
func OpensCase(s string) bool {
	for _, w := range text.First(s, 3) {
		switch w.Text {
		case "tratandose", "cuando", "si", "supuesto", "supuestos", "caso", "casos", "para", "respecto", "quienes", "demas":
			return true
		}
	}
	return false
}

// limits says that a sentence opens as an exception to what stands before it.
func limits(s string) bool {
	for _, w := range text.First(s, 4) {
		switch w.Text {
		case "salvo", "excepto", "obstante", "embargo", "exceptua", "exceptuan", "perjuicio", "excepcionalmente", "excepcion", "exceptuase", "exceptuanse":
			return true
		}
	}
	return false
}

// Defines says that a folded sentence gives a word its meaning for the law.
func Defines(folded string) bool {
	// few sentences have one of these, and looking for them takes a tenth of the time
	return slices.ContainsFunc(defining, func(w string) bool { return strings.Contains(folded, w) }) && definesWord.MatchString(folded)
}

var defining = []string{"entiend", "entender", "consider", "defin", "denomin", "hay ", "existe ", "habra ", "llamase "}

var definesWord = lazyregexp.New(`\b(?:se )?(?:entiende|entiendese|entendera|considera|considerara|define|denomina) (?:por|como|que)\b|\bse (?:entiende|entendera|considera|considerara|denomina|denominara|define)\b|^(?:hay|existe|habra|llamase|denominase) `)

// subjectEnd gives where the subject of a sentence ends that says what something is
// ("La fianza es…"): at the verb of being, or at the comma before it; 0 when it has
// none near its opening.
func subjectEnd(s string) int {
	prev, comma := "", 0
	for i, t := range text.Tokens(nil, s[:len(strings.ToValidUTF8(s[:min(len(s), 320)], ""))]) {
		if i > 0 && comma == 0 && strings.Contains(s[:t.Start], ",") {
			comma = strings.Index(s, ",")
		}
		if (t.Text == "es" || t.Text == "son" || t.Text == "sera" || t.Text == "seran") && prev != "que" && prev != "cual" && prev != "quien" && prev != "no" {
			if comma > 0 {
				return comma
			}
			return max(1, t.Start)
		}
		prev = t.Text
	}
	return 0
}

func caseWord(w string) bool {
	switch w {
	case "caso", "casos", "supuesto", "supuestos", "tratandose", "cuando", "respecto", "quienes", "demas":
		return true
	}
	return false
}
