// Package wire is the way from an adapter to a model's server over HTTP: it
// bounds bytes and silence, follows no redirects, can refuse every address that
// is not of this machine, and turns whatever goes wrong into a [model.Fault]
// that never holds the key.
package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"digesto"
	"digesto/model"
)

// Options of the way to a server. The zero value gives the defaults named.
type Options struct {
	Key       string        // whatever stands for it in an error is taken out
	FirstByte time.Duration // longest wait for the answer to begin; 0 = 2 min
	Stall     time.Duration // longest silence after that; 0 = 30 s
	MaxBytes  int64         // of one answer; 0 = 8 MiB
	LocalOnly bool          // refuse every address that is not loopback
	Proxy     func(*http.Request) (*url.URL, error)
	Roots     *x509.CertPool // certificates trusted; nil = the system's
}

// WithDefaults fills the zero fields in.
func (o Options) WithDefaults() Options {
	if o.FirstByte <= 0 {
		o.FirstByte = 2 * time.Minute
	}
	if o.Stall <= 0 {
		o.Stall = 30 * time.Second
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 8 << 20
	}
	return o
}

// CheckURL reads the base address of a server; it holds no key and no parameters.
func CheckURL(raw, example string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return "", &digesto.Error{Code: digesto.CodeInvalid, Message: "La dirección del modelo no es válida",
			Hint: "Escríbala entera y sin clave ni parámetros, por ejemplo " + example + "."}
	}
	return strings.TrimRight(u.String(), "/"), nil
}

// CheckKey refuses a key that no header can carry.
func CheckKey(key string) error {
	if strings.ContainsAny(key, "\r\n\x00") {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "La clave del modelo contiene un salto de línea", Hint: "Cópiela de nuevo, sin espacios."}
	}
	return nil
}

// idleConns are the connections to a server that stay open while nobody uses them:
// as many as there may be calls at a time on a small machine, so that none is dialled anew.
const idleConns = 64

