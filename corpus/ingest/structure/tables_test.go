package structure_test

import (
	"strings"
	"testing"

	"digesto/internal/ingesttest"
	"digesto/internal/shareddata"
)

const rates = `# Ley 7/2003, de tarifas del alumbrado

##### Artículo 1. Tarifas.

Los vecinos pagan según la tabla siguiente:

| Metros de fachada | Cuota en euros |
| --- | --- |
| Hasta 5 | 12,00 |
| Más de 5 | 24,50 |

Se paga en enero.

##### Artículo 2. Recargos.

El recargo por retraso es este:

Un mes

5%

Dos meses

10%

Tres meses

20%

##### Artículo 3. Cierre.

Nada más.
`

func TestRowsAreUnits(t *testing.T) {
	docs, _, err := ingesttest.ReadBytes("LEY-7-2003.md", rates)
	if err != nil || len(docs) != 1 {
		t.Fatal(len(docs), err)
	}
	ingesttest.SoundUnits(t, docs[0])
	u := ingesttest.UnitNamed(t, docs[0].Units, "ta1-1-2")
	if u.Versions[0].Text != "Más de 5 | 24,50" || u.Rubric != "Metros de fachada | Cuota en euros" || strings.Join(u.Path, " > ") != "Artículo 1. Tarifas > Los vecinos pagan según la tabla siguiente" {
		t.Errorf("row: %+v", u)
	}
	if a1 := ingesttest.UnitNamed(t, docs[0].Units, "a1"); !strings.Contains(a1.Versions[0].Text, "Hasta 5 | 12,00\nMás de 5 | 24,50\nSe paga en enero.") {
		t.Errorf("the article has lost its table: %q", a1.Versions[0].Text)
	}
	if u = ingesttest.UnitNamed(t, docs[0].Units, "ta2-1-3"); u.Versions[0].Text != "Tres meses\n20%" {
		t.Errorf("pair: %+v", u)
	}
	n := 0
	for _, u := range docs[0].Units {
		if u.Kind == "t" {
			n++
		}
	}
	if n != 5 {
		t.Errorf("%d rows, want 5", n)
	}
}

// Pairs of label and value need figures: a list of short paragraphs is no table.
func TestListIsNoTable(t *testing.T) {
	docs, _, _ := ingesttest.ReadBytes("LEY-8-2003.md", "##### Artículo 1. Lista.\n\nSon:\n\nUno\n\nDos\n\nTres\n\nCuatro\n\nCinco\n\nSeis\n")
	for _, u := range docs[0].Units {
		if u.Kind == "t" {
			t.Errorf("row %+v", u)
		}
	}
}

// The tables of infractions that a code prints after its last disposition are
// units of their own, and so is each of their rows, with the table in its path.
func TestClosingTables(t *testing.T) {
	if testing.Short() {
		t.Skip("PDF left out with -short")
	}
	d := ingesttest.ReadOne(t, shareddata.Dir(t, "corpora/peru-tributario/pdf/Codigo-Tributario-Sunat.pdf"))
	rows := map[string]int{}
	for _, u := range d.Units {
		if u.Kind == "t" && strings.HasPrefix(u.ID, "tt") {
			rows[u.ID[1:3]]++
			if len(u.Path) == 0 || !strings.HasPrefix(u.Path[0], "Tabla I") || len(u.Versions[0].Pages) != 1 {
				t.Errorf("%s: path %q, pages %v", u.ID, u.Path, u.Versions[0].Pages)
			}
		}
	}
	for _, id := range []string{"t1", "t2", "t3"} {
		ingesttest.UnitNamed(t, d.Units, id)
		if rows[id] < 50 {
			t.Errorf("table %s: %d rows", id, rows[id])
		}
	}
	var fine string
	for _, u := range d.Units {
		if strings.HasPrefix(u.ID, "tt1-") && strings.HasSuffix(u.Versions[0].Text, "| Numeral 1 | 1 UIT") && strings.Contains(strings.Join(u.Path, " "), "Artículo 176") {
			fine = u.Path[0]
		}
	}
	if !strings.Contains(fine, "TERCERA CATEGORÍA") {
		t.Errorf("the fine for not filing in time was not found in table I: %q", fine)
	}
}

// A scale whose percentages stand in paragraphs of their own keeps them.
func TestScaleKeepsItsPercentages(t *testing.T) {
	d := ingesttest.ReadOne(t, shareddata.Dir(t, "corpora/peru-tributario/normas/DS-179-2004-EF.md"))
	text := ingesttest.UnitNamed(t, d.Units, "a53").Versions
	last := text[len(text)-1].Text
	for _, rate := range []string{"8%", "14%", "17%", "20%", "30%"} {
		if !strings.Contains(last, "\n"+rate) {
			t.Errorf("article 53 has lost %s:\n%s", rate, last)
		}
	}
	if row := ingesttest.UnitNamed(t, d.Units, "ta53-1-2"); !strings.HasSuffix(row.Versions[0].Text, "hasta 20 UIT\n14%") {
		t.Errorf("row: %q", row.Versions[0].Text)
	}
}
