package jus_test

import (
	"bufio"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/packs/jus"
)

// oracle does the same sums in big rationals, dates by linear scan, from the
// table read with other code. It shares nothing with the package but the data.
type oracle struct {
	days   []string
	values []*big.Rat
	min    map[string]*big.Rat
	max    map[string]*big.Rat
	since  map[string]string
	codes  []string
}

func newOracle(tb testing.TB) *oracle {
	tb.Helper()
	o := &oracle{min: map[string]*big.Rat{}, max: map[string]*big.Rat{}, since: map[string]string{}}
	for _, r := range read(tb, "data/values.tsv") {
		if strings.Contains(r[3], "former") || strings.Contains(r[3], "bad") {
			continue
		}
		v, ok := new(big.Rat).SetString(r[1])
		if !ok {
			tb.Fatal(r)
		}
		o.days, o.values = append(o.days, r[0]), append(o.values, v)
	}
	for _, r := range read(tb, "data/services.tsv") {
		if r[2] == "percent" || r[2] == "rule" {
			continue
		}
		o.codes = append(o.codes, r[0])
		o.min[r[0]], _ = new(big.Rat).SetString(r[3])
		if r[4] != "" {
			o.max[r[0]], _ = new(big.Rat).SetString(r[4])
		}
		if len(r) > 11 {
			o.since[r[0]] = r[11]
		}
	}
	return o
}

func read(tb testing.TB, file string) (out [][]string) {
	tb.Helper()
	f, err := os.Open(file)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	for first := true; sc.Scan(); {
		if l := sc.Text(); l != "" && l[0] != '#' {
			if !first {
				out = append(out, strings.Split(l, "\t"))
			}
			first = false
		}
	}
	return out
}

func (o *oracle) at(day string) *big.Rat {
	var v *big.Rat
	for i, d := range o.days {
		if d <= day {
			v = o.values[i]
		}
	}
	return v
}

// cents writes a rational with two decimals, half away from zero.
func cents(r *big.Rat) string {
	n := new(big.Rat).Mul(r, big.NewRat(100, 1))
	neg := n.Sign() < 0
	n.Abs(n)
	q, m := new(big.Int).QuoRem(n.Num(), n.Denom(), new(big.Int))
	if m.Lsh(m, 1).Cmp(n.Denom()) >= 0 {
		q.Add(q, big.NewInt(1))
	}
	s := fmt.Sprintf("%03s", q.String())
	s = s[:len(s)-2] + "." + s[len(s)-2:]
	if neg {
		return "-" + s
	}
	return s
}

func randomDay(rng *rand.Rand) string {
	return time.Date(2007, 6, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rng.IntN(7300)).Format(time.DateOnly)
}

func randomAmount(rng *rand.Rand, digits int) string {
	s := fmt.Sprint(1 + rng.Int64N(pow10(1+rng.IntN(digits-2))))
	if d := rng.IntN(3); d > 0 {
		s += "." + fmt.Sprintf("%0*d", d, rng.IntN(int(pow10(d))))
	}
	return s
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}

