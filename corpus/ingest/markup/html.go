package markup

import (
	"context"
	"errors"
	"strings"
	"unicode"

	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/publisher"
	"digesto/text/lazyregexp"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var metaCharset = lazyregexp.New(`(?i)<meta[^>]{0,200}charset\s*=\s*["']?\s*([a-z0-9_-]{3,20})`)

// Page is what is read of a page.
type Page struct {
	Lines   []line.Line
	Title   string
	Charset string
}

// HTML reads a page of any charset. Menus, indexes (paragraphs that are
// nothing but links within the page), scripts and forms go. Its errors are those
// of ctx, and refusals.
func HTML(ctx context.Context, data []byte) (page Page, err error) {
	declared := ""
	if m := metaCharset.FindSubmatch(data[:min(len(data), 8<<10)]); m != nil {
		declared = string(m[1])
	}
	s, charset := line.Decode(data, declared)
	root, err := parseHTML(ctx, s, mostNodes)
	if errors.Is(err, ErrTooManyNodes) {
		return page, line.Refuse(line.KindTooLarge, "HTML: tiene demasiados elementos: divídalo, o guarde su texto")
	}
	if err != nil {
		return page, line.Refuse(line.KindDamaged, "HTML: no se puede interpretar (anida demasiados elementos): guarde la página de nuevo, o cópiela como texto")
	}
	p := &htmlReader{gap: true}
	p.walk(root, htmlState{}, 0)
	p.flush()
	return Page{Lines: p.out, Title: line.Tidy(p.title), Charset: charset}, nil
}

// PlainHTML reads a page for people: what is quoted or in italics keeps its marks.
func PlainHTML(ctx context.Context, s string) ([]line.Line, error) {
	root, err := parseHTML(ctx, s, mostNodesPlain)
	if err != nil {
		return nil, err
	}
	p := &htmlReader{gap: true, marks: true}
	p.walk(root, htmlState{}, 0)
	p.flush()
	return p.out, nil
}

// rankNumber is a line that names a norm by rank and number and says nothing else.
var rankNumber = lazyregexp.New(`(?i)^((?:ley|real decreto|decreto|resolución|ordenanza|orden)(?:[ -]\p{L}{3,})?)\s+(?:n\s*[.º°ro]*\s*)?\d[\d.]*(?:/\d{2,4})?$`)

// PageName gives title and rank of a page's norm. Services call each of their pages by
// the service's name; then the lines above "Decreto 7/2020" are the norm's.
func PageName(title, rank string, lines []line.Line) (string, string) {
	for i, l := range lines[:min(len(lines), 12)] {
		f := rankNumber.FindStringSubmatch(l.Text)
		if f == nil {
			continue
		}
		rank = line.FirstOf(rank, line.RankName(f[1]))
		if heading.Titled.MatchString(title) && strings.ContainsAny(title, "0123456789") {
			return title, rank // the page has a title of its own
		}
		name := ""
		for _, above := range lines[:i] {
			if words := strings.Fields(above.Text); name == "" && len(words) > 1 && heading.IsUpper(above.Text) || above.Bold && name == "" {
				name = above.Text
			}
		}
		if name == "" {
			return l.Text, rank
		}
		return name + " (" + l.Text + ")", rank
	}
	return title, rank
}

// htmlState is what the elements above a piece of text say of it.
type htmlState struct {
	bold, italic, link, quote bool
	level                     int
}

type htmlReader struct {
	out   []line.Line
	title string
	buf   strings.Builder
	state htmlState // of the paragraph: level and quote
	gap   bool
	// marks says that what is quoted or in italics by its element alone gets marks of text.
	marks bool
	// letters of the paragraph: all, and those in bold, italic, links
	letters, bold, italic, link int
}

const maxHTMLDepth = 400

func (p *htmlReader) walk(n *html.Node, s htmlState, depth int) {
	if depth > maxHTMLDepth {
		return
	}
	switch n.Type {
	case html.TextNode:
		p.text(n.Data, s)
		return
	case html.ElementNode:
		if p.skipped(n) && !(p.marks && s.quote && n.DataAtom == atom.Footer) {
			return
		}
		if open, shut := p.marksOf(n); open != "" {
			p.text(open, s)
			defer p.text(shut, s)
		}
		switch n.DataAtom {
		case atom.Br:
			p.br()
			return
		case atom.Tr:
			if cells := rowCells(n); len(cells) > 1 {
				p.row(cells)
				return
			}
		case atom.B, atom.Strong:
			s.bold = true
		case atom.I, atom.Em:
			s.italic = true
		case atom.A:
			s.link = s.link || attr(n, "href") != ""
		case atom.Blockquote:
			s.quote = true
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			s.level = int(n.Data[1] - '0')
		}
	}
	block := n.Type == html.ElementNode && blockElement[n.DataAtom]
	if block {
		p.flush()
		p.gap = true
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		p.walk(c, s, depth+1)
	}
	if block {
		p.flush()
		p.gap = true
	}
}

var blockElement = map[atom.Atom]bool{atom.P: true, atom.Div: true, atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true, atom.H5: true, atom.H6: true, atom.Li: true, atom.Ul: true, atom.Ol: true,
	atom.Tr: true, atom.Td: true, atom.Th: true, atom.Table: true, atom.Section: true, atom.Article: true, atom.Main: true, atom.Header: true, atom.Blockquote: true, atom.Center: true, atom.Hr: true, atom.Pre: true, atom.Dd: true, atom.Dt: true, atom.Body: true, atom.Footer: true}

var blockSkipped = map[atom.Atom]bool{atom.Script: true, atom.Style: true, atom.Nav: true, atom.Footer: true, atom.Aside: true, atom.Form: true, atom.Noscript: true, atom.Select: true, atom.Button: true, atom.Svg: true, atom.Map: true, atom.Iframe: true, atom.Template: true, atom.Textarea: true}

// skipped says whether an element holds no law; it reads the page's title.
func (p *htmlReader) skipped(n *html.Node) bool {
	if n.DataAtom == atom.Title {
		if n.FirstChild != nil && p.title == "" {
			p.title = n.FirstChild.Data
		}
		return true
	}
	return blockSkipped[n.DataAtom]
}

// marksOf gives the marks for an element that quotes, or that sets words in italics.
func (p *htmlReader) marksOf(n *html.Node) (open, shut string) {
	switch {
	case !p.marks:
	case n.DataAtom == atom.Q:
		return "«", "»"
	case (n.DataAtom == atom.I || n.DataAtom == atom.Em) && n.FirstChild != nil && n.FirstChild == n.LastChild && n.FirstChild.Type == html.TextNode && len(strings.Fields(n.FirstChild.Data)) >= leastItalic:
		return "*", "*"
	}
	return "", ""
}

// leastItalic is the fewest words whose italics may be a quotation.
const leastItalic = 6

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func (p *htmlReader) text(s string, st htmlState) {
	for _, r := range s {
		if unicode.IsLetter(r) {
			p.letters++
			if st.bold {
				p.bold++
			}
			if st.italic {
				p.italic++
			}
			if st.link {
				p.link++
			}
		}
	}
	if p.buf.Len() == 0 || p.state.level == 0 {
		p.state = st
	}
	p.buf.WriteString(s)
}

// br ends a line; two in a row make a gap.
func (p *htmlReader) br() {
	if strings.TrimSpace(p.buf.String()) == "" {
		p.gap = true
		return
	}
	p.flush()
}

func (p *htmlReader) flush() {
	t := line.Tidy(p.buf.String())
	l := line.Line{Text: t, Gap: p.gap, Level: p.state.level, Quote: p.state.quote,
		Bold: p.letters > 0 && p.bold == p.letters, Italic: p.letters > 0 && p.italic == p.letters}
	menu := p.letters > 0 && p.link == p.letters && heading.Read(line.Line{Text: t}).Kind != heading.Article
	p.buf.Reset()
	p.letters, p.bold, p.italic, p.link, p.state = 0, 0, 0, 0, htmlState{}
	if t == "" || menu || publisher.Links.MatchString(t) {
		return
	}
	p.out = append(p.out, l)
	p.gap = false
}

// rowCells gives the texts of the cells of a table row, unless the row is a
// layout: cells that hold whole texts.
func rowCells(tr *html.Node) []string {
	var cells []string
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom != atom.Td && c.DataAtom != atom.Th {
			continue
		}
		var b strings.Builder
		gather(c, &b, 0)
		t := line.Tidy(b.String())
		if len(t) > 1500 {
			return nil
		}
		cells = append(cells, t)
	}
	return cells
}

func gather(n *html.Node, b *strings.Builder, depth int) {
	if depth > maxHTMLDepth || b.Len() > 4096 || n.Type == html.ElementNode && blockSkipped[n.DataAtom] {
		return
	}
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
	}
	if n.DataAtom == atom.Br || blockElement[n.DataAtom] {
		b.WriteByte(' ')
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		gather(c, b, depth+1)
	}
}

func (p *htmlReader) row(cells []string) {
	p.flush()
	t := strings.Join(cells, " | ")
	if strings.Trim(t, " |") == "" {
		return
	}
	p.out = append(p.out, line.Line{Text: t, Table: true, Gap: p.gap})
	p.gap = false
}
