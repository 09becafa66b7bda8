package search_test

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"digesto/digest"
	"digesto/index/quant"
	"digesto/search"
	"digesto/text"
)

const garden = `norm: LEY-1
== a3
text: Quien cuida puede llevarse fruta.
words: un cesto de fruta
short: ¿Cuánta fruta puede llevarse el cuidador?
street: puedo coger manzanas del huerto del pueblo
told: Cuido los perales de la plaza y el alcalde no me deja llevarme ni una pera.
== a9
text: El ruido acaba a las diez.
words: cesará a las diez
short: ¿Hasta qué hora se puede hacer ruido?
street: el vecino ensaya la trompeta a las once de la noche
same: LEY-2/a1
`

const noise = `norm: LEY-2
== a1
text: El ruido acaba a las diez.
words: cesará a las diez
short: ¿A qué hora tienen que callar los músicos?
street: mi vecina toca la bateria de madrugada y no duermo
`

func files(t *testing.T) []digest.File {
	t.Helper()
	var out []digest.File
	for _, s := range []string{garden, noise} {
		f, bad := digest.Parse("f.txt", s)
		if len(bad) > 0 {
			t.Fatal(bad)
		}
		out = append(out, f)
	}
	return out
}

func TestAsksByWords(t *testing.T) {
	a := search.NewAsks(files(t), nil, search.Scoring{})
	for q, want := range map[string]string{
		"¿me puedo llevar manzanas?":         "LEY-1/a3",
		"trompeta a medianoche":              "LEY-1/a9",
		"la batería de la vecina":            "LEY-1/a9", // of its twin
		"un asunto del que nadie ha hablado": "",
	} {
		got := a.Search(q, nil, 3, search.Allow{})
		if want == "" {
			if len(got) != 0 {
				t.Errorf("%s: %+v", q, got)
			}
			continue
		}
		if len(got) == 0 || got[0].ID != want || got[0].Words != 1 {
			t.Errorf("%s: %+v", q, got)
		}
	}
	only := a.Search("la batería de la vecina", nil, 3, search.Allow{Entry: func(e *digest.Entry) bool { return e.Norm == "LEY-1" }})
	for _, p := range only {
		if p.Entry.Norm != "LEY-1" {
			t.Errorf("not allowed: %+v", p)
		}
	}
}

// bagVectors gives every text a vector of its words, so that meaning is known.
func bagVectors(texts []string) map[string][]float32 {
	out := map[string][]float32{}
	for _, t := range texts {
		out[t] = bagVector(t)
	}
	return out
}

const whole = 48

func bagVector(s string) []float32 {
	v := make([]float32, whole)
	for _, w := range strings.Fields(strings.ToLower(s)) {
		rng := rand.New(rand.NewPCG(uint64(len(w)), uint64(w[0])*31+uint64(w[len(w)-1])))
		for i := range v {
			v[i] += float32(rng.NormFloat64())
		}
	}
	n := 0.0
	for _, x := range v {
		n += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(n))
	}
	return v
}

