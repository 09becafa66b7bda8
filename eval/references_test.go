package eval

import (
	"bytes"
	"io/fs"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus"
	"digesto/packs"
)

// lampLaw is a library of one norm of ours that cites itself, another and a stranger.
func lampLaw() (*corpus.Snapshot, string) {
	text := "El farero sigue el artículo 2, el artículo 5 de la Ley 7/2031 y la Ley 9/2040.\nY esta ley."
	at := func(words string) (int, int) {
		i := strings.Index(text, words)
		return len([]rune(text[:i])), len([]rune(text[:i+len(words)]))
	}
	ref := func(words, norm, name, unit string) digesto.Reference {
		from, to := at(words)
		return digesto.Reference{Start: from, End: to, Norm: norm, Name: name, Unit: unit}
	}
	unit := func(id, text string, refs ...digesto.Reference) digesto.Unit {
		return digesto.Unit{ID: id, Kind: digesto.KindArticle, Number: id[1:], Label: "Artículo " + id[1:], Versions: []digesto.Version{{ID: "1", Text: text, Current: true, Refs: refs}}}
	}
	doc := func(id string, units ...digesto.Unit) corpus.Document {
		return corpus.Document{File: id + ".md", Norm: digesto.Norm{ID: id, Title: id, Jurisdiction: "xx", Official: true, Status: digesto.StatusInForce}, Units: units}
	}
	return corpus.Memory(
		doc("LEY-1", unit("a1", text, ref("artículo 2", "", "", "a2"), ref("artículo 5 de la Ley 7/2031", "LEY-7", "Ley 7/2031", "a5"), ref("Ley 9/2040", "", "Ley 9/2040", ""), ref("esta ley", "LEY-1", "esta ley", "")), unit("a2", "Dos.")),
		doc("LEY-7", unit("a5", "Cinco."))), text
}

func TestReferencesAgainstLabels(t *testing.T) {
	law, text := lampLaw()
	first, _, _ := strings.Cut(text, "\n")
	hash := passageHash([]rune(first))
	for name, c := range map[string]struct {
		gold  []string
		want  ReferenceCounts
		lines string
	}{
		"all":         {[]string{"./a2", "LEY-7/a5", "?9/2040/"}, ReferenceCounts{1, 0, 3, 3, 3}, ""},
		"one missed":  {[]string{"./a2", "./a3", "LEY-7/a5", "?9/2040/"}, ReferenceCounts{1, 0, 4, 3, 3}, "-./a3"},
		"one more":    {[]string{"./a2", "LEY-7/a5"}, ReferenceCounts{1, 0, 2, 3, 2}, "+?Ley 9/2040"},
		"another":     {[]string{"./a2", "LEY-7/a6", "?9/2040/"}, ReferenceCounts{1, 0, 3, 3, 2}, "-LEY-7/a6 +LEY-7/a5"},
		"either":      {[]string{"./a2", "LEY-8/a5|LEY-7/a5", "~?9/2040/", "~./a9"}, ReferenceCounts{1, 0, 2, 2, 2}, ""},
		"named again": {[]string{"./a2", "LEY-7/a5", "?9/2040/a3"}, ReferenceCounts{1, 0, 3, 2, 2}, "-?9/2040/a3"},
	} {
		var out bytes.Buffer
		got := References(law, []Passage{{"LEY-1", "a1", hash, c.gold}}, nil, &out)
		if got != c.want || !strings.Contains(out.String(), c.lines) || c.lines == "" && out.Len() > 0 {
			t.Errorf("%s: %+v, want %+v: %s", name, got, c.want, out.String())
		}
	}
	got := References(law, []Passage{{"LEY-1", "a1", "000000000000", nil}, {"LEY-3", "a1", hash, nil}}, nil, nil)
	if got.Lost != 2 || got.Passages != 2 {
		t.Errorf("passages that are not there: %+v", got)
	}
	list, words := SamplePassages(law, "xx", "1", 9)
	if len(list) != 1 || list[0].Hash != hash || words[0] != first {
		t.Errorf("sample: %+v %q", list, words)
	}
}

// The labels that the packs bring can be read, and hold no words of law.
func TestLabelsOfThePacks(t *testing.T) {
	for _, country := range []string{"es", "ar", "pe"} {
		data, err := fs.ReadFile(packs.FS(), country+"/references.tsv")
		if err != nil {
			t.Fatal(err)
		}
		list, err := ReadPassages(data)
		labels := 0
		for _, p := range list {
			for _, g := range p.Gold {
				if !strings.HasPrefix(g, "~") {
					labels++
				}
				if len(g) > 80 {
					t.Errorf("%s: %q is longer than a label", country, g)
				}
			}
		}
		if err != nil || labels < 300 {
			t.Errorf("%s: %d passages, %d labels, %v", country, len(list), labels, err)
		}
	}
	if _, err := ReadPassages([]byte("LEY-1\ta1\tcorta\t./a2")); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("a line that is none: %v", err)
	}
}
