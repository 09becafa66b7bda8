// Package admin is the pages of who runs the server: people and keys, what is installed, records.
package admin

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/app"
	"digesto/corpus/sync"
	"digesto/server"
	"digesto/server/wire"
	"digesto/store"
)

//go:embed admin.html
var adminHTML string

var adminTemplates = template.Must(template.New("").Parse(adminHTML))

// Pages are the pages of who runs the server. They need no scripts; forms of
// other sites do not get here (server: CrossOriginProtection), and the cookie is
// SameSite.
type Pages struct{ app.AdminSite }

// Routes are the pages and what their forms do.
func (p Pages) Routes() []server.Route {
	return []server.Route{
		{Pattern: "GET /admin", Admin: true, Menu: "Administración", Handle: func(r *http.Request) (any, error) { return p.show(r, adminForm{done: r.FormValue("hecho")}) }},
		{Pattern: "POST /admin/claves", Admin: true, Act: p.change},
		{Pattern: "GET /admin/entrar", Handle: func(r *http.Request) (any, error) { return p.entrance(r.FormValue("back"), nil) }},
		{Pattern: "POST /admin/entrar", Act: p.enter},
		{Pattern: "POST /admin/salir", Act: p.leave},
	}
}

// adminForm is what was written in the form of a key, and how it went.
type adminForm struct {
	values map[string]string
	err    error
	done   string
}

// doneWords say what was done, by the word that the address carries.
var doneWords = map[string]string{"clave": "La clave ya no vale.", "persona": "La persona ya no está, ni sus conversaciones."}

type (
	adminView struct {
		Facts          []adminFact
		Spend          []spendView
		Done, Error    string
		People         []personView
		Owner, Session bool
		Form           map[string]string
		Plans          []planView
		Scopes         []scopeView
		Tenants        []planView
		Health         []healthView
		Budget, Who    string
	}
	personView struct {
		N                      int
		Name, Plan, Since, Use string
		Old                    bool
		Keys                   []keyView
	}
	keyView struct {
		ID, Since, Ends string
		Scopes          []string
		Over            bool
	}
	planView struct {
		Name, Limits string
		Selected     bool
	}
	scopeView struct {
		Name, Title string
		On          bool
	}
	healthView struct{ Class, Word, Text string }
	spendView  struct{ Role, Calls, Tokens, Cost string }
	adminFact  struct{ Name, Value string }
)

// scopeTitles say what each permission lets do.
var scopeTitles = map[string]string{app.ScopeAsk: "preguntar", app.ScopeRead: "ver lo propio", app.ScopeManage: "cambiar y borrar lo propio", app.ScopeAdmin: "administrar el servidor"}

func titlesOf(scopes []string) (out []string) {
	for _, s := range scopes {
		if name, ok := strings.CutPrefix(s, app.TenantScope); ok {
			out = append(out, "colección "+name)
			continue
		}
		out = append(out, scopeTitles[s])
	}
	return out
}

// written is a page of the templates.
func written(name, title string, status int, data any) (server.Page, error) {
	var b bytes.Buffer
	err := adminTemplates.ExecuteTemplate(&b, name, data)
	return server.Page{Title: title, Status: status, Body: template.HTML(b.String())}, err
}

// inWords is an error of ours beside the form it is about, and the status it ends
// with; any other is passed on.
func inWords(err error) (string, int, error) {
	var e *digesto.Error
	if !errors.As(err, &e) {
		return "", 0, err
	}
	return app.Sentence(app.Capital(e.Message)) + " " + app.Sentence(app.Capital(e.Hint)), digesto.Codes[e.Code].Status, nil
}

