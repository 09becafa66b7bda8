package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"syscall"

	"digesto"
	"digesto/disk"
	"digesto/text"

	"github.com/knadh/koanf/v2"
	"go.yaml.in/yaml/v3"
)

// Setting is one configurable value: its key in the file, its variable in the
// environment and what holds when nobody says anything.
type Setting struct {
	Key, Env, Fallback, Help string
	Secret                   bool
	Quiet                    bool // shown only when set, or when all are asked for
}

// KnownSettings are all the settings there are.
func KnownSettings() []Setting {
	return append(append([]Setting{
		{Key: "data", Env: "DIGESTO_DATA", Help: "carpeta de datos"},
		{Key: "store", Env: "DIGESTO_STORE", Secret: true, Help: "dirección de las conversaciones: postgres://… (vacío: un fichero en la carpeta de datos)"},
		{Key: "index", Env: "DIGESTO_INDEX", Secret: true, Help: "dirección de los índices: postgres://… o https://… de Qdrant (vacío: ficheros en la carpeta de datos)"},
		{Key: "packs", Env: "DIGESTO_PACKS", Quiet: true, Help: "carpeta de paquetes propios, una carpeta cada uno, junto a los del programa"},
		{Key: "addr", Env: "DIGESTO_ADDR", Fallback: "127.0.0.1:8080", Help: "dirección del servidor"},
		{Key: "plan", Env: "DIGESTO_PLAN", Help: "plan de quien pregunta al servidor sin clave (vacío: sin límite)"},
		{Key: "plans", Env: "DIGESTO_PLANS", Fallback: "libre=20/200/1000,profesional=60/1000/10000", Help: "planes: NOMBRE=MINUTO/HORA/DÍA preguntas, separados por comas; 0 es sin límite"},
		{Key: "proxies", Env: "DIGESTO_PROXIES", Quiet: true, Help: "direcciones o redes de los proxies de delante, separadas por comas: de ellas se cree X-Forwarded-For al limitar por dirección a quien pregunta sin clave (las de esta máquina, siempre)"},
		{Key: "follow", Env: "DIGESTO_FOLLOW", Secret: true, Quiet: true, Help: "de dónde toma la ley un nodo (serve --follow)"},
		{Key: "follow_key", Env: "DIGESTO_FOLLOW_KEY", Quiet: true, Help: "clave pública de quien la publica, en hexadecimal"},
		{Key: "pack", Env: "DIGESTO_PACK", Help: "paquete con el que se pregunta si no se dice otro"},
		{Key: "log", Env: "DIGESTO_LOG", Fallback: "text", Help: "forma de los registros del servidor: text o json"},
		{Key: "local_only", Env: "DIGESTO_LOCAL_ONLY", Help: "yes: nada sale de esta máquina, ni preguntas ni descargas"},
		{Key: "no_log", Env: "DIGESTO_NO_LOG", Help: "yes: no se guarda nada de lo que se pregunta (conversaciones, trazas, registro de auditoría)"},
		{Key: "retention", Env: "DIGESTO_RETENTION", Help: "días que se guardan las conversaciones desde su último mensaje: DÍAS, o PLAN=DÍAS separados por comas (vacío: hasta que se borren)"},
		{Key: "trials", Env: "DIGESTO_TRIALS", Quiet: true, Help: "ensayos de versiones de un prompt: PAQUETE/PROMPT=VERSIÓN:PARTE/VERSIÓN:PARTE, separados por comas; las partes suman 100"},
		{Key: "fetch.allow", Env: "DIGESTO_FETCH_ALLOW", Quiet: true, Help: "servidores, además de los de los paquetes, de los que se puede descargar; separados por comas"},
		{Key: "fetch.boe", Env: "DIGESTO_FETCH_BOE", Quiet: true, Help: "dirección del servicio de datos abiertos del BOE o de una copia"},
		{Key: "traces_days", Env: "DIGESTO_TRACES_DAYS", Fallback: "90", Help: "días que se guarda la traza de cada respuesta; 0: no se guarda ninguna"},
	}, append(append(flagSettings(), loginSettings()...), otelSettings()...)...), RoleSettings()...)
}

