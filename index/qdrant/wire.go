package qdrant

// The names of the vectors of a point.
const (
	denseName  = "text-dense"
	sparseName = "text-sparse"
)

type sparse struct {
	Indices []uint32  `json:"indices"`
	Values  []float32 `json:"values"`
}

type prefetch struct {
	Query any    `json:"query"`
	Using string `json:"using"`
	Limit int    `json:"limit"`
}

// request is a search; the hybrid one has exactly these fields in this form.
type request struct {
	Limit       int        `json:"limit"`
	WithPayload any        `json:"with_payload"`
	Prefetch    []prefetch `json:"prefetch,omitempty"`
	Query       any        `json:"query,omitempty"`
	Using       string     `json:"using,omitempty"`
	Filter      *filter    `json:"filter,omitempty"`
}

type fusion struct {
	Fusion string `json:"fusion"`
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

type found struct {
	Score   float64 `json:"score"`
	Payload struct {
		ID   string `json:"id"`
		Norm string `json:"norm"`
		Unit string `json:"unit"`
	} `json:"payload"`
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
