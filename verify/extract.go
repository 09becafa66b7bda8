package verify

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Bounds of what is read of a model's output.
const (
	maxRaw    = 1 << 20
	maxStarts = 64 // opening braces that are tried
)

// Extract finds the object of the contract in what a model wrote: bare, in a
// code fence, with prose around it, inside another object, or cut off. It takes
// the first JSON object that has a member "answer". cut says that the object
// did not end and was closed after its last complete member.
func Extract(raw []byte) (obj map[string]json.RawMessage, cut, ok bool) {
	if len(raw) > maxRaw {
		return nil, false, false
	}
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	starts := openings(raw)
	for _, at := range starts {
		if obj := whole(raw[at:]); has(obj) {
			return obj, false, true
		}
	}
	for _, at := range starts {
		if obj := closed(raw[at:]); has(obj) {
			return obj, true, true
		}
	}
	return nil, false, false
}

func has(obj map[string]json.RawMessage) bool { _, ok := obj["answer"]; return ok }

func openings(raw []byte) []int {
	var out []int
	for at := 0; len(out) < maxStarts; {
		i := bytes.IndexByte(raw[at:], '{')
		if i < 0 {
			break
		}
		out = append(out, at+i)
		at += i + 1
	}
	return out
}

func whole(raw []byte) map[string]json.RawMessage {
	var obj map[string]json.RawMessage
	if json.NewDecoder(bytes.NewReader(raw)).Decode(&obj) != nil {
		return nil
	}
	return obj
}

// closed reads an object that ends too soon: it goes back to the last point
// where a member or element was complete and closes what is open there.
func closed(raw []byte) map[string]json.RawMessage {
	var open []byte
	var cut int
	var at []byte // what was open at cut
	inString, escaped := false, false
	for i, c := range raw {
		switch {
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			open = append(open, c)
		case c == '}' || c == ']':
			if len(open) == 0 {
				return nil
			}
			open = open[:len(open)-1]
			cut, at = i+1, append(at[:0], open...)
			if len(open) == 0 {
				return nil // it did end: not JSON for another reason
			}
		case c == ',':
			cut, at = i, append(at[:0], open...)
		}
	}
	if cut == 0 {
		return nil
	}
	var b strings.Builder
	b.Write(raw[:cut])
	for i := len(at) - 1; i >= 0; i-- {
		if at[i] == '{' {
			b.WriteByte('}')
		} else {
			b.WriteByte(']')
		}
	}
	return whole([]byte(b.String()))
}
