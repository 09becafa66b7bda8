package ask

import (
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
	norm, unit string
	detail     string // paragraph or letter asked for, as written
}

// intent is a question read: what it asks for and what it names.
type intent struct {
	scope
	text     string // the question without its refused parts
	classes  []string
	remarks  []string // fixed sentences of refused parts
	mentions []cite.Mention
	exact    []place            // units named, in order
	norms    []string           // installed norms recognised
	absent   []absent           // named, not installed
	struck   string             // the text without the names of norms
	also     []string           // synonyms
	stands   []pack.Alternative // synonyms and words of the law, with the words of the question that they stand for
	lay      []string           // words of the law for those of the street
	terms    []string           // words of the law for the concepts of the glossary that it names, for the search alone
	territory
	tiers  []pack.Tier
	parts  []string         // questions of their own that the text asks; nil = one
	result *pack.ToolResult // of the pack's calculator
	done   *ending
	unless *ending // what ends the question unless the digest is sure of a place that answers it

	vectors map[string][]float32 // of the texts searched, for RecipeCollections
	trace   []digesto.TraceStep  // what each stage did
	queries []string             // searches beside the question
	faults  []string             // models that failed and were stood in for
}

// absent is a norm or unit that the question names and that is not there.
type absent struct {
	name string // as the question writes it
	norm string // id, when known
	unit string // id of the unit; "" = the norm as a whole
}

func (i intent) ended() draft {
	return draft{grounds: grounds{hits: hits{intent: i}}, end: i.done}
}

// classify runs the pack's rules, its calculators and the reading of citations.
func (e *Reader) classify(ctx context.Context, s scope) (intent, error) {
	if _, reads := s.pack.Prompt(promptInitial); reads && s.reading == "" {
		s.reading = promptInitial
	}
	if err := s.narrow(); err != nil {
		return intent{scope: s}, err
	}
	if s.q.Territory != "" {
		if _, err := s.territoryNamed(); err != nil {
			return intent{scope: s}, err
		}
	}
	e.logPrompt(ctx, s)
	asked := pack.ToolQuestion{Text: s.q.Text, Today: s.asOf()}
	if verify.Foreign(s.said) {
		return intent{scope: s, done: &ending{outcome: digesto.OutcomeReformulate, text: s.pack.Say("foreign")}}, nil
	}
	if s.settled != nil {
		return intent{scope: s, done: s.settled}, nil
	}
	if s.read.Move == dialogue.MoveTalk {
		return intent{scope: s, done: s.smallTalk()}, nil
	}
	c := s.pack.Classify(asked)
	if d, ok := s.pack.Detect(s.read.Text); ok && s.read.About != nil && (d.Outcome == digesto.OutcomeOutOfScope || d.Outcome == digesto.OutcomeNonLegal) { // whatever its subject
		c = s.pack.Classify(pack.ToolQuestion{Text: s.read.Text, Today: asked.Today})
	}
	if c.Outcome != "" {
		end := &ending{outcome: c.Outcome, text: c.Reply, notes: c.Notes, classes: c.Classes}
		if yields[c.Outcome] && len(sentence.Split(s.q.Text)) > 1 {
			i := e.read(s, s.q.Text)
			i.classes, i.unless = c.Classes, end
			return i, nil
		}
		return intent{scope: s, classes: c.Classes, done: end}, nil
	}
	question := s.q.Text
	if s.reading != "" {
		question = s.pack.Core(question)
	}
	if s.reading == promptFollowup {
		question = s.pack.Trim(question)
	}
	if c.Rest != "" && c.Rest != s.q.Text {
		question = c.Rest
	}
	i := e.read(s, question)
	i.classes, i.remarks = c.Classes, append(i.remarks, c.Notes...)
	i.tiers = tiers(s.pack, c.Classes)
	if len(s.branches) > 1 {
		i.parts = s.branches
		return i, nil
	}
	if len(c.Parts) > 1 && len(c.Parts) <= maxParts {
		i.parts = c.Parts
		return i, nil
	}
	asked.Text = question
	err := i.calculate(ctx, asked)
	if err != nil {
		return i, err
	}
	if len(s.pack.Filter) > 0 && i.result == nil { // the name of a service may be that of a law: "amparo"
		if i.done = i.outside(); i.done != nil {
			return i, nil
		}
	}
	if i.result != nil || len(i.exact) > 0 {
		return i, nil
	}
	if i, err = e.askBack(ctx, s, i, question); err != nil {
		return i, err
	}
	return e.understood(ctx, s, i), nil
}

// smallTalk answers what is no question of law, by the pack's own rule where it has one.
func (s scope) smallTalk() *ending {
	end := &ending{outcome: digesto.OutcomeNonLegal, text: "Aquí sigo: si le queda otra duda de ley, escríbala."}
	if d, ok := s.pack.Detect(s.said); ok && d.Outcome == digesto.OutcomeNonLegal {
		end.text, end.classes = d.Reply, []string{d.Name}
	}
	return end
}

// yields are the endings of words that a story may hold by the way ("vine de Rusia", "mi
// ventana", "¿qué hago?"): where more is told than one sentence, a place that answers
// surely goes before them.
var yields = map[digesto.Outcome]bool{digesto.OutcomeOutOfScope: true, digesto.OutcomeAdvice: true, digesto.OutcomeNonLegal: true}

// outside ends a question that names law only from beyond the pack's mandatory
// filter, with the sentence that the pack has for that.
func (i intent) outside() *ending {
	named := i.norms
	for _, p := range i.exact {
		named = append(slices.Clone(named), p.norm)
	}
	var first digesto.Norm
	for _, id := range named {
		n, ok := i.installed(id)
		if !ok || i.pack.Admits(n) {
			return nil
		}
		first = n
	}
	if first.ID == "" {
		return nil
	}
	end := &ending{outcome: digesto.OutcomeOutOfScope, notes: []string{"«" + nonEmpty(first.Short, first.Title) + "» queda fuera del ámbito de «" + i.pack.Title + "»: pregunte sin este paquete o con otro."}}
	for _, c := range i.pack.Classes {
		if c.Outcome == digesto.OutcomeOutOfScope {
			end.text, end.classes = c.Reply, []string{c.Name}
		}
	}
	end.text = nonEmpty(end.text, "Esa norma no es de «"+i.pack.Title+"».")
	return end
}

// calculate lets the pack's tools take the question.
func (i *intent) calculate(ctx context.Context, q pack.ToolQuestion) error {
	for _, t := range i.pack.Tools {
		call, ok := t.Detect(q)
		if !ok {
			continue
		}
		r, err := t.Calculate(ctx, call)
		if err != nil {
			return err
		}
		i.result = &r
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
