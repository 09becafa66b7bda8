package jus_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"digesto"
	"digesto/packs/jus"
	"digesto/packs/jus/fees"
)

const head = "date\tvalue\tsource\tflags\tnote\n"

func TestTableRules(t *testing.T) {
	tests := []struct {
		name, rows, fails string // fails: words of the error; "" = the table is good
		report            string // words of the report
	}{
		{"good", "2020-01-01\t10.00\tX\t\t\n2020-02-01\t11.00\tX\t\t\n", "", ""},
		{"two of one date", "2020-01-01\t10.00\tX\t\t\n2020-01-01\t11.00\tX\t\t\n", "dos valores", ""},
		{"no source", "2020-01-01\t10.00\t\t\t\n", "fuente", ""},
		{"no date", "2020-13-01\t10.00\tX\t\t\n", "fecha", ""},
		{"comma", "2020-01-01\t10,00\tX\t\t\n", "importe", ""},
		{"thousands", "2020-01-01\t1.131.426\tX\t\t\n", "importe", ""},
		{"three decimals", "2020-01-01\t10.001\tX\t\t\n", "importe", ""},
		{"zero", "2020-01-01\t0\tX\t\t\n", "importe", ""},
		{"negative", "2020-01-01\t-1\tX\t\t\n", "importe", ""},
		{"unknown flag", "2020-01-01\t10.00\tX\tmaybe\t\n", "marca", ""},
		{"too many columns", "2020-01-01\t10.00\tX\t\t\tz\tz\n", "columnas", ""},
		{"empty", "", "no tiene filas", ""},
		{"only bad", "2020-01-01\t10.00\tX\tbad\t\n", "utilizable", ""},
		{"fall is kept and reported", "2020-01-01\t10.00\tX\t\t\n2020-02-01\t9.00\tX\t\t\n", "", "baja el 1 de febrero de 2020"},
		{"bad is left out and reported", "2020-01-01\t10.00\tX\t\t\n2020-02-01\t900.00\tX\tbad\terrata\n", "", "omitida"},
	}
	for _, x := range tests {
		c, err := jus.New(jus.Options{Values: []byte(head + x.rows)})
		if x.fails != "" {
			if err == nil || !strings.Contains(err.Error(), x.fails) || digesto.CodeOf(err) != digesto.CodeInvalid {
				t.Errorf("%s: %v", x.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		if got := strings.Join(c.Report(), " "); (x.report == "") != (got == "") || !strings.Contains(got, x.report) {
			t.Errorf("%s: report %q", x.name, got)
		}
	}
	if _, err := jus.New(jus.Options{Values: []byte("a\tb\n1\t2\n")}); err == nil {
		t.Error("a foreign header passed")
	}
}

// TestRealFall: the one fall of the series is kept, used on its days and reported with its note.
func TestRealFall(t *testing.T) {
	c := calc(t)
	if r := c.Report(); len(r) != 1 || !strings.Contains(r[0], "1 de julio de 2020") || !strings.Contains(r[0], "10.705") {
		t.Errorf("report %q", r)
	}
	if v := len(c.Values()); v != 75 {
		t.Errorf("%d values of this law, want 75 (one of 76 is of the former regime)", v)
	}
	if n := len(c.Services()); n != 140 {
		t.Errorf("%d services", n)
	}
}

func TestSet(t *testing.T) {
	c := calc(t)
	table, err := c.Set("2026-01-01", "40000,5", "Acuerdo 1/2026")
	if err != nil {
		t.Fatal(err)
	}
	at := func(c *jus.Calc, day digesto.Date) string { return deref(c.Value(jus.Day(day), today).Result) }
	n, err := jus.New(jus.Options{Added: table})
	if err != nil {
		t.Fatal(err)
	}
	if got := at(n, "2026-01-15"); got != "40000.50" {
		t.Errorf("new value %s", got)
	}
	if got := at(c, "2026-01-15"); got != "37714.22" {
		t.Errorf("the old table changed: %s", got)
	}
	for _, x := range []struct {
		date          digesto.Date
		value, source string
	}{{"2025-12-01", "1", "X"}, {"2026-01-01", "", "X"}, {"2026-01-01", "abc", "X"}, {"2026-01-01", "10", " "}, {"mañana", "10", "X"}, {"2026-01-01", "99999999999", "X"}} {
		if _, err := c.Set(x.date, x.value, x.source); err == nil {
			t.Errorf("%+v was taken", x)
		}
	}
	if table, err = n.Set("2026-02-01", "41000", "Acuerdo 2/2026"); err != nil {
		t.Fatal(err)
	}
	if n, err = jus.New(jus.Options{Added: table}); err != nil {
		t.Fatal(err)
	}
	if table, err = n.Set("2026-01-01", "40000,7", "Acuerdo 1/2026, corregido"); err != nil {
		t.Fatal(err)
	}
	if n, err = jus.New(jus.Options{Added: table}); err != nil || at(n, "2026-01-15") != "40000.70" || at(n, "2026-02-15") != "41000.00" {
		t.Errorf("one value corrected, the other kept: %v %s %s", err, at(n, "2026-01-15"), at(n, "2026-02-15"))
	}
}

// TestAddedIsSealed: values that changed on the disk, by whatever byte or end, are not told.
func TestAddedIsSealed(t *testing.T) {
	table, err := calc(t).Set("2026-01-01", "40000,5", "Acuerdo 1/2026")
	if err != nil {
		t.Fatal(err)
	}
	told := func(data []byte) {
		t.Helper()
		if c, err := jus.New(jus.Options{Added: data}); err == nil && deref(c.Value(jus.Day("2026-01-15"), today).Result) != "40000.50" {
			t.Errorf("%q was taken", data)
		}
	}
	for i := range table {
		told(table[:i])
		for bit := range 8 {
			data := bytes.Clone(table)
			data[i] ^= 1 << bit
			told(data)
		}
	}
}

// TestAddedBefore: a table of before there were seals is a copy of all values with some
// more; and a value of one's own for a day that the program has now is told as such.
func TestAddedBefore(t *testing.T) {
	old := head
	for _, v := range calc(t).Values() {
		old += string(v.Date) + "\t" + v.Amount.String() + "\tX\t\t\n"
	}
	c, err := jus.New(jus.Options{Added: []byte(old + "2026-01-01\t40000.50\tAcuerdo 1/2026\t\tValor agregado por el usuario.\n")})
	if err != nil || len(c.Values()) != len(calc(t).Values())+1 || deref(c.Value(jus.Day("2026-01-15"), today).Result) != "40000.50" {
		t.Fatalf("%v", err)
	}
	c, err = jus.New(jus.Options{Added: []byte(head + "2025-12-01\t38000.00\tAcuerdo\t\t\n")})
	if err != nil {
		t.Fatal(err)
	}
	if r := c.Value(jus.Day("2025-12-15"), today); deref(r.Result) != "38000.00" || !strings.Contains(r.Text(), "37.714,22") {
		t.Errorf("%s", r.Text())
	}
}

// TestNoForeignUnit: nothing of the neighbouring province's unit stands in the tables.
func TestNoForeignUnit(t *testing.T) {
	for _, f := range calc(t).Fiches() {
		for _, u := range f.Units {
			if s := u.Versions[0].Text; strings.Contains(s, "IUS") || strings.Contains(s, "Buenos Aires") || strings.Contains(s, "44.330") {
				t.Errorf("%s: %s", u.ID, s)
			}
			if u.Norm == jus.ValuesNorm && !strings.Contains(u.Versions[0].Text, "Córdoba") {
				t.Errorf("%s names no province", u.ID)
			}
		}
		if f.Norm.Official {
			t.Errorf("%s is official", f.Norm.ID)
		}
	}
}

func TestParseNumber(t *testing.T) {
	for in, want := range map[string]string{"30": "30", "2,5": "2.5", "2.5": "2.5", "37714.22": "37714.22", "1000000,50": "1000000.5",
		"0.5": "0.5", "0.125": "0.125", " 7 ": "7"} {
		d, err := fees.ParseNumber(in, 15)
		if err != nil || d.String() != want {
			t.Errorf("%q: %s %v, want %s", in, d, err, want)
		}
	}
	for _, in := range []string{"", "abc", "1.000", "1.000.000", "1,000,000", "-5", "0", "1e9", "+5", "NaN", "Inf", "1.0000001", "1234567890123456", "٣"} {
		if d, err := fees.ParseNumber(in, 15); err == nil {
			t.Errorf("%q was read as %s", in, d)
		} else if digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%q: code %s", in, digesto.CodeOf(err))
		}
	}
}

func TestUsageErrors(t *testing.T) {
	c := calc(t)
	if _, err := c.Convert(jus.Conversion{Jus: "1", Pesos: "1", When: jus.Day(today)}, today); digesto.CodeOf(err) != digesto.CodeUsage {
		t.Errorf("both amounts: %v", err)
	}
	if _, err := c.Convert(jus.Conversion{When: jus.Day(today)}, today); digesto.CodeOf(err) != digesto.CodeUsage {
		t.Errorf("no amount: %v", err)
	}
	if _, err := jus.When("2020-01-01", "2020", "", today); digesto.CodeOf(err) != digesto.CodeUsage {
		t.Errorf("two dates: %v", err)
	}
	for _, bad := range [][3]string{{"2020-02-30", "", ""}, {"", "20", ""}, {"", "", "2020-13"}, {"ayer", "", ""}} {
		if _, err := jus.When(bad[0], bad[1], bad[2], today); digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if _, err := c.Quote(nil, nil, today, today); digesto.CodeOf(err) != digesto.CodeUsage {
		t.Errorf("no items: %v", err)
	}
	_, err := c.Quote([]jus.Item{{Code: "divorsio_bilateral"}}, nil, today, today)
	var e *digesto.Error
	if digesto.CodeOf(err) != digesto.CodeNotFound || !errors.As(err, &e) || !strings.Contains(e.Hint, "divorcio_bilateral") {
		t.Errorf("unknown code: %v %+v", err, err)
	}
	if _, err := c.Compare("jus", nil, "2024-01-01", "2020-01-01", today); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("from after to: %v", err)
	}
	if _, err := jus.ParseFacts([]string{"color=rojo"}); err == nil {
		t.Error("an unknown fact was taken")
	}
}

// TestLastKnown: of a day or a month after the series nothing is said to have held.
func TestLastKnown(t *testing.T) {
	c := calc(t)
	month, err := jus.Month("2026-03")
	if err != nil {
		t.Fatal(err)
	}
	for _, when := range []jus.Period{month, jus.Day("2026-03-05")} {
		for _, now := range []digesto.Date{"2026-03-20", "2026-11-22"} {
			r := c.Value(when, now)
			if s := r.Text(); !strings.HasPrefix(s, "El último valor conocido del JUS") {
				t.Errorf("%v on %s: %s", when, now, s)
			}
		}
	}
	r := c.Value(jus.Day("2025-12-05"), "2026-11-22")
	if s := r.Text(); !strings.HasPrefix(s, "Al 5 de diciembre de 2025 el JUS valía") {
		t.Error(s)
	}
}