// Client makes an HTTP client that follows no redirects: the key goes to the
// configured address and nowhere else.
func Client(o Options) *http.Client {
	dial := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	proxy := o.Proxy
	if o.LocalOnly {
		dial.Control = model.LoopbackOnly
		proxy = nil
	}
	t := &http.Transport{
		Proxy: proxy, DialContext: dial.DialContext, TLSHandshakeTimeout: 10 * time.Second,
		MaxIdleConnsPerHost: idleConns, IdleConnTimeout: 90 * time.Second, ForceAttemptHTTP2: true,
		MaxResponseHeaderBytes: 64 << 10,
	}
	if o.Roots != nil {
		t.TLSClientConfig = &tls.Config{RootCAs: o.Roots, MinVersion: tls.VersionTLS12}
	}
	return &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// Call is the HTTP side of one call: it turns error statuses into faults before
// anything else reads them, bounds the body, and ends a call that has gone silent.
type Call struct {
	opt    Options
	http   *http.Client
	cancel context.CancelCauseFunc
	timer  *time.Timer
	// ErrorBody reads the body of an error status: what the server says, and its
	// code for it. nil = the form {"error": {"message", "code"}} or {"error": "…"}.
	ErrorBody func(data []byte) (detail, code string)
	bare      bool // no Authorization goes out
}

// New begins a call; done must be called at its end. o must have its defaults.
func New(ctx context.Context, o Options, c *http.Client) (inner context.Context, call *Call, done func()) {
	inner, cancel := context.WithCancelCause(ctx)
	w := &Call{opt: o, http: c, cancel: cancel, bare: o.Key == ""}
	w.timer = time.AfterFunc(o.FirstByte, w.late)
	return inner, w, func() {
		w.timer.Stop()
		cancel(nil)
	}
}

func (w *Call) late() {
	w.cancel(&model.Fault{Kind: model.KindTimeout, Detail: "no data in the time allowed"})
}

// Do sends the request; a status from 300 up is an error with a [model.Fault].
func (w *Call) Do(req *http.Request) (*http.Response, error) {
	if w.bare {
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
	return nil, w.opt.StatusFault(resp, data, w.ErrorBody)
}

// body bounds what is read, and starts the clock anew with every piece.
type body struct {
	io.ReadCloser
	left int64
	w    *Call
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

// StatusFault reads an error answer.
func (o Options) StatusFault(resp *http.Response, data []byte, read func([]byte) (detail, code string)) *model.Fault {
	if read == nil {
		read = errorBody
	}
	f := &model.Fault{Status: resp.StatusCode, RetryAfter: RetryAfter(resp.Header)}
	detail, code := read(data)
	if detail == "" {
		detail = string(data)
	}
	f.Detail = o.Clean(detail)
	f.Kind = KindOfStatus(resp.StatusCode, code, f.Detail)
	return f
}

func errorBody(data []byte) (detail, code string) {
	var e struct {
		Error json.RawMessage `json:"error"`
	}
	var obj struct {
		Message string `json:"message"`
		Code    any    `json:"code"`
	}
	if json.Unmarshal(data, &e) != nil || e.Error == nil {
		return "", ""
	}
	if json.Unmarshal(e.Error, &obj) == nil && obj.Message != "" {
		return obj.Message, fmt.Sprint(obj.Code)
	}
	_ = json.Unmarshal(e.Error, &detail)
	return detail, ""
}

// KindFiltered is an error status that only says that the provider's filter
// struck: adapters make it a finish, not an error.
const KindFiltered model.Kind = "content_filter"

// KindOfStatus is the kind of fault that a status means, with the server's code
// and words for it.
func KindOfStatus(status int, code, detail string) model.Kind {
	detail = strings.ToLower(detail)
	long := func() bool {
		for _, s := range []string{"context length", "context size", "context window", "maximum context", "input token count", "too many tokens"} {
			if strings.Contains(detail, s) {
				return true
			}
		}
		return false
	}
	switch {
	case status == 401 || status == 403 || status == 400 && strings.Contains(detail, "api key not valid"):
		return model.KindKey
	case status == 404 || status == 405 || status < 400:
		return model.KindUnknown
	case status == 407:
		return model.KindNetwork
	case status == 408 || status == 504:
		return model.KindTimeout
	case status == 413, code == "context_length_exceeded", status == 400 && long():
		return model.KindTooLong
	case status == 429:
		return model.KindLimited
	case status >= 500:
		return model.KindServer
	case code == "content_filter":
		return KindFiltered
	}
	return model.KindRequest
}

// RetryAfter reads the header, in seconds or as a date (RFC 9110, 10.2.3), and
// the milliseconds that some servers send.
func RetryAfter(h http.Header) time.Duration {
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

// maxDetail is how much of what a server says about an error is kept.
const maxDetail = 500

// Clean makes what a server said fit for a log: one line, cut, valid, without the key.
func (o Options) Clean(s string) string {
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

// Fail makes the error of a call out of whatever went wrong in it.
func (o Options) Fail(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return model.Cancelled(ctx)
	}
	if f := model.FaultOf(err); f != nil {
		own := *f
		own.Detail = o.Clean(f.Detail)
		return model.NewError(&own)
	}
	return model.NewError(o.networkFault(err))
}

// networkFault says what of the way or of the framing failed.
func (o Options) networkFault(err error) *model.Fault {
	f := &model.Fault{Kind: model.KindNetwork, Detail: o.Clean(err.Error())}
	var (
		netErr  net.Error
		syntax  *json.SyntaxError
		wrong   *json.UnmarshalTypeError
		op      *net.OpError
		dns     *net.DNSError
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		invalid x509.CertificateInvalidError
		record  tls.RecordHeaderError
		alert   tls.AlertError
		verify  *tls.CertificateVerificationError
	)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		f.Kind = model.KindCut
	case errors.As(err, &syntax), errors.As(err, &wrong):
		f.Kind = model.KindGarbled
	case errors.As(err, &unknown), errors.As(err, &name), errors.As(err, &invalid), errors.As(err, &record), errors.As(err, &alert), errors.As(err, &verify),
		strings.Contains(f.Detail, "server gave HTTP response to HTTPS client"):
		f.Reason = model.ReasonTLS
	case errors.As(err, &op) && op.Op == "proxyconnect", strings.Contains(f.Detail, "Proxy Authentication Required"), strings.Contains(f.Detail, "proxyconnect"):
		f.Reason = model.ReasonProxy
	case errors.As(err, &dns):
		f.Reason = model.ReasonName
	case errors.As(err, &netErr) && netErr.Timeout():
		f.Kind = model.KindTimeout
	case errors.As(err, &op) && op.Op == "read":
		f.Kind = model.KindCut
	case errors.As(err, &op) && op.Op == "dial":
		f.Reason = model.ReasonNobody
	}
	return f
}
