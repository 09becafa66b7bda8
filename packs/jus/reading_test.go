package jus_test

import (
	"slices"
	"strings"
	"testing"

	"digesto/pack"
	"digesto/packs/jus"
)

// TestItemsRead: what is asked for, how many of each, and what is no service.
func TestItemsRead(t *testing.T) {
	_, tool := jusPack(t)
	for q, want := range map[string][]string{
		"dos consultas orales y una escrita":                                     {"consulta_verbal=2", "consulta_escrita"},
		"consulta verbal y escrita":                                              {"consulta_verbal", "consulta_escrita"},
		"dos verbales y una consulta escrita, ¿cuánto es?":                       {"consulta_verbal=2", "consulta_escrita"},
		"tres consultas, dos verbales y una por escrito: total":                  {"consulta_verbal=2", "consulta_escrita"},
		"una consulta verbal y otra más: cuánto es":                              {"consulta_verbal=2"},
		"¿cuánto son un par de consultas verbales?":                              {"consulta_verbal=2"},
		"consulta verbal x 3":                                                    {"consulta_verbal=3"},
		"nombramiento de dos curadores, mínimo":                                  {"tutor_curador=2"},
		"mediación sin acuerdo, tres reuniones: cuánto":                          {"mediacion_sin_acuerdo=3"},
		"asesoramiento permanente por un año, mínimo":                            {"retribucion_periodica=12"},
		"apelación en un juicio ejecutivo: mínimo":                               {"segunda_instancia"},
		"¿cuánto es una consulta verbal por un divorcio en trámite?":             {"consulta_verbal", "divorcio"},
		"un juicio ejecutivo más la preparación de la vía ejecutiva":             {"ejecutivo", "prepara_via_ejecutiva"},
		"la comisión médica jurisdiccional y después ante la central: mínimo":    {"comision_medica_jurisdiccional", "comision_medica_central"},
		"atendí dos consultas orales y le contesté otra por escrito: total":      {"consulta_verbal=2", "consulta_escrita"},
		"estatuto de una S.R.L., mínimo":                                         {"contrato_sociedad"},
		"demanda y contestación en un juicio laboral: ¿qué porcentaje?":          {"etapa_demanda_laboral"},
		"¿mínimo de una casación civil y de un recurso extraordinario penal?":    {"instancia_extraordinaria", "recurso_penal_extraordinario"},
		"mediación sin acuerdo, tres encuentros: cuánto":                         {"mediacion_sin_acuerdo=3"},
		"una demanda de alimentos y un incidente de nulidad: mínimo":             {"alimentos", "incidente_sin_economico"},
		"una consulta verbal y un trámite de pasaporte":                          {"consulta_verbal", "?trámite de pasaporte"},
		"sumá consulta verbal y certificación de firmas":                         {"consulta_verbal", "?certificación de firmas"},
		"al perito sorteado le regularon 30 JUS, ¿cuánto al de control?":         {"perito_control"},
		"me suben la cuota de alimentos, ¿mínimo del incidente de suba?":         {"alimentos_modificacion"},
		"una demanda de alimentos y un incidente de aumento de cuota":            {"alimentos", "alimentos_modificacion"},
		"Abrí carpeta en dos juicios. ¿Cuánto son las dos aperturas de carpeta?": {"apertura_carpeta=2"},
	} {
		call, ok := tool.Detect(pack.ToolQuestion{Text: q, Today: today})
		if !ok || call.Function != "presupuesto" || !slices.Equal(call.Items, want) {
			t.Errorf("%s: %s %q, want %q", q, call.Function, call.Items, want)
		}
	}
}

// TestSumsRead: which sum of money a fee is counted on.
func TestSumsRead(t *testing.T) {
	_, tool := jusPack(t)
	for q, want := range map[string]string{
		"cobré extrajudicialmente tres pagarés de $ 100.000, $ 200.000 y $ 300.000, honorarios": "600000",
		"cobro extrajudicial: percibí $ 300.000, reclamaba $ 900.000, honorarios":               "300000",
		"cobro extrajudicial de $ 300.000 más gastos por $ 20.000, honorarios":                  "300000",
		"dos ejecutivos, de $ 10.000.000 y $ 4.000.000, honorarios":                             "4000000",
	} {
		call, ok := tool.Detect(pack.ToolQuestion{Text: q, Today: today})
		if got := call.Args["base"]; !ok || got != want {
			t.Errorf("%s: base %s, want %s", q, got, want)
		}
	}
}

