package pack

import (
	"fmt"
	"slices"
	"strings"

	"digesto"
)

// maxTable bounds a table of a calculator, in bytes.
const maxTable = 1 << 20

// Table reads the tab-separated values of a calculator, whose first line is the header given;
// lines of "#" are comments. It gives the cells of each row, as many as it has and at most as
// many as there are columns, and its line, from 1. What is wrong is an error with CodeInvalid.
func Table(file string, data []byte, columns ...string) (rows [][]string, lines []int, err error) {
	fail := func(hint, format string, a ...any) ([][]string, []int, error) {
		return nil, nil, &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf(format, a...), Hint: hint}
	}
	if len(data) > maxTable {
		return fail("Parta el archivo o revise que sea el correcto.", "%s pasa de 1 MB", file)
	}
	head := false
	for i, l := range strings.Split(strings.ToValidUTF8(string(data), "\uFFFD"), "\n") {
		l = strings.TrimRight(l, "\r")
		if strings.TrimSpace(l) == "" || l[0] == '#' {
			continue
		}
		cells := strings.Split(l, "\t")
		switch {
		case !head && !slices.Equal(cells, columns):
			return fail("Copie la cabecera del archivo original.", "%s:%d: las columnas deben ser %s", file, i+1, strings.Join(columns, ", "))
		case !head:
			head = true
			continue
		case len(cells) > len(columns):
			return fail("Quite los tabuladores de más.", "%s:%d: tiene %d columnas y deben ser %d", file, i+1, len(cells), len(columns))
		}
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		rows, lines = append(rows, cells), append(lines, i+1)
	}
	if len(rows) == 0 {
		return fail("Restaure el archivo original.", "%s no tiene filas", file)
	}
	return rows, lines, nil
}
