package ingest

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/structure"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// inspect looks at a finished document with suspicion: what its file says of
// itself against what its text shows. It corrects what the text proves, and
// names the rest. A document that is not the norm it claims to be is not taken.
func (m *made) inspect(f line.Metadata, lines []line.Line) (skipped []corpus.Defect) {
	m.setStatus(f, lines)
	m.setRank()
	m.setDates(f)
	m.datedByLast(f)
	m.withdrawForeign()
	m.setAmending()
	m.checkSeries()
	m.checkTables()
	m.checkOCR(lines)
	m.setOldCopy(lines)
	m.setReplacedCopy(f, lines)
	if d, ok := m.checkIdentity(lines); ok {
		skipped = append(skipped, d)
	}
	id := structure.VersionID(m.Norm)
	for i := range m.Units {
		n := len(m.Units[i].Versions)
		m.Units[i].Versions[n-1].ID = id
	}
	return skipped
}

// setAmending flags norms most of whose articles only change other norms.
func (m *made) setAmending() {
	amending, total := 0, 0
	for _, u := range m.Units {
		if u.Kind != digesto.KindArticle && u.Kind != digesto.KindFinal && u.Kind != digesto.KindAdditional {
			continue
		}
		total++
		t := u.Versions[len(u.Versions)-1].Text
		f := text.Fold(line.Clip(u.Rubric, 40))
		if heading.Amends(t) || strings.HasPrefix(f, "modificacion") || strings.HasPrefix(f, "se modifica") || strings.HasPrefix(text.Fold(line.Clip(t, 40)), "se modifica") {
			amending++
		}
	}
	m.Norm.Amending = total > 0 && amending*10 >= total*6
}

// checkSeries reports holes in the numbers of the main series.
func (m *made) checkSeries() {
	seen := map[int]bool{}
	last, articles := 0, 0
	for _, u := range m.Units {
		if u.Kind != digesto.KindArticle || strings.Contains(u.ID, "~") {
			continue
		}
		articles++
		n, _, ok := heading.ParseNumber(u.Number)
		if !ok || n.Roman {
			continue
		}
		to := n.Main
		if _, end, ok := strings.Cut(u.Label, " a "); ok {
			if v, err := strconv.Atoi(end); err == nil && v-n.Main < 500 {
				to = max(to, v)
			}
		}
		for k := n.Main; k <= to; k++ {
			seen[k] = true
		}
		last = max(last, to)
	}
	if articles == 0 {
		detail := "No se ha encontrado ningún artículo: se guarda por secciones"
		if n := m.unheard(); n > 0 {
			detail = fmt.Sprintf("No se ha encontrado ningún artículo, aunque el texto nombra %d", n)
		}
		m.defect(line.KindNoUnits, detail)
		return
	}
	var missing []string
	for k := 1; k < last; k++ {
		if !seen[k] {
			missing = append(missing, strconv.Itoa(k))
		}
	}
	if n := len(missing); n > 0 {
		m.defect(line.KindGaps, fmt.Sprintf("Faltan %d artículos en la serie 1–%d: %s", n, last, line.Shorten(missing, 20)))
	}
}

var anyArticle = lazyregexp.New(`(?m)^\W{0,8}(?i:art[íi]?culo)\s+\d+`)

// unheard counts lines in the units that begin like an article.
func (m *made) unheard() (n int) {
	for _, u := range m.Units {
		n += len(anyArticle.FindAllStringIndex(u.Versions[len(u.Versions)-1].Text, -1))
	}
	return n
}

var wantsTable = lazyregexp.New(`(?i)(siguientes?|tabla|cuadro|escala|anexo|continuaci[óo]n)[^.]{0,60}:$`)

// checkTables finds units that announce something and end, and annexes of which only
// the heading is there: a table was lost. It is told with the unit.
func (m *made) checkTables() {
	var hit []string
	for i := range m.Units {
		u := &m.Units[i]
		v := &u.Versions[len(u.Versions)-1]
		if (u.Kind == digesto.KindArticle || u.Kind == digesto.KindAnnex) && v.Current && lacksTable(*u, v.Text) {
			v.Defects = append(v.Defects, digesto.TextDefect{Kind: digesto.DefectMissingTable, Detail: "Anuncia una tabla o lista que la fuente no trae"})
			hit = append(hit, u.Label)
		}
	}
	if len(hit) > 0 {
		m.defect(line.KindTables, "Anuncian una tabla o lista que no está en el archivo: "+line.Shorten(hit, 10))
	}
}

