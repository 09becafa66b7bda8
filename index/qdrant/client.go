package qdrant

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"digesto"
)

// client speaks the REST form of Qdrant (1.10 and later).
type client struct {
	hosts []string // base addresses, tried in turn
	at    atomic.Uint32
	key   string
	http  *http.Client
	wait  time.Duration // before the first try again; it doubles
}

// answerMax bounds what is read of one answer.
const answerMax = 64 << 20

// tries is how often a request is made of each host that is not there, is busy, or
// fails. All our requests may be repeated: points have ids of their own.
const tries = 5

// dialTimeout is how long a host may take to be reached where there are others.
const dialTimeout = 2 * time.Second

// Is says whether an address is one of Qdrant.
func Is(address string) bool {
	scheme, _, ok := strings.Cut(address, "://")
	return ok && schemes[scheme] != ""
}

var schemes = map[string]string{"http": "http", "https": "https", "qdrant": "http", "qdrants": "https"}

// newClient reads an address: http(s)://[:KEY@]HOST:6333[,HOST:6333…], or qdrant:// for http and qdrants:// for https.
func newClient(address, key string, timeout time.Duration) (*client, error) {
	follow := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // the key goes nowhere else
	c := &client{key: key, http: &http.Client{Timeout: timeout, CheckRedirect: follow}, wait: 100 * time.Millisecond}
	scheme, rest, _ := strings.Cut(address, "://")
	rest, path, _ := strings.Cut(rest, "/")
	user, hosts := "", rest
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		user, hosts = rest[:i+1], rest[i+1:]
	}
	for host := range strings.SplitSeq(hosts, ",") {
		u, err := url.Parse(schemes[scheme] + "://" + user + host + "/" + path)
		if err != nil || schemes[scheme] == "" || u.Host == "" {
			return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "La dirección de Qdrant no se entiende", Hint: "Escríbala como https://:CLAVE@SERVIDOR:6333 (o qdrant://SERVIDOR:6333 sin cifrar; varios nodos, separados por comas)."}
		}
		if k, ok := u.User.Password(); ok && c.key == "" {
			c.key = k
		}
		if u.Port() == "" {
			u.Host += ":6333"
		}
		c.hosts = append(c.hosts, u.Scheme+"://"+u.Host+strings.TrimSuffix(u.Path, "/"))
	}
	if len(c.hosts) > 1 {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.DialContext = (&net.Dialer{Timeout: dialTimeout}).DialContext
		c.http.Transport = t
	}
	return c, nil
}

// refusal is an answer that is an error.
type refusal struct {
	status int
	text   string
	after  time.Duration // wait asked for
}

func (r *refusal) Error() string { return fmt.Sprintf("%d: %s", r.status, r.text) }

// call makes a request until it is answered for good; the result goes into out.
func (c *client) call(ctx context.Context, method, path string, body, out any) error {
	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			// what JSON cannot say: a vector with NaN or infinity
			return &digesto.Error{Code: digesto.CodeInvalid, Message: "Un vector tiene un valor que no es un número", Hint: "Revise el modelo de vectores: debe dar números finitos.", Err: err}
		}
	}
	wait := c.wait
	for try := 1; ; try++ {
		at := c.at.Load()
		err := c.once(ctx, method, c.hosts[int(at)%len(c.hosts)]+path, raw, out)
		if err == nil || try == tries*len(c.hosts) || !passing(err) || ctx.Err() != nil {
			return failed(ctx, err)
		}
		c.at.CompareAndSwap(at, at+1) // the next host, for others too
		if try%len(c.hosts) > 0 {
			continue
		}
		var r *refusal
		pause := wait + rand.N(wait)
		if errors.As(err, &r) && r.after > 0 {
			pause = min(r.after, time.Minute)
		}
		wait *= 2
		select {
		case <-ctx.Done():
			return failed(ctx, ctx.Err())
		case <-time.After(pause):
		}
	}
}

