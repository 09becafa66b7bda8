package query

import (
	"cmp"
	"context"
	"slices"

	"digesto"
	"digesto/dialogue"
	"digesto/pack"
	"digesto/text/cite"
	"digesto/text/sentence"
	"digesto/verify"
)

// place is a unit named in the question and found.
type place struct {
	Norm, Unit string
	Detail     string // paragraph or letter asked for, as written
}

// Intent is a question read: what it asks for and what it names.
type Intent struct {
	Scope
	Text     string // the question without its refused parts
	Classes  []string
	Remarks  []string // fixed sentences of refused parts
	Lacking  bool     // it asks for a collection by name in which nothing is installed
	Mentions []cite.Mention
	Exact    []place            // units named, in order
	Norms    []string           // installed norms recognised
	Absent   []Absent           // named, not installed
	Struck   string             // the text without the names of norms
	Also     []string           // synonyms
	Stands   []pack.Alternative // synonyms and words of the law, with the words of the question that they stand for
	Lay      []string           // words of the law for those of the street
	Terms    []string           // words of the law for the concepts of the glossary that it names, for the search alone
	Territory
	Tiers  []pack.Tier
	Parts  []string         // questions of their own that the text asks; nil = one
	Result *pack.ToolResult // of the pack's calculator
	Done   *Ending
	Unless *Ending // what ends the question unless the digest is sure of a place that answers it

	Vectors map[string][]float32 // of the texts searched, for RecipeCollections
	Trace   []digesto.TraceStep  // what each stage did
	Queries []string             // searches beside the question
	Faults  []string             // models that failed and were stood in for
}

// Absent is a norm or unit that the question names and that is not there.
type Absent struct {
	Name string // as the question writes it
	Norm string // id, when known
	Unit string // id of the unit; "" = the norm as a whole
}

// Classify runs the pack's rules, its calculators and the reading of citations.
func (e *Reader) Classify(ctx context.Context, s Scope) (Intent, error) {
	if _, reads := s.Pack.Prompt(promptInitial); reads && s.Reading == "" {
		s.Reading = promptInitial
	}
	if err := s.narrow(); err != nil {
		return Intent{Scope: s}, err
	}
	if s.Q.Territory != "" {
		if _, err := s.territoryNamed(); err != nil {
			return Intent{Scope: s}, err
		}
	}
	e.logPrompt(ctx, s)
	asked := pack.ToolQuestion{Text: s.Q.Text, Today: s.AsOf()}
	if verify.Foreign(s.Said) {
		return Intent{Scope: s, Done: &Ending{Outcome: digesto.OutcomeReformulate, Text: s.Pack.Say("foreign")}}, nil
	}
	if s.Settled != nil {
		return Intent{Scope: s, Done: s.Settled}, nil
	}
	if s.Read.Move == dialogue.MoveTalk {
		return Intent{Scope: s, Done: s.smallTalk()}, nil
	}
	c := s.Pack.Classify(asked)
	if s.Read.About != nil && s.Read.Text != "" { // what was told before is not asked again
		d, ok := s.Pack.Detect(s.Read.Text)
		if ok && (d.Outcome == digesto.OutcomeOutOfScope || d.Outcome == digesto.OutcomeNonLegal) || !ok && yields[c.Outcome] {
			c = s.Pack.Classify(pack.ToolQuestion{Text: s.Read.Text, Today: asked.Today})
			c.Rest = "" // what is looked for stays the question made whole
		}
	}
	if c.Outcome != "" {
		end := &Ending{Outcome: c.Outcome, Text: c.Reply, Notes: c.Notes, Classes: c.Classes}
		if yields[c.Outcome] && (len(sentence.Split(s.Q.Text)) > 1 || c.Outcome == digesto.OutcomeAdvice && tells(s.Q.Text)) {
			i := e.Read(s, s.Q.Text)
			i.Classes, i.Unless = c.Classes, end
			return i, nil
		}
		return Intent{Scope: s, Classes: c.Classes, Done: end}, nil
	}
	question := s.Q.Text
	if s.Reading != "" {
		question = s.Pack.Core(question)
	}
	if s.Reading == PromptFollowup {
		question = s.Pack.Trim(question)
	}
	if c.Rest != "" && c.Rest != s.Q.Text {
		question = c.Rest
	}
	i := e.Read(s, question)
	i.Classes, i.Remarks = c.Classes, append(i.Remarks, c.Notes...)
	i.Tiers = tiers(s.Pack, c.Classes)
	if len(s.Branches) > 1 {
		i.Parts = s.Branches
		return i, nil
	}
	if len(c.Parts) > 1 && len(c.Parts) <= MaxParts {
		i.Parts = c.Parts
		return i, nil
	}
	asked.Text = question
	err := i.calculate(ctx, asked)
	if err != nil {
		return i, err
	}
	if len(s.Pack.Filter) > 0 && i.Result == nil { // the name of a service may be that of a law: "amparo"
		if i.Done = i.outside(); i.Done != nil {
			return i, nil
		}
	}
	if i.Result != nil || len(i.Exact) > 0 {
		return i, nil
	}
	if i, err = e.askBack(ctx, s, i, question); err != nil {
		return i, err
	}
	return e.understood(ctx, s, i), nil
}

