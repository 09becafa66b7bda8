package main

import (
	"bufio"
	"encoding/json"
	"time"

	"digesto"
	"digesto/disk"
)

// batchQuery is a line of a batch.
type batchQuery struct {
	ID   string `json:"_id"`
	Text string `json:"text"`
}

// batchResult answers one line; NS is the search alone, in this process.
type batchResult struct {
	ID   string     `json:"_id"`
	NS   int64      `json:"ns"`
	Hits []batchHit `json:"hits"`
}

type batchHit struct {
	ID    string  `json:"id"`
	Score float64 `json:"score"`
}

// batch answers one line for each line, in order.
func (c searchCmd) batch(a *program, filter digesto.Filter) error {
	in, done, err := a.OpenInput(c.Batch)
	if err != nil {
		return err
	}
	defer done()
	t, err := a.Target(c.Corpus, c.Pack, c.Lay == "off")
	if err != nil {
		return err
	}
	defer t.Close()
	out := bufio.NewWriter(a.out)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for line, err := range disk.Lines(in, c.Batch) {
		if err != nil {
			return err
		}
		var b batchQuery
		if err := line.Decode(&b); err != nil {
			return err
		}
		start := time.Now()
		q := t.Query(b.Text)
		q.K, q.Filter = c.K, t.Narrow(filter)
		res, err := t.Search(a.Context, q)
		if err != nil {
			return err
		}
		r := batchResult{ID: b.ID, NS: time.Since(start).Nanoseconds(), Hits: []batchHit{}}
		for _, h := range res.Hits {
			r.Hits = append(r.Hits, batchHit{h.ID, h.Score})
		}
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return out.Flush()
}
