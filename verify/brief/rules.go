package brief

import "sort"

// RuleUsed is a rule with its weight and how often it decided.
type RuleUsed struct {
	Rule   string `json:"rule"`
	Weight int    `json:"weight"`
	Fired  int    `json:"fired"`
}

// RulesUsed lists rules by how often they decided.
func RulesUsed(fired map[string]int) []RuleUsed {
	var out []RuleUsed
	for name, n := range fired {
		out = append(out, RuleUsed{Rule: name, Fired: n})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Rule < out[j].Rule })
	return out
}