// Settings are the values in force and where each came from.
type Settings struct {
	k       *koanf.Koanf
	Origins map[string]string
	File    string // configuration file read; "" = none
	Data    string // data folder; "" = there is none to use
	DataWhy string // why there is none, in Spanish
}

// Get gives a value in force; "" where nothing was loaded.
func (s Settings) Get(key string) string {
	if s.k == nil {
		return ""
	}
	return s.k.String(key)
}

// Layer is a koanf provider over values already at hand.
type Layer map[string]any

func (l Layer) Read() (map[string]any, error) { return l, nil }

func (l Layer) ReadBytes() ([]byte, error) { return nil, errors.New("layer has no bytes") }

// LoadSettings joins defaults, file, environment and flags, later ones winning.
// more are further flags: key and value.
func (a *App) LoadSettings(dataFlag, configFlag string, more ...[2]string) (Settings, error) {
	s := Settings{k: koanf.New("."), Origins: map[string]string{}}
	base, env, flags := Layer{}, Layer{}, Layer{}
	for _, v := range KnownSettings() {
		if v.Fallback != "" {
			base[v.Key] = v.Fallback
		}
		if val, ok := a.Environ(v.Env); ok && val != "" {
			env[v.Key] = val
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
	s.File = file
	for _, l := range []struct {
		origin string
		values Layer
	}{{"por defecto", base}, {"fichero " + file, values}, {"entorno", env}, {"opción", flags}} {
		if err := s.Load(l.origin, l.values); err != nil {
			return s, err
		}
	}
	s.Data, s.DataWhy = a.dataFolder(s.Get("data"))
	return s, nil
}

// Load puts more values over those in force; origin says where they are from.
func (s Settings) Load(origin string, values Layer) error {
	nested := koanf.New(".")
	for k, v := range values {
		if err := nested.Set(k, v); err != nil {
			return err
		}
		s.Origins[k] = origin
	}
	return s.k.Merge(nested)
}

// readConfig reads the file named by flag or environment, or the user's own if it is there.
func (a *App) readConfig(flag string) (string, Layer, error) {
	path, named := flag, flag != ""
	if !named {
		path, named = a.Environ("DIGESTO_CONFIG")
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
		return "", nil, disk.Error(err, path, "revise --config o DIGESTO_CONFIG")
	}
	values, err := ParseConfig(data)
	if err != nil {
		return "", nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "la configuración " + path + " no es válida", Err: err,
			Hint: "las claves que hay las lista «digesto config»"}
	}
	return path, values, nil
}

// ParseConfig reads YAML into flat keys and refuses those nobody knows.
func ParseConfig(data []byte) (Layer, error) {
	var tree map[string]any
	if err := yaml.Unmarshal(data, &tree); err != nil {
		line := ""
		if m := regexp.MustCompile(`line (\d+)`).FindStringSubmatch(err.Error()); m != nil {
			line = " (línea " + m[1] + ")"
		}
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "no es una lista de CLAVE: VALOR en YAML, o repite una clave" + line}
	}
	k := koanf.New(".")
	if err := k.Load(Layer(tree), nil); err != nil {
		return nil, err
	}
	out := Layer{}
	for key, v := range k.All() {
		if !slices.ContainsFunc(KnownSettings(), func(s Setting) bool { return s.Key == key }) {
			return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "la clave «" + text.Clean(key) + "» no existe"}
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
func (a *App) dataFolder(set string) (dir, why string) {
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
func (a *App) userDir(xdg, underHome, windows string) string {
	if dir, ok := a.Environ(xdg); ok && filepath.IsAbs(dir) {
		return dir
	}
	if runtime.GOOS == "windows" {
		dir, _ := a.Environ(windows)
		return dir
	}
	home, ok := a.Environ("HOME")
	if !ok || !filepath.IsAbs(home) {
		return ""
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support")
	}
	return filepath.Join(home, underHome)
}

// NeedData gives the data folder to write in, or says how to name one.
func (a *App) NeedData() (string, error) {
	if a.Settings.Data == "" {
		return "", &digesto.Error{Code: digesto.CodeUsage, Message: "no hay dónde guardar: " + a.Settings.DataWhy,
			Hint: "nombre una carpeta con --data CARPETA o DIGESTO_DATA"}
	}
	return a.Settings.Data, nil
}
