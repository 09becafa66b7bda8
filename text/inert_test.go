package text

import "testing"

// TestInert: what a document escapes itself stays escaped, and a definition needs no
// space.
func TestInert(t *testing.T) {
	for in, want := range map[string]string{
		`![a](b)`: `!\[a]\(b)`, `\<img src=x>`: `\<img src=x>`, `\\<img src=x>`: `\\\<img src=x>`, `\![a](b)`: `\!\[a]\(b)`, `![a]\(b)`: `!\[a]\(b)`,
		"[C1]:https://evil.example": `[C1]\:https://evil.example`, "[C1][C2] (art. 5)": "[C1][C2] (art. 5)", "": "",
	} {
		if got := Inert(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
