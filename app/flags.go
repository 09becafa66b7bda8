package app

import (
	"strconv"
	"strings"

	"digesto"
	"digesto/query"
)

// flagSettings are the four switches of retrieval and prompting, by their own names
// in the environment. An empty number of passages is the pack's own.
func flagSettings() []Setting {
	return []Setting{
		{Key: "rag.enabled", Env: "RAG_ENABLED", Fallback: "true", Help: "true: busca; false: solo mira las fichas del paquete, sin búsqueda"},
		{Key: "rag.rerank_strategy", Env: "RAG_RERANK_STRATEGY", Fallback: "heuristic", Help: "orden de lo encontrado: heuristic, model (o gemini), cross, none"},
		{Key: "rag.grounded_prompting", Env: "RAG_GROUNDED_PROMPTING", Fallback: "true", Help: "true: fragmentos numerados [C1] y sus reglas en la petición al redactor; false: la petición clásica. Lo escrito se comprueba igual"},
		{Key: "rag.max_chunks_in_prompt", Env: "RAG_MAX_CHUNKS_IN_PROMPT", Help: "fragmentos de los que se escribe una respuesta (vacío: los que diga el paquete; en clara, 4)"},
	}
}

// Flags reads the switches. What stands at its default is left open, so that a
// question or a pack may say otherwise.
func (a *App) Flags() (digesto.Flags, error) {
	var f digesto.Flags
	for _, s := range flagSettings() {
		if o := a.Settings.Origins[s.Key]; o == "" || o == "por defecto" {
			continue
		}
		if err := SetFlag(&f, s.Env, a.Settings.Get(s.Key)); err != nil {
			return f, err
		}
	}
	return f, nil
}

// SetFlag sets one flag by its name; the empty value leaves it open.
func SetFlag(f *digesto.Flags, name, value string) error {
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
		return query.CheckFlags(*f)
	case "RAG_MAX_CHUNKS_IN_PROMPT":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return badFlag(name, value, "un número de 1 a 20")
		}
		f.MaxChunks = n
		return query.CheckFlags(*f)
	}
	return &digesto.Error{Code: digesto.CodeInvalid, Message: "no hay ningún interruptor «" + name + "»",
		Hint: "Los que hay: RAG_ENABLED, RAG_RERANK_STRATEGY, RAG_GROUNDED_PROMPTING, RAG_MAX_CHUNKS_IN_PROMPT."}
}

func badFlag(name, value, want string) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: name + " no puede ser «" + value + "»", Hint: "Use " + want + "."}
}