func (c *client) once(ctx context.Context, method, address string, body []byte, out any) error {
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.key != "" {
		req.Header.Set("api-key", c.key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(res.Body, answerMax+1))
	if err != nil {
		return err
	}
	if len(raw) > answerMax {
		return &refusal{status: http.StatusRequestEntityTooLarge, text: "answer of more than 64 MiB"}
	}
	return read(res.StatusCode, res.Header.Get("Retry-After"), raw, out)
}

// read takes an answer apart.
func read(status int, after string, raw []byte, out any) error {
	var a struct {
		Result json.RawMessage `json:"result"`
		Status json.RawMessage `json:"status"`
	}
	jerr := json.Unmarshal(raw, &a)
	if status/100 == 2 && jerr == nil {
		if out == nil || len(a.Result) == 0 {
			return nil
		}
		if err := json.Unmarshal(a.Result, out); err != nil {
			return &refusal{status: http.StatusBadGateway, text: "unreadable answer: " + err.Error()}
		}
		return nil
	}
	r := &refusal{status: status, text: strings.TrimSpace(string(raw[:min(len(raw), 300)]))}
	var e struct {
		Error string `json:"error"`
	}
	if jerr == nil && json.Unmarshal(a.Status, &e) == nil && e.Error != "" {
		r.text = e.Error
	}
	if status/100 == 2 { // not JSON: some other server
		r.status = http.StatusBadGateway
	}
	if s, err := strconv.Atoi(after); err == nil && s > 0 {
		r.after = time.Duration(s) * time.Second
	}
	return r
}

// passing says that the same request may do better in a moment.
func passing(err error) bool {
	var r *refusal
	if errors.As(err, &r) {
		return slices.Contains([]int{429, 500, 502, 503, 504}, r.status)
	}
	return !errors.Is(err, context.Canceled)
}

// failed says in Spanish what is wrong.
func failed(ctx context.Context, err error) error {
	var own *digesto.Error
	if err == nil || errors.As(err, &own) {
		return err
	}
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	say := func(code digesto.Code, message, hint string) error {
		return &digesto.Error{Code: code, Message: message, Hint: hint, Err: err}
	}
	var r *refusal
	if !errors.As(err, &r) {
		if ctx.Err() != nil || isTimeout(err) {
			return say(digesto.CodeUnavailable, "Qdrant tarda demasiado en contestar", "Mire la carga del servidor y la red hasta él; y repita.")
		}
		return say(digesto.CodeUnavailable, "No se puede hablar con Qdrant", "Compruebe que el servidor está en marcha y que se llega a él desde aquí (dirección, puerto, TLS).")
	}
	switch {
	case r.status == 401:
		return say(digesto.CodeForbidden, "Qdrant no acepta la clave", "Ponga la clave en la dirección: https://:CLAVE@SERVIDOR:6333.")
	case r.status == 403:
		return say(digesto.CodeForbidden, "La clave de Qdrant es solo de lectura", "Para construir o mover un índice hace falta una clave que pueda escribir.")
	case r.status == 404 && r.text == "": // what the server knows, it names
		return say(digesto.CodeUnavailable, "En esa dirección no hay un Qdrant 1.10 o posterior", "Corrija la dirección (el puerto de REST es el 6333), o actualice el servidor.")
	case r.status == 404:
		return say(digesto.CodeNotFound, "Qdrant no tiene esa colección", "Construya el índice primero, o corrija el nombre.")
	case r.status == 409 || r.status == 400 && strings.Contains(r.text, "already exists"):
		return say(digesto.CodeConflict, "Qdrant ya tiene una colección con ese nombre", "Elija otro nombre, o borre la que hay si no es de este programa.")
	case r.status/100 == 3:
		return say(digesto.CodeUnavailable, "La dirección de Qdrant lleva a otra", "Ponga la dirección definitiva del servidor: la clave no se envía a otras.")
	case r.status == 429:
		return say(digesto.CodeLimited, "Qdrant no admite más peticiones por ahora", "Espere un minuto y repita, o suba el límite de la colección.")
	case strings.Contains(r.text, "imeout"):
		return say(digesto.CodeUnavailable, "Qdrant ha cortado la consulta por lenta", "Repítala; si vuelve a pasar, mire la carga del servidor.")
	case strings.Contains(r.text, "ector dimension"):
		return say(digesto.CodeInvalid, "La colección de Qdrant tiene vectores de otras dimensiones", "Use el modelo con el que se hizo el índice, o vuelva a construirlo.")
	case r.status >= 500:
		return say(digesto.CodeUnavailable, "Qdrant falla", "Mire el registro del servidor y su espacio en disco; y repita.")
	}
	return say(digesto.CodeInvalid, "Qdrant no acepta la petición", "Puede ser de otra versión (hace falta 1.10 o posterior) o tener un modo estricto: mire el mensaje del servidor.")
}

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}
