package dating_test

import (
	"slices"
	"testing"

	"digesto"
	"digesto/corpus/ingest/line"
	"digesto/internal/ingesttest"
)

// The text in force of a unit is of the day of the latest reform that its own notes
// tell of, whatever their form; what they only announce is told as a defect.
func TestDaysOfPeruvianNotes(t *testing.T) {
	for _, c := range []struct {
		file, unit      string
		published, from digesto.Date
		defects         []digesto.DefectKind
	}{
		{ingesttest.TaxCode, "a62-A", "2018-09-13", "2018-09-14", nil},
		{ingesttest.TaxCode, "a148", "2018-09-13", "2018-09-14", nil},
		{peRenta, "a44", "2022-03-19", "2023-01-01", nil},
		{peRenta, "a84", "2007-03-10", "2009-01-01", []digesto.DefectKind{digesto.DefectUnseenReform}},
		{peIGV, "a17", "2017-01-07", "", []digesto.DefectKind{digesto.DefectConditional, digesto.DefectUnseenReform}},
		{peIGV, "a7", "2022-12-29", "2023-01-01", []digesto.DefectKind{digesto.DefectUnseenReform}},
		{ingesttest.Peru + "normas/LEY-27972-2003.md", "a77", "", "", []digesto.DefectKind{digesto.DefectCutText}},
	} {
		vs := ingesttest.UnitNamed(t, ingesttest.ReadShared(t, c.file).Units, c.unit).Versions
		v := vs[len(vs)-1]
		if c.published != "" && (v.Published != c.published || v.ValidFrom != c.from) {
			t.Errorf("%s %s: published %s, from %s; want %s, %s", c.file, c.unit, v.Published, v.ValidFrom, c.published, c.from)
		}
		var kinds []digesto.DefectKind
		for _, d := range v.Defects {
			kinds = append(kinds, d.Kind)
		}
		if !slices.Equal(kinds, c.defects) {
			t.Errorf("%s %s: defects %v, want %v", c.file, c.unit, kinds, c.defects)
		}
	}
}

// Another norm that a file prints after its own is never law in force of it.
func TestOtherNormInTheFile(t *testing.T) {
	d := ingesttest.ReadShared(t, ingesttest.Peru+"normas/DS-021-2019-JUS.md")
	ingesttest.Defective(line.KindForeign)(t, d)
	for _, id := range []string{"a41~2", "a5-A~2", "dis1~2", "a11~2"} {
		for _, v := range ingesttest.UnitNamed(t, d.Units, id).Versions {
			if v.Current {
				t.Errorf("%s is in force", id)
			}
		}
	}
	if u := ingesttest.UnitNamed(t, d.Units, "a11"); !u.Versions[len(u.Versions)-1].Current {
		t.Error("a11 is not in force")
	}
}

func TestPublishersLinesWithinTheLaw(t *testing.T) {
	ingesttest.Nowhere("Inscríbete aquí", "Más información")(t, ingesttest.ReadShared(t, ingesttest.Peru+"normas/CON-1993.md"))
	ingesttest.Nowhere("(280)", "(284)", "RECTIFICADO POR FE DE ERRATAS", "NOTA SPIJ")(t, ingesttest.ReadShared(t, ingesttest.TaxCode))
	ingesttest.Nowhere("RECTIFICADO POR FE DE ERRATAS", "NOTA SPIJ")(t, ingesttest.ReadShared(t, peReglamento))
}

// The day in the head of a copy is none of its text; a page of the gazette is of the
// day on which it was printed, and says so in every unit.
func TestDayOfACopy(t *testing.T) {
	for file, want := range map[string]digesto.Date{
		"normas/DS-004-2019-JUS.md":     "2024-08-30",
		"normas/DLEG-813-1996.md":       "2026-02-28",
		"normas/DS-007-2024-JUS.md":     "",
		"defectuosos/LEY-26979-1998.md": "1998-09-23",
		"normas/DS-055-99-EF-1999.md":   "2026-01-08",
		"normas/LEY-27972-2003.md":      "2024-03-31",
	} {
		d := ingesttest.ReadShared(t, ingesttest.Peru+file)
		if d.Norm.TextAsOf != want {
			t.Errorf("%s: text of %q, want %q", file, d.Norm.TextAsOf, want)
		}
	}
	d := ingesttest.ReadShared(t, ingesttest.Peru+"defectuosos/LEY-26979-1998.md")
	v := ingesttest.UnitNamed(t, d.Units, "a16").Versions[0]
	if !d.Norm.OCR || len(v.Defects) == 0 || v.Defects[len(v.Defects)-1].Kind != digesto.DefectOldCopy || v.Published != "1998-09-23" {
		t.Errorf("a16: published %s, %+v", v.Published, v.Defects)
	}
}
