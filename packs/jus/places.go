package jus

import (
	_ "embed"
	"slices"
	"strings"

	"digesto/pack"
	"digesto/packs/jus/fees"
)

//go:embed data/places.tsv
var embeddedPlaces []byte

type place struct {
	words []string
	other bool // another jurisdiction
	weak  bool
}

// placeFound is a place named in a question: words[from:to].
type placeFound struct {
	from, to int
	other    bool
	home     bool // only where somebody lives or comes from
}

func readPlaces(data []byte) ([]place, error) {
	list, lines, err := fees.Rows("places.tsv", data, "name", "kind", "weak")
	if err != nil {
		return nil, err
	}
	var out []place
	for i, r := range list {
		if r[1] != "other" && r[1] != "local" || r[2] != "" && r[2] != "weak" {
			return nil, fees.Invalid("Use «other» o «local», y «weak» o nada.", "places.tsv:%d: clase desconocida", lines[i])
		}
		out = append(out, place{pack.Words(r[0]), r[1] == "other", r[2] == "weak"})
	}
	return out, nil
}

// find gives the places that a question names, longest first at each word.
func findPlaces(places []place, words []string) []placeFound {
	var out []placeFound
	for i := 0; i < len(words); {
		best := -1
		for k, p := range places {
			if startsWith(words[i:], p.words) && (best < 0 || len(p.words) > len(places[best].words)) {
				best = k
			}
		}
		if best < 0 {
			i++
			continue
		}
		p := places[best]
		if !namesStreet(words, i) && (!p.weak || afterPreposition(words, i)) {
			out = append(out, placeFound{i, i + len(p.words), p.other, p.other && residence(words, i)})
		}
		i += len(p.words)
	}
	return out
}

// decide gives the places that decide what is asked about: where somebody only lives does
// not move the case to its courts, unless the question means just that place ("soy de …,
// ¿cuánto sale allá?"). before is the last place of the clauses before.
func decide(found []placeFound, before *placeFound, words []string) (out []placeFound, last *placeFound) {
	last = before
	for i := range found {
		last = &found[i]
	}
	there := last != nil && last.other && slices.ContainsFunc(words, func(w string) bool { return w == "alla" || w == "alli" })
	for _, p := range found {
		if !p.home || there && !slices.ContainsFunc(found, func(o placeFound) bool { return !o.other }) {
			out = append(out, p)
		}
	}
	if len(found) == 0 && there {
		out = append(out, placeFound{other: true})
	}
	return out, last
}

func startsWith(words, prefix []string) bool {
	if len(words) < len(prefix) {
		return false
	}
	for i, p := range prefix {
		if words[i] != p {
			return false
		}
	}
	return true
}

var streetWords = set(`calle calles avenida av avda boulevard bv bulevar pasaje ruta barrio plaza colegio escuela hospital clinica
	doctor doctora dr dra senor senora sr sra juan jose maria pedro ana luis carlos cuentas cuenta gastos precios fecha pesos
	club banco edificio`)

// namesStreet says whether the place is the name of a street, a person or the like.
func namesStreet(words []string, i int) bool {
	for k := i - 1; k >= 0 && k >= i-3; k-- {
		if streetWords[words[k]] {
			return true
		}
		if !set("de del la el en a al y")[words[k]] {
			return false
		}
	}
	return false
}

// afterPreposition says whether a weak name stands where a place stands.
func afterPreposition(words []string, i int) bool {
	if i == 0 {
		return false
	}
	switch words[i-1] {
	case "en", "de", "para", "desde", "provincia", "a", "y", "o", "con":
		return i == 1 || words[i-1] != "a" || !set("frente junto")[words[i-2]]
	}
	return false
}

var residenceWords = set(`soy somos cliente clienta clientes vive vivo viven viviendo reside resido domicilio domiciliado domiciliada naci nacio
	nacido nacida oriundo oriunda mudo mude mudarme viajo viaja trabaja trabajo casaron casamos caso case actor actora demandado demandada
	matriculado parientes hermano hermana hijo hija madre padre testigo perito`)

// residence says whether a place is only where somebody lives or comes from:
// that does not move the case to its courts.
func residence(words []string, i int) bool {
	for k := i - 1; k >= 0 && k >= i-4; k-- {
		if residenceWords[words[k]] {
			return true
		}
		if set("juicio proceso causa expediente litigo litigio tramito tramite tribunal tribunales demanda jus valor honorarios provincia")[words[k]] {
			return false
		}
	}
	return false
}

func set(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}
