package fetch

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"digesto"
)

// blockEntry is one block of the table of contents of a consolidated norm.
type blockEntry struct {
	ID      string `xml:"id"`
	Updated string `xml:"fecha_actualizacion"` // "20250730"
}

// Refresh brings the document of a norm up to date with the least of requests:
// the table of contents says which blocks changed since the copy that is there,
// and only those, and the norm's own data, are asked for. blocks is how many. An
// error means that the whole document is to be got with [OpenData.Norm]: the
// copy is of another form, most blocks changed, or the service has no blocks.
func (o OpenData) Refresh(ctx context.Context, id string, old []byte) (data []byte, blocks int, err error) {
	if !idForm.MatchString(id) {
		return nil, 0, badID(id)
	}
	doc, err := cutBlocks(old)
	if err != nil {
		return nil, 0, err
	}
	index, err := o.index(ctx, id)
	if err != nil {
		return nil, 0, err
	}
	var stale []string
	for _, e := range index {
		if b, ok := doc.at[e.ID]; !ok || e.Updated > doc.blocks[b].latest {
			stale = append(stale, e.ID)
		}
	}
	if len(stale) > 4 && 2*len(stale) > len(index) {
		return nil, 0, errors.New("most blocks changed")
	}
	fresh := map[string][]byte{}
	for _, b := range stale {
		r, err := o.Block(ctx, id, b)
		if err != nil {
			return nil, 0, err
		}
		if fresh[b], err = elementOf(r.Path, "bloque"); err != nil {
			return nil, 0, err
		}
	}
	r, err := o.Client.Get(ctx, Request{URL: o.Base + "/legislacion-consolidada/id/" + id + "/metadatos", Want: "xml"})
	if err != nil {
		return nil, 0, err
	}
	meta, err := elementOf(r.Path, "metadatos")
	if err != nil {
		return nil, 0, err
	}
	return doc.with(index, fresh, meta), len(stale), nil
}

// index gets the table of contents of a norm.
func (o OpenData) index(ctx context.Context, id string) ([]blockEntry, error) {
	r, err := o.Client.Get(ctx, Request{URL: o.Base + "/legislacion-consolidada/id/" + id + "/texto/indice", Want: "xml"})
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(r.Path)
	if err != nil {
		return nil, errDisk(r.Path, err)
	}
	var body struct {
		Blocks []blockEntry `xml:"data>bloque"`
	}
	if err := xml.Unmarshal(data, &body); err != nil || len(body.Blocks) == 0 {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "El índice de la norma no tiene la forma conocida", Hint: "Compruebe si hay una versión nueva de Digesto.", Err: err}
	}
	for _, b := range body.Blocks {
		if b.ID == "" || strings.ContainsAny(b.ID, "/?# \"<>&") || len(compactDay(b.Updated)) != 8 {
			return nil, badList(nil)
		}
	}
	return body.Blocks, nil
}

func compactDay(s string) string {
	if strings.Trim(s, "0123456789") != "" {
		return ""
	}
	return s
}

// cutDocument is a document cut at its blocks.
type cutDocument struct {
	head, tail []byte // before the first block and after the last
	blocks     []cutBlock
	at         map[string]int
}

type cutBlock struct {
	id     string
	raw    []byte
	latest string // day the newest of its versions was published
}

var errForm = errors.New("not a document of blocks")

// cutBlocks finds the blocks of a document by their places, so that what did not
// change stays byte for byte as it was.
func cutBlocks(data []byte) (*cutDocument, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	out := &cutDocument{at: map[string]int{}}
	var from, last int64
	depth := 0
	for n := 0; ; n++ {
		at := d.InputOffset()
		t, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || n > 20_000_000 {
			return nil, errForm
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch {
			case t.Name.Local == "bloque":
				if depth++; depth > 1 {
					return nil, errForm
				}
				from = at
				if len(out.blocks) == 0 {
					out.head = data[:at]
				} else if len(bytes.TrimSpace(data[last:at])) > 0 {
					return nil, errForm
				}
				out.blocks = append(out.blocks, cutBlock{id: attribute(t, "id")})
			case t.Name.Local == "version" && depth == 1:
				b := &out.blocks[len(out.blocks)-1]
				b.latest = max(b.latest, compactDay(attribute(t, "fecha_publicacion")))
			}
		case xml.EndElement:
			if t.Name.Local == "bloque" && depth == 1 {
				depth, last = 0, d.InputOffset()
				b := &out.blocks[len(out.blocks)-1]
				if _, twice := out.at[b.id]; twice || b.id == "" {
					return nil, errForm
				}
				b.raw, out.at[b.id] = data[from:last], len(out.blocks)-1
			}
		}
	}
	if len(out.blocks) == 0 || depth != 0 {
		return nil, errForm
	}
	out.tail = data[last:]
	return out, nil
}

func attribute(t xml.StartElement, name string) string {
	i := slices.IndexFunc(t.Attr, func(a xml.Attr) bool { return a.Name.Local == name })
	if i < 0 {
		return ""
	}
	return t.Attr[i].Value
}

// with puts the document together again in the order of the table of contents.
// Blocks that it does not name any more are gone.
func (c *cutDocument) with(index []blockEntry, fresh map[string][]byte, meta []byte) []byte {
	var b bytes.Buffer
	b.Write(replaceElement(c.head, "metadatos", meta))
	for i, e := range index {
		if i > 0 {
			b.WriteByte('\n')
		}
		raw := fresh[e.ID]
		if raw == nil {
			raw = c.blocks[c.at[e.ID]].raw
		}
		b.Write(raw)
	}
	b.Write(c.tail)
	return b.Bytes()
}

// elementOf gives the bytes of the first element of a name in a file.
func elementOf(path, name string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, errDisk(path, err)
	}
	from, to, ok := elementAt(data, name)
	if !ok {
		return nil, schema(path, name)
	}
	return data[from:to], nil
}

func elementAt(data []byte, name string) (from, to int64, ok bool) {
	d := xml.NewDecoder(bytes.NewReader(data))
	depth := 0
	for {
		at := d.InputOffset()
		t, err := d.RawToken()
		if err != nil {
			return 0, 0, false
		}
		switch t := t.(type) {
		case xml.StartElement:
			if t.Name.Local == name {
				if depth++; depth == 1 {
					from = at
				}
			}
		case xml.EndElement:
			if t.Name.Local == name && depth > 0 {
				if depth--; depth == 0 {
					return from, d.InputOffset(), true
				}
			}
		}
	}
}

// replaceElement puts another element in the place of the first of a name.
func replaceElement(data []byte, name string, with []byte) []byte {
	from, to, ok := elementAt(data, name)
	if !ok {
		return data
	}
	return slices.Concat(data[:from], with, data[to:])
}
