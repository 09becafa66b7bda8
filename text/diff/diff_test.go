package diff_test

import (
	"strings"
	"testing"

	"digesto/text/diff"

	"pgregory.net/rapid"
)

func show(ps []diff.Piece) string {
	var b strings.Builder
	for _, p := range ps {
		switch p.Op {
		case diff.Insert:
			b.WriteString("{+" + p.Text + "+}")
		case diff.Delete:
			b.WriteString("[-" + p.Text + "-]")
		default:
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ name, a, b, want string }{
		{"equal", "uno dos", "uno dos", "uno dos"},
		{"empty", "", "", ""},
		{"all new", "", "uno", "{+uno+}"},
		{"all gone", "uno", "", "[-uno-]"},
		{"replaced", "son veinte días", "son treinta días", "son [-veinte -]{+treinta +}días"},
		{"inserted", "son días", "son diez días", "son {+diez +}días"},
		{"white space only", "son  diez\ndías", "son diez días", "son diez días"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := show(diff.Words(c.a, c.b)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestChanged(t *testing.T) {
	in, out := diff.Changed(diff.Words("a b c d", "a x y d"))
	if in != 2 || out != 2 {
		t.Errorf("in %d out %d, want 2 2", in, out)
	}
}

// TestTooLong keeps the work bounded: two long texts without a common word.
func TestTooLong(t *testing.T) {
	a, b := strings.Repeat("a ", 7000), strings.Repeat("b ", 7000)
	ps := diff.Words(a, b)
	if len(ps) != 2 || ps[0].Op != diff.Delete || ps[1].Op != diff.Insert {
		t.Fatalf("got %d pieces", len(ps))
	}
}

// TestSides proves that each side can be read back from the pieces.
func TestSides(t *testing.T) {
	word := rapid.SampledFrom([]string{"uno", "dos", "tres", "cuatro", "ñandú"})
	text := rapid.Map(rapid.SliceOfN(word, 0, 12), func(w []string) string { return strings.Join(w, " ") })
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		var left, right string
		for _, p := range diff.Words(a, b) {
			if p.Op != diff.Insert {
				left += p.Text + " "
			}
			if p.Op != diff.Delete {
				right += p.Text + " "
			}
		}
		if strings.Join(strings.Fields(left), " ") != a || strings.Join(strings.Fields(right), " ") != b {
			t.Fatalf("sides do not come back: %q %q", left, right)
		}
	})
}
