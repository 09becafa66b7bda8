package digest_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"digesto/digest"
	"digesto/text"
)

const sample = `# Ley inventada
norm: LEY-1
skip: a8, a9-a12 | órganos internos

== a3
text: Quien cuida un jardín comunal puede llevarse un cesto de fruta a la semana.
words: un cesto de fruta por semana
short: ¿Cuánta fruta puede llevarse quien cuida el jardín?
street: cuido el jardin del pueblo, puedo coger manzanas?
street: me dejan llevarme fruta del huerto comun o no
told: Llevo desde mayo cuidando el huerto de la plaza con mi vecina. Ayer nos dijeron
  que no podíamos llevarnos nada. ¿Es verdad?
told: Mi hijo cuida los perales del ayuntamiento los sábados y volvió sin nada. Le dijeron que no le tocaba.
same: LEY-2/a7
`

const unit = "El cuidador podrá llevarse un cesto de fruta por semana. Las herramientas se devuelven en 3 días."

func parse(t *testing.T, s string) digest.File {
	t.Helper()
	f, bad := digest.Parse("LEY-1.txt", s)
	if len(bad) > 0 {
		t.Fatal(bad)
	}
	return f
}

func TestParse(t *testing.T) {
	f := parse(t, sample)
	if f.Norm != "LEY-1" || len(f.Entries) != 1 || len(f.Skipped) != 1 || !slices.Equal(f.Skipped[0].Units, []string{"a8", "a9-a12"}) {
		t.Fatalf("%+v", f)
	}
	e := f.Entries[0]
	if e.Place() != "LEY-1/a3" || e.Count(digest.Street) != 2 || e.Count(digest.Told) != 2 || !slices.Equal(e.Same, []string{"LEY-2/a7"}) || e.Line != 5 {
		t.Errorf("%+v", e)
	}
	if !strings.HasSuffix(e.Asks[3].Text, "Ayer nos dijeron que no podíamos llevarnos nada. ¿Es verdad?") {
		t.Errorf("a line that goes on: %q", e.Asks[3].Text)
	}
}

func TestParseFaults(t *testing.T) {
	for name, x := range map[string]struct {
		text string
		line int
	}{
		"no norm":              {"== a1\ntext: x", 1},
		"unknown key":          {"norm: N\n== a1\ntxet: x", 3},
		"no value":             {"norm: N\n== a1\ntext:", 3},
		"text twice":           {"norm: N\n== a1\ntext: x\ntext: y", 4},
		"goes on from nothing": {"norm: N\n  x", 2},
		"skip without reason":  {"norm: N\nskip: a1", 2},
		"unit with blank":      {"norm: N\n== art 1", 2},
	} {
		if _, bad := digest.Parse("f.txt", x.text); len(bad) != 1 || bad[0].Line != x.line {
			t.Errorf("%s: %v", name, bad)
		}
	}
}

func TestForm(t *testing.T) {
	if bad := parse(t, sample).Entries[0].Form(); len(bad) > 0 {
		t.Errorf("a sound entry: %v", bad)
	}
	for name, change := range map[string][2]string{
		"no text":        {"text: Quien cuida un jardín comunal puede llevarse un cesto de fruta a la semana.\n", ""},
		"words too few":  {"words: un cesto de fruta por semana", "words: un cesto"},
		"words too many": {"words: un cesto de fruta por semana", "words: a b c d e f g h i j k l"},
		"one told less":  {"told: Mi hijo cuida los perales del ayuntamiento los sábados y volvió sin nada. Le dijeron que no le tocaba.\n", ""},
		"twice":          {"street: me dejan llevarme fruta del huerto comun o no", "street: Cuido el jardín del pueblo, ¿puedo coger manzanas?"},
		"short":          {"short: ¿Cuánta fruta puede llevarse quien cuida el jardín?", "short: fruta"},
	} {
		s := strings.Replace(sample, change[0], change[1], 1)
		if s == sample {
			t.Fatalf("%s changes nothing", name)
		}
		if bad := parse(t, s).Entries[0].Form(); len(bad) != 1 {
			t.Errorf("%s: %v", name, bad)
		}
	}
}

func TestAgainst(t *testing.T) {
	var an text.Analyser
	for _, x := range []struct {
		text, words string
		faults      int
	}{
		{"Un cesto por semana.", "un cesto de fruta por semana", 0},
		{"Tiene tres días.", "se devuelven en 3 días", 0},
		{"Tiene 5 días.", "se devuelven en 3 días", 1},
		{"Un cesto.", "dos cestos de fruta", 1},
		{"Cuarenta cestos en 5 días.", "dos cestos de fruta", 3},
		{"Quien cuida: «podrá llevarse un cesto de fruta por semana. Las herramientas se devuelven en 3 días».", "un cesto de fruta por semana", 1},
	} {
		e := digest.Entry{Unit: "a3", Text: x.text, Words: x.words}
		if bad := e.Against(&an, unit); len(bad) != x.faults {
			t.Errorf("%q, %q: %v", x.text, x.words, bad)
		}
	}
}

// law is one unit of one norm.
type law map[string]string

func (l law) Installed(norm string) bool {
	for k := range l {
		if strings.HasPrefix(k, norm+"/") {
			return true
		}
	}
	return false
}

func (l law) Current(norm, unit string) (string, bool) {
	s, ok := l[norm+"/"+unit]
	return s, ok
}

