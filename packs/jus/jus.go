// Package jus reads what is asked of lawyers' fees of the Province of Córdoba
// (Argentina), which its law counts in JUS, and has it calculated: the value in force on a
// day, conversions, budgets by service and comparisons over time.
//
// What is asked for is read twice: by the names that services are known by, and by the
// words that each is asked with (package naming). Package fees calculates.
package jus

import (
	_ "embed"
	"sync"

	"digesto/pack"
	"digesto/packs/jus/fees"
	"digesto/packs/jus/naming"
)

//go:embed data/values.tsv
var embeddedValues []byte

//go:embed data/services.tsv
var embeddedServices []byte

//go:embed data/groups.tsv
var embeddedGroups []byte

//go:embed data/modifiers.tsv
var embeddedModifiers []byte

// Calc holds the tables and what questions are read with. It is read-only and safe for any
// number of goroutines.
type Calc struct {
	*fees.Tables
	list    []Service                 // of the tables
	namedBy map[string][]pack.Pattern // by code
	places  []place
	classes map[string]classRule
	facts   []factRule
	others  []otherRule
	words   map[string]bool            // of the patterns, without plurals
	begins  []string                   // beginnings of words of the patterns
	said    []string                   // words of what this law does not fix
	wordOf  map[string]map[string]bool // services by the words of their names
	naming  map[string]bool            // the first and last words of the names of services
	names   names                      // of services and groups
	asks    func() *naming.Reader      // by what is asked, whatever the form
}

// New reads the tables, the embedded ones where one is nil, and what questions are read with.
func New(opt Options) (*Calc, error) {
	t, err := read(opt)
	if err != nil {
		return nil, err
	}
	return over(t)
}

func read(opt Options) (*fees.Tables, error) {
	return fees.Read(Options{Values: or(opt.Values, embeddedValues), Added: opt.Added, Services: or(opt.Services, embeddedServices),
		Groups: or(opt.Groups, embeddedGroups), Modifiers: or(opt.Modifiers, embeddedModifiers)})
}

// over reads the words in which questions name what tables hold.
func over(t *fees.Tables) (c *Calc, err error) {
	c = &Calc{Tables: t, list: t.Services()}
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
	if err := c.readNames(); err != nil {
		return nil, err
	}
	c.vocabulary()
	return c, c.readAsks()
}

// Attach gives a pack its calculator, its classifier and the units of the tables. What
// questions are read with is made when one is first read: most programs answer of other matters.
func Attach(p *pack.Pack, opt Options) error {
	t, err := read(opt)
	if err != nil {
		return err
	}
	calc := sync.OnceValue(func() *Calc {
		c, err := over(t)
		if err != nil {
			panic(err) // embedded: the tests of the package read it
		}
		return c
	})
	p.Fiches = append(p.Fiches, t.Fiches()...)
	p.Tools = append(p.Tools, &Tool{calc: calc})
	p.Classifier = &classifier{calc: calc, pack: p}
	return nil
}

func or(a, b []byte) []byte {
	if a != nil {
		return a
	}
	return b
}
