package fees

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/govalues/decimal"

	"digesto"
	"digesto/pack"
)

// Value is the amount of one JUS in pesos from a day on.
type Value struct {
	Date   digesto.Date
	Amount decimal.Decimal
	Source string
	Flags  map[string]bool // former, gap, doubtful, fall, bad
	Note   string
}

// Service is one line of the fee table.
type Service struct {
	Code      string
	Name      string
	Kind      string          // "fixed", "range", "minimum", "percent", "rule" (no figure of its own)
	Min, Max  decimal.Decimal // JUS; Max is zero for a minimum
	Per       string          // "letrado", "mes", "acto"…; "" = for the whole
	Pct       string          // "1", "1-4", "<30", "scale:60"; see data/services.tsv
	Of        string          // what the percentage is of
	Condition string
	Article   string
	Paragraph string
	Since     digesto.Date // the quantity holds from here; "" = no change is known
	Words     string       // how it is named, as patterns; "-" = by none
	Law       string       // decisive words of the article, to the letter
	Months    string       // of an amount a month, how many make the base: a number, or "plazo" for those of the contract
	Replaces  string       // "code@word|word": with one of the words in a question, that service is this one
	Absorbs   []string     // codes of services that beside this one are told and not asked for
}

// Place is where the law has it.
func (s Service) Place() string {
	p := LawName + ", artículo " + s.Article
	if s.Paragraph != "" {
		p += ", inciso " + s.Paragraph
	}
	return p
}

// Group is a service whose quantity depends on facts.
type Group struct {
	Code, Name, Question string
	Cases                []Case
	Words                string
}

// Case is one branch of a group.
type Case struct {
	Service string
	Facts   map[string]string
}

// Rows reads a table of tab-separated values with the header given; cells that a row lacks are empty.
func Rows(file string, data []byte, columns ...string) ([][]string, []int, error) {
	rows, lines, err := pack.Table(file, data, columns...)
	for i, cells := range rows {
		rows[i] = append(cells, make([]string, len(columns)-len(cells))...)
	}
	return rows, lines, err
}

var knownFlags = map[string]bool{"former": true, "gap": true, "doubtful": true, "fall": true, "bad": true}

// readValues loads the series and the values added to it, and runs their rules. A value
// added for a day that the series has stands in its place, and says so if it is
// another. A fall that the row does not mark is reported, never dropped.
func (c *Tables) readValues(data, added []byte) error {
	all, err := c.valuesOf("values.tsv", data)
	if err != nil {
		return err
	}
	if added != nil {
		if added, err = unsealed(added); err != nil {
			return err
		}
		if c.added, err = c.valuesOf(addedFile, added); err != nil {
			return err
		}
		c.added = slices.DeleteFunc(c.added, func(v Value) bool {
			i := slices.IndexFunc(all, func(x Value) bool { return x.Date == v.Date })
			if i < 0 {
				all = append(all, v)
				return false
			}
			if all[i].Amount.Cmp(v.Amount) == 0 {
				return true
			}
			v.Note = fmt.Sprintf("Lo agregó el usuario; el programa trae otro para ese día, %s.", Pesos(all[i].Amount))
			v.Flags["doubtful"] = true
			all[i] = v
			return false
		})
	}
	for _, v := range all {
		if v.Flags["former"] {
			c.former = append(c.former, v)
		} else {
			c.values = append(c.values, v)
		}
	}
	sort.Slice(c.values, func(i, j int) bool { return c.values[i].Date < c.values[j].Date })
	sort.Slice(c.former, func(i, j int) bool { return c.former[i].Date < c.former[j].Date })
	if len(c.values) == 0 {
		return Invalid("Añada al menos un valor.", "values.tsv no tiene ningún valor utilizable")
	}
	for i := 1; i < len(c.values); i++ {
		if v := c.values[i]; v.Amount.Cmp(c.values[i-1].Amount) < 0 {
			c.report = append(c.report, strings.TrimSpace(fmt.Sprintf("El valor baja el %s: de %s a %s. %s",
				LongDate(v.Date), Pesos(c.values[i-1].Amount), Pesos(v.Amount), v.Note)))
		}
	}
	return nil
}

// valuesOf reads rows of values: a valid date and a positive amount of at most two
// decimals, a source, one value a date.
func (c *Tables) valuesOf(file string, data []byte) (out []Value, err error) {
	list, lines, err := Rows(file, data, valueColumns...)
	if err != nil {
		return nil, err
	}
	seen := map[digesto.Date]bool{}
	for i, r := range list {
		v, err := readValue(r)
		if err != nil {
			return nil, Invalid("Corrija la fila: la tabla anterior sigue en uso.", "%s:%d: %v", file, lines[i], err)
		}
		if v.Flags["bad"] {
			c.report = append(c.report, fmt.Sprintf("Fila del %s omitida: está marcada como mala. %s", LongDate(v.Date), v.Note))
			continue
		}
		if seen[v.Date] {
			return nil, Invalid("Deje una sola fila por fecha.", "%s:%d: hay dos valores del %s", file, lines[i], v.Date)
		}
		seen[v.Date] = true
		out = append(out, v)
	}
	return out, nil
}

func readValue(r []string) (Value, error) {
	v := Value{Date: digesto.Date(r[0]), Source: r[2], Note: r[4], Flags: map[string]bool{}}
	if !ValidDate(v.Date) {
		return v, fmt.Errorf("«%s» no es una fecha (AAAA-MM-DD)", r[0])
	}
	d, err := decimal.Parse(r[1])
	if err != nil || !d.IsPos() || d.Scale() > 2 || d.Prec() > maxValueDigits {
		return v, fmt.Errorf("«%s» no es un importe válido (punto decimal, dos decimales como mucho)", r[1])
	}
	v.Amount = d.Pad(2)
	if v.Source == "" {
		return v, fmt.Errorf("falta la fuente")
	}
	for _, f := range strings.FieldsFunc(r[3], func(r rune) bool { return r == ',' || r == ' ' }) {
		if !knownFlags[f] {
			return v, fmt.Errorf("la marca «%s» no existe", f)
		}
		v.Flags[f] = true
	}
	return v, nil
}

