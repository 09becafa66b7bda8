package brief

import (
	"regexp"
	"slices"
	"strings"

	"digesto/text"
)

// defined is a short name that the text itself gives to a norm: "(en adelante, la
// Ley)". It counts from at on, in code points.
type defined struct {
	name  string // folded words
	norm  string // id, "" when the norm is not installed
	also  []string
	full  string // the norm as it was named
	from  int    // where the name is given
	at    int
	loose bool // a mere acronym in brackets, which yields to the names known
}

// Forms of giving a name, behind the norm that gets it.
var (
	naming = regexp.MustCompile(`(?i)\b(?:en adelante|en lo sucesivo|en lo que sigue|de ahora en adelante|desde ahora|en lo adelante|de aquí en más|en más)\b[,:]?\s*(?:(?:también|denominad[oa]|llamad[oa]|citad[oa])[,:]?\s*)*(?:(?:por sus siglas|el|la|los|las)\s+)?[«“"'‘*_]*(?:(?:el|la|los|las)\s+)?([\p{L}\d][\p{L}\d ./-]{0,40}?)[»”"'’*_]*\s*[),;.]`)
	marked = regexp.MustCompile(`^\s*\(\s*(?:(?:el|la|los|las)\s+)?[«“"'‘]\s*(?:(?:el|la|los|las|El|La)\s+)?([\p{L}\d][^»”"'’()]{0,40}?)[»”"'’]\s*\)`)
	siglas = regexp.MustCompile(`^\s*\(([A-ZÁÉÍÓÚÑ][A-Za-zÁÉÍÓÚÑáéíóúñ]{1,11})\)`)
)

// reachName is how far behind a norm its official title may go on before its name is given.
const reachName = 300

// definitions finds the names that a text gives to the norms it cites.
func (j *judge) definitions(list []mention) []defined {
	var out []defined
	for i, m := range list {
		if m.Norm == "" && len(m.Also) == 0 || m.ruling || m.Relative {
			continue
		}
		end := min(len(j.runes), m.End+reachName)
		if i+1 < len(list) && list[i+1].Start < end {
			end = max(m.End, list[i+1].Start+40) // the name may be one that is known
			end = min(end, len(j.runes))
		}
		rest := string(j.runes[m.End:end])
		if k := strings.Index(rest, "\n\n"); k >= 0 {
			rest = rest[:k]
		}
		d := defined{norm: m.Norm, also: m.Also, full: m.Name}
		at := marked.FindStringSubmatchIndex(rest)
		if at == nil {
			if at = naming.FindStringSubmatchIndex(rest); at != nil && sentenceEnd([]rune(rest[:at[0]])) {
				at = nil
			}
		}
		if at == nil {
			at, d.loose = siglas.FindStringSubmatchIndex(rest), true
		}
		if at == nil || i+1 < len(list) && list[i+1].Unit != "" && len([]rune(rest[:at[2]])) > list[i+1].Start-m.End {
			continue
		}
		d.name, d.from, d.at = folded(rest[at[2]:at[3]]), m.End+len([]rune(rest[:at[2]])), m.End+len([]rune(rest[:at[1]]))
		if d.name != "" {
			out = append(out, d)
		}
	}
	return out
}

func folded(s string) string {
	var w []string
	for _, t := range text.Tokens(nil, s) {
		w = append(w, t.Text)
	}
	return strings.Join(w, " ")
}

// bareName is a word for a norm that does not say which.
var bareName = regexp.MustCompile(`(?i)^(?:ley|norma|código|codigo|reglamento|estatuto|decreto|texto legal|cuerpo legal|texto|texto único ordenado|tuo|orden|directiva|constitución|constitucion)$`)

// named gives to citations the norms that the text means by its own names, and by "la
// Ley" the law of that kind that was named last. Where a name is given it is no citation.
func (j *judge) named(list []mention) []mention {
	names := j.definitions(list)
	j.private(list)
	list = slices.DeleteFunc(list, func(m mention) bool {
		return m.Unit == "" && slices.ContainsFunc(names, func(d defined) bool { return d.from <= m.Start && m.Start < d.at })
	})
	for i := range list {
		m := &list[i]
		if m.ruling {
			continue
		}
		if d := slices.IndexFunc(names, func(d defined) bool { return j.means(*m, d) }); d >= 0 {
			for k := d + 1; k < len(names); k++ { // the name may be given anew
				if names[k].name == names[d].name && j.means(*m, names[k]) {
					d = k
				}
			}
			m.Norm, m.Also, m.Name, m.Relative = names[d].norm, names[d].also, names[d].full, false
			if m.Norm != "" {
				m.context = m.Norm
			}
			continue
		}
		if m.Norm == "" && len(m.Also) == 0 && bareName.MatchString(m.Name) {
			if j.lastOf(list[:i], m); m.Norm == "" {
				j.onlyOf(list, m)
			}
		} else if m.Norm == "" && len(m.Also) == 0 && m.Name != "" {
			j.begins(list, m)
		}
	}
	return list
}

