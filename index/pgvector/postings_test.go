package pgvector

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// TestPosts: places and frequencies are read back, one by one and all at once, whatever
// the form; a list that is cut is refused.
func TestPosts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 100, sparseMost, sparseMost + 1, blockDocs} {
		for _, most := range []int{1, 3, 70_000} {
			var at, tf []uint16
			for _, p := range r.Perm(blockDocs)[:n] {
				at, tf = append(at, uint16(p)), append(tf, uint16(1+r.IntN(min(most, maxTF))))
			}
			slices.Sort(at)
			p := posts{n: n, raw: encode(at, tf)}
			if err := p.check(); err != nil {
				t.Fatal(n, most, err)
			}
			i := 0
			p.each(func(a uint16, f int) {
				if a != at[i] || f != int(tf[i]) {
					t.Fatalf("%d of %d: %d %d, want %d %d", i, n, a, f, at[i], tf[i])
				}
				i++
			})
			var b bitmap
			p.into(&b)
			if i != n || b.count() != n {
				t.Fatalf("%d, %d of %d", i, b.count(), n)
			}
			for range 50 {
				k := r.IntN(n)
				if got := p.tf(at[k]); got != int(tf[k]) {
					t.Fatalf("at %d: %d, want %d", at[k], got, tf[k])
				}
				if a := uint16(r.IntN(blockDocs)); !slices.Contains(at, a) && p.tf(a) != 0 {
					t.Fatalf("at %d, where none is: %d", a, p.tf(a))
				}
			}
			p.raw = p.raw[:len(p.raw)/2]
			if p.check() == nil {
				t.Errorf("%d places, cut, are taken", n)
			}
		}
	}
}

// FuzzPosts: what is not a list is refused or can be read to its end.
func FuzzPosts(f *testing.F) {
	f.Add(2, encode([]uint16{3, 9}, []uint16{1, 300}))
	f.Add(1, []byte{formOnes, 1, 0})
	f.Fuzz(func(t *testing.T, n int, raw []byte) {
		p := posts{n: n, raw: raw}
		if p.check() != nil {
			return
		}
		i := 0
		p.each(func(at uint16, _ int) { p.tf(at); i++ })
		if i != n {
			t.Errorf("%d of %d", i, n)
		}
	})
}

// FuzzColumns: what is read back is what was written; other bytes are refused.
func FuzzColumns(f *testing.F) {
	c := &columns{lengths: []int{3, 0, 70_000}, held: []uint16{0, 1, 0}, days: [][2]string{{"", ""}, {"2018-01-01", "2020-02-29"}}}
	f.Add(c.encode())
	f.Add(c.encode()[:7])
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := decodeColumns(0, raw)
		if err != nil {
			return
		}
		again, err := decodeColumns(0, c.encode())
		if err != nil || !reflect.DeepEqual(again, c) {
			t.Errorf("%+v, read back %+v %v", c, again, err)
		}
	})
}
