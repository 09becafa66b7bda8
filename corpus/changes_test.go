package corpus

import (
	"testing"

	"digesto"

	"github.com/google/go-cmp/cmp"
)

func TestChanges(t *testing.T) {
	l := open(t, t.TempDir())
	gone := sample()
	gone.Norm.ID, gone.Norm.IDs, gone.File = "A-VIEJA", nil, "vieja.md"
	same := sample()
	same.Norm.ID, same.Norm.IDs, same.File = "IGUAL", nil, "igual.md"
	put(t, l, sample(), gone, same)
	before := current(t, l)

	d := sample()
	d.ContentHash = "h2"
	d.Norm.TextAsOf = "2024-05-05"
	d.Units = d.Units[:3] // a3 goes
	d.Units[2].Versions = []digesto.Version{
		{ID: "1", Text: "Los puestos pagan cinco monedas.", ValidTo: "2024-05-05"},
		{ID: "2", Text: "Los puestos pagan nueve monedas.", ValidFrom: "2024-05-05", Current: true},
	}
	d.Units = append(d.Units, digesto.Unit{ID: "a4", Kind: "a", Versions: []digesto.Version{{ID: "1", Text: "Nuevo.", Current: true}}})
	fresh := sample()
	fresh.Norm.ID, fresh.Norm.IDs, fresh.File = "Z-NUEVA", nil, "nueva.md"
	put(t, l, d, fresh)
	_, err := l.Update(t.Context(), UpdateOptions{}, func(tx *Tx) error { return tx.Remove("A-VIEJA") })
	if err != nil {
		t.Fatal(err)
	}
	got, err := Changes(before, current(t, l))
	if err != nil {
		t.Fatal(err)
	}
	want := []Change{
		{Kind: NormRemoved, Norm: "A-VIEJA"},
		{Kind: NormChanged, Norm: "DEC-7-2020", Fields: []string{"text_as_of"}},
		{Kind: TextChanged, Norm: "DEC-7-2020", Unit: "a2", Version: "2", Date: "2024-05-05",
			From: textHash("Los puestos pagan cinco monedas."), To: textHash("Los puestos pagan nueve monedas.")},
		{Kind: UnitAdded, Norm: "DEC-7-2020", Unit: "a4", Version: "1", To: textHash("Nuevo.")},
		{Kind: UnitRemoved, Norm: "DEC-7-2020", Unit: "a3", Version: "1", From: textHash("El canon se paga al entrar.")},
		{Kind: NormAdded, Norm: "Z-NUEVA"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if again, err := Changes(before, before); err != nil || len(again) != 0 {
		t.Errorf("a snapshot differs from itself: %v, %v", again, err)
	}
}

func TestFormerWordingIsHistory(t *testing.T) {
	d := sample()
	d.Units[2].Versions = append([]digesto.Version{{ID: "0", Text: "Los puestos pagan dos monedas."}}, d.Units[2].Versions...)
	got, err := Changes(Memory(sample()), Memory(d))
	if err != nil || len(got) != 1 || got[0].Kind != HistoryGrown || got[0].Version != "0" {
		t.Errorf("%+v, %v", got, err)
	}
}
