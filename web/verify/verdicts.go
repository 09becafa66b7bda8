package verify

import (
	"fmt"
	"strings"

	"digesto/text/lazyregexp"
	"digesto/verify"
	"digesto/verify/brief"
)

// Partial says up to where a text was checked; "" = all of it.
func Partial(text string, r brief.Report) string {
	if r.Checked.Complete {
		return ""
	}
	line := 1
	for at, c := range []rune(text) {
		if at >= r.Checked.Read {
			break
		}
		if c == '\n' {
			line++
		}
	}
	return fmt.Sprintf("Solo se ha comprobado hasta la línea %d (carácter %d): el texto tiene más citas de las que caben en un informe. Compruebe el resto aparte.", line, r.Checked.Read)
}

// VerdictNames are the verdicts for people, with the mark that stands before each.
var VerdictNames = map[brief.Verdict][2]string{
	brief.Verified:      {"✓", "COMPROBADA"},
	brief.Superseded:    {"⚠", "SUPERADA"},
	brief.Misattributed: {"✗", "ATRIBUCIÓN ERRÓNEA"},
	brief.NotFound:      {"✗", "NO ENCONTRADA"},
	brief.Unresolved:    {"?", "SIN RESOLVER"},
}

// tallies count them, one and several.
var tallies = map[brief.Verdict][2]string{
	brief.Verified: {"comprobada", "comprobadas"}, brief.Superseded: {"superada", "superadas"}, brief.Misattributed: {"atribución errónea", "atribuciones erróneas"},
	brief.NotFound: {"no encontrada", "no encontradas"}, brief.Unresolved: {"sin resolver", "sin resolver"},
}

// HoldingNames are what is said of a sentence without quotation, with its mark.
var HoldingNames = map[verify.Holding][2]string{
	verify.Supported:    {"✓", "LO DICE EL ARTÍCULO"},
	verify.Contradicted: {"✗", "EL ARTÍCULO DICE OTRA COSA"},
	verify.NotShown:     {"·", "LA FRASE, SIN COMPROBAR"},
}

var spaces = lazyregexp.New(`\s+`)

// OneLine puts a text in one line.
func OneLine(s string) string { return strings.TrimSpace(spaces.ReplaceAllString(s, " ")) }
