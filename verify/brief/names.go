package brief

import (
	"slices"
	"sort"
	"strings"

	"digesto/text"
	"digesto/text/lazyregexp"
	"digesto/verify/read"
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
	naming = lazyregexp.New(`(?i)\b(?:en adelante|en lo sucesivo|en lo que sigue|de ahora en adelante|desde ahora|en lo adelante|de aquí en más|en más)\b[,:]?\s*(?:(?:también|denominad[oa]|llamad[oa]|citad[oa])[,:]?\s*)*(?:(?:por sus siglas|el|la|los|las)\s+)?[«“"'‘*_]*(?:(?:el|la|los|las)\s+)?([\p{L}\d][\p{L}\d ./-]{0,40}?)[»”"'’*_]*\s*[),;.]`)
	marked = lazyregexp.New(`^\s*\(\s*(?:(?:el|la|los|las)\s+)?[«“"'‘]\s*(?:(?:el|la|los|las|El|La)\s+)?([\p{L}\d][^»”"'’()]{0,40}?)[»”"'’]\s*\)`)
	siglas = lazyregexp.New(`^\s*\(([A-ZÁÉÍÓÚÑ][A-Za-zÁÉÍÓÚÑáéíóúñ]{1,11})\)`)
)

// reachName is how far behind a norm its official title may go on before its name is given.
const reachName = 300

// definitions finds the names that a text gives to the norms it cites.
func (j *checker) definitions(list []read.Mention) []defined {
	var out []defined
	for i, m := range list {
		if m.Norm == "" && len(m.Also) == 0 || m.Ruling || m.Relative {
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
			if at = naming.FindStringSubmatchIndex(rest); at != nil && read.SentenceEnd([]rune(rest[:at[0]])) {
				at = nil
			}
		}
		if at == nil {
			at, d.loose = siglas.FindStringSubmatchIndex(rest), true
		}
		if at == nil || i+1 < len(list) && list[i+1].Unit != "" && len([]rune(rest[:at[2]])) > list[i+1].Start-m.End {
			continue
		}
		d.name, d.from, d.at = read.Folded(rest[at[2]:at[3]]), m.End+len([]rune(rest[:at[2]])), m.End+len([]rune(rest[:at[1]]))
		if d.name != "" {
			out = append(out, d)
		}
	}
	return out
}

// bareName is a word for a norm that does not say which.
var bareName = lazyregexp.New(`(?i)^(?:ley|norma|código|codigo|reglamento|estatuto|decreto|texto legal|cuerpo legal|texto|texto único ordenado|tuo|orden|directiva|constitución|constitucion)$`)

// named gives to citations the norms that the text means by its own names, and by "la
// Ley" the law of that kind that was named last. Where a name is given it is no citation.
func (j *checker) named(list []read.Mention) []read.Mention {
	given := namesIn(j.definitions(list))
	j.private(list)
	list = slices.DeleteFunc(list, func(m read.Mention) bool { return m.Unit == "" && given.gives(m.Start) })
	kinds := j.kindsOf(list)
	for i := range list {
		m := &list[i]
		if m.Ruling {
			continue
		}
		if d := j.meaning(*m, given); d != nil {
			m.Norm, m.Also, m.Name, m.Relative = d.norm, d.also, d.full, false
			if m.Norm != "" {
				m.Context = m.Norm
			}
			continue
		}
		if m.Norm != "" || len(m.Also) > 0 || m.Name == "" {
			continue
		}
		if bareName.MatchString(m.Name) {
			kinds.lastOf(i)
		}
		if m.Norm == "" {
			kinds.onlyOf(i)
		}
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

// meaning gives the name by which a citation means its norm, in its last meaning before it; nil = none.
func (j *checker) meaning(m read.Mention, g givenNames) (d *defined) {
	known := (m.Norm != "" || len(m.Also) > 0) && m.Name != "" && strings.Contains(m.Text, m.Name)
	for _, name := range j.calls(m, g.most) {
		for _, k := range g.by[name] { // the name may be given anew
			if m.Start >= g.list[k].at && !(known && g.list[k].loose) {
				d = &g.list[k]
			}
		}
		if d != nil {
			break
		}
	}
	return d
}

// What stands between a unit and the name of its norm behind it, and between the name and
// a unit that follows.
var (
	linksBehind = []string{"de la ", "del ", "de ", "la ", "el ", ""}
	linksBefore = []string{"", " en su", " en el", " cuyo"}
)

// calls gives the names of so many words, at most, by which a citation may mean a norm.
func (j *checker) calls(m read.Mention, most int) (out []string) {
	if most == 0 {
		return nil
	}
	if m.Name != "" && strings.Contains(m.Text, m.Name) {
		return []string{read.Folded(m.Name)}
	}
	if m.Unit == "" {
		return nil
	}
	after := read.Folded(string(j.runes[m.End:min(len(j.runes), m.End+60)]))
	for _, link := range linksBehind {
		if rest, ok := strings.CutPrefix(after, link); ok {
			words := strings.Split(rest, " ")
			for n := range min(most, len(words)) {
				out = append(out, strings.Join(words[:n+1], " "))
			}
		}
	}
	before := read.Folded(string(j.runes[max(0, m.Start-50):m.Start]))
	for _, link := range linksBefore {
		if rest, ok := strings.CutSuffix(before, link); ok {
			words := strings.Split(rest, " ")
			for n := range min(most, len(words)) {
				out = append(out, strings.Join(words[len(words)-n-1:], " "))
			}
		}
	}
	return out
}

// ofKind says whether a citation is of a norm that a word alone may mean: "la Ley".
func (j *checker) ofKind(p read.Mention, kind string) bool {
	n, ok := j.Law.Norm(p.Norm)
	if p.Norm == "" || p.Relative || !ok {
		return false
	}
	return strings.Contains(kind, "texto") || strings.Contains(kind, "cuerpo") || kind == "norma" || j.calledSo(p.Name, kind) || j.calledSo(n.Title, kind) ||
		strings.HasSuffix(kind, "tuo") && compilation.MatchString(text.Fold(n.Title)) || kind == "estatuto" && strings.Contains(read.Folded(n.Title), " "+kind+" ")
}

// approving is what stands in a title before the name of the text itself.
var approving = lazyregexp.New(`^(?:ley \d[\d ]* |(?:.* )?(?:aprueban?|tuo|texto unico ordenado|texto refundido) (?:(?:de|del|el|la) )*)+`)

// calledSo says whether a name or title begins with words, what approves or compiles the text left out or not.
func (j *checker) calledSo(title, words string) bool {
	forms, known := j.titles[title]
	if !known {
		f := read.Folded(title)
		forms = [2]string{f, approving.ReplaceAllString(f, "")}
		j.titles[title] = forms
	}
	return strings.HasPrefix(forms[0], words) || strings.HasPrefix(forms[1], words)
}
