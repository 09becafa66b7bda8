package verify

import (
	"encoding/json"
	"strings"

	"digesto/text/jsonx"
)

// maxStarts is how many opening braces are tried.
const maxStarts = 6

// Extract finds the object of the contract in what a model wrote: bare, in a
// code fence, with prose around it, inside another object, or cut off. It takes
// the first JSON object that has a member "answer". cut says that the text
// ended inside the object.
func Extract(raw []byte) (obj map[string]json.RawMessage, cut, ok bool) {
	if len(raw) > jsonx.MaxBytes {
		return nil, false, false
	}
	s := string(raw)
	for range maxStarts {
		r, found := jsonx.Object(s)
		if found {
			var obj map[string]json.RawMessage
			if json.Unmarshal([]byte(r.JSON), &obj) == nil && obj["answer"] != nil {
				return obj, r.Form == jsonx.Cut, true
			}
		}
		_, rest, more := strings.Cut(s, "{")
		if !more {
			return nil, false, false
		}
		s = rest
	}
	return nil, false, false
}
