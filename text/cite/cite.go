package cite

import "digesto"

// Alias is a name by which people call a norm, as a pack's data gives it.
type Alias struct {
	Name         string // "LPAG", "Ley de Bases"
	Norm         string // id or other identifier of the norm
	Jurisdiction string // the alias counts only there (see Table.In); empty = everywhere
	// Weak marks a name that is also an ordinary word or an organ ("Tribunal de
	// Cuentas"): it counts as the norm only beside a unit or the word for a norm, or
	// in Recognise when no other norm is named, and is never struck there.
	Weak bool
}

// Mention is a citation found in a text: of a norm, of a unit, or of a unit of a norm.
// A list of units gives one mention for each.
type Mention struct {
	Start, End int    // code points of the whole citation; in a list, of its own part
	Text       string // as written
	// Name is the norm as written ("Ley 39/2015", "ET"), empty if none is named.
	Name string
	// Norm is the id of the norm meant; empty when none is named, or it is not known, or
	// the name is ambiguous (then Also has the candidates).
	Norm string
	Also []string // further candidates for Norm
	Kind digesto.UnitKind
	// Number is normalised (see Number), or for a relative unit "anterior", "siguiente" or "presente".
	Number string
	Unit   string // id of the unit within the norm; empty for a norm alone and for a relative unit
	To     string // last number of a range ("15 a 20"), or "ss" for "y siguientes"
	Detail string // what is cited below the unit, as written: "4", "inc. b", "párrafo segundo"
	// Relative marks a citation that depends on where it stands: "el artículo
	// anterior", "el artículo 5 de esta Ley".
	Relative bool
}
