package redact

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"

	"digesto/model"
	"digesto/model/modeltest"

	"pgregory.net/rapid"
)

// The numbers of these tests are made up, their check digits worked out here by
// the definitions, in another way than the package does.

func dni(n int) string { return fmt.Sprintf("%08d%c", n, "TRWAGMYFPDXBNJZSQVHLCKE"[n%23]) }

func tax(prefix string, n int, ruc bool) string {
	s := fmt.Sprintf("%s%08d", prefix, n)
	for d := range 10 {
		sum := 0
		weights := "5432765432"
		for i := range 10 {
			sum += int(s[i]-'0') * int(weights[i]-'0')
		}
		if !ruc && (sum+d)%11 == 0 {
			return s + fmt.Sprint(d)
		}
		if ruc && (11-sum%11)%10 == d {
			return s + fmt.Sprint(d)
		}
	}
	return ""
}

func iban(country, account string) string {
	for check := 2; check < 99; check++ {
		s := account + fmt.Sprintf("%d%d%02d", country[0]-'A'+10, country[1]-'A'+10, check)
		n, _ := new(big.Int).SetString(s, 10)
		if new(big.Int).Mod(n, big.NewInt(97)).Int64() == 1 {
			return fmt.Sprintf("%s%02d%s", country, check, account)
		}
	}
	return ""
}

func card(head string) string {
	for d := range 10 {
		s := head + fmt.Sprint(d)
		sum := 0
		for i := len(s) - 1; i >= 0; i-- {
			v := int(s[i] - '0')
			if (len(s)-i)%2 == 0 {
				v = v*2/10 + v*2%10
			}
			sum += v
		}
		if sum%10 == 0 {
			return s
		}
	}
	return ""
}

