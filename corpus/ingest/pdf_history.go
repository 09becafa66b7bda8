package ingest

import "strings"

// historyLabels head a box that repeats a former wording beside the text in force.
var historyLabels = []string{"TEXTO ANTERIOR", "TEXTO DEROGADO", "REDACCIÓN ANTERIOR", "REDACCION ANTERIOR"}

func historyLabel(s string) bool {
	s = strings.ToUpper(strings.Trim(s, " .:()«»\"*"))
	for _, l := range historyLabels {
		if s == l {
			return true
		}
	}
	return false
}

// openFrame is a frame of former wording that reaches the end of its page.
type openFrame struct {
	open bool
	box  box
}

// markHistory marks the lines of the boxes of former wording on one page, which
// must be in reading order. before is the box that the page before left open;
// the result is the one that this page leaves open.
func markHistory(ls []textLine, fs []box, before openFrame) openFrame {
	var boxes []box
	if before.open && len(ls) > 0 {
		if b, ok := goesOn(ls, fs, before.box); ok {
			boxes = append(boxes, b)
		}
	}
	for i, l := range ls {
		if !historyLabel(l.text) {
			continue
		}
		if b, ok := frameOf(fs, l); ok {
			boxes = append(boxes, b)
		} else {
			boxes = append(boxes, unframed(ls, i))
		}
	}
	after := openFrame{}
	for i := range ls {
		for _, b := range boxes {
			if b.holds(ls[i]) {
				ls[i].history = true
				ls[i].region = b
				break
			}
		}
	}
	if n := len(ls); n > 0 && ls[n-1].history {
		after = openFrame{true, ls[n-1].region}
	}
	return after
}

// goesOn finds the frame at the top of a page that continues one of the page before.
func goesOn(ls []textLine, fs []box, before box) (box, bool) {
	first := ls[0]
	for i := len(fs) - 1; i >= 0; i-- { // the widest first
		f := fs[i]
		if f.holds(first) && near(f.left, before.left) && near(f.right, before.right) {
			return f, true
		}
	}
	return box{}, false
}

// frameOf gives the smallest frame that holds a line.
func frameOf(fs []box, l textLine) (box, bool) {
	for _, f := range fs {
		if f.holds(l) && f.right-f.left > 100 {
			return f, true
		}
	}
	return box{}, false
}

// unframed guesses the extent of a former wording without a frame: from its
// label down to the next clear vertical space.
func unframed(ls []textLine, i int) box {
	b := box{left: -1e6, right: 1e6, top: ls[i].y + ls[i].size, bottom: ls[i].y}
	for j := i + 1; j < len(ls); j++ {
		if j > i+1 && ls[j-1].y-ls[j].y > 1.8*ls[j].size {
			break
		}
		b.bottom = ls[j].y
	}
	return b
}
