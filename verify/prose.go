package verify

import (
	"regexp"
	"slices"
	"strings"

	"digesto/text"
	"digesto/text/quote"
)

// addressLike finds what leads away from an answer or makes a program that shows
// it fetch something: addresses of the web and of mail, elements of HTML, images
// and links of Markdown.
var addressLike = regexp.MustCompile(`(?i)[a-z][a-z0-9+.-]*://|\bwww\.|(?:^|[^\w:/])//[\w-]+\.|(?:javascript|data|mailto|tel):\S|[\w.+-]+@[\w-]+\.\w|<[a-z/!?]|!\[|\]\s*\(|(?m:^\s*\[[^\]]*\]:)|\b[\w-]+\.(?:com|net|org|info|io|eu|es|example|(?:gob|gov|com|org)\.[a-z]{2})\b`)

var webAddress = regexp.MustCompile(`(?i)\b(?:https?)://[^\s<>"'«»“”)\]]+`)

// Addresses gives what in words leads elsewhere and stands neither in a quotation
// nor is the official address of a source.
func Addresses(words string, quotes, official []string) []string {
	for _, q := range quotes {
		if q != "" {
			words = strings.ReplaceAll(words, q, " ")
		}
	}
	words = webAddress.ReplaceAllStringFunc(words, func(u string) string {
		for _, o := range official {
			if o != "" && strings.TrimRight(u, ".,;:") == o {
				return " "
			}
		}
		return u
	})
	return addressLike.FindAllString(words, -1)
}

// quotation finds what words put between quotation marks.
var quotation = regexp.MustCompile(`«([^«»]+)»|“([^“”]+)”|"([^"]+)"`)

// minQuoted is how many words between marks make a quotation: fewer are a name or
// a word of its own.
const minQuoted = 4

// Unquoted gives what words quote and no ground says. Ellipses part a quotation.
func Unquoted(words string, list []Ground) []string {
	var out []string
	for _, m := range quotation.FindAllStringSubmatch(words, -1) {
		for _, q := range ellipsis.Split(m[1]+m[2]+m[3], -1) {
			if q = strings.Trim(q, " \t\n.,;:"); len(strings.Fields(q)) >= minQuoted && !stands(q, list) {
				out = append(out, q)
			}
		}
	}
	return out
}

var ellipsis = regexp.MustCompile(`\[…\]|\[\.\.\.\]|\(…\)|\(\.\.\.\)|…|\.\.\.`)

func stands(q string, list []Ground) bool {
	for _, g := range list {
		if _, ok := quote.Find(g.Version.Text, q); ok || strings.Contains(text.Fold(g.Norm.Title+" "+g.Norm.Short+" "+g.Unit.Rubric), text.Fold(q)) {
			return true
		}
	}
	return false
}

// Norms gives the norms that an answer names and that are neither among the
// grounds nor named in what it quotes. Without a table nothing is checked.
func Norms(answer string, quotes []string, g Grounds) []string {
	if g.Table == nil {
		return nil
	}
	known, named := map[string]bool{}, text.Fold(strings.Join(quotes, "\n"))
	for _, gr := range g.List {
		known[gr.Norm.ID] = true
		named += "\n" + text.Fold(gr.Norm.Short)
	}
	for _, m := range g.Table.Find(strings.Join(quotes, "\n")) {
		known[m.Norm] = true
	}
	var out []string
	for _, m := range g.Table.Find(answer) {
		if m.Name == "" || m.Relative || m.Norm != "" && known[m.Norm] || strings.Contains(named, text.Fold(m.Name)) ||
			slices.ContainsFunc(m.Also, func(id string) bool { return known[id] }) {
			continue
		}
		out = append(out, m.Text)
	}
	return out
}

// official are the addresses of the sources.
func (g Grounds) official() []string {
	var out []string
	for _, x := range g.List {
		out = append(out, x.Norm.URL)
	}
	return out
}

// prose checks the words of an answer outside its citations; the checks that fail.
func (c *Checked) prose(words string, g Grounds) (failed []Check) {
	quotes := quotes(c.Answer.Citations)
	for _, k := range []struct {
		check Check
		found bool
	}{
		{CheckFigure, len(Figures(words, quotes, g.Tools, g.Locale)) > 0},
		{CheckLabel, len(Labels(words, quotes, g)) > 0},
		{CheckNorm, len(Norms(words, quotes, g)) > 0},
		{CheckAddress, len(Addresses(words, quotes, g.official())) > 0},
		{CheckUnquoted, len(Unquoted(words, g.List)) > 0},
	} {
		if k.found {
			failed = append(failed, k.check)
		}
	}
	return failed
}
