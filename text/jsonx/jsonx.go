// Package jsonx finds the JSON value in what a language model wrote: bare, in
// a fenced block, with prose around it, or cut off in the middle. Such output
// is an ordinary case with a defined result, never a guess: what is returned
// is valid JSON whose values all stood in the text.
package jsonx

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Form says how a value stood in the text.
type Form string

// The forms.
const (
	Bare   Form = "bare"   // nothing but white space around it
	Fenced Form = "fenced" // in a ``` block
	Prose  Form = "prose"  // other text before or after it
	Cut    Form = "cut"    // the text ended inside it; members not complete were dropped, an open string was closed
)

// Limits of the input: longer texts give no value, deeper values are no values.
const (
	MaxBytes = 1 << 20
	MaxDepth = 64
)

// Result is a value found.
type Result struct {
	JSON     string // valid JSON
	Form     Form
	Repaired bool // something was mended: comma before a closing bracket, raw control character, invalid UTF-8, or a cut
}

// Object finds the first JSON object in a text; a fenced block that holds a
// complete one comes first, unless the fence stands inside a complete object.
func Object(raw string) (Result, bool) { return find(raw, '{') }

// Array finds the first JSON array, as [Object] does. Arrays of prose, such as
// "[1]" in a sentence, count: callers check the shape.
func Array(raw string) (Result, bool) { return find(raw, '[') }

func find(raw string, open byte) (Result, bool) {
	if len(raw) > MaxBytes {
		return Result{}, false
	}
	whole, start, end := first(raw, open)
	if fence := strings.Index(raw, "```"); start < fence && fence < end && whole.Form != Cut {
		return whole, true // the fence is in one of its strings
	}
	for _, block := range fenced(raw) {
		if r, _, end := first(block, open); end > 0 && r.Form != Cut {
			r.Form = Fenced
			return r, true
		}
	}
	return whole, end > 0
}

// fenced gives the contents of the ``` blocks, the last one also if it is not closed.
func fenced(raw string) []string {
	var out []string
	for {
		_, rest, ok := strings.Cut(raw, "```")
		if !ok {
			return out
		}
		body, after, _ := strings.Cut(rest, "```")
		if line, more, ok := strings.Cut(body, "\n"); ok && !strings.ContainsAny(line, "{[") {
			body = more // the language's name
		}
		out = append(out, body)
		raw = after
	}
}

// first gives the first value that begins with open, and where it stands in
// bytes; end is 0 if there is none. A value that the end of the text cuts off
// holds all that follows, so nothing is looked for behind it.
func first(s string, open byte) (r Result, start, end int) {
	for i := 0; i < len(s); i++ {
		if s[i] != open {
			continue
		}
		p := parser{in: s, at: i}
		err := p.value(0)
		if err == bad || !json.Valid(p.out) {
			continue
		}
		r = Result{JSON: string(p.out), Repaired: p.mended, Form: Prose}
		switch {
		case err == cut:
			r.Form, r.Repaired = Cut, true
		case strings.TrimSpace(s[:i]) == "" && strings.TrimSpace(s[p.at:]) == "":
			r.Form = Bare
		}
		return r, i, p.at
	}
	return Result{}, 0, 0
}

type fault int

const (
	fine fault = iota
	bad        // no JSON here
	cut        // the text ended; out holds what was complete
)

// parser copies one value from in to out, mending what may be mended.
type parser struct {
	in     string
	at     int
	out    []byte
	mended bool
}

func (p *parser) space() {
	for p.at < len(p.in) && strings.IndexByte(" \t\r\n", p.in[p.at]) >= 0 {
		p.at++
	}
}

// peek gives the next byte that is not white space, 0 at the end.
func (p *parser) peek() byte {
	p.space()
	if p.at == len(p.in) {
		return 0
	}
	return p.in[p.at]
}

func (p *parser) value(depth int) fault {
	if depth > MaxDepth {
		return bad
	}
	switch c := p.peek(); c {
	case 0:
		return cut
	case '{':
		return p.list(depth, '}', p.member)
	case '[':
		return p.list(depth, ']', p.value)
	case '"':
		return p.str()
	default:
		return p.word()
	}
}

