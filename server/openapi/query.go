package openapi

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"digesto/server/wire"

	"github.com/google/jsonschema-go/jsonschema"
)

// Query is what an operation takes in its query, as the description says it.
type Query struct {
	*jsonschema.Schema
	each map[string]*jsonschema.Resolved // by parameter
}

// querySchema is the schema of the parameters of a query; those of nil are none.
func querySchema(q any) (*jsonschema.Schema, error) {
	if q == nil {
		q = struct{}{}
	}
	s, err := schemaOf(reflect.TypeOf(q))
	if err == nil {
		narrow(s, false)
	}
	return s, err
}

// QueryOf is what an operation takes whose query a value describes.
func QueryOf(v any) (Query, error) {
	s, err := querySchema(v)
	if err != nil {
		return Query{}, err
	}
	a := Query{s, map[string]*jsonschema.Resolved{}}
	for name, f := range s.Properties {
		if a.each[name], err = f.Resolve(nil); err != nil {
			return a, fmt.Errorf("parameter %s: %w", name, err)
		}
	}
	return a, nil
}

const whereDescribed = "los parámetros de cada dirección están en «/openapi.json»"

// Check refuses a query that its schema does not take: parameters that there are not, one
// that stands twice, one without which nothing can be done, values of another type. What the
// schema takes may still ask for what there is not; that is for the handler.
func (a Query) Check(raw string) error {
	given, err := url.ParseQuery(raw)
	if err != nil {
		return wire.Invalid("los parámetros de la dirección no se pueden leer", "escriba cada «%» como «%25» y separe los parámetros con «&»")
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		f := a.Properties[name]
		if f == nil {
			return wire.Invalid("no existe el parámetro «"+wire.Short(strings.ToValidUTF8(name, "�"))+"»", whereDescribed)
		}
		if isOf(f, "array") {
			continue
		}
		hint := cmp.Or(f.Description, whereDescribed)
		if len(given[name]) > 1 {
			return wire.Invalid("«"+name+"» está más de una vez", "dé un solo valor, o ninguno. "+hint)
		}
		if v := given.Get(name); a.each[name].Validate(valueOf(f, v)) != nil {
			return wire.Invalid(fmt.Sprintf("«%s» no puede ser «%s»", name, wire.Short(strings.ToValidUTF8(v, "�"))), hint)
		}
	}
	for _, name := range a.Required {
		if !given.Has(name) {
			return wire.Invalid("falta «"+name+"»", cmp.Or(a.Properties[name].Description, whereDescribed))
		}
	}
	return nil
}

// valueOf is a parameter as the value that its schema speaks of; what cannot be one stays text.
func valueOf(s *jsonschema.Schema, v string) any {
	switch {
	case isOf(s, "boolean") && (v == "true" || v == "false"):
		return v == "true"
	case isOf(s, "integer") && wire.IsWhole(v):
		n, _ := strconv.ParseInt(v, 10, 64) // eighteen digits fit
		return n
	}
	return v
}

func isOf(s *jsonschema.Schema, kind string) bool {
	return s.Type == kind || slices.Contains(s.Types, kind)
}
