// Package jus calculates lawyers' fees of the Province of Córdoba (Argentina),
// which its law counts in JUS: the value in force on a day, conversions,
// budgets by service and comparisons over time.
//
// Two tables of facts stand under it (data/): the values of the unit in pesos
// and the quantities of each service, with the place in the law. All arithmetic
// is in decimals, rounded half away from zero to cents at the end of each line;
// the exact quotient or product stands in the steps. Nothing is chosen inside a
// range, and nothing is inferred: what the tables do not hold is said.
package jus

import (
	_ "embed"
	"fmt"

	"digesto"
	"digesto/pack"
	"digesto/packs/jus/naming"
)

//go:embed data/values.tsv
var embeddedValues []byte

//go:embed data/services.tsv
var embeddedServices []byte

//go:embed data/groups.tsv
var embeddedGroups []byte

// Law is the id of the norm that fixes the quantities, and Province the one it holds for.
const (
	Law      = "AR-X-LEY-9459"
	LawName  = "Ley 9459"
	Province = "Córdoba"
	// Territory is the province in ISO 3166-2, as norms carry it.
	Territory = "ar-x"
)

// Options says which tables to use. A nil table means the embedded one.
type Options struct {
	Values   []byte
	Added    []byte // values of the user's own beside those, as [Calc.Set] gives them; nil = none
	Services []byte
	Groups   []byte
}

// Calc holds the tables. It is read-only and safe for any number of goroutines.
type Calc struct {
	values    []Value // valid values of this law, by date
	former    []Value // of the former regime
	services  []Service
	byCode    map[string]int
	groups    []Group
	places    []place
	classes   map[string]classRule
	facts     []factRule
	others    []otherRule
	words     map[string]bool            // of the patterns, without plurals
	begins    []string                   // beginnings of words of the patterns
	wordOf    map[string]map[string]bool // services by the words of their names
	naming    map[string]bool            // the first and last words of the names of services
	names     names                      // of services and groups
	asks      *naming.Reader             // by what is asked, whatever the form
	modifiers []modifier
	report    []string
	added     []Value // those of the user's own
}

// New reads the tables and runs the data rules on them. A table that breaks a
// rule is an error: it does not replace a good one. True oddities (a real fall,
// a doubtful value, a row left out because it is marked bad) are in Report.
func New(opt Options) (*Calc, error) {
	c := &Calc{byCode: map[string]int{}}
	if err := c.readValues(or(opt.Values, embeddedValues), opt.Added); err != nil {
		return nil, err
	}
	if err := c.readServices(or(opt.Services, embeddedServices)); err != nil {
		return nil, err
	}
	if err := c.readGroups(or(opt.Groups, embeddedGroups)); err != nil {
		return nil, err
	}
	var err error
	if c.places, err = readPlaces(embeddedPlaces); err != nil {
		return nil, err
	}
	if c.classes, err = readClasses(embeddedClasses); err != nil {
		return nil, err
	}
	if c.facts, err = readFacts(embeddedFacts); err != nil {
		return nil, err
	}
	if c.others, err = readOthers(embeddedOthers); err != nil {
		return nil, err
	}
	if err = c.readModifiers(embeddedModifiers); err != nil {
		return nil, err
	}
	c.vocabulary()
	c.readNames()
	return c, c.readAsks()
}

// Report says what the data rules found and let through.
func (c *Calc) Report() []string { return append([]string(nil), c.report...) }

// Services gives the services in the order of the table.
func (c *Calc) Services() []Service { return append([]Service(nil), c.services...) }

// Groups gives the services that have cases.
func (c *Calc) Groups() []Group { return append([]Group(nil), c.groups...) }

// Values gives the series of this law, oldest first.
func (c *Calc) Values() []Value { return append([]Value(nil), c.values...) }

// Attach gives a pack its calculator, its classifier and the units of the tables.
func Attach(p *pack.Pack, opt Options) error {
	c, err := New(opt)
	if err != nil {
		return err
	}
	p.Fiches = append(p.Fiches, c.Fiches()...)
	p.Tools = append(p.Tools, &Tool{calc: c})
	p.Classifier = &classifier{calc: c, pack: p}
	return nil
}

func or(a, b []byte) []byte {
	if a != nil {
		return a
	}
	return b
}

func invalid(hint, format string, a ...any) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf(format, a...), Hint: hint}
}
