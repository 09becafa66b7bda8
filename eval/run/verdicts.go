package run

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sort"

	"digesto"
	"digesto/app"
	"digesto/verify/brief"
	"digesto/verify/link"
)

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

type Verdicts struct {
	All       verifyRow       `json:"all"`
	Kinds     []verifyRow     `json:"kinds"`
	Precision float64         `json:"precision"`
	Recall    float64         `json:"recall"`
	Wrong     []wrongVerdict  `json:"wrong"`
	Rules     []link.RuleUsed `json:"rules"`
}

type wrongVerdict struct {
	ID       string   `json:"_id"`
	Truth    string   `json:"truth"`
	Kind     string   `json:"kind"`
	Text     string   `json:"text"`
	Verdicts []string `json:"verdicts"` // of each citation, with its reason
}

// MeasureVerdicts checks the texts of a file of lines whose truth is known.
func MeasureVerdicts(a *app.App, w *app.Workspace, in io.Reader, file string) (Verdicts, error) {
	r := Verdicts{All: verifyRow{Kind: "todos"}, Wrong: []wrongVerdict{}}
	kinds, rules := map[string]*verifyRow{}, map[string]int{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 2*brief.MaxText)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var x verifyCase
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil || x.Truth != "true" && x.Truth != "false" {
			return r, &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("%s, línea %d: no es un texto con su verdad", file, n), Hint: "Cada línea es {\"text\": …, \"truth\": \"true\" o \"false\"}.", Err: err}
		}
		p, err := w.Pack(x.Pack)
		if err != nil {
			return r, err
		}
		at, err := app.ParseDate("as_of", x.AsOf)
		if err != nil {
			return r, err
		}
		rep, err := w.VerifyText(a.Context, x.Text, p, at, a.Today())
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
			r.Wrong = append(r.Wrong, x.wrong(rep))
		}
	}
	for _, row := range kinds {
		r.Kinds = append(r.Kinds, *row)
	}
	sort.Slice(r.Kinds, func(i, j int) bool { return r.Kinds[i].Kind < r.Kinds[j].Kind })
	r.Rules = link.RulesUsed(rules)
	r.Precision = ratio(r.All.Known, r.All.Known+r.All.Wrongly)
	r.Recall = ratio(r.All.Known, r.All.True)
	return r, lines.Err()
}

// wrong tells of a text that was not judged rightly, each citation in a line.
func (x verifyCase) wrong(rep brief.Report) wrongVerdict {
	wrong := wrongVerdict{ID: x.ID, Truth: x.Truth, Kind: x.Kind, Text: x.Text}
	for _, f := range rep.Citations {
		q := ""
		if f.Quote != nil {
			q = " «" + app.Short(*f.Quote, 80) + "»"
		}
		wrong.Verdicts = append(wrong.Verdicts, fmt.Sprintf("%s %s/%s «%s»%s: %s", f.Verdict, f.Norm, f.Unit, f.Text, q, f.Reason))
	}
	return wrong
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
