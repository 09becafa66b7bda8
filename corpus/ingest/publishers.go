package ingest

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"strings"
)

// What publishers print around a law is data: publishers.json. A list of words
// says how their lines begin, folded to small letters without accents.

//go:embed publishers.json
var publishersJSON []byte

// publisherWords are the lists of that file.
type publisherWords struct {
	Lines    []string `json:"lines"`    // lines that are no law before the first unit
	Anywhere []string `json:"anywhere"` // short lines that are no law wherever they stand
	Footers  []string `json:"footers"`  // lines after which no law comes
	Appendix []string `json:"appendix"` // heads of what an editor adds after the law
	Calls    []string `json:"calls"`    // words in capitals within a paragraph that send to a remark; as printed
}

var (
	publishers = mustPublishers()
	wordCalls  = regexp.MustCompile(`\s*(?:\(\*{1,4}\)\s*)?(?:` + strings.Join(publishers.Calls, "|") + `)(\pL?)`)
)

func mustPublishers() (w publisherWords) {
	if err := json.Unmarshal(publishersJSON, &w); err != nil {
		panic("publishers.json: " + err.Error())
	}
	return w
}

// begins says whether a folded line begins with one of the words of a list.
func begins(folded string, list []string) bool {
	for _, p := range list {
		if strings.HasPrefix(folded, p) {
			return true
		}
	}
	return false
}
