package pdf

import (
	"strings"
	"unicode"
)

// Headers and footers are what stands at the same height of many pages with the
// same words, numbers apart.

type furnitureKey struct {
	text string
	y    int
}

// edgeLines is how many lines from the top and from the bottom may be furniture.
const edgeLines = 5

// dropFurniture takes the running headers and footers out of the pages. The
// lines of each page must be in reading order.
func dropFurniture(pages [][]textLine) {
	count := countEdges(pages)
	need := max(3, len(pages)/5)
	if len(pages) < 3 {
		need = 2
	}
	running := map[string]bool{} // words of furniture: on the first page they may stand elsewhere
	for k, n := range count {
		running[k.text] = running[k.text] || n >= need && len(k.text) > 12
	}
	for p, ls := range pages {
		drop := map[int]bool{}
		for _, i := range edges(ls) {
			for _, k := range furnitureKeys(ls[i]) {
				if count[k] >= need || p == 0 && running[k.text] {
					drop[i] = true
				}
			}
		}
		kept := ls[:0]
		for i, l := range ls {
			if !drop[i] {
				kept = append(kept, l)
			}
		}
		pages[p] = kept
	}
}

// countEdges counts on how many pages each line stands at its place.
func countEdges(pages [][]textLine) map[furnitureKey]int {
	count := map[furnitureKey]int{}
	for _, ls := range pages {
		seen := map[furnitureKey]bool{}
		for _, i := range edges(ls) {
			for _, k := range furnitureKeys(ls[i]) {
				if !seen[k] {
					seen[k] = true
					count[k]++
				}
			}
		}
	}
	return count
}

// edges gives the indexes of the outermost lines of a page.
func edges(ls []textLine) []int {
	var out []int
	for i := range ls {
		if i < edgeLines || i >= len(ls)-edgeLines {
			out = append(out, i)
		}
	}
	return out
}

// furnitureKeys are the places under which a line is counted: heights are
// compared in steps of three points, and a line near a step's edge is in both.
func furnitureKeys(l textLine) []furnitureKey {
	t := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return '#'
		}
		return r
	}, l.text)
	for strings.Contains(t, "##") {
		t = strings.ReplaceAll(t, "##", "#")
	}
	y := int(l.y)
	return []furnitureKey{{t, y / 3}, {t, (y + 1) / 3}, {t, (y + 2) / 3}}
}
