package dating_test

import (
	"context"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus/ingest"
)

// formerSample is an article of which two paragraphs changed on different days, with
// their former wordings below them as editors print them.
const formerSample = `---
title: "Ley 9/2001, de 2 de mayo, de huertos"
identifier: "BOE-A-2001-99999"
country: "es"
rank: "ley"
publication_date: "2001-05-02"
last_updated: "2012-01-01"
status: "in_force"
---

###### Artículo 1. Riego.

1. El riego es de noche.

2. Cada huerto tiene dos cubos por semana.

> Téngase en cuenta que esta actualización del apartado 2, establecida por el art. 3 de la Ley 4/2009, de 3 de marzo, entra en vigor el 1 de enero de 2010, según su disposición final 1.

> Redacción anterior:

> "2. Cada huerto tiene un cubo por semana."

3. **(Derogado)**

> Téngase en cuenta que la derogación del apartado 3, establecida por la Ley 4/2009, de 3 de marzo, produce efectos desde el 1 de enero de 2011.

> Redacción anterior:

> "3. En agosto no se riega."

4. El agua sobrante se devuelve.

> <small>Se modifica el apartado 2 y se deroga el 3 por el art. 3 de la Ley 4/2009, de 3 de marzo. [Ref. BOE-A-2009-3333](https://www.boe.es/buscar/doc.php?id=BOE-A-2009-3333)</small>

###### Artículo 2. Nada más.

Fin de la ley.
`

// TestFormerParts: each part is put back as it stood until its day.
func TestFormerParts(t *testing.T) {
	docs, _, err := ingest.ReadFile(context.Background(), "BOE-A-2001-99999.md", []byte(formerSample), ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	u := docs[0].Units[0]
	if len(u.Versions) != 3 {
		t.Fatalf("%d versions: %+v", len(u.Versions), u.Versions)
	}
	for i, x := range []struct {
		from, to digesto.Date
		has, not []string
	}{
		{"", "2010-01-01", []string{"1. El riego es de noche.", "2. Cada huerto tiene un cubo", "3. En agosto no se riega.", "4. El agua"}, []string{"dos cubos", "\"", "Derogado"}},
		{"2010-01-01", "2011-01-01", []string{"dos cubos", "3. En agosto no se riega."}, []string{"un cubo", "Derogado"}},
		{"2011-01-01", "", []string{"dos cubos", "4. El agua"}, []string{"un cubo", "En agosto"}},
	} {
		v := u.Versions[i]
		if v.ValidTo != x.to || i > 0 && v.ValidFrom != x.from {
			t.Errorf("version %d holds from %s to %s", i, v.ValidFrom, v.ValidTo)
		}
		for _, w := range x.has {
			if !strings.Contains(v.Text, w) {
				t.Errorf("version %d lacks %q: %s", i, w, v.Text)
			}
		}
		for _, w := range x.not {
			if strings.Contains(v.Text, w) {
				t.Errorf("version %d has %q: %s", i, w, v.Text)
			}
		}
	}
}