// list copies an object or an array. When the text ends inside, the element
// under way is dropped unless it left something whole behind.
func (p *parser) list(depth int, closing byte, element func(int) fault) fault {
	p.out = append(p.out, p.in[p.at])
	p.at++
	for n := 0; ; n++ {
		c := p.peek()
		switch {
		case c == 0:
			p.out = append(p.out, closing)
			return cut
		case c == closing:
			p.at++
			p.out = append(p.out, closing)
			return fine
		case n > 0 && c == ',':
			p.at++
			if c = p.peek(); c == closing {
				p.mended = true
				continue
			}
			if c == 0 {
				continue
			}
		case n > 0:
			return bad
		}
		mark := len(p.out)
		if n > 0 {
			p.out = append(p.out, ',')
		}
		start := len(p.out)
		switch element(depth + 1) {
		case bad:
			return bad
		case cut:
			if len(p.out) == start {
				p.out = p.out[:mark]
			}
			p.out = append(p.out, closing)
			return cut
		}
	}
}

// member copies "key": value. A cut before the value leaves nothing.
func (p *parser) member(depth int) fault {
	mark := len(p.out)
	drop := func(f fault) fault { p.out = p.out[:mark]; return f }
	if p.peek() != '"' {
		return bad
	}
	if f := p.str(); f != fine {
		return drop(f)
	}
	switch p.peek() {
	case 0:
		return drop(cut)
	case ':':
		p.at++
		p.out = append(p.out, ':')
	default:
		return bad
	}
	start := len(p.out)
	f := p.value(depth)
	if f == cut && len(p.out) == start {
		return drop(cut)
	}
	return f
}

// str copies a string. One that the end cuts is closed after its last whole character.
func (p *parser) str() fault {
	p.out = append(p.out, '"')
	p.at++
	for p.at < len(p.in) {
		c := p.in[p.at]
		switch {
		case c == '"':
			p.at++
			p.out = append(p.out, '"')
			return fine
		case c == '\\':
			n := escape(p.in[p.at:])
			if n < 0 {
				return bad
			}
			if n == 0 {
				p.at = len(p.in)
				continue
			}
			p.out = append(p.out, p.in[p.at:p.at+n]...)
			p.at += n
		case c < 0x20:
			p.control(c)
		default:
			p.char()
		}
	}
	p.out = append(p.out, '"')
	return cut
}

// control writes a raw control character as JSON wants it.
func (p *parser) control(c byte) {
	p.mended = true
	p.at++
	b, _ := json.Marshal(string(rune(c)))
	p.out = append(p.out, b[1:len(b)-1]...)
}

func (p *parser) char() {
	r, n := utf8.DecodeRuneInString(p.in[p.at:])
	if r == utf8.RuneError && n == 1 {
		p.mended = true
		p.out = append(p.out, "\uFFFD"...)
	} else {
		p.out = append(p.out, p.in[p.at:p.at+n]...)
	}
	p.at += n
}

// escape gives the length of the escape sequence at the start of s: 0 if the
// text ends inside it, -1 if it is none.
func escape(s string) int {
	if len(s) < 2 {
		return 0
	}
	if s[1] != 'u' {
		if strings.IndexByte(`"\/bfnrt`, s[1]) < 0 {
			return -1
		}
		return 2
	}
	for i := 2; i < 6; i++ {
		if i >= len(s) {
			return 0
		}
		if c := s[i] | 0x20; (s[i] < '0' || s[i] > '9') && (c < 'a' || c > 'f') {
			return -1
		}
	}
	return 6
}

// word copies a number, true, false or null. One that touches the end of the
// text may be incomplete and is dropped.
func (p *parser) word() fault {
	start := p.at
	for p.at < len(p.in) && strings.IndexByte(" \t\r\n,]}", p.in[p.at]) < 0 {
		p.at++
		if p.at-start > 64 {
			return bad
		}
	}
	w := p.in[start:p.at]
	if p.at == len(p.in) {
		if strings.Trim(w, "-+.0123456789eEtrufalsn") == "" {
			return cut
		}
		return bad
	}
	if !json.Valid([]byte(w)) {
		return bad
	}
	p.out = append(p.out, w...)
	return fine
}
