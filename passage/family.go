package passage

import "strings"

// FamilyOf gives the key of a stem's family: what a verb and the noun made of it
// share, with a mark that keeps it apart from stems. "" = none.
func FamilyOf(stem string) string {
	root := stem
	for _, end := range nounEnds {
		if r, ok := strings.CutSuffix(stem, end); ok {
			root = r
			break
		}
	}
	if root == stem {
		for _, end := range verbEnds {
			if r, ok := strings.CutSuffix(stem, end); ok {
				root = r
				break
			}
		}
	}
	for _, p := range [][2]string{{"pos", "pon"}, {"quis", "quir"}} { // imposición, imponer; adquisición, adquirir
		if r, ok := strings.CutSuffix(root, p[0]); ok && r != "" {
			root = r + p[1]
		}
	}
	if len(root) < 5 {
		return ""
	}
	return familyMark + root
}

const familyMark = "~"

// Ends of the stems of nouns of action and of the verbs they come from:
// suspensión, suspender; extinción, extinguir; prescripción, prescribir; resolución, resolver.
var (
	nounEnds = []string{"ccion", "pcion", "ucion", "icion", "cion", "sion", "xion"}
	verbEnds = []string{"gu", "g", "d", "b", "v", "t", "c"}
)

// Key is the number of a stem or of a family (see FamilyOf): FNV-1a in 64 bits
// (Fowler, Noll, Vo), mixed once more so that its low bits tell words apart too. It
// is the same in every run, as rankings must be; 0 is no word.
func Key(s string) uint64 {
	if s == "" {
		return 0
	}
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	h = (h ^ h>>32) * 0x9E3779B97F4A7C15
	return h ^ h>>29 | 1
}

// Word is a distinct word of a unit: the keys of its stem and of its family.
type Word struct{ Stem, Family uint64 }

func (w Word) is(key uint64) bool { return key != 0 && (w.Stem == key || w.Family == key) }
