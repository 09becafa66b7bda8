package index

import (
	"strconv"

	"digesto"
)

// FieldValues gives the values of a filter field of a chunk; none if it has none.
func FieldValues(field string, c digesto.Chunk) []string {
	one := func(s string) []string {
		if s == "" {
			return nil
		}
		return []string{s}
	}
	switch field {
	case "id":
		return one(c.ID)
	case "norm":
		return one(c.Norm)
	case "collection":
		return one(c.Collection)
	case "pack":
		return c.Packs
	case "jurisdiction":
		return one(c.Jurisdiction)
	case "territory":
		return one(c.Territory)
	case "rank":
		return one(c.Rank)
	case "official":
		return []string{strconv.FormatBool(c.Official)}
	case "current":
		return []string{strconv.FormatBool(c.Current)}
	}
	return one(c.Meta[field])
}
