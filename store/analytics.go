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
	Trials        []Comparison   `json:"comparisons"` // of every two versions of a prompt
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

// Variant is how a version of a prompt does: how often it asks back, how often
// it answers, and how often a conversation that it asked back gets its answer in
// the next turn. One that went no further counts as not answered.
type Variant struct {
	Prompt         string `json:"prompt"`
	Version        string `json:"version"`
	Questions      int    `json:"questions"`
	Clarifications int    `json:"clarifications"`
	Clarification  Share  `json:"clarification_rate"`
	Success        Share  `json:"answer_rate"`
	FollowUp       Share  `json:"follow_up_success"` // of Clarifications

	answered, followed int
}

// Comparison is version B of a prompt less version A.
type Comparison struct {
	Prompt        string     `json:"prompt"`
	A             string     `json:"a"`
	B             string     `json:"b"`
	Clarification Difference `json:"clarification_rate"`
	FollowUp      Difference `json:"follow_up_success"`
}

// Difference of two proportions with its 95 % interval.
type Difference struct {
	Share
	Sure bool `json:"significant"` // the interval leaves 0 out
}

// Differ gives the difference of two proportions, k of n less j of m, with its
// interval (R. G. Newcombe, Statistics in Medicine 17, 1998, method 10).
func Differ(k, n, j, m int) Difference {
	a, b := Wilson(k, n), Wilson(j, m)
	d := a.Value - b.Value
	low := d - math.Hypot(a.Value-a.Low, b.High-b.Value)
	high := d + math.Hypot(a.High-a.Value, b.Value-b.Low)
	return Difference{Share{d, max(-1, low), min(1, high)}, n > 0 && m > 0 && (low > 0 || high < 0)}
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

// Analyse counts runs, which stand in order of time.
func Analyse(runs []Run) Analytics {
	a := Analytics{Questions: len(runs), Types: map[string]int{}, Days: []Day{}, Unanswered: []Topic{}}
	days, topics := map[string]map[string]int{}, map[string]int{}
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
	a.Variants = variants(runs)
	a.Trials = comparisons(a.Variants)
	if a.Questions > 0 {
		a.Clarification = float64(a.Types["clarification"]) / float64(a.Questions)
	}
	return a
}

// variants counts the versions of the prompts, by prompt and version.
func variants(runs []Run) []Variant {
	type key struct{ prompt, version string }
	seen := map[key]*Variant{}
	pending := map[string]*Variant{} // by conversation: who asked back in its last turn
	for _, r := range runs {
		if v := pending[r.Conversation]; v != nil {
			delete(pending, r.Conversation)
			if r.Type == "answer" {
				v.followed++
			}
		}
		if r.Prompt == "" {
			continue
		}
		k := key{r.Prompt, r.Variant}
		v := seen[k]
		if v == nil {
			v = &Variant{Prompt: r.Prompt, Version: r.Variant}
			seen[k] = v
		}
		v.Questions++
		switch r.Type {
		case "clarification":
			v.Clarifications++
			pending[r.Conversation] = v
		case "answer":
			v.answered++
		}
	}
	out := make([]Variant, 0, len(seen))
	for _, v := range seen {
		v.Clarification, v.Success, v.FollowUp = Wilson(v.Clarifications, v.Questions), Wilson(v.answered, v.Questions), Wilson(v.followed, v.Clarifications)
		out = append(out, *v)
	}
	slices.SortFunc(out, func(x, y Variant) int {
		return cmp.Or(cmp.Compare(x.Prompt, y.Prompt), cmp.Compare(x.Version, y.Version))
	})
	return out
}

// comparisons sets every two versions of a prompt beside each other.
func comparisons(list []Variant) []Comparison {
	out := []Comparison{}
	for i, a := range list {
		for _, b := range list[i+1:] {
			if a.Prompt != b.Prompt {
				continue
			}
			out = append(out, Comparison{a.Prompt, a.Version, b.Version,
				Differ(b.Clarifications, b.Questions, a.Clarifications, a.Questions), Differ(b.followed, b.Clarifications, a.followed, a.Clarifications)})
		}
	}
	return out
}