func lacksTable(u digesto.Unit, t string) bool {
	return strings.HasSuffix(t, ":") && wantsTable.MatchString(lastParagraph(t)) ||
		u.Kind == digesto.KindAnnex && (u.Rubric != "" && t == u.Rubric || onlyHeads(u.Rubric, t))
}

var groupHead = lazyregexp.New(`^(\p{Lu}\p{Ll}+) (?:\d{1,2}|[IVX]{1,5})[.:] `)

// onlyHeads says that of an annex nothing is left but the headings of its tables ("Grupo 1:
// …", "Grupo 2: …"): two or more of one word, in lines of the length of a heading.
func onlyHeads(rubric, t string) bool {
	word, n := "", 0
	for _, l := range strings.Split(t, "\n") {
		m := groupHead.FindStringSubmatch(l)
		switch {
		case l == "" || n == 0 && m == nil && l == rubric:
		case m == nil || word != "" && m[1] != word || len(l) > longestHead:
			return false
		default:
			word = m[1]
			n++
		}
	}
	return n > 1
}

// longestHead bounds the heading of a table, in bytes; that of an annex of a list of
// diseases has 110.
const longestHead = 200

func lastParagraph(s string) string { return s[strings.LastIndexByte(s, '\n')+1:] }

// ocrSigns counts what optical recognition makes of the signs in numbers:
// "Artículo 12”.-", "Artículo 1%-", "N? 5".
func ocrSigns(s string) (n int) {
	for _, mark := range []string{"culo ", "CULO "} {
		for rest := s; ; {
			i := strings.Index(rest, mark)
			if i < 0 {
				break
			}
			rest = rest[i+len(mark):]
			k := 0
			for k < len(rest) && k < 4 && rest[k] >= '0' && rest[k] <= '9' {
				k++
			}
			r, w := utf8.DecodeRuneInString(rest[k:])
			if k > 0 && strings.ContainsRune("”\"*%?'’", r) && k+w < len(rest) && strings.IndexByte(".,;-", rest[k+w]) >= 0 {
				n++
			}
		}
	}
	for _, mark := range []string{"N? ", "N” ", "N* ", "N' "} {
		n += strings.Count(s, mark)
	}
	return n
}

// checkOCR recognises text made optically by its typical slips.
func (m *made) checkOCR(lines []line.Line) {
	if m.Norm.Format == "pdf" {
		return
	}
	signs := 0
	for _, l := range lines {
		signs += min(3, ocrSigns(l.Text))
	}
	if signs >= 3 {
		m.Norm.OCR = true
		m.defect(line.KindOCR, fmt.Sprintf("Texto de reconocimiento óptico: %d lecturas dudosas de números", signs))
	}
}

var consolidated = lazyregexp.New(`^\W*(?:nuevo )?(?:tuo|t\.u\.o\.|texto unico ordenado)\b`)

// checkIdentity compares the number in the identifier with that of the
// instrument which the text's own heading names: a consolidated text
// ("texto único ordenado… decreto 4-2019") filed under the law that it
// consolidates is another norm.
func (m *made) checkIdentity(lines []line.Line) (corpus.Defect, bool) {
	id := heading.ClaimedNumber.FindStringSubmatch(m.Norm.ID)
	if id == nil || line.OfficialID.MatchString(m.Norm.ID) {
		return corpus.Defect{}, false
	}
	want := strings.TrimLeft(id[1], "0")
	for _, l := range lines[:min(len(lines), 40)] {
		f := text.Fold(l.Text)
		if utf8.RuneCountInString(l.Text) > 250 {
			continue
		}
		if !consolidated.MatchString(f) {
			continue
		}
		var own []string
		match := false
		for _, n := range heading.PrintedNumber.FindAllStringSubmatch(f, 6) {
			num := strings.TrimLeft(strings.ReplaceAll(n[1], ".", ""), "0")
			if n[2] != "" {
				own = append(own, n[0])
				match = match || num == want
			}
		}
		if len(own) > 0 && !match {
			return corpus.Defect{File: m.File, Norm: m.Norm.ID, Kind: line.KindIdentity, Skipped: true,
				Detail: fmt.Sprintf("Dice ser %s («%s»), pero su texto es otra norma: «%s»", m.Norm.ID, line.Clip(m.Norm.Title, 80), line.Clip(l.Text, 160))}, true
		}
	}
	return corpus.Defect{}, false
}
