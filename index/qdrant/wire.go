package qdrant

import (
	"encoding/json"

	"digesto"
)

// The names of the vectors of a point.
const (
	denseName  = "text-dense"
	sparseName = "text-sparse"
)

type sparse struct {
	Indices []uint32  `json:"indices"`
	Values  []float32 `json:"values"`
}

// request is a search.
type request struct {
	Limit       int     `json:"limit"`
	WithPayload any     `json:"with_payload"`
	WithVector  any     `json:"with_vector,omitempty"`
	Query       any     `json:"query,omitempty"`
	Using       string  `json:"using,omitempty"`
	Filter      *filter `json:"filter,omitempty"`
}

// filter joins conditions: all of Must, one of Should, none of MustNot.
type filter struct {
	Must    []any `json:"must,omitempty"`
	Should  []any `json:"should,omitempty"`
	MustNot []any `json:"must_not,omitempty"`
}

func value(key string, v any) any {
	return map[string]any{"key": key, "match": map[string]any{"value": v}}
}

func anyOf(key string, list []string) any {
	return map[string]any{"key": key, "match": map[string]any{"any": list}}
}

func between(key, bound string, v int) any {
	return map[string]any{"key": key, "range": map[string]any{bound: v}}
}

// payload is what is kept of a chunk beside its vectors.
type payload struct {
	ID      string        `json:"id"`
	Norm    string        `json:"norm"`
	Unit    string        `json:"unit"`
	Facets  []string      `json:"facets"`
	Has     []string      `json:"has"`   // which of id and norm it has
	Terms   []uint32      `json:"terms"` // their names
	Length  int           `json:"length"`
	counts                // how often it has each of them
	From    int           `json:"from"`
	To      int           `json:"to"`
	Current bool          `json:"current"`
	Chunk   digesto.Chunk `json:"chunk"`
}

// found is a point of an answer: a chunk, or the state.
type found struct {
	Score   float64 `json:"score"`
	Payload struct {
		ID     string `json:"id"`
		Norm   string `json:"norm"`
		Unit   string `json:"unit"`
		Length int    `json:"length"`
		counts
		State json.RawMessage `json:"state"` // of somebody else's collection it may be anything
	} `json:"payload"`
	Vector map[string][]float32 `json:"vector"`
}

type points struct {
	Points []found `json:"points"`
}

type upsert struct {
	Points []point `json:"points"`
}

type point struct {
	ID      any            `json:"id"`
	Vector  map[string]any `json:"vector"`
	Payload any            `json:"payload"`
}
