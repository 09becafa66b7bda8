package markup

import (
	"strings"

	"digesto/corpus/ingest/line"
)

// Text reads plain text: one Line a physical row, form feeds as pages.
func Text(s string) []line.Line {
	var out []line.Line
	page, gap := 0, true
	if strings.Contains(s, "\f") {
		page = 1
	}
	for len(s) > 0 {
		row, rest, _ := strings.Cut(s, "\n")
		s = rest
		for strings.HasPrefix(row, "\f") {
			page++
			row, gap = row[1:], true
		}
		feeds := strings.Count(row, "\f")
		t := line.Tidy(row)
		if t == "" {
			page += feeds
			gap = true
			continue
		}
		out = append(out, line.Line{Text: t, Page: page, Gap: gap})
		page += feeds
		gap = false
	}
	return out
}
