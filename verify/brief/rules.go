package brief

import "sort"

// RuleUsed is a rule that links quotations to citations, with its weight and how often it decided.
type RuleUsed struct {
	Rule   string `json:"rule"`
	Weight int    `json:"weight"`
	Fired  int    `json:"fired"`
}

// RulesUsed lists the rules by their weights, also those that never decided.
func RulesUsed(fired map[string]int) []RuleUsed {
	var out []RuleUsed
	for _, r := range linkRules {
		out = append(out, RuleUsed{r.name, r.weight, fired[r.name]})
	}
	sort.SliceStable(out, func(i, k int) bool { return out[i].Weight > out[k].Weight })
	return out
}
