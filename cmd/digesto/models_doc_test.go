package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"digesto/app"
	"digesto/model"
	"digesto/model/modeltest"
	"digesto/model/roles"
)

var updateDocs = flag.Bool("update-docs", false, "write docs/models.md anew")

const modelsDoc = "../../docs/models.md"

// TestModelsDoc keeps docs/models.md what the code says: the table of
// providers, the values of a section and the settings of all of them.
func TestModelsDoc(t *testing.T) {
	want := modelsDocText()
	raw, err := os.ReadFile(modelsDoc)
	if err != nil {
		t.Fatal(err)
	}
	got, measured, _ := strings.Cut(string(raw), docMeasured) // what was measured is written by hand
	if *updateDocs {
		if got = want; os.WriteFile(modelsDoc, []byte(want+docMeasured+measured), 0o644) != nil {
			t.Fatal(err)
		}
	}
	if got != want {
		t.Error("docs/models.md is not what the code says: go test ./cmd/digesto -run TestModelsDoc -update-docs")
	}
}

func modelsDocText() string {
	var b strings.Builder
	b.WriteString(docHead)
	b.WriteString("| `provider` | servicio | dirección si no se da otra | funciones | clave |\n|---|---|---|---|---|\n")
	for _, p := range roles.Providers() {
		address := p.Base
		if address == "" {
			address = p.Rerank
		}
		key := "no"
		if p.Key {
			key = "sí"
		}
		if address == "" {
			address, key = "(obligatoria)", "según el servidor"
			if p.Form == roles.FormAzure {
				key = "sí"
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", p.ID, p.Title, address, strings.Join(servedBy(p), ", "), key)
	}
	b.WriteString("\n## Configuración exacta de cada proveedor\n")
	for _, p := range roles.Providers() {
		fmt.Fprintf(&b, "\n### %s\n\n", p.ID)
		if p.Note != "" {
			b.WriteString(p.Note + "\n\n")
		}
		b.WriteString("```yaml\n" + exampleOf(p) + "```\n")
	}
	b.WriteString(docAzure)
	b.WriteString("\n## Valores de cada sección\n\nSe escriben como `model.SECCIÓN.VALOR` en el fichero, o como `DIGESTO_MODEL_SECCIÓN_VALOR` en el entorno.\n\n| valor | qué es | secciones |\n|---|---|---|\n")
	for _, p := range roles.Params() {
		in := "todas"
		if p.Only != nil {
			in = strings.Join(p.Only, ", ")
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p.Key, p.Help, in)
	}
	b.WriteString("\n## Valores de todos los modelos\n\n| clave | entorno | si no se dice | qué es |\n|---|---|---|---|\n")
	for _, s := range app.RoleSettings() {
		if strings.Count(s.Key, ".") == 1 {
			fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", s.Key, s.Env, s.Fallback, s.Help)
		}
	}
	b.WriteString(docFaults)
	return b.String()
}

func servedBy(p roles.Provider) []string {
	var out []string
	for _, r := range roles.Sections() {
		if p.Serves(r) && r != roles.Backup {
			out = append(out, r)
		}
	}
	return out
}

// exampleOf is a whole configuration of a provider: every role that it serves.
func exampleOf(p roles.Provider) string {
	var b strings.Builder
	b.WriteString("model:\n")
	for _, role := range servedBy(p) {
		fmt.Fprintf(&b, "  %s:\n    provider: %s\n", role, p.ID)
		switch {
		case p.Form == roles.FormAzure:
			b.WriteString("    url: https://mi-recurso.openai.azure.com\n    api_version: \"2024-10-21\"\n")
		case p.ID == "compatible" && role == model.Ranking:
			b.WriteString("    url: http://127.0.0.1:9000/v1/rerank\n")
		case p.ID == "compatible":
			b.WriteString("    url: http://127.0.0.1:9000/v1\n")
		}
		fmt.Fprintf(&b, "    name: %s\n", p.Examples[role])
		if p.Key {
			b.WriteString("    key_file: /ruta/de/la/clave\n")
		}
	}
	return b.String()
}

var docBlock = regexp.MustCompile("(?s)\n### ([a-z0-9-]+)\n.*?```yaml\n(.*?)```")

// docServer plays every documented form on loopback and keeps what was asked.
type docServer struct {
	text, vectors *modeltest.Server
	gemini        *modeltest.Gemini
	calls         []string // method, path, query and where the key was
}

func (d *docServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	keys := ""
	for _, h := range []string{"Authorization", "api-key", "x-goog-api-key"} {
		if r.Header.Get(h) != "" {
			keys += " " + h
		}
	}
	d.calls = append(d.calls, r.URL.Path+"?"+r.URL.RawQuery+keys)
	switch p := r.URL.Path; {
	case strings.HasSuffix(p, "/rerank"):
		_, _ = w.Write([]byte(`{"results":[{"index":1,"relevance_score":0.9},{"index":0,"relevance_score":0.1}]}`))
	case strings.Contains(p, ":generateContent"), strings.Contains(p, ":batchEmbedContents"):
		d.gemini.ServeHTTP(w, r)
	case strings.HasSuffix(p, "/embeddings"):
		d.vectors.ServeHTTP(w, r)
	default:
		d.text.ServeHTTP(w, r)
	}
}

// wantCalls are the addresses and the header of the key that each provider's
// documentation gives, in the order of the sections.
var wantCalls = map[string][]string{
	"openai":     {"/v1/chat/completions? Authorization", "/v1/chat/completions? Authorization", "/v1/embeddings? Authorization"},
	"azure":      {"/openai/deployments/mi-despliegue/chat/completions?api-version=2024-10-21 api-key", "/openai/deployments/mi-despliegue/chat/completions?api-version=2024-10-21 api-key", "/openai/deployments/mis-vectores/embeddings?api-version=2024-10-21 api-key"},
	"gemini":     {"/v1beta/models/gemini-2.5-flash:generateContent? x-goog-api-key", "/v1beta/models/gemini-2.5-flash:generateContent? x-goog-api-key", "/v1beta/models/gemini-embedding-001:batchEmbedContents? x-goog-api-key"},
	"mistral":    {"/v1/chat/completions? Authorization", "/v1/chat/completions? Authorization", "/v1/embeddings? Authorization"},
	"groq":       {"/openai/v1/chat/completions? Authorization", "/openai/v1/chat/completions? Authorization"},
	"openrouter": {"/api/v1/chat/completions? Authorization", "/api/v1/chat/completions? Authorization"},
	"ollama":     {"/v1/chat/completions?", "/v1/chat/completions?", "/v1/embeddings?"},
	"llamacpp":   {"/v1/chat/completions?", "/v1/chat/completions?", "/v1/embeddings?", "/v1/rerank?"},
	"vllm":       {"/v1/chat/completions?", "/v1/chat/completions?", "/v1/embeddings?", "/v1/rerank?"},
	"lmstudio":   {"/v1/chat/completions?", "/v1/chat/completions?", "/v1/embeddings?"},
	"tei":        {"/v1/embeddings?", "/rerank?"},
	"jina":       {"/v1/embeddings? Authorization", "/v1/rerank? Authorization"},
	"cohere":     {"/v2/rerank? Authorization"},
	"compatible": {"/v1/chat/completions?", "/v1/chat/completions?", "/v1/embeddings?", "/v1/rerank?"},
	"dos-despliegues": {"/openai/deployments/principal/chat/completions?api-version=2024-10-21 api-key", "/openai/deployments/lector/chat/completions?api-version=2024-10-21 Authorization",
		"/openai/deployments/vectores/embeddings?api-version=2024-10-21 api-key"},
}

// TestModelsDocLinesWork loads every configuration that docs/models.md shows and
// calls every role of it, on a server of this test that plays the provider's
// documented form: only the host of the addresses is another.
func TestModelsDocLinesWork(t *testing.T) {
	doc, err := os.ReadFile(modelsDoc)
	if err != nil {
		t.Fatal(err)
	}
	blocks := docBlock.FindAllStringSubmatch(string(doc), -1)
	if len(blocks) != len(wantCalls) || len(blocks) < len(roles.Providers()) {
		t.Fatalf("%d configurations in the document, %d known", len(blocks), len(wantCalls))
	}
	key := filepath.Join(t.TempDir(), "clave")
	if err := os.WriteFile(key, []byte(modeltest.Key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, block := range blocks {
		t.Run(block[1], func(t *testing.T) {
			d := &docServer{text: modeltest.NewServer(t, modeltest.Script{Pieces: []string{"listo"}}), vectors: modeltest.NewServer(t, modeltest.Script{})}
			d.gemini = modeltest.NewGemini(t, modeltest.Script{Pieces: []string{"listo"}})
			if block[1] == "gemini" { // its first two calls write, the third embeds
				d.gemini = modeltest.NewGemini(t, modeltest.Script{Pieces: []string{"listo"}}, modeltest.Script{Pieces: []string{"listo"}}, modeltest.Script{})
			}
			h := httptest.NewServer(d)
			defer h.Close()
			set := bindDoc(t, strings.ReplaceAll(block[2], "/ruta/de/la/clave", key), h.URL)
			defer set.Close()
			for _, tried := range set.Try(t.Context()) {
				if !tried.OK {
					t.Errorf("%s: %s. %s", tried.Section, tried.Detail, tried.Hint)
				}
			}
			if !slices.Equal(d.calls, wantCalls[block[1]]) {
				t.Errorf("calls %q\nwant %q", d.calls, wantCalls[block[1]])
			}
		})
	}
}

// bindDoc binds a configuration as a user's file would, but for the host.
func bindDoc(t *testing.T, yaml, host string) *roles.Set {
	t.Helper()
	file := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(file, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	e, _, _ := testEnv(nil)
	a := newApp(context.Background(), e)
	var err error
	if a.Settings, err = a.LoadSettings("", file); err != nil {
		t.Fatal(err)
	}
	c, err := a.ModelConfig()
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range c.Sections {
		u, err := url.Parse(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		s.URL = host + u.Path
		c.Sections[name] = s
	}
	set, err := roles.Bind(c)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// docMeasured begins the part of docs/models.md that no code knows.
const docMeasured = "\n## Qué modelo para qué máquina\n"

const docHead = `# Modelos: cada función, cada proveedor, o ninguno

<!-- Generado: go test ./cmd/digesto -run TestModelsDoc -update-docs -->

Digesto responde sin ningún modelo. Un modelo mejora la respuesta donde está configurado, y lo que escribe se comprueba palabra por palabra como
cualquier borrador: si falla, tarda o inventa, se responde por extracción y la respuesta lo dice (` + "`meta.degraded`, `meta.models`" + `).

Hay cuatro funciones, y cada una puede faltar:

| función | qué hace | sin modelo |
|---|---|---|
| ` + "`writer`" + ` | redacta la respuesta con citas | extracción literal |
| ` + "`reader`" + ` | dice con qué palabras trata la ley lo que se pregunta, cuando la pregunta no es llana | reglas y léxico |
| ` + "`embedder`" + ` | compara por significado | palabras, o el modelo que trae el programa |
| ` + "`reranker`" + ` | ordena los artículos encontrados, cuando la ventaja del primero es pequeña | rasgos de cada artículo |

Además, el lector (si falta, el redactor; si faltan ambos, el reordenador) es el **juez de candidatos**: de los diez lugares más probables dice cuál responde, o que
ninguno. Su voto no decide solo: pesa lo que acertó en una prueba, ` + "`digesto doctor --judge`" + `, que le hace 40 preguntas del digesto, compara, y guarda en la carpeta de
datos qué puede decidir: nada (no se le pregunta más), los casos en que el programa duda, o todo. Sin probar, no decide nada. La prueba elige también las instrucciones:
cortas para modelos pequeños o lentos, largas para los demás. Al cambiar de modelo hay que probarlo otra vez.

La sección ` + "`backup`" + ` es un modelo de reserva para ` + "`writer` y `reader`" + ` (` + "`fallback: backup`" + `). Lo más corto es un redactor por el entorno:
` + "`DIGESTO_MODEL_URL`, `DIGESTO_MODEL_NAME`, `DIGESTO_MODEL_KEY`" + `. ` + "`digesto doctor`" + ` prueba todo lo configurado y dice qué falla y qué hacer;
` + "`digesto config --all`" + ` enseña cada valor y de dónde sale. Las claves van mejor en el entorno o en un fichero (` + "`key_file`" + `, que se vuelve a leer cuando cambia) que
en la configuración; nunca aparecen en errores ni en registros.

Cada configuración de abajo la carga y la llama una prueba (` + "`go test ./cmd/digesto -run TestModelsDocLinesWork`" + `) contra un servidor local que habla la forma documentada
del proveedor; ningún servicio real está detrás de esas pruebas. Los nombres de modelos son ejemplos: sirve cualquiera del proveedor.

## Proveedores

`

const docAzure = `
### dos-despliegues

Dos despliegues a la vez, cada uno con sus límites: el lector con un token de Entra, el redactor y los vectores con clave. Los límites son del despliegue: las funciones
que usan el mismo los comparten, y esperan su turno en orden. Con ` + "`--store postgres://…`" + ` los comparten también todos los nodos, y el gasto del día (` + "`day_cost`" + `).

` + "```yaml" + `
model:
  writer:
    provider: azure
    url: https://mi-recurso.openai.azure.com
    name: principal
    key_file: /ruta/de/la/clave
    tpm: 50000
    rpm: 300
    fallback: reader
  reader:
    provider: azure
    url: https://mi-recurso.openai.azure.com
    name: lector
    auth: entra
    key_file: /ruta/de/la/clave
    tpm: 100000
  embedder:
    provider: azure
    url: https://mi-recurso.openai.azure.com
    name: vectores
    key_file: /ruta/de/la/clave
    tpm: 150000
  day_cost: 5
  question_calls: 10
` + "```" + `
`

const docFaults = `
## Qué pasa cuando un modelo falla

La pregunta se responde siempre. Lo que muestra esta tabla lo prueba ` + "`go test ./model/roles -run TestEveryFailure`" + ` por todo lo que rodea a un modelo.

| qué ocurre | qué se hace | clase (` + "`meta.models.*.fault`" + `) |
|---|---|---|
| 400, 422 | no se repite; si el servidor nombra un parámetro que no admite, se repite sin él | bad_request |
| 401, 403 | no se repite | key |
| 404, redirección | no se repite; la clave no va a otra dirección | not_found |
| 408, 504, primer dato tarde, silencio en medio | se repite; lo ya mostrado de una respuesta no se empieza de nuevo | timeout |
| 429 | se espera lo que pide Retry-After, hasta 20 s; si pide más, no se repite | limited |
| 500, 502, 503 | se repite con espera creciente; tras 5 fallos seguidos no se llama en 30 s | server |
| conexión cortada, JSON cortado | se repite | cut, garbled |
| sin opciones, sin texto | se repite | empty |
| filtro del proveedor | no se repite | (respuesta con ` + "`content_filter`" + `) |
| no cabe en el modelo | no se repite | too_long |
| UTF-8 no válido | se repara y se comprueba como todo | |
| vectores de otra longitud | error claro con lo que hay que hacer | bad_request |
| límite del despliegue | se espera el turno, hasta 30 s | limited |
| límite por pregunta o por día, modo local | no se llama | forbidden |
| salida que no es el JSON pedido | se devuelve una vez para que la corrija; después, extracción | (` + "`writer_parse_error`" + `) |
`
