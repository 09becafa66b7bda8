// Package rerank speaks to cross-encoders over HTTP in the form that Cohere,
// Jina, vLLM and others share ({model, query, documents, top_n} in,
// {results: [{index, relevance_score}]} out) and in that of Text Embeddings
// Inference ({query, texts} in, [{index, score}] out): both are read, and one
// request carries the fields of both.
package rerank

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"time"

	"digesto"
	"digesto/model"
	"digesto/model/wire"
)

// Options of a client. URL is needed.
type Options struct {
	URL       string        // of the endpoint itself: "http://127.0.0.1:8081/rerank"
	Key       string        // bearer token; empty = none is sent
	Model     string        // empty where the server serves one model only
	Timeout   time.Duration // of a call; 0 = 30 s
	LocalOnly bool          // refuse every address that is not loopback
	Proxy     func(*http.Request) (*url.URL, error)
	Roots     *x509.CertPool // certificates trusted; nil = the system's
}

const maxAnswer = 4 << 20

// Client implements [model.Reranker]. It is safe for any number of goroutines.
type Client struct {
	opt  Options
	wire wire.Options
	http *http.Client
}

// New checks the options and makes a client. It does not connect.
func New(opt Options) (*Client, error) {
	u, err := wire.CheckURL(opt.URL, "http://127.0.0.1:8081/rerank")
	if err != nil {
		return nil, err
	}
	if err := wire.CheckKey(opt.Key); err != nil {
		return nil, err
	}
	if opt.Timeout <= 0 {
		opt.Timeout = 30 * time.Second
	}
	opt.URL = u
	w := wire.Options{Key: opt.Key, FirstByte: opt.Timeout, Stall: opt.Timeout, MaxBytes: maxAnswer, LocalOnly: opt.LocalOnly, Proxy: opt.Proxy, Roots: opt.Roots}
	return &Client{opt, w.WithDefaults(), wire.Client(w)}, nil
}

// Close lets go of idle connections.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

// Rerank implements [model.Reranker].
func (c *Client) Rerank(ctx context.Context, query string, docs []string, top int) ([]model.Ranked, error) {
	if len(docs) == 0 {
		return nil, nil
	}
	if top <= 0 || top > len(docs) {
		top = len(docs)
	}
	body, err := json.Marshal(map[string]any{"model": c.opt.Model, "query": query, "documents": docs, "texts": docs, "top_n": top, "return_documents": false, "truncate": true})
	if err != nil {
		return nil, &digesto.Error{Code: digesto.CodeInternal, Message: "No se pudo preparar la petición de reordenación", Err: err}
	}
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, c.opt.Timeout)
	defer cancel()
	data, err := c.post(ctx, body)
	switch {
	case err != nil && outer.Err() != nil:
		return nil, model.Cancelled(outer)
	case err != nil && ctx.Err() != nil:
		return nil, model.Cancelled(ctx)
	case err != nil:
		return nil, err
	}
	return decode(data, len(docs), top)
}

func (c *Client) post(ctx context.Context, body []byte) ([]byte, error) {
	ctx, call, done := wire.New(ctx, c.wire, c.http)
	defer done()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.opt.URL, bytes.NewReader(body))
	if err != nil {
		return nil, fault(model.KindNetwork, "request")
	}
	req.Header.Set("Content-Type", "application/json")
	if c.opt.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.opt.Key)
	}
	resp, err := call.Do(req)
	if err != nil {
		return nil, c.wire.Fail(ctx, err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, c.wire.Fail(ctx, err)
	}
	return data, nil
}

func fault(kind model.Kind, detail string) error {
	return model.NewError(&model.Fault{Kind: kind, Detail: detail})
}

type score struct {
	Index     *int     `json:"index"`
	Relevance *float64 `json:"relevance_score"`
	Score     *float64 `json:"score"`
}

// decode reads either form and holds it to the promise: places of the documents
// given, each once, finite scores, best first.
func decode(data []byte, docs, top int) ([]model.Ranked, error) {
	var list []score
	if err := json.Unmarshal(data, &list); err != nil {
		var wrapped struct {
			Results []score `json:"results"`
			Data    []score `json:"data"`
		}
		if err := json.Unmarshal(data, &wrapped); err != nil {
			kind := model.KindGarbled
			if errors.Is(err, io.ErrUnexpectedEOF) {
				kind = model.KindCut
			}
			return nil, fault(kind, err.Error())
		}
		if list = wrapped.Results; list == nil {
			list = wrapped.Data
		}
	}
	if len(list) == 0 {
		return nil, fault(model.KindEmpty, "no results")
	}
	seen := map[int]bool{}
	var out []model.Ranked
	for _, s := range list {
		v := s.Relevance
		if v == nil {
			v = s.Score
		}
		if s.Index == nil || v == nil || *s.Index < 0 || *s.Index >= docs || seen[*s.Index] || math.IsNaN(*v) || math.IsInf(*v, 0) {
			return nil, fault(model.KindGarbled, fmt.Sprintf("result %d is not sound", len(out)))
		}
		seen[*s.Index] = true
		out = append(out, model.Ranked{Index: *s.Index, Score: *v})
	}
	slices.SortStableFunc(out, func(a, b model.Ranked) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return a.Index - b.Index
	})
	return out[:min(len(out), top)], nil
}
