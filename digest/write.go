package digest

import (
	"fmt"
	"strings"
)

// Format writes an entry as files have it.
func (e *Entry) Format() string {
	var b strings.Builder
	fmt.Fprintf(&b, "== %s\n", e.Unit)
	for _, f := range [][2]string{{"text", e.Text}, {"words", e.Words}} {
		if f[1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", f[0], f[1])
		}
	}
	for _, k := range Kinds {
		for _, a := range e.Asks {
			if a.Kind == k {
				fmt.Fprintf(&b, "%s: %s\n", k, a.Text)
			}
		}
	}
	for _, s := range e.Same {
		fmt.Fprintf(&b, "same: %s\n", s)
	}
	if len(e.Until) > 0 {
		fmt.Fprintf(&b, "until: %s\n", strings.Join(e.Until, ", "))
	}
	return b.String()
}
