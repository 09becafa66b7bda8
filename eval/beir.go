package eval

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"digesto"
	"digesto/text/cite"
)

// maxLine bounds a line of JSON Lines or TSV.
const maxLine = 16 << 20

// Corpus is a collection of documents in BEIR layout (Thakur et al. 2021): JSON
// Lines with _id, title, text and metadata.
type Corpus struct {
	Hash string // SHA-256 of the file, hex
	docs []document
	has  map[string]bool
	at   map[string]int // id → place in docs, made when first needed
}

type document struct {
	ID       string         `json:"_id"`
	Title    string         `json:"title"`
	Text     string         `json:"text"`
	Metadata map[string]any `json:"metadata"`
}

// ReadCorpus reads a corpus file.
func ReadCorpus(path string) (*Corpus, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, readError(path, err)
	}
	sum := sha256.Sum256(data)
	c := &Corpus{Hash: hex.EncodeToString(sum[:]), has: map[string]bool{}}
	err = eachLine(path, data, func(line []byte) error {
		var d document
		if err := json.Unmarshal(line, &d); err != nil {
			return err
		}
		if d.ID == "" || c.has[d.ID] {
			return fmt.Errorf("_id vacío o repetido: %q", d.ID)
		}
		c.has[d.ID] = true
		c.docs = append(c.docs, d)
		return nil
	})
	return c, err
}

// Len says how many documents there are.
func (c *Corpus) Len() int { return len(c.docs) }

// Has says whether a document is there.
func (c *Corpus) Has(id string) bool { return c.has[id] }

// hasLaw says whether a document of a law is there.
func (c *Corpus) hasLaw(law string) bool {
	for i := range c.docs {
		if LawOf(c.docs[i].ID) == law {
			return true
		}
	}
	return false
}

// LawOf gives the law of a document id: what stands before the first ":".
func LawOf(id string) string {
	law, _, _ := strings.Cut(id, ":")
	return law
}

// Chunks gives the documents as what is indexed: the document's id as chunk and
// unit, its law as norm.
func (c *Corpus) Chunks() iter.Seq2[digesto.Chunk, error] {
	return func(yield func(digesto.Chunk, error) bool) {
		for i := range c.docs {
			if !yield(c.docs[i].chunk(), nil) {
				return
			}
		}
	}
}

func (d *document) meta(key string) string {
	switch v := d.Metadata[key].(type) {
	case nil:
		return ""
	case string:
		return v
	default:
		return fmt.Sprint(v)
	}
}

func (d *document) chunk() digesto.Chunk {
	c := digesto.Chunk{ID: d.ID, Norm: LawOf(d.ID), Unit: d.ID, Title: d.Title, Path: d.meta("path"), Body: d.Text, Current: true, Official: true,
		Collection: cmp.Or(d.meta("collection"), "normativa"), Rank: d.meta("rank"), Jurisdiction: d.meta("jurisdiction"), Territory: d.meta("territory")}
	for k := range d.Metadata {
		if c.Meta == nil {
			c.Meta = map[string]string{}
		}
		c.Meta[k] = d.meta(k)
	}
	return c
}

// Norms gives the laws of the corpus that have a title in their metadata
// (law_title or norm_title), in order of appearance.
func (c *Corpus) Norms() []digesto.Norm {
	seen := map[string]bool{}
	var out []digesto.Norm
	for i := range c.docs {
		d := &c.docs[i]
		law := LawOf(d.ID)
		title := cmp.Or(d.meta("law_title"), d.meta("norm_title"))
		if title == "" || seen[law] {
			continue
		}
		seen[law] = true
		out = append(out, digesto.Norm{ID: law, Title: title, Rank: d.meta("rank"), Jurisdiction: d.meta("jurisdiction"), Official: true})
	}
	return out
}

// Table makes the table that recognises the laws of the corpus by their titles and the aliases.
func (c *Corpus) Table(aliases []cite.Alias) *cite.Table { return cite.NewTable(aliases, c.Norms()) }

