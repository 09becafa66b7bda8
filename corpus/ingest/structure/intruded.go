package structure

import (
	"fmt"

	"digesto"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
)

// A file may hold the articles of another norm inside one of its own: the collector
// pasted the page of the norm that changed it. The norm's own structure tells them:
// orders to change other norms, numbered one by one, written otherwise than the
// articles of the file, and the file's own articles go on after them as if they were
// not there.

// intruders is how many articles of another norm in a row prove that its page was
// pasted: two may be a quotation without quotation marks.
const intruders = 3

// intrusion is a run of articles of another norm inside the unit at line host.
type intrusion struct {
	host        int
	first, last heading.Number
}

// intruded takes the articles of other norms out of the candidates and remembers them.
func (s *scan) intruded(c []candidate) []candidate {
	own := ownStyle(c)
	before, after := s.ownAround(c, own)
	out := make([]candidate, 0, len(c))
	for i := 0; i < len(c); {
		end := s.foreignRun(c, i, own)
		if end == i {
			out = append(out, c[i])
			i++
			continue
		}
		p, q := before[i], after[end]
		if p < 0 || q < 0 || c[q].main != c[p].main+1 || c[i].main == c[p].main+1 {
			out = append(out, c[i:end]...)
			i = end
			continue
		}
		x := &intrusion{host: c[p].line, first: s.Heads[c[i].line].Num, last: s.Heads[c[end-1].line].Num}
		if n := len(out); n > 0 && borrowed(s.Lines[out[n-1].line]) { // the collector's heading of the same page
			s.intrude(out[n-1].line, x)
			out = out[:n-1]
		}
		for ; i < end; i++ {
			if c[i].weight >= ownWeight {
				s.intrude(c[i].line, x)
			}
		}
	}
	return out
}

func (s *scan) intrude(line int, x *intrusion) {
	if s.intrusions == nil {
		s.intrusions, s.hosts = map[int]*intrusion{}, map[int]*intrusion{}
	}
	s.intrusions[line], s.hosts[x.host] = x, x
}

// ownWeight is the least weight of a heading that looks like one of the norm: no
// quotation, no announced wording.
const ownWeight = 0.7

// ownStyle is how most of the headings are written that look like the norm's.
func ownStyle(c []candidate) (style string) {
	count := map[string]int{}
	for _, k := range c {
		if k.weight > ownWeight {
			count[k.style]++
			if count[k.style] > count[style] {
				style = k.style
			}
		}
	}
	return style
}

// foreignRun gives the end of the run of orders to change other norms, written
// otherwise than the norm's own articles, that begins at candidate i; quoted
// articles between them are what they order. i = no such run.
func (s *scan) foreignRun(c []candidate, i int, own string) int {
	end, last, n := i, 0, 0
	for k := i; k < len(c) && c[k].style != own; k++ {
		if c[k].weight < ownWeight {
			if n == 0 {
				return i
			}
			continue
		}
		if !heading.Amends(s.Heads[c[k].line].Rest) || n > 0 && (c[k].main != last+1 || c[k].style != c[i].style) {
			break
		}
		last, end = c[k].main, k+1
		n++
	}
	if n < intruders {
		return i
	}
	return end
}

// ownAround gives, for each place among the candidates, the last of the norm's own
// before it and the first from it on; -1 = none.
func (s *scan) ownAround(c []candidate, own string) (before, after []int) {
	before, after = make([]int, len(c)+1), make([]int, len(c)+1)
	isOwn := func(k candidate) bool {
		return k.style == own && k.weight >= ownWeight && !borrowed(s.Lines[k.line])
	}
	before[0], after[len(c)] = -1, -1
	for i, k := range c {
		if before[i+1] = before[i]; isOwn(k) {
			before[i+1] = i
		}
	}
	for i := len(c) - 1; i >= 0; i-- {
		if after[i] = after[i+1]; isOwn(c[i]) {
			after[i] = i
		}
	}
	return before, after
}

// foreignUnit opens an article of another norm: kept apart, without force.
func (b *builder) foreignUnit(i int, h heading.Head) {
	b.title = false
	x := b.s.intrusions[i]
	b.cur = b.add(&draft{line: i, series: foreignSeries, other: true, repealed: true, unit: digesto.Unit{Kind: digesto.KindArticle, Number: h.Num.String(), Label: heading.Label(h)},
		defects: []digesto.TextDefect{{Kind: digesto.DefectNotOwn, Detail: "Es un artículo de otra norma, que el archivo trae dentro del " + heading.Label(b.s.Heads[x.host]) + "."}}})
	if h.Rest != "" {
		b.cur.Paras = append(b.cur.Paras, line.Line{Text: h.Rest, Page: b.s.Lines[i].Page, Gap: true})
	}
}

// foreignSeries is the series of articles of other norms.
const foreignSeries = -1

// hostOf tells of an article that another norm's articles stand in it.
func (s *scan) hostOf(i int) []digesto.TextDefect {
	x := s.hosts[i]
	if x == nil {
		return nil
	}
	s.defect(line.KindForeign, fmt.Sprintf("Dentro del %s están los artículos %s a %s de otra norma: se guardan aparte, sin vigencia", heading.Label(s.Heads[i]), x.first, x.last))
	return []digesto.TextDefect{{Kind: digesto.DefectBorrowed, Detail: fmt.Sprintf("Dentro de él trae el archivo los artículos %s a %s de otra norma: lo suyo puede no estar entero.", x.first, x.last)}}
}
