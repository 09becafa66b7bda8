package markup

import (
	"strings"

	"digesto/corpus/ingest/line"

	"go.yaml.in/yaml/v3"
)

// FrontMatter separates "---" front matter from the body. A head that is not
// YAML is read line by line, so that one bad value loses nothing else.
func FrontMatter(s string) (line.Metadata, string) {
	s = strings.TrimLeft(s, "\ufeff \t\r\n")
	if !strings.HasPrefix(s, "---\n") && !strings.HasPrefix(s, "---\r\n") {
		return line.Metadata{}, s
	}
	start := strings.IndexByte(s, '\n') + 1
	end := strings.Index(s[start:], "\n---")
	if end < 0 || end > 64<<10 {
		return line.Metadata{}, s
	}
	head := s[start : start+end]
	body := s[start+end+4:]
	if i := strings.IndexByte(body, '\n'); i >= 0 {
		body = body[i+1:]
	} else {
		body = ""
	}
	var m map[string]any
	if err := yaml.Unmarshal([]byte(head), &m); err != nil {
		return frontLines(head), body
	}
	f := line.Metadata{}
	for k, v := range m {
		f[k] = frontValue(v)
	}
	return f, body
}

func frontValue(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return tidyEntities(v)
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, frontValue(e))
		}
		return strings.Join(parts, "; ")
	case interface{ Format(string) string }: // time.Time
		return v.Format("2006-01-02")
	}
	out, _ := yaml.Marshal(v)
	return strings.TrimSpace(string(out))
}

func frontLines(head string) line.Metadata {
	f := line.Metadata{}
	for _, line := range strings.Split(head, "\n") {
		k, v, ok := strings.Cut(line, ":")
		if ok && k != "" && k[0] != ' ' {
			f[k] = tidyEntities(strings.Trim(strings.TrimSpace(v), `"'`))
		}
	}
	return f
}

func tidyEntities(s string) string {
	t, _, _ := inline(s, emphasis{})
	return t
}