// Query makes a search of a question as the product does: laws named in it are
// recognised and struck, and units cited exactly go first.
func (c *Corpus) Query(t *cite.Table, question string) digesto.Query {
	named := t.Recognise(question)
	q := digesto.Query{Norms: named.Norms, Text: named.Struck}
	for _, m := range t.Find(question) {
		norm := m.Norm
		if norm == "" && len(q.Norms) == 1 && m.Name == "" {
			norm = q.Norms[0]
		}
		if unit := norm + ":" + m.Unit; m.Unit != "" && norm != "" && c.has[unit] {
			q.Units = append(q.Units, unit)
		}
	}
	return q
}

// question is a line of queries.jsonl.
type question struct {
	ID   string `json:"_id"`
	Text string `json:"text"`
}

func readQueries(path string) ([]question, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, readError(path, err)
	}
	var out []question
	seen := map[string]bool{}
	err = eachLine(path, data, func(line []byte) error {
		var q question
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		if q.ID == "" || seen[q.ID] {
			return fmt.Errorf("_id vacío o repetido: %q", q.ID)
		}
		seen[q.ID] = true
		out = append(out, q)
		return nil
	})
	return out, err
}

// qrels are the judgements: query → document → gain (> 0 is relevant).
type qrels map[string]map[string]float64

// readQrels reads "query-id corpus-id score" separated by tabs, with or without a header.
func readQrels(path string) (qrels, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, readError(path, err)
	}
	out := qrels{}
	first := true
	err = eachLine(path, data, func(line []byte) error {
		f := strings.Split(strings.TrimSuffix(string(line), "\r"), "\t")
		header := first
		first = false
		if len(f) == 4 { // TREC form: query, iteration, document, gain
			f = []string{f[0], f[2], f[3]}
		}
		if len(f) != 3 {
			return errors.New("se esperan tres columnas separadas por tabuladores")
		}
		gain, err := strconv.ParseFloat(f[2], 64)
		if err != nil {
			if header {
				return nil
			}
			return err
		}
		if gain <= 0 {
			return nil
		}
		if out[f[0]] == nil {
			out[f[0]] = map[string]float64{}
		}
		out[f[0]][f[1]] = gain
		return nil
	})
	return out, err
}

func eachLine(path string, data []byte, f func(line []byte) error) error {
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(make([]byte, 0, 1<<16), maxLine)
	n := 0
	for sc.Scan() {
		n++
		line := bytes.TrimSpace(bytes.TrimPrefix(sc.Bytes(), []byte("\ufeff")))
		if len(line) == 0 {
			continue
		}
		if err := f(line); err != nil {
			return lineError(path, n, err)
		}
	}
	if err := sc.Err(); err != nil {
		return lineError(path, n+1, err)
	}
	return nil
}

func lineError(path string, n int, err error) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("%s, línea %d: no se entiende", filepath.Base(path), n),
		Hint: "Se espera JSON Lines con _id y text (corpus, preguntas) o tres columnas con tabuladores (qrels).", Err: err}
}

func readError(path string, err error) error {
	code := digesto.CodeInvalid
	if errors.Is(err, fs.ErrNotExist) {
		code = digesto.CodeNotFound
	}
	return &digesto.Error{Code: code, Message: "No se puede leer " + path, Hint: "La carpeta ha de tener corpus.jsonl, queries.jsonl y qrels.tsv; use --queries y --qrels para otros nombres.", Err: err}
}

// Text gives the title and the text of a document.
func (c *Corpus) Text(id string) (title, body string, ok bool) {
	if c.at == nil {
		c.at = make(map[string]int, len(c.docs))
		for i := range c.docs {
			c.at[c.docs[i].ID] = i
		}
	}
	i, ok := c.at[id]
	if !ok {
		return "", "", false
	}
	return c.docs[i].Title, c.docs[i].Text, true
}
