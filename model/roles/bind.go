package roles

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/url"
	"time"

	"digesto"
	"digesto/model"
	"digesto/model/gemini"
	"digesto/model/openai"
	"digesto/model/redact"
	"digesto/model/rerank"
)

// Set are the models that a configuration binds; a role without one is nil.
// Close lets go of their connections.
type Set struct {
	Reader, Writer model.Generator
	Embedder       model.Embedder
	Reranker       model.Reranker
	Spend          *model.Spend // of the day

	conf Config
	bare map[string]adapter // by section, without anything around it
	open []io.Closer
}

// adapter is a client as it speaks to its provider.
type adapter struct {
	gen   model.Generator
	embed model.Embedder
	rank  model.Reranker
}

// deployment is what all roles that use one model at one address share.
type deployment struct {
	budget  *model.Budget
	breaker model.Guard
}

// Bind makes the models of a configuration. It does not connect.
func Bind(c Config) (*Set, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	s := &Set{conf: c, bare: map[string]adapter{}}
	s.Spend = model.NewSpend(model.SpendOptions{Cap: c.DayCost, Dir: c.Dir, Ledger: c.Ledger, Now: c.Now})
	shared := map[string]*deployment{}
	for _, name := range Sections() {
		sec, ok := c.Sections[name]
		if !ok {
			continue
		}
		a, err := s.adapter(name, sec)
		if err != nil {
			_ = s.Close()
			return nil, err
		}
		s.bare[name] = a
		key := string(sec.Provider.Form) + "\x00" + sec.URL + "\x00" + sec.Name
		if shared[key] == nil {
			shared[key] = s.deploy(key, sec)
		}
	}
	s.roles(shared)
	return s, nil
}

func (s *Set) deploy(key string, sec Section) *deployment {
	return &deployment{
		budget: model.NewBudget(model.BudgetOptions{Requests: sec.RPM, Tokens: sec.TPM, Daily: sec.DayTokens, Now: s.conf.Now,
			Ledger: s.conf.Ledger, Name: fmt.Sprintf("model.%x", sha256.Sum256([]byte(key)))}),
		breaker: model.BreakerGuard(model.BreakerOptions{Now: s.conf.Now}),
	}
}

// roles puts around each adapter what its role needs.
func (s *Set) roles(shared map[string]*deployment) {
	guarded := map[string]model.Generator{}
	for name, sec := range s.conf.Sections {
		a, d := s.bare[name], shared[string(sec.Provider.Form)+"\x00"+sec.URL+"\x00"+sec.Name]
		switch {
		case a.gen != nil:
			guarded[name] = s.generator(sec, a.gen, d)
		case a.embed != nil:
			s.Embedder = s.embedder(sec, a.embed, d)
		case a.rank != nil:
			s.Reranker = s.reranker(sec, a.rank, d)
		}
	}
	s.Reader, s.Writer = s.role(model.Reader, guarded), s.role(model.Writer, guarded)
}

// generator guards one deployment. From the outside in: the breaker sees a call
// with all its attempts as one; every attempt pays into the budgets, waits there
// outside of its own time, and is bounded.
func (s *Set) generator(sec Section, g model.Generator, d *deployment) model.Generator {
	g = model.Timeout(g, sec.Timeout)
	g = s.Spend.Generator(g, sec.Price)
	g = d.budget.Generator(g)
	g = model.Retry(g, model.RetryOptions{Attempts: sec.Attempts})
	g = model.GuardGenerator(g, d.breaker)
	return &parameters{g, sec.Temperature, sec.MaxTokens}
}

// role makes what a role asks: its model, then the one it falls back on, with a
// cache before them, and personal data hidden from all of it.
func (s *Set) role(name string, guarded map[string]model.Generator) model.Generator {
	g, sec := guarded[name], s.conf.Sections[name]
	if g == nil {
		return nil
	}
	if other := guarded[sec.Fallback]; other != nil {
		g = model.Fallback(g, other)
	}
	g = model.Cache(g, string(sec.Provider.Form)+" "+sec.URL+" "+sec.Name, s.conf.Cache)
	if s.conf.Redact {
		g = redact.New(redact.Options{}).Generator(g)
	}
	return model.Metered(name, g, sec.Price)
}

