package structure

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto"
	"digesto/corpus/ingest/dating"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/text/lazyregexp"
)

// A row of a table is what people ask for ("what is the fine for…"), so each is
// a unit of its own beside the unit that holds the whole table: its path ends
// in the table's title, its rubric is the line of headings, and its text is the
// row alone, as it stands in the source.

const rowLabel = "Fila "

// table is a run of rows in the paragraphs of a unit.
type table struct {
	title string
	rows  []tableRow
}

type tableRow struct {
	text  string
	heads string // headings of the columns
	group string // row of the table that is a heading of those under it
	page  int
}

// Bounds: more rows than that are a database, not a table of a law.
const maxTableRows = 4000

// rowUnits gives the rows of the tables in a unit, whose paragraphs are paras.
func rowUnits(u digesto.Unit, paras []line.Line) []digesto.Unit {
	v := u.Versions[len(u.Versions)-1]
	if !v.Current {
		return nil
	}
	var out []digesto.Unit
	for k, t := range tablesIn(paras) {
		path := append(append([]string{}, u.Path...), heading.JoinHeading(u.Label, u.Rubric))
		if u.Kind == digesto.KindTable || u.Kind == digesto.KindAnnex && len(u.Path) == 0 {
			path = []string{heading.JoinHeading(u.Label, u.Rubric)}
		}
		if t.title != "" {
			path = append(path, t.title)
		}
		for j, r := range t.rows {
			number := fmt.Sprintf("%s-%d-%d", strings.ReplaceAll(u.ID, "~", "."), k+1, j+1)
			row := digesto.Unit{Norm: u.Norm, ID: "t" + number, Kind: digesto.KindTable, Number: number, Label: fmt.Sprintf("%s%d de la tabla", rowLabel, j+1), Rubric: r.heads, Path: path[:len(path):len(path)]}
			if r.group != "" {
				row.Path = append(row.Path, r.group)
			}
			rv := v
			rv.Text, rv.SHA256, rv.Notes, rv.Pages, rv.Refs = r.text, line.Sum(r.text), nil, nil, nil
			if r.page > 0 {
				rv.Pages = []digesto.PageMark{{Start: 0, Page: r.page}}
			}
			row.Versions = []digesto.Version{rv}
			out = append(out, row)
		}
	}
	return out
}

// tablesIn finds the tables in paragraphs: runs of rows that a reader saw as
// such, and runs of pairs, a label and under it a figure, which is what is left
// of a table whose cells became paragraphs.
func tablesIn(paras []line.Line) []table {
	var out []table
	rows := 0
	for i := 0; i < len(paras) && rows < maxTableRows; {
		t, next := tableAt(paras, i)
		if next == 0 {
			t, next = pairsAt(paras, i)
		}
		if next == 0 {
			i++
			continue
		}
		t.title = tableTitleOf(paras, i)
		rows += len(t.rows)
		if len(t.rows) > 0 {
			out = append(out, t)
		}
		i = next
	}
	return out
}

// strayLines is how many paragraphs may stand between rows of one table: items
// without cells, headings that the reader did not see as rows.
const strayLines = 3

// tableAt reads the table whose first row is paragraph i; next is the paragraph
// after it, 0 if there is none.
func tableAt(paras []line.Line, i int) (t table, next int) {
	if !paras[i].Table {
		return t, 0
	}
	var rows []line.Line
	last := i
	for k := i; k < len(paras) && k-last <= strayLines; k++ {
		if paras[k].Table {
			if k > last+1 && cells(paras[k].Text) < 2 {
				break
			}
			rows, last = append(rows, paras[k]), k
		} else if strings.HasSuffix(paras[k].Text, ":") {
			break
		}
	}
	heads := headRows(rows)
	t.rows = readRows(rows[heads:], headingsOf(rows[:heads]))
	return t, last + 1
}

func readRows(rows []line.Line, heads string) (out []tableRow) {
	group := ""
	for _, l := range rows {
		switch {
		case heads != "" && l.Text == heads: // printed again on the next page
			continue
		case groupRow(l.Text):
			group = strings.Join(strings.FieldsFunc(l.Text, func(r rune) bool { return r == '|' }), "·")
			group = line.Clip(line.Tidy(group), 300)
			continue
		}
		t, _ := dating.CutNoteMarks(l.Text)
		if t = line.Tidy(t); strings.Trim(t, " |") != "" {
			out = append(out, tableRow{text: t, heads: heads, group: group, page: l.Page})
		}
	}
	return out
}

func cells(s string) int { return strings.Count(s, " | ") + 1 }

// headRows counts the rows of headings that a table begins with: those marked
// so, else a first row without a figure above rows that have some.
func headRows(rows []line.Line) int {
	n := 0
	for n < len(rows)-1 && rows[n].Bold && !groupRow(rows[n].Text) {
		n++
	}
	if n > 0 {
		return n
	}
	if len(rows) < 2 || figureCells(rows[0].Text) > 0 || cells(rows[0].Text) < 2 || utf8.RuneCountInString(rows[0].Text) > 700 {
		return 0
	}
	figures := 0
	for _, l := range rows[1:] {
		if figureCells(l.Text) > 0 {
			figures++
		}
	}
	if figures*2 < len(rows)-1 {
		return 0
	}
	if n = 1; n < len(rows)-1 && strings.HasPrefix(rows[n].Text, "|") && figureCells(rows[n].Text) == 0 {
		n++ // second line of headings, under the columns that the first one groups
	}
	return n
}

