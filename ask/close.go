package ask

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"digesto"
	"digesto/verify"
)

// Notice is what every answer says of itself.
const Notice = "Respuesta generada por un programa a partir de textos legales. No es asesoramiento jurídico: compruebe cada cita en su fuente."

// close makes the envelope and keeps the message. An answer that cannot be kept
// is given all the same, and says so.
func (e *Engine) close(ctx context.Context, v verified) digesto.Answer {
	a := v.out
	a.Meta = e.meta(v)
	v.tellUnderstood(a.Meta)
	a.Meta.About = v.subjectOf(a)
	a.Meta.Next = e.next(ctx, v)
	v.hurt.tell(&a)
	if e.opt.Conversations != nil {
		if err := e.opt.Conversations.Close(ctx, v.opened, v.ended(a)); err != nil {
			a.Meta.Degraded = append(a.Meta.Degraded, "not_stored")
		}
	}
	return a
}

func (e *Engine) meta(v verified) *digesto.Meta {
	m := &digesto.Meta{
		Contract: verify.ContractVersion, Outcome: digesto.OutcomeAnswer, Classes: []string{}, SessionID: v.opened.Session,
		AsOf: v.asOf(), Corpus: "embedded", Models: e.models(v), Mode: nonEmpty(v.mode, ModeExtractive), Degraded: []string{},
		ChunksUsed: []string{}, Steps: []digesto.Step{}, AINotice: Notice, Missing: v.missing,
	}
	if v.pack != nil {
		m.Pack = v.pack.Name
	}
	if len(v.codes) > 0 {
		m.Territory = v.codes[0]
	}
	if v.law.Snapshot != nil {
		m.Corpus = nonEmpty(v.law.Snapshot.Hash(), "memory")
	}
	m.Classes = append(m.Classes, v.classes...)
	m.Degraded = append(append(m.Degraded, v.failed...), v.degraded...)
	if v.meter != nil {
		m.ModelCalls = v.meter.Calls()
	}
	m.Steps = append(m.Steps, v.steps...)
	m.Queries, m.Trace = append(m.Queries, v.queries...), append(m.Trace, v.trace...)
	if v.mode != ModeCalculator && v.pack != nil {
		m.Grounds = v.grounded()
	}
	m.Degraded = append(m.Degraded, v.faults...)
	for _, x := range v.govern {
		m.ChunksUsed = append(m.ChunksUsed, x.key()+"/"+x.Version.ID)
	}
	if v.end != nil {
		m.Outcome, m.Options, m.Missing, m.Readings = v.end.outcome, v.end.options, v.end.missing, v.end.readings
		if len(m.Classes) == 0 {
			m.Classes = append(m.Classes, v.end.classes...)
		}
	}
	if v.reading != "" {
		m.PromptType = &v.reading
	}
	if v.said != v.q.Text {
		m.Queries = append([]string{v.q.Text}, m.Queries...)
		m.Question = v.q.Text
	}
	if v.focus != nil {
		m.Evidence = evidenceMap(v.evidence, v.verdict)
	}
	m.TraceID = e.traceID(v, m)
	m.ElapsedMS = e.opt.Clock().Sub(v.began).Milliseconds()
	return m
}

// evidenceMap is the evidence and the verdict as the envelope carries them.
func evidenceMap(ev Evidence, v Verdict) map[string]any {
	raw, err := json.Marshal(struct {
		Evidence
		Verdict
	}{ev, v})
	var m map[string]any
	if err != nil || json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m
}

// traceID names the run. Without NewID it follows from what the answer depends
// on, so that the same question on the same data and day has the same id.
func (e *Engine) traceID(v verified, m *digesto.Meta) string {
	if e.opt.NewID != nil {
		return e.opt.NewID()
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{v.said, m.Pack, m.Corpus, string(m.AsOf), m.Territory, v.opened.name()}, "\x00")))
	return hex.EncodeToString(sum[:8])
}
