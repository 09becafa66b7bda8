package structure_test

import (
	"strings"
	"testing"

	"digesto/corpus/ingest/dating"
	"digesto/corpus/ingest/line"
	"digesto/internal/ingesttest"
)

// A collector's own headings, and the articles of another norm in their place. Invented.
func TestBorrowedArticles(t *testing.T) {
	docs, _, err := ingesttest.ReadBytes("LEY-1234.md", `---
title: "FAROS"
identifier: "LEY-1234"
country: "ar"
rank: "ley"
publication_date: "1990-01-01"
status: "in_force"
---
# FAROS

##### ARTICULO 1°.- Luz. El farero enciende la luz al anochecer y la apaga al alba.

##### ARTICULO 2.—

— Consolídanse en la caja del puerto las deudas de los fareros por aceite.

##### ARTICULO 3.—

— Comuníquese al Poder Ejecutivo.

DADA EN LA SALA DE SESIONES DEL CONGRESO, EN BUENOS AIRES, A LOS DOS DIAS DEL MES DE MAYO DEL AÑO DOS MIL.

— REGISTRADO BAJO EL N° 5.678 —

##### ARTICULO 4.- Aceite. El aceite de los faros se compra en octubre.

##### ARTICULO 5.—

El aceite sobrante vuelve al almacén.

##### ARTICULO 6.- Comuníquese al Poder Ejecutivo.

— REGISTRADA BAJO EL N° 1234 —
`)
	if err != nil || len(docs) != 1 {
		t.Fatal(err, len(docs))
	}
	doc := docs[0]
	for id, want := range map[string]struct{ current, doubt bool }{
		"a1": {true, false}, "a2": {false, true}, "a3": {false, true}, "a4": {true, false}, "a5": {true, true}, "a6": {true, false},
	} {
		for _, u := range doc.Units {
			if u.ID != id {
				continue
			}
			if got := u.Versions[len(u.Versions)-1].Current; got != want.current || dating.Foreign(u.Versions[len(u.Versions)-1]) != want.doubt {
				t.Errorf("%s: current %v, %+v", id, got, u.Versions)
			}
		}
	}
	kinds := map[string]string{}
	for _, d := range doc.Defects {
		kinds[d.Kind] = d.Detail
	}
	if !strings.Contains(kinds[line.KindForeign], "5.678") || kinds[line.KindBorrowed] == "" {
		t.Errorf("%v", kinds)
	}
}
