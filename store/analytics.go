package store

import (
	"cmp"
	"math"
	"slices"
)

// Analytics are counts over runs.
type Analytics struct {
	Questions     int            `json:"questions"`
	Types         map[string]int `json:"types"`
	Days          []Day          `json:"days"`
	Clarification float64        `json:"clarification_rate"`
	Unanswered    []Topic        `json:"unanswered_topics"` // most frequent first, at most 20
	Variants      []Variant      `json:"prompt_versions"`
}

// Day counts one day, in UTC.
type Day struct {
	Date  string         `json:"date"`
	Types map[string]int `json:"types"`
}

// Topic is a question that found no answer.
type Topic struct {
	Topic string `json:"topic"`
	Count int    `json:"count"`
}

// Variant compares the versions of a prompt: how often they ask back and how
// often the follow-up is then answered, each with its 95 % confidence interval.
type Variant struct {
	Prompt        string `json:"prompt"`
	Version       string `json:"version"`
	Questions     int    `json:"questions"`
	Clarification Share  `json:"clarification_rate"`
	Success       Share  `json:"answer_rate"`
}

// Share is a proportion with its confidence interval.
type Share struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Wilson gives a proportion with its 95 % interval (E. B. Wilson, 1927).
func Wilson(k, n int) Share {
	if n == 0 {
		return Share{0, 0, 1}
	}
	const z = 1.959964
	p, m := float64(k)/float64(n), float64(n)
	mid, half := (p+z*z/(2*m))/(1+z*z/m), z/(1+z*z/m)*math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return Share{p, max(0, mid-half), min(1, mid+half)}
}

// Analyse counts runs.
func Analyse(runs []Run) Analytics {
	a := Analytics{Questions: len(runs), Types: map[string]int{}, Days: []Day{}, Unanswered: []Topic{}, Variants: []Variant{}}
	days, topics := map[string]map[string]int{}, map[string]int{}
	type pv struct{ prompt, version string }
	seen, asked, answered := map[pv]int{}, map[pv]int{}, map[pv]int{}
	for _, r := range runs {
		a.Types[r.Type]++
		d := r.At.UTC().Format("2006-01-02")
		if days[d] == nil {
			days[d] = map[string]int{}
		}
		days[d][r.Type]++
		if r.Type == "refusal" && r.Topic != "" {
			topics[r.Topic]++
		}
		if r.Prompt == "" {
			continue
		}
		v := pv{r.Prompt, r.Variant}
		seen[v]++
		switch r.Type {
		case "clarification":
			asked[v]++
		case "answer":
			answered[v]++
		}
	}
	for d, t := range days {
		a.Days = append(a.Days, Day{d, t})
	}
	slices.SortFunc(a.Days, func(x, y Day) int { return cmp.Compare(x.Date, y.Date) })
	for t, n := range topics {
		a.Unanswered = append(a.Unanswered, Topic{t, n})
	}
	slices.SortFunc(a.Unanswered, func(x, y Topic) int { return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Topic, y.Topic)) })
	a.Unanswered = a.Unanswered[:min(20, len(a.Unanswered))]
	for v, n := range seen {
		a.Variants = append(a.Variants, Variant{v.prompt, v.version, n, Wilson(asked[v], n), Wilson(answered[v], n)})
	}
	slices.SortFunc(a.Variants, func(x, y Variant) int {
		return cmp.Or(cmp.Compare(x.Prompt, y.Prompt), cmp.Compare(x.Version, y.Version))
	})
	if a.Questions > 0 {
		a.Clarification = float64(a.Types["clarification"]) / float64(a.Questions)
	}
	return a
}
