package verify

import (
	"strings"

	"digesto"
	"digesto/text"
	"digesto/text/figure"
)

// Figures gives the figures of an answer's text that stand in none of its
// quotations and that no calculator gave: amounts, percentages, lengths of time
// and plain numbers, in digits or words, compared by value and kind. An empty
// result means that every figure has a source.
//
// Numbers that name something (the article, the law, a mark such as [C1]) are
// no figures; a plain number of the answer is also found as the number of a
// figure with a unit.
func Figures(answer string, quotes, tools []string, loc figure.Locale) []figure.Figure {
	known := map[string]bool{}
	for _, list := range [][]string{quotes, tools} {
		for _, q := range list {
			for _, f := range figures(evened(q), loc) {
				known[f.Value] = true
				known[key(f)] = true
			}
		}
	}
	var out []figure.Figure
	answer = evened(answer)
	rs := []rune(answer)
	for _, f := range figures(answer, loc) {
		if known[key(f)] || f.Kind == figure.Number && (known[f.Value] || bare(f) || naming(rs[:f.Start])) {
			continue
		}
		out = append(out, f)
	}
	return out
}

func key(f figure.Figure) string { return string(f.Kind) + "\x00" + f.Value + "\x00" + f.Unit }

// bare leaves out "un", "una" and "uno", which are articles and pronouns far
// more often than figures.
func bare(f figure.Figure) bool {
	return f.Kind == figure.Number && f.Value == "1" && !strings.ContainsAny(f.Text, "0123456789")
}

// naming says that a number after these words is the name of a part of a law:
// "artículo 3", "los artículos 3, 4 y".
func naming(before []rune) bool {
	toks := text.Tokens(nil, string(before[max(0, len(before)-80):]))
	for i := len(toks) - 1; i >= 0; i-- {
		w := toks[i].Text
		if structure[w] {
			return true
		}
		if w != "y" && w != "a" && w != "al" && w != "o" && (w[0] < '0' || w[0] > '9') {
			return false
		}
	}
	return false
}

var structure = text.WordSet("articulo articulos art arts apartado apartados parrafo parrafos numero numeros num nro inciso incisos letra letras literal literales " +
	"disposicion disposiciones norma normas ley leyes decreto decretos orden capitulo titulo seccion anexo anexos libro regla c pagina paginas pag")

// Labels gives the units that an answer names and that are neither among the
// grounds nor named in what it quotes: an article that the answer brings from
// somewhere else. Without a table nothing is checked.
func Labels(answer string, quotes []string, g Grounds) []string {
	if g.Table == nil {
		return nil
	}
	known := map[string]bool{}
	for _, gr := range g.List {
		known[gr.Unit.ID] = true
	}
	for _, q := range quotes {
		for _, m := range g.Table.Find(q) {
			known[m.Unit] = true
		}
	}
	var out []string
	for _, m := range g.Table.Find(answer) {
		if m.Unit != "" && !m.Relative && !known[m.Unit] && m.Kind != digesto.KindSection {
			out = append(out, m.Text)
		}
	}
	return out
}
