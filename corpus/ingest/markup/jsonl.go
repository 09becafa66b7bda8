package markup

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/text/cite"
)

// unitLine is one line of the corpus exchange form; the first four fields are
// the least (BEIR), the known metadata may stand beside them or under metadata.
type unitLine struct {
	ID       string   `json:"_id"`
	Title    string   `json:"title"`
	Text     string   `json:"text"`
	Metadata metadata `json:"metadata"`
}

type metadata struct {
	Norm         string          `json:"norm"`
	NormTitle    string          `json:"norm_title"`
	Rank         string          `json:"rank"`
	Jurisdiction string          `json:"jurisdiction"`
	Territory    string          `json:"territory"`
	Collection   string          `json:"collection"`
	Path         string          `json:"path"` // headings joined by " > "
	Unit         string          `json:"unit"`
	Version      string          `json:"version"`
	ValidFrom    digesto.Date    `json:"valid_from"`
	ValidTo      digesto.Date    `json:"valid_to"`
	Page         json.Number     `json:"page"`
	URL          string          `json:"url"`
	Official     *bool           `json:"official"`
	Refs         json.RawMessage `json:"refs"` // computed anew at ingestion
	// Names that evaluation sets in BEIR layout give to the same things.
	Law      string       `json:"law"`
	LawTitle string       `json:"law_title"`
	Article  string       `json:"article"`
	Updated  digesto.Date `json:"updated"`
}

// known puts the other names where the known ones are missing.
func (m *metadata) known() {
	m.Norm, m.NormTitle = line.FirstOf(m.Norm, m.Law), line.FirstOf(m.NormTitle, m.LawTitle)
	m.Unit = line.FirstOf(m.Unit, m.Article)
}

// Units reads one unit a line into as many norms as the lines name. A line
// that is no unit is reported with its number and the rest is kept.
func Units(ctx context.Context, path string, data []byte, file Defaults) ([]corpus.Document, []corpus.Defect, error) {
	rest := bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(rest) { // else the file is read where it lies: it may be hundreds of megabytes
		s, _ := line.Decode(data, "")
		rest = []byte(s)
	}
	c := collector{path: path, file: file, norms: map[string]int{}, units: map[string]int{}}
	for n := 1; len(rest) > 0; n++ {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		rest = after
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if len(bytes.TrimSpace(line)) > 0 {
			c.line(n, line)
		}
	}
	if len(c.docs) == 0 {
		c.bad = append(c.bad, corpus.Defect{File: path, Kind: line.KindDamaged, Detail: "Ninguna línea es una unidad: se espera un objeto JSON por línea con _id, title y text", Skipped: true})
		return nil, c.bad, nil
	}
	c.docs[0].Defects = append(c.docs[0].Defects, c.bad...)
	return c.docs, nil, nil
}

// Defaults are what whoever adds a file says of its units.
type Defaults struct {
	Pack, Collection, Jurisdiction string
}

type collector struct {
	path  string
	file  Defaults
	docs  []corpus.Document
	norms map[string]int // id → index in docs
	units map[string]int // norm/unit → index in the units of its doc
	bad   []corpus.Defect
}

const maxBad = 50

func (c *collector) reject(n int, why string) {
	if len(c.bad) < maxBad {
		c.bad = append(c.bad, corpus.Defect{File: c.path, Kind: line.KindDamaged, Detail: fmt.Sprintf("Línea %d: %s", n, why)})
	}
}

func (c *collector) line(n int, data []byte) {
	var u unitLine
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&u); err != nil {
		c.reject(n, "no es un objeto JSON de la forma esperada")
		return
	}
	u.Metadata.known()
	text := tidyText(u.Text)
	if text == "" || u.ID == "" {
		c.reject(n, "sin _id o sin texto")
		return
	}
	doc := &c.docs[c.norm(u)]
	kind, number, id := unitName(u)
	name, rubric := unitLabel(u, kind, number, id)
	for _, d := range []digesto.Date{u.Metadata.ValidFrom, u.Metadata.ValidTo} {
		if d != "" && validDate(d) == "" {
			c.reject(n, fmt.Sprintf("«%.20s» no es una fecha AAAA-MM-DD: el texto se guarda sin ella", d))
		}
	}
	page, _ := strconv.Atoi(string(u.Metadata.Page))
	v := digesto.Version{ID: line.FirstOf(line.SafeID(u.Metadata.Version), string(validDate(u.Metadata.ValidFrom)), "1"), Text: text, Current: true,
		ValidFrom: validDate(u.Metadata.ValidFrom), ValidTo: validDate(u.Metadata.ValidTo), SHA256: line.Sum(text)}
	v.Current = v.ValidTo == ""
	if v.ValidTo != "" && v.ValidTo < v.ValidFrom {
		v.ValidTo = ""
	}
	if page > 0 {
		v.Pages = []digesto.PageMark{{Start: 0, Page: page}}
	}
	c.put(n, doc, digesto.Unit{Norm: doc.Norm.ID, ID: id, Kind: kind, Number: number, Label: name, Rubric: rubric, Path: splitPath(u.Metadata.Path)}, v)
}

