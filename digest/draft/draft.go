// Package draft has a model write entries of the digest for units of installed norms,
// and keeps those alone that stand by the checks of every entry.
package draft

import (
	"context"
	_ "embed"
	"encoding/json"
	"strings"

	"digesto"
	"digesto/digest"
	"digesto/model"
	"digesto/pack"
	"digesto/text"
	"digesto/text/jsonx"
)

//go:embed prompt.txt
var prompt string

// Bounds of one unit: what a model is shown of it, and how much it may write.
const (
	maxUnit    = 12000 // code points
	maxEntries = 6
	maxTokens  = 2400
)

// Unit is what entries are written for.
type Unit struct {
	Norm, ID    string // place
	Title       string // of the norm
	Label, Text string
	Where       string // country in whose words people ask
}

// Written is what came of a unit.
type Written struct {
	Entries []digest.Entry
	Refused []pack.Problem // why others do not stand
	Usage   model.Usage
}

// Write asks a model for the entries of a unit. What it writes that is no entry, or does
// not stand beside the text, is refused and told; an error is only the model's.
func Write(ctx context.Context, g model.Generator, u Unit) (Written, error) {
	p, err := model.NewPrompt("digest", prompt)
	if err != nil {
		return Written{}, err
	}
	body := []rune(u.Text)
	said, err := p.Render(map[string]any{"Most": maxEntries, "Where": u.Where, "Norm": u.Title, "Label": u.Label, "Text": string(body[:min(len(body), maxUnit)])})
	if err != nil {
		return Written{}, err
	}
	res, err := g.Generate(ctx, model.Request{Messages: []model.Message{{Role: model.User, Text: said}}, Schema: schema, SchemaName: "entradas", MaxTokens: maxTokens}, nil)
	if err != nil {
		return Written{}, err
	}
	w := read(u, res.Text)
	w.Usage = res.Usage
	return w, nil
}

// schema is that of the answer.
var schema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["entries"],"properties":{"entries":{"type":"array","maxItems":6,"items":{"type":"object","additionalProperties":false,"required":["text","words","short","street","told"],"properties":{"text":{"type":"string"},"words":{"type":"string"},"short":{"type":"string"},"street":{"type":"array","items":{"type":"string"}},"told":{"type":"array","items":{"type":"string"}}}}}}}`)

// read keeps the entries of an answer that stand.
func read(u Unit, answer string) (w Written) {
	var said struct {
		Entries []struct {
			Text, Words, Short string
			Street, Told       []string
		}
	}
	found, ok := jsonx.Object(answer)
	if !ok || json.Unmarshal([]byte(found.JSON), &said) != nil {
		w.Refused = append(w.Refused, pack.Problem{File: u.Norm, Text: "«" + u.ID + "»: el modelo no ha escrito lo que se le pide"})
		return w
	}
	var an text.Analyser
	for _, x := range said.Entries[:min(len(said.Entries), maxEntries)] {
		e := digest.Entry{Norm: u.Norm, Unit: u.ID, Text: line(x.Text), Words: line(x.Words), File: u.Norm}
		for _, a := range []struct {
			kind  digest.Kind
			texts []string
		}{{digest.Short, []string{x.Short}}, {digest.Street, x.Street}, {digest.Told, x.Told}} {
			for _, t := range a.texts {
				if t = line(t); t != "" {
					e.Asks = append(e.Asks, digest.Ask{Kind: a.kind, Text: t})
				}
			}
		}
		if bad := append(e.Form(), e.Against(&an, u.Text)...); len(bad) > 0 {
			w.Refused = append(w.Refused, bad...)
			continue
		}
		w.Entries = append(w.Entries, e)
	}
	return w
}

// line makes one line of a text: entries stand in files by lines.
func line(s string) string { return strings.Join(strings.Fields(s), " ") }

// OfCountry names the country of a norm as a prompt says it.
func OfCountry(n digesto.Norm, p *pack.Pack) string {
	if name := p.Places[strings.SplitN(n.Jurisdiction, "-", 2)[0]]; name != "" {
		return name
	}
	return p.Title
}