var figureCell = lazyregexp.New(`^(?:S/\.? ?|€ ?|\$ ?)?-?\d[\d.,]*(?: ?(?:%|€|euros|[A-Z]{2,4}|por ciento|días|meses|años|mes|año|día))?\.?$`)

// figureCells counts the cells of a row that are a figure and nothing else.
func figureCells(s string) (n int) {
	for _, c := range strings.Split(s, " | ") {
		if figureCell.MatchString(strings.TrimSpace(strings.Trim(c, "|"))) {
			n++
		}
	}
	return n
}

func headingsOf(rows []line.Line) string {
	var b []string
	for _, l := range rows {
		b = append(b, l.Text)
	}
	return line.Clip(strings.Join(b, " / "), 400)
}

// groupRow says whether a row is a heading inside the table: its first cell in
// capitals, long enough to be words, and no more than a reference beside it.
func groupRow(s string) bool {
	first, rest, _ := strings.Cut(s, " | ")
	return heading.IsUpper(first) && utf8.RuneCountInString(first) > 24 && cells(s) <= 2 && !strings.ContainsAny(rest, "%€$")
}

var pairValue = lazyregexp.New(`^(?:S/\.? ?|€ ?|\$ ?)?\d[\d.,]*(?: ?(?:%|€|euros|[A-Z]{2,4}|por ciento))[”"»]?\.?$`)

// pairsAt reads a run of at least three pairs of label and figure.
func pairsAt(paras []line.Line, i int) (t table, next int) {
	if i > 0 && pairValue.MatchString(strings.TrimSpace(paras[i-1].Text)) {
		return table{}, 0 // the figure stands before its label there, or has two
	}
	k := i
	for k+1 < len(paras) && pairLabel(paras[k]) && pairValue.MatchString(strings.TrimSpace(paras[k+1].Text)) {
		t.rows = append(t.rows, tableRow{text: paras[k].Text + "\n" + paras[k+1].Text, page: paras[k].Page})
		k += 2
	}
	if len(t.rows) < 3 {
		return table{}, 0
	}
	return t, k
}

func pairLabel(l line.Line) bool {
	return !l.Table && strings.IndexFunc(l.Text, unicode.IsLetter) >= 0 && utf8.RuneCountInString(l.Text) <= 120 && !strings.HasSuffix(l.Text, ":") && !pairValue.MatchString(l.Text)
}

// tableTitleOf gives the words that announce the table at paragraph i: the nearest
// line above it that is a title, or the sentence that ends in a colon.
func tableTitleOf(paras []line.Line, i int) string {
	for k := i - 1; k >= 0 && k >= i-4; k-- {
		t := strings.TrimSpace(paras[k].Text)
		switch {
		case paras[k].Table:
			return ""
		case strings.HasSuffix(t, ":"):
			return lastSentence(t)
		case strings.HasSuffix(t, ".") && !heading.IsUpper(t):
			return ""
		case utf8.RuneCountInString(t) <= 160 && (heading.IsUpper(t) || paras[k].Bold || paras[k].Level > 0 || k == i-1):
			if k > 0 && heading.IsUpper(t) && heading.IsUpper(paras[k-1].Text) && utf8.RuneCountInString(paras[k-1].Text) <= 160 && k > i-4 {
				continue // a title of several lines: from its first
			}
			var words []string
			for _, l := range paras[k:i] {
				words = append(words, l.Text)
			}
			return line.Clip(strings.Join(words, " "), 300)
		}
	}
	return ""
}

func lastSentence(t string) string {
	t = strings.TrimSuffix(t, ":")
	if i := strings.LastIndex(t, ". "); i >= 0 && len(t)-i > 20 {
		t = t[i+2:]
	}
	return line.Clip(t, 240)
}

var tableNumber = lazyregexp.New(`^TABLA (?:N[°º.]* ?)?([IVXL]{1,6}|\d{1,2})(?: ?\(\d{1,3}\))*\.?$`)

// closingTables opens the tables that a norm prints after its last article or
// disposition, each under its number: they are units, not the last words of
// that disposition.
func (s *scan) closingTables() {
	last := -1
	for i, u := range s.Unit {
		if u {
			last = i
		}
	}
	if last < 0 {
		return
	}
	for i := last + 1; i < len(s.Lines); i++ {
		l := s.Lines[i]
		if s.Heads[i].Kind == heading.Annex {
			return
		}
		m := tableNumber.FindStringSubmatch(l.Text)
		if m == nil || l.Note || l.History || l.Table || s.inQuote[i] {
			continue
		}
		if n, _, ok := heading.ParseNumber(m[1]); ok {
			s.Heads[i] = heading.Head{Kind: heading.Annex, Unit: digesto.KindTable, Num: n, Upper: true}
		}
	}
}
