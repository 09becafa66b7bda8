package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"digesto"
	"digesto/pack"
)

// Guides gives the documents of a collection as a retriever sees them: the id is
// "guide:section".
func (c *Corpus) Guides() map[string]pack.Guide {
	out := map[string]pack.Guide{}
	for i := range c.docs {
		d := &c.docs[i]
		guide, section, _ := strings.Cut(d.ID, ":")
		title, _, _ := strings.Cut(d.Title, " — ")
		out[d.ID] = pack.Guide{Unit: d.ID, Norm: guide, Title: title, Section: section, Text: d.Text}
	}
	return out
}

// guideCase is a query of a BEIR folder, or one of its negatives.
type guideCase struct {
	ID       string `json:"_id"`
	Other    string `json:"id"`
	Text     string `json:"text"`
	Question string `json:"question"`
	Category string `json:"category"`
	Metadata struct {
		Category string `json:"category"`
		Doc      string `json:"doc"`
		Section  string `json:"section"`
	} `json:"metadata"`
}

// RunGuides runs a BEIR folder whose documents are sections of guides through a
// pack's retriever. Queries may name in their metadata the guide, the section and the
// category; negatives.jsonl, if it is there, holds questions to refuse on this corpus.
// Metrics of a positive: guide@1 and guide@3 (one of the first is of the right guide),
// section@1 and section@3 (… is the right section), P@3 (strict: share of the first
// three that are judged relevant with the highest gain or are of the right guide), MRR
// by section, nDCG@10 by the judgements.
func RunGuides(ctx context.Context, dir string, r *pack.Retriever, clock func() time.Time) (PackReport, error) {
	if clock == nil {
		clock = time.Now
	}
	rep := PackReport{Pack: r.Pack.Name + " · " + filepath.Base(dir)}
	queries, err := readGuideCases(filepath.Join(dir, "queries.jsonl"))
	if err != nil {
		return rep, err
	}
	negatives, err := readGuideCases(filepath.Join(dir, "negatives.jsonl"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return rep, err
	}
	for k, c := range append(queries, negatives...) {
		kind := KindRetrieval
		if k >= len(queries) {
			kind = KindRefusal
		}
		began := clock()
		found, err := r.Retrieve(ctx, c.Text, 10)
		if err != nil {
			return rep, err
		}
		res := CaseResult{ID: c.ID, Kind: kind, Category: c.Metadata.Category, Question: c.Text, Outcome: digesto.OutcomeAnswer,
			MS: float64(clock().Sub(began).Microseconds()) / 1000}
		if found.Refused {
			res.Outcome = digesto.OutcomeRefusal
		}
		if kind == KindRefusal {
			if res.Score = boolFloat(found.Refused); res.Score == 0 {
				res.Faults = append(res.Faults, "no se rechaza: "+found.Passages[0].Unit)
			}
		} else {
			res.guide(found, c.Metadata.Doc, c.Metadata.Section)
		}
		rep.Cases = append(rep.Cases, res)
	}
	rep.summarise()
	return rep, nil
}

// guide measures the place of the right guide and of its right section.
func (r *CaseResult) guide(f pack.Found, doc, section string) {
	m := Metrics{"guide@1": 0, "guide@3": 0, "section@1": 0, "section@3": 0, "P@3": 0, "MRR@10": 0, "false_refusal": boolFloat(f.Refused)}
	for k, p := range f.Passages {
		same := slices.ContainsFunc(strings.Split(doc, "|"), func(d string) bool { return p.Norm == d || strings.HasSuffix(p.Norm, "-"+d) })
		exact := same && p.Section == section
		if same && k < 3 {
			m["P@3"] += 1. / 3
			m["guide@3"] = 1
			if k == 0 {
				m["guide@1"] = 1
			}
		}
		if exact && k < 3 {
			m["section@3"] = 1
			if k == 0 {
				m["section@1"] = 1
			}
		}
		if exact && m["MRR@10"] == 0 && k < 10 {
			m["MRR@10"] = 1 / float64(k+1)
		}
	}
	if section == "" {
		for _, k := range []string{"section@1", "section@3", "MRR@10"} {
			delete(m, k)
		}
	}
	r.Metrics, r.Score = m, m["guide@3"]
	if r.Score == 0 {
		got := ""
		if len(f.Passages) > 0 {
			got = f.Passages[0].Unit
		}
		r.Faults = append(r.Faults, fmt.Sprintf("guía %s fuera de los tres primeros; primero %s", doc, got))
	}
	if f.Refused {
		r.Score = 0
		r.Faults = append(r.Faults, fmt.Sprintf("se rechaza (%.2f)", f.Coverage))
	}
}

// fiche measures a case about an embedded guide through the pack's retriever.
func (o PackOptions) fiche(ctx context.Context, c PackCase, r *CaseResult) {
	if o.Retrieve == nil {
		r.Skipped = "el paquete no tiene guías"
		return
	}
	f, err := o.Retrieve(ctx, c.Question)
	if err != nil {
		r.Faults = append(r.Faults, err.Error())
		return
	}
	r.Outcome = digesto.OutcomeAnswer
	if f.Refused {
		r.Outcome = digesto.OutcomeRefusal
	}
	if c.Fiche == "-" { // none is about it
		r.Kind = KindRefusal
		if r.Score = boolFloat(f.Refused); r.Score == 0 {
			r.Faults = append(r.Faults, fmt.Sprintf("no se rechaza (%.2f): %s", f.Coverage, f.Passages[0].Unit))
		}
		return
	}
	if c.Territory != nil && f.Territory != *c.Territory {
		r.Faults = append(r.Faults, fmt.Sprintf("lugar «%s»; se esperaba «%s»", f.Territory, *c.Territory))
	}
	bad := len(r.Faults) > 0
	guides := strings.Split(c.Fiche, "|") // any of them answers
	for k, g := range guides {
		guides[k] = o.Pack.Name + "-" + g
	}
	if r.guide(f, strings.Join(guides, "|"), c.Section); bad {
		r.Score = 0
	}
}

func readGuideCases(path string) ([]guideCase, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, readError(path, err)
	}
	var out []guideCase
	err = eachLine(path, data, func(line []byte) error {
		var c guideCase
		if err := json.Unmarshal(line, &c); err != nil {
			return err
		}
		if c.ID == "" {
			c.ID = c.Other
		}
		if c.Text == "" {
			c.Text = c.Question
		}
		if c.Metadata.Category == "" {
			c.Metadata.Category = c.Category
		}
		out = append(out, c)
		return nil
	})
	return out, err
}
