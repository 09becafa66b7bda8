package pack

import (
	"cmp"
	"slices"
	"strings"
)

// Section is a part that guides have, with the words by which a question asks for it.
type Section struct {
	Name    string   // "requisitos"; sections of a guide whose name begins so, or with an alias, are it
	Aliases []string // further beginnings of names
	Forms   []string // expressions that ask for it, folded
}

// SectionOf gives the section that a question asks for: the one whose longest
// expression it holds, the earlier in the file on a tie; "" = none.
func (p *Pack) SectionOf(question string) string {
	if list := p.SectionsOf(question); len(list) > 0 {
		return list[0].Name
	}
	return ""
}

// SectionsOf gives all sections that a question holds an expression of, the one
// of the longest expression first. A bare word asks for the first that has an
// empty expression.
func (p *Pack) SectionsOf(question string) []Section {
	words := Words(question)
	whole := " " + strings.Join(words, " ") + " "
	var out []Section
	long := map[string]int{}
	for _, s := range p.Sections {
		for _, f := range s.Forms {
			switch {
			case f == "" && len(words) == 1:
				long[s.Name] = max(long[s.Name], 1)
			case f != "" && strings.Contains(whole, " "+f+" "):
				long[s.Name] = max(long[s.Name], 1+len(f))
			}
		}
		if long[s.Name] > 0 {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b Section) int { return cmp.Compare(long[b.Name], long[a.Name]) })
	return out
}

// section finds a section by name.
func (p *Pack) section(name string) (Section, bool) {
	for _, s := range p.Sections {
		if s.Name == name {
			return s, true
		}
	}
	return Section{}, false
}

// is says whether a section of a guide is this one, by how its name begins.
func (s Section) is(section string) bool {
	own := strings.ReplaceAll(section, "_", "-")
	for _, a := range append([]string{s.Name}, s.Aliases...) {
		if strings.HasPrefix(own, a) {
			return true
		}
	}
	return false
}

// isAsking says whether a word only asks: a filler, or a word of an expression that
// asks for a section.
func (p *Pack) isAsking(word string) bool { return p.asking[word] || p.fill[word] }

func (r *reader) sections(p *Pack, names []string) {
	p.asking = map[string]bool{}
	for _, n := range r.names(names) {
		file, rows := r.tsv(n, "section", "aliases", "forms")
		for _, w := range rows {
			s := Section{Name: strings.TrimSpace(w.cells[0]), Aliases: strings.Fields(w.cells[1])}
			for f := range strings.SplitSeq(w.cells[2], "|") {
				k := key(f)
				s.Forms = append(s.Forms, k)
				for _, word := range strings.Fields(k) {
					p.asking[word] = true
				}
			}
			if s.Name == "" || key(w.cells[2]) == "" {
				r.fail(file, w.line, "una sección necesita nombre y al menos una expresión")
				continue
			}
			if s.Name == "palabras" { // words that only ask, of no section
				continue
			}
			p.Sections = append(p.Sections, s)
		}
	}
}