func (c *Tables) readServices(data []byte) error {
	list, lines, err := Rows("services.tsv", data, "code", "name", "kind", "min", "max", "per", "pct", "of", "condition", "article", "paragraph", "since", "words", "law", "months", "absorbs", "replaces")
	if err != nil {
		return err
	}
	for i, r := range list {
		s, err := readService(r)
		if err != nil {
			return Invalid("Corrija la fila: la tabla anterior sigue en uso.", "services.tsv:%d: %v", lines[i], err)
		}
		if _, dup := c.byCode[s.Code]; dup {
			return Invalid("Deje una sola fila por servicio.", "services.tsv:%d: el código «%s» está dos veces", lines[i], s.Code)
		}
		c.byCode[s.Code] = len(c.services)
		c.services = append(c.services, s)
	}
	return nil
}

func readService(r []string) (Service, error) {
	s := Service{Code: r[0], Name: r[1], Kind: r[2], Per: r[5], Pct: r[6], Of: r[7], Condition: r[8],
		Article: r[9], Paragraph: r[10], Since: digesto.Date(r[11]), Law: r[13], Months: r[14], Absorbs: strings.Fields(r[15]), Replaces: r[16]}
	if s.Code == "" || s.Name == "" || s.Article == "" {
		return s, fmt.Errorf("faltan código, nombre o artículo")
	}
	if s.Since != "" && !ValidDate(s.Since) {
		return s, fmt.Errorf("«%s» no es una fecha", s.Since)
	}
	var err error
	if s.Min, err = quantity(r[3]); err != nil {
		return s, err
	}
	if s.Max, err = quantity(r[4]); err != nil {
		return s, err
	}
	bad := false
	switch s.Kind {
	case "fixed":
		bad = !s.Min.IsPos() || !s.Min.Equal(s.Max)
	case "range":
		bad = !s.Min.IsPos() || s.Max.Cmp(s.Min) <= 0
	case "minimum":
		bad = !s.Min.IsPos() || !s.Max.IsZero()
	case "rule":
		bad = !s.Min.IsZero() || !s.Max.IsZero() || s.Pct != "" || s.Condition == ""
	case "percent":
		bad = !s.Min.IsZero() || !s.Max.IsZero() || s.Pct == ""
	default:
		bad = true
	}
	if bad {
		return s, fmt.Errorf("la clase «%s» no concuerda con las cantidades «%s» y «%s»", r[2], r[3], r[4])
	}
	s.Words = r[12]
	return s, nil
}

func quantity(s string) (decimal.Decimal, error) {
	if s == "" {
		return decimal.Zero, nil
	}
	d, err := decimal.Parse(s)
	if err != nil || d.IsNeg() || d.Prec() > 6 {
		return d, fmt.Errorf("«%s» no es una cantidad de JUS", s)
	}
	return d, nil
}

func (c *Tables) readGroups(data []byte) error {
	list, lines, err := Rows("groups.tsv", data, "group", "name", "question", "case", "facts", "words")
	if err != nil {
		return err
	}
	at := map[string]int{}
	for i, r := range list {
		if _, ok := c.byCode[r[3]]; !ok {
			return Invalid("Use un código de la tabla de servicios.", "groups.tsv:%d: el caso «%s» no es un servicio", lines[i], r[3])
		}
		if _, ok := c.byCode[r[0]]; ok {
			return Invalid("Dé otro nombre al grupo.", "groups.tsv:%d: «%s» ya es un servicio", lines[i], r[0])
		}
		if _, ok := at[r[0]]; !ok {
			at[r[0]] = len(c.groups)
			c.groups = append(c.groups, Group{Code: r[0], Name: r[1], Question: r[2]})
		}
		g := &c.groups[at[r[0]]]
		g.Words += r[5] + ";"
		facts := map[string]string{}
		for _, f := range strings.Fields(r[4]) {
			k, v, _ := strings.Cut(f, "=")
			facts[k] = v
		}
		g.Cases = append(g.Cases, Case{Service: r[3], Facts: facts})
	}
	return nil
}

// Service gives a service by code.
func (c *Tables) Service(code string) (Service, bool) {
	i, ok := c.byCode[code]
	if !ok {
		return Service{}, false
	}
	return c.services[i], true
}

// Group gives a group by code.
func (c *Tables) Group(code string) (Group, bool) {
	for _, g := range c.groups {
		if g.Code == code {
			return g, true
		}
	}
	return Group{}, false
}

func (g Group) Has(code string) bool {
	return slices.ContainsFunc(g.Cases, func(k Case) bool { return k.Service == code })
}

// OfFee says that a service is a part of what was or would be regulated, and not of a
// value.
func (s Service) OfFee() bool {
	return strings.HasPrefix(s.Of, "los honorarios") || strings.HasPrefix(s.Of, "lo regulado") || strings.HasPrefix(s.Of, "lo que corresponder") || strings.HasPrefix(s.Of, "lo previsto")
}

// ReplacedBy says that a service is another one where a word is said.
func (s Service) ReplacedBy(word string) bool {
	return slices.ContainsFunc(strings.Fields(s.Replaces), func(r string) bool {
		_, alts, _ := strings.Cut(r, "@")
		return slices.Contains(strings.Split(alts, "|"), word)
	})
}
