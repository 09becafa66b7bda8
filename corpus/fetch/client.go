package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"digesto"

	"golang.org/x/time/rate"
)

// Options of a client. Allow and Dir are needed; the rest has defaults.
type Options struct {
	Allow    []string // host names, lower case; nothing else is asked
	Dir      string   // where documents are kept between runs
	Rate     float64  // requests a second; 0 = 5, never more
	Tries    int      // of one document; 0 = 5
	MaxBytes int64    // of one document; 0 = 128 MB
	MaxTotal int64    // of one run; 0 = 4 GB
	Timeout  time.Duration
	Agent    string // User-Agent; "" = "digesto"
	Proxy    func(*http.Request) (*url.URL, error)
	Clock    func() time.Time                                 // nil = time.Now
	Sleep    func(ctx context.Context, d time.Duration) error // nil = waits; tests count instead

	// Loopback also lets plain HTTP to this machine through: for tests with a
	// server of their own, never set by the program. It is asked as fast as it answers.
	Loopback bool
}

// Client gets documents. It is safe for any number of goroutines.
type Client struct {
	opt   Options
	http  *http.Client
	limit *rate.Limiter
	total atomic.Int64
	asked atomic.Int64
}

// maxRate is the most that a public service is asked in a second.
const maxRate = 5

// New checks the options and makes a client.
func New(opt Options) (*Client, error) {
	if opt.Dir == "" || len(opt.Allow) == 0 {
		return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "Falta la carpeta de descargas o la lista de servidores permitidos"}
	}
	if err := os.MkdirAll(opt.Dir, 0o755); err != nil {
		return nil, errDisk(opt.Dir, err)
	}
	if opt.Rate <= 0 || opt.Rate > maxRate {
		opt.Rate = maxRate
	}
	opt.Tries = orDefault(opt.Tries, 5)
	opt.MaxBytes = orDefault(opt.MaxBytes, 128<<20)
	opt.MaxTotal = orDefault(opt.MaxTotal, 4<<30)
	opt.Timeout = orDefault(opt.Timeout, 10*time.Minute)
	if opt.Agent == "" {
		opt.Agent = "digesto"
	}
	if opt.Clock == nil {
		opt.Clock = time.Now
	}
	if opt.Sleep == nil {
		opt.Sleep = sleep
	}
	c := &Client{opt: opt, limit: rate.NewLimiter(rate.Limit(opt.Rate), 1)}
	if opt.Loopback {
		c.limit.SetLimit(rate.Inf)
	}
	c.http = c.httpClient()
	return c, nil
}

