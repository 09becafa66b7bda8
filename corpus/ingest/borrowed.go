package ingest

import (
	"fmt"
	"strings"

	"digesto"
	"digesto/corpus/ingest/dating"
	"digesto/corpus/ingest/line"
	"digesto/text/lazyregexp"
)

var registered = lazyregexp.New(`(?i)\bregistrad[oa] bajo el n[°ºro.]*\s*(\d[\d.]*\d)`)

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
			if !dating.Foreign(*v) {
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
		m.defect(line.KindForeign, fmt.Sprintf("En lugar de los artículos %s están los de otra norma (n.º %s): no se citan", line.Shorten(gone, 20), other))
	}
	doubtful := 0
	for i := range m.Units {
		if u := &m.Units[i]; dating.Foreign(u.Versions[len(u.Versions)-1]) {
			doubtful++
		}
	}
	if doubtful > len(gone) {
		m.defect(line.KindBorrowed, fmt.Sprintf("%d artículos no son de la página de esta norma, sino de las que la cambiaron: se citan con su advertencia", doubtful-len(gone)))
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
