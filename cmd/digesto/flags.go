package main

import (
	"strconv"
	"strings"

	"digesto"
	"digesto/ask"
)

// flagSettings are the four switches of retrieval and prompting, by their own names
// in the environment. An empty number of passages is the pack's own.
func flagSettings() []setting {
	return []setting{
		{key: "rag.enabled", env: "RAG_ENABLED", fallback: "true", help: "true: busca; false: solo mira las fichas del paquete, sin búsqueda"},
		{key: "rag.rerank_strategy", env: "RAG_RERANK_STRATEGY", fallback: "heuristic", help: "orden de lo encontrado: heuristic, model (o gemini), cross, none"},
		{key: "rag.grounded_prompting", env: "RAG_GROUNDED_PROMPTING", fallback: "true", help: "true: fragmentos numerados [C1] y sus reglas en la petición al redactor; false: la petición clásica. Lo escrito se comprueba igual"},
		{key: "rag.max_chunks_in_prompt", env: "RAG_MAX_CHUNKS_IN_PROMPT", help: "fragmentos de los que se escribe una respuesta (vacío: los que diga el paquete; en clara, 4)"},
	}
}

// flags reads the switches. What stands at its default is left open, so that a
// question or a pack may say otherwise.
func (a *app) flags() (digesto.Flags, error) {
	var f digesto.Flags
	for _, s := range flagSettings() {
		if o := a.conf.origins[s.key]; o == "" || o == "por defecto" {
			continue
		}
		if err := setFlag(&f, s.env, a.conf.get(s.key)); err != nil {
			return f, err
		}
	}
	return f, nil
}

// setFlag sets one flag by its name; the empty value leaves it open.
func setFlag(f *digesto.Flags, name, value string) error {
	value = strings.TrimSpace(value)
	if value == "" {
		return nil
	}
	truth := func(into **bool) error {
		switch strings.ToLower(value) {
		case "true", "yes", "1", "on", "sí", "si":
			v := true
			*into = &v
		case "false", "no", "0", "off":
			v := false
			*into = &v
		default:
			return badFlag(name, value, "true o false")
		}
		return nil
	}
	switch name {
	case "RAG_ENABLED":
		return truth(&f.Enabled)
	case "RAG_GROUNDED_PROMPTING":
		return truth(&f.Grounded)
	case "RAG_RERANK_STRATEGY":
		f.Strategy = value
		return ask.CheckFlags(*f)
	case "RAG_MAX_CHUNKS_IN_PROMPT":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return badFlag(name, value, "un número de 1 a 20")
		}
		f.MaxChunks = n
		return ask.CheckFlags(*f)
	}
	return &digesto.Error{Code: digesto.CodeInvalid, Message: "no hay ningún interruptor «" + name + "»",
		Hint: "Los que hay: RAG_ENABLED, RAG_RERANK_STRATEGY, RAG_GROUNDED_PROMPTING, RAG_MAX_CHUNKS_IN_PROMPT."}
}

func badFlag(name, value, want string) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: name + " no puede ser «" + value + "»", Hint: "Use " + want + "."}
}

// requestFlags reads the NAME=VALUE pairs of one question.
func requestFlags(pairs []string) (digesto.Flags, error) {
	var f digesto.Flags
	for _, p := range pairs {
		name, value, ok := strings.Cut(p, "=")
		if !ok {
			return f, &digesto.Error{Code: digesto.CodeUsage, Message: "«" + p + "» no es NOMBRE=VALOR", Hint: "Por ejemplo --flag RAG_ENABLED=false"}
		}
		if err := setFlag(&f, strings.ToUpper(strings.TrimSpace(name)), value); err != nil {
			return f, err
		}
	}
	return f, nil
}
