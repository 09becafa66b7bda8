package manual

import (
	"testing"
	"time"
)

// TestManWords: the page is dated by its source, and troff takes none of its words for a request.
func TestManWords(t *testing.T) {
	now := time.Date(2030, 5, 6, 0, 0, 0, 0, time.UTC)
	if a, b := manDate("2029-01-02T23:30:00-03:00", now), manDate("", now); a != "2029-01-03" || b != "2030-05-06" {
		t.Errorf("dated %s and %s", a, b)
	}
	for in, want := range map[string]string{".so x": `\&.so x`, "'x": `\&'x`, `a\b`: `a\eb`, "--x": `\-\-x`, "a\nb": "a b"} {
		if got := roff(in); got != want {
			t.Errorf("roff(%q) = %q", in, got)
		}
	}
}
