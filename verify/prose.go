package verify

import (
	"slices"
	"strings"
	"unicode"

	"digesto/corpus"
	"digesto/text"
	"digesto/text/lazyregexp"
	"digesto/text/quote"
)

// addressLike finds what leads away from an answer or makes a program that shows
// it fetch something: addresses of the web and of mail, in whatever disguise, names of
// accounts, elements and entities of HTML, images, links and definitions of Markdown.
var addressLike = lazyregexp.New(`(?i)[a-z][a-z0-9+.-]*://|\bwww\.|(?:^|[^\w:/])//[\w-]+\.|` +
	`\b(?:javascript|vbscript|data|mailto|tel|sms|callto|skype|whatsapp|tg|sips?|xmpp|file|blob|ftps?|sftp|ssh|wss?|intent|magnet|view-source|cid|ipfs):\S|` +
	`[\w.+-]+@[\w-]+\.\w|(?:^|[\s(])@\w{3,}|\S ?[\[(](?:\.|punto|dot|@|arroba|at)[\])] ?\w|\b(?:punto|dot) (?:com|net|org|info|es|io|example)\b|` +
	`<[a-z/!?]|&(?:#x?[0-9a-f]+|[a-z]{2,8});|!\[|\]\s*\(|(?m:^[\s>*+\d.-]*\[[^\]]*\]:)|` +
	`\b[\w-]+\.(?:com|net|org|info|io|eu|es|example|test|local|onion|xyz|top|site|online|shop|store|club|app|dev|link|click|live|biz|pro|cat|gal|eus|(?:gob|gov|com|org)\.[a-z]{2}|` +
	`ar|pe|mx|cl|co|uy|us|uk|fr|pt|ru|cn|tv|ly|gl|gg|cc|ws|me|ai|sh|tk|ml)\b|\b[\w-]+(?:\.[\w-]+)*\.[a-z]{2,24}[/?#][\w?]|\b\d{1,3}(?:\.\d{1,3}){3}\b`)

var webAddress = lazyregexp.New(`(?i)\b(?:https?)://[^\s<>"'«»“”)\]]+`)

// Addresses gives what in words leads elsewhere and stands neither in a quotation
// nor is the official address of a source.
func Addresses(words string, quotes, official []string) []string {
	words = without(words, quotes)
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

// minQuoted is how many words between marks make a quotation: fewer are a name or
// a word of its own.
const minQuoted = 4

// Unquoted gives what words quote and no ground says. Ellipses part a quotation, and
// so do marks with nothing between them.
func Unquoted(words string, list []Ground) []string {
	var out []string
	for _, said := range quotedIn(words) {
		parts, whole := ellipsis.Split(said, -1), false
		for _, q := range parts {
			q = strings.Trim(q, " \t\n.,;:")
			if len(strings.Fields(q)) < minQuoted {
				continue
			}
			if whole = true; !stands(q, list) {
				out = append(out, q)
			}
		}
		if !whole && len(parts) > 1 && len(strings.Fields(said)) > minQuoted+len(parts) { // cut so small that nothing of it can be checked
			out = append(out, said)
		}
	}
	return out
}

// The marks of quotations, those that begin one and those that end one. A mark that
// is both, or stands the wrong way round, begins one where none is open.
const (
	openMarks  = "«“„‟‹‘‚「『＂\"'`"
	closeMarks = "»”›’」』"
)

// turned are the marks that end a quotation begun by one that elsewhere ends it or
// stands low.
var turned = map[rune]rune{'„': '“', '‚': '‘', '»': '«', '”': '“', '’': '‘'}

// quotedIn gives what stands between marks of quotation of any kind, what follows a
// mark that is never closed, block quotations, and what a verb of saying announces
// word for word.
func quotedIn(words string) []string {
	words = joined.ReplaceAllString(strings.NewReplacer("<<", "«", ">>", "»", "``", "“", "''", "”").Replace(words), " … ")
	rs := []rune(words)
	var out []string
	var open []rune // the marks that are open, one in the other
	from := 0
	for i, r := range rs {
		mark := strings.ContainsRune(openMarks+closeMarks, r)
		if !mark || (r == '’' || r == '\'') && i > 0 && i+1 < len(rs) && unicode.IsLetter(rs[i-1]) && unicode.IsLetter(rs[i+1]) { // an apostrophe
			continue
		}
		n := len(open)
		switch {
		case n == 0:
			open, from = []rune{r}, i+1
		case r == open[n-1] || strings.ContainsRune(closeMarks, r) || turned[open[n-1]] == r:
			if open = open[:n-1]; n == 1 {
				out = append(out, string(rs[from:i]))
			}
		default:
			open = append(open, r)
		}
	}
	if len(open) > 0 {
		rest, _, _ := strings.Cut(string(rs[from:]), "\n\n")
		out = append(out, rest)
	}
	for _, m := range announced.FindAllStringSubmatch(words, -1) {
		out = append(out, m[1]+m[2])
	}
	return out
}

var (
	joined    = lazyregexp.New(`[»”]\s*[«“]`)
	announced = lazyregexp.New(`(?m)^[ \t]*>[ \t]*([^\n]+)|(?i:\b(?:literalmente|textualmente|a la letra|palabra por palabra|reza)(?: así)?):\s+([^\n«“"]+)`)
)

var ellipsis = lazyregexp.New(`\[…\]|\[\.\.\.\]|\(…\)|\(\.\.\.\)|…|\.\.\.`)

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
		for _, address := range []string{x.Norm.URL, x.Norm.Page, corpus.PageOf(x.Norm, x.Unit)} {
			if address != "" {
				out = append(out, address)
			}
		}
	}
	return out
}

// prose checks the words of an answer outside its citations; the checks that fail.
func (c *Checked) prose(words string, g Grounds) []Check {
	return Unproved(words, quotes(c.Answer.Citations), g)
}

// Unproved gives the checks that words of a model fail which stand beside quotations
// proved before: figures, articles, norms, addresses, quotations and disguises that
// neither a quotation nor a ground has.
func Unproved(words string, quotes []string, g Grounds) (failed []Check) {
	for _, k := range []struct {
		check Check
		found bool
	}{
		{CheckFigure, len(Figures(words, quotes, g.Tools, g.Locale)) > 0},
		{CheckLabel, len(Labels(words, quotes, g)) > 0},
		{CheckNorm, len(Norms(words, quotes, g)) > 0},
		{CheckAddress, len(Addresses(words, quotes, g.official())) > 0},
		{CheckUnquoted, len(Unquoted(without(words, quotes), g.List)) > 0},
		{CheckDisguise, len(Disguises(without(words, quotes))) > 0},
	} {
		if k.found {
			failed = append(failed, k.check)
		}
	}
	return failed
}

// without takes quotations out of words.
func without(words string, quotes []string) string {
	for _, q := range quotes {
		if q != "" {
			words = strings.ReplaceAll(words, q, " ")
		}
	}
	return words
}
