package dating

import (
	"digesto"
	"digesto/text/lazyregexp"
)

// Words of a note that stood in different type are glued where its marks were lost:
// "(Artículosustituidopor art. 3 de laLey N° 1.234B.O. 1/2/2020". Unread, such a note leaves
// the text with the day on which its norm was first published.
var unglueing = []*lazyregexp.Regexp{
	lazyregexp.New(`(?i)\b(art[íi]culo|inciso|p[áa]rrafo|apartado|punto|numeral|literal|cap[íi]tulo|t[íi]tulo|secci[óo]n|anexo|denominaci[óo]n|ep[íi]grafe|expresi[óo]n|texto|monto)((?:sustitu|substitu|modific|incorpor|derog|abrog|agreg|suprim|reemplaz|restablec|observ|vetad|renumer)[a-zíé]+)`),
	lazyregexp.New(`(?i)((?:sustitu|substitu|modific|incorpor|derog|abrog|agreg|suprim|reemplaz|restablec|observ|renumer)(?:ad|id|íd)[oa]s?)(por\b)`),
	lazyregexp.New(`\b([Dd]e la|[Dd]el|[Ll]a|[Ee]l)((?:Ley|Decreto|DNU|Resoluci[óo]n|Disposici[óo]n|Acordada|Decisi[óo]n)\b)`),
	lazyregexp.New(`(\d)(B\. ?O\.)`),
	lazyregexp.New(`(\.)(Vigencia:)`),
}

// spacedNote is a note with the words apart that were glued.
func spacedNote(note string) string {
	for _, x := range unglueing {
		note = x.ReplaceAllString(note, "$1 $2")
	}
	return note
}

// partNotes mends the notes of a version.
func partNotes(v *digesto.Version) {
	for i, n := range v.Notes {
		v.Notes[i] = spacedNote(n)
	}
}
