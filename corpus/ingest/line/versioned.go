package line

import "digesto"

// Block is a part of a text that its publisher keeps with all its versions.
type Block struct {
	Kind     string // as the source names it
	Title    string
	Expired  digesto.Date
	Versions []BlockVersion // one or more, in the order of their publication
}

// BlockVersion is one version of a block.
type BlockVersion struct {
	By                   string // norm that brought it
	Published, ValidFrom digesto.Date
	Lines                []Line
}
