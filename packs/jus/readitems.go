package jus

import (
	"strings"

	"digesto"
	"digesto/pack"
	"digesto/packs/jus/fees"
)

// Asked is a budget read from plain words.
type Asked struct {
	Items []Item // each with what its own line says of its case
	Facts Facts
	When  Period
}

// maxLines bounds a file of services.
const maxLines = 200

// Read reads a budget from a sentence, or from a file of services: one a line, as a code
// with its quantity ("consulta_verbal=2", or with a tab or a semicolon between them) or
// in plain words; a line that begins with # is a note. What names no service stays as
// an item, which the budget says is not understood.
func (c *Calc) Read(text string, today digesto.Date) (Asked, error) {
	out := Asked{Facts: Facts{}, When: Day(today)}
	var lines []string
	for _, l := range strings.Split(text, "\n") {
		if l = strings.TrimSpace(strings.TrimPrefix(l, "\ufeff")); l != "" && l[0] != '#' {
			lines = append(lines, l)
		}
	}
	if len(lines) > maxLines {
		return out, fees.Invalid("Divida el archivo.", "un archivo admite %d renglones como mucho", maxLines)
	}
	for _, l := range lines {
		if it, ok, err := c.coded(l); err != nil {
			return out, err
		} else if ok {
			out.Items = append(out.Items, it)
			continue
		}
		if err := c.readLine(&out, l, len(lines) == 1, today); err != nil {
			return out, err
		}
	}
	return out, nil
}

// coded reads a line that names a service by its code.
func (c *Calc) coded(line string) (Item, bool, error) {
	code, n, given := strings.Cut(line, "=")
	if !given {
		if i := strings.IndexAny(line, ";\t"); i >= 0 {
			code, n, given = line[:i], line[i+1:], true
		}
	}
	code = strings.ToLower(strings.TrimSpace(code))
	if !c.Holds(code) {
		return Item{}, false, nil
	}
	if n = strings.TrimSpace(n); given && n != "" {
		code += "=" + n
	}
	it, err := ParseItem(code)
	return it, true, err
}

func (c *Calc) readLine(out *Asked, line string, only bool, today digesto.Date) error {
	u := c.understand(line, today)
	call := pack.ToolCall{Args: map[string]string{}, Today: today}
	r, ok := c.merge(u)
	if ok {
		c.callItems(&call, r)
	}
	if len(r.services) == 0 {
		call.Items = []string{fees.UnreadMark + line}
	}
	facts := Facts{}
	for k := range FactKeys {
		if v := call.Args[k]; v != "" {
			facts[k] = v
		}
	}
	for _, s := range call.Items {
		it, err := ParseItem(s)
		if err != nil {
			return err
		}
		if !only {
			it.Facts = facts
		}
		out.Items = append(out.Items, it)
	}
	if only {
		out.Facts = facts
	}
	callWhen(&call, r)
	if w, err := When(call.Args["date"], call.Args["year"], call.Args["month"], today); err == nil && len(r.dates.found) > 0 {
		out.When = w
	}
	return nil
}
