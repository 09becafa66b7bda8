package server

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// asked is what an operation of the API takes in its query, as the description says it.
type asked struct {
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

// learn makes ready what each described operation of the API takes in its query. Those
// that answer in the form of others take whatever their clients send along.
func (t *table) learn() error {
	docs := apiDocs()
	for _, p := range t.patterns {
		doc := or(t.docs[p] != nil, t.docs[p], docs[p])
		if !ofAPI(p) || doc == nil || doc.Fault != nil {
			continue
		}
		s, err := querySchema(doc.Query)
		if err != nil {
			return fmt.Errorf("server: query of %s: %w", p, err)
		}
		a := asked{s, map[string]*jsonschema.Resolved{}}
		for name, f := range s.Properties {
			if a.each[name], err = f.Resolve(nil); err != nil {
				return fmt.Errorf("server: parameter %s of %s: %w", name, p, err)
			}
		}
		t.asked[p] = a
	}
	return nil
}

// ofAPI says whether a pattern is of an operation under /v1/.
func ofAPI(pattern string) bool {
	_, path, _ := strings.Cut(pattern, " ")
	return strings.HasPrefix(path, "/v1/")
}

// strict lets a handler see only requests whose query is as the description says.
func (t *table) strict(pattern string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a, ok := t.asked[pattern]; ok {
			if err := a.check(r.URL.RawQuery); err != nil {
				t.refuse(w, r, err)
				return
			}
		}
		h.ServeHTTP(w, r)
	})
}

const whereDescribed = "los parámetros de cada dirección están en «/openapi.json»"

// check refuses a query that its schema does not take: parameters that there are not, one
// that stands twice, one without which nothing can be done, values of another type. What the
// schema takes may still ask for what there is not; that is for the handler.
func (a asked) check(raw string) error {
	given, err := url.ParseQuery(raw)
	if err != nil {
		return invalid("los parámetros de la dirección no se pueden leer", "escriba cada «%» como «%25» y separe los parámetros con «&»")
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		f := a.Properties[name]
		if f == nil {
			return invalid("no existe el parámetro «"+short(strings.ToValidUTF8(name, "�"))+"»", whereDescribed)
		}
		if isOf(f, "array") {
			continue
		}
		hint := or(f.Description == "", whereDescribed, f.Description)
		if len(given[name]) > 1 {
			return invalid("«"+name+"» está más de una vez", "dé un solo valor, o ninguno. "+hint)
		}
		if v := given.Get(name); a.each[name].Validate(valueOf(f, v)) != nil {
			return invalid(fmt.Sprintf("«%s» no puede ser «%s»", name, short(strings.ToValidUTF8(v, "�"))), hint)
		}
	}
	for _, name := range a.Required {
		if !given.Has(name) {
			return invalid("falta «"+name+"»", or(a.Properties[name].Description == "", whereDescribed, a.Properties[name].Description))
		}
	}
	return nil
}

var wholeNumber = regexp.MustCompile(`^(0|-?[1-9]\d{0,17})$`)

// valueOf is a parameter as the value that its schema speaks of; what cannot be one stays text.
func valueOf(s *jsonschema.Schema, v string) any {
	switch {
	case isOf(s, "boolean") && (v == "true" || v == "false"):
		return v == "true"
	case isOf(s, "integer") && wholeNumber.MatchString(v):
		n, _ := strconv.ParseInt(v, 10, 64) // eighteen digits fit
		return n
	}
	return v
}

func isOf(s *jsonschema.Schema, kind string) bool {
	return s.Type == kind || slices.Contains(s.Types, kind)
}
