package laboral

import (
	"strconv"
	"strings"

	"digesto/pack"
)

// table reads tab-separated values with the header given, by column; every row has all of them.
func table(file string, data []byte, columns ...string) ([]map[string]string, error) {
	rows, lines, err := pack.Table(file, data, columns...)
	if err != nil {
		return nil, err
	}
	out := make([]map[string]string, len(rows))
	for i, cells := range rows {
		if len(cells) != len(columns) {
			return nil, invalid("Revise los tabuladores.", "%s:%d: tiene %d columnas y deben ser %d", file, lines[i], len(cells), len(columns))
		}
		out[i] = map[string]string{"line": strconv.Itoa(lines[i])}
		for k, c := range columns {
			out[i][c] = cells[k]
		}
	}
	return out, nil
}

func bad(file string, row map[string]string, what string) error {
	return invalid("Corrija la fila.", "%s:%s: %s", file, row["line"], what)
}

// patterns reads patterns separated by ";".
func patterns(s string) ([]pack.Pattern, error) {
	var out []pack.Pattern
	for p := range strings.SplitSeq(s, ";") {
		if p = strings.TrimSpace(p); p == "" {
			continue
		}
		x, err := pack.ParsePattern(p)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// longest gives the size of the longest pattern that the words hold, 0 when none does.
func longest(list []pack.Pattern, words []string) int {
	n := 0
	for _, p := range list {
		if from, to, ok := p.Find(words); ok {
			n = max(n, to-from)
		}
	}
	return n
}
