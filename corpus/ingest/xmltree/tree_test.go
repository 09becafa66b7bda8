package xmltree

import (
	"errors"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	root, cut, err := Parse([]byte(`<?xml version="1.0" encoding="iso-8859-1"?><a><b Id="1">caf` + "\xe9" + `<br/>con leche</b><b/><c><d>x</d></c></a>`))
	if err != nil || cut {
		t.Fatalf("cut %v, %v", cut, err)
	}
	if got := root.Value("b"); got != "café con leche" {
		t.Errorf("b: %q", got)
	}
	if got := root.Child("b").Get("id"); got != "1" {
		t.Errorf("id: %q", got)
	}
	if got := root.Value("c", "d"); got != "x" {
		t.Errorf("c/d: %q", got)
	}
	if root.Child("c", "none", "d") != nil || root.Value("none") != "" {
		t.Error("found what there is not")
	}
	n := 0
	root.All("b", func(*Node) { n++ })
	if n != 2 {
		t.Errorf("%d b", n)
	}
}

// What stands before a broken end is kept, and said to be cut.
func TestParseCut(t *testing.T) {
	root, cut, err := Parse([]byte(`<a><b>uno</b><c>do`))
	if err != nil || !cut || root.Value("b") != "uno" {
		t.Errorf("cut %v, %v, %+v", cut, err, root)
	}
}

func TestParseBounds(t *testing.T) {
	for in, want := range map[string]error{
		strings.Repeat("<a>", maxXMLDepth+2): errXMLDeep,
		"":                                   errXMLEmpty,
		"no element":                         errXMLEmpty,
	} {
		if _, _, err := Parse([]byte(in)); !errors.Is(err, want) {
			t.Errorf("%.20q: %v, want %v", in, err, want)
		}
	}
	bomb := `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><r>&b;</r>`
	root, _, err := Parse([]byte(bomb))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if root.Gather(&b); strings.Contains(b.String(), "aa") {
		t.Errorf("expanded: %q", b.String())
	}
}

func TestLooks(t *testing.T) {
	for in, want := range map[string]bool{
		"\xef\xbb\xbf <?xml version='1.0'?>": true,
		"<response>":                         true,
		"<documento fecha='x'>":              true,
		"<p>":                                false,
		"texto":                              false,
	} {
		if got := Looks([]byte(in)); got != want {
			t.Errorf("Looks(%q) = %v", in, got)
		}
	}
}
