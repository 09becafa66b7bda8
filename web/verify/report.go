package verify

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"html"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"digesto"
	"digesto/disk"
	"digesto/text"
	"digesto/verify/brief"
)

// graver orders what is said of a stretch of text: the gravest is shown.
var graver = map[brief.Verdict]int{brief.Verified: 0, brief.Unresolved: 1, brief.Superseded: 2, brief.Misattributed: 3, brief.NotFound: 4}

// MarkText cuts a text into paragraphs and these into pieces, with the verdict of each
// citation on its words. Where two stand on the same words the graver is shown.
func MarkText(s string, list []brief.Finding) [][]verifyMark {
	r := []rune(s)
	place := func(f brief.Finding) (from, to int) {
		if f.Quote != nil {
			return f.QuoteStart, f.QuoteEnd
		}
		return f.Start, f.End
	}
	order := make([]int, len(list))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return graver[list[b].Verdict] - graver[list[a].Verdict] })
	type shown struct{ from, to, n int }
	var marks []shown // in order, apart from each other
	for _, k := range order {
		from, to := place(list[k])
		at, _ := slices.BinarySearchFunc(marks, from, func(m shown, from int) int { return cmp.Compare(m.to, from+1) })
		if from >= 0 && from < to && to <= len(r) && (at == len(marks) || marks[at].from >= to) {
			marks = slices.Insert(marks, at, shown{from, to, k + 1})
		}
	}
	var out [][]verifyMark
	var now []verifyMark
	piece := func(from, to, n int) {
		for k, part := range strings.Split(string(r[from:to]), "\n\n") {
			if k > 0 && len(now) > 0 {
				out, now = append(out, now), nil
			}
			if part = strings.Trim(part, "\n"); part == "" {
				continue
			}
			m := verifyMark{Text: part}
			if n > 0 {
				m = markOf(n, list[n-1])
				m.Text = part
			}
			now = append(now, m)
		}
	}
	at := 0
	for _, m := range marks {
		piece(at, m.from, 0)
		piece(m.from, m.to, m.n)
		at = m.to
	}
	piece(at, len(r), 0)
	if len(now) > 0 {
		out = append(out, now)
	}
	return out
}

// markOf is a verdict with its name and style.
func markOf(n int, f brief.Finding) verifyMark {
	m := verifyMark{N: n, Name: VerdictNames[f.Verdict][1], Class: verdictClasses[f.Verdict], F: f}
	if f.Verdict == brief.Verified { // that the article exists does not say that the sentence is right
		switch doubtful(f) {
		case 2:
			m.Name, m.Class = "EXISTE, Y DICE OTRA COSA", "is-bad"
		case 1:
			m.Name, m.Class = "EXISTE; FALTA LEER LA FRASE", "is-doubt"
		}
	}
	return m
}

// remark says of a citation what a reader has to know, in lines.
func remark(f brief.Finding) []string {
	out := []string{VerdictNames[f.Verdict][0] + " " + VerdictNames[f.Verdict][1] + ". " + verifyForm{}.Said(f.Reason)}
	for _, w := range f.Where[:min(len(f.Where), 3)] {
		out = append(out, "Está en: "+w.Title+".")
	}
	if c := f.Claim; c != nil {
		out = append(out, HoldingNames[c.Verdict][1]+": "+c.Reason)
		if c.Quote != "" {
			out = append(out, "Decide: «"+c.Quote+"»")
		}
	}
	if f.Nearest != nil {
		out = append(out, "Lo más parecido ("+f.Nearest.Ref.Title+"): «"+f.Nearest.Quote+"»")
	}
	return out
}

// Tally says in a line how many citations hold.
func Tally(r brief.Report) string {
	return fmt.Sprintf("%d citas: %d comprobadas, %d superadas, %d con atribución errónea, %d no encontradas, %d sin resolver; a fecha de %s.", len(r.Citations),
		r.Counts[brief.Verified], r.Counts[brief.Superseded], r.Counts[brief.Misattributed], r.Counts[brief.NotFound], r.Counts[brief.Unresolved], r.AsOf)
}

