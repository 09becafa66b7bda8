package app

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

// RoleSettings are the settings of the models: some for all of them, then those
// of each section. model.url, model.name and model.key are short for the writer's.
func RoleSettings() []Setting {
	out := []Setting{
		{Key: "model.url", Env: "DIGESTO_MODEL_URL", Help: "modelo redactor: dirección de una API compatible con la de OpenAI (vacío: sin modelo)"},
		{Key: "model.name", Env: "DIGESTO_MODEL_NAME", Help: "nombre del modelo redactor"},
		{Key: "model.key", Env: "DIGESTO_MODEL_KEY", Help: "clave de la API del modelo", Secret: true},
		{Key: "model.local_only", Env: "DIGESTO_MODEL_LOCAL_ONLY", Help: "yes: ningún modelo fuera de esta máquina", Quiet: true},
		{Key: "model.redact", Env: "DIGESTO_MODEL_REDACT", Fallback: "yes", Help: "yes: los datos personales no llegan a los modelos", Quiet: true},
		{Key: "model.cache", Env: "DIGESTO_MODEL_CACHE", Fallback: "yes", Help: "yes: guarda lo que escriben los modelos, por modelo, petición y versión de la ley", Quiet: true},
		{Key: "model.day_cost", Env: "DIGESTO_MODEL_DAY_COST", Help: "gasto máximo al día, en la moneda de los precios", Quiet: true},
		{Key: "model.question_calls", Env: "DIGESTO_MODEL_QUESTION_CALLS", Fallback: "10", Help: "llamadas por pregunta, todos los modelos juntos", Quiet: true},
		{Key: "model.question_tokens", Env: "DIGESTO_MODEL_QUESTION_TOKENS", Fallback: "60000", Help: "fichas por pregunta, todos los modelos juntos", Quiet: true},
		{Key: "model.question_cost", Env: "DIGESTO_MODEL_QUESTION_COST", Help: "gasto máximo por pregunta", Quiet: true},
		{Key: "model.question_time", Env: "DIGESTO_MODEL_QUESTION_TIME", Fallback: "90s", Help: "tiempo de los modelos por pregunta, todos juntos", Quiet: true},
	}
	for _, section := range roles.Sections() {
		for _, p := range roles.Params() {
			if p.Has(section) {
				out = append(out, Setting{Key: "model." + section + "." + p.Key, Env: roles.EnvOf(section, p.Key), Help: SectionTitles[section] + ": " + p.Help, Secret: p.Secret, Quiet: true})
			}
		}
	}
	return out
}

// SectionTitles name the roles for people.
var SectionTitles = map[string]string{
	model.Writer: "redactor", model.Reader: "lector", model.Embedding: "modelo de vectores", model.Ranking: "reordenador", roles.Backup: "modelo de reserva",
}

// ModelConfig reads what binds the models.
func (a *App) ModelConfig() (roles.Config, error) {
	c := roles.Config{Sections: map[string]roles.Section{}, Now: a.Now, Proxy: a.proxy()}
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
	if c.LocalOnly, err = a.YesAny("model.local_only", "local_only"); err != nil {
		return c, err
	}
	if c.Redact, err = a.Settings.Yes("model.redact"); err != nil {
		return c, err
	}
	cached, err := a.Settings.Yes("model.cache")
	if err != nil {
		return c, err
	}
	if c.DayCost, err = a.Settings.Amount("model.day_cost"); err != nil {
		return c, err
	}
	c.Ledger = a.ledger()
	if a.Settings.Data != "" {
		c.Dir = filepath.Join(a.Settings.Data, "models")
	}
	none, err := a.Settings.Yes("no_log")
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

// ModelHosts tells who gets questions.
func (a *App) ModelHosts() (out []modelHost) {
	for _, section := range roles.Sections() {
		at, name := a.roleValue(section, "url"), a.roleValue(section, "name")
		if u, err := url.Parse(at); err == nil && u.Host != "" {
			at = u.Host
		}
		if at == "" {
			at = a.roleValue(section, "provider")
		}
		if at != "" {
			out = append(out, modelHost{SectionTitles[section], at, name})
		}
	}
	return out
}

// roleValue gives a value of a section, the writer's also in its short form.
func (a *App) roleValue(section, key string) string {
	if v := a.Settings.Get("model." + section + "." + key); v != "" || section != model.Writer {
		return v
	}
	if a.Settings.Get("model.url") == "" && a.Settings.Get("model.writer.url") == "" && a.Settings.Get("model.writer.provider") == "" {
		return "" // a key alone, in the environment, asks for no model
	}
	switch key {
	case "url", "name":
		return a.Settings.Get("model." + key)
	case "key":
		if a.Settings.Get("model.writer.key_file") == "" {
			return a.Settings.Get("model.key")
		}
	}
	return ""
}

// Models binds the models that are configured.
func (a *App) Models() (*roles.Set, error) {
	c, err := a.ModelConfig()
	if err != nil {
		return nil, err
	}
	return roles.Bind(c)
}

// questionLimits bound the models of one question.
func (a *App) questionLimits() (l model.Limits, err error) {
	calls, err := a.Settings.Amount("model.question_calls")
	if err != nil {
		return l, err
	}
	tokens, err := a.Settings.Amount("model.question_tokens")
	if err != nil {
		return l, err
	}
	if l.Cost, err = a.Settings.Amount("model.question_cost"); err != nil {
		return l, err
	}
	l.Calls, l.Tokens = int(calls), int(tokens)
	if s := a.Settings.Get("model.question_time"); s != "" {
		if l.Time, err = time.ParseDuration(s); err != nil || l.Time <= 0 {
			return l, badSetting("model.question_time", s, "un tiempo como 30s o 2m")
		}
	}
	return l, nil
}

// proxy chooses the proxy by the customary variables of the environment.
func (a *App) proxy() func(*http.Request) (*url.URL, error) {
	get := func(names ...string) string {
		for _, n := range names {
			if v, ok := a.Environ(n); ok && v != "" {
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

// Yes reads a switch of the settings; empty is no.
func (s Settings) Yes(key string) (bool, error) {
	switch v := strings.ToLower(strings.TrimSpace(s.Get(key))); v {
	case "yes", "true", "sí", "si", "1", "on":
		return true, nil
	case "", "no", "false", "0", "off":
		return false, nil
	default:
		return false, badSetting(key, v, "yes ni no")
	}
}

// Amount reads a quantity of the settings; empty is 0.
func (s Settings) Amount(key string) (float64, error) {
	v := strings.ReplaceAll(strings.TrimSpace(s.Get(key)), ",", ".")
	if v == "" {
		return 0, nil
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || !(f >= 0 && f < 1e9) {
		return 0, badSetting(key, v, "una cantidad")
	}
	return f, nil
}
