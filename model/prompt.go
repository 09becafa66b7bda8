package model

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"text/template"

	"digesto"
)

// Prompt is a template of a message to a model. All prompts go through it: a
// key that the data lack is an error, never an empty place, and the hash of the
// template stands in the trace of every answer that it had a part in.
type Prompt struct {
	Name, Hash string // Hash: first 12 hexadecimal digits of the template's SHA-256
	t          *template.Template
}

// NewPrompt reads a template (text/template).
func NewPrompt(name, text string) (*Prompt, error) {
	t, err := template.New(name).Option("missingkey=error").Funcs(template.FuncMap{
		"join": func(sep string, list []string) string { return strings.Join(list, sep) },
		"inc":  func(n int) int { return n + 1 },
	}).Parse(text)
	if err != nil {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "La plantilla «" + name + "» no es válida", Err: err, Hint: "Corrija la plantilla del paquete: «digesto pack check»."}
	}
	sum := sha256.Sum256([]byte(text))
	return &Prompt{Name: name, Hash: hex.EncodeToString(sum[:6]), t: t}, nil
}

// Version is the name and hash as the trace gives them.
func (p *Prompt) Version() string { return p.Name + "@" + p.Hash }

// Render fills the template in.
func (p *Prompt) Render(data any) (string, error) {
	var b strings.Builder
	if err := p.t.Execute(&b, data); err != nil {
		return "", &digesto.Error{Code: digesto.CodeInternal, Message: "La plantilla «" + p.Name + "» pide un dato que no hay", Err: err, Hint: "Corrija la plantilla del paquete: «digesto pack check»."}
	}
	return b.String(), nil
}
