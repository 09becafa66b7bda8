package main

import (
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/model"
	"digesto/model/roles"

	"golang.org/x/net/http/httpproxy"
)

// roleSettings are the settings of the models: some for all of them, then those
// of each section. model.url, model.name and model.key are short for the writer's.
func roleSettings() []setting {
	out := []setting{
		{key: "model.url", env: "DIGESTO_MODEL_URL", help: "modelo redactor: dirección de una API compatible con la de OpenAI (vacío: sin modelo)"},
		{key: "model.name", env: "DIGESTO_MODEL_NAME", help: "nombre del modelo redactor"},
		{key: "model.key", env: "DIGESTO_MODEL_KEY", help: "clave de la API del modelo", secret: true},
		{key: "model.local_only", env: "DIGESTO_MODEL_LOCAL_ONLY", help: "yes: ningún modelo fuera de esta máquina", quiet: true},
		{key: "model.redact", env: "DIGESTO_MODEL_REDACT", fallback: "yes", help: "yes: los datos personales no llegan a los modelos", quiet: true},
		{key: "model.cache", env: "DIGESTO_MODEL_CACHE", fallback: "yes", help: "yes: guarda lo que escriben los modelos, por modelo, petición y versión de la ley", quiet: true},
		{key: "model.day_cost", env: "DIGESTO_MODEL_DAY_COST", help: "gasto máximo al día, en la moneda de los precios", quiet: true},
		{key: "model.question_calls", env: "DIGESTO_MODEL_QUESTION_CALLS", fallback: "10", help: "llamadas por pregunta, todos los modelos juntos", quiet: true},
		{key: "model.question_tokens", env: "DIGESTO_MODEL_QUESTION_TOKENS", fallback: "60000", help: "fichas por pregunta, todos los modelos juntos", quiet: true},
		{key: "model.question_cost", env: "DIGESTO_MODEL_QUESTION_COST", help: "gasto máximo por pregunta", quiet: true},
		{key: "model.question_time", env: "DIGESTO_MODEL_QUESTION_TIME", fallback: "90s", help: "tiempo de los modelos por pregunta, todos juntos", quiet: true},
	}
	for _, section := range roles.Sections() {
		for _, p := range roles.Params() {
			if p.Has(section) {
				out = append(out, setting{key: "model." + section + "." + p.Key, env: roles.EnvOf(section, p.Key), help: sectionTitles[section] + ": " + p.Help, secret: p.Secret, quiet: true})
			}
		}
	}
	return out
}

// sectionTitles name the roles for people.
var sectionTitles = map[string]string{
	model.Writer: "redactor", model.Reader: "lector", model.Embedding: "modelo de vectores", model.Ranking: "reordenador", roles.Backup: "modelo de reserva",
}

// modelConfig reads what binds the models.
func (a *app) modelConfig() (roles.Config, error) {
	c := roles.Config{Sections: map[string]roles.Section{}, Now: a.now, Proxy: a.proxy()}
	for _, section := range roles.Sections() {
		s, ok, err := roles.ReadSection(section, func(key string) string { return a.roleValue(section, key) })
		if err != nil {
			return c, err
		}
		if ok {
			c.Sections[section] = s
		}
	}
	var err error
	if c.LocalOnly, err = a.yesAny("model.local_only", "local_only"); err != nil {
		return c, err
	}
	if c.Redact, err = a.conf.yes("model.redact"); err != nil {
		return c, err
	}
	cached, err := a.conf.yes("model.cache")
	if err != nil {
		return c, err
	}
	if c.DayCost, err = a.conf.amount("model.day_cost"); err != nil {
		return c, err
	}
	c.Ledger = a.ledger()
	if a.conf.data != "" {
		c.Dir = filepath.Join(a.conf.data, "models")
	}
	none, err := a.conf.yes("no_log")
	if err != nil {
		return c, err
	}
	switch {
	case cached && c.Dir != "" && !none:
		c.Cache = model.DirCache(filepath.Join(c.Dir, "cache"), 0)
	case cached:
		c.Cache = model.MemoryCache(0)
	}
	return c, nil
}

