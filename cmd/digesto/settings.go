package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"digesto"

	"github.com/knadh/koanf/v2"
	"go.yaml.in/yaml/v3"
)

// setting is one configurable value: its key in the file, its variable in the
// environment and what holds when nobody says anything.
type setting struct {
	key, env, fallback, help string
	secret                   bool
	quiet                    bool // shown only when set, or when all are asked for
}

// knownSettings are all the settings there are.
func knownSettings() []setting {
	return append(append([]setting{
		{key: "data", env: "DIGESTO_DATA", help: "carpeta de datos"},
		{key: "store", env: "DIGESTO_STORE", secret: true, help: "dirección de las conversaciones: postgres://… (vacío: un fichero en la carpeta de datos)"},
		{key: "index", env: "DIGESTO_INDEX", secret: true, help: "dirección de los índices: postgres://… o https://… de Qdrant (vacío: ficheros en la carpeta de datos)"},
		{key: "addr", env: "DIGESTO_ADDR", fallback: "127.0.0.1:8080", help: "dirección del servidor"},
		{key: "plan", env: "DIGESTO_PLAN", help: "plan de quien pregunta al servidor sin clave (vacío: sin límite)"},
		{key: "plans", env: "DIGESTO_PLANS", fallback: "libre=20/200/1000,profesional=60/1000/10000", help: "planes: NOMBRE=MINUTO/HORA/DÍA preguntas, separados por comas; 0 es sin límite"},
		{key: "proxies", env: "DIGESTO_PROXIES", quiet: true, help: "direcciones o redes de los proxies de delante, separadas por comas: de ellas se cree X-Forwarded-For al limitar por dirección a quien pregunta sin clave (las de esta máquina, siempre)"},
		{key: "pack", env: "DIGESTO_PACK", help: "paquete con el que se pregunta si no se dice otro"},
		{key: "log", env: "DIGESTO_LOG", fallback: "text", help: "forma de los registros del servidor: text o json"},
		{key: "local_only", env: "DIGESTO_LOCAL_ONLY", help: "yes: nada sale de esta máquina, ni preguntas ni descargas"},
		{key: "no_log", env: "DIGESTO_NO_LOG", help: "yes: no se guarda nada de lo que se pregunta (conversaciones, trazas, registro de auditoría)"},
		{key: "retention", env: "DIGESTO_RETENTION", help: "días que se guardan las conversaciones desde su último mensaje: DÍAS, o PLAN=DÍAS separados por comas (vacío: hasta que se borren)"},
		{key: "trials", env: "DIGESTO_TRIALS", quiet: true, help: "ensayos de versiones de un prompt: PAQUETE/PROMPT=VERSIÓN:PARTE/VERSIÓN:PARTE, separados por comas; las partes suman 100"},
		{key: "fetch.allow", env: "DIGESTO_FETCH_ALLOW", quiet: true, help: "servidores, además de los de los paquetes, de los que se puede descargar; separados por comas"},
		{key: "fetch.boe", env: "DIGESTO_FETCH_BOE", quiet: true, help: "dirección del servicio de datos abiertos del BOE o de una copia"},
		{key: "traces_days", env: "DIGESTO_TRACES_DAYS", fallback: "90", help: "días que se guarda la traza de cada respuesta; 0: no se guarda ninguna"},
	}, append(append(flagSettings(), loginSettings()...), otelSettings()...)...), roleSettings()...)
}

// settings are the values in force and where each came from.
type settings struct {
	k       *koanf.Koanf
	origins map[string]string
	file    string // configuration file read; "" = none
	data    string // data folder; "" = there is none to use
	dataWhy string // why there is none, in Spanish
}

// get gives a value in force; "" where nothing was loaded.
func (s settings) get(key string) string {
	if s.k == nil {
		return ""
	}
	return s.k.String(key)
}

// layer is a koanf provider over values already at hand.
type layer map[string]any

func (l layer) Read() (map[string]any, error) { return l, nil }
func (l layer) ReadBytes() ([]byte, error)    { return nil, errors.New("layer has no bytes") }

// loadSettings joins defaults, file, environment and flags, later ones winning.
// more are further flags: key and value.
func (a *app) loadSettings(dataFlag, configFlag string, more ...[2]string) (settings, error) {
	s := settings{k: koanf.New("."), origins: map[string]string{}}
	base, env, flags := layer{}, layer{}, layer{}
	for _, v := range knownSettings() {
		if v.fallback != "" {
			base[v.key] = v.fallback
		}
		if val, ok := a.lookup(v.env); ok && val != "" {
			env[v.key] = val
		}
	}
	for _, f := range append(more, [2]string{"data", dataFlag}) {
		if f[1] != "" {
			flags[f[0]] = f[1]
		}
	}
	file, values, err := a.readConfig(configFlag)
	if err != nil {
		return s, err
	}
	s.file = file
	for _, l := range []struct {
		origin string
		values layer
	}{{"por defecto", base}, {"fichero " + file, values}, {"entorno", env}, {"opción", flags}} {
		if err := s.load(l.origin, l.values); err != nil {
			return s, err
		}
	}
	s.data, s.dataWhy = a.dataFolder(s.get("data"))
	return s, nil
}

