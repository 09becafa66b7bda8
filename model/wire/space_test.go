package wire_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"digesto/model"
	"digesto/model/wire"
)

func TestSpaceName(t *testing.T) {
	for _, c := range []struct {
		opt  wire.SpaceOptions
		want string
	}{
		{wire.SpaceOptions{Model: "m", Dims: 8}, "m"},
		{wire.SpaceOptions{Model: "m", Dims: 8, SendDims: true}, "m|8"},
		{wire.SpaceOptions{Model: "m", QueryPrefix: "q: ", Dims: 8, SendDims: true}, "m|q: ||8"},
	} {
		if got := wire.NewSpace(c.opt).Name(); got != c.want {
			t.Errorf("name %q, want %q", got, c.want)
		}
	}
}

func TestBatches(t *testing.T) {
	s := wire.NewSpace(wire.SpaceOptions{Batch: 2, QueryPrefix: "q: "})
	var asked []string
	got, err := s.Batches([]string{"a", "b", "c"}, model.Query, func(input []string) ([][]float32, error) {
		asked = append(asked, strings.Join(input, "+"))
		out := make([][]float32, len(input))
		for i, t := range input {
			out[i] = []float32{float32(len(t)), float32(t[len(t)-1])}
		}
		return out, nil
	})
	if err != nil || fmt.Sprint(got) != "[[4 97] [4 98] [4 99]]" {
		t.Errorf("%v, %v", got, err)
	}
	if !slices.Equal(asked, []string{"q: a+q: b", "q: c"}) || s.Dims() != 2 {
		t.Errorf("asked %q, %d dimensions", asked, s.Dims())
	}
}

func TestBatchesRefuse(t *testing.T) {
	for name, v := range map[string][]float32{"missing": nil, "of another length": {1}, "no number": {1, float32(math.NaN())}, "no end": {1, float32(math.Inf(1))}} {
		_, err := wire.NewSpace(wire.SpaceOptions{Dims: 2}).Batches([]string{"a"}, model.Passage, func([]string) ([][]float32, error) { return [][]float32{v}, nil })
		var f *model.Fault
		if !errors.As(err, &f) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
