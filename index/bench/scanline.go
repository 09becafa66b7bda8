package bench

import (
	"encoding/binary"
	"encoding/json"
	"unicode/utf8"
)

// parse reads one line of a corpus. Lines as JSON writers make them, objects of
// strings without escapes beyond the usual ones, are read directly, three times as
// fast as by reflection; anything else goes to encoding/json, which is also what
// this is fuzzed against.
func (s *scanner) parse(line []byte) (row, error) {
	s.b, s.at = line, 0
	var r row
	if s.object(&r) && s.rest() {
		return r, nil
	}
	r = row{}
	err := json.Unmarshal(line, &r)
	return r, err
}

// scanner walks a line; every method says no at whatever it does not know.
type scanner struct {
	b   []byte
	at  int
	buf []byte
}

func (s *scanner) space() {
	for s.at < len(s.b) && (s.b[s.at] == ' ' || s.b[s.at] == '\t' || s.b[s.at] == '\r') {
		s.at++
	}
}

func (s *scanner) eat(c byte) bool {
	s.space()
	if s.at < len(s.b) && s.b[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *scanner) rest() bool {
	s.space()
	return s.at == len(s.b)
}

func (s *scanner) object(r *row) bool {
	return s.members(func(key string) bool {
		switch key {
		case "_id":
			return s.value(&r.ID)
		case "title":
			return s.value(&r.Title)
		case "text":
			return s.value(&r.Text)
		case "metadata":
			return s.members(func(key string) bool {
				switch key {
				case "rank":
					return s.value(&r.Metadata.Rank)
				case "law":
					return s.value(&r.Metadata.Law)
				}
				return plainKey(key) && s.skip()
			})
		}
		return plainKey(key) && s.skip()
	})
}

// plainKey keeps out keys that encoding/json may match to a field by folding case.
func plainKey(key string) bool {
	for i := range len(key) {
		if c := key[i]; (c < 'a' || c > 'z') && c != '_' {
			return false
		}
	}
	return true
}

func (s *scanner) members(member func(key string) bool) bool {
	if !s.eat('{') {
		return false
	}
	if s.eat('}') {
		return true
	}
	for {
		var key string
		if !s.value(&key) || !s.eat(':') || !member(key) {
			return false
		}
		if s.eat('}') {
			return true
		}
		if !s.eat(',') {
			return false
		}
	}
}

// value reads a string. A field that comes twice is left to encoding/json.
func (s *scanner) value(to *string) bool {
	if *to != "" {
		return false
	}
	b, ok := s.str()
	*to = string(b)
	return ok
}

func (s *scanner) skip() bool {
	_, ok := s.str()
	return ok
}

func (s *scanner) str() ([]byte, bool) {
	if !s.eat('"') {
		return nil, false
	}
	from := s.at
	s.plain()
	if s.at < len(s.b) && s.b[s.at] == '"' { // no escapes: the bytes stand as they are
		s.at++
		b := s.b[from : s.at-1]
		return b, utf8.Valid(b)
	}
	s.buf = s.buf[:0]
	for ; s.at < len(s.b); s.plain() {
		switch s.b[s.at] {
		case '"':
			s.at++
			s.buf = append(s.buf, s.b[from:s.at-1]...)
			return s.buf, utf8.Valid(s.buf)
		case '\\':
			s.buf = append(s.buf, s.b[from:s.at]...)
			s.at++
			if s.at == len(s.b) {
				return nil, false
			}
			e := escapes[s.b[s.at]]
			if e == 0 {
				return nil, false
			}
			s.buf = append(s.buf, e)
			s.at++
			from = s.at
		default: // a control character
			return nil, false
		}
	}
	return nil, false
}

// plain skips what stands for itself, eight bytes at a time: up to a quotation
// mark, a backslash or a control character.
func (s *scanner) plain() {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for ; s.at+8 <= len(s.b); s.at += 8 {
		v := binary.LittleEndian.Uint64(s.b[s.at:])
		quote, back := v^ones*'"', v^ones*'\\'
		// A byte below n borrows from its high bit; bytes beyond ASCII keep theirs and are excepted.
		if ((quote-ones)&^quote|(back-ones)&^back|(v-ones*' ')&^v)&high != 0 {
			break
		}
	}
	for ; s.at < len(s.b) && s.b[s.at] != '"' && s.b[s.at] != '\\' && s.b[s.at] >= ' '; s.at++ {
	}
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f'}
