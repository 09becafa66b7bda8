package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sort"

	"digesto"
	"digesto/verify/brief"
)

// evalVerifyCmd checks texts whose truth is known.
type evalVerifyCmd struct {
	FalseMost int     `name:"false-most" default:"-1" placeholder:"N" help:"Acaba con código 7 si más de N textos falsos tienen una cita VERIFIED."`
	TrueLeast float64 `name:"true-least" placeholder:"0..1" help:"Acaba con código 7 si se reconocen menos textos verdaderos que esa parte."`
	List      bool    `name:"list" help:"Escribe también cada texto en que se yerra."`
	File      string  `arg:"" placeholder:"FICHERO.jsonl" help:"Textos: {_id, text, truth, kind, pack, as_of, quotes} por línea."`
}

// Examples of the command.
func (evalVerifyCmd) Examples() []string {
	return []string{"digesto eval verify textos.jsonl", "digesto eval verify textos.jsonl --list", "digesto eval verify textos.jsonl --false-most 1 --true-least .94"}
}

// verifyCase is a text whose quotations are all true, or of which one at least is false.
type verifyCase struct {
	ID     string `json:"_id"`
	Text   string `json:"text"`
	Truth  string `json:"truth"` // "true" or "false"
	Kind   string `json:"kind"`
	Pack   string `json:"pack"`
	AsOf   string `json:"as_of"`
	Quotes int    `json:"quotes"` // that must be VERIFIED in a true text; 0 = 1
}

// verifyRow counts the texts of a kind.
type verifyRow struct {
	Kind    string `json:"kind"`
	True    int    `json:"true"`
	Known   int    `json:"recognised"`
	False   int    `json:"false"`
	Wrongly int    `json:"wrongly_verified"`
}

type verifyResult struct {
	All       verifyRow        `json:"all"`
	Kinds     []verifyRow      `json:"kinds"`
	Precision float64          `json:"precision"`
	Recall    float64          `json:"recall"`
	Wrong     []wrongVerdict   `json:"wrong"`
	Rules     []brief.RuleUsed `json:"rules"`
}

type wrongVerdict struct {
	ID       string   `json:"_id"`
	Truth    string   `json:"truth"`
	Kind     string   `json:"kind"`
	Text     string   `json:"text"`
	Verdicts []string `json:"verdicts"` // of each citation, with its reason
}

// Run checks the texts and prints how many were judged rightly.
func (c evalVerifyCmd) Run(a *app) error {
	in, err := os.Open(c.File)
	if err != nil {
		return fileError(err, c.File, "")
	}
	defer in.Close()
	w, err := a.open(a.ctx)
	if err != nil {
		return err
	}
	defer w.close()
	r, err := c.measure(a, w, in)
	if err != nil {
		return err
	}
	if a.json {
		if err := a.printJSON(r); err != nil {
			return err
		}
	} else {
		c.print(a.out, r)
	}
	if c.FalseMost >= 0 && r.All.Wrongly > c.FalseMost || r.Recall < c.TrueLeast {
		return checkFailed("las comprobaciones no llegan a lo exigido", noWorse)
	}
	return nil
}

func (c evalVerifyCmd) measure(a *app, w *world, in io.Reader) (verifyResult, error) {
	r := verifyResult{All: verifyRow{Kind: "todos"}, Wrong: []wrongVerdict{}}
	kinds, rules := map[string]*verifyRow{}, map[string]int{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 2*brief.MaxText)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var x verifyCase
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil || x.Truth != "true" && x.Truth != "false" {
			return r, &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("%s, línea %d: no es un texto con su verdad", c.File, n), Hint: "Cada línea es {\"text\": …, \"truth\": \"true\" o \"false\"}.", Err: err}
		}
		p, err := w.pack(x.Pack)
		if err != nil {
			return r, err
		}
		at, err := parseDate("as_of", x.AsOf)
		if err != nil {
			return r, err
		}
		rep, err := w.verifyText(a.ctx, x.Text, p, at, a.today())
		if err != nil {
			return r, err
		}
		for _, u := range rep.Rules {
			rules[u.Rule] += u.Fired
		}
		row := kinds[x.Kind]
		if row == nil {
			row = &verifyRow{Kind: x.Kind}
			kinds[x.Kind] = row
		}
		if right := x.add(rep, row, &r.All); !right {
			wrong := wrongVerdict{ID: x.ID, Truth: x.Truth, Kind: x.Kind, Text: x.Text}
			for _, f := range rep.Citations {
				q := ""
				if f.Quote != nil {
					q = " «" + short(*f.Quote, 80) + "»"
				}
				wrong.Verdicts = append(wrong.Verdicts, fmt.Sprintf("%s %s/%s «%s»%s: %s", f.Verdict, f.Norm, f.Unit, f.Text, q, f.Reason))
			}
			r.Wrong = append(r.Wrong, wrong)
		}
	}
	for _, row := range kinds {
		r.Kinds = append(r.Kinds, *row)
	}
	sort.Slice(r.Kinds, func(i, j int) bool { return r.Kinds[i].Kind < r.Kinds[j].Kind })
	r.Rules = brief.RulesUsed(rules)
	r.Precision = ratio(r.All.Known, r.All.Known+r.All.Wrongly)
	r.Recall = ratio(r.All.Known, r.All.True)
	return r, lines.Err()
}

// ratio is 1 of nothing.
func ratio(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

// add counts a text and says whether it was judged rightly.
func (x verifyCase) add(rep brief.Report, rows ...*verifyRow) bool {
	verified, other := 0, 0
	for _, f := range rep.Citations {
		switch {
		case f.Quote == nil:
		case f.Verdict == brief.Verified:
			verified++
		default:
			other++
		}
	}
	right := verified == 0
	if x.Truth == "true" {
		right = verified >= max(1, x.Quotes) && other == 0
	}
	for _, row := range rows {
		if x.Truth == "true" {
			row.True++
			if right {
				row.Known++
			}
			continue
		}
		row.False++
		if !right {
			row.Wrongly++
		}
	}
	return right
}

func (c evalVerifyCmd) print(w io.Writer, r verifyResult) {
	fmt.Fprintf(w, "%-28s %18s %18s\n", "", "falsos VERIFIED", "ciertos reconocidos")
	for _, k := range append(r.Kinds, r.All) {
		fmt.Fprintf(w, "%-28s %11d de %3d %11d de %3d\n", k.Kind, k.Wrongly, k.False, k.Known, k.True)
	}
	fmt.Fprintf(w, "precisión %.3f, cobertura %.3f\n", r.Precision, r.Recall)
	fmt.Fprintf(w, "\n%-34s %5s %6s\n", "regla", "peso", "veces")
	for _, u := range r.Rules {
		fmt.Fprintf(w, "%-34s %5d %6d\n", u.Rule, u.Weight, u.Fired)
	}
	if !c.List {
		return
	}
	for _, x := range r.Wrong {
		fmt.Fprintf(w, "\n%s (%s, %s): %s\n", x.ID, x.Truth, x.Kind, x.Text)
		for _, v := range x.Verdicts {
			fmt.Fprintf(w, "    %s\n", v)
		}
	}
}
