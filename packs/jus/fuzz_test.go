package jus_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"digesto"
	"digesto/pack"
	"digesto/packs/jus"
	"digesto/packs/jus/fees"
)

// FuzzQuestion: a question of any bytes never panics and never yields an amount
// in the direct answer that is not in the steps.
func FuzzQuestion(f *testing.F) {
	for _, s := range []string{"¿Cuánto es 30 JUS en pesos?", "$1.000.000,50 a jus en 2023", "desde 2020 a hoy", "un palo y medio", "2,5jus", "31/02/2023 jus", "mil millones de millones jus", "\xff\xfe jus 1e999", "divorcio bilateral con dos abogados y convenio"} {
		f.Add(s)
	}
	_, tool := jusPack(f)
	p, _ := jusPack(f)
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 2000 {
			return
		}
		q := pack.ToolQuestion{Text: s, Today: today}
		p.Classify(q)
		call, ok := tool.Detect(q)
		if !ok {
			return
		}
		r, err := tool.Calculate(context.Background(), call)
		if err != nil {
			if digesto.CodeOf(err) == digesto.CodeInternal {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		d, ok := r.Data.(jus.Result)
		if !ok || d.Result == nil {
			return
		}
		found := false
		for _, st := range r.Steps {
			found = found || st.Result == *d.Result || strings.TrimSuffix(st.Result, "0") == *d.Result
		}
		if !found {
			t.Fatalf("%q: %s is in no step of %+v", s, *d.Result, r.Steps)
		}
	})
}

// FuzzValues: a table of any bytes is refused with an error or gives a sound series.
func FuzzValues(f *testing.F) {
	f.Add([]byte(head + "2020-01-01\t10.00\tX\t\t\n"))
	f.Add([]byte(head + "2020-01-01\t10.00\tX\tbad,gap\tñ\n\n#x\n"))
	f.Add([]byte("\x00\xff\t\t\t\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := jus.New(jus.Options{Added: data}); err == nil {
			c.Value(jus.Day(today), today)
		} else if digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Fatalf("%v", err)
		}
		c, err := jus.New(jus.Options{Values: data})
		if err != nil {
			if len(data) > 0 && digesto.CodeOf(err) != digesto.CodeInvalid {
				t.Fatalf("%v", err)
			}
			return
		}
		prev := digesto.Date("")
		for _, v := range c.Values() {
			if v.Date <= prev || !v.Amount.IsPos() || v.Source == "" {
				t.Fatalf("unsound row %+v", v)
			}
			prev = v.Date
		}
		c.Value(jus.Day(today), today)
	})
}

var amountForm = regexp.MustCompile(`^-?\d+(\.\d+)?$`)

// FuzzNumber: what ParseNumber takes is a plain positive decimal.
func FuzzNumber(f *testing.F) {
	for _, s := range []string{"1", "1,5", "1.000", "١", "1e3", "0x10", "+1", "--1", "1_000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := fees.ParseNumber(s, 15)
		if err == nil && (!d.IsPos() || !amountForm.MatchString(d.String())) {
			t.Fatalf("%q became %s", s, d)
		}
	})
}
