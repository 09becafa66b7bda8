package roles

import (
	"crypto/x509"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/model"
	"digesto/model/openai"
)

// Backup is the section of a model that others fall back on; it is no role.
const Backup = "backup"

// Sections are the parts of a configuration, in the order shown.
func Sections() []string {
	return []string{model.Writer, model.Reader, model.Embedding, model.Ranking, Backup}
}

// Param is one value of a section.
type Param struct {
	Key, Help string // Help: Spanish
	Secret    bool
	Only      []string // sections that have it; nil = all
}

var generates = []string{model.Reader, model.Writer, Backup}

// Params are the values of a section.
func Params() []Param {
	embeds := []string{model.Embedding}
	return []Param{
		{Key: "provider", Help: "proveedor: uno de la tabla de docs/models.md"},
		{Key: "url", Help: "dirección; vacía: la del proveedor"},
		{Key: "name", Help: "modelo o despliegue"},
		{Key: "key", Help: "clave de la API", Secret: true},
		{Key: "key_file", Help: "fichero con la clave; se vuelve a leer cuando cambia"},
		{Key: "auth", Help: "de Azure: key o entra"},
		{Key: "api_version", Help: "de Azure: versión de la API (2024-10-21)"},
		{Key: "ca", Help: "fichero PEM con la autoridad del certificado del servidor"},
		{Key: "temperature", Help: "temperatura; vacía: la del servidor", Only: generates},
		{Key: "max_tokens", Help: "fichas que puede escribir; vacío: lo que diga el servidor", Only: generates},
		{Key: "takes_temperature", Help: "si el modelo admite temperatura: yes o no; vacío: por su nombre", Only: generates},
		{Key: "token_field", Help: "cómo se llama el límite: max_tokens, max_completion_tokens o none; vacío: por su nombre", Only: generates},
		{Key: "logprobs", Help: "si el servidor da las probabilidades de las fichas: yes o no; vacío: por el proveedor y el nombre", Only: generates},
		{Key: "structured", Help: "cómo se le pide JSON: json_schema, json_object o prompt; vacío: por el proveedor", Only: generates},
		{Key: "fallback", Help: "sección a la que se acude si falla: reader, writer o backup", Only: generates},
		{Key: "timeout", Help: "tiempo de cada llamada (60s)"},
		{Key: "first_byte", Help: "espera máxima del primer dato (30s)"},
		{Key: "stall", Help: "silencio máximo en medio (20s)"},
		{Key: "attempts", Help: "intentos de cada llamada (3)"},
		{Key: "rpm", Help: "peticiones por minuto del despliegue"},
		{Key: "tpm", Help: "fichas por minuto del despliegue"},
		{Key: "day_tokens", Help: "fichas por día del despliegue"},
		{Key: "price_in", Help: "precio del millón de fichas enviadas"},
		{Key: "price_out", Help: "precio del millón de fichas escritas", Only: generates},
		{Key: "price_calls", Help: "precio de mil llamadas"},
		{Key: "dims", Help: "dimensiones esperadas de los vectores", Only: embeds},
		{Key: "send_dims", Help: "pedir al servidor esas dimensiones: yes o no", Only: embeds},
		{Key: "batch", Help: "textos por petición (64)", Only: embeds},
		{Key: "query_prefix", Help: "lo que se antepone a la pregunta («query: »)", Only: embeds},
		{Key: "passage_prefix", Help: "lo que se antepone al artículo («passage: »)", Only: embeds},
	}
}

// Has says whether a section has the value.
func (p Param) Has(section string) bool { return p.Only == nil || slices.Contains(p.Only, section) }

// Section is one model as configured.
type Section struct {
	Provider                   Provider
	URL, Name, Key, KeyFile    string
	Entra                      bool
	APIVersion, CA, Fallback   string
	Temperature                *float64
	MaxTokens                  int
	Caps                       openai.Caps
	Timeout, FirstByte, Stall  time.Duration
	Attempts                   int
	RPM, TPM, DayTokens        int
	Price                      model.Price
	Dims, Batch                int
	SendDims                   bool
	QueryPrefix, PassagePrefix string
}

