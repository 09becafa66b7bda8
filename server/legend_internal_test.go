package server

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestLegendIsComplete: every mark that a text of the law may bear is explained in the help.
func TestLegendIsComplete(t *testing.T) {
	help, err := web.ReadFile("web/templates/help.html")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, f := range []string{"view/format.go", "view/source.go"} {
		code, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`badge\{"[a-z-]+", "([^"]+)"`).FindAllStringSubmatch(string(code), -1) {
			if n++; !strings.Contains(string(help), strings.TrimSuffix(m[1], " el ")) {
				t.Errorf("the help says nothing of %q", m[1])
			}
		}
	}
	if n < 8 {
		t.Errorf("%d marks", n)
	}
}
