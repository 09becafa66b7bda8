package ingest

import (
	"fmt"
	"strings"
	"testing"

	"digesto"
	"digesto/internal/shareddata"
)

// lampXML is a consolidated text of our own in the form of an official journal.
const lampXML = `<?xml version="1.0" encoding="utf-8"?>
<response><status><code>200</code><text>ok</text></status><data>
<metadatos><identificador>BOE-A-2001-77</identificador><rango codigo="1300">Ley</rango>
<titulo>Ley 5/2001, de 2 de febrero, de faroles.</titulo><fecha_publicacion>20010203</fecha_publicacion>
<estatus_derogacion>N</estatus_derogacion><url_eli>https://www.boe.es/eli/es-xx/l/2001/02/02/5</url_eli></metadatos>
<texto>
<bloque id="pr" tipo="preambulo" titulo="[preambulo]"><version id_norma="BOE-A-2001-77" fecha_publicacion="20010203" fecha_vigencia="20010223"><p class="parrafo">Los faroles dan luz.</p></version></bloque>
<bloque id="ti" tipo="encabezado" titulo="TÍTULO I"><version id_norma="BOE-A-2001-77" fecha_publicacion="20010203" fecha_vigencia="20010223"><p class="titulo_num">TÍTULO I</p><p class="titulo_tit">De la luz</p></version></bloque>
<bloque id="a1" tipo="precepto" titulo="Artículo 1">
<version id_norma="BOE-A-2001-77" fecha_publicacion="20010203" fecha_vigencia="20010223"><p class="articulo">Artículo 1. Altura.</p><p class="parrafo">El farol mide tres metros.</p></version>
<version id_norma="BOE-A-2010-5" fecha_publicacion="20100310" fecha_vigencia="20110101"><p class="articulo">Artículo 1. Altura.</p><p class="parrafo">El farol mide cuatro metros.</p><blockquote><p class="nota_pie">Se modifica por el art. 2 de la Ley 9/2010. <a class="refPost">Ref. BOE-A-2010-5</a></p></blockquote></version>
<version id_norma="BOE-A-2012-8" fecha_publicacion="20120601" fecha_vigencia=""><p class="articulo">Artículo 1. Altura.</p><p class="parrafo">El farol mide cinco metros.</p></version>
</bloque>
<bloque id="a2" tipo="precepto" titulo="Artículo 2">
<version id_norma="BOE-A-2001-77" fecha_publicacion="20010203" fecha_vigencia="20010223"><p class="articulo">Artículo 2. Multas.</p><p class="parrafo">Las multas son estas:</p>
<table class="tabla"><thead><tr><th><p class="cabeza_tabla">Falta</p></th><th><p class="cabeza_tabla">Euros</p></th></tr></thead><tbody><tr><td>Leve</td><td>30</td></tr><tr><td>Grave</td><td>300</td></tr></tbody></table></version>
</bloque>
<bloque id="a3" tipo="precepto" titulo="Artículo 3">
<version id_norma="BOE-A-2001-77" fecha_publicacion="20010203" fecha_vigencia="20010223"><p class="articulo">Artículo 3. Sereno.</p><p class="parrafo">El sereno los enciende.</p></version>
<version id_norma="BOE-A-2010-5" fecha_publicacion="20100310" fecha_vigencia="20110101"><p class="articulo">Artículo 3.</p><p class="parrafo">(Suprimido)</p></version>
</bloque>
<bloque id="dtunica" tipo="precepto" titulo="Disposición transitoria única"><version id_norma="BOE-A-2001-77" fecha_publicacion="20010203" fecha_vigencia="20010223"><p class="articulo">Disposición transitoria única. Faroles viejos.</p><p class="parrafo">Duran un año.</p></version></bloque>
<bloque id="firma" tipo="firma"><version id_norma="BOE-A-2001-77" fecha_publicacion="20010203" fecha_vigencia="20010223"><p class="firma_rey">EL FAROLERO</p></version></bloque>
</texto></data></response>`

func TestConsolidatedXML(t *testing.T) {
	docs, skipped, err := readBytes("lamp.xml", lampXML)
	if err != nil || len(docs) != 1 {
		t.Fatalf("%d documents, %v, %v", len(docs), skipped, err)
	}
	d := docs[0]
	n := d.Norm
	if n.ID != "BOE-A-2001-77" || n.Title != "Ley 5/2001, de 2 de febrero, de faroles" || n.Rank != "ley" || n.Territory != "es-xx" || n.TextAsOf != "2012-06-01" || n.Status != digesto.StatusInForce {
		t.Errorf("norm: %+v", n)
	}
	u := unitNamed(t, d.Units, "a1")
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
	if u = unitNamed(t, d.Units, "a3"); u.Versions[1].Current || u.Versions[0].ValidTo != "2011-01-01" {
		t.Errorf("a suppressed article is current: %+v", u.Versions)
	}
	if u = unitNamed(t, d.Units, "dtunica"); u.Rubric != "Faroles viejos" || u.Path != nil {
		t.Errorf("dtunica: %+v", u)
	}
	if u = unitNamed(t, d.Units, "a2"); !strings.Contains(u.Versions[0].Text, "Leve | 30\nGrave | 300") {
		t.Errorf("a2: %q", u.Versions[0].Text)
	}
}

