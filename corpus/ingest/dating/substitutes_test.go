package dating_test

import (
	"strings"
	"testing"

	"digesto/corpus"
	"digesto/internal/ingesttest"
)

// wordings is a unit of a shared file whose source prints former wordings of its
// parts beside those in force: which words must be current, and which kept as
// history and never current.
type wordings struct {
	file, unit   string
	now, history []string
}

const (
	peRenta      = ingesttest.Peru + "normas/DS-179-2004-EF.md"
	peReglamento = ingesttest.Peru + "normas/DS-122-94-EF-1994.md"
	peIGV        = ingesttest.Peru + "normas/DS-055-99-EF-1999.md"
	peNRUS       = ingesttest.Peru + "normas/DLEG-937-2003.md"
)

var wordingCases = []wordings{
	{peRenta, "a18", []string{"h) Los intereses y ganancias de capital provenientes de:", "iv. Operaciones de reporte"}, []string{"utilizados con fines de regulación monetaria"}},
	{peRenta, "a19", []string{"hasta el 31 de diciembre de 2026", "d) Las rentas de los inmuebles"}, []string{"m) Las Universidades Privadas", "hasta el 31 de diciembre de 2023"}},
	{peRenta, "a32-A", []string{"7.1. Cuando por la naturaleza", "f) Acuerdos anticipados de precios\nLa SUNAT puede"}, []string{"f) Acuerdos anticipados de precios\nLa SUNAT podrá"}},
	{peRenta, "a37", []string{"el treinta por ciento (30%) del EBITDA"}, []string{"1. Serán deducibles los intereses provenientes de endeudamientos"}},
	{peRenta, "a44", []string{"(iii) Tenga la condición de sujeto sin capacidad operativa"}, []string{"publicación realizada por la administración tributaria, salvo que al 31"}},
	{peRenta, "a65", []string{"menores a tres (3) años"}, []string{"Se exceptúa de la obligación de llevar el Libro", "a) Otros libros y registros", "plazos menores a un año"}},
	{peRenta, "a71", []string{"e) Los distribuidores de cuotas de participación", "d) Las Instituciones de Compensación"}, []string{"d) Las Cámaras de Compensación", "rentas consideradas de segunda y quinta categoría"}},
	{peRenta, "a72", []string{"solo procede la retención"}, []string{"solo procederá la retención"}},
	{peRenta, "a77-A", []string{"a) El impuesto que resulte de aplicar la tasa de seis"}, []string{"a. El impuesto que resulte de aplicar la tasa de quince"}},
	{peRenta, "a79", []string{"la devolución de las retenciones en exceso"}, nil},
	{peReglamento, "a21", []string{"i) El EBITDA se calcula"}, []string{"a. Dividir el monto máximo de endeudamiento"}},
	{peReglamento, "a22", []string{"a razón de 5% anual", "Equipos de procesamiento de datos."}, []string{"a razón de 3% anual"}},
	{peReglamento, "a30", []string{"tasa SOFR promedio a treinta (30) días"}, []string{"la tasa LIBOR más cuatro (4) puntos", "e) Tratándose de créditos obtenidos en otras plazas"}},
	{peReglamento, "a31", []string{"respecto del devengo de las rentas y gastos"}, nil},
	{peReglamento, "a53", []string{"el recibo por arrendamiento que apruebe la SUNAT"}, []string{"a) La renta se considera devengada mes a mes"}},
	{peReglamento, "a57", []string{"20 y 21 de la Ley y el artículo 11"}, []string{"de bienes o derechos: el costo computable que"}},
	{peReglamento, "a102", []string{"columna “A” de la siguiente tabla"}, []string{"Mes de pago del anticipo"}},
	{peReglamento, "a113-A", []string{"3.1. Los contribuyentes que realicen operaciones"}, []string{"c) Fecha del contrato."}},
	{peIGV, "a9", []string{"i. Importen bienes afectos o, en el caso de personas naturales"}, []string{"i. Importen bienes afectos;"}},
	{peIGV, "a19", []string{"a) Que el impuesto esté consignado por separado"}, []string{"a) Que el impuesto general esté consignado por separado"}},
	{peIGV, "a2", []string{"Igualmente, las comisiones cobradas al beneficiario"}, nil},
	{peRenta, "a56", []string{"utilidades: cinco por ciento (5%)", "j) Otras rentas, inclusive los intereses"}, []string{"2015-2016", "i) Otras rentas, inclusive los intereses"}},
	{peRenta, "a88", []string{"teriores al que corresponda la declaración"}, nil},
	{peNRUS, "a7", []string{"8,000\n8,000"}, []string{"13,000", "20,000", "30,000"}},
	{ingesttest.Peru + "normas/DLEG-813-1996.md", "a5-A", []string{"y así se e"}, []string{"y así obte"}},
}

