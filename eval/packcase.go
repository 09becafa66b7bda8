package eval

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"digesto"
)

// Kind of a pack's case: by what it is measured.
type CaseKind string

// The kinds of cases.
const (
	KindAnswer      CaseKind = "answer"      // a question to answer: facts, articles
	KindRefusal     CaseKind = "refusal"     // a question that must not be answered
	KindInjection   CaseKind = "injection"   // an attempt to turn the program
	KindRetrieval   CaseKind = "retrieval"   // the unit that answers, among those found
	KindDialogue    CaseKind = "dialogue"    // a scripted conversation
	KindClass       CaseKind = "class"       // what the rules understand
	KindCalculation CaseKind = "calculation" // figures of a calculator
	KindTemporal    CaseKind = "temporal"    // one question as of several days
	KindTerritory   CaseKind = "territory"   // the place that a phrase names, or none
)

// PackCase is one line of a pack's eval/*.jsonl. One line may hold several kinds
// (a calculation has its classes too). Fields that a kind does not use are empty.
type PackCase struct {
	ID        string            `json:"_id"`
	Kind      string            `json:"kind"`     // category of the file's author, or one of the kinds
	Category  string            `json:"category"` // overrides it
	Pack      string            `json:"pack"`
	Question  string            `json:"question"`
	Text      string            `json:"text"` // instead of question, as BEIR has it
	AsOf      digesto.Date      `json:"as_of"`
	Today     digesto.Date      `json:"today"`
	Expect    *packExpect       `json:"expect"`
	History   []digesto.Message `json:"history"`
	Territory *string           `json:"territory"` // code that the phrase names; "" = none: a trap
	Norm      string            `json:"norm"`      // of the unit that answers
	Unit      string            `json:"unit"`
	Law       string            `json:"law"`   // of a unit that answers
	Fiche     string            `json:"fiche"` // embedded guide that answers
	Section   string            `json:"section"`
	Classes   []string          `json:"classes"`
	Function  string            `json:"function"`
	Args      map[string]string `json:"args"`
	Items     []string          `json:"items"`
	From      *string           `json:"from"`
	To        *string           `json:"to"`
	Low       *string           `json:"low"`
	High      *string           `json:"high"`
	Differ    *string           `json:"difference"`
	Turns     []DialogueTurn    `json:"turns"`
	At        []packDay         `json:"at"`

	file string
}

// packExpect is what an answer is held against; as a string, the outcome alone.
type packExpect struct {
	Outcome  string   `json:"outcome"`
	Document string   `json:"document"`
	Unit     string   `json:"unit"`
	Contains []string `json:"contains"` // facts that answer or quotations hold
	Not      []string `json:"not"`      // facts that they must not hold
	Places   []string `json:"places"`   // "norm/unit", any of which answers
	Pages    []int    `json:"pages"`
}

// UnmarshalJSON reads both forms.
func (e *packExpect) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &e.Outcome) == nil {
		return nil
	}
	type plain packExpect
	return json.Unmarshal(data, (*plain)(e))
}

// packDay is what is expected of the answer on one day.
type packDay struct {
	AsOf  digesto.Date `json:"as_of"`
	Norm  string       `json:"norm"`
	Unit  string       `json:"unit"`
	Says  []string     `json:"says"`
	Never []string     `json:"never"`
}

// notAnswered are the outcomes that a question which must not be answered may have.
func notAnswered(o digesto.Outcome) bool {
	return o != digesto.OutcomeAnswer && o != digesto.OutcomeClarification
}

// kinds says by what a case is measured; none = the line holds nothing to measure.
func (c PackCase) kinds() []CaseKind {
	switch {
	case len(c.Turns) > 0:
		return []CaseKind{KindDialogue}
	case len(c.At) > 0:
		return []CaseKind{KindTemporal}
	case c.Kind == string(KindInjection):
		return []CaseKind{KindInjection}
	case c.Territory != nil && c.Expect == nil && c.Fiche == "":
		return []CaseKind{KindTerritory}
	case c.Function != "":
		return []CaseKind{KindClass, KindCalculation}
	case len(c.Classes) > 0:
		return []CaseKind{KindClass}
	case c.Fiche != "" || c.Law != "" || c.Norm != "":
		return []CaseKind{KindRetrieval}
	case c.Expect == nil:
		return nil
	case c.Expect.Outcome != "" && notAnswered(digesto.Outcome(c.Expect.Outcome)):
		return []CaseKind{KindRefusal}
	}
	return []CaseKind{KindAnswer}
}

// category is the author's name for the case's sort.
func (c PackCase) category() string {
	return cmp.Or(c.Category, c.Kind, strings.TrimSuffix(path.Base(c.file), ".jsonl"))
}

// ReadPackCases reads every eval/*.jsonl of a pack's folder, files in the order of
// their names. A pack without the folder has no cases. Errors name file and line.
func ReadPackCases(files fs.FS, dir string) ([]PackCase, error) {
	names, err := fs.Glob(files, path.Join(dir, "eval", "*.jsonl"))
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var out []PackCase
	seen := map[string]bool{}
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, &digesto.Error{Code: digesto.CodeNotFound, Message: "No se puede leer " + name, Err: err}
		}
		err = eachLine(name, data, func(line []byte) error {
			c := PackCase{file: name}
			if err := json.Unmarshal(line, &c); err != nil {
				return err
			}
			c.Question = cmp.Or(c.Question, c.Text)
			switch {
			case c.ID == "" || seen[c.ID]:
				return fmt.Errorf("_id vacío o repetido: %q", c.ID)
			case len(c.Turns) == 0 && strings.TrimSpace(c.Question) == "":
				return fmt.Errorf("%s: falta question", c.ID)
			}
			seen[c.ID] = true
			out = append(out, c)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