func TestCheck(t *testing.T) {
	files := []digest.File{parse(t, sample)}
	r := digest.Check(files, law{"LEY-1/a3": unit})
	if len(r.Problems) > 0 || r.Entries != 1 || r.Places != 1 || r.Compared != 1 || r.Asks[digest.Street] != 2 {
		t.Errorf("%+v", r)
	}
	if r := digest.Check(files, law{"LEY-1/a4": unit}); len(r.Problems) != 1 {
		t.Errorf("a unit that is gone: %v", r.Problems)
	}
	if r := digest.Check(files, law{"LEY-9/a1": unit}); r.Compared != 0 || len(r.Problems) > 0 {
		t.Errorf("a norm that is not installed: %+v", r)
	}
	other := strings.NewReplacer("== a3", "== a4", "same: LEY-2/a7", "").Replace(sample)
	twins := []digest.File{files[0], parse(t, other)}
	if r := digest.Check(twins, nil); len(r.Problems) != 5 {
		t.Errorf("the same asks of two places: %v", r.Problems)
	}
	twins[1] = parse(t, other+"same: LEY-1/a3\n")
	if r := digest.Check(twins, nil); len(r.Problems) != 0 {
		t.Errorf("twins that say so: %v", r.Problems)
	}
}

func TestNear(t *testing.T) {
	var an text.Analyser
	bag := func(s string) digest.Bag { return digest.NewBag(&an, s) }
	a := []digest.Bag{bag("el perro del vecino ladra cada noche"), bag("quiero vender la moto de mi abuelo")}
	b := []digest.Bag{bag("vendo moto del abuelo, quiero dinero"), bag("cada noche el perro de mi vecino ladra"), bag("nada que ver con esto")}
	got := digest.Near(a, b, .6)
	if len(got) != 2 || got[0].A != 0 || got[0].B != 1 || got[0].Overlap != 1 || got[1].A != 1 || got[1].B != 0 {
		t.Errorf("%+v", got)
	}
	if got := digest.Near(a, a, .6); len(got) != 0 {
		t.Errorf("with itself: %+v", got)
	}
}

// TestNearEqualsAll holds the search over rare words against all pairs.
func TestNearEqualsAll(t *testing.T) {
	words := strings.Fields("perro gato casa moto lluvia noche jardín puente barco queso libro nieve")
	var bags []digest.Bag
	seed := uint32(7)
	for range 120 {
		var b digest.Bag
		for _, w := range words {
			if seed = seed*1664525 + 1013904223; seed>>28 < 6 {
				b = append(b, w)
			}
		}
		slices.Sort(b)
		bags = append(bags, b)
	}
	for _, least := range []float64{.5, .6, .85, 1} {
		want := 0
		for i := range bags {
			for j := range i {
				if len(bags[i]) >= 3 && len(bags[j]) >= 3 && bags[i].Overlap(bags[j]) >= least {
					want++
				}
			}
		}
		if got := len(digest.Near(bags, bags, least)); got != want {
			t.Errorf("%.2f: %d pairs, want %d", least, got, want)
		}
	}
}

func TestFamilies(t *testing.T) {
	s := "norm: LEY-1\n"
	for _, w := range []string{"peras", "sillas", "cubos"} {
		s += "== a" + w[:1] + "\ntext: x\nstreet: ¿y de cuánto es la multa por no tener " + w + " en la casa?\n"
	}
	f := parse(t, s)
	got := digest.Families([]digest.File{f}, 3)
	if len(got) != 1 || len(got[0].Asks) != 3 {
		t.Fatalf("%+v", got)
	}
	if got := digest.Families([]digest.File{f}, 4); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestLoad(t *testing.T) {
	dir := fstest.MapFS{
		"uno/digest/LEY-1.txt": {Data: []byte(sample)},
		"uno/synonyms.txt":     {Data: []byte("a = b")},
	}
	files, bad, err := digest.Load(dir)
	if err != nil || len(bad) > 0 || len(files) != 1 || files[0].Name != "uno/digest/LEY-1.txt" {
		t.Errorf("%v %v %+v", err, bad, files)
	}
}

func TestTalk(t *testing.T) {
	for value, want := range map[string]bool{"yes": false, "talk": true} {
		f, bad := digest.Parse("talk.txt", strings.NewReplacer("norm: LEY-1", "elsewhere: "+value, "words: un cesto de fruta por semana\n", "").Replace(sample))
		if len(bad) > 0 || len(f.Entries) == 0 {
			t.Fatalf("%s: %v", value, bad)
		}
		if e := f.Entries[0]; !e.Elsewhere() || e.Talk != want {
			t.Errorf("%s: elsewhere %v, talk %v", value, e.Elsewhere(), e.Talk)
		}
	}
}

func TestElsewhere(t *testing.T) {
	s := strings.NewReplacer("norm: LEY-1", "elsewhere: yes", "words: un cesto de fruta por semana\n", "", "same: LEY-2/a7", "until: LEY-3").Replace(sample)
	f := parse(t, s)
	e := f.Entries[0]
	if !e.Elsewhere() || len(e.Form()) > 0 || !slices.Equal(e.Until, []string{"LEY-3"}) {
		t.Errorf("%+v %v", e, e.Form())
	}
	if r := digest.Check([]digest.File{f}, law{}); r.Elsewhere != 1 || r.Entries != 0 || len(r.Problems) > 0 {
		t.Errorf("%+v", r)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("norm: \n==\n  \n:")
	f.Fuzz(func(t *testing.T, s string) {
		file, bad := digest.Parse("f.txt", s)
		lines := strings.Count(s, "\n") + 1
		for _, b := range bad {
			if b.Line < 1 || b.Line > lines {
				t.Fatalf("line %d of %d", b.Line, lines)
			}
		}
		digest.Check([]digest.File{file}, nil)
	})
}
