package search

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"digesto/digest"
	"digesto/text"
)

// toyVector is one of its own for every text.
func toyVector(s string) []float32 {
	rng := rand.New(rand.NewPCG(uint64(len(s)), uint64(s[0])+uint64(s[len(s)-1])<<8))
	v := make([]float32, 24)
	for i := range v {
		v[i] = float32(rng.NormFloat64())
	}
	return v
}

// toyFiles are eighty entries of four asks of a few words each.
func toyFiles() []digest.File {
	rng := rand.New(rand.NewPCG(7, 7))
	say := func() string {
		var w []string
		for range 3 + rng.IntN(6) {
			w = append(w, toyWords[min(rng.IntN(len(toyWords)), rng.IntN(len(toyWords)))])
		}
		return strings.Join(w, " ")
	}
	out := make([]digest.File, 2)
	for i := range 80 {
		e := digest.Entry{Norm: "LEY-1", Unit: "a" + strconv.Itoa(i), Text: say()}
		for range 4 {
			e.Asks = append(e.Asks, digest.Ask{Kind: digest.Street, Text: say()})
		}
		out[i/50].Entries = append(out[i/50].Entries, e)
	}
	return out
}

var toyWords = strings.Fields(`pera huerto manzana fruta ruido noche trompeta perro correa barco fianza vecino tejado gotera
	alquiler luz agua multa coche semáforo escuela beca médico receta hospital herencia abuelo primo boda divorcio hijo
	cuna carta banco préstamo factura pan horno harina campo vaca leche tractor puente río pesca licencia arma caza
	reloj taller pintura puerta ventana llave calle plaza fuente árbol`)

func toyPacked(t *testing.T, files []digest.File) *Packed {
	t.Helper()
	whole, list := map[string][]float32{}, [][]float32{}
	for _, s := range digest.Leads(files) {
		whole[s] = toyVector(s)
		list = append(list, whole[s])
	}
	p, err := ReadPacked(Pack(NewBasis("juguete", list, 6), [][]digest.File{files}, whole))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func cosine(a, b []float64) float64 {
	dot, x, y := 0., 0., 0.
	for i := range a {
		dot, x, y = dot+a[i]*b[i], x+a[i]*a[i], y+b[i]*b[i]
	}
	if x*y == 0 {
		return 0
	}
	return dot / math.Sqrt(x*y)
}

// naive gives the cosines of centroid and profile, pivoted, of every entry for a question by their definition, with the
// asks that are not without.
func naive(a *Asks, question string, full []float32, without string) (centroid, profile []float64) {
	var an text.Analyser
	count := func(s string) map[string]float64 {
		m := map[string]float64{}
		for _, t := range an.Terms(s) {
			if t.Stem != "" {
				m[t.Stem]++
			}
		}
		return m
	}
	var sums [][]float64
	var have []map[string]float64
	entries := map[string]float64{}
	for e := range a.entries {
		sum, had, all := make([]float64, len(a.vectors.Step())), map[string]float64{}, map[string]bool{}
		v := make([]float32, len(sum))
		for i := range a.entries[e].Leads() {
			ask := int(a.entries[e].first) + i
			if a.text(ask) == without {
				continue
			}
			for s := range count(a.text(ask)) {
				all[s] = true
			}
			a.rows.Vector(ask, v)
			n := 0.
			for _, x := range v {
				n += float64(x) * float64(x)
			}
			for d, x := range v {
				sum[d] += float64(x) / math.Sqrt(n)
			}
			for s := range count(a.text(ask)) {
				had[s]++
			}
		}
		for s := range all {
			entries[s]++
		}
		sums, have = append(sums, sum), append(have, had)
	}
	var q []float64
	for _, x := range a.vectors.Project(full) {
		q = append(q, float64(x))
	}
	weigh := func(m map[string]float64) (w []float64) {
		for _, s := range slices.Sorted(maps.Keys(entries)) {
			x := 0.
			if m[s] > 0 {
				x = (1 + math.Log(m[s])) * math.Sqrt(math.Log(float64(len(a.entries)+1)/(entries[s]+1)))
			}
			w = append(w, x)
		}
		return w
	}
	var alike, long []float64
	for e := range a.entries {
		n := float64(a.entries[e].Leads())
		for i := range a.entries[e].Leads() {
			if a.text(int(a.entries[e].first)+i) == without {
				n--
			}
		}
		alike, long = append(alike, length(sums[e])/n), append(long, length(weigh(have[e])))
	}
	usual := func(list []float64) float64 { return slices.Sorted(slices.Values(list))[len(list)/2] }
	for e := range a.entries {
		centroid = append(centroid, cosine(q, sums[e])*math.Pow(usual(alike)/alike[e], .75))
		profile = append(profile, cosine(weigh(count(question)), weigh(have[e]))*math.Pow(long[e]/usual(long), .5))
	}
	return centroid, profile
}

func length(v []float64) float64 {
	sum := 0.
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum)
}

// TestCentroids: what a search measures of an entry's asks together is what its definition says,
// of those prepared and of others. Without an ask it is as if that had not been written, but that
// the lengths of the other entries stay.
func TestCentroids(t *testing.T) {
	list := toyFiles()
	p := toyPacked(t, list)
	late := digest.File{Entries: []digest.Entry{{Norm: "LEY-2", Unit: "a1", Text: "fianza del barco", Asks: []digest.Ask{{Text: "el barco de noche"}, {Text: "perro en el zaguán"}}}}}
	p.More = toyVector
	a := NewAsks(append(slices.Clone(list), late), p, Scoring{})
	for _, without := range []string{"", list[0].Entries[3].Asks[1].Text, list[1].Entries[9].Asks[0].Text, "perro en el zaguán"} {
		for _, question := range []string{"perro de noche de noche", "fruta del huerto ajeno en el zaguán", list[0].Entries[3].Asks[1].Text, "xyz"} {
			r, full, most := a.room(), toyVector(question), 1e-4
			if without != "" {
				most = .02
			}
			g := a.gate(Allow{Without: without})
			a.centroids(a.vectors.Project(full), r, g.left)
			a.profiles(question, r, g.left)
			centroid, profile := naive(a, question, full, without)
			for e := range a.entries {
				if math.Abs(float64(r.centroid[e])-centroid[e]) > .01 || math.Abs(float64(r.profile[e])-profile[e]) > most {
					t.Errorf("%q without %q, entry %d: centroid %.4f profile %.4f, by definition %.4f %.4f", question, without, e, r.centroid[e], r.profile[e], centroid[e], profile[e])
				}
			}
		}
	}
}