func TestXMLThatIsNoNorm(t *testing.T) {
	for in, kind := range map[string]string{
		`<sumario><meta/></sumario>`:                   kindNotNorm,
		`<response><data><sumario/></data></response>`: kindNotNorm,
		`<response><data><metadatos><identificador>X</identificador></metadatos></data></response>`: kindNotNorm,
		`<response><status><code>404</code><text>no existe</text></status></response>`:              kindErrorDoc,
		`<rss><channel/></rss>`:                   kindDamaged,
		`<?xml version="1.0"?>`:                   kindDamaged,
		strings.Repeat("<a>", 5000):               kindDamaged,
		`<html><body>Mantenimiento</body></html>`: kindErrorDoc,
	} {
		docs, skipped, err := readBytes("x.xml", in)
		if err != nil || len(docs) != 0 || len(skipped) != 1 || skipped[0].Kind != kind || !skipped[0].Skipped || skipped[0].Detail == "" {
			t.Errorf("%.40s: %d documents, %+v, %v", in, len(docs), skipped, err)
		}
	}
}

// A document cut in the middle keeps what came before, and says so.
func TestXMLCutOff(t *testing.T) {
	docs, _, err := readBytes("lamp.xml", lampXML[:strings.Index(lampXML, `<bloque id="a3"`)+40])
	if err != nil || len(docs) != 1 || len(docs[0].Units) < 3 {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	if d := docs[0].Defects; len(d) == 0 || d[len(d)-1].Kind != kindCut {
		t.Errorf("defects: %+v", d)
	}
}

// Entities that a document declares are never expanded.
func TestXMLEntityBomb(t *testing.T) {
	bomb := `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;">]>` +
		strings.Replace(lampXML[strings.Index(lampXML, "<response>"):], "tres metros", "&c;&c;", 1)
	docs, _, err := readBytes("bomb.xml", bomb)
	if err != nil || len(docs) != 1 {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	if v := unitNamed(t, docs[0].Units, "a1").Versions[0]; len(v.Text) > 60 || strings.Contains(v.Text, "aaaa") {
		t.Errorf("expanded: %q", v.Text)
	}
}

// The official sample: three articles have two versions each, on both sides of
// the day of their reform.
func TestConsolidatedSample(t *testing.T) {
	d := readOne(t, shareddata.Dir(t, "corpora/formats/boe-xml/consolidada-texto-BOE-A-1978-31229.muestra.xml"))
	soundUnits(t, d)
	if d.Norm.ID != "BOE-A-1978-31229" || d.Norm.Published != "1978-12-29" || d.Norm.TextAsOf != "2024-02-17" {
		t.Errorf("norm: %+v", d.Norm)
	}
	for id, day := range map[string]digesto.Date{"a13": "1992-08-28", "a49": "2024-02-17", "a135": "2011-09-27"} {
		vs := unitNamed(t, d.Units, id).Versions
		if len(vs) != 2 || vs[0].ValidTo != day || vs[1].ValidFrom != day || vs[0].Current || !vs[1].Current {
			t.Errorf("%s: %d versions, %+v", id, len(vs), vs)
		}
	}
	for _, id := range []string{"a1", "a2", "a3", "a10", "da1", "dd", "df"} {
		unitNamed(t, d.Units, id)
	}
	if p := unitNamed(t, d.Units, "a10").Path; len(p) != 1 || !strings.HasPrefix(p[0], "TÍTULO I. De los derechos") {
		t.Errorf("path of a10: %q", p)
	}
}

func TestDayXMLSample(t *testing.T) {
	d := readOne(t, shareddata.Dir(t, "corpora/formats/boe-xml/diario-BOE-A-2026-16010.xml"))
	soundUnits(t, d)
	n := d.Norm
	if n.ID != "BOE-A-2026-16010" || n.Rank != "real_decreto" || n.Published != "2026-07-23" || n.Jurisdiction != "es" {
		t.Errorf("norm: %+v", n)
	}
	if v := unitNamed(t, d.Units, "a1").Versions[0]; v.ValidFrom != "2026-07-24" || v.Published != "2026-07-23" {
		t.Errorf("a1: %+v", v)
	}
	an := unitNamed(t, d.Units, "an2")
	if !strings.Contains(an.Versions[0].Text, "M1 | 4.500") {
		t.Errorf("annex II has lost its table: %.300q", an.Versions[0].Text)
	}
	if got := tallyOf(d); got.last != 15 || len(got.missing) > 0 {
		t.Errorf("articles: %v", got)
	}
}
