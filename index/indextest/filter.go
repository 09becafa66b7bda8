package indextest

import (
	"slices"

	"digesto"
	"digesto/index"
)

// Passes says whether a chunk passes a filter: the one definition that every
// Searcher is tested against.
//
// A value that is missing passes only for fields listed in Wider, except "pack":
// a chunk without packs belongs to all. On a day (AsOf) unknown bounds
// pass, but a version known to be history needs a known end: without it nothing
// says that it still held.
func Passes(f digesto.Filter, c digesto.Chunk) bool {
	for field, allowed := range f.In {
		if !fieldPasses(field, allowed, f.Wider, c) {
			return false
		}
	}
	return inTime(f, c.ValidFrom, c.ValidTo, c.Current)
}

func inTime(f digesto.Filter, from, to digesto.Date, current bool) bool {
	if f.AsOf == "" {
		return current || f.History
	}
	if from != "" && f.AsOf < from || to != "" && f.AsOf >= to {
		return false
	}
	return current || to != "" || f.History
}

func fieldPasses(field string, allowed, wider []string, c digesto.Chunk) bool {
	values := index.FieldValues(field, c)
	if len(values) == 0 {
		return field == "pack" || slices.Contains(wider, field)
	}
	for _, v := range values {
		if slices.Contains(allowed, v) {
			return true
		}
	}
	return false
}
