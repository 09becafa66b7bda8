package store

import (
	"strings"
	"testing"
)

// TestExportIsInert: a conversation taken away as Markdown loads nothing, links nowhere
// and keeps its own headings.
func TestExportIsInert(t *testing.T) {
	list := []Message{{Role: RoleUser, Content: "# No es un título\n![x](https://evil.example/?q=1) <img src=x>\n[C1]: https://evil.example"}}
	got := string(Markdown(Conversation{Title: "[a](b) ![c](d)"}, list))
	for _, bad := range []string{"![", "](", "]:", " <img", "\n# No"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q works in %q", bad, got)
		}
	}
}