// Forms of a report that can be kept.
var reportForms = map[string]struct {
	kind string
	make func(text string, r brief.Report) []byte
}{
	".html": {"text/html; charset=utf-8", reportHTML},
	".md":   {"text/markdown; charset=utf-8", reportMarkdown},
	".docx": {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", reportDOCX},
}

// WriteReport keeps a report in a file, in the form that its name says.
func WriteReport(path, s string, r brief.Report) error {
	form, ok := reportForms[strings.ToLower(filepath.Ext(path))]
	if !ok {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "El informe se escribe en HTML, Markdown o DOCX", Hint: "Dé un nombre que acabe en .html, .md o .docx."}
	}
	if err := os.WriteFile(path, form.make(s, r), 0o644); err != nil {
		return disk.Error(err, path, "")
	}
	return nil
}

// reportStyle marks each verdict by its line, not only by its colour.
const reportStyle = `body{font:1rem/1.6 Georgia,serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
p{white-space:pre-line} mark{background:none;text-decoration:underline;text-underline-offset:.2em}
.is-ok{color:#1d5c2e} .is-bad{color:#9b1c1c} mark.is-bad{text-decoration-style:double} .is-note{color:#7a3b00} mark.is-note{text-decoration-style:dotted} .is-doubt{color:#6b4e00} mark.is-doubt{text-decoration-style:dashed} .is-none{color:#444}
section{border-top:1px solid #999;margin-top:1rem} blockquote{margin:.5rem 0 .5rem 1rem;padding-left:.75rem;border-left:2px solid #999}`

func reportHTML(s string, r brief.Report) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=\"es\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>Comprobación de citas</title><style>%s</style></head><body>\n<h1>Comprobación de citas</h1>\n<p>%s</p>\n", reportStyle, html.EscapeString(Tally(r)))
	if line := Partial(s, r); line != "" {
		fmt.Fprintf(&b, "<p><strong>%s</strong></p>\n", html.EscapeString(line))
	}
	b.WriteString("<h2>El texto</h2>\n")
	for _, para := range MarkText(s, r.Citations) {
		b.WriteString("<p>")
		for _, m := range para {
			if m.N == 0 {
				b.WriteString(html.EscapeString(m.Text))
				continue
			}
			fmt.Fprintf(&b, `<mark class="%s">%s</mark><sup><a href="#c%d" aria-label="Cita %d: %s">%d</a></sup>`, m.Class, html.EscapeString(m.Text), m.N, m.N, m.Name, m.N)
		}
		b.WriteString("</p>\n")
	}
	b.WriteString("<h2>Las citas</h2>\n")
	for k, f := range r.Citations {
		m := markOf(k+1, f)
		fmt.Fprintf(&b, "<section id=\"c%d\"><h3 class=\"%s\">%d. %s</h3>\n", k+1, m.Class, k+1, html.EscapeString(cmp.Or(f.Text, "Cita sin procedencia")))
		if f.Quote != nil {
			fmt.Fprintf(&b, "<blockquote>«%s»</blockquote>\n", html.EscapeString(*f.Quote))
		}
		for _, line := range remark(f) {
			fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(line))
		}
		b.WriteString("</section>\n")
	}
	b.WriteString("</body></html>\n")
	return b.Bytes()
}

func reportMarkdown(s string, r brief.Report) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Comprobación de citas\n\n%s\n\n", Tally(r))
	if line := Partial(s, r); line != "" {
		fmt.Fprintf(&b, "**%s**\n\n", line)
	}
	b.WriteString("## El texto\n\n")
	for _, para := range MarkText(s, r.Citations) {
		for _, m := range para {
			b.WriteString(text.Inert(m.Text))
			if m.N > 0 {
				fmt.Fprintf(&b, "[^%d]", m.N)
			}
		}
		b.WriteString("\n\n")
	}
	b.WriteString("## Las citas\n\n")
	for k, f := range r.Citations {
		fmt.Fprintf(&b, "[^%d]: **%s** — %s\n", k+1, text.Inert(OneLine(cmp.Or(f.Text, "Cita sin procedencia"))), text.Inert(OneLine(strings.Join(remark(f), " "))))
	}
	return b.Bytes()
}

