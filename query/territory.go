package query

import (
	"slices"
	"strings"

	"digesto"
	"digesto/pack"
)

// Territory is the place that narrows which law applies, and the wider ones it
// lies in, narrowest first.
type Territory struct {
	Codes []string
	Name  string // as the gazetteer has it; "" when the caller names the place
}

// territoryOf takes the place that the caller names, or that the question does.
func territoryOf(s Scope, question string) Territory {
	if s.Q.Territory != "" {
		t, _ := s.territoryNamed()
		return t
	}
	t, ok := s.Pack.Territories.Detect(question)
	if !ok {
		return Territory{}
	}
	return around(t)
}

// around is a place of a gazetteer with those that it lies in.
func around(t pack.Territory) Territory {
	codes := wider(t.Code)
	if t.Region != "" && t.Region != t.Code {
		codes = append(codes, t.Region)
	}
	return Territory{codes, t.Name}
}

// territoryNamed is the place that the caller names, by its name or code: one that the pack
// knows, or another of the same country, or for which there is law. A place that nobody
// knows is an error: the law of everywhere, given for it in silence, might not be its own.
func (s Scope) territoryNamed() (Territory, error) {
	named := strings.TrimSpace(s.Q.Territory)
	for _, p := range slices.Concat([]*pack.Pack{s.Pack}, s.Packs) {
		if digesto.Country(p.Jurisdiction()) != digesto.Country(s.Pack.Jurisdiction()) {
			continue
		}
		if t, ok := p.Territory(named); ok {
			return around(t), nil
		}
	}
	codes := wider(named)
	if s.Law.Snapshot != nil {
		for n := range s.Law.Snapshot.Each() {
			if n.Territory != "" && slices.Contains(codes, n.Territory) {
				return Territory{Codes: codes}, nil
			}
		}
	}
	return Territory{}, &digesto.Error{Code: digesto.CodeInvalid, Message: "El paquete «" + s.Pack.Name + "» no conoce el territorio «" + named + "»",
		Hint: "Escriba el nombre de una comunidad, una provincia o una ciudad, o su código como en «digesto corpus list»; o pregunte sin territorio."}
}

// wider gives a code and those it begins with: "xx-yy/z" → itself, "xx-yy".
func wider(code string) []string {
	out := []string{code}
	for k := len(code) - 1; k > 0; k-- {
		if code[k] == '/' {
			out = append(out, code[:k])
		}
	}
	return out
}