// show is the page, with what was written in its form if that did not do.
func (p Pages) show(r *http.Request, f adminForm) (server.Page, error) {
	var none server.Page
	ctx := r.Context()
	name, err := p.May(r)
	if err != nil {
		return none, err
	}
	v := adminView{Done: doneWords[f.done], Form: f.values, Owner: name == app.LocalUser, Who: "Quien lleva esto ahora: " + name + "."}
	if v.Owner {
		v.Who = "Lo lleva quien usa esta máquina: el servidor solo escucha en ella y nadie tiene clave."
	}
	_, v.Session = p.Inside(r)
	if v.Form == nil {
		v.Form = map[string]string{"scopes": strings.Join(app.DefaultScopes, ",")}
		if v.Owner {
			v.Form["scopes"] = strings.Join(app.AllScopes, ",")
		}
	}
	runs, err := p.S.Runs(ctx, p.App.Now().AddDate(0, 0, -30), time.Time{})
	if err != nil {
		return none, err
	}
	if err := p.people(ctx, &v, runs); err != nil {
		return none, err
	}
	if err := p.state(ctx, &v, len(runs)); err != nil {
		return none, err
	}
	status := http.StatusOK
	if f.err != nil {
		if v.Error, status, err = inWords(f.err); err != nil {
			return none, err
		}
	}
	return written("admin", "Administración", status, v)
}

// people lists users with their keys and what they asked in the last thirty days.
func (p Pages) people(ctx context.Context, v *adminView, runs []store.Run) error {
	users, err := p.S.Users(ctx)
	if err != nil {
		return err
	}
	keys, err := p.S.UserKeys(ctx, "")
	if err != nil {
		return err
	}
	asked, tokens := map[string]int{}, map[string]int{}
	for _, x := range runs {
		asked[x.User]++
		tokens[x.User] += x.Tokens
	}
	for i, u := range users {
		pv := personView{N: i + 1, Name: u.ID, Plan: u.Plan, Since: dayOf(u.Created), Old: u.KeyHash != "", Use: app.Counted(asked[u.ID], "pregunta", "preguntas") + " en 30 días"}
		if n := tokens[u.ID]; n > 0 {
			pv.Use += " · " + app.Counted(n, "token", "tokens") + " de modelos"
		}
		for _, k := range keys {
			if k.User != u.ID {
				continue
			}
			kv := keyView{ID: k.ID, Scopes: titlesOf(k.Scopes), Since: dayOf(k.Created), Over: k.Expires != nil && !p.Clock().Before(*k.Expires)}
			if k.Expires != nil && !kv.Over {
				kv.Ends = "hasta el " + dayOf(*k.Expires)
			}
			pv.Keys = append(pv.Keys, kv)
		}
		v.People = append(v.People, pv)
	}
	plans, err := p.App.Plans()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(plans)) {
		l := plans[name]
		v.Plans = append(v.Plans, planView{name, fmt.Sprintf("%s · %s · %s", limit(l.Minute), limit(l.Hour), limit(l.Day)), name == cmp.Or(v.Form["plan"], "libre")})
	}
	for _, name := range p.App.TenantNames() {
		v.Tenants = append(v.Tenants, planView{Name: name, Selected: name == v.Form["tenant"]})
	}
	on := strings.Split(v.Form["scopes"], ",")
	for _, s := range app.AllScopes {
		v.Scopes = append(v.Scopes, scopeView{s, app.Capital(scopeTitles[s]), slices.Contains(on, s)})
	}
	return nil
}

func limit(n int) string {
	if n == 0 {
		return "∞"
	}
	return strconv.Itoa(n)
}

func dayOf(t time.Time) string { return t.Format("02/01/2006") }