func spaced(s string, n int) string {
	var b strings.Builder
	for i, c := range s {
		if i > 0 && i%n == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return b.String()
}

func TestFind(t *testing.T) {
	account := iban("ES", "21000418450200051332")
	cuit := tax("20", 12345678, false)
	for datum, kind := range map[string]string{
		dni(12345678): "DNI", dni(1234567): "DNI", strings.ToLower(dni(87654321)): "DNI", "12.345.678-" + dni(12345678)[8:]: "DNI",
		"X1234567" + dni(1234567)[8:]: "NIE",
		cuit:                          "CUIT", cuit[:2] + "-" + cuit[2:10] + "-" + cuit[10:]: "CUIT",
		tax("20", 10203040, true): "RUC", tax("10", 70605040, true): "RUC",
		account: "IBAN", spaced(account, 4): "IBAN",
		card("411111111111111"): "TARJETA", spaced(card("550000000000000"), 4): "TARJETA",
		"ana.perez+1@ejemplo.com.ar": "CORREO", "612 345 678": "TELEFONO", "712345678": "TELEFONO", "+34 912 34 56 78": "TELEFONO",
		"+54 9 11 2345-6789": "TELEFONO",
	} {
		for _, frame := range []string{"%s", "Soy Ana (%s), ¿qué hago?", "mi dato: %s.", "Número %s DNI", "antes %s, después"} {
			if kind == "TELEFONO" && strings.HasPrefix(frame, "Número") && datum[0] != '+' {
				continue // "número" before it makes it a file
			}
			text := fmt.Sprintf(frame, datum)
			found := New(Options{}).Find(text)
			if len(found) != 1 || text[found[0].Start:found[0].End] != datum || found[0].Kind != kind && !(kind == "RUC" && found[0].Kind == "CUIT") {
				t.Errorf("%q: %+v, want the %s %q", text, found, kind, datum)
			}
		}
	}
	for text, datum := range map[string]string{
		"Mi teléfono es tel. 91 234 56 78": "91 234 56 78", "celular: 11-2345-6789": "11-2345-6789",
		"DNI nº 30.123.456": "30.123.456", "dni 40123456 y nada más": "40123456",
	} {
		found := New(Options{}).Find(text)
		if len(found) != 1 || text[found[0].Start:found[0].End] != datum {
			t.Errorf("%q: %+v", text, found)
		}
	}
}

func TestWhatStays(t *testing.T) {
	for _, text := range []string{
		"artículo 12345678", "Ley 39/2015, art. 21", "BOE-A-2015-11430", "Expediente 612345678", "expte. 712 345 678", "12345678A", // wrong letter
		"600 000 000 euros", "$ 612345678", "600.000.000", "1234567", "2345678", "20-12345678-0", "4111 1111 1111 1112", "900 123 456",
		"Llame al 060 o al teléfono 900 123 456", "tel. 112", "31.12.2023", "2023-12-31", "1131426,60", "RD 612345678/2020", "DS-133-2013-EF", "el 48.4 ET",
		"ES00 2100 0418 4502 0005 1332", "@alguien", "a@b", "",
	} {
		if found := New(Options{}).Find(text); len(found) != 0 {
			t.Errorf("%q: %+v", text, found)
		}
	}
	r := New(Options{Allow: []string{"@ejemplo.org", "91 234 56 78"}})
	for _, text := range []string{"ayuda@ejemplo.org", "ayuda@sede.ejemplo.org", "teléfono 912345678"} {
		if found := r.Find(text); len(found) != 0 {
			t.Errorf("%q is allowed, yet %+v", text, found)
		}
	}
	if len(r.Find("ayuda@noejemplo.org")) != 1 {
		t.Error("another domain passes for the allowed one")
	}
}

func TestTextForLogs(t *testing.T) {
	got := New(Options{}).Text("Soy " + dni(12345678) + " y escribo desde a@ejemplo.com")
	if got != "Soy [DNI] y escribo desde [CORREO]" {
		t.Errorf("%q", got)
	}
}

func TestVault(t *testing.T) {
	v := New(Options{}).NewVault()
	a, b := dni(12345678), dni(87654321)
	hidden := v.Hide("De " + a + " a " + b + " y otra vez " + a + "; [DNI-3] ya estaba")
	if hidden != "De [DNI-1] a [DNI-2] y otra vez [DNI-1]; [DNI-3] ya estaba" {
		t.Errorf("%q", hidden)
	}
	if got := v.Show("Para [DNI-2], no [DNI-1] ni [DNI-9] [x"); got != "Para "+b+", no "+a+" ni [DNI-9] [x" {
		t.Errorf("%q", got)
	}
	if got := v.Hide("[DNI-3] y " + dni(11111111)); got != "[DNI-3] y [DNI-4]" {
		t.Errorf("a mark of the text was used: %q", got)
	}
}

func TestGenerator(t *testing.T) {
	secret := dni(12345678)
	for cut := 1; cut < 12; cut++ {
		answer := "Su DNI [DNI-1] vale [no es marca] y acaba en [DNI-1"
		var pieces []string
		for rest := answer; rest != ""; {
			n := min(cut, len(rest))
			pieces = append(pieces, rest[:n])
			rest = rest[n:]
		}
		inner := modeltest.New(modeltest.Script{Pieces: pieces})
		req := modeltest.Ask()
		req.Messages = append(req.Messages, model.Message{Role: model.User, Text: "Mi DNI es " + secret})
		var streamed string
		r, err := New(Options{}).Generator(inner).Generate(t.Context(), req, func(s string) error { streamed += s; return nil })
		want := "Su DNI " + secret + " vale [no es marca] y acaba en [DNI-1"
		if err != nil || r.Text != want || streamed != want {
			t.Fatalf("pieces of %d: %q, %q, %v", cut, r.Text, streamed, err)
		}
		for _, m := range inner.Requests()[0].Messages {
			if strings.Contains(m.Text, secret) {
				t.Fatalf("the model saw %q", m.Text)
			}
		}
		if req.Messages[2].Text != "Mi DNI es "+secret {
			t.Fatal("the caller's request was changed")
		}
	}
	boom := errors.New("boom")
	req := model.Request{Messages: []model.Message{{Role: model.User, Text: secret}}}
	if _, err := New(Options{}).Generator(modeltest.New(modeltest.Script{Pieces: []string{"["}})).Generate(t.Context(), req, func(string) error { return boom }); !errors.Is(err, boom) {
		t.Errorf("the caller's error: %v", err)
	}
}

func TestConforms(t *testing.T) {
	modeltest.Generator(t, func(t *testing.T, scripts ...modeltest.Script) model.Generator {
		return New(Options{}).Generator(modeltest.New(scripts...))
	})
}

// TestHideAndShow: whatever the text, showing what was hidden gives it back.
func TestHideAndShow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"Soy ", dni(12345678), dni(87654321), "a@ejemplo.com", "[DNI-1]", "[", "]", " ", "ñ", "612345678", ". "})
		text := strings.Join(rapid.SliceOfN(part, 0, 12).Draw(t, "parts"), "")
		v := New(Options{}).NewVault()
		if got := v.Show(v.Hide(text)); got != text {
			t.Fatalf("%q became %q by way of %q", text, got, v.Hide(text))
		}
	})
}

func FuzzFind(f *testing.F) {
	f.Add("Soy 12345678Z, tel. +34 612 345 678, ES91 2100 0418 4502 0005 1332")
	f.Add("a@b.co 20-12345678-6 4111-1111-1111-1111 X1234567L")
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4096 {
			return
		}
		last := 0
		for _, m := range New(Options{}).Find(s) {
			if m.Start < last || m.End <= m.Start || m.End > len(s) {
				t.Fatalf("%q: %+v after %d", s, m, last)
			}
			last = m.End
		}
		v := New(Options{}).NewVault()
		if got := v.Show(v.Hide(s)); got != s && utf8.ValidString(s) {
			t.Fatalf("%q became %q", s, got)
		}
	})
}