func TestOracleConversions(t *testing.T) {
	c, o := calc(t), newOracle(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for range cases(t, 60000) {
		day := randomDay(rng)
		q := jus.Conversion{When: jus.Day(digesto.Date(day))}
		v := o.at(day)
		var want string
		if rng.IntN(2) == 0 {
			q.Jus = randomAmount(rng, 9)
			if v != nil {
				a, _ := new(big.Rat).SetString(q.Jus)
				want = cents(a.Mul(a, v))
			}
		} else {
			q.Pesos = randomAmount(rng, 13)
			if v != nil {
				a, _ := new(big.Rat).SetString(q.Pesos)
				want = cents(a.Quo(a, v))
			}
		}
		if zero(q.Jus) || zero(q.Pesos) {
			continue
		}
		r, err := c.Convert(q, today)
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		if got := deref(r.Result); v == nil && r.Result != nil || v != nil && got != want {
			t.Fatalf("%+v: %s, want %s", q, got, want)
		}
	}
}

func zero(s string) bool { return s != "" && strings.Trim(s, "0.") == "" }

// cases says how many random cases a run takes: fewer with -short.
func cases(t *testing.T, n int) int {
	if testing.Short() {
		return n / 20
	}
	return n
}

func TestOracleBudgets(t *testing.T) {
	c, o := calc(t), newOracle(t)
	rng := rand.New(rand.NewPCG(3, 4))
	for range cases(t, 30000) {
		day := randomDay(rng)
		var items []jus.Item
		low, high := new(big.Rat), new(big.Rat)
		open, unknown := false, false
		v := o.at(day)
		for range 1 + rng.IntN(4) {
			code := o.codes[rng.IntN(len(o.codes))]
			n := 1 + rng.IntN(9)
			it, err := jus.ParseItem(fmt.Sprintf("%s=%d", code, n))
			if err != nil {
				t.Fatal(err)
			}
			items = append(items, it)
			if v == nil {
				continue
			}
			unknown = unknown || day < o.since[code]
			low.Add(low, rounded(o.min[code], n, v))
			if o.max[code] == nil {
				open = true
			} else {
				high.Add(high, rounded(o.max[code], n, v))
			}
		}
		r, err := c.Quote(items, nil, digesto.Date(day), today)
		if err != nil {
			t.Fatal(err)
		}
		checkBudget(t, r, day, v == nil, unknown, open, cents(low), cents(high))
	}
}

func rounded(jusAmount *big.Rat, n int, v *big.Rat) *big.Rat {
	x := new(big.Rat).Mul(jusAmount, big.NewRat(int64(n), 1))
	out, _ := new(big.Rat).SetString(cents(x.Mul(x, v)))
	return out
}

func checkBudget(t *testing.T, r jus.Result, day string, none, unknown, open bool, low, high string) {
	t.Helper()
	switch {
	case none || unknown:
		if r.Result != nil || r.Low != nil {
			t.Fatalf("%s: a total where none is known: %+v", day, r)
		}
	case open:
		if deref(r.Low) != low || r.High != nil || r.Kind != "minimum" {
			t.Fatalf("%s: %s, want at least %s (%s)", day, deref(r.Low), low, r.Kind)
		}
	default:
		if deref(r.Low) != low || deref(r.High) != high {
			t.Fatalf("%s: %s–%s, want %s–%s", day, deref(r.Low), deref(r.High), low, high)
		}
	}
}

func TestOracleComparisons(t *testing.T) {
	c, o := calc(t), newOracle(t)
	rng := rand.New(rand.NewPCG(5, 6))
	for range cases(t, 15000) {
		a, b := randomDay(rng), randomDay(rng)
		if a > b {
			a, b = b, a
		}
		r, err := c.Compare(jus.JusCode, nil, digesto.Date(a), digesto.Date(b), today)
		if err != nil {
			t.Fatal(err)
		}
		va, vb := o.at(a), o.at(b)
		if va == nil || vb == nil {
			if r.Difference != nil || r.Percent != nil {
				t.Fatalf("%s–%s: %+v", a, b, r)
			}
			continue
		}
		d := new(big.Rat).Sub(vb, va)
		p := new(big.Rat).Quo(d, va)
		p.Mul(p, big.NewRat(100, 1))
		if deref(r.Difference) != cents(d) || deref(r.Percent) != cents(p) {
			t.Fatalf("%s–%s: %s %s%%, want %s %s%%", a, b, deref(r.Difference), deref(r.Percent), cents(d), cents(p))
		}
	}
}

// TestThereAndBack: converting pesos to JUS and back loses at most what two roundings can.
func TestThereAndBack(t *testing.T) {
	c, o := calc(t), newOracle(t)
	rng := rand.New(rand.NewPCG(7, 8))
	for range cases(t, 10000) {
		day := time.Date(2008, 2, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rng.IntN(6500)).Format(time.DateOnly)
		when := jus.Day(digesto.Date(day))
		pesos := fmt.Sprint(1000 + rng.Int64N(1e9))
		there, err := c.Convert(jus.Conversion{Pesos: pesos, When: when}, today)
		if err != nil || there.Result == nil || zero(*there.Result) {
			continue
		}
		back, err := c.Convert(jus.Conversion{Jus: *there.Result, When: when}, today)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := new(big.Rat).SetString(pesos)
		got, _ := new(big.Rat).SetString(*back.Result)
		slack := new(big.Rat).Mul(o.at(day), big.NewRat(5, 1000))
		slack.Add(slack, big.NewRat(1, 100))
		if diff := got.Sub(got, want); diff.Abs(diff).Cmp(slack) > 0 {
			t.Fatalf("%s pesos on %s come back as %s", pesos, day, *back.Result)
		}
	}
}

// TestMonotone: the value never falls from one day to the next, but for the one real fall.
func TestMonotone(t *testing.T) {
	c := calc(t)
	prev := new(big.Rat)
	var falls []digesto.Date
	for d := time.Date(2008, 1, 17, 0, 0, 0, 0, time.UTC); d.Year() < 2027; d = d.AddDate(0, 0, 1) {
		day := digesto.Date(d.Format(time.DateOnly))
		v, _ := new(big.Rat).SetString(deref(c.Value(jus.Day(day), today).Result))
		if v.Cmp(prev) < 0 {
			falls = append(falls, day)
		}
		prev = v
	}
	if len(falls) != 1 || falls[0] != "2020-07-01" {
		t.Errorf("falls on %v", falls)
	}
}
