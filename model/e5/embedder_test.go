package e5

import (
	"context"
	"errors"
	"slices"
	"testing"

	"digesto"
	"digesto/model"
)

func TestEmbedderKeepsOrderAndSpace(t *testing.T) {
	m := load(t, Options{})
	ctx := context.Background()
	e := NewEmbedders(files(), Options{}).Static
	texts := []string{"Plazo\nEl plazo es de un mes.", "Multa\nLa multa es leve.", "Recurso\nCabe recurso."}
	got, err := e.Embed(ctx, texts, model.Passage)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float32, Dims)
	for i, s := range texts {
		m.Static(want, s)
		if !slices.Equal(got[i], want) {
			t.Errorf("vector %d is not that of text %d", i, i)
		}
	}
	if a := NewEmbedders(files(), Options{}).Passages; a.Name() == e.Name() {
		t.Error("two spaces with one name")
	}
}

func TestEmbedderStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	load(t, Options{})
	if _, err := NewEmbedders(files(), Options{}).Passages.Embed(ctx, []string{"a", "b"}, model.Passage); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	if _, err := NewEmbedders(Files{}, Options{}).Static.Embed(ctx, []string{"a"}, model.Query); digesto.CodeOf(err) != digesto.CodeUnavailable {
		t.Errorf("without files: err = %v", err)
	}
}
