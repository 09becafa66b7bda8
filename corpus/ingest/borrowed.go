package ingest

import (
	"fmt"
	"regexp"
	"strings"

	"digesto"
)

// Collectors of law fill in articles that they do not find in the page of a norm with the
// article of that number in the page of a norm that changed it: sometimes its new wording,
// sometimes an article of that other norm itself. Their headings tell them: a number and
// ".—" alone, where the page has "ARTICULO 5º — Rubric. Text". The closing words of the
// other norm prove where the articles before them come from.

var (
	borrowedHead = regexp.MustCompile(`^ARTICULO \d+(?: [a-z]+)?\.—\s*$`)
	registered   = regexp.MustCompile(`(?i)\bregistrad[oa] bajo el n[°ºro.]*\s*(\d[\d.]*\d)`)
)

const doubtBorrowed = "El archivo no lo tomó de la página de su norma, sino de la de otra que la cambió: puede ser una redacción anterior o un texto ajeno."

func foreign(v digesto.Version) bool {
	_, ok := v.Foreign()
	return ok
}

// borrowed says that a heading is one that a collector made.
func borrowed(l Line) bool { return borrowedHead.MatchString(strings.TrimSpace(l.Text)) }

// withdrawForeign takes out of force the articles that are another norm's: those filled in
// before the closing words of a norm of another number.
func (m *made) withdrawForeign() {
	var gone []string
	other := ""
	for i := range m.Units {
		n := m.foreignClose(&m.Units[i])
		if n == "" {
			continue
		}
		for k := i; k >= 0; k-- {
			u := &m.Units[k]
			v := &u.Versions[len(u.Versions)-1]
			if !foreign(*v) {
				if k < i && strings.ContainsAny(u.Number, " -") || u.Kind != digesto.KindArticle {
					continue // "25 bis", put in by the text itself
				}
				break
			}
			v.Current = false
			v.Defects = []digesto.TextDefect{{Kind: digesto.DefectNotOwn, Detail: "Es un artículo de otra norma (n.º " + n + "): el archivo lo tiene en lugar del suyo."}}
			gone, other = append(gone, u.Number), n
		}
	}
	if len(gone) > 0 {
		m.defect(kindForeign, fmt.Sprintf("En lugar de los artículos %s están los de otra norma (n.º %s): no se citan", shorten(gone, 20), other))
	}
	doubtful := 0
	for i := range m.Units {
		if u := &m.Units[i]; foreign(u.Versions[len(u.Versions)-1]) {
			doubtful++
		}
	}
	if doubtful > len(gone) {
		m.defect(kindBorrowed, fmt.Sprintf("%d artículos no son de la página de esta norma, sino de las que la cambiaron: se citan con su advertencia", doubtful-len(gone)))
	}
}

// foreignClose gives the number of the other norm whose closing words stand with a unit.
func (m *made) foreignClose(u *digesto.Unit) string {
	v := &u.Versions[len(u.Versions)-1]
	for _, s := range append([]string{v.Text}, v.Notes...) {
		if x := registered.FindStringSubmatch(s); x != nil {
			if n := strings.ReplaceAll(x[1], ".", ""); !strings.Contains(strings.ReplaceAll(strings.Join(append([]string{m.Norm.ID, m.Norm.Title}, m.Norm.IDs...), " "), ".", ""), n) {
				return x[1]
			}
		}
	}
	return ""
}
