package ask

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"digesto"
	"digesto/ground"
	"digesto/model"
	"digesto/verify"
	"digesto/write"
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
	v.Hurt.Tell(&a)
	if e.opt.Conversations != nil {
		if err := e.opt.Conversations.Close(ctx, v.Opened, v.ended(a)); err != nil {
			a.Meta.Degraded = append(a.Meta.Degraded, "not_stored")
		}
	}
	return a
}

func (e *Engine) meta(v verified) *digesto.Meta {
	m := &digesto.Meta{
		Contract: verify.ContractVersion, Outcome: digesto.OutcomeAnswer, Classes: []string{}, SessionID: v.Opened.Session,
		AsOf: v.AsOf(), Corpus: "embedded", Models: e.models(v), Mode: cmp.Or(v.Mode, write.ModeExtractive), Degraded: []string{},
		ChunksUsed: []string{}, Steps: []digesto.Step{}, AINotice: Notice, Missing: v.Missing,
	}
	if v.Pack != nil {
		m.Pack = v.Pack.Name
	}
	if len(v.Codes) > 0 {
		m.Territory = v.Codes[0]
	}
	if v.Law.Snapshot != nil {
		m.Corpus = cmp.Or(v.Law.Snapshot.Hash(), "memory")
	}
	m.Classes = append(m.Classes, v.Classes...)
	m.Degraded = append(append(m.Degraded, v.Failed...), v.Degraded...)
	if v.Meter != nil {
		m.ModelCalls = v.Meter.Calls()
	}
	m.Steps = append(m.Steps, v.Steps...)
	m.Queries, m.Trace = append(m.Queries, v.Queries...), append(m.Trace, v.Trace...)
	if v.Mode != write.ModeCalculator && v.Pack != nil {
		m.Grounds = v.Grounded()
	}
	m.Degraded = append(m.Degraded, v.Faults...)
	for _, x := range v.Govern {
		m.ChunksUsed = append(m.ChunksUsed, x.Key()+"/"+x.Version.ID)
	}
	if v.End != nil {
		m.Outcome, m.Options, m.Missing, m.Readings = v.End.Outcome, v.End.Options, v.End.Missing, v.End.Readings
		if len(m.Classes) == 0 {
			m.Classes = append(m.Classes, v.End.Classes...)
		}
	}
	if v.Reading != "" {
		m.PromptType = &v.Reading
	}
	if v.Said != v.Q.Text {
		m.Queries = append([]string{v.Q.Text}, m.Queries...)
		m.Question = v.Q.Text
	}
	if v.Focus != nil {
		m.Evidence = evidenceMap(v.Evidence, v.Verdict)
	}
	m.TraceID = e.traceID(v, m)
	m.ElapsedMS = e.opt.Clock().Sub(v.Began).Milliseconds()
	return m
}

// evidenceMap is the evidence and the verdict as the envelope carries them.
func evidenceMap(ev ground.Evidence, v ground.Verdict) map[string]any {
	raw, err := json.Marshal(struct {
		ground.Evidence
		ground.Verdict
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
	sum := sha256.Sum256([]byte(strings.Join([]string{v.Said, m.Pack, m.Corpus, string(m.AsOf), m.Territory, v.Opened.Name()}, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// models says of every role how its work was done.
func (e *Engine) models(v verified) digesto.Models {
	out := digesto.Models{}
	if v.Meter != nil {
		out = v.Meter.Uses()
	}
	set := func(role, path string, there bool) {
		u, used := out[role]
		switch {
		case used && u.LastFault == "":
		case used:
			u.Path, u.Why = path, u.LastFault
		case !there:
			u.Path, u.Why = path, "absent"
		default:
			u.Path, u.Why = path, "not_needed"
		}
		out[role] = u
	}
	set(model.Reader, "rules", e.opt.Reader != nil)
	set(model.Ranking, "features", e.Reranker != nil)
	set(model.Embedding, cmp.Or(e.Embedding, "words"), e.Embedding == "model")
	set(model.Writer, cmp.Or(v.Mode, "none"), e.Writer != nil)
	w := out[model.Writer]
	w.Proved, w.Dropped = v.Standing.Kept, v.Standing.Dropped
	if w.Prompt = v.Prompt; w.Path == write.ModeExtractive && len(v.Degraded) > 0 && w.Why == "" || w.Calls+w.Cached > 0 && v.Mode != write.ModeModel {
		w.Path = cmp.Or(v.Mode, "none")
		w.Why = strings.TrimPrefix(strings.Join(v.Degraded, " "), "writer_")
	}
	out[model.Writer] = w
	return out
}
