package view

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"digesto"
)

func TestByPlace(t *testing.T) {
	list := []digesto.Norm{{ID: "a"}, {ID: "b", Jurisdiction: "pe"}, {ID: "c", Jurisdiction: "es", Territory: "es-ct"}, {ID: "d", Jurisdiction: "es"}, {ID: "e"}}
	slices.SortStableFunc(list, byPlace)
	got := ""
	for _, n := range list {
		got += n.ID
	}
	if got != "dcbae" {
		t.Error(got)
	}
}

// TestLawPaged: a list longer than a page is turned over without scripts, by links that
// keep what it was narrowed to; a page that there is not is the nearest one.
func TestLawPaged(t *testing.T) {
	for _, c := range []struct {
		asked      string
		n          int
		page, of   int
		prev, next string
	}{
		{"", 0, 1, 1, "", ""},
		{"", normsPerPage, 1, 1, "", ""},
		{"q=faro&page=2&territory=es", 2*normsPerPage + 1, 2, 3, "/leyes?page=1&q=faro&territory=es", "/leyes?page=3&q=faro&territory=es"},
		{"page=99&pack=jus&otro=x", normsPerPage + 1, 2, 2, "/leyes?pack=jus&page=1", ""},
		{"page=-1", normsPerPage + 1, 1, 2, "", "/leyes?page=2"},
		{"page=uno", normsPerPage + 1, 1, 2, "", "/leyes?page=2"},
	} {
		q, err := url.ParseQuery(c.asked)
		if err != nil {
			t.Fatal(err)
		}
		var p Norms
		p.turn(q, c.n)
		if p.Page != c.page || p.Pages != c.of || p.Prev != c.prev || p.Next != c.next {
			t.Errorf("%q of %d: %+v", c.asked, c.n, p)
		}
	}
}

// TestNumbersOfParagraphs: what numbers the paragraphs of an article stands apart from its
// text, marked or not, and nothing of the text is lost.
func TestNumbersOfParagraphs(t *testing.T) {
	law := "Preámbulo.\n1. El farero descansa.\n2 bis. La guardia:\na) dura doce horas;\n2001. Año que no numera nada.\n3.5 metros mide."
	var whole, numbers, items []string
	for _, p := range numbered(paragraphs(law, [2]int{11, 33})) {
		line := ""
		for _, x := range p {
			line += x.Number + x.Item + x.Text
		}
		whole, numbers, items = append(whole, line), append(numbers, p[0].Number), append(items, p[0].Item)
	}
	if got := strings.Join(whole, "\n"); got != law {
		t.Errorf("the text became %q", got)
	}
	if want := []string{"", "1.", "2 bis.", "", "", ""}; !slices.Equal(numbers, want) {
		t.Errorf("numbers %q", numbers)
	}
	if want := []string{"", "", "", "a)", "", ""}; !slices.Equal(items, want) {
		t.Errorf("items %q", items)
	}
}
