// Package rerank speaks to cross-encoders over HTTP in the form that Cohere,
// Jina, vLLM and others share ({model, query, documents, top_n} in,
// {results: [{index, relevance_score}]} out) and in that of Text Embeddings
// Inference ({query, texts} in, [{index, score}] out): both are read, and one
// request carries the fields of both.
package rerank

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/model"
)

// Options of a client. URL is needed.
type Options struct {
	URL       string        // of the endpoint itself: "http://127.0.0.1:8081/rerank"
	Key       string        // bearer token; empty = none is sent
	Model     string        // empty where the server serves one model only
	Timeout   time.Duration // of a call; 0 = 30 s
	LocalOnly bool          // refuse every address that is not loopback
}

const maxAnswer = 4 << 20

// Client implements [model.Reranker]. It is safe for any number of goroutines.
type Client struct {
	opt  Options
	http *http.Client
}

// New checks the options and makes a client. It does not connect.
func New(opt Options) (*Client, error) {
	u, err := url.Parse(opt.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || strings.ContainsAny(opt.Key, "\r\n") {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "La dirección o la clave del reordenador no es válida",
			Hint: "Escriba la dirección entera, por ejemplo http://127.0.0.1:8081/rerank."}
	}
	if opt.Timeout <= 0 {
		opt.Timeout = 30 * time.Second
	}
	dial := &net.Dialer{Timeout: 10 * time.Second}
	if opt.LocalOnly {
		dial.Control = model.LoopbackOnly
	}
	return &Client{opt, &http.Client{
		Transport:     &http.Transport{DialContext: dial.DialContext, TLSHandshakeTimeout: 10 * time.Second, MaxIdleConnsPerHost: 4, IdleConnTimeout: 90 * time.Second},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
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
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.opt.URL, bytes.NewReader(body))
	if err != nil {
		return nil, fault(model.KindNetwork, 0, "request")
	}
	req.Header.Set("Content-Type", "application/json")
	if c.opt.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.opt.Key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		if f := model.FaultOf(err); f != nil {
			return nil, model.NewError(f)
		}
		return nil, fault(model.KindNetwork, 0, c.clean(err.Error()))
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if resp.StatusCode >= 300 {
		f := &model.Fault{Kind: kindOf(resp.StatusCode), Status: resp.StatusCode, Detail: c.clean(string(data))}
		if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && s > 0 && s < 1e6 {
			f.RetryAfter = time.Duration(s) * time.Second
		}
		return nil, model.NewError(f)
	}
	if err != nil {
		return nil, fault(model.KindCut, 0, c.clean(err.Error()))
	}
	if len(data) > maxAnswer {
		return nil, fault(model.KindGarbled, 0, "the answer has no end")
	}
	return data, nil
}

func fault(kind model.Kind, status int, detail string) error {
	return model.NewError(&model.Fault{Kind: kind, Status: status, Detail: detail})
}

func (c *Client) clean(s string) string {
	if c.opt.Key != "" {
		s = strings.ReplaceAll(s, c.opt.Key, "…")
	}
	s = strings.Join(strings.Fields(s), " ")
	return strings.ToValidUTF8(s[:min(len(s), 300)], "")
}

func kindOf(status int) model.Kind {
	switch {
	case status == 401 || status == 403:
		return model.KindKey
	case status == 404 || status < 400:
		return model.KindUnknown
	case status == 408 || status == 504:
		return model.KindTimeout
	case status == 413:
		return model.KindTooLong
	case status == 429:
		return model.KindLimited
	case status >= 500:
		return model.KindServer
	}
	return model.KindRequest
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
			return nil, fault(kind, 0, err.Error())
		}
		if list = wrapped.Results; list == nil {
			list = wrapped.Data
		}
	}
	if len(list) == 0 {
		return nil, fault(model.KindEmpty, 0, "no results")
	}
	seen := map[int]bool{}
	var out []model.Ranked
	for _, s := range list {
		v := s.Relevance
		if v == nil {
			v = s.Score
		}
		if s.Index == nil || v == nil || *s.Index < 0 || *s.Index >= docs || seen[*s.Index] || math.IsNaN(*v) || math.IsInf(*v, 0) {
			return nil, fault(model.KindGarbled, 0, fmt.Sprintf("result %d is not sound", len(out)))
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
