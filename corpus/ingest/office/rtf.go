package office

import (
	"strconv"
	"strings"

	"digesto/corpus/ingest/line"
	"digesto/text"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// rtfGroup is what a pair of braces encloses.
type rtfGroup struct {
	skip   bool // a destination without text: fonts, colours, pictures
	note   bool
	bold   bool
	hidden bool
	uc     int // bytes that stand for a \u character in old readers
}

type rtfReader struct {
	s      string
	i      int
	stack  []rtfGroup
	g      rtfGroup
	code   encoding.Encoding
	skipUC int

	out    []line.Line
	b      strings.Builder
	raw    []byte // bytes of the code page not yet decoded
	cells  []string
	inRow  bool
	style  int
	levels map[int]int // heading level of a style
	words  bool
	bold   bool
	styles bool // inside the stylesheet
	name   strings.Builder
	held   string   // words of the paragraph before the note being read
	notes  []string // of the paragraph being read
}

// maxRTFDepth bounds the nesting of groups.
const maxRTFDepth = 2000

// RTF reads the paragraphs; whole is false if a group stays open.
func RTF(s string) (lines []line.Line, whole bool) {
	r := &rtfReader{s: s, code: charmap.Windows1252, levels: map[int]int{}, g: rtfGroup{uc: 1}, bold: true}
	for r.i < len(s) && len(r.stack) < maxRTFDepth {
		switch c := s[r.i]; c {
		case '{':
			r.i++
			r.stack = append(r.stack, r.g)
		case '}':
			r.i++
			r.close()
		case '\\':
			r.control()
		case '\r', '\n', 0:
			r.i++
		default:
			r.i++
			r.char(c)
		}
	}
	r.end()
	return r.out, len(r.stack) == 0
}

func (r *rtfReader) close() {
	if r.styles && len(r.stack) == 3 { // end of one style: "{\s2 … heading 2;}"
		r.flush()
		r.styleName()
	}
	if n := len(r.stack); n > 0 {
		was := r.g
		r.flush()
		r.g, r.stack = r.stack[n-1], r.stack[:n-1]
		if was.note && !r.g.note {
			if t := line.Tidy(r.b.String()); t != "" {
				r.notes = append(r.notes, t)
			}
			r.b.Reset()
			r.b.WriteString(r.held)
		}
	}
	if len(r.stack) < 2 {
		r.styles = false
	}
}

func (r *rtfReader) styleName() {
	if n := levelOfStyle(strings.TrimSuffix(strings.TrimSpace(r.name.String()), ";")); n > 0 {
		r.levels[r.style] = n
	}
	r.name.Reset()
	r.style = 0
}

// char takes a byte of text in the code page of the document.
func (r *rtfReader) char(c byte) {
	if r.skipUC > 0 {
		r.skipUC--
		return
	}
	if !r.g.skip && !r.g.hidden || r.styles {
		r.raw = append(r.raw, c)
	}
}

// flush decodes the bytes gathered so far.
func (r *rtfReader) flush() {
	if len(r.raw) == 0 {
		return
	}
	s, err := r.code.NewDecoder().Bytes(r.raw)
	if err != nil {
		s = r.raw
	}
	r.raw = r.raw[:0]
	r.write(string(s))
}

func (r *rtfReader) write(s string) {
	if r.styles {
		r.name.WriteString(s)
		return
	}
	if r.g.skip || r.g.hidden {
		return
	}
	if strings.TrimSpace(s) != "" {
		r.words, r.bold = true, r.bold && r.g.bold
	}
	r.b.WriteString(s)
}

// control reads a control word or symbol.
func (r *rtfReader) control() {
	r.i++
	if r.i >= len(r.s) {
		return
	}
	c := r.s[r.i]
	if c < 'a' || c > 'z' {
		r.symbol(c)
		return
	}
	start := r.i
	for r.i < len(r.s) && r.s[r.i] >= 'a' && r.s[r.i] <= 'z' && r.i-start < 32 {
		r.i++
	}
	word := r.s[start:r.i]
	at := r.i
	if r.i < len(r.s) && r.s[r.i] == '-' {
		r.i++
	}
	for r.i < len(r.s) && r.s[r.i] >= '0' && r.s[r.i] <= '9' && r.i-at < 11 {
		r.i++
	}
	n, err := strconv.Atoi(r.s[at:r.i])
	if r.i < len(r.s) && r.s[r.i] == ' ' {
		r.i++
	}
	r.word(word, n, err == nil)
}

func (r *rtfReader) symbol(c byte) {
	r.i++
	switch c {
	case '\'':
		if r.i+2 <= len(r.s) {
			if v, err := strconv.ParseUint(r.s[r.i:r.i+2], 16, 8); err == nil {
				r.char(byte(v))
			}
			r.i += 2
		}
	case '*':
		r.g.skip = true
	case '~':
		r.char(' ')
	case '_':
		r.char('-')
	case '\\', '{', '}':
		r.char(c)
	case '\n', '\r':
		r.flush()
		r.paragraph()
	}
}

func (r *rtfReader) word(w string, n int, has bool) {
	r.flush()
	switch w {
	case "par", "sect", "page":
		r.paragraph()
	case "cell":
		if !r.g.skip {
			r.inRow = true
			r.cells = append(r.cells, line.Tidy(r.b.String()))
			r.b.Reset()
		}
	case "row":
		if !r.g.skip {
			r.out = appendRow(r.out, r.cells)
			r.cells, r.inRow = nil, false
		}
	case "u":
		if has {
			r.unicode(n)
		}
	case "bin":
		r.i = min(len(r.s), r.i+max(0, n))
	case "ansicpg":
		r.code = codePage(n)
	case "mac":
		r.code = charmap.Macintosh
	default:
		if t, ok := rtfSigns[w]; ok {
			r.write(t)
			return
		}
		r.state(w, n, has)
	}
}

// rtfSigns are the words that stand for a sign of the text.
var rtfSigns = map[string]string{"line": " ", "tab": " ", "emspace": " ", "enspace": " ", "emdash": "—", "endash": "–",
	"lquote": "'", "rquote": "'", "ldblquote": "“", "rdblquote": "”", "bullet": "•"}

// rtfApart are the groups that hold no text of the document.
var rtfApart = text.WordSet(`fonttbl colortbl info pict header headerl headerr headerf footer footerl footerr footerf generator themedata datastore object
	fldinst listtable listoverridetable revtbl bkmkstart bkmkend`)

// state follows a word that says how what comes is to be read.
func (r *rtfReader) state(w string, n int, has bool) {
	switch w {
	case "uc":
		r.g.uc = max(0, min(n, 16))
	case "s":
		r.style = n
	case "pard":
		if !r.styles {
			r.style = 0
		}
	case "b":
		r.g.bold = !has || n != 0
	case "v":
		r.g.hidden = !has || n != 0
	case "plain":
		r.g.bold, r.g.hidden = false, false
	case "footnote":
		r.held, r.g.note, r.g.skip = r.b.String(), true, false
		r.b.Reset()
	case "stylesheet":
		r.styles, r.g.skip = true, true
	default:
		r.g.skip = r.g.skip || rtfApart[w]
	}
}

// unicode writes a character given by its number; the bytes that follow for old
// readers are skipped.
func (r *rtfReader) unicode(n int) {
	if n < 0 {
		n += 1 << 16
	}
	if n > 0 && n < 0xD800 || n >= 0xE000 && n <= 0xFFFD {
		r.write(string(rune(n)))
	}
	r.skipUC = r.g.uc
}

func codePage(n int) encoding.Encoding {
	switch n {
	case 1250:
		return charmap.Windows1250
	case 1254:
		return charmap.Windows1254
	case 850:
		return charmap.CodePage850
	case 437:
		return charmap.CodePage437
	case 10000:
		return charmap.Macintosh
	}
	return charmap.Windows1252
}

// paragraph ends a paragraph; those inside cells and notes go on in them. The
// notes called in a paragraph follow it.
func (r *rtfReader) paragraph() {
	if r.g.skip || r.g.note || r.inRow {
		r.b.WriteByte(' ')
		return
	}
	l := line.Line{Text: line.Tidy(r.b.String()), Gap: true, Level: r.levels[r.style], Bold: r.bold && r.words}
	r.b.Reset()
	r.bold, r.words = true, false
	if l.Text != "" {
		r.out = append(r.out, l)
	}
	for _, n := range r.notes {
		r.out = append(r.out, line.Line{Text: n, Note: true, Gap: true})
	}
	r.notes = nil
}

func (r *rtfReader) end() {
	r.flush()
	r.g = rtfGroup{}
	if len(r.cells) > 0 {
		r.out = appendRow(r.out, r.cells)
	}
	r.inRow = false
	r.paragraph()
}
