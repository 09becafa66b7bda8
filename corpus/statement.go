package corpus

import "digesto"

// Statement is one thing that a text says it does to another norm, as its reader found
// it: which norms are meant, and since when, is decided over all that are installed (see
// [Effect]).
type Statement struct {
	Act      digesto.Act
	By       string       // the unit that says so
	At       int          // where the object is named: code points of its current text
	Norm     string       // id of the norm named, where the reader knew it
	Name     string       // the norm as written, with the day that it bears: "Ley 1/2000, de 7 de enero"
	Places   []Place      // units named; none = the norm as a whole, unless Of
	Of       bool         // something of the norm is meant, not all of it
	Heading  string       // folded words that name it where no unit is: "el capitulo iii del"
	Excepted bool         // with exceptions, on a condition, or only as far as it is opposed
	From     digesto.Date // day said for it; "" = with the norm that says it
	// Words is where the new wording of what is changed stands, in code points of the
	// unit's current text; an empty range = it is not there.
	Words [2]int
}

// Place is a unit named, or a range of them.
type Place struct {
	Unit   string
	To     string // last number of a range
	Detail string // a part of the unit only
}

func statementForm(f *form, s *Statement) {
	word(f, 1, &s.Act)
	word(f, 2, &s.By)
	number(f, 3, &s.At)
	word(f, 4, &s.Norm)
	word(f, 5, &s.Name)
	records(f, 6, &s.Places, placeForm)
	f.flag(7, &s.Of)
	word(f, 8, &s.Heading)
	f.flag(9, &s.Excepted)
	word(f, 10, &s.From)
	number(f, 11, &s.Words[0])
	number(f, 12, &s.Words[1])
}

func placeForm(f *form, p *Place) {
	word(f, 1, &p.Unit)
	word(f, 2, &p.To)
	word(f, 3, &p.Detail)
}
