package laboral

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"
)

// The second implementation: big rationals, months counted by walking, nothing
// shared with the first but the calendar of package time.

func rat(a, b int64) *big.Rat { return big.NewRat(a, b) }

// walk counts the months of service of [from, to], each begun one whole.
func walk(from, to time.Time) int64 {
	n := int64(0)
	for k := 0; ; k++ {
		y, m := from.Year(), int(from.Month())+k
		start := time.Date(y, time.Month(m), 1, 0, 0, 0, 0, time.UTC)
		for d := 1; d < from.Day() && start.AddDate(0, 0, 1).Month() == start.Month(); d++ {
			start = start.AddDate(0, 0, 1)
		}
		if start.After(to) {
			return n
		}
		n++
	}
}

func least(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// oracle gives the days of salary of a monthly rule.
func oracle(days, cap int64, from, to time.Time) *big.Rat {
	month := rat(365, 12)
	cut := time.Date(2012, 2, 11, 0, 0, 0, 0, time.UTC)
	if days == 33 && cap == 24 && !from.After(cut) {
		last := to
		if last.After(cut) {
			last = cut
		}
		old := rat(45*walk(from, last), 12)
		if old.Cmp(rat(720, 1)) > 0 {
			return least(old, new(big.Rat).Mul(rat(42, 1), month))
		}
		if to.After(cut) {
			old.Add(old, rat(33*walk(cut.AddDate(0, 0, 1), to), 12))
		}
		return least(old, rat(720, 1))
	}
	return least(rat(days*walk(from, to), 12), new(big.Rat).Mul(rat(cap, 1), month))
}

// cents rounds half away from zero.
func cents(r *big.Rat) string {
	x := new(big.Rat).Mul(r, rat(100, 1))
	x.Add(x, rat(1, 2))
	q := new(big.Int).Quo(x.Num(), x.Denom())
	s := q.String()
	for len(s) < 3 {
		s = "0" + s
	}
	return s[:len(s)-2] + "." + s[len(s)-2:]
}

func TestSeveranceAgainstRationals(t *testing.T) {
	c := calc(t)
	rnd := rand.New(rand.NewPCG(7, 11))
	kinds := []string{"improcedente", "objetivo", "modificacion", "hogar", "directivo-desistimiento", "voluntad", "traslado"}
	for range 4000 {
		kind := kinds[rnd.IntN(len(kinds))]
		rule, _ := c.ruleOf(kind)
		from := date(1970, 1, 1).AddDate(0, 0, rnd.IntN(20000))
		to := from.AddDate(0, 0, rnd.IntN(15000))
		if to.Year() > 2099 {
			continue
		}
		money := int64(rnd.IntN(9_999_999) + 1) // cents of a year
		args := fmt.Sprintf("tipo=%s desde=%s hasta=%s anual=%d.%02d", kind, iso(from), iso(to), money/100, money%100)
		r, err := c.Do(FnSeverance, argsOf(args), today)
		if err != nil {
			t.Fatalf("%s: %v", args, err)
		}
		want := new(big.Rat).Mul(oracle(int64(rule.days), int64(rule.cap), from, to), rat(money, 36500))
		if *r.Result != cents(want) {
			t.Fatalf("%s: %s, by rationals %s", args, *r.Result, cents(want))
		}
	}
}

func TestTemporaryAgainstRationals(t *testing.T) {
	c := calc(t)
	rnd := rand.New(rand.NewPCG(3, 5))
	for range 2000 {
		from := date(2009, 1, 1).AddDate(0, 0, rnd.IntN(6000))
		n := int64(rnd.IntN(2000) + 1)
		to := from.AddDate(0, 0, int(n)-1)
		days := int64(12)
		if y := from.Year(); y < 2012 {
			days = 8
		} else if y < 2015 {
			days = int64(y) - 2003
		}
		money := int64(rnd.IntN(9_999_999) + 1)
		args := fmt.Sprintf("tipo=temporal desde=%s hasta=%s anual=%d.%02d", iso(from), iso(to), money/100, money%100)
		r, err := c.Do(FnSeverance, argsOf(args), today)
		if err != nil {
			t.Fatal(err)
		}
		want := new(big.Rat).Mul(rat(n*days, 365), rat(money, 36500))
		if *r.Result != cents(want) {
			t.Fatalf("%s: %s, by rationals %s", args, *r.Result, cents(want))
		}
	}
}

// TestDeadlinesAgainstCounting walks the calendar in the other direction: the
// last day found is a working one, and exactly n working days lie after the first.
func TestDeadlinesAgainstCounting(t *testing.T) {
	c := calc(t)
	rnd := rand.New(rand.NewPCG(2, 9))
	for range 1500 {
		from := date(2015, 1, 1).AddDate(0, 0, rnd.IntN(6000))
		off := from.AddDate(0, 0, rnd.IntN(25)+1)
		r, err := c.Do(FnDeadline, argsOf("tipo=despido desde="+iso(from)+" festivos="+iso(off)), today)
		if err != nil {
			t.Fatal(err)
		}
		end, _ := time.Parse(time.DateOnly, *r.Result)
		n, last := 0, false
		for d := end; d.After(from); d = d.AddDate(0, 0, -1) {
			rests := d.Weekday() == 0 || d.Weekday() == 6 || d.Equal(off)
			for _, fixed := range []string{"01-01", "05-01", "10-12", "12-25"} {
				moved := d.AddDate(0, 0, -1)
				rests = rests || d.Format("01-02") == fixed || d.Weekday() == 1 && moved.Format("01-02") == fixed
			}
			if !rests {
				n++
			}
			last = last || d.Equal(end) && !rests
		}
		if n != 20 || !last {
			t.Fatalf("from %s with %s: %s holds %d working days", iso(from), iso(off), *r.Result, n)
		}
	}
}

func TestBenefitAgainstTheScale(t *testing.T) {
	scale := [][3]int{{360, 539, 120}, {540, 719, 180}, {720, 899, 240}, {900, 1079, 300}, {1080, 1259, 360}, {1260, 1439, 420}, {1440, 1619, 480},
		{1620, 1799, 540}, {1800, 1979, 600}, {1980, 2159, 660}, {2160, 1 << 20, 720}}
	c := calc(t)
	for n := range 2193 {
		want := 0
		for _, s := range scale {
			if n >= s[0] && n <= s[1] {
				want = s[2]
			}
		}
		r, err := c.Do(FnBenefit, map[string]string{"cotizados": strconv.Itoa(n)}, today)
		if err != nil || *r.Result != strconv.Itoa(want) {
			t.Fatalf("%d days: %v, want %d (%v)", n, r.Result, want, err)
		}
	}
}

// TestSeveranceProperties: it grows with salary and service, holds its cap, and a
// year of salary more or less does not change the days.
func TestSeveranceProperties(t *testing.T) {
	c := calc(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	value := func(kind string, from, to time.Time, money int) *big.Rat {
		r, err := c.Do(FnSeverance, argsOf(fmt.Sprintf("tipo=%s desde=%s hasta=%s anual=%d", kind, iso(from), iso(to), money)), today)
		if err != nil {
			t.Fatal(err)
		}
		x, _ := new(big.Rat).SetString(*r.Result)
		return x
	}
	caps := map[string]*big.Rat{"improcedente": rat(42, 12), "objetivo": rat(1, 1), "modificacion": rat(9, 12), "hogar": rat(1, 2)}
	for range 1500 {
		for kind, most := range caps {
			from := date(1970, 1, 1).AddDate(0, 0, rnd.IntN(16000))
			to := from.AddDate(0, 0, rnd.IntN(12000))
			money := rnd.IntN(90000) + 1
			base := value(kind, from, to, money)
			if value(kind, from, to, money+rnd.IntN(5000)).Cmp(base) < 0 {
				t.Fatalf("%s falls with salary", kind)
			}
			if value(kind, from, to.AddDate(0, 0, rnd.IntN(400)), money).Cmp(base) < 0 {
				t.Fatalf("%s %s–%s falls with a later end", kind, iso(from), iso(to))
			}
			limit := new(big.Rat).Add(new(big.Rat).Mul(most, rat(int64(money), 1)), rat(1, 100))
			if base.Cmp(limit) > 0 {
				t.Fatalf("%s of %d passes its cap: %s", kind, money, base.FloatString(2))
			}
		}
	}
}

// TestSettlementProperties: the parts add up, and more holidays taken never raise it.
func TestSettlementProperties(t *testing.T) {
	c := calc(t)
	rnd := rand.New(rand.NewPCG(4, 4))
	for range 800 {
		from := date(2010, 1, 1).AddDate(0, 0, rnd.IntN(4000))
		to := from.AddDate(0, 0, rnd.IntN(2500))
		args := fmt.Sprintf("desde=%s hasta=%s salario=%d pagas=%d tipo=objetivo disfrutadas=", iso(from), iso(to), 800+rnd.IntN(4000), []int{12, 14}[rnd.IntN(2)])
		taken := rnd.IntN(25)
		r, err := c.Do(FnSettlement, argsOf(args+strconv.Itoa(taken)), today)
		if err != nil {
			t.Fatal(err)
		}
		sum := new(big.Rat)
		for _, p := range r.Parts {
			x, _ := new(big.Rat).SetString(*p.Low)
			sum.Add(sum, x)
		}
		low, _ := new(big.Rat).SetString(*r.Low)
		if sum.Cmp(low) != 0 {
			t.Fatalf("%s: parts %s, whole %s", args, sum.FloatString(2), *r.Low)
		}
		more, err := c.Do(FnSettlement, argsOf(args+strconv.Itoa(taken+3)), today)
		if err != nil {
			t.Fatal(err)
		}
		if x, _ := new(big.Rat).SetString(*more.Low); x.Cmp(low) > 0 {
			t.Fatalf("%s: more holidays taken, more owed", args)
		}
	}
}
