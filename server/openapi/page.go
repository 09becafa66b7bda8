package openapi

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"digesto"
)

// tags group the operations.
var tags = []Tag{
	{"Preguntar", "Preguntas, búsquedas y escritos que se comprueban"}, {"Leyes", "El texto de la ley, sus versiones y sus relaciones"},
	{"Conversaciones", "Lo que se ha preguntado, y lo que se piensa de ello"}, {"Compatible con OpenAI", "La misma respuesta para clientes de esa forma"},
	{"Cálculos", "Lo que los ámbitos calculan"}, {"Servicio", "Estado, medidas y textos que se instalan"},
}

// tagOf groups a path.
func tagOf(path string) string {
	part, _, _ := strings.Cut(strings.TrimPrefix(path, "/v1/"), "/")
	switch part {
	case "ask", "search", "verify", "contract", "packs":
		return "Preguntar"
	case "norms":
		return "Leyes"
	case "conversations", "analytics", "traces":
		return "Conversaciones"
	case "chat", "models", "responses":
		return "Compatible con OpenAI"
	}
	if strings.HasPrefix(path, "/v1/") && part != "corpus" && part != "records" {
		return "Cálculos"
	}
	return "Servicio"
}

// faults are the errors that an operation can end with, and which can.
var faults = []struct {
	status string
	code   digesto.Code // of the example
	says   string
	when   func(*Operation) bool
}{
	{"default", digesto.CodeInternal, "Un error, con lo que se puede hacer.", nil},
	{"404", digesto.CodeNotFound, "No hay nada con ese nombre.", func(o *Operation) bool {
		return slices.ContainsFunc(o.Parameters, func(p Parameter) bool { return p.In == "path" }) || o.Body != nil
	}},
	{"413", digesto.CodeTooLarge, "El cuerpo pasa de lo que se admite.", func(o *Operation) bool { return o.Body != nil }},
	{"422", digesto.CodeInvalid, "Algo de lo enviado no vale; se dice qué.", func(o *Operation) bool { return o.Body != nil || len(o.Parameters) > 0 }},
	{"429", digesto.CodeLimited, "Se ha llegado al límite; «Retry-After» dice hasta cuándo.", func(o *Operation) bool { return o.Body != nil }},
	{"503", digesto.CodeUnavailable, "No se puede atender ahora.", func(o *Operation) bool { return true }},
}

// pathWords say what stands in a path.
var pathWords = map[string]string{"norm": "Identificador de la norma, como lo da «/v1/norms».", "unit": "Identificador del artículo dentro de su norma: a38, por ejemplo.",
	"id": "Identificador de la conversación o de la respuesta.", "seq": "Número del mensaje en su conversación.", "model": "Nombre del modelo, como lo da «/v1/models»."}

// Page is the description of the API for people who write programs.
type Page struct {
	Base   string
	Groups []group
}

// group are the operations of a tag.
type group struct {
	Tag
	Operations []line
}

// line is an operation.
type line struct {
	Method, Path, Summary, About, Example string
	Reply                                 string // an answer, shortened
	Parameters                            []Parameter
	Responses                             []answer
}

// answer is a status and what it says.
type answer struct{ Name, Value string }

// Page is the description as a page shows it, with examples that ask at an address.
func (d *Document) Page(base string) Page {
	p := Page{Base: base}
	for _, t := range d.Tags {
		g := group{Tag: t}
		for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
			for _, method := range slices.Sorted(maps.Keys(d.Paths[path])) {
				op := d.Paths[path][method]
				if op.Tags[0] != t.Name {
					continue
				}
				l := line{Method: strings.ToUpper(method), Path: path, Summary: op.Summary, About: op.About, Parameters: op.Parameters}
				if op.Body != nil {
					if x := op.Body.Content["application/json"].Example; x != nil {
						b, _ := json.Marshal(x) // made of plain values
						verb := " -X " + l.Method
						if method == "post" {
							verb = ""
						}
						l.Example = "curl -s " + base + path + " -H 'Content-Type: application/json'" + verb + " -d '" + string(b) + "'"
					}
				} else if !strings.Contains(path, "{") && method == "get" {
					l.Example = "curl -s " + base + path
				}
				if ok := op.Responses["200"]; ok != nil && ok.Content["application/json"].Example != nil {
					b, _ := json.MarshalIndent(ok.Content["application/json"].Example, "", "  ") // read from JSON
					l.Reply = string(b)
				}
				for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
					l.Responses = append(l.Responses, answer{status, op.Responses[status].Description})
				}
				g.Operations = append(g.Operations, l)
			}
		}
		if len(g.Operations) > 0 {
			p.Groups = append(p.Groups, g)
		}
	}
	return p
}
