package cite

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func FuzzFind(f *testing.F) {
	for _, s := range []string{"art. 48.4 ET y DA 3ª de la LGSS", "artículos 1 a 3, 5 y ss. de la Ley 39/2015, de 1 de octubre",
		"Ley 9459, art. 70 inc. b)", "ECLI:ES:TS:2020:1.A", "eli/es/l/2015/10/01/39", "primera disposición final y única", "BOE-A-2015-1", "artículo 1.902-B, 3 bis 4"} {
		f.Add(s)
	}
	table := testTable()
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1<<13 || !utf8.ValidString(s) {
			return
		}
		r := []rune(s)
		for _, m := range table.Find(s) {
			if m.Start < 0 || m.End > len(r) || m.End <= m.Start || string(r[m.Start:m.End]) != m.Text {
				t.Fatalf("%q: %+v", s, m)
			}
			if m.Unit != "" && (m.Kind == "" || m.Number == "") || m.Unit == "" && m.Kind != "" && !m.Relative {
				t.Fatalf("%q: unit without kind or number: %+v", s, m)
			}
		}
		if named := table.Recognise(s); len(named.Struck) > len(s) || len(named.Norms) > len(s) {
			t.Fatalf("%q: %+v", s, named)
		}
	})
}

// TestUnitRoundTrip: every way of writing an article's number leads to one unit.
func TestUnitRoundTrip(t *testing.T) {
	table := testTable()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1999).Draw(t, "n")
		suffix := rapid.SampledFrom([]string{"", " bis", " ter", "-A", "-C"}).Draw(t, "suffix")
		mark := rapid.SampledFrom([]string{"", "°", "º", ".º"}).Draw(t, "mark")
		head := rapid.SampledFrom([]string{"artículo", "art.", "Art", "ARTÍCULO", "articulo n.º"}).Draw(t, "head")
		law := rapid.SampledFrom([]string{" del ET", " de la Ley 39/2015", ", ET", " de esta Ley", ""}).Draw(t, "law")
		number := itoa(n) + mark + suffix
		want := UnitID("a", itoa(n)+suffix)
		ms := table.Find("Según el " + head + " " + number + law)
		if len(ms) == 0 || ms[0].Unit != want {
			t.Fatalf("%s %s%s: %+v, want unit %s", head, number, law, ms, want)
		}
	})
}

func itoa(n int) string {
	var b []byte
	for ; n > 0; n /= 10 {
		b = append([]byte{byte('0' + n%10)}, b...)
	}
	return string(b)
}

// TestHostile: long runs of what starts a citation end in time.
func TestHostile(t *testing.T) {
	table := testTable()
	for _, s := range []string{"art. ", "artículos 1, ", "de la ley ", "apartado 1 del ", "ley ley ", "1.a) ", "primera disposición ", "ECLI:", "eli/", "boe-a-", "texto refundido de la ", "a) y ", "L.E.Y."} {
		start := time.Now()
		long := strings.Repeat(s, 300_000/len(s))
		table.Find(long)
		table.Recognise(long)
		if d := time.Since(start); d > 4*time.Second {
			t.Errorf("%q repeated took %v", s, d)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	table := testTable()
	s := strings.Repeat("De acuerdo con el artículo 48.4 del ET y los artículos 3, 5 y 7 bis de la Ley 39/2015, de 1 de octubre, la persona interesada "+
		"presentará su solicitud ante el órgano competente en el plazo de un mes, salvo lo dispuesto en la disposición transitoria quinta de esta Ley. ", 20)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		table.Find(s)
	}
}
