package jus

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"digesto"
	"digesto/packs/jus"
	"digesto/server"
)

// silent is an engine that no page of the calculators may ask.
type silent struct{ T *testing.T }

func (s silent) Ask(context.Context, digesto.Question, func(digesto.Event)) (digesto.Answer, error) {
	s.T.Error("the page asks the engine")
	return digesto.Answer{}, nil
}

// jusServer serves the page within the layout, on a fixed day.
func jusServer(t *testing.T) http.Handler {
	t.Helper()
	calc, err := jus.New(jus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	page := newJusPage(calc, func() digesto.Date { return "2026-11-21" })
	s, err := server.New(server.Options{Engine: silent{t}, Routes: []server.Route{{Pattern: "GET /jus", Handle: page.serve, Menu: "Honorarios (JUS)"}}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// see asks for the page and gives its status and text.
func see(h http.Handler, query string) (int, string) {
	r := httptest.NewRequest("GET", "/jus?"+query, nil)
	r.Header.Set("Accept", "text/html")
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec.Code, strings.ReplaceAll(rec.Body.String(), "\u00a0", " ")
}

// TestJusPageForms: each form gives the figures of the command line, with its four parts.
func TestJusPageForms(t *testing.T) {
	h := jusServer(t)
	for query, wants := range map[string][]string{
		"":                         {"$ 37.714,22", "No hay valores cargados después de diciembre de 2025", `aria-current="page">Valor`},
		"op=valor&when=2022":       {"$ 3.093,84", "$ 4.974,09"},
		"op=valor&when=2020-07":    {"$ 1.387,90", "Acuerdo Reglamentario 84/2020"},
		"op=valor&when=15/12/2025": {"<output>$ 37.714,22</output>"},
		"op=valor&when=2005":       {"No se conoce el valor del JUS"},
		"op=convertir&amount=30":   {"<output>$ 1.131.426,60</output>", "30 JUS × 37.714,22"},
		"op=convertir&when=2023":   {`name="amount"`},
		"op=presupuesto":           {`<optgroup label="Según el caso">`, `value="divorcio_bilateral"`},
		"op=comparar":              {`name="from"`, `name="to"`},
		"op=otra":                  {`aria-current="page">Valor`},
		"op=convertir&unit=pesos&amount=1000000&when=2023":                    {"167,53 JUS", "82,40 JUS"},
		"op=presupuesto&item=consulta_verbal&qty=2&when=2025-12-15":           {"<output>Desde $ 150.856,88</output>", "Paso a paso", `href="#fuente-1"`, `href="/leyes/jus-`},
		"op=presupuesto&item=divorcio_bilateral&qty=1":                        {"<li>— ", "¿Interviene un solo letrado", `name="convenio"`, `name="letrados"`},
		"op=presupuesto&item=divorcio_bilateral&qty=1&convenio=si&letrados=1": {"<output>De $ 2.828.566,50 a $ 4.525.706,40</output>", `<option value="si" selected>`},
		"op=presupuesto&item=consulta_verbal&qty=1&item=&qty=1&add=1":         {`id="s2"`},
		"op=comparar&code=jus&from=2025-01-01&to=2025-12-15":                  {"el JUS pasó de", "Variación"},
		"op=presupuesto&q=tres+consultas+verbales+y+una+por+escrito":          {"Total: como mínimo 10 JUS", `<option value="consulta_verbal" selected>`, `name="qty" inputmode="decimal" value="3"`, `<caption id="detalle">`},
		"op=presupuesto&q=divorcio+bilateral+con+convenio+homologado":         {`<option value="divorcio_bilateral" selected>`, `<option value="si" selected>`},
		"op=presupuesto&q=una+consulta+verbal+y+un+tramite+de+pasaporte":      {"No se entendió «tramite de pasaporte»", "queda sin total"},
		"op=comparar&code=divorcio_bilateral&from=2020-01-01":                 {"las anteriores no se conocen"},
	} {
		code, page := see(h, query)
		if code != 200 {
			t.Errorf("%q: %d", query, code)
		}
		for _, w := range wants {
			if !strings.Contains(page, w) {
				t.Errorf("%q: the page lacks %q", query, w)
			}
		}
		if strings.Contains(page, "<h2 class=\"rubric\" id=\"res\">") {
			for _, part := range []string{"<dt>Provincia</dt><dd>Córdoba</dd>", "<dt>Fecha del valor</dt><dd>", "<dt>Norma</dt><dd>Ley 9459"} {
				if !strings.Contains(page, part) {
					t.Errorf("%q: no part %q", query, part)
				}
			}
		}
	}
}

// TestChartOnlyOfASeries: a budget or a conversion asks for no series of values.
func TestChartOnlyOfASeries(t *testing.T) {
	h := jusServer(t)
	for query, want := range map[string]bool{"": true, "op=comparar": true, "op=convertir&amount=3": false, "op=presupuesto&item=consulta_verbal&qty=1": false} {
		if _, page := see(h, query); strings.Contains(page, `id="serie"`) != want {
			t.Errorf("%q: chart %v", query, !want)
		}
	}
}

// TestJusPageErrors: bad input is said beside its field, with what to do, and what was typed stays.
func TestJusPageErrors(t *testing.T) {
	h := jusServer(t)
	for query, want := range map[string]struct {
		code int
		says string
	}{
		"op=presupuesto&item=&qty=":                   {422, "Falta el servicio"},
		"when=ayer":                                   {422, "Escriba un día (30/06/2025)"},
		"when=2025-13-40":                             {422, "no es una fecha"},
		"when=0000":                                   {422, "no es un año"},
		"op=convertir&amount=":                        {422, "Falta la cantidad"},
		"op=convertir&amount=1.000":                   {422, "puede ser mil"},
		"op=convertir&amount=-3":                      {422, "mayor que cero"},
		"op=convertir&amount=99999999999":             {422, "demasiadas cifras"},
		"op=presupuesto&item=nada":                    {404, "Elija un servicio de la lista"},
		"op=presupuesto&item=consulta_verbal&qty=x":   {422, "no es un número"},
		"op=comparar&code=jus":                        {422, "Falta el primer día"},
		"op=comparar&from=2025-01-01&to=2024-01-01":   {422, "Ponga primero el más antiguo"},
		"op=comparar&from=2025":                       {422, "Escriba el día entero"},
		"op=comparar&code=nada&from=2025-01-01":       {404, "Elija un servicio de la lista"},
		"op=presupuesto&item=divorcio&letrados=nueve": {422, "Elija: 1, 2"},
	} {
		code, page := see(h, query)
		if code != want.code || !strings.Contains(page, want.says) || !strings.Contains(page, `role="alert" tabindex="-1" autofocus`) || !strings.Contains(page, `<p class="err">`) {
			t.Errorf("%q: %d, want %d with %q", query, code, want.code, want.says)
		}
		if strings.Contains(page, "goroutine") || strings.Contains(page, "Use --") || strings.Contains(page, `id="res"`) {
			t.Errorf("%q: a trace, a flag of the command line or a result beside an error", query)
		}
	}
	if _, page := see(h, "op=convertir&amount=1.000"); !strings.Contains(page, `value="1.000"`) {
		t.Error("what was typed is lost")
	}
}

// TestJusPageEscapes: nothing typed becomes markup, and nothing needs what the policy forbids.
func TestJusPageEscapes(t *testing.T) {
	h := jusServer(t)
	evil := `"><script>alert(1)</script><img src=x onerror=y>`
	for _, op := range []string{"valor", "convertir", "presupuesto", "comparar"} {
		q := url.Values{"op": {op}}
		for _, k := range []string{"when", "amount", "unit", "item", "qty", "code", "from", "to", "convenio", "base"} {
			q.Set(k, evil)
		}
		_, page := see(h, q.Encode())
		if strings.Contains(page, "alert(1)</script>") || strings.Contains(page, "<img") {
			t.Errorf("%s: markup of the reader in the page", op)
		}
		if regexp.MustCompile(`(?i)\sstyle=|\son[a-z]+="|<style|<script>`).MatchString(page) {
			t.Errorf("%s: inline style or script", op)
		}
	}
	if _, page := see(h, strings.Repeat("item=consulta_verbal&qty=1&", 500)+"op=presupuesto"); strings.Count(page, `name="item"`) != maxRows {
		t.Errorf("%d rows", strings.Count(page, `name="item"`))
	}
}

// TestJusPageWithoutScripts: a plain GET form, its fields labelled, inside the layout.
func TestJusPageWithoutScripts(t *testing.T) {
	h := jusServer(t)
	id := regexp.MustCompile(`<(?:input|select) id="([^"]+)"`)
	for _, op := range []string{"valor", "convertir", "presupuesto", "comparar"} {
		_, page := see(h, "op="+op)
		if !strings.Contains(page, `method="get" action="/jus"`) || strings.Contains(page, "data-stream") {
			t.Errorf("%s: not a plain form", op)
		}
		for _, m := range id.FindAllStringSubmatch(page, -1) {
			if !strings.Contains(page, `<label for="`+m[1]+`"`) {
				t.Errorf("%s: %s has no label", op, m[1])
			}
		}
		if !strings.Contains(page, `<a href="/jus" aria-current="page">Honorarios (JUS)</a>`) {
			t.Errorf("%s: not in the menu", op)
		}
	}
	bare, err := server.New(server.Options{Engine: silent{t}})
	if err != nil {
		t.Fatal(err)
	}
	rec := httptest.NewRecorder()
	bare.ServeHTTP(rec, httptest.NewRequest("GET", "/", nil))
	if strings.Contains(rec.Body.String(), "/jus") {
		t.Error("the menu names a page that is not there")
	}
	if code, _ := see(bare, ""); code != 404 {
		t.Errorf("without the calculators the page gives %d", code)
	}
}

// TestJusChart: the table has every value, the drawing its gap, its fall and its end.
func TestJusChart(t *testing.T) {
	_, page := see(jusServer(t), "when=2020-07-15")
	table := page[strings.Index(page, "Ver los 76 valores"):]
	if n := strings.Count(table[:strings.Index(table, "</table>")], "<tr><th scope=\"row\">"); n != 76 {
		t.Errorf("%d rows", n)
	}
	for _, w := range []string{"baja de 2020", ">hueco<", `class="series guess" d="M`, "1 de julio de 2020", `class="ref"`, "Régimen anterior", "Hueco antes", "<title id=", "<desc id="} {
		if !strings.Contains(page, w) {
			t.Errorf("the chart lacks %q", w)
		}
	}
	if strings.Contains(page, "NaN") || strings.Contains(page, "Inf") {
		t.Error("a place that is not a number")
	}
}
