package verify

import (
	"encoding/json"
	"sync"

	"digesto"

	"github.com/google/jsonschema-go/jsonschema"
)

// The bounds of the contract, in characters (code points).
const (
	MinAnswer = 10
	MaxAnswer = 2000
	MinQuote  = 20
	MaxQuote  = 500
	MaxQuotes = 5  // recommended: above it a note
	Sure      = .7 // the band "alta" begins here; below, a note is obligatory
)

// ContractVersion is the version of the contract that answers carry in meta.contract.
const ContractVersion = "1.0"

// Revision is one entry of the contract's history.
type Revision struct {
	Version string       `json:"version"`
	Date    digesto.Date `json:"date"`
	Changes string       `json:"changes"`
}

// History is the contract's version history, oldest first.
var History = []Revision{
	{Version: ContractVersion, Date: "2026-11-21", Changes: "Versión inicial: cinco campos, referencia y sobre; formas de los resultados sin citas."},
}

// Schema gives the JSON Schema (2020-12) of an answer, generated from
// digesto.Answer with the bounds of the contract and one alternative for each
// kind of outcome. It accepts both the five bare fields and the whole envelope.
// The caller owns the value.
func Schema() *jsonschema.Schema {
	s := mustFor()
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = "Respuesta"
	s.Description = "Respuesta de Digesto, contrato " + ContractVersion
	bound(s)
	s.OneOf = []*jsonschema.Schema{answerForm(), refusalForm(), otherForm()}
	return s
}

// SchemaJSON is Schema as indented JSON, the same bytes each time.
func SchemaJSON() []byte {
	raw, err := json.MarshalIndent(Schema(), "", "  ")
	if err != nil { // the schema is built from constants: a failure is a fault of the program
		panic("verify: schema: " + err.Error())
	}
	return append(raw, '\n')
}

func mustFor() *jsonschema.Schema {
	s, err := jsonschema.For[digesto.Answer](nil)
	if err != nil {
		panic("verify: schema of digesto.Answer: " + err.Error())
	}
	return s
}

// bound adds what a Go type cannot say: lengths and ranges.
func bound(s *jsonschema.Schema) {
	a := s.Properties["answer"]
	a.MinLength, a.MaxLength = ptr(MinAnswer), ptr(MaxAnswer)
	c := s.Properties["confidence"]
	c.Minimum, c.Maximum = ptr(0.), ptr(1.)
	s.Properties["_parse_error"].Const = ptr(any(true))
	list := s.Properties["citations"]
	list.Type, list.Types = "array", nil // never null on the wire
	q := list.Items.Properties["quote"]
	q.MinLength, q.MaxLength = ptr(MinQuote), ptr(MaxQuote)
	page := list.Items.Properties["page"]
	page.Minimum = ptr(1.)
}

func answerForm() *jsonschema.Schema {
	return form("respuesta: al menos una cita", map[string]*jsonschema.Schema{
		"refusal":   {Const: ptr(any(false))},
		"citations": {MinItems: ptr(1)},
		"meta":      outcomes(digesto.OutcomeAnswer),
	})
}

func refusalForm() *jsonschema.Schema {
	return form("rechazo: sin citas y con confianza 0", map[string]*jsonschema.Schema{
		"refusal":    {Const: ptr(any(true))},
		"citations":  {MaxItems: ptr(0)},
		"confidence": {Const: ptr(any(0.))},
		"meta":       outcomes(digesto.OutcomeRefusal),
	})
}

func otherForm() *jsonschema.Schema {
	return form("otros resultados: ni cita ni rechaza", map[string]*jsonschema.Schema{
		"refusal":   {Const: ptr(any(false))},
		"citations": {MaxItems: ptr(0)},
		"meta": outcomes(digesto.OutcomeClarification, digesto.OutcomeNonLegal, digesto.OutcomeReformulate,
			digesto.OutcomeOutOfScope, digesto.OutcomeAdvice),
	})
}

func form(title string, props map[string]*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Title: title, Properties: props}
}

func outcomes(list ...digesto.Outcome) *jsonschema.Schema {
	var values []any
	for _, o := range list {
		values = append(values, string(o))
	}
	return &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{"outcome": {Enum: values}}}
}

func ptr[T any](v T) *T { return &v }

// resolved compiles the schema once; the value is immutable.
var resolved = sync.OnceValues(func() (*jsonschema.Resolved, error) { return Schema().Resolve(nil) })

// Valid checks an answer against the schema and the rules of language. It is
// what every answer passes before it leaves the program.
func Valid(a digesto.Answer) error {
	raw, err := json.Marshal(a)
	if err != nil {
		return invalid("La respuesta no se puede escribir como JSON", err)
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return invalid("La respuesta no se puede leer como JSON", err)
	}
	r, err := resolved()
	if err != nil {
		return invalid("El esquema del contrato no es válido", err)
	}
	if err := r.Validate(v); err != nil {
		return invalid("La respuesta no cumple el contrato", err)
	}
	if !Spanish(a.Answer) {
		return invalid("La respuesta no está en español", nil)
	}
	return nil
}

func invalid(msg string, err error) error {
	return &digesto.Error{Code: digesto.CodeCheck, Message: msg, Hint: "Es un fallo del programa o de los datos del paquete: informe de la pregunta que lo causa.", Err: err}
}

// OutputSchema is the JSON Schema of what a model is asked to write: the five
// fields alone, all required, nothing else. Bounds of length are left to
// [Contract], because servers differ in what they can hold a model to.
// The caller must not change it.
func OutputSchema() []byte { return outputSchema() }

var outputSchema = sync.OnceValue(func() []byte {
	type citation struct {
		Quote  string `json:"quote"`
		Source string `json:"source"`
		Page   *int   `json:"page"`
	}
	type output struct {
		Answer     string     `json:"answer"`
		Citations  []citation `json:"citations"`
		Confidence float64    `json:"confidence"`
		Refusal    bool       `json:"refusal"`
		Notes      *string    `json:"notes"`
	}
	s, err := jsonschema.For[output](nil)
	if err != nil {
		panic("verify: output schema: " + err.Error())
	}
	list := s.Properties["citations"]
	list.Type, list.Types = "array", nil
	raw, err := json.Marshal(s)
	if err != nil {
		panic("verify: output schema: " + err.Error())
	}
	return raw
})
