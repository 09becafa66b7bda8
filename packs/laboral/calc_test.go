package laboral

import (
	"errors"
	"os"
	"strings"
	"testing"

	"digesto"
)

const today = digesto.Date("2026-11-21")

func calc(t testing.TB) *Calc {
	t.Helper()
	c, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// argsOf reads "a=1 b=2".
func argsOf(s string) map[string]string {
	m := map[string]string{}
	for f := range strings.FieldsSeq(s) {
		k, v, _ := strings.Cut(f, "=")
		m[k] = v
	}
	return m
}

// TestCases holds the calculators to the cases worked out by hand.
func TestCases(t *testing.T) {
	raw, err := os.ReadFile("testdata/cases.tsv")
	if err != nil {
		t.Fatal(err)
	}
	c, n := calc(t), 0
	for line := range strings.Lines(string(raw)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 4 || line[0] == '#' {
			continue
		}
		n++
		r, err := c.Do(f[0], argsOf(f[1]), today)
		if err != nil {
			t.Errorf("%s %s: %v", f[0], f[1], err)
			continue
		}
		low, high, isSpan := strings.Cut(f[2], "..")
		if !isSpan {
			high = low
		}
		if trim(*r.Low) != trim(low) || trim(*r.High) != trim(high) || (r.Result == nil) != isSpan {
			t.Errorf("%s %s: %s..%s, by hand %s (%s)", f[0], f[1], *r.Low, *r.High, f[2], f[3])
		}
		for _, s := range r.Steps {
			if s.Text == "" || s.Source == "" && !strings.HasPrefix(s.Text, "Salario anual") {
				t.Errorf("%s %s: a step that rests on nothing: %+v", f[0], f[1], s)
			}
		}
		if len(r.Sources) == 0 {
			t.Errorf("%s %s: no source", f[0], f[1])
		}
	}
	if n < 60 {
		t.Errorf("only %d cases", n)
	}
}

// trim drops the zeros that do not count.
func trim(s string) string {
	if strings.Contains(s, ".") && !strings.Contains(s, "-0") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func TestFunctionsAndBadInput(t *testing.T) {
	c := calc(t)
	for _, x := range []struct{ fn, args, says string }{
		{"divorcio", "", "no existe"},
		{"despido", "desde=2020-01-01 hasta=2021-01-01", "salario"},
		{"despido", "desde=2020-01-01 hasta=2021-01-01 salario=1000 anual=9000", "más de uno"},
		{"despido", "desde=2021-01-01 hasta=2020-01-01 anual=20000", "antes de empezar"},
		{"despido", "desde=2020-02-30 hasta=2021-01-01 anual=20000", "no es válida"},
		{"despido", "desde=1800-01-01 hasta=2021-01-01 anual=20000", "no es válida"},
		{"despido", "tipo=raro desde=2020-01-01 hasta=2021-01-01 anual=20000", "no existe"},
		{"despido", "tpio=objetivo", "no existe"},
		{"despido", "desde=2020-01-01 hasta=2021-01-01 salario=-5", "no vale"},
		{"despido", "desde=2020-01-01 hasta=2021-01-01 salario=1000 pagas=40", "no vale"},
		{"despido", "desde=2020-01-01 hasta=2021-01-01 anual=999999999999", "no vale"},
		{"despido", "desde=2020-01-01 hasta=2021-01-01 anual=10,555", "no vale"},
		{"plazo", "tipo=despido", "Falta"},
		{"plazo", "tipo=nada desde=2026-01-01", "no existe"},
		{"plazo", "tipo=cantidad desde=hoy", "no es válida"},
		{"plazo", "tipo=despido desde=2026-11-03 festivos=ayer", "no es válida"},
		{"plazo", "tipo=despido desde=2026-11-03 agosto=quizá", "no vale"},
		{"plazo", "tipo=despido desde=2026-11-03 papeleta=2026-11-01", "no está dentro"},
		{"plazo", "tipo=despido desde=2026-11-03 papeleta=2027-11-01", "no está dentro"},
		{"plazo", "tipo=despido desde=2026-11-03 papeleta=2026-11-10 conciliacion=2026-11-05", "anterior"},
		{"plazo", "tipo=solicitud-paro desde=2026-11-03 papeleta=2026-11-10", "no suspende"},
		{"vacaciones", "desde=2026-01-01", "Falta"},
		{"vacaciones", "desde=2026-01-01 hasta=2026-02-01 dias=10", "no vale"},
		{"vacaciones", "desde=2026-01-01 hasta=2026-02-01 disfrutadas=muchos", "no vale"},
		{"paro", "", "Faltan"},
		{"paro", "cotizados=5000", "no vale"},
		{"paro", "cotizados=500 base=0", "no vale"},
		{"cifras", "nombre=uit", "no existe"},
		{"cifras", "nombre=smi year=20", "no vale"},
		{"finiquito", "desde=2026-01-01 hasta=2026-02-01 salario=1000 pagas=14 devengo=mensual", "no vale"},
		{"finiquito", "desde=2026-01-01 hasta=2026-02-01 salario=1000 pendiente=2025-01-01", "no está dentro"},
	} {
		_, err := c.Do(x.fn, argsOf(x.args), today)
		var e *digesto.Error
		ok := errors.As(err, &e)
		if !ok || !strings.Contains(e.Message, x.says) || e.Hint == "" {
			t.Errorf("%s %s: %v", x.fn, x.args, err)
		}
	}
}

// TestUnknownsAreNamed: what is not said makes a range or a remark, never a guess.
func TestUnknownsAreNamed(t *testing.T) {
	c := calc(t)
	for _, x := range []struct{ fn, args, name string }{
		{"despido", "desde=2020-01-01 hasta=2021-01-01 salario=1000", "pagas"},
		{"despido", "desde=2020-01-01 hasta=2021-01-01 anual=10000", "tipo de extinción"},
		{"finiquito", "desde=2020-01-01 hasta=2021-01-15 salario=1000 pagas=14", "años o por semestres"},
		{"finiquito", "desde=2020-01-01 hasta=2021-01-15 salario=1000 pagas=14", "cómo acaba"},
		{"finiquito", "desde=2020-01-01 hasta=2021-01-15 salario=1000 pagas=14", "disfrutados"},
		{"finiquito", "desde=2020-01-01 hasta=2021-01-15 salario=1000", "pagas al año"},
		{"plazo", "tipo=despido desde=2026-11-03", "festivos"},
		{"plazo", "tipo=sancion desde=2026-07-20", "agosto"},
		{"plazo", "tipo=falta-grave desde=2026-07-20", "se cometió"},
		{"vacaciones", "desde=2026-01-01 hasta=2026-02-01", "convenio"},
		{"paro", "cotizados=800 base=1500 fecha=2031-01-01", "IPREM"},
		{"paro", "cotizados=800 base=1500 iprem=600", "hijos"},
		{"cifras", "nombre=smi fecha=2031-01-01", "cifra de esa fecha"},
	} {
		r, err := c.Do(x.fn, argsOf(x.args), today)
		if err != nil {
			t.Errorf("%s %s: %v", x.fn, x.args, err)
			continue
		}
		found := false
		for _, u := range r.Unknown {
			found = found || strings.Contains(u.Name, x.name) && u.Effect != ""
		}
		if !found || !strings.Contains(r.Text(), x.name) {
			t.Errorf("%s %s: %q is not named in %+v", x.fn, x.args, x.name, r.Unknown)
		}
	}
}

func TestFiguresHaveTheirDate(t *testing.T) {
	c := calc(t)
	for _, x := range []struct{ args, value, says string }{
		{"nombre=smi", "1221", "desde el 1 de enero de 2026"},
		{"nombre=smi year=2025", "1184", "No es una cifra de hoy"},
		{"nombre=smi fecha=2021-08-31", "950", "hasta el 31 de agosto de 2021"},
		{"nombre=smi fecha=2021-09-01", "965", "desde el 1 de septiembre de 2021"},
		{"nombre=semanas-nacimiento fecha=2025-07-30", "16", "16 semanas"},
		{"nombre=semanas-nacimiento fecha=2025-07-31", "19", "19 semanas"},
		{"nombre=tope-maximo year=2026", "5101.20", "5.101,20 €"},
		{"nombre=mei", "0.90", "0,90 %"},
	} {
		r, err := c.Do("cifras", argsOf(x.args), today)
		if err != nil || r.Result == nil || *r.Result != x.value || !strings.Contains(r.Text(), x.says) {
			t.Errorf("%s: %v %+v", x.args, err, r)
		}
	}
	r, _ := c.Do("cifras", argsOf("nombre=smi year=2021"), today)
	if r.Result != nil || *r.Low != "950" || *r.High != "965" {
		t.Errorf("2021 had two: %+v", r)
	}
	if r, _ := c.Do("cifras", argsOf("nombre=iprem fecha=2027-06-01"), today); r.Low != nil || !strings.Contains(r.Text(), "No tengo") {
		t.Errorf("a figure beyond its year: %+v", r)
	}
}

func TestTablesReportTheirFaults(t *testing.T) {
	head := "key\tname\tfrom\tto\tvalue\tunit\tnorm\tarticle\tplace\twords\tnote\n"
	for _, x := range []string{"", "key\n", head, head + "a\tb\n",
		head + "smi\tN\t2025-01-01\t2024-01-01\t9\tEUR\tB\ta1\tp\tsmi\t\n", head + "smi\tN\t2025-01-01\t\tnueve\tEUR\tB\ta1\tp\tsmi\t\n",
		head + "smi\tN\t2025-01-01\t\t9\tEUR\tB\ta1\tp\tsmi\t\nsmi\tN\t2026-01-01\t\t9\tEUR\tB\ta1\tp\tsmi\t\n", strings.Repeat("#", 1<<20+1)} {
		if _, err := readFigures([]byte(x)); err == nil {
			t.Errorf("%.60q: no error", x)
		}
	}
	if _, err := readSeverance([]byte("kind\tname\tdays\tcap\tby\tnorm\tunit\tplace\twords\nx\ty\t-3\t0\tmes\tB\ta1\tp\tw\n")); err == nil {
		t.Error("negative days pass")
	}
	if _, err := readDeadlines([]byte(strings.Replace(string(embeddedDeadlines), "hábiles", "lunares", 1))); err == nil {
		t.Error("an unknown unit passes")
	}
}