// state says how the server does and what its models have cost.
func (p Pages) state(ctx context.Context, v *adminView, asked int) error {
	snap, err := p.App.Snapshot(p.Workspace)
	if err != nil {
		v.Health = append(v.Health, healthView{"is-bad", "Ley", "la instalada no se puede leer: " + sync.Message(err)})
	} else {
		n := len(snap.Norms())
		_ = snap.Close()
		v.Facts = []adminFact{{"Preguntas en 30 días", strconv.Itoa(asked)}, {"Personas", strconv.Itoa(len(v.People))}, {"Normas", strconv.Itoa(n)}, {"Encendido", lasted(p.App.Now().Sub(p.Began))}}
		if n == 0 {
			v.Health = append(v.Health, healthView{"is-doubt", "Ley", "ninguna instalada: se contesta con las fichas"})
		} else {
			v.Health = append(v.Health, healthView{"is-ok", "Ley", app.Counted(n, "norma", "normas") + ", íntegras al abrir"})
		}
	}
	if err := p.Check(ctx); err != nil {
		v.Health = append(v.Health, healthView{"is-bad", "Conversaciones", "no se pueden leer: " + sync.Message(err)})
	} else {
		v.Health = append(v.Health, healthView{"is-ok", "Conversaciones", "se leen y se guardan"})
	}
	v.Health = append(v.Health, auditHealth(p.Workspace), healthView{"is-note", "Programa", "versión " + app.BuildVersion().Version})
	hosts := p.App.ModelHosts()
	if len(hosts) == 0 {
		v.Health = append(v.Health, healthView{"is-none", "Modelos", "ninguno: se contesta en esta máquina, con las palabras de la ley"})
	}
	for _, h := range hosts {
		v.Health = append(v.Health, healthView{"is-note", h.Role, h.Host + " (" + h.Name + ")"})
	}
	for _, s := range p.Metrics.Spent() {
		v.Spend = append(v.Spend, spendView{s.Role, fmt.Sprintf("%d + %d guardadas", s.Calls, s.Cached), strconv.FormatInt(s.In+s.Out, 10), strconv.FormatFloat(s.Cost, 'f', 4, 64)})
	}
	if most := p.App.Settings.Get("model.day_cost"); most != "" {
		v.Budget = "Como mucho " + most + " al día, en la moneda de los precios configurados."
	} else if len(hosts) > 0 {
		v.Budget = "Sin tope de gasto al día: se pone con DIGESTO_MODEL_DAY_COST."
	}
	return nil
}

func auditHealth(w *app.Workspace) healthView {
	if w.Audit == nil {
		return healthView{"is-none", "Auditoría", "no se escribe"}
	}
	return healthView{"is-ok", "Auditoría", "se escribe; se comprueba con «digesto audit»"}
}

// lasted writes a stretch of time in its largest units.
func lasted(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "ahora mismo"
	case d < time.Hour:
		return app.Counted(int(d.Minutes()), "minuto", "minutos")
	case d < 48*time.Hour:
		return app.Counted(int(d.Hours()), "hora", "horas")
	}
	return app.Counted(int(d.Hours()/24), "día", "días")
}

// formValues gives the fields of a form, as text and without blanks around them.
func formValues(r *http.Request) (func(string) string, error) {
	err := wire.Form(r)
	return func(k string) string { return strings.TrimSpace(strings.ToValidUTF8(r.PostForm.Get(k), "")) }, err
}

// change does what a form of the page asks for.
func (p Pages) change(w http.ResponseWriter, r *http.Request) (any, error) {
	name, err := p.May(r)
	if err != nil {
		return nil, err
	}
	f, err := formValues(r)
	if err != nil {
		return nil, err
	}
	switch f("do") {
	case "add":
		scopes := strings.Join(r.PostForm["scopes"], ",")
		given, err := p.add(r.Context(), name, app.KeyRequest{User: f("user"), Plan: f("plan"), Scopes: scopes, Expires: f("expires"), Tenant: f("tenant")})
		if err != nil {
			return p.show(r, adminForm{err: err, values: map[string]string{"user": f("user"), "plan": f("plan"), "expires": f("expires"), "tenant": f("tenant"), "scopes": scopes}})
		}
		return p.hand(w, r, name, given, false)
	case "rotate":
		grace, err := time.ParseDuration(f("grace"))
		if err != nil || grace < 0 || grace > 31*24*time.Hour {
			return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "«" + app.Short(f("grace"), 20) + "» no es una duración", Hint: "elija una de la lista"}
		}
		given, err := p.App.RotateKeys(r.Context(), p.S, f("user"), grace, f("expires"))
		if err != nil {
			return nil, err
		}
		return p.hand(w, r, name, given, true)
	case "revoke":
		return p.gone(w, r, p.S.DropKey(r.Context(), f("id")), name, "clave", f("id"))
	case "remove":
		if f("sure") != "yes" {
			return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "falta confirmar que se borra", Hint: "marque la casilla: no se puede deshacer"}
		}
		return p.gone(w, r, p.S.DropUser(r.Context(), f("user")), name, "persona", f("user"))
	}
	return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "no se sabe qué hacer con esas claves", Hint: "vuelva a «/admin»"}
}