// Parts of a document of a word processor beside its text and its comments.
const (
	docxTypes    = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/comments.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"/></Types>`
	docxRels     = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`
	docxComments = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments" Target="comments.xml"/></Relationships>`
	docxSpace    = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`
)

// reportDOCX gives the text as a document with a comment at each citation.
func reportDOCX(s string, r brief.Report) []byte {
	var body, notes strings.Builder
	run := func(b *strings.Builder, s string) {
		for k, line := range strings.Split(s, "\n") {
			if k > 0 {
				b.WriteString(`<w:r><w:br/></w:r>`)
			}
			b.WriteString(`<w:r><w:t xml:space="preserve">`)
			_ = xml.EscapeText(b, []byte(line))
			b.WriteString(`</w:t></w:r>`)
		}
	}
	noted := map[int]bool{}
	comment := func(n int) {
		f := r.Citations[n-1]
		noted[n] = true
		fmt.Fprintf(&notes, `<w:comment w:id="%d" w:author="Digesto" w:initials="D">`, n)
		for _, line := range remark(f) {
			notes.WriteString(`<w:p>`)
			run(&notes, line)
			notes.WriteString(`</w:p>`)
		}
		notes.WriteString(`</w:comment>`)
	}
	for _, para := range MarkText(s, r.Citations) {
		body.WriteString(`<w:p>`)
		for _, m := range para {
			if m.N == 0 || noted[m.N] { // a citation that goes on in another paragraph has its comment
				run(&body, m.Text)
				continue
			}
			fmt.Fprintf(&body, `<w:commentRangeStart w:id="%d"/>`, m.N)
			run(&body, m.Text)
			fmt.Fprintf(&body, `<w:commentRangeEnd w:id="%d"/><w:r><w:commentReference w:id="%d"/></w:r>`, m.N, m.N)
			comment(m.N)
		}
		body.WriteString(`</w:p>`)
	}
	body.WriteString(`<w:p>`)
	run(&body, Tally(r)+" "+Partial(s, r))
	for k := range r.Citations { // those whose words another citation shares
		if !noted[k+1] {
			fmt.Fprintf(&body, `<w:commentRangeStart w:id="%d"/><w:commentRangeEnd w:id="%d"/><w:r><w:commentReference w:id="%d"/></w:r>`, k+1, k+1, k+1)
			comment(k + 1)
		}
	}
	body.WriteString(`</w:p>`)
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, part := range [][2]string{
		{"[Content_Types].xml", docxTypes}, {"_rels/.rels", docxRels}, {"word/_rels/document.xml.rels", docxComments},
		{"word/document.xml", `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document ` + docxSpace + `><w:body>` + body.String() + `</w:body></w:document>`},
		{"word/comments.xml", `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:comments ` + docxSpace + `>` + notes.String() + `</w:comments>`},
	} {
		w, _ := z.Create(part[0]) // a buffer takes everything
		_, _ = w.Write([]byte(part[1]))
	}
	_ = z.Close()
	return out.Bytes()
}

// report answers a form with the report as a file.
func (v verifyAPI) report(w http.ResponseWriter, r *http.Request) error {
	var f verifyForm
	if err := v.posted(r, &f); err != nil {
		return err
	}
	ext := "." + r.FormValue("format")
	form, ok := reportForms[ext]
	if !ok {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "El informe se da en html, md o docx", Hint: "Elija uno de los tres."}
	}
	w.Header().Set("Content-Type", form.kind)
	w.Header().Set("Content-Disposition", `attachment; filename="citas`+ext+`"`)
	w.Header().Set("Cache-Control", "no-store")
	_, err := w.Write(form.make(f.Text, *f.Report))
	return err
}
