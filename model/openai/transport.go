package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"digesto/model"

	api "github.com/sashabaranov/go-openai"
)

// maxDetail is how much of what a server says about an error is kept.
const maxDetail = 500

// watcher is the HTTP side of one call: it turns error statuses into faults
// before anything else reads them, bounds the body, and ends a call that has
// gone silent.
type watcher struct {
	opt    *Options
	http   *http.Client
	cancel context.CancelCauseFunc
	timer  *time.Timer
}

func (w *watcher) late() {
	w.cancel(&model.Fault{Kind: model.KindTimeout, Detail: "no data in the time allowed"})
}

// Do sends the request.
func (w *watcher) Do(req *http.Request) (*http.Response, error) {
	if w.opt.Key == "" {
		req.Header.Del("Authorization")
	}
	resp, err := w.http.Do(req)
	if err != nil {
		return nil, err
	}
	w.timer.Reset(w.opt.Stall)
	if resp.StatusCode < 300 {
		resp.Body = &body{ReadCloser: resp.Body, left: w.opt.MaxBytes, w: w}
		return resp, nil
	}
	defer resp.Body.Close()
	data, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	return nil, w.opt.faultOf(resp, data)
}

// body bounds what is read, and starts the clock anew with every piece.
type body struct {
	io.ReadCloser
	left int64
	w    *watcher
}

func (b *body) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, &model.Fault{Kind: model.KindGarbled, Detail: "the answer has no end"}
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	if n > 0 {
		b.w.timer.Reset(b.w.opt.Stall)
	}
	return n, err
}

// faultOf reads an error answer.
func (o *Options) faultOf(resp *http.Response, data []byte) *model.Fault {
	f := &model.Fault{Status: resp.StatusCode, Detail: o.clean(string(data)), RetryAfter: retryAfter(resp.Header)}
	var e struct {
		Error json.RawMessage `json:"error"`
	}
	var obj struct {
		Message string `json:"message"`
		Code    any    `json:"code"`
	}
	code := ""
	if json.Unmarshal(data, &e) == nil && e.Error != nil {
		if json.Unmarshal(e.Error, &obj) == nil && obj.Message != "" {
			f.Detail = o.clean(obj.Message)
			code = fmt.Sprint(obj.Code)
		} else if s := ""; json.Unmarshal(e.Error, &s) == nil {
			f.Detail = o.clean(s)
		}
	}
	f.Kind = kindOf(resp.StatusCode, code, strings.ToLower(f.Detail))
	return f
}

func kindOf(status int, code, detail string) model.Kind {
	switch {
	case status == 401 || status == 403:
		return model.KindKey
	case status == 404 || status == 405 || status < 400:
		return model.KindUnknown
	case status == 408 || status == 504:
		return model.KindTimeout
	case status == 413, code == "context_length_exceeded",
		status == 400 && (strings.Contains(detail, "context length") || strings.Contains(detail, "context size") || strings.Contains(detail, "context window")):
		return model.KindTooLong
	case status == 429:
		return model.KindLimited
	case status >= 500:
		return model.KindServer
	case code == "content_filter":
		return kindFiltered
	}
	return model.KindRequest
}

// kindFiltered is an error status that only says that the provider's filter
// struck: it becomes a finish, not an error.
const kindFiltered model.Kind = "content_filter"

// retryAfter reads the header, in seconds or as a date (RFC 9110, 10.2.3), and
// the milliseconds that some servers send.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e9 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	v := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 && s < 1e6 {
		return time.Duration(s * float64(time.Second))
	}
	when, err := http.ParseTime(v)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date")) // the server's own clock
	if err != nil || !when.After(now) {
		return 0
	}
	return when.Sub(now)
}

// clean makes what a server said fit for a log: one line, cut, valid, without the key.
func (o *Options) clean(s string) string {
	if o.Key != "" {
		s = strings.ReplaceAll(s, o.Key, "…")
	}
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	if len(s) > maxDetail {
		s = s[:maxDetail]
		for !utf8.ValidString(s) {
			s = s[:len(s)-1]
		}
	}
	return s
}

// fail makes the error of a call out of whatever went wrong in it.
func (o *Options) fail(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return model.Cancelled(ctx)
	}
	if f := model.FaultOf(err); f != nil {
		return model.NewError(f)
	}
	f := &model.Fault{Detail: o.clean(err.Error())}
	var apiErr *api.APIError
	var netErr net.Error
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	var op *net.OpError
	switch {
	case errors.As(err, &apiErr): // an error object inside a stream
		f.Kind, f.Detail = model.KindServer, o.clean(apiErr.Message)
		if k := kindOf(400, fmt.Sprint(apiErr.Code), strings.ToLower(f.Detail)); k == model.KindTooLong {
			f.Kind = k
		}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		f.Kind = model.KindCut
	case errors.As(err, &syntax), errors.As(err, &wrong), errors.Is(err, api.ErrTooManyEmptyStreamMessages):
		f.Kind = model.KindGarbled
	case errors.As(err, &netErr) && netErr.Timeout():
		f.Kind = model.KindTimeout
	case errors.As(err, &op) && op.Op == "read":
		f.Kind = model.KindCut
	default:
		f.Kind = model.KindNetwork
	}
	return model.NewError(f)
}