// add gives a key. The first of all lets run the server, or nobody could from here.
func (p Pages) add(ctx context.Context, by string, w app.KeyRequest) (app.IssuedKey, error) {
	if w.Scopes == "" {
		return app.IssuedKey{}, &digesto.Error{Code: digesto.CodeUsage, Message: "la clave no permite nada", Hint: "marque algún permiso"}
	}
	if by == app.LocalUser && !slices.Contains(strings.Split(w.Scopes, ","), app.ScopeAdmin) {
		return app.IssuedKey{}, &digesto.Error{Code: digesto.CodeUsage, Message: "la primera clave tiene que poder administrar", Hint: "marque ese permiso: desde que hay una clave, estar en esta máquina ya no basta"}
	}
	return p.App.AddKey(ctx, p.S, w)
}

// hand shows a new key, once. Who made the first one, or renews the one they came in
// with, stays in.
func (p Pages) hand(w http.ResponseWriter, r *http.Request, by string, k app.IssuedKey, rotated bool) (any, error) {
	p.told(by, "gives a key", k.User+" "+k.ID)
	v := struct {
		Key        app.IssuedKey
		Scopes     []string
		Ends, Note string
		Rotated    bool
	}{Key: k, Scopes: titlesOf(k.Scopes), Ends: "No caduca.", Rotated: rotated}
	if k.Expires != nil {
		v.Ends = "Caduca el " + dayOf(*k.Expires) + "."
	}
	if by == app.LocalUser || rotated && by == k.User && slices.Contains(k.Scopes, app.ScopeAdmin) {
		if err := p.Enter(w, r, k.Key); err != nil {
			return nil, err
		}
		v.Note = "Con ella sigue usted dentro de Administración, doce horas."
	}
	return written("given", "Clave nueva", 0, v)
}

// gone goes back to the page when something was taken out.
func (p Pages) gone(w http.ResponseWriter, r *http.Request, err error, by, what, id string) (any, error) {
	if err != nil {
		return nil, err
	}
	p.told(by, "takes out: "+what, id)
	http.Redirect(w, r, "/admin?hecho="+what+"#claves", http.StatusSeeOther)
	return nil, nil
}

// told writes down who did what; never a key.
func (p Pages) told(by, did, to string) {
	p.Workspace.Log.Info("admin", "by", by, "did", did, "to", to)
}

// entrance is where who has a key comes in.
func (p Pages) entrance(back string, wrong error) (any, error) {
	v := struct{ Error, Back, Provider string }{Back: server.LocalPath(back)}
	if v.Back == "/" {
		v.Back = "/admin"
	}
	status := http.StatusOK
	if wrong != nil {
		var err error
		if v.Error, status, err = inWords(wrong); err != nil {
			return nil, err
		}
	}
	if p.Gate != nil {
		v.Provider = "/entrar?" + url.Values{"back": {v.Back}}.Encode()
	}
	return written("enter", "Administración", status, v)
}

// enter begins a session, or shows the door again with what is wrong.
func (p Pages) enter(w http.ResponseWriter, r *http.Request) (any, error) {
	f, err := formValues(r)
	if err != nil {
		return nil, err
	}
	if err := p.Enter(w, r, f("key")); err != nil {
		return p.entrance(f("back"), err)
	}
	back := server.LocalPath(f("back"))
	http.Redirect(w, r, back, http.StatusSeeOther)
	return nil, nil
}

// leave ends the session.
func (p Pages) leave(w http.ResponseWriter, r *http.Request) (any, error) {
	p.Cookies.Drop(w, app.AdminCookie, "/")
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil, nil
}
