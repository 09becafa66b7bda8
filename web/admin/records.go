package admin

import (
	"fmt"
	"html/template"
	"net/http"
	"path/filepath"
	"strings"

	"digesto/app"
	"digesto/ask"
	"digesto/disk"
	"digesto/server"
	"digesto/server/openapi"
)

// records is what whoever runs the server must be able to say of what it does with
// what people ask (Regulation (EU) 2016/679, art. 30; 2024/1689, art. 50).
type records struct {
	Purpose   string        `json:"purpose"`
	Notice    string        `json:"ai_notice"`
	NoLog     bool          `json:"no_log"`
	LocalOnly bool          `json:"local_only"`
	Redaction bool          `json:"redaction"` // personal data is taken out of what models get
	Kept      []recordKept  `json:"kept"`
	Models    []recordModel `json:"models"` // who gets questions
	Users     int           `json:"users"`
	Keys      int           `json:"keys"`
}

// recordKept is one thing that is kept.
type recordKept struct {
	What  string `json:"what"`
	Where string `json:"where"`
	Days  string `json:"for"`
	There bool   `json:"there"`
}

// recordModel is a service that questions go to.
type recordModel struct {
	Role string `json:"role"`
	Host string `json:"host"`
	Name string `json:"model"`
}

// RecordRoutes are the records, for who runs the server.
func RecordRoutes(a *app.App, w *app.Workspace) []server.Route {
	return []server.Route{
		{Pattern: "GET /v1/records", Admin: true, Doc: &openapi.Doc{Summary: "Qué hace este servidor con lo que se le pregunta: qué guarda, dónde, cuánto, y a quién lo manda; para quien lo lleva", Reply: records{}},
			Handle: func(r *http.Request) (any, error) { return recordsOf(a, r, w) }},
		{Pattern: "GET /registro", Admin: true, Handle: func(r *http.Request) (any, error) {
			rec, err := recordsOf(a, r, w)
			if err != nil {
				return nil, err
			}
			var b strings.Builder
			err = recordPage.Execute(&b, rec)
			return server.Page{Title: "Registro de tratamiento", Body: template.HTML(b.String())}, err
		}},
	}
}

// recordsOf tells what holds now.
func recordsOf(a *app.App, r *http.Request, w *app.Workspace) (rec records, err error) {
	rec = records{Purpose: "Contestar preguntas de derecho con citas comprobables.", Notice: ask.Notice, Models: []recordModel{}}
	if rec.NoLog, err = a.Settings.Yes("no_log"); err != nil {
		return rec, err
	}
	if rec.LocalOnly, err = a.YesAny("local_only"); err != nil {
		return rec, err
	}
	if rec.Redaction, err = a.Settings.Yes("model.redact"); err != nil {
		return rec, err
	}
	keep, err := a.Retention()
	if err != nil {
		return rec, err
	}
	days := a.Settings.Get("traces_days") + " días"
	forever := "hasta que se borre la carpeta"
	rec.Kept = []recordKept{
		{"preguntas y respuestas (conversaciones)", app.Or(strings.HasPrefix(a.Settings.Get("store"), "postgres"), "base de datos configurada", "conversations.db"), keep.String(), w.Store != nil && !rec.NoLog && (a.Settings.Data != "" || a.Settings.Get("store") != "")},
		{"traza de cada respuesta", app.Or(strings.HasPrefix(a.Settings.Get("store"), "postgres"), "base de datos configurada", "traces/"), days, w.Traces != nil},
		{"registro de auditoría: huellas con clave de preguntas, respuestas y personas", app.Or(strings.HasPrefix(a.Settings.Get("store"), "postgres"), "base de datos configurada", "audit/"), forever, w.Audit != nil},
		{"respuestas de modelos, por la huella de lo que se les pidió", "models/cache/", forever, a.Settings.Data != "" && disk.Exists(filepath.Join(a.Settings.Data, "models", "cache"))},
	}
	for _, x := range a.ModelHosts() {
		rec.Models = append(rec.Models, recordModel(x))
	}
	if w.Store == nil {
		return rec, nil
	}
	users, err := w.Store.Users(r.Context())
	if err != nil {
		return rec, err
	}
	keys, err := w.Store.UserKeys(r.Context(), "")
	rec.Users, rec.Keys = len(users), len(keys)
	return rec, err
}

var recordPage = template.Must(template.New("").Funcs(template.FuncMap{"yes": func(b bool) string { return fmt.Sprint(app.Or(b, "sí", "no")) }}).Parse(`<div class="flow">
<h1>Registro de tratamiento</h1>
<p>{{.Purpose}}</p>
<p>{{.Notice}}</p>
<h2>Qué se guarda</h2>
<ul>{{range .Kept}}<li>{{.What}}: {{if .There}}en {{.Where}}, {{.Days}}{{else}}no se guarda{{end}}</li>{{end}}</ul>
<h2>A quién va lo que se pregunta</h2>
{{if .Models}}<ul>{{range .Models}}<li>{{.Role}}: {{.Host}} ({{.Name}})</li>{{end}}</ul><p>Los datos personales se quitan antes: {{yes .Redaction}}.</p>{{else}}<p>A nadie: se contesta en esta máquina.</p>{{end}}
<h2>Modos</h2>
<ul><li>Sin guardar nada (no_log): {{yes .NoLog}}</li><li>Nada sale de la máquina (local_only): {{yes .LocalOnly}}</li></ul>
<h2>Personas</h2>
<p>{{.Users}} con cuenta, {{.Keys}} claves. Cada una puede llevarse lo suyo y borrarlo en <a href="/conversaciones">Conversaciones</a>.</p>
</div>
`))
