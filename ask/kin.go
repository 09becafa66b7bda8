package ask

import "strings"

// kinShare is how much a word of the same family counts beside the word itself:
// "suspenderá" for "suspensión".
const kinShare = .75

// kinOf gives the key of a stem's family: what a verb and the noun made of it
// share, with a mark that keeps it apart from stems. "" = none.
func kinOf(stem string) string {
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
	return kinMark + root
}

const kinMark = "~"

// Ends of the stems of nouns of action and of the verbs they come from:
// suspensión, suspender; extinción, extinguir; prescripción, prescribir; resolución, resolver.
var (
	nounEnds = []string{"ccion", "pcion", "ucion", "icion", "cion", "sion", "xion"}
	verbEnds = []string{"gu", "g", "d", "b", "v", "t", "c"}
)
