package dating_test

import (
	"context"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus/ingest"
)

// statesSample is a norm whose source keeps the former wordings in place: an article with
// two items changed on different days, one after a change of which no wording is kept, and
// one changed as a whole.
const statesSample = `---
title: "Reglamento de huertos"
identifier: "DS-009-2001-EF"
country: "pe"
rank: "decreto_supremo"
publication_date: "2001-05-02"
last_updated: "2022-01-01"
status: "in_force"
---

**Artículo 1.- Riego**

Los huertos se riegan así:

_a) Cada huerto tiene un cubo de agua por semana._ (*)

(*) Inciso sustituido por el Artículo 3 del Decreto Supremo Nº 010-2009-EF, publicado el 03 marzo 2009, el mismo que entró en vigencia a partir del 1 de abril de 2009, cuyo texto es el siguiente:

_"a) Cada huerto tiene dos cubos de agua por semana."_ (*)

(*) Inciso modificado por el Artículo 1 del Decreto Supremo Nº 011-2015-EF, publicado el 05 mayo 2015, cuyo texto es el siguiente:

"a) Cada huerto tiene tres cubos de agua por semana."

b) El agua sobrante se devuelve a la acequia.

**Artículo 2.- Siega**

_a) La siega empieza en el mes de junio de cada año._ (*)

(*) Inciso modificado por el Artículo 1 del Decreto Supremo Nº 011-2015-EF, publicado el 05 mayo 2015, cuyo texto es el siguiente:

"a) La siega empieza en el mes de julio de cada año."

b) La siega acaba en agosto. (*)

(*) Inciso incorporado por el Artículo 7 del Decreto Supremo Nº 012-2012-EF, publicado el 06 junio 2012.

_**Artículo 3.- Poda**_

_La poda se hace con tijera._ (*)

(*) Artículo sustituido por el Artículo 4 del Decreto Supremo Nº 011-2015-EF, publicado el 05 mayo 2015, cuyo texto es el siguiente:

**"Artículo 3.- Poda**

La poda se hace con sierra."

_**Artículo 4.- Trilla**_

_La trilla dura un día._

_Se hace con bueyes._ (*)

(*) Primer y segundo párrafos modificados por el Artículo 5 del Decreto Supremo Nº 011-2015-EF, publicado el 05 mayo 2015, cuyo texto es el siguiente:

**"Artículo 4.- Trilla**

La trilla dura dos días.

Se hace con mulas."

La era se barre antes.

"La paja se guarda en el pajar." (*)

"El grano se guarda en el silo." (**)

(*) Párrafo derogado por el Artículo 2 del Decreto Supremo Nº 013-2018-EF, publicado el 07 julio 2018.

(**) Último párrafo incorporado por el Artículo 3 del Decreto Supremo Nº 014-2020-EF, publicado el 08 agosto 2020.

**Artículo 5.- Final**

El presente decreto se publica.
`

// TestFormerStates: the state of a unit before each change is given whole, with its days,
// and none before a change whose former wording is not kept.
func TestFormerStates(t *testing.T) {
	docs, _, err := ingest.ReadFile(context.Background(), "DS-009-2001-EF.md", []byte(statesSample), ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	type state struct {
		published, from, to, replaced digesto.Date
		has, not                      string
	}
	for _, c := range []struct {
		number string
		want   []state
	}{
		{"1", []state{
			{"2001-05-02", "", "2009-04-01", "", "un cubo", "dos cubos"},
			{"", "2009-04-01", "", "2015-05-05", "dos cubos", "tres cubos"},
			{"2015-05-05", "", "", "", "tres cubos", "dos cubos"},
		}},
		{"2", []state{
			{"2012-06-06", "", "", "2015-05-05", "mes de junio", "julio"},
			{"2015-05-05", "", "", "", "mes de julio", "junio"},
		}},
		{"3", []state{
			{"2001-05-02", "", "", "2015-05-05", "tijera", "sierra"},
			{"2015-05-05", "", "", "", "sierra", "tijera"},
		}},
		{"4", []state{ // paragraphs printed with the number; one repealed by a note further below, one put in
			{"2001-05-02", "", "", "2015-05-05", "un día.\nSe hace con bueyes.\nLa era se barre antes.\nLa paja", "silo"},
			{"2015-05-05", "", "", "2018-07-07", "dos días.\nSe hace con mulas.\"\nLa era se barre antes.\nLa paja", "silo"},
			{"2018-07-07", "", "", "2020-08-08", "La era se barre antes.", "guarda"},
			{"2020-08-08", "", "", "", "silo", "paja"},
		}},
	} {
		for _, u := range docs[0].Units {
			if u.Kind != digesto.KindArticle || u.Number != c.number {
				continue
			}
			if len(u.Versions) != len(c.want) {
				t.Errorf("article %s: %d versions: %+v", c.number, len(u.Versions), u.Versions)
				continue
			}
			for i, v := range u.Versions {
				w := c.want[i]
				if v.Published != w.published || v.ValidFrom != w.from || v.ValidTo != w.to || v.Replaced != w.replaced {
					t.Errorf("article %s, state %d: published %q, from %q to %q, replaced %q", c.number, i, v.Published, v.ValidFrom, v.ValidTo, v.Replaced)
				}
				if !strings.Contains(v.Text, w.has) || strings.Contains(v.Text, w.not) {
					t.Errorf("article %s, state %d: %s", c.number, i, v.Text)
				}
				if c.number == "1" && (!strings.Contains(v.Text, "se riegan así") || !strings.Contains(v.Text, "acequia")) {
					t.Errorf("state %d lacks what did not change: %s", i, v.Text)
				}
			}
		}
	}
}
