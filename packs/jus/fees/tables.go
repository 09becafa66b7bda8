package fees

import (
	"fmt"

	"digesto"
)

// Law is the id of the norm that fixes the quantities, and Province the one it holds for.
const (
	Law      = "AR-X-LEY-9459"
	LawName  = "Ley 9459"
	Province = "Córdoba"
	// Territory is the province in ISO 3166-2, as norms carry it.
	Territory = "ar-x"
)

// Options are the tables, each as the text of its file.
type Options struct {
	Values    []byte
	Added     []byte // values of the user's own beside those, as [Tables.Set] gives them; nil = none
	Services  []byte
	Groups    []byte
	Modifiers []byte
}

// Tables holds the facts that fees are calculated by. It is read-only and safe for any
// number of goroutines.
type Tables struct {
	values    []Value // valid values of this law, by date
	former    []Value // of the former regime
	services  []Service
	byCode    map[string]int
	groups    []Group
	modifiers []modifier
	report    []string
	added     []Value // those of the user's own
	from      Options
}

// Read reads the tables and runs the data rules on them. A table that breaks a
// rule is an error: it does not replace a good one. True oddities (a real fall,
// a doubtful value, a row left out because it is marked bad) are in Report.
func Read(opt Options) (*Tables, error) {
	c := &Tables{byCode: map[string]int{}, from: opt}
	if err := c.readValues(opt.Values, opt.Added); err != nil {
		return nil, err
	}
	if err := c.readServices(opt.Services); err != nil {
		return nil, err
	}
	if err := c.readGroups(opt.Groups); err != nil {
		return nil, err
	}
	return c, c.readModifiers(opt.Modifiers)
}

// Report says what the data rules found and let through.
func (c *Tables) Report() []string { return append([]string(nil), c.report...) }

// Services gives the services in the order of the table.
func (c *Tables) Services() []Service { return append([]Service(nil), c.services...) }

// Groups gives the services that have cases.
func (c *Tables) Groups() []Group { return append([]Group(nil), c.groups...) }

// Values gives the series of this law, oldest first.
func (c *Tables) Values() []Value { return append([]Value(nil), c.values...) }

func Invalid(hint, format string, a ...any) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf(format, a...), Hint: hint}
}
