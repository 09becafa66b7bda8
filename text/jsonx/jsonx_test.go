package jsonx

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestObject(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		form           Form
		mended         bool
	}{
		{"bare", ` {"a": 1, "b": [true, null, "x"]} `, `{"a":1,"b":[true,null,"x"]}`, Bare, false},
		{"fenced", "Claro:\n```json\n{\"a\": 1}\n```\nListo.", `{"a":1}`, Fenced, false},
		{"fenced without language", "```\n{\"a\": 1}```", `{"a":1}`, Fenced, false},
		{"fence on one line", "```{\"a\": 1}```", `{"a":1}`, Fenced, false},
		{"fence never closed", "```json\n{\"a\": 1}", `{"a":1}`, Fenced, false},
		{"second fence", "```sh\nls\n```\ny\n```json\n{\"a\": 2}\n```", `{"a":2}`, Fenced, false},
		{"prose", `La respuesta es {"a": 1} y nada más {"b": 2}`, `{"a":1}`, Prose, false},
		{"braces of prose first", `Use {llaves} así: {"a": "}"}`, `{"a":"}"}`, Prose, false},
		{"fence in a string", "{\"a\": \"```json {\\\"b\\\": 2} ```{}```\"}", "{\"a\":\"```json {\\\"b\\\": 2} ```{}```\"}", Bare, false},
		{"fence in a string of a fence", "```json\n{\"a\": \"x ``` y\"}\n```", "{\"a\":\"x ``` y\"}", Prose, false},
		{"comma too many", `{"a": [1, 2,], }`, `{"a":[1,2]}`, Bare, true},
		{"raw line break", "{\"a\": \"uno\ndos\"}", `{"a":"uno\ndos"}`, Bare, true},
		{"invalid UTF-8", "{\"a\": \"\xff\"}", "{\"a\":\"\uFFFD\"}", Bare, true},
		{"escapes", `{"a": "\u00f1 \" \\ \/"}`, `{"a":"\u00f1 \" \\ \/"}`, Bare, false},
		{"empty", `{}`, `{}`, Bare, false},
		{"cut in a string", `{"a": "uno do`, `{"a":"uno do"}`, Cut, true},
		{"cut in an escape", `{"a": "uno\u00`, `{"a":"uno"}`, Cut, true},
		{"cut in a key", `{"a": 1, "b`, `{"a":1}`, Cut, true},
		{"cut before the colon", `{"a": 1, "b"`, `{"a":1}`, Cut, true},
		{"cut before the value", `{"a": 1, "b": `, `{"a":1}`, Cut, true},
		{"cut in a number", `{"a": 1, "b": 0.9`, `{"a":1}`, Cut, true},
		{"cut in a word", `{"a": 1, "b": tru`, `{"a":1}`, Cut, true},
		{"cut after a comma", `{"a": 1,`, `{"a":1}`, Cut, true},
		{"cut deep", `x {"a": [{"q": "uno"}, {"q": "dos", "p": `, `{"a":[{"q":"uno"},{"q":"dos"}]}`, Cut, true},
		{"cut in a fence", "```json\n{\"a\": [1, 2", `{"a":[1]}`, Cut, true},
	} {
		got, ok := Object(c.in)
		if !ok || got != (Result{c.want, c.form, c.mended}) {
			t.Errorf("%s: %+v, %v", c.name, got, ok)
		}
	}
	for name, in := range map[string]string{
		"nothing": "", "prose": "No hay nada.", "only braces": "{llaves}", "array": "[1, 2]", "single quotes": "{'a': 1}",
		"no comma": `{"a" 1}`, "unknown word": `{"a": nil}`, "bad escape": `{"a": "\x"}`,
		"too long": `{"a": 1}` + strings.Repeat(" ", MaxBytes), "too deep": strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100),
	} {
		if got, ok := Object(in); ok && !strings.HasPrefix(name, "too deep") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestArray(t *testing.T) {
	for in, want := range map[string]string{
		`[3, 1, 2]`:                    `[3,1,2]`,
		"Orden: [3, 1]\n":              `[3,1]`,
		"```json\n[\"a\", \"b\"]\n```": `["a","b"]`,
		`["a", "b`:                     `["a","b"]`,
		`{"orden": [1]}`:               `[1]`,
	} {
		if got, ok := Array(in); !ok || got.JSON != want {
			t.Errorf("%q: %+v, %v", in, got, ok)
		}
	}
}

func FuzzObject(f *testing.F) {
	for _, s := range []string{`{"a":[1,{"b":"c"}]}`, "```json\n{\"a\":\"\\u00f1\"}\n```", `x {"a": tru`, `{"a":{"a":{"a":`, "{\"a\":\"\xff\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		start := time.Now()
		for _, find := range []func(string) (Result, bool){Object, Array} {
			r, ok := find(s)
			if !ok {
				continue
			}
			if !json.Valid([]byte(r.JSON)) {
				t.Fatalf("%q gives %q", s, r.JSON)
			}
			if len(r.JSON) > 6*len(s)+8 {
				t.Fatalf("%d bytes out of %d", len(r.JSON), len(s))
			}
			again, ok := find(r.JSON)
			if !ok || again.JSON != r.JSON || again.Form != Bare && r.JSON[0] == '{' {
				t.Fatalf("%q is not stable: %+v", r.JSON, again)
			}
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Fatalf("took %v for %d bytes", d, len(s))
		}
	})
}
