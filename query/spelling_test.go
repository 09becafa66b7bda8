package query

import (
	"context"
	"testing"

	"digesto"
)

type knows map[string]int

func (k knows) Search(context.Context, digesto.Query) (digesto.Results, error) {
	return digesto.Results{}, nil
}

func (k knows) Frequency(word string, stem bool) int {
	if stem {
		return 0
	}
	return k[word]
}

func TestMended(t *testing.T) {
	fixed, words := mended(knows{"vacaciones": 3}, nil, "¿cuántas vacacoines tengo?")
	if fixed != "¿cuántas vacaciones tengo?" || len(words) != 1 || words[0].Of != "vacacoines" || words[0].Say != "vacaciones" {
		t.Errorf("mended to %q %v", fixed, words)
	}
	if fixed, words := mended(nil, nil, "vacacoines"); fixed != "vacacoines" || words != nil {
		t.Errorf("without a vocabulary: %q %v", fixed, words)
	}
}
