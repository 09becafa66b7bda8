package text

import (
	"testing"
	"unicode/utf8"
)

// TestNotInWord: eight bytes at once are told as one by one, whatever stands beside them.
func TestNotInWord(t *testing.T) {
	for _, beside := range []byte{0, 'a', '_', 0x7F, 0x80, 0xFF} {
		for c := range 256 {
			for at := range 8 {
				b := []byte{beside, beside, beside, beside, beside, beside, beside, beside}
				b[at] = byte(c)
				got := notInWord(eightBytes(string(b), 0))
				for i, x := range b {
					want := x >= utf8.RuneSelf || !inWord[x]
					if got>>(8*i+7)&1 == 1 != want || got>>(8*i)&0x7F != 0 {
						t.Fatalf("%q, byte %d: %#x", b, i, got)
					}
				}
			}
		}
	}
}

// TestWordEnd: a word ends at the same byte wherever it stands in a text.
func TestWordEnd(t *testing.T) {
	for _, word := range []string{"a", "señalización", "niño", "Ñandú", "AÑO_2020", "abcdefgh", "abcdefghé", "éabcdefgh", "año\u0301s", "×", "ca\u00adsa"} {
		want := wordEnd(word, 0)
		for _, after := range []string{"", " ", ", sigue el texto", "—y más", "…"} {
			if got := wordEnd("12345 "+word+after, 6) - 6; got != want {
				t.Errorf("%q before %q ends at %d, alone at %d", word, after, got, want)
			}
		}
	}
}