// tells says that a text tells a case beside what it asks, in the same sentence: what is best is
// asked of something.
func tells(text string) bool {
	asked := sentence.Asked(text)
	return asked != "" && len(pack.Words(text))-len(pack.Words(asked)) >= dialogue.MatterWords
}

// smallTalk answers what is no question of law, by the pack's own rule where it has one.
func (s Scope) smallTalk() *Ending {
	end := &Ending{Outcome: digesto.OutcomeNonLegal, Text: "Aquí sigo: si le queda otra duda de ley, escríbala."}
	if d, ok := s.Pack.Detect(s.Said); ok && d.Outcome == digesto.OutcomeNonLegal {
		end.Text, end.Classes = d.Reply, []string{d.Name}
	}
	return end
}

// yields are the endings of words that a story may hold by the way ("vine de Rusia", "mi
// ventana", "¿qué hago?"): where more is told than one sentence, a place that answers
// surely goes before them.
var yields = map[digesto.Outcome]bool{digesto.OutcomeOutOfScope: true, digesto.OutcomeAdvice: true, digesto.OutcomeNonLegal: true}

// outside ends a question that names law only from beyond the pack's mandatory
// filter, with the sentence that the pack has for that.
func (i Intent) outside() *Ending {
	named := i.Norms
	for _, p := range i.Exact {
		named = append(slices.Clone(named), p.Norm)
	}
	var first digesto.Norm
	for _, id := range named {
		n, ok := i.Installed(id)
		if !ok || i.Pack.Admits(n) {
			return nil
		}
		first = n
	}
	if first.ID == "" {
		return nil
	}
	end := &Ending{Outcome: digesto.OutcomeOutOfScope, Notes: []string{"«" + cmp.Or(first.Short, first.Title) + "» queda fuera del ámbito de «" + i.Pack.Title + "»: pregunte sin este paquete o con otro."}}
	for _, c := range i.Pack.Classes {
		if c.Outcome == digesto.OutcomeOutOfScope {
			end.Text, end.Classes = c.Reply, []string{c.Name}
		}
	}
	end.Text = cmp.Or(end.Text, "Esa norma no es de «"+i.Pack.Title+"».")
	return end
}

// calculate lets the pack's tools take the question.
func (i *Intent) calculate(ctx context.Context, q pack.ToolQuestion) error {
	for _, t := range i.Pack.Tools {
		call, ok := t.Detect(q)
		if !ok {
			continue
		}
		r, err := t.Calculate(ctx, call)
		if err != nil {
			return err
		}
		i.Result = &r
		return nil
	}
	return nil
}

// tiers gives the collections that the classes search, in order, each once.
func tiers(p *pack.Pack, classes []string) []pack.Tier {
	var out []pack.Tier
	for _, name := range classes {
		c, ok := p.Class(name)
		if !ok {
			continue
		}
		for _, t := range c.Tiers {
			if !slices.ContainsFunc(out, func(o pack.Tier) bool { return o.Collection == t.Collection }) {
				out = append(out, t)
			}
		}
	}
	return out
}
