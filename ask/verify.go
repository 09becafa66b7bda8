package ask

import (
	"strings"

	"digesto"
	"digesto/decide"
	"digesto/query"
	"digesto/verify"
	"digesto/write"
)

// verified is a draft whose every citation was proved against the stored text.
type verified struct {
	write.Draft
	out digesto.Answer // without its envelope
}

// verify proves the citations and the form of an answer. What the extractive
// writer and the calculators give can only fail by a fault of the program: that
// is an error, never an answer.
func (e *Engine) verify(d write.Draft) (verified, error) {
	a := digesto.Answer{Citations: []digesto.Citation{}}
	if d.End != nil {
		a.Answer, a.Refusal, a.Notes = d.End.Text, d.End.Outcome == digesto.OutcomeRefusal, joinNotes(d.End.Notes)
		for _, r := range d.End.Readings {
			if err := e.proved(d, r.Citations); err != nil {
				return verified{}, err
			}
		}
		return verified{d, a}, verify.Valid(a)
	}
	a.Answer, a.Citations, a.Confidence = d.Answer, d.Citations, d.Confidence
	if err := e.proved(d, a.Citations); err != nil {
		return verified{}, err
	}
	for _, c := range a.Citations {
		if e.defective(d, c) {
			a.Confidence = min(a.Confidence, decide.Quiet)
		}
	}
	if d.Mode != write.ModeCalculator && len(d.Exact) == 0 && len(strings.Fields(d.Q.Text)) == 1 {
		a.Confidence = min(a.Confidence, decide.Quiet)
	}
	if a.Confidence < verify.Sure {
		d.Notes = append(d.Notes, verify.LowConfidence)
	}
	a.Notes = joinNotes(append(d.Notes, d.Last...))
	return verified{d, a}, verify.Valid(a)
}

// proved proves every citation.
func (e *Engine) proved(d write.Draft, list []digesto.Citation) error {
	for _, c := range list {
		if v := e.prove(d, c); v != verify.Proved {
			return &digesto.Error{Code: digesto.CodeInternal, Message: "Una cita no se ha podido comprobar (" + string(v) + ")",
				Hint: "Compruebe el corpus con «digesto corpus check»."}
		}
	}
	return nil
}

// defective says whether the version quoted has a defect of its source.
func (e *Engine) defective(d write.Draft, c digesto.Citation) bool {
	for _, v := range []query.View{d.Law, e.opt.Embedded} {
		if v.Snapshot == nil {
			continue
		}
		u, _ := v.Snapshot.Unit(c.Ref.Document, c.Ref.Unit)
		for _, w := range u.Versions {
			if w.ID == c.Ref.Version && len(w.Defects) > 0 {
				return true
			}
		}
	}
	return false
}

func (e *Engine) prove(d write.Draft, c digesto.Citation) verify.Verdict {
	last := verify.NoNorm
	for _, v := range []query.View{d.Law, e.opt.Embedded} {
		if v.Snapshot == nil {
			continue
		}
		if last = verify.Quote(c, v.Snapshot, d.History()); last == verify.Proved || last != verify.NoNorm {
			return last
		}
	}
	return last
}

// joinNotes makes one text of the notes, each once; nil when there are none.
func joinNotes(list []string) *string {
	var out []string
	seen := map[string]bool{}
	for _, n := range list {
		if n = strings.TrimSpace(n); n != "" && !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return nil
	}
	for k, n := range out[:len(out)-1] {
		if !strings.ContainsAny(n[len(n)-1:], ".:;!?)") && !strings.HasSuffix(n, "»") {
			out[k] = n + "."
		}
	}
	s := strings.Join(out, " ")
	return &s
}

// emitDeltas sends the verified text, paragraph by paragraph.
func emitDeltas(v verified, emit func(digesto.Event)) {
	for k, p := range strings.Split(v.out.Answer, "\n\n") {
		if k > 0 {
			p = "\n\n" + p
		}
		emit(digesto.Event{Kind: "delta", Text: p})
	}
}
