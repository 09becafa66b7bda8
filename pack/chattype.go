package pack

import (
	"slices"
	"strings"

	"digesto"
	"digesto/text"
)

// ChatType narrows a conversation to part of the law.
type ChatType struct {
	Name   string              `yaml:"name"`
	Title  string              `yaml:"title"`
	Filter map[string][]string `yaml:"filter"` // field of a chunk → values; see digesto.Filter
	Norm   bool                `yaml:"norm"`   // the question must name one norm in its filters
}

// ChatType gives a chat type by name; "" is the one without limits. An unknown
// one is CodeInvalid.
func (p *Pack) ChatType(name string) (ChatType, error) {
	if name == "" {
		return ChatType{}, nil
	}
	var names []string
	for _, c := range p.ChatTypes {
		if c.Name == name {
			return c, nil
		}
		names = append(names, "«"+c.Name+"»")
	}
	hint := "No ponga «chat_type»: este paquete no los tiene."
	if len(names) > 0 {
		hint = "Use uno de " + strings.Join(names, ", ") + ", o ninguno."
	}
	return ChatType{}, &digesto.Error{Code: digesto.CodeInvalid, Message: "En «" + p.Title + "» no existe el tipo de conversación «" + name + "»", Hint: hint}
}

// Admits says whether a norm is within the chat type.
func (c ChatType) Admits(n digesto.Norm) bool {
	has := func(field, value string) bool {
		want, limited := c.Filter[field]
		return !limited || slices.ContainsFunc(want, func(w string) bool { return text.Fold(w) == text.Fold(value) })
	}
	return has("rank", n.Rank) && has("collection", n.Collection) && has("jurisdiction", n.Jurisdiction)
}