func (s settings) load(origin string, values layer) error {
	nested := koanf.New(".")
	for k, v := range values {
		if err := nested.Set(k, v); err != nil {
			return err
		}
		s.origins[k] = origin
	}
	return s.k.Merge(nested)
}

// readConfig reads the file named by flag or environment, or the user's own if it is there.
func (a *app) readConfig(flag string) (string, layer, error) {
	path, named := flag, flag != ""
	if !named {
		path, named = a.lookup("DIGESTO_CONFIG")
		named = named && path != ""
	}
	if !named {
		dir := a.userDir("XDG_CONFIG_HOME", ".config", "APPDATA")
		if dir == "" {
			return "", nil, nil
		}
		path = filepath.Join(dir, "digesto", "config.yaml")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		if !named && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOTDIR)) {
			return "", nil, nil
		}
		return "", nil, fileError(err, path, "revise --config o DIGESTO_CONFIG")
	}
	values, err := parseConfig(data)
	if err != nil {
		return "", nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "la configuración " + path + " no es válida", Err: err,
			Hint: "las claves que hay las lista «digesto config»"}
	}
	return path, values, nil
}

// parseConfig reads YAML into flat keys and refuses those nobody knows.
func parseConfig(data []byte) (layer, error) {
	var tree map[string]any
	if err := yaml.Unmarshal(data, &tree); err != nil {
		line := ""
		if m := regexp.MustCompile(`line (\d+)`).FindStringSubmatch(err.Error()); m != nil {
			line = " (línea " + m[1] + ")"
		}
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "no es una lista de CLAVE: VALOR en YAML, o repite una clave" + line}
	}
	k := koanf.New(".")
	if err := k.Load(layer(tree), nil); err != nil {
		return nil, err
	}
	out := layer{}
	for key, v := range k.All() {
		if !slices.ContainsFunc(knownSettings(), func(s setting) bool { return s.key == key }) {
			return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "la clave «" + clean(key) + "» no existe"}
		}
		switch v.(type) {
		case []any, map[string]any:
			return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "la clave «" + key + "» lleva un solo valor, no una lista"}
		}
		out[key] = fmt.Sprint(v)
	}
	return out, nil
}

// dataFolder gives the folder for data, or "" and the reason why there is none.
func (a *app) dataFolder(set string) (dir, why string) {
	if set != "" {
		return filepath.Clean(set), ""
	}
	base := a.userDir("XDG_DATA_HOME", filepath.Join(".local", "share"), "LOCALAPPDATA")
	if base == "" {
		return "", "no hay carpeta de usuario (HOME)"
	}
	return filepath.Join(base, "digesto"), ""
}

// userDir is the user's folder for one kind of file by the custom of the
// system (XDG base directories); "" when the environment names none.
func (a *app) userDir(xdg, underHome, windows string) string {
	if dir, ok := a.lookup(xdg); ok && filepath.IsAbs(dir) {
		return dir
	}
	if runtime.GOOS == "windows" {
		dir, _ := a.lookup(windows)
		return dir
	}
	home, ok := a.lookup("HOME")
	if !ok || !filepath.IsAbs(home) {
		return ""
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support")
	}
	return filepath.Join(home, underHome)
}

// needData gives the data folder to write in, or says how to name one.
func (a *app) needData() (string, error) {
	if a.conf.data == "" {
		return "", &digesto.Error{Code: digesto.CodeUsage, Message: "no hay dónde guardar: " + a.conf.dataWhy,
			Hint: "nombre una carpeta con --data CARPETA o DIGESTO_DATA"}
	}
	return a.conf.data, nil
}

// unwritable says why a new file cannot be made.
func unwritable(path string, err error) error {
	e := &digesto.Error{Code: digesto.CodeInvalid, Message: "no se puede escribir «" + path + "»", Err: err, Hint: "elija un fichero que no exista, en una carpeta en la que pueda escribir"}
	switch {
	case errors.Is(err, fs.ErrExist):
		e.Message, e.Err, e.Hint = "«"+path+"» ya existe", nil, "elija otro nombre, o quite antes ese fichero"
	case errors.Is(err, fs.ErrNotExist):
		e.Code, e.Message, e.Err, e.Hint = digesto.CodeNotFound, "no existe la carpeta de «"+path+"»", nil, "créela antes o elija otra"
	case errors.Is(err, fs.ErrPermission):
		e.Code, e.Message, e.Err = digesto.CodeForbidden, "no hay permiso para escribir «"+path+"»", nil
	}
	return e
}

// fileError says in Spanish what happened with a file.
func fileError(err error, path, hint string) error {
	var own *digesto.Error
	if errors.As(err, &own) {
		return err
	}
	e := &digesto.Error{Code: digesto.CodeInvalid, Hint: hint}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Code, e.Message = digesto.CodeNotFound, "no existe «"+path+"»"
	case errors.Is(err, fs.ErrPermission):
		e.Code, e.Message = digesto.CodeForbidden, "no hay permiso para leer «"+path+"»"
	default:
		e.Message, e.Err = "no se puede leer «"+path+"»", err
	}
	if strings.TrimSpace(hint) == "" {
		e.Hint = "revise el nombre y los permisos"
	}
	return e
}
