package pack_test

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"digesto/pack"
)

// withLay is the sixth pack with a lexicon of its own.
func withLay(t *testing.T, rows string) (*pack.Pack, error) {
	t.Helper()
	m := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS("testdata"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(os.DirFS("testdata"), name)
		m[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	y := m["sexto/pack.yaml"]
	y.Data = []byte(strings.Replace(string(y.Data), "files:\n", "files:\n  lay: [lay.tsv]\n", 1))
	m["sexto/lay.tsv"] = &fstest.MapFile{Data: []byte("lay\tlegal\tnote\n" + rows)}
	return pack.Load(m, "sexto")
}

const layRows = "me han echado | me echaron\tdespido; extinción del contrato\tla ley dice despido\n" +
	"echado\trecostado\tpara probar que gana la más larga\n" +
	"casero | casera\tarrendador\tquien da en alquiler\n"

func TestLayExpand(t *testing.T) {
	p, err := withLay(t, layRows)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		question string
		want     []string
	}{
		{"¿Me han ECHADO sin carta, qué hago?", []string{"despido", "extinción del contrato"}},
		{"Mi casera me dice que me echaron", []string{"arrendador", "despido", "extinción del contrato"}},
		{"me han echado: ¿es un despido?", []string{"extinción del contrato"}},
		{"está echado en el sofá", []string{"recostado"}},
		{"los caseros", nil}, // whole words only
		{"un arrendador", nil},
		{"", nil},
	} {
		if got := p.Lay.Expand(x.question); !slices.Equal(got, x.want) {
			t.Errorf("%q: %v, want %v", x.question, got, x.want)
		}
	}
	if p.Lay.Len() != 3 || len(pack.Check(p)) > 0 {
		t.Errorf("%d entries, %v", p.Lay.Len(), pack.Check(p))
	}
}

func TestLayFaults(t *testing.T) {
	if _, err := withLay(t, "casero\t;\tnada\n"); err == nil || !strings.Contains(err.Error(), "lay.tsv:2") {
		t.Errorf("an entry without alternatives: %v", err)
	}
	for want, rows := range map[string]string{
		"no tiene nota":          "casero\tarrendador\t\n",
		"«casera» está dos":      "casero | casera\tarrendador\tx\ncasera\tdueña\tx\n",
		"es la expresión misma":  "fianza\tfianza; depósito\tx\n",
		"alternativa «x» está d": "fianza\tx; x\ty\n",
	} {
		p, err := withLay(t, rows)
		if err != nil {
			t.Fatal(err)
		}
		bad := pack.Check(p)
		if !slices.ContainsFunc(bad, func(b pack.Problem) bool { return strings.Contains(b.Text, want) && b.Line > 1 }) {
			t.Errorf("%q not among %v", want, bad)
		}
	}
}
