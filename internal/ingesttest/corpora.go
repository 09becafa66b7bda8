package ingesttest

import (
	"strings"
	"testing"

	"digesto/corpus"
)

// TaxCode is a long PDF with boxes of former wordings, below the shared data.
const TaxCode = "corpora/peru-tributario/pdf/Codigo-Tributario-Sunat.pdf"

// Nowhere wants none of some words in a text in force.
func Nowhere(words ...string) func(*testing.T, corpus.Document) {
	return func(t *testing.T, d corpus.Document) {
		t.Helper()
		for _, u := range d.Units {
			for _, v := range u.Versions {
				for _, w := range words {
					if v.Current && strings.Contains(v.Text, w) {
						t.Errorf("%s: %q stands in the text in force", u.ID, w)
					}
				}
			}
		}
	}
}

// Defective wants some kinds of defect to be told.
func Defective(kinds ...string) func(*testing.T, corpus.Document) {
	return func(t *testing.T, d corpus.Document) {
		t.Helper()
		var got []string
		for _, x := range d.Defects {
			got = append(got, x.Kind)
		}
		for _, k := range kinds {
			if !strings.Contains(" "+strings.Join(got, " ")+" ", " "+k+" ") {
				t.Errorf("defects %v, want %s too", got, k)
			}
		}
	}
}

// Peru is where laws of many defects stand, below the shared data.
const Peru = "corpora/peru-tributario/"
