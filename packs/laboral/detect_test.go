package laboral

import (
	"context"
	"strings"
	"testing"

	"digesto"
	"digesto/pack"
)

func TestDetect(t *testing.T) {
	tool := &Tool{calc: calc(t)}
	for _, x := range []struct{ q, fn, args string }{
		{"Entré el 1 de marzo de 2005, me despiden el 30 de junio de 2024 y gano 1800 euros al mes en 14 pagas: ¿qué indemnización me corresponde por despido improcedente?", FnSeverance, "tipo=improcedente desde=2005-03-01 hasta=2024-06-30 salario=1800 pagas=14"},
		{"Llevo 10 años en la empresa, cobro 24.000 € al año y es un despido objetivo, ¿cuánto me corresponde de indemnización?", FnSeverance, "tipo=objetivo anual=24000 desde=2016-11-22 hasta=2026-11-21"},
		{"Calcula mi indemnización por despido", FnSeverance, ""},
		{"calcula mi finiquito", FnSettlement, ""},
		{"He cotizado 800 días, ¿cuánto paro me corresponde?", FnBenefit, "cotizados=800"},
		{"Con 2 años cotizados, ¿cuánto paro tengo?", FnBenefit, "cotizados=730"},
		{"Me despidieron el 3 de noviembre de 2026, ¿hasta cuándo puedo demandar?", FnDeadline, "tipo=despido desde=2026-11-03"},
		{"¿Cuántos días de vacaciones me corresponden si trabajo del 1 de marzo de 2026 al 30 de junio de 2026?", FnHolidays, "desde=2026-03-01 hasta=2026-06-30"},
		{"¿Cuál es el salario mínimo en 2025?", FnFigures, "nombre=smi year=2025"},
		{"SMI 2024", FnFigures, "nombre=smi year=2024"},
		{"¿Cuánto es el SMI?", FnFigures, "nombre=smi"},
		{"¿Cuál era el salario mínimo el año pasado?", FnFigures, "nombre=smi year=2025"},
		{"¿Cuál es la base máxima de cotización?", FnFigures, "nombre=tope-maximo"},
		// questions about the rule are for the law
		{"¿Cuál es la indemnización por despido improcedente?", "", ""},
		{"¿Qué plazo tengo para reclamar contra un despido?", "", ""},
		{"¿Cuántos días de vacaciones me corresponden al año?", "", ""},
		{"¿Cuánto dura la prestación por desempleo?", "", ""},
		{"¿Puede mi sueldo ser inferior al salario mínimo?", "", ""},
		{"¿Se puede embargar el salario mínimo interprofesional?", "", ""},
		{"¿Cuánto cotizo al paro?", "", ""},
		{"¿Tengo derecho a finiquito si dimito?", "", ""},
		{"¿Qué es el finiquito?", "", ""},
		{"¿Cuándo prescriben las faltas muy graves?", "", ""},
	} {
		call, ok := tool.Detect(pack.ToolQuestion{Text: x.q, Today: today})
		if ok != (x.fn != "") || call.Function != x.fn {
			t.Errorf("%s: %q, want %q", x.q, call.Function, x.fn)
			continue
		}
		for k, v := range argsOf(x.args) {
			if call.Args[k] != v {
				t.Errorf("%s: %s=%q, want %q", x.q, k, call.Args[k], v)
			}
		}
		if !ok {
			continue
		}
		r, err := tool.Calculate(context.Background(), call)
		if err != nil {
			t.Errorf("%s: %v", x.q, err)
		}
		if x.args == "" && (r.Outcome != digesto.OutcomeClarification || !strings.Contains(r.Text, "Diga")) {
			t.Errorf("%s: does not ask for what it lacks: %+v", x.q, r)
		}
	}
}

func TestToolHoldsItsSources(t *testing.T) {
	c := calc(t)
	rows := map[string]string{}
	for _, f := range c.Fiches() {
		for _, u := range f.Units {
			if rows[u.ID] != "" {
				t.Errorf("%s twice", u.ID)
			}
			rows[u.ID] = u.Versions[0].Text
		}
	}
	for _, x := range []string{"despido desde=2005-01-01 hasta=2024-01-01 anual=20000", "finiquito desde=2005-01-01 hasta=2024-01-01 salario=2000 tipo=temporal", "plazo tipo=sancion desde=2026-01-01", "paro cotizados=800 base=1000", "vacaciones desde=2026-01-01 hasta=2026-03-01", "cifras nombre=smi year=2021"} {
		fn, args, _ := strings.Cut(x, " ")
		r, err := c.Do(fn, argsOf(args), today)
		if err != nil {
			t.Fatal(err)
		}
		own := 0
		for _, s := range r.tool().Sources {
			if s.Quote != "" {
				own++
				if rows[s.Unit] != s.Quote {
					t.Errorf("%s: row %s says %q", x, s.Unit, rows[s.Unit])
				}
			} else if s.About == "" {
				t.Errorf("%s: %s/%s without words to find it by", x, s.Norm, s.Unit)
			}
		}
		if own == 0 {
			t.Errorf("%s: nothing to cite without the law", x)
		}
	}
}

func FuzzDetect(f *testing.F) {
	tool := &Tool{}
	c, err := New()
	if err != nil {
		f.Fatal(err)
	}
	tool.calc = c
	for _, s := range []string{"despido 1 de enero de 2020 1800 euros", "cotizado 99999999999 días paro", "SMI 0000", "vacaciones del 1/1/2020 al 99/99/2020 cuántos"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4000 {
			return
		}
		call, ok := tool.Detect(pack.ToolQuestion{Text: s, Today: today})
		if !ok {
			return
		}
		if r, err := tool.Calculate(context.Background(), call); err == nil && r.Text == "" {
			t.Errorf("%q: an empty answer", s)
		}
	})
}

func TestBenefitTakesBaseAndChildren(t *testing.T) {
	for q, want := range map[string]string{
		"¿Cuánto cobro de paro con base de 2000 euros, 800 días cotizados y dos hijos?":                "2000/2",
		"He cotizado 3 años y mi base reguladora es de 3.000 euros, sin hijos, ¿cuánto paro cobro?":    "3000/0",
		"He cotizado 3 años, tengo una hija y gano 1.500 euros, ¿qué paro me queda?":                   "1500/1",
		"He cotizado 3 años y cobro 30.000 euros anuales, ¿cuánto paro me queda?":                      "/",
		"He cotizado 3 años con 1.500 euros y antes con 1.200 euros, ¿cuánto tiempo de paro me queda?": "/",
	} {
		call, ok := (&Tool{calc: calc(t)}).Detect(pack.ToolQuestion{Text: q, Today: today})
		if !ok {
			t.Errorf("%s: not taken", q)
			continue
		}
		if got := call.Args["base"] + "/" + call.Args["hijos"]; got != want {
			t.Errorf("%s: %q, want %q", q, got, want)
		}
	}
}