func orDefault[T int | int64 | time.Duration](v, d T) T {
	if v <= 0 {
		return d
	}
	return v
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Request is one document wanted.
type Request struct {
	URL    string
	Want   string // "xml", "json", "data" (either), "pdf", "html"; "" = anything that is no error page
	Accept string // Accept header; "" = by Want
}

// Result is a document as it stands in the folder.
type Result struct {
	Record
	Path      string // file with its bytes
	Unchanged bool   // the service says that nothing changed since it was got
}

// Get gives a document: from the service if it changed, else as kept. A failure
// leaves what was kept as it was.
func (c *Client) Get(ctx context.Context, r Request) (Result, error) {
	u, err := url.Parse(r.URL)
	if err != nil {
		return Result{}, &digesto.Error{Code: digesto.CodeInvalid, Message: "«" + r.URL + "» no es una dirección", Hint: "Escríbala entera, con https://."}
	}
	if err := c.allowed(u); err != nil {
		return Result{}, err
	}
	k := c.kept(r.URL)
	var last error
	for try := range c.opt.Tries {
		if try > 0 {
			if err := c.opt.Sleep(ctx, wait(try, last)); err != nil {
				return Result{}, err
			}
		}
		if err := c.limit.Wait(ctx); err != nil {
			return Result{}, err
		}
		c.asked.Add(1)
		res, err := c.once(ctx, r, k)
		if err == nil {
			return res, nil
		}
		if ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
		last = err
		var again *retryable
		if !errors.As(err, &again) {
			return Result{}, plain(err)
		}
	}
	return Result{}, plain(last)
}

// retryable is a failure that may pass.
type retryable struct {
	err   error
	after time.Duration // what the service asks to wait
}

func (e *retryable) Error() string { return e.err.Error() }
func (e *retryable) Unwrap() error { return e.err }

// plain takes the mark off and names what is no error of ours.
func plain(err error) error {
	var again *retryable
	if errors.As(err, &again) {
		err = again.err
	}
	var known *digesto.Error
	if errors.As(err, &known) {
		return known
	}
	return &digesto.Error{Code: digesto.CodeUnavailable, Message: "No se pudo descargar", Err: err, Hint: "Compruebe la conexión y repita la orden: se sigue donde quedó."}
}

// wait is how long to wait before another try: twice as long each time, from one
// second to a minute, or what the service asks for, up to five minutes.
func wait(try int, last error) time.Duration {
	d := time.Duration(math.Min(60, math.Pow(2, float64(try-1)))) * time.Second
	var again *retryable
	if errors.As(last, &again) {
		d = max(d, min(again.after, 5*time.Minute))
	}
	return d
}

// once makes one request and keeps what it brings.
func (c *Client) once(ctx context.Context, r Request, k kept) (Result, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL, nil)
	if err != nil {
		return Result{}, err
	}
	req.Header.Set("User-Agent", c.opt.Agent)
	req.Header.Set("Accept", r.accept())
	old, have := k.record()
	part := k.partSize()
	switch {
	case part > 0:
		req.Header.Set("Range", "bytes="+strconv.FormatInt(part, 10)+"-")
		req.Header.Set("If-Range", k.partTag())
	case have && old.ETag != "":
		req.Header.Set("If-None-Match", old.ETag)
	case have && old.LastModified != "":
		req.Header.Set("If-Modified-Since", old.LastModified)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		var known *digesto.Error
		if errors.As(err, &known) {
			return Result{}, known // refused by the guard
		}
		return Result{}, &retryable{err: err}
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNotModified && have {
		return Result{old, k.data(), true}, nil
	}
	if err := statusError(resp, k); err != nil {
		return Result{}, err
	}
	if err := c.body(resp, k, part); err != nil {
		return Result{}, err
	}
	if err := check(k.part(), r.Want, resp.Header.Get("Content-Type")); err != nil {
		k.dropPart()
		return Result{}, err
	}
	rec, err := k.keep(Record{URL: r.URL, ETag: resp.Header.Get("ETag"), LastModified: resp.Header.Get("Last-Modified"), Fetched: c.opt.Clock().UTC()})
	if err != nil {
		return Result{}, errDisk(c.opt.Dir, err)
	}
	return Result{rec, k.data(), have && rec.SHA256 == old.SHA256}, nil
}

func (r Request) accept() string {
	if r.Accept != "" {
		return r.Accept
	}
	switch r.Want {
	case "xml", "json", "pdf":
		return "application/" + r.Want
	case "data":
		return "application/json, application/xml;q=0.5"
	case "html":
		return "text/html"
	}
	return "*/*"
}

// statusError sorts the answers of a service.
func statusError(resp *http.Response, k kept) error {
	e := &digesto.Error{Code: digesto.CodeUnavailable, Message: fmt.Sprintf("%s responde %d", resp.Request.URL.Host, resp.StatusCode),
		Hint: "Repita la orden más tarde: se sigue donde quedó."}
	switch s := resp.StatusCode; {
	case s == http.StatusOK, s == http.StatusPartialContent:
		return nil
	case s == http.StatusRequestedRangeNotSatisfiable:
		k.dropPart()
		return &retryable{err: e}
	case s == http.StatusNotFound, s == http.StatusGone:
		e.Code, e.Message, e.Hint = digesto.CodeNotFound, "No existe "+resp.Request.URL.Redacted(), "Compruebe el identificador en la página del servicio."
		return e
	case s == http.StatusTooManyRequests, s >= 500:
		if s == http.StatusTooManyRequests {
			e.Code = digesto.CodeLimited
		}
		return &retryable{err: e, after: retryAfter(resp)}
	}
	return e
}

func retryAfter(resp *http.Response) time.Duration {
	v := strings.TrimSpace(resp.Header.Get("Retry-After"))
	if n, err := strconv.Atoi(v); err == nil && n >= 0 {
		return time.Duration(n) * time.Second
	}
	at, err := http.ParseTime(v)
	sent, err2 := http.ParseTime(resp.Header.Get("Date"))
	if err == nil && err2 == nil {
		return max(0, at.Sub(sent))
	}
	return 0
}

// body writes what comes behind what an earlier try left. A cut keeps the part
// for the next try.
func (c *Client) body(resp *http.Response, k kept, part int64) error {
	if resp.StatusCode != http.StatusPartialContent {
		k.dropPart()
		part = 0
	}
	f, err := k.openPart(resp.Header)
	if err != nil {
		return errDisk(c.opt.Dir, err)
	}
	room := min(c.opt.MaxBytes-part, c.opt.MaxTotal-c.total.Load())
	n, err := io.Copy(f, io.LimitReader(resp.Body, room+1))
	c.total.Add(n)
	if cerr := f.Close(); err == nil && cerr != nil {
		return errDisk(c.opt.Dir, cerr)
	}
	switch {
	case n > room:
		k.dropPart()
		return &digesto.Error{Code: digesto.CodeTooLarge, Message: fmt.Sprintf("%s es mayor de lo que se permite descargar", resp.Request.URL.Redacted()),
			Hint: "Descárguelo a mano y añádalo con «digesto corpus add»."}
	case digesto.DiskFull(err):
		return errDisk(c.opt.Dir, err)
	case err != nil:
		return &retryable{err: &digesto.Error{Code: digesto.CodeUnavailable, Message: "La descarga de " + resp.Request.URL.Redacted() + " se ha cortado", Err: err,
			Hint: "Repita la orden: se sigue donde quedó."}}
	}
	return nil
}

// Bytes and Requests say what a run cost so far.
func (c *Client) Bytes() int64    { return c.total.Load() }
func (c *Client) Requests() int64 { return c.asked.Load() }

func errDisk(dir string, err error) error {
	e := &digesto.Error{Code: digesto.CodeInternal, Message: "No se puede escribir en " + dir, Err: err, Hint: "Compruebe el disco y los permisos de la carpeta de datos."}
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		e.Code = digesto.CodeForbidden
	case digesto.DiskFull(err):
		e.Code, e.Message = digesto.CodeTooLarge, "No queda espacio en el disco para descargar en "+dir
	}
	return e
}
