package brief

import (
	"regexp"
	"slices"
	"sort"
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
	given := namesIn(j.definitions(list))
	j.private(list)
	list = slices.DeleteFunc(list, func(m mention) bool { return m.Unit == "" && given.gives(m.Start) })
	kinds := j.kindsOf(list)
	for i := range list {
		m := &list[i]
		if m.ruling {
			continue
		}
		if d := j.meaning(*m, given); d >= 0 {
			m.Norm, m.Also, m.Name, m.Relative = given.list[d].norm, given.list[d].also, given.list[d].full, false
			if m.Norm != "" {
				m.context = m.Norm
			}
			kinds.changed(i)
			continue
		}
		if m.Norm == "" && len(m.Also) == 0 && bareName.MatchString(m.Name) {
			if kinds.lastOf(i); m.Norm == "" {
				kinds.onlyOf(i)
			}
		} else if m.Norm == "" && len(m.Also) == 0 && m.Name != "" {
			kinds.begins(i)
		}
		kinds.changed(i)
	}
	return list
}

// givenNames are the names that a text gives to norms, in order.
type givenNames struct {
	list []defined
	by   map[string][]int // their places in the list, by name
	most int              // words of the longest one
}

func namesIn(list []defined) givenNames {
	g := givenNames{list: list, by: map[string][]int{}}
	for i, d := range list {
		g.by[d.name] = append(g.by[d.name], i)
		g.most = max(g.most, strings.Count(d.name, " ")+1)
	}
	return g
}

// gives says whether a name is given at a place.
func (g givenNames) gives(at int) bool {
	k := sort.Search(len(g.list), func(i int) bool { return g.list[i].from > at }) - 1
	return k >= 0 && at < g.list[k].at
}

// meaning gives the place of the name by which a citation means its norm: the first that
// it can be, in its last meaning before it; -1 = none.
func (j *judge) meaning(m mention, g givenNames) int {
	first, of := -1, ""
	for _, name := range j.calls(m, g.most) {
		for _, d := range g.by[name] {
			if j.means(m, g.list[d]) {
				if first < 0 || d < first {
					first, of = d, name
				}
				break
			}
		}
	}
	if first < 0 {
		return -1
	}
	for _, d := range g.by[of] { // the name may be given anew
		if d > first && j.means(m, g.list[d]) {
			first = d
		}
	}
	return first
}

// What stands between a unit and the name of its norm behind it, and between the name and
// a unit that follows.
var (
	linksBehind = []string{"de la ", "del ", "de ", "la ", "el ", ""}
	linksBefore = []string{"", " en su", " en el", " cuyo"}
)

// calls gives the names of so many words, at most, by which a citation may mean a norm.
func (j *judge) calls(m mention, most int) (out []string) {
	if most == 0 {
		return nil
	}
	if m.Name != "" && strings.Contains(m.Text, m.Name) {
		return []string{folded(m.Name)}
	}
	if m.Unit == "" {
		return nil
	}
	before, after := j.around(m)
	for _, link := range linksBehind {
		if rest, ok := strings.CutPrefix(after, link); ok {
			words := strings.Split(rest, " ")
			for n := 1; n <= min(most, len(words)); n++ {
				out = append(out, strings.Join(words[:n], " "))
			}
		}
	}
	for _, link := range linksBefore {
		if rest, ok := strings.CutSuffix(before, link); ok {
			words := strings.Split(rest, " ")
			for n := 1; n <= min(most, len(words)); n++ {
				out = append(out, strings.Join(words[len(words)-n:], " "))
			}
		}
	}
	return out
}

// around gives the words before and behind a citation, folded.
func (j *judge) around(m mention) (before, after string) {
	return folded(string(j.runes[max(0, m.Start-50):m.Start])), folded(string(j.runes[m.End:min(len(j.runes), m.End+60)]))
}

// means says whether a citation is of the norm to which the text gave a name, which it is called by.
func (j *judge) means(m mention, d defined) bool {
	known := m.Norm != "" || len(m.Also) > 0
	return m.Start >= d.at && !(m.Name != "" && strings.Contains(m.Text, m.Name) && known && d.loose)
}

// ofKind says whether a citation is of a norm that a word alone may mean: "la Ley".
func (j *judge) ofKind(p mention, kind string) bool {
	n, ok := j.Law.Norm(p.Norm)
	if p.Norm == "" || p.Relative || !ok {
		return false
	}
	return strings.Contains(kind, "texto") || strings.Contains(kind, "cuerpo") || kind == "norma" || j.calledSo(p.Name, kind) || j.calledSo(n.Title, kind) ||
		strings.HasSuffix(kind, "tuo") && compilation.MatchString(text.Fold(n.Title)) || kind == "estatuto" && strings.Contains(folded(n.Title), " "+kind+" ")
}

// approving is what stands in a title before the name of the text itself.
var approving = regexp.MustCompile(`^(?:ley \d[\d ]* |(?:.* )?(?:aprueban?|tuo|texto unico ordenado|texto refundido) (?:(?:de|del|el|la) )*)+`)

// calledSo says whether a name or title begins with words, what approves or compiles the text left out or not.
func (j *judge) calledSo(title, words string) bool {
	forms, known := j.titles[title]
	if !known {
		f := folded(title)
		forms = [2]string{f, approving.ReplaceAllString(f, "")}
		j.titles[title] = forms
	}
	return strings.HasPrefix(forms[0], words) || strings.HasPrefix(forms[1], words)
}
