package structure

import (
	"strings"

	"digesto/corpus/ingest/line"
	"digesto/text/lazyregexp"
)

// Collectors of law fill in articles that they do not find in the page of a norm with the
// article of that number in the page of a norm that changed it: sometimes its new wording,
// sometimes an article of that other norm itself. Their headings tell them: a number and
// ".—" alone, where the page has "ARTICULO 5º — Rubric. Text". The closing words of the
// other norm prove where the articles before them come from.

var borrowedHead = lazyregexp.New(`^ARTICULO \d+(?: [a-z]+)?\.—\s*$`)

const doubtBorrowed = "El archivo no lo tomó de la página de su norma, sino de la de otra que la cambió: puede ser una redacción anterior o un texto ajeno."

// borrowed says that a heading is one that a collector made.
func borrowed(l line.Line) bool { return borrowedHead.MatchString(strings.TrimSpace(l.Text)) }
