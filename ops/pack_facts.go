package ops

import (
	"fmt"
	"slices"
	"strings"

	"digesto"
	"digesto/app"
	"digesto/ask"
	"digesto/ground"
	"digesto/pack"
	"digesto/retrieve"
	"digesto/text/figure"
	"digesto/text/lazyregexp"
)

// PackProblem is a fault found.
type PackProblem struct {
	Pack string `json:"pack"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Text string `json:"text"`
}

// CompareFacts looks each fact up in its official place, where that is
// installed, and reports figures that the article does not hold.
func CompareFacts(a *app.App, all []*pack.Pack) (bad []PackProblem, compared int, err error) {
	w, err := a.Open(a.Context)
	if err != nil {
		return nil, 0, err
	}
	defer w.Close()
	v, done, err := w.Law.View()
	if err != nil {
		return nil, 0, err
	}
	defer done()
	if v.Snapshot == nil {
		return nil, 0, &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ley instalada con la que comparar", Hint: "Instale la ley con «digesto corpus add»."}
	}
	for _, p := range all {
		n, misled := ground.Misled(p, v)
		compared += n
		for _, m := range misled {
			file, line := m.Term.At()
			bad = append(bad, PackProblem{p.Name, file, line, fmt.Sprintf("el término «%s» lleva a %s %s, y %s", m.Term.Forms[0], m.Hint.Norm, m.Hint.Unit, m.Why)})
		}
		for _, f := range p.Fiches {
			for _, x := range f.Facts {
				if why, ok := retrieve.Lapsed(v, x, ""); ok {
					bad = append(bad, PackProblem{p.Name, f.File, x.Line, "ficha retirada: " + why + " " + x.Text})
				}
				missing, ok := absentFigures(v, p, x)
				if ok {
					compared++
				}
				if len(missing) > 0 {
					bad = append(bad, PackProblem{p.Name, f.File, x.Line, fmt.Sprintf("«%s» no consta en %s: %s", strings.Join(missing, "», «"), x.Ref, x.Text)})
				}
			}
		}
	}
	return bad, compared, nil
}

// spacedGroups are groups of three figures that a text sets apart: "1 221".
var spacedGroups = lazyregexp.New(`(\d)[ \x{a0}\x{202f}](\d{3})\b`)

// absentFigures gives the figures of a fact that its article does not have. ok
// is false when the article is not installed.
func absentFigures(v ask.View, p *pack.Pack, x pack.Fact) (missing []string, ok bool) {
	if x.Norm == "" || x.Place == "" {
		return nil, false
	}
	ver, err := v.Snapshot.Text(x.Norm, x.Place, "")
	if err != nil {
		return nil, false
	}
	loc := p.Figures()
	held := append(figure.FindAll(ver.Text, loc), figure.FindAll(spacedGroups.ReplaceAllString(ver.Text, "$1$2"), loc)...)
	for _, f := range figure.FindAll(x.Text, loc) {
		// A row of a table holds bare numbers, and the year of a figure is the norm's, not the article's.
		same := func(h figure.Figure) bool {
			return h.Value == f.Value && (h.Kind == f.Kind || h.Kind == figure.Number || f.Kind == figure.Number)
		}
		if f.Value != x.Year && !slices.ContainsFunc(held, same) {
			missing = append(missing, f.Text)
		}
	}
	return missing, true
}
