package jus

import (
	_ "embed"
	"strings"

	"digesto/pack"
	"digesto/packs/jus/fees"
)

//go:embed data/others.tsv
var embeddedOthers []byte

// otherRule names a thing whose price this law does not fix, and what is said of it.
type otherRule struct {
	what, unless []pack.Pattern
	unlessFee    bool // nor where a service is named
	reply        string
}

func readOthers(data []byte) ([]otherRule, error) {
	list, lines, err := fees.Rows("others.tsv", data, "pattern", "unless", "reply")
	if err != nil {
		return nil, err
	}
	var out []otherRule
	for i, r := range list {
		what, err := patterns(r[0])
		words, fee := strings.CutPrefix(r[1], "servicio;")
		unless, err2 := patterns(words)
		if err != nil || err2 != nil || len(what) == 0 || r[2] == "" {
			return nil, fees.Invalid("Corrija la fila.", "others.tsv:%d: patrón o respuesta no válidos", lines[i])
		}
		out = append(out, otherRule{what, unless, fee, r[2]})
	}
	return out, nil
}

// otherThan gives what is said of a thing that this law does not fix; "" when a clause
// names none, or names beside it what the law does fix.
func (c *Calc) otherThan(words []string, named bool) string {
	match := func(list []pack.Pattern) bool {
		for _, p := range list {
			if p.Match(words) {
				return true
			}
		}
		return false
	}
	for _, o := range c.others {
		if match(o.what) && !match(o.unless) && !(o.unlessFee && named) {
			return o.reply
		}
	}
	return ""
}