// means says whether a citation is of the norm to which the text gave a name.
func (j *judge) means(m mention, d defined) bool {
	if m.Start < d.at {
		return false
	}
	known := m.Norm != "" || len(m.Also) > 0
	if m.Name != "" && strings.Contains(m.Text, m.Name) {
		return folded(m.Name) == d.name && !(known && d.loose)
	}
	if m.Unit == "" {
		return false
	}
	after := folded(string(j.runes[m.End:min(len(j.runes), m.End+60)]))
	for _, link := range []string{"de la ", "del ", "de ", "la ", "el ", ""} {
		if rest, ok := strings.CutPrefix(after, link+d.name); ok && (rest == "" || rest[0] == ' ') {
			return true
		}
	}
	before := folded(string(j.runes[max(0, m.Start-50):m.Start]))
	for _, link := range []string{"", " en su", " en el", " cuyo"} {
		if strings.HasSuffix(" "+before, " "+d.name+link) {
			return true
		}
	}
	return false
}

// lastOf gives to a citation of "la Ley" the norm of that kind named last before it.
func (j *judge) lastOf(before []mention, m *mention) {
	kind := folded(m.Name)
	for k := len(before) - 1; k >= 0; k-- {
		if p := before[k]; j.ofKind(p, kind) {
			m.Norm, m.context = p.Norm, p.Norm
			return
		}
	}
}

// onlyOf gives to a citation of "el Estatuto" the only norm of that kind that the text
// names, before it or behind. Laws and decrees are too many for that.
func (j *judge) onlyOf(list []mention, m *mention) {
	kind, only := folded(m.Name), ""
	if kind != "estatuto" && kind != "constitucion" && kind != "codigo" {
		return
	}
	for _, p := range list {
		if !j.ofKind(p, kind) {
			continue
		}
		if only != "" && only != p.Norm {
			return
		}
		only = p.Norm
	}
	if only != "" {
		m.Norm, m.context = only, only
	}
}

// ofKind says whether a citation is of a norm that a word alone may mean: "la Ley".
func (j *judge) ofKind(p mention, kind string) bool {
	n, ok := j.Law.Norm(p.Norm)
	if p.Norm == "" || p.Relative || !ok {
		return false
	}
	return strings.Contains(kind, "texto") || strings.Contains(kind, "cuerpo") || kind == "norma" || calledSo(p.Name, kind) || calledSo(n.Title, kind) ||
		strings.HasSuffix(kind, "tuo") && compilation.MatchString(text.Fold(n.Title)) || kind == "estatuto" && strings.Contains(folded(n.Title), " "+kind+" ")
}

// approving is what stands in a title before the name of the text itself.
var approving = regexp.MustCompile(`^(?:ley \d[\d ]* |(?:.* )?(?:aprueban?|tuo|texto unico ordenado|texto refundido) (?:(?:de|del|el|la) )*)+`)

// calledSo says whether a name or title begins with words, what approves or compiles the text left out or not.
func calledSo(title, words string) bool {
	f := folded(title)
	return strings.HasPrefix(f, words) || strings.HasPrefix(approving.ReplaceAllString(f, ""), words)
}

// begins gives to a citation of a text by the first words of its name, "Código Procesal",
// the one norm that the text cites whose title begins so; none when two do.
func (j *judge) begins(list []mention, m *mention) {
	short, found := folded(m.Name), ""
	if !everywhere.MatchString(m.Name) {
		return
	}
	for _, p := range list {
		n, ok := j.Law.Norm(p.Norm)
		if !ok || p.Norm == "" || n.ID == found || !calledSo(n.Title, short+" ") || calledSo(n.Title, short+" y ") || j.older(m.Name, n) {
			continue
		}
		if found != "" {
			return
		}
		found = n.ID
	}
	if found != "" {
		m.Norm, m.context = found, found
	}
}
