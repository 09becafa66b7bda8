package openai

import (
	"strings"

	"digesto/model"
)

// Caps says which parameters a model takes.
type Caps struct {
	Temperature bool
	TokenField  string // "max_tokens", "max_completion_tokens"; empty = no limit is sent
	Structured  Structured
	StreamUsage bool // stream_options.include_usage
	Likely      bool // logprobs and top_logprobs
}

// Structured is how a model is held to a JSON Schema.
type Structured string

// The ways. Whatever the way, the answer is read with tolerance.
const (
	StructuredSchema Structured = "json_schema" // by the server
	StructuredObject Structured = "json_object" // the server sees to JSON, the prompt to the schema
	StructuredPrompt Structured = "prompt"      // by the prompt alone
)

// reasoning are the families that take no temperature and count their limit in
// completion tokens, by the start of their names.
var reasoning = []string{"o1", "o3", "o4", "gpt-5", "gpt-6"}

// CapsOf gives what is known of a model by its name. Servers that know less are
// met when they refuse: the parameter they name is left out from then on.
func CapsOf(name string) Caps {
	c := Caps{Temperature: true, TokenField: "max_tokens", Structured: StructuredSchema, StreamUsage: true, Likely: true}
	base := name[strings.LastIndexByte(name, '/')+1:]
	for _, p := range reasoning {
		if base == p || strings.HasPrefix(base, p+"-") || strings.HasPrefix(base, p+".") {
			c.Temperature, c.TokenField, c.Likely = false, "max_completion_tokens", false
		}
	}
	return c
}

// without gives the caps less what a refusal complains of; ok is false if it
// names nothing that could be left out.
func (c Caps) without(f *model.Fault) (Caps, bool) {
	d := strings.ToLower(f.Detail)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(d, w) {
				return true
			}
		}
		return false
	}
	switch {
	case c.StreamUsage && has("stream_options", "include_usage"):
		c.StreamUsage = false
	case c.Likely && has("logprobs"):
		c.Likely = false
	case c.Temperature && has("temperature"):
		c.Temperature = false
	case c.TokenField == "max_tokens" && has("max_completion_tokens"):
		c.TokenField = "max_completion_tokens"
	case c.TokenField != "" && has("max_tokens", "max_completion_tokens"):
		c.TokenField = ""
	case c.Structured == StructuredSchema && has("json_schema", "response_format", "schema"):
		c.Structured = StructuredObject
	case c.Structured == StructuredObject && has("json_object", "response_format"):
		c.Structured = StructuredPrompt
	default:
		return c, false
	}
	return c, true
}
