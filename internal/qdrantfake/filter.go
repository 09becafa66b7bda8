package qdrantfake

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// condition says whether a point passes.
type condition func(*point) bool

func all(list []condition) condition {
	return func(p *point) bool {
		return !slices.ContainsFunc(list, func(c condition) bool { return !c(p) })
	}
}

// readFilter reads {"must":…,"should":…,"must_not":…}; nothing passes everything.
func readFilter(raw json.RawMessage) (condition, *fault) {
	if len(raw) == 0 || string(raw) == "null" {
		return func(*point) bool { return true }, nil
	}
	var in map[string]json.RawMessage
	if bad := decode(raw, &in); bad != nil {
		return nil, bad
	}
	var join []condition
	for clause, raw := range in {
		var list []json.RawMessage
		if raw[0] == '[' {
			_ = json.Unmarshal(raw, &list)
		} else if string(raw) != "null" {
			list = []json.RawMessage{raw} // one condition in place of a list
		}
		var conds []condition
		for _, r := range list {
			c, bad := readCondition(r)
			if bad != nil {
				return nil, bad
			}
			conds = append(conds, c)
		}
		switch clause {
		case "must":
			join = append(join, all(conds))
		case "must_not":
			join = append(join, func(p *point) bool { return !slices.ContainsFunc(conds, func(c condition) bool { return c(p) }) })
		case "should":
			if len(conds) > 0 {
				join = append(join, func(p *point) bool { return slices.ContainsFunc(conds, func(c condition) bool { return c(p) }) })
			}
		case "min_should":
			return nil, refuse(501, "the fake does not know min_should")
		default:
			return nil, refuse(400, "Format error in JSON body: unknown field `%s`", clause)
		}
	}
	return all(join), nil
}

func readCondition(raw json.RawMessage) (condition, *fault) {
	var in struct {
		Key     *string                    `json:"key"`
		Match   map[string]json.RawMessage `json:"match"`
		Range   map[string]json.RawMessage `json:"range"`
		HasID   []pointID                  `json:"has_id"`
		IsEmpty *struct{ Key string }      `json:"is_empty"`
		IsNull  *struct{ Key string }      `json:"is_null"`
	}
	var names map[string]json.RawMessage
	if bad := decode(raw, &names); bad != nil {
		return nil, bad
	}
	for _, n := range []string{"must", "should", "must_not"} {
		if _, ok := names[n]; ok {
			return readFilter(raw)
		}
	}
	if bad := decode(raw, &in); bad != nil {
		return nil, bad
	}
	switch {
	case in.HasID != nil:
		return func(p *point) bool { return slices.Contains(in.HasID, p.id) }, nil
	case in.IsEmpty != nil:
		return func(p *point) bool {
			v, there := p.payload[in.IsEmpty.Key]
			list, isList := v.([]any)
			return !there || v == nil || isList && len(list) == 0
		}, nil
	case in.IsNull != nil:
		return func(p *point) bool { v, there := p.payload[in.IsNull.Key]; return there && v == nil }, nil
	case in.Match != nil && in.Key != nil:
		return readMatch(*in.Key, in.Match)
	case in.Range != nil && in.Key != nil:
		return readRange(*in.Key, in.Range)
	case in.Key == nil && (in.Match != nil || in.Range != nil):
		return nil, refuse(400, "Format error in JSON body: missing field `key`")
	}
	for _, n := range []string{"nested", "has_vector", "values_count"} {
		if _, ok := names[n]; ok {
			return nil, refuse(501, "the fake does not know %s", n)
		}
	}
	return nil, refuse(422, "Validation error in JSON body: at least one field condition must be specified")
}

// values are those of a payload field: each member of a list counts.
func values(p *point, key string) []any {
	switch v := p.payload[key].(type) {
	case nil:
		return nil
	case []any:
		return v
	default:
		return []any{v}
	}
}

// scalar leaves objects and lists out.
func scalar(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}

func readMatch(key string, in map[string]json.RawMessage) (condition, *fault) {
	for kind, raw := range in {
		var list []any
		switch kind {
		case "value":
			var v any
			if bad := decode(raw, &v); bad != nil {
				return nil, bad
			}
			if n, ok := v.(json.Number); v == nil || ok && strings.ContainsAny(n.String(), ".eE") {
				return nil, refuse(400, "Format error in JSON body: data did not match any variant of untagged enum ValueVariants")
			}
			list = []any{v}
		case "any", "except":
			if bad := decode(raw, &list); bad != nil {
				return nil, bad
			}
		default:
			return nil, refuse(501, "the fake does not know match.%s", kind)
		}
		wanted := map[any]bool{}
		for _, v := range list {
			if scalar(v) {
				wanted[v] = true
			}
		}
		return func(p *point) bool {
			return slices.ContainsFunc(values(p, key), func(v any) bool { return scalar(v) && wanted[v] != (kind == "except") })
		}, nil
	}
	return nil, refuse(400, "Format error in JSON body: data did not match any variant of untagged enum Match")
}

func readRange(key string, in map[string]json.RawMessage) (condition, *fault) {
	bounds := map[string]float64{}
	dates := false
	for op, raw := range in {
		if string(raw) == "null" {
			continue
		}
		var v any
		if bad := decode(raw, &v); bad != nil {
			return nil, bad
		}
		if s, ok := v.(string); ok {
			at, ok := readDate(s)
			if !ok {
				return nil, refuse(400, "Format error in JSON body: data did not match any variant of untagged enum RangeInterface")
			}
			bounds[op], dates = at, true
			continue
		}
		n, _ := v.(json.Number)
		f, err := n.Float64()
		if err != nil {
			return nil, refuse(400, "Format error in JSON body: data did not match any variant of untagged enum RangeInterface")
		}
		bounds[op] = f
	}
	return func(p *point) bool {
		return slices.ContainsFunc(values(p, key), func(v any) bool {
			var f float64
			switch v := v.(type) {
			case json.Number:
				if dates {
					return false
				}
				f, _ = strconv.ParseFloat(v.String(), 64)
			case string:
				at, ok := readDate(v)
				if !ok {
					return false
				}
				f = at
			default:
				return false
			}
			for op, b := range bounds {
				if op == "lt" && f >= b || op == "lte" && f > b || op == "gt" && f <= b || op == "gte" && f < b {
					return false
				}
			}
			return true
		})
	}, nil
}

// readDate gives microseconds.
func readDate(s string) (float64, bool) {
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02"} {
		if t, err := time.Parse(form, s); err == nil {
			return float64(t.UnixMicro()), true
		}
	}
	return 0, false
}
