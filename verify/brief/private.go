package brief

import (
	"strings"

	"digesto/text/lazyregexp"
	"digesto/verify/read"
)

// Texts that are no norm of the installed law and whose articles people cite beside its
// own, without a name: "el artículo 23 del convenio", "el contrato dice en su artículo 3".
const privateNouns = `(?:convenios?(?: colectivos?)?|contratos?|pactos?|pliegos?|estatutos|laudos?|póliza|escritura|acuerdos?(?: de empresa| colectivos?)?|reglamento (?:interno|de régimen inter\pL+)|código (?:ético|de conducta)|plan de igualdad|protocolo)`

var (
	ofPrivate = lazyregexp.New(`^,?\s(?:de|del|de la|de los|de nuestr[oa]s?|de su|de este|de ese|de dicho)\s(?:(?:citad[oa]|mencionad[oa]|referid[oa]|vigente|propi[oa]|mism[oa]|presente|aplicable|nuevo|anterior|[IVXL]+)\s)*(` + privateNouns + `)(?:[\s.,;:)]|$)`)
	inPrivate = lazyregexp.New(`(?:^|[\s(])(?:[Ee]l|[Ll]os|[Nn]uestros?|[Dd]ichos?|[Ee]ste|[Ee]se)\s(?:(?:citad[oa]|mencionad[oa]|referid[oa]|vigente|propi[oa]|mism[oa]|presente|aplicable)\s)*(` + privateNouns + `)(?:\s(?:de \pL+|provincial|estatal|sectorial|aplicable))*(?:,\sen\ssus?\s|,?\s(?:también |ya |lo )?(?:` + read.Says + `|regula|contempla|recoge)\s?[^.;:«“"()]{0,30}(?:\(|\sen\s(?:el|su|los|sus)\s))$`)
)

// itsOwn stands before an article of what the sentence speaks of: "en su artículo 5".
var itsOwn = lazyregexp.New(`(?i)\sen\ssus?\s$`)

// private gives the article of such a text its name, so that it is not taken for one of
// the law at hand, unless a norm named before it is called so.
func (j *checker) private(list []read.Mention) {
	kinds := j.kindsOf(list)
	for i := range list {
		m := &list[i]
		if m.Unit == "" || m.Ruling {
			continue
		}
		if its := itsOwn.MatchString(string(j.runes[max(0, m.Start-8):m.Start])); !its && (m.Name != "" || m.Norm != "" || len(m.Also) > 0 || m.Relative) {
			continue
		}
		noun := ofPrivate.FindStringSubmatch(string(j.runes[min(m.End, len(j.runes)):min(len(j.runes), m.End+80)]))
		if noun == nil {
			from := max(0, m.Start-120)
			if i > 0 && list[i-1].End <= m.Start {
				from = max(from, list[i-1].End)
			}
			noun = inPrivate.FindStringSubmatch(string(j.runes[from:m.Start]))
		}
		if noun == nil {
			continue
		}
		m.Name, m.Norm, m.Also, m.Relative, m.Context = strings.TrimSpace(noun[1]), "", nil, false, ""
		kinds.lastOf(i)
	}
}
