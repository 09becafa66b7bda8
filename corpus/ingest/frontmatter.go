package ingest

import (
	"path/filepath"
	"regexp"
	"strings"

	"digesto"

	"go.yaml.in/yaml/v3"
)

// front is the head of a Markdown file: string values by key; lists are joined.
type front map[string]string

// splitFront separates "---" front matter from the body. A head that is not
// YAML is read line by line, so that one bad value loses nothing else.
func splitFront(s string) (front, string) {
	s = strings.TrimLeft(s, "\ufeff \t\r\n")
	if !strings.HasPrefix(s, "---\n") && !strings.HasPrefix(s, "---\r\n") {
		return front{}, s
	}
	start := strings.IndexByte(s, '\n') + 1
	end := strings.Index(s[start:], "\n---")
	if end < 0 || end > 64<<10 {
		return front{}, s
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
	f := front{}
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

func frontLines(head string) front {
	f := front{}
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

var isoDate = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

func (f front) date(key string) digesto.Date {
	s := f[key]
	if !isoDate.MatchString(s) || s <= "1900-01-01" {
		return ""
	}
	return digesto.Date(s)
}

// officialID recognises the identifiers of official journals that name files
// and appear in them: letters, a letter, a year, a number.
var officialID = regexp.MustCompile(`\b[A-Z]{3,5}-[A-Za-z]-\d{4}-\d{1,6}\b`)

// norm makes the identity of a norm from front matter, file name and options.
func (f front) norm(file string, opt Options) digesto.Norm {
	base := filepath.Base(file)
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	n := digesto.Norm{
		ID: f["identifier"], Title: f["title"], Short: f["short_title"],
		Rank: f["rank"], Published: f.date("publication_date"), TextAsOf: f.date("last_updated"),
		URL: firstOf(f["url_html_consolidada"], f["source"], f["url_eli"]), Source: base,
		Collection: firstOf(opt.Collection, f["collection"], "normativa"), Official: true,
	}
	if k, ok := opt.known(stem); ok && n.ID == "" {
		n.ID, n.Title, n.Short, n.Rank, n.URL = k.ID, firstOf(n.Title, k.Title), firstOf(n.Short, k.Short), firstOf(n.Rank, k.Rank), firstOf(n.URL, k.URL)
		opt.Jurisdiction = firstOf(k.Territory, k.Jurisdiction, opt.Jurisdiction)
	}
	if n.ID == "" {
		n.ID = stem
		if id := officialID.FindString(stem); id != "" {
			n.ID = id
		}
	}
	n.ID = firstOf(safeID(n.ID), safeID(stem), "norma")
	if opt.Pack != "" {
		n.Packs = []string{opt.Pack}
	}
	for _, k := range []string{"url_eli", "infoleg_id"} {
		if v := f[k]; v != "" {
			n.IDs = append(n.IDs, v)
		}
	}
	n.Jurisdiction, n.Territory = territory(firstOf(f["country"], opt.Jurisdiction), f["jurisdiction"])
	switch f["status"] {
	case "in_force", "vigente":
		n.Status = digesto.StatusInForce
	case "repealed", "derogada", "annulled", "expired":
		n.Status, n.RepealedFrom = digesto.StatusRepealed, f.date("repeal_date")
	case "partially_repealed":
		n.Status = digesto.StatusPartial
	}
	if opt.on != nil && n.TextAsOf == "" {
		n.TextAsOf = opt.on.day
	}
	if n.TextAsOf < n.Published {
		n.TextAsOf = "" // a text cannot be older than its norm: the datum is bad
	}
	return n
}

// territory splits country "es" and jurisdiction "es-md": the territory is
// narrower law of the same country.
func territory(country, jurisdiction string) (juris, terr string) {
	country, jurisdiction = strings.ToLower(country), strings.ToLower(jurisdiction)
	jurisdiction = firstOf(jurisdiction, country)
	if jurisdiction == country {
		country = ""
	}
	if c, _, ok := strings.Cut(jurisdiction, "-"); ok && (country == "" || c == country) {
		return c, jurisdiction
	}
	return firstOf(country, jurisdiction), ""
}

// safeID keeps an identifier usable in paths and references.
func safeID(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '/' || r == '\\' || r == ' ' || r < ' ' || r == '~' || r == '#':
			return '-'
		}
		return r
	}, strings.TrimSpace(s))
}

func firstOf(s ...string) string {
	for _, v := range s {
		if v != "" {
			return v
		}
	}
	return ""
}