// Config is all that models are bound by. The zero value binds none.
type Config struct {
	Sections  map[string]Section
	LocalOnly bool             // refuse every provider that is not on this machine
	Redact    bool             // hide personal data from models
	Cache     model.CacheStore // nil = nothing is kept
	DayCost   float64          // most that a day may cost, all models together; 0 = not bounded
	Dir       string           // where processes tell each other what they spent; "" = nowhere
	Ledger    model.Ledger     // shares allowances and the day's money between machines; nil = Dir alone
	Proxy     func(*http.Request) (*url.URL, error)
	Now       func() time.Time // nil = time.Now
}

// bad is the error of a value that does not do.
func bad(section, key, format string, args ...any) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("La configuración «model.%s.%s» no vale: ", section, key) + fmt.Sprintf(format, args...),
		Hint: "Las formas de cada proveedor están en docs/models.md; «digesto config» dice de dónde sale cada valor."}
}

// values reads the values of one section and keeps the first fault.
type values struct {
	section string
	get     func(key string) string
	err     error
}

func (v *values) text(key string) string { return strings.TrimSpace(v.get(key)) }

func (v *values) fail(key, format string, args ...any) {
	if v.err == nil {
		v.err = bad(v.section, key, format, args...)
	}
}

func (v *values) count(key string) int {
	s := v.text(key)
	if s == "" {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 1e9 {
		v.fail(key, "«%s» no es un número entero", s)
	}
	return n
}

func (v *values) amount(key string) float64 {
	s := strings.ReplaceAll(v.text(key), ",", ".")
	if s == "" {
		return 0
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f >= 0 && f < 1e9) {
		v.fail(key, "«%s» no es una cantidad", s)
	}
	return f
}

func (v *values) time(key string, fallback time.Duration) time.Duration {
	s := v.text(key)
	if s == "" {
		return fallback
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 || d > time.Hour {
		v.fail(key, "«%s» no es un tiempo como 30s o 2m", s)
	}
	return d
}

// yes reads a switch; set says whether there is one.
func (v *values) yes(key string) (on, set bool) {
	switch s := strings.ToLower(v.text(key)); s {
	case "":
		return false, false
	case "yes", "true", "sí", "si", "1", "on":
		return true, true
	case "no", "false", "0", "off":
		return false, true
	default:
		v.fail(key, "«%s» no es yes ni no", s)
		return false, false
	}
}

func (v *values) oneOf(key string, allowed ...string) string {
	s := strings.ToLower(v.text(key))
	if s != "" && !slices.Contains(allowed, s) {
		v.fail(key, "«%s» no es ninguno de %s", s, strings.Join(allowed, ", "))
	}
	return s
}

// ReadSection reads one section; ok is false if it names no model.
func ReadSection(section string, get func(key string) string) (s Section, ok bool, err error) {
	v := &values{section: section, get: get}
	given := false
	for _, p := range Params() {
		if v.text(p.Key) == "" {
			continue
		}
		if !p.Has(section) {
			return s, false, bad(section, p.Key, "esta función no tiene ese valor")
		}
		given = true
	}
	if !given {
		return s, false, nil
	}
	v.who(&s)
	v.capable(&s)
	s.Fallback = v.oneOf("fallback", model.Reader, model.Writer, Backup)
	s.Timeout, s.FirstByte, s.Stall = v.time("timeout", time.Minute), v.time("first_byte", 30*time.Second), v.time("stall", 20*time.Second)
	s.Attempts = v.count("attempts")
	s.RPM, s.TPM, s.DayTokens = v.count("rpm"), v.count("tpm"), v.count("day_tokens")
	s.Price = model.Price{In: v.amount("price_in"), Out: v.amount("price_out"), Calls: v.amount("price_calls")}
	s.Dims, s.Batch = v.count("dims"), v.count("batch")
	s.SendDims, _ = v.yes("send_dims")
	s.QueryPrefix, s.PassagePrefix = get("query_prefix"), get("passage_prefix")
	if s.SendDims && s.Dims == 0 {
		v.fail("send_dims", "falta «dims»")
	}
	if s.Fallback == section {
		v.fail("fallback", "una sección no puede acudir a sí misma")
	}
	return s, v.err == nil, v.err
}

// who reads provider, address, model and key.
func (v *values) who(s *Section) {
	id := v.text("provider")
	if id == "" {
		id = "compatible"
	}
	p, ok := ProviderOf(id)
	if !ok {
		v.fail("provider", "no hay ningún proveedor «%s»; los que hay: %s", id, providerNames())
		return
	}
	if !p.Serves(v.section) {
		v.fail("provider", "%s no sirve esta función", p.Title)
	}
	s.Provider, s.URL, s.Name = p, v.text("url"), v.text("name")
	if s.URL == "" {
		s.URL = p.Base
		if v.section == model.Ranking {
			s.URL = p.Rerank
		}
	}
	if s.URL == "" {
		v.fail("url", "falta la dirección del servidor")
	}
	if s.Name == "" && (v.section != model.Ranking || p.Key) {
		v.fail("name", "falta el nombre del modelo")
	}
	s.Key, s.KeyFile = v.text("key"), v.text("key_file")
	if s.Key != "" && s.KeyFile != "" {
		v.fail("key_file", "dé la clave o el fichero, no ambos")
	}
	if p.Key && s.Key == "" && s.KeyFile == "" {
		v.fail("key", "%s pide una clave: désela en el entorno (%s) o en un fichero («key_file»)", p.Title, EnvOf(v.section, "key"))
	}
	s.Entra = v.oneOf("auth", "key", "entra") == "entra"
	s.APIVersion, s.CA = v.text("api_version"), v.text("ca")
	if p.Form == FormAzure && s.APIVersion == "" {
		s.APIVersion = "2024-10-21"
	}
	if p.Form != FormAzure && (s.Entra || s.APIVersion != "") {
		v.fail("provider", "«auth» y «api_version» son de azure")
	}
}

// capable reads what the model takes; what is not said follows from its name.
func (v *values) capable(s *Section) {
	s.Caps = openai.CapsOf(s.Name)
	if s.Provider.Structured != "" {
		s.Caps.Structured = s.Provider.Structured
	}
	s.Caps.Likely = s.Caps.Likely && s.Provider.Likely
	if on, set := v.yes("logprobs"); set {
		s.Caps.Likely = on
	}
	if v.text("temperature") != "" {
		t := v.amount("temperature")
		if t > 2 {
			v.fail("temperature", "va de 0 a 2")
		}
		s.Temperature = &t
	}
	s.MaxTokens = v.count("max_tokens")
	if on, set := v.yes("takes_temperature"); set {
		s.Caps.Temperature = on
	}
	switch f := v.oneOf("token_field", "max_tokens", "max_completion_tokens", "none"); f {
	case "":
	case "none":
		s.Caps.TokenField = ""
	default:
		s.Caps.TokenField = f
	}
	if how := v.oneOf("structured", string(openai.StructuredSchema), string(openai.StructuredObject), string(openai.StructuredPrompt)); how != "" {
		s.Caps.Structured = openai.Structured(how)
	}
}

// EnvOf is the variable of the environment that holds a value.
func EnvOf(section, key string) string {
	return "DIGESTO_MODEL_" + strings.ToUpper(section) + "_" + strings.ToUpper(key)
}

// keyReader gives the key of a section anew whenever its file changed, so that
// a token that is renewed by others (Microsoft Entra) needs no restart.
func keyReader(path string) func() (string, error) {
	f := &keyFile{path: path}
	return f.read
}

// roots reads the certificates of a file.
func roots(section, path string) (*x509.CertPool, error) {
	if path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, bad(section, "ca", "no se puede leer el fichero")
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		return nil, bad(section, "ca", "el fichero no tiene ningún certificado PEM")
	}
	return pool, nil
}
