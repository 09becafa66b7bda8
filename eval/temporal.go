package eval

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/text"
)

// TemporalCase is one question asked on several days.
type TemporalCase struct {
	ID       string       `json:"_id"`
	Pack     string       `json:"pack"`
	Question string       `json:"question"`
	At       []TemporalAt `json:"at"`
}

// TemporalAt is what is expected of the answer on one day.
type TemporalAt struct {
	AsOf  digesto.Date `json:"as_of"`
	Norm  string       `json:"norm,omitempty"`  // norm that the first citation must be of; empty = any answer or none
	Unit  string       `json:"unit,omitempty"`  // and its unit
	Says  []string     `json:"says,omitempty"`  // words that the answer must hold
	Never []string     `json:"never,omitempty"` // norms, or norm/unit, that must not be cited
	State string       `json:"state,omitempty"` // the copy of the norm of this day holds every quotation
}

// TemporalOptions are the means of a run.
type TemporalOptions struct {
	Ask  func(context.Context, digesto.Question) (digesto.Answer, error)
	Law  *corpus.Snapshot
	Copy func(norm, state string) (string, error) // raw text of a dated copy, the proof that does not come from the library; nil = states are not checked
	Out  io.Writer                                // one JSON line for every miss; nil = none
}

// TemporalCounts is the result of a run.
type TemporalCounts struct {
	Questions int `json:"questions"`
	Dates     int `json:"dates"` // question and day
	Right     int `json:"right"`
	Refused   int `json:"refused"`             // no answer where one was expected
	Elsewhere int `json:"elsewhere"`           // answered from another place of the law of that day
	Wrong     int `json:"wrong"`               // law, wording or figure of another day
	States    int `json:"states_checked"`      // answers held against a dated copy
	Repealed  int `json:"repealed_as_current"` // citations of law that did not hold on the day asked
}

// ReadTemporal reads cases, one JSON object a line.
func ReadTemporal(data []byte) ([]TemporalCase, error) {
	var out []TemporalCase
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, 1<<20)
	for line := 1; sc.Scan(); line++ {
		if strings.TrimSpace(sc.Text()) == "" {
			continue
		}
		var c TemporalCase
		d := json.NewDecoder(strings.NewReader(sc.Text()))
		d.DisallowUnknownFields()
		if err := d.Decode(&c); err != nil || c.Question == "" || len(c.At) == 0 {
			return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("La línea %d no es un caso temporal", line), Err: err,
				Hint: `Cada línea lleva {"_id","pack","question","at":[{"as_of","norm"…}]}.`}
		}
		out = append(out, c)
	}
	return out, sc.Err()
}

// Temporal asks every question on each of its days.
func Temporal(ctx context.Context, cases []TemporalCase, opt TemporalOptions) (TemporalCounts, error) {
	n := TemporalCounts{Questions: len(cases)}
	for _, c := range cases {
		for _, at := range c.At {
			a, err := opt.Ask(ctx, digesto.Question{Text: c.Question, Pack: c.Pack, AsOf: at.AsOf})
			if err != nil {
				return n, err
			}
			n.Dates++
			for _, q := range a.Citations {
				if q.Ref != nil && !held(opt.Law, q.Ref, at.AsOf) {
					n.Repealed++
				}
			}
			miss := at.miss(a)
			if miss == "" && at.State != "" && opt.Copy != nil {
				n.States++
				if miss, err = at.foreign(a, opt.Copy); err != nil {
					return n, err
				}
			}
			n.count(a, miss)
			if miss != "" && opt.Out != nil {
				line, err := json.Marshal(map[string]any{"_id": c.ID, "question": c.Question, "as_of": at.AsOf, "miss": miss, "cited": citedBy(a)})
				if err != nil {
					return n, err
				}
				fmt.Fprintf(opt.Out, "%s\n", line)
			}
		}
	}
	return n, nil
}

func (n *TemporalCounts) count(a digesto.Answer, miss string) {
	switch {
	case miss == "":
		n.Right++
	case len(a.Citations) == 0:
		n.Refused++
	case strings.HasPrefix(miss, elsewhere):
		n.Elsewhere++
	default:
		n.Wrong++
	}
}

const elsewhere = "otro lugar: "

// miss says in what an answer is not as expected; "" = it is.
func (at TemporalAt) miss(a digesto.Answer) string {
	for _, c := range citedBy(a) {
		norm, _, _ := strings.Cut(c, "/")
		if slices.Contains(at.Never, c) || slices.Contains(at.Never, norm) {
			return "cita " + c
		}
	}
	if at.Norm == "" {
		return ""
	}
	cited := citedBy(a)
	if len(cited) == 0 {
		return "sin respuesta"
	}
	if norm, unit, _ := strings.Cut(cited[0], "/"); norm != at.Norm || at.Unit != "" && unit != at.Unit {
		return elsewhere + cited[0]
	}
	for _, w := range at.Says {
		if !strings.Contains(a.Answer, w) {
			return "no dice «" + w + "»"
		}
	}
	return ""
}

// foreign says which quotation is not in the dated copy.
func (at TemporalAt) foreign(a digesto.Answer, copyOf func(norm, state string) (string, error)) (string, error) {
	raw, err := copyOf(at.Norm, at.State)
	if err != nil {
		return "", err
	}
	raw = text.Letters(raw)
	for _, c := range a.Citations {
		if c.Ref != nil && c.Ref.Document == at.Norm && !strings.Contains(raw, text.Letters(c.Quote)) {
			return "la cita no está en el texto del " + at.State, nil
		}
	}
	return "", nil
}

func citedBy(a digesto.Answer) (out []string) {
	for _, c := range a.Citations {
		if c.Ref != nil {
			out = append(out, c.Ref.Document+"/"+c.Ref.Unit)
		}
	}
	return out
}

// held says that nothing known speaks against a citation on a day: the norm had
// begun and was not repealed, the version had been published and not ended.
func held(law *corpus.Snapshot, r *digesto.Ref, at digesto.Date) bool {
	n, ok := law.Norm(r.Document)
	if !ok {
		return true // a fiche
	}
	if n.Status == digesto.StatusRepealed && n.RepealedFrom <= at || n.Published > at && (n.InForce == "" || n.InForce > at) {
		return false
	}
	u, ok := law.Unit(r.Document, r.Unit)
	if !ok {
		return false
	}
	for i := range u.Versions {
		if v := corpus.Proven(n, u, i); v.ID == r.Version {
			return (v.ValidTo == "" || at < v.ValidTo) && (v.ValidFrom == "" || v.ValidFrom <= at) && (v.ValidFrom != "" || v.Published <= at)
		}
	}
	return false
}