// modelHost is where the questions of a role go.
type modelHost struct{ Role, Host, Name string }

// modelHosts tells who gets questions.
func (a *app) modelHosts() (out []modelHost) {
	for _, section := range roles.Sections() {
		at, name := a.roleValue(section, "url"), a.roleValue(section, "name")
		if u, err := url.Parse(at); err == nil && u.Host != "" {
			at = u.Host
		}
		if at == "" {
			at = a.roleValue(section, "provider")
		}
		if at != "" {
			out = append(out, modelHost{sectionTitles[section], at, name})
		}
	}
	return out
}

// roleValue gives a value of a section, the writer's also in its short form.
func (a *app) roleValue(section, key string) string {
	if v := a.conf.get("model." + section + "." + key); v != "" || section != model.Writer {
		return v
	}
	if a.conf.get("model.url") == "" && a.conf.get("model.writer.url") == "" && a.conf.get("model.writer.provider") == "" {
		return "" // a key alone, in the environment, asks for no model
	}
	switch key {
	case "url", "name":
		return a.conf.get("model." + key)
	case "key":
		if a.conf.get("model.writer.key_file") == "" {
			return a.conf.get("model.key")
		}
	}
	return ""
}

// models binds the models that are configured.
func (a *app) models() (*roles.Set, error) {
	c, err := a.modelConfig()
	if err != nil {
		return nil, err
	}
	return roles.Bind(c)
}

// questionLimits bound the models of one question.
func (a *app) questionLimits() (l model.Limits, err error) {
	calls, err := a.conf.amount("model.question_calls")
	if err != nil {
		return l, err
	}
	tokens, err := a.conf.amount("model.question_tokens")
	if err != nil {
		return l, err
	}
	if l.Cost, err = a.conf.amount("model.question_cost"); err != nil {
		return l, err
	}
	l.Calls, l.Tokens = int(calls), int(tokens)
	if s := a.conf.get("model.question_time"); s != "" {
		if l.Time, err = time.ParseDuration(s); err != nil || l.Time <= 0 {
			return l, badSetting("model.question_time", s, "un tiempo como 30s o 2m")
		}
	}
	return l, nil
}

// proxy chooses the proxy by the customary variables of the environment.
func (a *app) proxy() func(*http.Request) (*url.URL, error) {
	get := func(names ...string) string {
		for _, n := range names {
			if v, ok := a.lookup(n); ok && v != "" {
				return v
			}
		}
		return ""
	}
	c := httpproxy.Config{HTTPProxy: get("HTTP_PROXY", "http_proxy"), HTTPSProxy: get("HTTPS_PROXY", "https_proxy"), NoProxy: get("NO_PROXY", "no_proxy")}
	choose := c.ProxyFunc()
	return func(r *http.Request) (*url.URL, error) { return choose(r.URL) }
}

func badSetting(key, value, want string) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: "La configuración «" + key + "» no vale: «" + value + "» no es " + want,
		Hint: "«digesto config» dice de dónde sale cada valor."}
}

// yes reads a switch of the settings; empty is no.
func (s settings) yes(key string) (bool, error) {
	switch v := strings.ToLower(strings.TrimSpace(s.get(key))); v {
	case "yes", "true", "sí", "si", "1", "on":
		return true, nil
	case "", "no", "false", "0", "off":
		return false, nil
	default:
		return false, badSetting(key, v, "yes ni no")
	}
}

// amount reads a quantity of the settings; empty is 0.
func (s settings) amount(key string) (float64, error) {
	v := strings.ReplaceAll(strings.TrimSpace(s.get(key)), ",", ".")
	if v == "" {
		return 0, nil
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || !(f >= 0 && f < 1e9) {
		return 0, badSetting(key, v, "una cantidad")
	}
	return f, nil
}