func packed(t *testing.T, list []digest.File, kept int) *search.Packed {
	t.Helper()
	vectors := bagVectors(digest.Leads(list))
	var all [][]float32
	for _, t := range digest.Leads(list) {
		all = append(all, vectors[t])
	}
	p, err := search.ReadPacked(search.Pack(search.NewBasis("bolsa", all, kept), groups(list), vectors))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// groups are files as those of one pack.
func groups(list []digest.File) [][]digest.File { return [][]digest.File{list} }

// asking is a file of one entry that is asked so.
func asking(texts ...string) []digest.File {
	e := digest.Entry{Norm: "LEY-1", Unit: "a1", Text: texts[0]}
	for _, t := range texts[1:] {
		e.Asks = append(e.Asks, digest.Ask{Text: t})
	}
	return []digest.File{{Name: strings.Join(texts, "; "), Norm: "LEY-1", Entries: []digest.Entry{e}}}
}

func TestAsksByMeaning(t *testing.T) {
	list := files(t)
	p := packed(t, list, 6)
	if p.Model() != "bolsa" || len(p.Step()) != 6 || p.Len() != len(bagVectors(digest.Leads(list))) || p.Project([]float32{1}) != nil {
		t.Fatalf("%s %d %d", p.Model(), len(p.Step()), p.Len())
	}
	a := search.NewAsks(list, p, search.Scoring{Centroid: 1e-9})
	for _, x := range digest.Asks(list) {
		got := a.Search("", bagVector(x.Ask.Text), 1, search.Allow{})
		want := x.Entry.Place()
		if want == "LEY-2/a1" {
			want = "LEY-1/a9"
		}
		if len(got) != 1 || got[0].ID != want || got[0].Cos < .8 {
			t.Errorf("%s: %+v", x.Ask.Text, got)
		}
	}
}

// TestAskNotPrepared: an ask that is not in the file is found by the vector that is made for it,
// and by words alone where none is.
func TestAskNotPrepared(t *testing.T) {
	list := files(t)
	all := digest.Leads(list)
	late := digest.File{Name: "b.txt", Norm: "LEY-8", Entries: []digest.Entry{{Norm: "LEY-8", Unit: "a8", Text: "se paga al volver", Asks: []digest.Ask{{Text: "cuando me devuelven la fianza del barco"}}}}}
	for name, more := range map[string]func(string) []float32{"with": bagVector, "without": nil} {
		p := packed(t, list, 6)
		p.More = more
		a := search.NewAsks(append(slices.Clone(list), late), p, search.Scoring{})
		got := a.Search("", bagVector("cuando me devuelven la fianza del barco"), len(all), search.Allow{})
		if found := len(got) > 0 && got[0].ID == "LEY-8/a8" && got[0].Cos > .8; found != (more != nil) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestPackedDamage(t *testing.T) {
	list := files(t)
	vectors := bagVectors(digest.Leads(list))
	b := search.NewBasis("bolsa", [][]float32{bagVector("uno dos"), bagVector("tres"), bagVector("cuatro cinco")}, 2)
	data := search.Pack(b, groups(list), vectors)
	for _, cut := range []int{0, 5, len("digesto asks 4\n") + 2, len(data) / 2, len(data) - 1} {
		if _, err := search.ReadPacked(data[:cut]); err == nil {
			t.Errorf("cut at %d of %d is read", cut, len(data))
		}
	}
	if _, err := search.ReadPacked(append(data[:len(data):len(data)], 0)); err == nil {
		t.Error("a byte too many is read")
	}
}

func FuzzReadPacked(f *testing.F) {
	b := search.NewBasis("bolsa", [][]float32{bagVector("uno dos"), bagVector("tres")}, 2)
	f.Add(search.Pack(b, groups(asking("uno")), map[string][]float32{"uno": bagVector("uno")}))
	f.Add([]byte("digesto asks 4\n\x02\x00\x00\x00{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := search.ReadPacked(data)
		if err == nil {
			p.Project(make([]float32, whole))
		}
	})
}

// TestBasis: the first components of points on a plane hold all of them.
func TestBasis(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var all [][]float32
	for range 50 {
		x, y := float32(rng.NormFloat64()), float32(rng.NormFloat64())
		all = append(all, []float32{3 * x, y, 3*x + y, 2})
	}
	b := search.NewBasis("plano", all, 3)
	if b.Sigma[0] < b.Sigma[1] || b.Sigma[1] < .1 || b.Sigma[2] > 1e-3 || len(b.Axes) != 3 {
		t.Errorf("%v", b.Sigma)
	}
}

func BenchmarkAsks(b *testing.B) {
	var text strings.Builder
	text.WriteString("norm: LEY-1\n")
	words := strings.Fields("perro gato casa moto lluvia noche jardín puente barco queso libro nieve vecino ruido contrato deuda plazo juez")
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 24000 {
		text.WriteString("== a" + string(rune('a'+i%26)) + "\ntext: x\n")
		for range 5 {
			text.WriteString("street:")
			for range 14 {
				text.WriteString(" " + words[rng.IntN(len(words))])
			}
			text.WriteString("\n")
		}
	}
	f, _ := digest.Parse("f.txt", text.String())
	a := search.NewAsks([]digest.File{f}, nil, search.Scoring{})
	for b.Loop() {
		a.Search("el perro del vecino hace ruido de noche", nil, 20, search.Allow{})
	}
}

// TestTopic: of a question the words that its place is asked with oftener than others; and
// those of the asks where no question is given.
func TestTopic(t *testing.T) {
	a := search.NewAsks(files(t), nil, search.Scoring{})
	if got := a.Topic("trabajo de noche y el vecino del pueblo hace ruido", []string{"LEY-2/a1"}, 1); len(got) != 1 || got[0] != "ruido" && got[0] != "vecino" && got[0] != "noche" {
		t.Errorf("%q", got)
	}
	if got := a.Topic("los vecinos y la fruta", []string{"LEY-1/a3"}, 1); len(got) != 1 || got[0] != "fruta" {
		t.Errorf("%q", got)
	}
	if got := a.Topic("", []string{"LEY-1/a3"}, 3); len(got) == 0 {
		t.Error("no word of the asks")
	}
	if got := a.Topic("la fruta", []string{"LEY-9/a1"}, 3); got != nil {
		t.Errorf("%q of a norm that nobody asks about", got)
	}
}

// TestExtend: asks that had vectors keep theirs to the bit, new ones get theirs in the same
// space, and those that are gone are gone.
func TestExtend(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	whole := map[string][]float32{}
	var list [][]float32
	for i := range 60 {
		v := make([]float32, 24)
		for j := range v {
			v[j] = float32(rng.NormFloat64())
		}
		whole[fmt.Sprintf("ask %d", i)] = v
		list = append(list, v)
	}
	later := whole["ask 59"]
	delete(whole, "ask 59")
	before := groups(asking(slices.Sorted(maps.Keys(whole))...))
	data := search.Pack(search.NewBasis("m", list, 8), before, whole)
	p, err := search.ReadPacked(data)
	if err != nil {
		t.Fatal(err)
	}
	known := p.Codes(data, search.Keys(data, before))
	packs := [][]digest.File{asking("ask 3", "ask 59"), asking("ask 3", "ask 4"), asking("ask 4", "ask 59", "ask 3")}
	after := p.Extend(packs, known, map[string][]float32{"ask 59": later})
	q, err := search.ReadPacked(after)
	if err != nil || q.Len() != 3 || q.Model() != "m" || len(known) != 59 {
		t.Fatal(err, q, len(known))
	}
	got := q.Codes(after, search.Keys(after, packs))
	if len(got) != 3 || got.Of("ask 590") != nil || got.Of("ask 3") == nil || !bytes.Equal(got.Of("ask 3"), known.Of("ask 3")) || !bytes.Equal(got.Of("ask 4"), known.Of("ask 4")) {
		t.Errorf("what was there moved, or what is gone stayed: %v", got)
	}
	if q.Codes(after, search.Keys(data, packs)) != nil || q.Codes(after, search.Keys(after, before)) != nil {
		t.Error("keys of another file, or of other asks, are taken for its own")
	}
	v := make([]float32, 8)
	quant.DecodeNibbles(got.Of("ask 59"), q.Step(), v)
	for i, x := range v {
		if want := p.Project(later)[i]; math.Abs(float64(x-want)) > 2 {
			t.Errorf("component %d: %v, whole %v", i, x, want)
		}
	}
}

// TestApart: what all entries of a place are asked with tells none of them.
func TestApart(t *testing.T) {
	f := digest.File{Name: "f.txt", Norm: "LEY-1"}
	for _, x := range [][2]string{{"La cosecha es de quien cuida.", "de quién es la fruta del huerto"}, {"Se riega de noche.", "cuándo riego el huerto"}, {"Nadie pasa sin llave.", "perdí la llave del huerto"}} {
		f.Entries = append(f.Entries, digest.Entry{Norm: "LEY-1", Unit: "a1", Text: x[0], Asks: []digest.Ask{{Text: x[1]}}})
	}
	a := search.NewAsks([]digest.File{f}, nil, search.Scoring{})
	found := a.Search("no encuentro la llave del huerto", nil, 1, search.Allow{})
	if len(found) != 1 || len(found[0].Entries) != 3 {
		t.Fatalf("%+v", found)
	}
	apart := map[string]float64{}
	for i, x := range search.Apart(found[0].Entries) {
		apart[found[0].Entries[i].Text[:2]] = x
	}
	if !(apart["Na"] > apart["La"] && apart["La"] == apart["Se"] && apart["La"] > 0) {
		t.Errorf("%v", apart)
	}
	entries := []*digest.Entry{&f.Entries[0], &f.Entries[2]}
	if has := a.Having(entries, []string{text.Stem("llave"), text.Stem("huerto")}); has[entries[0]][text.Stem("llave")] || !has[entries[0]][text.Stem("huerto")] || len(has[entries[1]]) != 2 {
		t.Errorf("%v", has)
	}
}