// TestFunctionsRead: what is asked of what is read.
func TestFunctionsRead(t *testing.T) {
	_, tool := jusPack(t)
	for q, want := range map[string]string{
		"¿bajó alguna vez el valor del jus?":                          "bajas",
		"¿cuándo bajó el jus?":                                        "bajas",
		"¿cuánto es el 20 % de $ 3.000.000?":                          "porcentaje",
		"el quince por ciento de 40 jus":                              "porcentaje",
		"divorcio unilateral en junio de 2025 y en diciembre de 2025": "comparar",
		"¿cuánto cobra un escribano por un contrato?":                 "ajeno",
		"¿cuánto me retienen de ganancias por los honorarios?":        "ajeno",
		"¿cuál es la cuota de alimentos si gana 2 millones?":          "ajeno",
		"¿cuánto vale la UE?":                                         "ajeno",
		"contrato de alquiler por U$S 20.000, ¿cuánto cobro?":         "ajeno",
		"¿cuánto cobra el tutor por administrar?":                     "ajeno",
		"inscripción de matrícula de comerciante":                     "presupuesto",
		"¿qué porcentaje va por una consulta verbal?":                 "",
		"¿cuánto tarda un divorcio?":                                  "",
		"¿qué es una consulta verbal?":                                "",
		"¿puede el perito pedir un anticipo de gastos?":               "",
	} {
		call, ok := tool.Detect(pack.ToolQuestion{Text: q, Today: today})
		if ok != (want != "") || call.Function != want {
			t.Errorf("%s: %q, want %q", q, call.Function, want)
		}
	}
}

// TestFactsRead: what a case is told by, and words that only resemble it.
func TestFactsRead(t *testing.T) {
	_, tool := jusPack(t)
	for q, want := range map[string]string{
		"divorcio bilateral con el mismo abogado y sin homologar convenio, ¿cuánto?":         "convenio=no letrados=1",
		"divorcio bilateral, cada parte con su letrado: ¿cuánto sin convenio de honorarios?": "letrados=2",
		"insania y nadie se opuso, ¿cuántos JUS?":                                            "controversia=no",
		"juicio ejecutivo sin excepciones por $ 5.000.000":                                   "base=5000000 excepciones=no",
		"alimentos con una cuota de $ 300.000 por mes":                                       "mensual=300000",
		"contrato de alquiler de $ 500.000 por mes durante 3 años":                           "mensual=500000 meses=36",
		"juicio ordinario por $ 90.000.000 con la UE a $ 4.000.000":                          "base=90000000 ue=4000000",
		"ejecución de sentencia y nadie llegó a oponer excepciones, ¿piso?":                  "excepciones=no",
		"incidente sin contenido económico tramitado con excepciones":                        "excepciones=si",
		"dos letrados por la misma parte en un ordinario, ¿mínimo?":                          "letrados=2 misma_parte=si",
		"hace veinte años que ocupa: ¿cuánto es la usucapión?":                               "",
	} {
		call, _ := tool.Detect(pack.ToolQuestion{Text: q, Today: today})
		var got []string
		for _, k := range []string{"base", "controversia", "convenio", "excepciones", "letrados", "mensual", "meses", "misma_parte", "ue", "date"} {
			if v := call.Args[k]; v != "" {
				got = append(got, k+"="+v)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %q", q, got, want)
		}
	}
}

// TestReadFile: a file of services, by code and in words; each line has its own case.
func TestReadFile(t *testing.T) {
	c := calc(t)
	a, err := c.Read("# marzo\nconsulta_verbal=2\nejecutivo;3\ndivorcio bilateral con un mismo abogado, sin convenio\ndivorcio bilateral con convenio homologado y un abogado cada uno\ncertificación de firmas\n", today)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.QuoteOver(a.Items, a.Facts, jus.Day("2025-12-15"), today)
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, l := range r.Items {
		codes = append(codes, l.Code+"×"+l.Quantity)
	}
	if got := strings.Join(codes, " "); got != "consulta_verbal×2 ejecutivo×3 divorcio_bilateral_mismo_letrado×1 divorcio_homologacion_distinto_letrado×1" {
		t.Errorf("%s", got)
	}
	if r.Kind != "" || len(r.NotCalculable) != 1 || r.NotCalculable[0].Name != "certificación de firmas" {
		t.Errorf("a total with a line that is no service: %+v", r.NotCalculable)
	}
}

// TestOneValueOverAPeriod: where the value did not change there is one figure.
func TestOneValueOverAPeriod(t *testing.T) {
	c := calc(t)
	m, err := jus.Month("2025-11")
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Convert(jus.Conversion{Jus: "2", When: m}, today)
	if err != nil || deref(r.Result) != "73877.02" || strings.Contains(r.Text(), "Diga el día") {
		t.Errorf("%v %s", err, r.Text())
	}
}

// TestFalls tells the one fall of the series, and none before it.
func TestFalls(t *testing.T) {
	c := calc(t)
	r := c.Falls(today)
	for _, want := range []string{"1 de julio de 2020", "1.387,90", "10.705"} {
		if !strings.Contains(r.Text(), want) {
			t.Errorf("no %q in\n%s", want, r.Text())
		}
	}
	if r := c.Falls("2019-01-01"); !strings.HasPrefix(r.Text(), "No:") {
		t.Errorf("a fall before it: %s", r.Text())
	}
}
