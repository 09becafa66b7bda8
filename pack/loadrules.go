package pack

import (
	"go.yaml.in/yaml/v3"

	"digesto"
)

type rulesFile struct {
	Fillers     []string          `yaml:"fillers"`
	Phrases     map[string]string `yaml:"phrases"`
	Classes     []rawClass        `yaml:"classes"`
	Detectors   []rawDetector     `yaml:"detectors"`
	Ambiguities []rawAmbiguity    `yaml:"ambiguities"`
	Assumptions []rawAssumption   `yaml:"assumptions"`
	Signals     []rawSignal       `yaml:"signals"`
	Urgent      []rawUrgent       `yaml:"urgent"`
}

type rawClass struct {
	Name    string `yaml:"name"`
	Title   string `yaml:"title"`
	Tiers   []Tier `yaml:"tiers"`
	Tool    string `yaml:"tool"`
	Outcome string `yaml:"outcome"`
	Reply   string `yaml:"reply"`
}

type rawDetector struct {
	Name     string   `yaml:"name"`
	Outcome  string   `yaml:"outcome"`
	Reply    string   `yaml:"reply"`
	When     []string `yaml:"when"`
	Unless   []string `yaml:"unless"`
	Examples []string `yaml:"examples"`
	Near     []string `yaml:"near_misses"`

	line int
}

// UnmarshalYAML keeps the line.
func (r *rawDetector) UnmarshalYAML(n *yaml.Node) error {
	type plain rawDetector
	err := strict(n, (*plain)(r))
	r.line = n.Line
	return err
}

type rawAmbiguity struct {
	Topics   []string `yaml:"topics"`
	Question string   `yaml:"question"`
	Options  []Option `yaml:"options"`

	line int
}

// UnmarshalYAML keeps the line.
func (r *rawAmbiguity) UnmarshalYAML(n *yaml.Node) error {
	type plain rawAmbiguity
	err := strict(n, (*plain)(r))
	r.line = n.Line
	return err
}

type rawAssumption struct {
	Topics []string `yaml:"topics"`
	Query  string   `yaml:"query"`
}

type rawSignal struct {
	Kind     string   `yaml:"kind"`
	Weight   float64  `yaml:"weight"`
	Patterns []string `yaml:"patterns"`
}

func (r *reader) rules(p *Pack, names []string) {
	for _, n := range r.names(names) {
		var f rulesFile
		file, line, ok := r.yaml(n, &f)
		if !ok {
			continue
		}
		for _, w := range f.Fillers {
			p.fill[key(w)] = true
		}
		for name, say := range f.Phrases {
			if _, ok := sayings[name]; !ok || say == "" {
				r.fail(file, line("phrases", name), "no hay ninguna frase «%s», o está vacía", name)
			}
			p.Phrases[name] = say
		}
		for i, c := range f.Classes {
			if c.Name == "" || !outcome(c.Outcome) {
				r.fail(file, line("classes", i), "una clase necesita «name» y, si lo tiene, un «outcome» conocido")
			}
			p.Classes = append(p.Classes, Class{c.Name, c.Title, c.Tiers, c.Tool, digesto.Outcome(c.Outcome), c.Reply})
		}
		for i, d := range f.Detectors {
			r.detector(p, file, d, func(at ...any) int { return line(append([]any{"detectors", i}, at...)...) })
		}
		for i, u := range f.Urgent {
			r.urgent(p, file, u, func(at ...any) int { return line(append([]any{"urgent", i}, at...)...) })
		}
		for _, a := range f.Ambiguities {
			r.ambiguity(p, file, a.line, a)
		}
		for i, x := range f.Assumptions {
			if len(x.Topics) == 0 || x.Query == "" {
				r.fail(file, line("assumptions", i), "un supuesto necesita «topics» y «query»")
			}
			p.Assumptions = append(p.Assumptions, newAmbiguity(x.Topics, "", []Option{{Label: x.Query, Query: x.Query}}))
		}
		for i, s := range f.Signals {
			if s.Kind == "" || s.Weight == 0 {
				r.fail(file, line("signals", i), "una señal necesita «kind» y un «weight» distinto de cero")
			}
			for k, pt := range r.patterns(file, s.Patterns, func(k int) int { return line("signals", i, "patterns", k) }) {
				_ = k
				p.Signals = append(p.Signals, Signal{s.Kind, s.Weight, pt})
			}
		}
	}
}

func (r *reader) detector(p *Pack, file string, d rawDetector, line func(...any) int) {
	if d.Name == "" || d.Outcome == "" || d.Reply == "" || !outcome(d.Outcome) {
		r.fail(file, d.line, "un detector necesita «name», «outcome» conocido y «reply»")
	}
	p.at.detectors = append(p.at.detectors, place{file, d.line})
	p.Detectors = append(p.Detectors, Detector{
		Name: d.Name, Outcome: digesto.Outcome(d.Outcome), Reply: d.Reply,
		When:     r.patterns(file, d.When, func(k int) int { return line("when", k) }),
		Unless:   r.patterns(file, d.Unless, func(k int) int { return line("unless", k) }),
		Examples: d.Examples, Near: d.Near,
	})
}

func (r *reader) ambiguity(p *Pack, file string, line int, a rawAmbiguity) {
	if len(a.Topics) == 0 || a.Question == "" || len(a.Options) < 2 {
		r.fail(file, line, "una ambigüedad necesita «topics», «question» y dos o más «options»")
	}
	for _, o := range a.Options {
		if o.Label == "" || o.Query == "" {
			r.fail(file, line, "una opción necesita «label» y «query»")
		}
	}
	p.at.ambiguities = append(p.at.ambiguities, place{file, line})
	p.Ambiguities = append(p.Ambiguities, newAmbiguity(a.Topics, a.Question, a.Options))
}

func (r *reader) patterns(file string, list []string, line func(int) int) []Pattern {
	var out []Pattern
	for k, s := range list {
		pt, err := ParsePattern(s)
		if err != nil {
			r.fail(file, line(k), "%s", err.Error())
			continue
		}
		out = append(out, pt)
	}
	return out
}

// outcome says whether a word of the manifest is an outcome, or none.
func outcome(s string) bool {
	_, ok := digesto.Outcomes[digesto.Outcome(s)]
	return ok || s == ""
}

// collections reads the patterns of the questions that ask for a collection.
func (r *reader) collections(p *Pack) {
	for k, c := range p.Collections {
		for _, a := range c.Asks {
			pt, err := ParsePattern(a)
			if err != nil {
				r.fail("pack.yaml", 0, "colección «%s»: «%s»: %v", c.Name, a, err)
				continue
			}
			p.Collections[k].asks = append(p.Collections[k].asks, pt)
		}
	}
}
