package fees

import (
	"slices"
	"strings"

	"github.com/govalues/decimal"
)

// NotFact stands for no fact: words that resemble one, a place in the law that always holds.
const NotFact = "-"

// modifier is a circumstance that changes how a service is calculated.
type modifier struct {
	service, key, value string
	effect              string // "min*2", "all*0.5", "nomin", "pct=…"
	text                string
	at                  Service // the place in the law, and its decisive words
}

func (c *Tables) readModifiers(data []byte) error {
	list, lines, err := Rows("modifiers.tsv", data, "service", "fact", "effect", "text", "article", "paragraph", "law")
	if err != nil {
		return err
	}
	for i, r := range list {
		key, val, ok := strings.Cut(r[1], "=")
		s, known := c.Service(r[0])
		effect, _, _ := strings.Cut(r[2], "=")
		if key == NotFact {
			ok = true
		}
		if _, fact := FactKeys[key]; !ok || !known || !fact && key != NotFact || r[3] == "" || r[6] == "" || !slices.Contains([]string{"min*2", "all*0.5", "nomin", "pct", "also"}, effect) {
			return Invalid("Corrija la fila.", "modifiers.tsv:%d: servicio, hecho o efecto no válidos", lines[i])
		}
		s.Article, s.Paragraph, s.Law = r[4], r[5], r[6]
		c.modifiers = append(c.modifiers, modifier{r[0], key, val, r[2], r[3], s})
	}
	return nil
}

// Modified gives a service as the facts change it, with what changed it.
func (c *Tables) Modified(s Service, facts Facts) (Service, []modifier) {
	var by []modifier
	for _, m := range c.modifiers {
		if m.service != s.Code || m.key != NotFact && facts[m.key] != m.value {
			continue
		}
		by = append(by, m)
		switch m.effect {
		case "min*2":
			s.Min = Times(s.Min, 2, 0)
		case "all*0.5":
			s.Min = Times(s.Min, 5, 1)
			s.Pct = halved(s.Pct)
		case "also":
		case "nomin":
			s.Min, s.Kind = decimal.Zero, "percent"
		default:
			s.Pct = strings.TrimPrefix(m.effect, "pct=")
		}
		s.Condition = m.text
	}
	return s, by
}

func Times(d decimal.Decimal, n int64, scale int) decimal.Decimal {
	out, err := d.Mul(decimal.MustNew(n, scale))
	if err != nil {
		return d
	}
	return out.Trim(0)
}

// halved is half of a share of the scale: "scale:100" gives "scale:50".
func halved(pct string) string {
	share, ok := strings.CutPrefix(pct, "scale:")
	d, err := decimal.Parse(share)
	if !ok || err != nil {
		return pct
	}
	return "scale:" + Times(d, 5, 1).String()
}

// FactsOf gives the keys of the facts that change how a service is calculated.
func (c *Tables) FactsOf(code string) (out []string) {
	for _, m := range c.modifiers {
		if m.service == code && m.key != NotFact {
			out = append(out, m.key)
		}
	}
	return out
}
