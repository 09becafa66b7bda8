package judge

import (
	"testing"
	"unicode/utf8"

	"digesto"
	"digesto/verify/read"
)

func pageOf(text string) *Page { return NewPage(digesto.Unit{}, digesto.Version{Text: text}) }

// TestFind: words stand in a text as they are, and nothing is left out or put in on which they depend.
func TestFind(t *testing.T) {
	const law = "El guarda cuida del muelle. Las pérdidas, no cubiertas por el seguro, las paga la junta. El recargo, no susceptible de rebaja alguna, se paga en enero. " +
		"Nadie de la junta mayor, de la comisión de obras o del consejo del puerto entrará. Rige en los contratos escritos entre entidades gestoras y la tesorería. Lo firma el jefe de la oficina de tasas de la sede mayor del puerto. El amarre no se cobrará en invierno, salvo temporal."
	const absent, stands, altered = "absent", "stands", "altered"
	for quote, want := range map[string]string{
		"El guarda cuida del muelle":                                 stands,
		"El guarda limpia el muelle":                                 absent,
		"Las pérdidas […] las paga la junta":                         altered, // which of them
		"El recargo […] se paga en enero":                            stands,
		"Nadie de la junta […] de obras o del consejo del puerto":    altered, // of the commission
		"se cobrará en invierno":                                     altered,
		"Lo firma el jefe de la oficina […] del puerto":              altered, // of its seat
		"Lo firma el jefe […] del puerto":                            altered,
		"Rige en los contratos escritos […] gestoras y la tesorería": altered, // of the entities
		"El amarre […] se cobrará en invierno":                       altered,
		"El amarre [sí] se cobrará en invierno":                      altered,
		"El guarda […] las paga la junta":                            altered,
	} {
		got := absent
		if f, ok := pageOf(law).Find(read.Stretches(quote), nil); ok {
			if got = stands; f.Altered != "" {
				got = altered
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", quote, got, want)
		}
	}
}

// FuzzFind: whatever is quoted of whatever text, its place lies in the text.
func FuzzFind(f *testing.F) {
	f.Add("1. El guarda:\na) cuida, no siempre, del muelle;\nb) abre.", "El guarda […] cuida […] [y] abre", "apartado 1, letra b)")
	f.Add("Si llueve, (art. 3) no abre. 2) Dos.", "no abre (...)", "párrafo segundo in fine")
	f.Fuzz(func(t *testing.T, law, quote, part string) {
		if len(law)+len(quote)+len(part) > 4000 || !utf8.ValidString(law+quote+part) {
			return
		}
		where, state := ZoneOf(part, "3", law)
		if state != ZoneFound {
			where = nil
		}
		parts := read.Stretches(quote)
		if len(parts) == 0 {
			return
		}
		if m, ok := pageOf(law).Find(parts, where); ok && (m.Start < 0 || m.Start > m.End || m.End > utf8.RuneCountInString(law)) {
			t.Errorf("%d to %d of %q", m.Start, m.End, law)
		}
	})
}
