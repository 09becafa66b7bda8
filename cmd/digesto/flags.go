package main

import (
	"strings"

	"digesto"
	"digesto/app"
)

// requestFlags reads the NAME=VALUE pairs of one question.
func requestFlags(pairs []string) (digesto.Flags, error) {
	var f digesto.Flags
	for _, p := range pairs {
		name, value, ok := strings.Cut(p, "=")
		if !ok {
			return f, &digesto.Error{Code: digesto.CodeUsage, Message: "«" + p + "» no es NOMBRE=VALOR", Hint: "Por ejemplo --flag RAG_ENABLED=false"}
		}
		if err := app.SetFlag(&f, strings.ToUpper(strings.TrimSpace(name)), value); err != nil {
			return f, err
		}
	}
	return f, nil
}
