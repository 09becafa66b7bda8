package fetch

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"os"
	"strings"

	"digesto"
	"digesto/text/lazyregexp"
)

// OpenData is the open-data service of an official journal, as the BOE
// publishes it (boe.es/datosabiertos: «API de legislación consolidada» and
// «API de sumarios»): a list of consolidated norms by day of change, the
// document of each with all versions of its blocks, single blocks, and the
// table of contents of each day's issue.
type OpenData struct {
	Client *Client
	Base   string // "https://…/datosabiertos/api"
	Daily  string // address of a norm as published, with %s for its id; "" = none
}

var idForm = lazyregexp.New(`^[A-Z]{3,5}-[A-Za-z]-\d{4}-\d{1,6}$`)

// Entry is one norm of the list of consolidated law, or of a day's summary.
type Entry struct {
	ID      string
	Title   string
	Updated string // as the service writes it: "20251120T113850Z"; "" in a summary
	Section string // of a summary, its code: "1" general dispositions, "2A"…; "" = not said
}

// Norm gets the whole document of a consolidated norm; a norm that is not
// consolidated, as the journal published it.
func (o OpenData) Norm(ctx context.Context, id string) (Result, error) {
	if !idForm.MatchString(id) {
		return Result{}, badID(id)
	}
	r, err := o.Client.Get(ctx, Request{URL: o.Base + "/legislacion-consolidada/id/" + id, Want: "xml"})
	if digesto.CodeOf(err) == digesto.CodeNotFound && o.Daily != "" {
		return o.Client.Get(ctx, Request{URL: fmt.Sprintf(o.Daily, id), Want: "xml"})
	}
	if err != nil {
		return r, err
	}
	return r, schema(r.Path, "texto")
}

// Block gets one block (article, disposition) of a norm with all its versions.
func (o OpenData) Block(ctx context.Context, id, block string) (Result, error) {
	if !idForm.MatchString(id) || strings.ContainsAny(block, "/?#") || block == "" {
		return Result{}, badID(id + "/" + block)
	}
	r, err := o.Client.Get(ctx, Request{URL: o.Base + "/legislacion-consolidada/id/" + id + "/texto/bloque/" + url.PathEscape(block), Want: "xml"})
	if err != nil {
		return r, err
	}
	return r, schema(r.Path, "bloque")
}

func badID(id string) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: "«" + id + "» no es un identificador de norma", Hint: "Tienen la forma BOE-A-2015-11430."}
}

// schema proves that a document has the element it is asked for: the service's
// own errors and a changed schema are told apart from law.
func schema(path, want string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return errDisk(path, err)
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false
	d.CharsetReader = nil
	code := ""
	for depth := 0; depth < 10000; depth++ {
		t, err := d.RawToken()
		if err != nil {
			break
		}
		s, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		if s.Name.Local == want {
			return nil
		}
		if s.Name.Local == "code" {
			if text, err := d.RawToken(); err == nil {
				if c, ok := text.(xml.CharData); ok {
					code = strings.TrimSpace(string(c))
				}
			}
		}
	}
	if code != "" && code != "200" {
		return &digesto.Error{Code: digesto.CodeUnavailable, Message: "El servicio responde con el error " + code, Hint: "Repita la orden más tarde."}
	}
	return &digesto.Error{Code: digesto.CodeInvalid, Message: "El documento recibido no tiene el elemento «" + want + "»: el servicio puede haber cambiado su formato",
		Hint: "Compruebe si hay una versión nueva de Digesto; mientras tanto puede añadir el texto a mano con «digesto corpus add»."}
}

// pageSize is how many entries of the list are asked for at once, and maxPages
// bounds a list that never ends.
const (
	pageSize = 500
	maxPages = 400
)

// Changed lists the norms whose consolidated text changed from one day to
// another (both included), each once. A list that repeats itself ends.
func (o OpenData) Changed(ctx context.Context, from, to digesto.Date) ([]Entry, error) {
	var out []Entry
	seen := map[string]bool{}
	for page := range maxPages {
		q := url.Values{"from": {compact(from)}, "to": {compact(to)}, "offset": {fmt.Sprint(page * pageSize)}, "limit": {fmt.Sprint(pageSize)}}
		r, err := o.Client.Get(ctx, Request{URL: o.Base + "/legislacion-consolidada?" + q.Encode(), Want: "json"})
		if err != nil {
			return nil, err
		}
		data, err := os.ReadFile(r.Path)
		if err != nil {
			return nil, errDisk(r.Path, err)
		}
		list, err := parseList(data)
		if err != nil {
			return nil, err
		}
		fresh := 0
		for _, e := range list {
			if !seen[e.ID] {
				seen[e.ID] = true
				fresh++
				out = append(out, e)
			}
		}
		if fresh == 0 || len(list) < pageSize {
			return out, nil
		}
	}
	return out, nil
}

func compact(d digesto.Date) string { return strings.ReplaceAll(string(d), "-", "") }

// parseList reads one page of the list. An empty page is no error.
func parseList(data []byte) ([]Entry, error) {
	var body struct {
		Status struct {
			Code json.RawMessage `json:"code"`
		} `json:"status"`
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(data, &body); err != nil || body.Data == nil {
		return nil, badList(err)
	}
	var out []Entry
	for _, raw := range each(body.Data) {
		var e struct {
			ID      string `json:"identificador"`
			Title   string `json:"titulo"`
			Updated string `json:"fecha_actualizacion"`
		}
		if err := json.Unmarshal(raw, &e); err != nil || !idForm.MatchString(e.ID) {
			return nil, badList(err)
		}
		out = append(out, Entry{ID: e.ID, Title: e.Title, Updated: e.Updated})
	}
	return out, nil
}

func badList(err error) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: "La lista de normas del servicio no tiene la forma conocida", Err: err,
		Hint: "Compruebe si hay una versión nueva de Digesto."}
}

// each gives the elements of a value that is a list, one object, or nothing.
func each(raw json.RawMessage) []json.RawMessage {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] == 'n' || raw[0] == '"' {
		return nil
	}
	if raw[0] != '[' {
		return []json.RawMessage{raw}
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}