func (s *Set) embedder(sec Section, e model.Embedder, d *deployment) model.Embedder {
	guards := []model.Guard{d.breaker, model.RetryGuard(model.RetryOptions{Attempts: sec.Attempts})}
	e = model.GuardEmbedder(e, s.Spend.Guard(sec.Price, 500), model.TimeoutGuard(sec.Timeout))
	e = model.GuardEmbedder(d.budget.Embedder(e), guards...)
	if s.conf.Redact {
		e = redact.New(redact.Options{}).Embedder(e)
	}
	return model.MeteredEmbedder(e, sec.Price)
}

func (s *Set) reranker(sec Section, r model.Reranker, d *deployment) model.Reranker {
	r = model.GuardReranker(r, d.breaker, model.RetryGuard(model.RetryOptions{Attempts: sec.Attempts}), d.budget.Guard(4000),
		s.Spend.Guard(sec.Price, 4000), model.TimeoutGuard(sec.Timeout))
	if s.conf.Redact {
		r = redact.New(redact.Options{}).Reranker(r)
	}
	return model.MeteredReranker(r, sec.Price)
}

// adapter makes the client of a section.
func (s *Set) adapter(name string, sec Section) (adapter, error) {
	if s.conf.LocalOnly && !loopback(sec.URL) {
		return adapter{}, &digesto.Error{Code: digesto.CodeForbidden,
			Message: "El modo local no permite «model." + name + "»: " + hostOf(sec.URL) + " no es esta máquina",
			Hint:    "Use un servidor en 127.0.0.1, quite esa sección, o ponga «model.local_only: no»."}
	}
	pool, err := roots(name, sec.CA)
	if err != nil {
		return adapter{}, err
	}
	var token func() (string, error)
	if sec.KeyFile != "" {
		token = keyReader(sec.KeyFile)
		if sec.Key, err = token(); err != nil {
			return adapter{}, bad(name, "key_file", "no se puede leer una clave de ese fichero")
		}
	}
	proxy := s.conf.Proxy
	switch {
	case name == model.Ranking:
		c, err := rerank.New(rerank.Options{URL: sec.URL, Key: sec.Key, Model: sec.Name, Timeout: sec.Timeout, LocalOnly: s.conf.LocalOnly, Proxy: proxy, Roots: pool})
		if err != nil {
			return adapter{}, err
		}
		s.open = append(s.open, c)
		return adapter{rank: c}, nil
	case sec.Provider.Form == FormGemini:
		c, err := gemini.New(gemini.Options{BaseURL: sec.URL, Key: sec.Key, Model: sec.Name, FirstByte: sec.FirstByte, Stall: sec.Stall, LocalOnly: s.conf.LocalOnly,
			Proxy: proxy, Roots: pool, NoTemperature: !sec.Caps.Temperature, Dims: sec.Dims, SendDims: sec.SendDims, Batch: sec.Batch,
			QueryPrefix: sec.QueryPrefix, PassagePrefix: sec.PassagePrefix})
		if err != nil {
			return adapter{}, err
		}
		s.open = append(s.open, c)
		return split(name, withoutKey(c, sec.Key), c), nil
	}
	c, err := openai.New(openai.Options{BaseURL: sec.URL, Key: sec.Key, Token: token, Model: sec.Name, FirstByte: sec.FirstByte, Stall: sec.Stall,
		LocalOnly: s.conf.LocalOnly, AzureVersion: sec.APIVersion, EntraToken: sec.Entra, Caps: &sec.Caps, Proxy: proxy, Roots: pool,
		Dims: sec.Dims, SendDims: sec.SendDims, Batch: sec.Batch, QueryPrefix: sec.QueryPrefix, PassagePrefix: sec.PassagePrefix})
	if err != nil {
		return adapter{}, err
	}
	s.open = append(s.open, c)
	return split(name, withoutKey(c, sec.Key), c), nil
}

func split(name string, g model.Generator, e model.Embedder) adapter {
	if name == model.Embedding {
		return adapter{embed: e}
	}
	return adapter{gen: g}
}

// Close lets go of connections.
func (s *Set) Close() error {
	for _, c := range s.open {
		_ = c.Close()
	}
	s.open = nil
	return nil
}

// loopback says whether an address is this machine's by its name; what is
// really dialled is looked at again then.
func loopback(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil {
		return false
	}
	host := u.Hostname()
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "la dirección"
	}
	return u.Host
}