// put adds a version: to its unit if that is there already, else as a new unit.
func (c *collector) put(n int, doc *corpus.Document, u digesto.Unit, v digesto.Version) {
	key := doc.Norm.ID + "/" + u.ID
	i, ok := c.units[key]
	if !ok {
		c.units[key] = len(doc.Units)
		u.Versions = []digesto.Version{v}
		u.Amending = heading.Amending(u)
		doc.Units = append(doc.Units, u)
		return
	}
	for _, old := range doc.Units[i].Versions {
		if old.ID == v.ID {
			c.reject(n, "repite la versión "+v.ID+" de "+key)
			return
		}
	}
	vs := append(doc.Units[i].Versions, v)
	for k := len(vs) - 1; k > 0 && vs[k].ValidFrom < vs[k-1].ValidFrom; k-- {
		vs[k], vs[k-1] = vs[k-1], vs[k]
	}
	doc.Units[i].Versions = vs
}

// norm finds or makes the document of a line's norm. Without metadata the id
// tells: "norm/unit" or "norm:unit" or, failing that, the file is the norm.
func (c *collector) norm(u unitLine) int {
	m := u.Metadata
	stem := strings.TrimSuffix(filepath.Base(c.path), filepath.Ext(c.path))
	id := line.FirstOf(line.SafeID(m.Norm), line.SafeID(idNorm(u.ID)), line.SafeID(stem), "norma")
	if i, ok := c.norms[id]; ok {
		return i
	}
	official := m.Official == nil || *m.Official
	law, _ := splitTitle(u.Title)
	n := digesto.Norm{ID: id, Title: line.FirstOf(m.NormTitle, law, id), TextAsOf: validDate(m.Updated), Rank: m.Rank, Collection: line.FirstOf(c.file.Collection, m.Collection, "normativa"),
		URL: m.URL, Source: filepath.Base(c.path), Format: "jsonl", Official: official}
	n.Jurisdiction, n.Territory = line.Territory("", line.FirstOf(m.Jurisdiction, c.file.Jurisdiction))
	if t := strings.ToLower(m.Territory); t != "" {
		n.Territory = t
	}
	if c.file.Pack != "" {
		n.Packs = []string{c.file.Pack}
	}
	c.norms[id] = len(c.docs)
	c.docs = append(c.docs, corpus.Document{Norm: n})
	return len(c.docs) - 1
}

func idNorm(id string) string {
	for _, sep := range []string{"/", ":"} {
		if a, b, ok := strings.Cut(id, sep); ok && a != "" && b != "" {
			return a
		}
	}
	return ""
}

// unitName reads kind, number and id of the unit from metadata, title and _id.
func unitName(u unitLine) (kind digesto.UnitKind, number, id string) {
	id = line.SafeID(u.Metadata.Unit)
	if id == "" {
		id = u.ID
		if n := idNorm(u.ID); n != "" {
			id = u.ID[len(n)+1:]
		}
		id = line.SafeID(id)
	}
	_, place := splitTitle(u.Title)
	for _, s := range []string{u.Metadata.Unit, u.Title, place} {
		h := heading.Read(line.Line{Text: s})
		if (h.Kind == heading.Article || h.Kind == heading.Disposition || h.Kind == heading.Norm) && !h.Num.IsZero() {
			number = h.Num.String()
			if s == u.Metadata.Unit || id == "" {
				id = cite.UnitID(h.Unit, number)
			}
			return h.Unit, number, id
		}
	}
	id = line.FirstOf(id, "s")
	return kindOfID(id), id, id
}

// splitTitle cuts «name of the norm — place in it»; a title without the dash is
// the name of neither.
func splitTitle(title string) (norm, place string) {
	if i := strings.LastIndex(title, " — "); i > 0 {
		return strings.TrimSpace(title[:i]), strings.TrimSpace(title[i+len(" — "):])
	}
	return "", ""
}

// unitLabel gives the label and the rubric that the title of a line holds.
func unitLabel(u unitLine, kind digesto.UnitKind, number, id string) (name, rubric string) {
	_, place := splitTitle(u.Title)
	for _, s := range []string{place, u.Title} {
		h := heading.Read(line.Line{Text: s})
		if h.Unit != "" && !h.Num.IsZero() {
			return heading.Label(h), strings.Trim(h.Rest, " .")
		}
	}
	if n := strings.TrimPrefix(number, string(digesto.KindArticle)); kind == digesto.KindArticle && n != "" {
		return "Artículo " + n, line.FirstOf(place, u.Title)
	}
	return line.FirstOf(place, u.Title, id), ""
}

// kindOfID guesses a kind from an id of our own making ("a38", "dt5").
func kindOfID(id string) digesto.UnitKind {
	i := 0
	for i < len(id) && id[i] >= 'a' && id[i] <= 'z' {
		i++
	}
	switch k := digesto.UnitKind(id[:i]); k {
	case digesto.KindArticle, digesto.KindAdditional, digesto.KindTransitional, digesto.KindRepealing, digesto.KindFinal, digesto.KindOther, digesto.KindAnnex, digesto.KindPreamble, digesto.KindTable:
		return k
	}
	return digesto.KindSection
}

func validDate(d digesto.Date) digesto.Date {
	if _, err := time.Parse(time.DateOnly, string(d)); err != nil { // a day that does not exist would order the versions of a law
		return ""
	}
	return d
}

func splitPath(s string) []string {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	parts := strings.Split(s, ">")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// tidyText makes white space plain and keeps paragraphs.
func tidyText(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "")
	}
	var out []string
	for _, p := range strings.Split(s, "\n") {
		if p = line.Tidy(p); p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "\n")
}
