package ask

// territory is the place that narrows which law applies, and the wider ones it
// lies in, narrowest first.
type territory struct {
	codes []string
	name  string // as the gazetteer has it; "" when the caller names the place
}

// territoryOf takes the place that the caller names, or that the question does.
func territoryOf(s scope, question string) territory {
	if s.q.Territory != "" {
		return territory{codes: wider(s.q.Territory)}
	}
	t, ok := s.pack.Territories.Detect(question)
	if !ok {
		return territory{}
	}
	codes := wider(t.Code)
	if t.Region != "" && t.Region != t.Code {
		codes = append(codes, t.Region)
	}
	return territory{codes, t.Name}
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
