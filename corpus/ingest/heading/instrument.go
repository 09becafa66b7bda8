package heading

import (
	"digesto/text/lazyregexp"
)

var (
	// ClaimedNumber is number and year in the identifier of a norm: "LEY-1234-2001".
	ClaimedNumber = lazyregexp.New(`^[A-Z][A-Z-]*?-(\d{1,6})(?:-(\d{2,4}))?`)
	// PrintedNumber is rank, number and year of an instrument in a folded text.
	PrintedNumber = lazyregexp.New(`(?:decreto supremo|decreto legislativo|decreto ley|decreto-ley|decreto|ley organica|ley|resolucion)s? (?:n[°ºo.?]*\s*)?(\d[\d.]*)(?:[-/](\d{2,4}))?`)
	// Titled is a line that begins as the titles of norms do.
	Titled = lazyregexp.New(`^(?:\d{1,6} )?((?:Ley|Real Decreto|Decreto|Orden|Resolución|Constitución|Código|Reglamento|Acuerdo|Circular|Instrucción|Directiva|Ordenanza|Texto)\b.*)`)
)