// paths are units and the last heading above them: former chapters do not stay open.
func TestPathsUnderReplacedChapters(t *testing.T) {
	for _, c := range []struct{ file, unit, last string }{
		{peReglamento, "a62", "CAPÍTULO XIII. DEL RÉGIMEN DE TRANSPARENCIA FISCAL INTERNACIONAL"},
		{peReglamento, "a76", "CAPITULO XV. DEL REGIMEN ESPECIAL DEL IMPUESTO A LA RENTA - RER"},
		{peReglamento, "a108", "CAPÍTULO XIX. PRECIOS DE TRANSFERENCIA"},
		{peIGV, "a66", "CAPÍTULO V. DE LAS DISPOSICIONES COMPLEMENTARIAS"},
	} {
		path := ingesttest.UnitNamed(t, ingesttest.ReadShared(t, c.file).Units, c.unit).Path
		if len(path) == 0 || path[len(path)-1] != c.last {
			t.Errorf("%s: %q, want %q", c.unit, path, c.last)
		}
	}
}

// What an editor prints after the norm, and former states of its chapters and
// annexes, are no law in force.
func TestAppendixIsNotInForce(t *testing.T) {
	for file, words := range map[string][]string{
		peRenta:      {"TEXTO MODIFICATORIO", "DEBE DECIR", "Artículo 117.- Sujetos comprendidos\na) Podrán"},
		peReglamento: {"DEBE DECIR", "FE DE ERRATAS\n"},
		peIGV:        {"DEBE DECIR", "La tasa del impuesto es 14 %"},
	} {
		ingesttest.Nowhere(words...)(t, ingesttest.ReadShared(t, file))
	}
	for _, v := range ingesttest.UnitNamed(t, ingesttest.ReadShared(t, peReglamento).Units, "dt16").Versions {
		if v.Current && strings.Contains(v.Text, "Anguila") {
			t.Error("an annex is part of a transitional disposition")
		}
	}
}

func TestFormerWordingsOfParts(t *testing.T) {
	for _, c := range wordingCases {
		t.Run(c.unit+" "+c.file[strings.LastIndexByte(c.file, '/')+1:], func(t *testing.T) {
			current, history := textsOf(t, ingesttest.ReadShared(t, c.file), c.unit)
			for _, w := range c.now {
				if !strings.Contains(current, w) {
					t.Errorf("not in force: %q", w)
				}
			}
			for _, w := range c.history {
				if strings.Contains(current, w) {
					t.Errorf("in force: %q", w)
				}
				if !strings.Contains(history, w) {
					t.Errorf("not kept as history: %q", w)
				}
			}
		})
	}
}

// textsOf gives the text in force of a unit and all its former wordings.
func textsOf(t *testing.T, d corpus.Document, id string) (current, history string) {
	t.Helper()
	for _, v := range ingesttest.UnitNamed(t, d.Units, id).Versions {
		if v.Current {
			current += v.Text + "\n"
		} else {
			history += v.Text + "\n"
		}
	}
	return current, history
}
