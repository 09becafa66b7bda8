package laboral

import (
	"strconv"
	"strings"

	"digesto/pack"
)

// maxTable bounds a table, in bytes.
const maxTable = 1 << 20

// table reads tab-separated values with the header given; lines of "#" are comments.
func table(file string, data []byte, columns ...string) ([]map[string]string, error) {
	if len(data) > maxTable {
		return nil, invalid("Revise que sea el archivo correcto.", "%s pasa de 1 MB", file)
	}
	var out []map[string]string
	head := false
	for i, l := range strings.Split(strings.ToValidUTF8(string(data), "\uFFFD"), "\n") {
		l = strings.TrimRight(l, "\r")
		if strings.TrimSpace(l) == "" || l[0] == '#' {
			continue
		}
		cells := strings.Split(l, "\t")
		if !head {
			if strings.Join(cells, "\t") != strings.Join(columns, "\t") {
				return nil, invalid("Copie la cabecera del archivo original.", "%s:%d: las columnas deben ser %s", file, i+1, strings.Join(columns, ", "))
			}
			head = true
			continue
		}
		if len(cells) != len(columns) {
			return nil, invalid("Revise los tabuladores.", "%s:%d: tiene %d columnas y deben ser %d", file, i+1, len(cells), len(columns))
		}
		row := map[string]string{"line": strconv.Itoa(i + 1)}
		for k, c := range columns {
			row[c] = strings.TrimSpace(cells[k])
		}
		out = append(out, row)
	}
	if len(out) == 0 {
		return nil, invalid("Restaure el archivo original.", "%s no tiene filas", file)
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
