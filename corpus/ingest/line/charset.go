package line

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/saintfish/chardet"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// Decode turns the bytes of a text file into UTF-8: byte-order mark, else valid
// UTF-8, else the charset that the text declares, else the one its bytes look
// like. name is the charset used.
func Decode(data []byte, declared string) (s, name string) {
	s, name = decoded(data, declared)
	if strings.IndexByte(s, '\n') < 0 { // lines that end as those of old Macintosh files
		s = strings.ReplaceAll(s, "\r", "\n")
	}
	return s, name
}

func decoded(data []byte, declared string) (s, name string) {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return strings.ToValidUTF8(string(data[3:]), "\uFFFD"), "utf-8"
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		e := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
		if out, err := e.NewDecoder().Bytes(data); err == nil {
			return string(out), "utf-16"
		}
	case utf8.Valid(data):
		return string(data), "utf-8"
	}
	if e, n := charsetOf(data, declared); e != nil {
		if out, err := e.NewDecoder().Bytes(data); err == nil {
			return string(out), n
		}
	}
	out, _ := charmap.Windows1252.NewDecoder().Bytes(data)
	return string(out), "windows-1252"
}

// charsetOf finds the encoding of bytes that are no UTF-8. ISO-8859-1 means
// windows-1252, as browsers have it: the sources use its quotation marks.
func charsetOf(data []byte, declared string) (encoding.Encoding, string) {
	if strings.EqualFold(declared, "utf-8") {
		declared = ""
	}
	if declared == "" {
		head := data[:min(len(data), 64<<10)]
		r, err := chardet.NewTextDetector().DetectBest(head)
		if err != nil || r.Confidence < 30 || strings.HasPrefix(strings.ToUpper(r.Charset), "UTF") {
			return charmap.Windows1252, "windows-1252"
		}
		declared = r.Charset
	}
	if l := strings.ToLower(declared); strings.HasPrefix(l, "iso-8859-1") && !strings.HasPrefix(l, "iso-8859-15") || l == "latin1" || l == "iso-8859-2" || l == "iso-8859-9" {
		return charmap.Windows1252, "windows-1252"
	}
	e, err := htmlindex.Get(declared)
	if err != nil {
		return charmap.Windows1252, "windows-1252"
	}
	return e, strings.ToLower(declared)
}

// NotText says whether bytes are no text at all: known signatures, NUL bytes, or
// many control characters.
func NotText(data []byte) bool {
	for _, sig := range []string{"%PDF", "PK\x03\x04", "\x89PNG", "\xff\xd8\xff", "GIF8", "\x7fELF", "\x1f\x8b", "MZ\x90", "\xd0\xcf\x11\xe0"} {
		if bytes.HasPrefix(data, []byte(sig)) {
			return true
		}
	}
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return false
	}
	head := data[:min(len(data), 8<<10)]
	ctrl := 0
	for _, c := range head {
		if c == 0 {
			return true
		}
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' {
			ctrl++
		}
	}
	return ctrl*20 > len(head)
}
