package packs_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest"
	"digesto/internal/shareddata"
	"digesto/pack"
	"digesto/packs"
	"digesto/text/figure"
)

// lawFolders are where the texts of each pack's norms stand, best first.
var lawFolders = map[string][]string{
	"laboral":   {"laboral-es/normas/es", "tramites-es/normas/es"},
	"clara":     {"tramites-es/normas/es", "laboral-es/normas/es"},
	"argentina": {"derecho-ar/normas"},
	"peru":      {"peru-tributario/normas"},
	"jus":       {"jus-cordoba"},
}

// fileOf names the files whose name is not the id of the norm.
var fileOf = map[string]string{"AR-X-LEY-9459": "ley-9459.md", "DS-133-2013-EF": "../pdf/Codigo-Tributario-Sunat.pdf"}

// TestFactsStandInTheLaw: every figure of every fact is in the article that the
// fact names, as the texts at hand have it. It is what keeps our own words true.
func TestFactsStandInTheLaw(t *testing.T) {
	root := shareddata.Dir(t, "corpora")
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, p := range all {
		read := map[string]*corpus.Snapshot{}
		for _, f := range p.Fiches {
			for _, x := range f.Facts {
				if x.Place == "" {
					continue
				}
				s, ok := read[x.Norm]
				if !ok {
					s = readNorm(t, root, p.Name, x.Norm)
					read[x.Norm] = s
				}
				if s == nil {
					continue
				}
				compared += compareFact(t, p, s, x)
			}
		}
	}
	t.Logf("%d facts compared", compared)
	if compared < 180 {
		t.Errorf("only %d facts compared", compared)
	}
}

func readNorm(t *testing.T, root, name, norm string) *corpus.Snapshot {
	t.Helper()
	file := norm + ".md"
	if f := fileOf[norm]; f != "" {
		file = f
	}
	for _, dir := range lawFolders[name] {
		path := filepath.Join(root, filepath.FromSlash(dir), filepath.FromSlash(file))
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		docs, _, err := ingest.ReadFile(context.Background(), path, data, ingest.Options{Pack: name})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return nil
		}
		return corpus.Memory(docs...)
	}
	return nil
}

// textless are places that the texts at hand do not give as they are in force:
// read by eye instead, on the day the fiche was reviewed.
var textless = map[string]string{
	"DS-021-2019-JUS/a11":              "the file holds a regulation with the same numbers",
	"jus-servicios/tinventario_avaluo": "the article writes the unit once for both ends",
}

func compareFact(t *testing.T, p *pack.Pack, s *corpus.Snapshot, x pack.Fact) int {
	t.Helper()
	v, err := s.Text(x.Norm, x.Place, "")
	if err != nil {
		if digesto.CodeOf(err) != digesto.CodeNotFound {
			t.Errorf("%s %s: %v", x.Norm, x.Place, err)
		} else {
			t.Errorf("%s: the place %s is not in the text (%s)", x.Norm, x.Place, x.Text)
		}
		return 0
	}
	if textless[x.Norm+"/"+x.Place] != "" || textless["jus-servicios/"+x.Unit] != "" {
		return 0
	}
	held := figure.FindAll(v.Text, p.Figures())
	for _, f := range figure.FindAll(x.Text, p.Figures()) {
		same := func(h figure.Figure) bool {
			return h.Value == f.Value && (h.Kind == f.Kind || h.Kind == figure.Number || f.Kind == figure.Number)
		}
		if f.Value != x.Year && !slices.ContainsFunc(held, same) {
			t.Errorf("%s: «%s» is not in %s %s: %s", p.Name, strings.TrimSpace(f.Text), x.Norm, x.Place, x.Text)
		}
	}
	return 1
}
