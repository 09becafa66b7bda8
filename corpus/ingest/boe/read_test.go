package boe_test

import (
	"fmt"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus/ingest/line"
	"digesto/internal/ingesttest"
	"digesto/internal/shareddata"
)

func TestConsolidatedXML(t *testing.T) {
	docs, skipped, err := ingesttest.ReadBytes("lamp.xml", ingesttest.LampXML)
	if err != nil || len(docs) != 1 {
		t.Fatalf("%d documents, %v, %v", len(docs), skipped, err)
	}
	d := docs[0]
	n := d.Norm
	if n.ID != "BOE-A-2001-77" || n.Title != "Ley 5/2001, de 2 de febrero, de faroles" || n.Rank != "ley" || n.Territory != "es-xx" || n.TextAsOf != "2012-06-01" || n.Status != digesto.StatusInForce {
		t.Errorf("norm: %+v", n)
	}
	u := ingesttest.UnitNamed(t, d.Units, "a1")
	var got []string
	for _, v := range u.Versions {
		got = append(got, fmt.Sprintf("%s %s→%s %v %s", v.ID, v.ValidFrom, v.ValidTo, v.Current, v.Text))
	}
	want := []string{
		"2001-02-03 2001-02-23→2011-01-01 false El farol mide tres metros.",
		"2010-03-10 2011-01-01→ false El farol mide cuatro metros.",
		"2012-06-01 → true El farol mide cinco metros.",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("a1:\n%s", strings.Join(got, "\n"))
	}
	if by := u.Versions[1].AmendedBy; len(by) != 1 || by[0] != "BOE-A-2010-5" || u.Versions[0].AmendedBy != nil {
		t.Errorf("a1 amended by %v", by)
	}
	if u.Rubric != "Altura" || strings.Join(u.Path, "/") != "TÍTULO I. De la luz" || len(u.Versions[1].Notes) != 1 {
		t.Errorf("a1: %+v", u)
	}
	if u = ingesttest.UnitNamed(t, d.Units, "a3"); u.Versions[1].Current || u.Versions[0].ValidTo != "2011-01-01" {
		t.Errorf("a suppressed article is current: %+v", u.Versions)
	}
	if u = ingesttest.UnitNamed(t, d.Units, "dtunica"); u.Rubric != "Faroles viejos" || u.Path != nil {
		t.Errorf("dtunica: %+v", u)
	}
	if u = ingesttest.UnitNamed(t, d.Units, "a2"); !strings.Contains(u.Versions[0].Text, "Leve | 30\nGrave | 300") {
		t.Errorf("a2: %q", u.Versions[0].Text)
	}
}

func TestXMLThatIsNoNorm(t *testing.T) {
	for in, kind := range map[string]string{
		`<sumario><meta/></sumario>`:                   line.KindNotNorm,
		`<response><data><sumario/></data></response>`: line.KindNotNorm,
		`<response><data><metadatos><identificador>X</identificador></metadatos></data></response>`: line.KindNotNorm,
		`<response><status><code>404</code><text>no existe</text></status></response>`:              line.KindErrorDoc,
		`<rss><channel/></rss>`:                   line.KindDamaged,
		`<?xml version="1.0"?>`:                   line.KindDamaged,
		strings.Repeat("<a>", 5000):               line.KindDamaged,
		`<html><body>Mantenimiento</body></html>`: line.KindErrorDoc,
	} {
		docs, skipped, err := ingesttest.ReadBytes("x.xml", in)
		if err != nil || len(docs) != 0 || len(skipped) != 1 || skipped[0].Kind != kind || !skipped[0].Skipped || skipped[0].Detail == "" {
			t.Errorf("%.40s: %d documents, %+v, %v", in, len(docs), skipped, err)
		}
	}
}

// A document cut in the middle keeps what came before, and says so.
func TestXMLCutOff(t *testing.T) {
	docs, _, err := ingesttest.ReadBytes("lamp.xml", ingesttest.LampXML[:strings.Index(ingesttest.LampXML, `<bloque id="a3"`)+40])
	if err != nil || len(docs) != 1 || len(docs[0].Units) < 3 {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	if d := docs[0].Defects; len(d) == 0 || d[len(d)-1].Kind != line.KindCut {
		t.Errorf("defects: %+v", d)
	}
}

// Entities that a document declares are never expanded.
func TestXMLEntityBomb(t *testing.T) {
	bomb := `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;">]>` +
		strings.Replace(ingesttest.LampXML[strings.Index(ingesttest.LampXML, "<response>"):], "tres metros", "&c;&c;", 1)
	docs, _, err := ingesttest.ReadBytes("bomb.xml", bomb)
	if err != nil || len(docs) != 1 {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	if v := ingesttest.UnitNamed(t, docs[0].Units, "a1").Versions[0]; len(v.Text) > 60 || strings.Contains(v.Text, "aaaa") {
		t.Errorf("expanded: %q", v.Text)
	}
}

// The official sample: three articles have two versions each, on both sides of
// the day of their reform.
func TestConsolidatedSample(t *testing.T) {
	d := ingesttest.ReadOne(t, shareddata.Dir(t, "corpora/formats/boe-xml/consolidada-texto-BOE-A-1978-31229.muestra.xml"))
	ingesttest.SoundUnits(t, d)
	if d.Norm.ID != "BOE-A-1978-31229" || d.Norm.Published != "1978-12-29" || d.Norm.TextAsOf != "2024-02-17" {
		t.Errorf("norm: %+v", d.Norm)
	}
	for id, day := range map[string]digesto.Date{"a13": "1992-08-28", "a49": "2024-02-17", "a135": "2011-09-27"} {
		vs := ingesttest.UnitNamed(t, d.Units, id).Versions
		if len(vs) != 2 || vs[0].ValidTo != day || vs[1].ValidFrom != day || vs[0].Current || !vs[1].Current {
			t.Errorf("%s: %d versions, %+v", id, len(vs), vs)
		}
	}
	for _, id := range []string{"a1", "a2", "a3", "a10", "da1", "dd", "df"} {
		ingesttest.UnitNamed(t, d.Units, id)
	}
	if p := ingesttest.UnitNamed(t, d.Units, "a10").Path; len(p) != 1 || !strings.HasPrefix(p[0], "TÍTULO I. De los derechos") {
		t.Errorf("path of a10: %q", p)
	}
}

func TestDayXMLSample(t *testing.T) {
	d := ingesttest.ReadOne(t, shareddata.Dir(t, "corpora/formats/boe-xml/diario-BOE-A-2026-16010.xml"))
	ingesttest.SoundUnits(t, d)
	n := d.Norm
	if n.ID != "BOE-A-2026-16010" || n.Rank != "real_decreto" || n.Published != "2026-07-23" || n.Jurisdiction != "es" {
		t.Errorf("norm: %+v", n)
	}
	if v := ingesttest.UnitNamed(t, d.Units, "a1").Versions[0]; v.ValidFrom != "2026-07-24" || v.Published != "2026-07-23" {
		t.Errorf("a1: %+v", v)
	}
	an := ingesttest.UnitNamed(t, d.Units, "an2")
	if !strings.Contains(an.Versions[0].Text, "M1 | 4.500") {
		t.Errorf("annex II has lost its table: %.300q", an.Versions[0].Text)
	}
	if got := ingesttest.TallyOf(d); got.Last != 15 || len(got.Missing) > 0 {
		t.Errorf("articles: %v", got)
	}
}
