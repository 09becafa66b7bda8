package main

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
	"unicode"
	"unicode/utf8"

	"digesto"
	"digesto/server"
	"digesto/server/metrics"
	"digesto/store"
)

//go:embed admin.html
var adminHTML string

var adminTemplates = template.Must(template.New("").Parse(adminHTML))

// adminPages are the pages of who runs the server. They need no scripts; forms of
// other sites do not get here (server: CrossOriginProtection), and the cookie is
// SameSite.
type adminPages struct {
	*admins
	a     *app
	w     *world
	m     *metrics.Metrics
	began time.Time
	check func(ctx context.Context) error // of the store
}

func (p adminPages) routes() []server.Route {
	return []server.Route{
		{Pattern: "GET /admin", Admin: true, Menu: "Administración", Handle: func(r *http.Request) (any, error) { return p.show(r, adminForm{done: r.FormValue("hecho")}) }},
		{Pattern: "POST /admin/claves", Admin: true, Act: p.change},
		{Pattern: "GET /admin/entrar", Handle: func(r *http.Request) (any, error) { return p.door(r.FormValue("back"), nil) }},
		{Pattern: "POST /admin/entrar", Act: p.come},
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
var scopeTitles = map[string]string{scopeAsk: "preguntar", scopeRead: "ver lo propio", scopeManage: "cambiar y borrar lo propio", scopeAdmin: "administrar el servidor"}

func titlesOf(scopes []string) (out []string) {
	for _, s := range scopes {
		if name, ok := strings.CutPrefix(s, tenantScope); ok {
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
	return server.Page{Title: title, Status: status, Body: template.HTML(b.String())}, err //nolint:gosec // written by the templates above
}

// inWords is an error of ours beside the form it is about, and the status it ends
// with; any other is passed on.
func inWords(err error) (string, int, error) {
	var e *digesto.Error
	if !errors.As(err, &e) {
		return "", 0, err
	}
	return sentence(capital(e.Message)) + " " + sentence(capital(e.Hint)), digesto.Codes[e.Code].Status, nil
}

// capital begins a sentence.
func capital(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[n:]
}

// show is the page, with what was written in its form if that did not do.
func (p adminPages) show(r *http.Request, f adminForm) (server.Page, error) {
	var none server.Page
	ctx := r.Context()
	name, err := p.may(r)
	if err != nil {
		return none, err
	}
	v := adminView{Done: doneWords[f.done], Form: f.values, Owner: name == localUser, Who: "Quien lleva esto ahora: " + name + "."}
	if v.Owner {
		v.Who = "Lo lleva quien usa esta máquina: el servidor solo escucha en ella y nadie tiene clave."
	}
	_, v.Session = p.inside(r)
	if v.Form == nil {
		v.Form = map[string]string{"scopes": strings.Join(defaultScopes, ",")}
		if v.Owner {
			v.Form["scopes"] = strings.Join(allScopes, ",")
		}
	}
	runs, err := p.s.Runs(ctx, p.a.now().AddDate(0, 0, -30), time.Time{})
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
func (p adminPages) people(ctx context.Context, v *adminView, runs []store.Run) error {
	users, err := p.s.Users(ctx)
	if err != nil {
		return err
	}
	keys, err := p.s.UserKeys(ctx, "")
	if err != nil {
		return err
	}
	asked, tokens := map[string]int{}, map[string]int{}
	for _, x := range runs {
		asked[x.User]++
		tokens[x.User] += x.Tokens
	}
	for i, u := range users {
		pv := personView{N: i + 1, Name: u.ID, Plan: u.Plan, Since: dayOf(u.Created), Old: u.KeyHash != "", Use: counted(asked[u.ID], "pregunta", "preguntas") + " en 30 días"}
		if n := tokens[u.ID]; n > 0 {
			pv.Use += " · " + counted(n, "token", "tokens") + " de modelos"
		}
		for _, k := range keys {
			if k.User != u.ID {
				continue
			}
			kv := keyView{ID: k.ID, Scopes: titlesOf(k.Scopes), Since: dayOf(k.Created), Over: k.Expires != nil && !p.clock().Before(*k.Expires)}
			if k.Expires != nil && !kv.Over {
				kv.Ends = "hasta el " + dayOf(*k.Expires)
			}
			pv.Keys = append(pv.Keys, kv)
		}
		v.People = append(v.People, pv)
	}
	plans, err := p.a.plans()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(plans)) {
		l := plans[name]
		v.Plans = append(v.Plans, planView{name, fmt.Sprintf("%s · %s · %s", limit(l.Minute), limit(l.Hour), limit(l.Day)), name == cmp.Or(v.Form["plan"], "libre")})
	}
	for _, name := range p.a.tenantNames() {
		v.Tenants = append(v.Tenants, planView{Name: name, Selected: name == v.Form["tenant"]})
	}
	on := strings.Split(v.Form["scopes"], ",")
	for _, s := range allScopes {
		v.Scopes = append(v.Scopes, scopeView{s, capital(scopeTitles[s]), slices.Contains(on, s)})
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

// counted writes a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// state says how the server does and what its models have cost.
func (p adminPages) state(ctx context.Context, v *adminView, asked int) error {
	snap, err := p.a.snapshot(p.w)
	if err != nil {
		v.Health = append(v.Health, healthView{"is-bad", "Ley", "la instalada no se puede leer: " + plainMessage(err)})
	} else {
		n := len(snap.Norms())
		_ = snap.Close()
		v.Facts = []adminFact{{"Preguntas en 30 días", strconv.Itoa(asked)}, {"Personas", strconv.Itoa(len(v.People))}, {"Normas", strconv.Itoa(n)}, {"Encendido", lasted(p.a.now().Sub(p.began))}}
		if n == 0 {
			v.Health = append(v.Health, healthView{"is-doubt", "Ley", "ninguna instalada: se contesta con las fichas"})
		} else {
			v.Health = append(v.Health, healthView{"is-ok", "Ley", counted(n, "norma", "normas") + ", íntegras al abrir"})
		}
	}
	if err := p.check(ctx); err != nil {
		v.Health = append(v.Health, healthView{"is-bad", "Conversaciones", "no se pueden leer: " + plainMessage(err)})
	} else {
		v.Health = append(v.Health, healthView{"is-ok", "Conversaciones", "se leen y se guardan"})
	}
	v.Health = append(v.Health, auditHealth(p.w), healthView{"is-note", "Programa", "versión " + buildVersion().Version})
	hosts := p.a.modelHosts()
	if len(hosts) == 0 {
		v.Health = append(v.Health, healthView{"is-none", "Modelos", "ninguno: se contesta en esta máquina, con las palabras de la ley"})
	}
	for _, h := range hosts {
		v.Health = append(v.Health, healthView{"is-note", h.Role, h.Host + " (" + h.Name + ")"})
	}
	for _, s := range p.m.Spent() {
		v.Spend = append(v.Spend, spendView{s.Role, fmt.Sprintf("%d + %d guardadas", s.Calls, s.Cached), strconv.FormatInt(s.In+s.Out, 10), strconv.FormatFloat(s.Cost, 'f', 4, 64)})
	}
	if most := p.a.conf.get("model.day_cost"); most != "" {
		v.Budget = "Como mucho " + most + " al día, en la moneda de los precios configurados."
	} else if len(hosts) > 0 {
		v.Budget = "Sin tope de gasto al día: se pone con DIGESTO_MODEL_DAY_COST."
	}
	return nil
}

func auditHealth(w *world) healthView {
	if w.audit == nil {
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
		return counted(int(d.Minutes()), "minuto", "minutos")
	case d < 48*time.Hour:
		return counted(int(d.Hours()), "hora", "horas")
	}
	return counted(int(d.Hours()/24), "día", "días")
}

// formValues gives the fields of a form, as text and without blanks around them.
func formValues(r *http.Request) (func(string) string, error) {
	err := server.Form(r)
	return func(k string) string { return strings.TrimSpace(strings.ToValidUTF8(r.PostForm.Get(k), "")) }, err
}

// change does what a form of the page asks for.
func (p adminPages) change(w http.ResponseWriter, r *http.Request) (any, error) {
	name, err := p.may(r)
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
		given, err := p.add(r.Context(), name, keyWanted{f("user"), f("plan"), scopes, f("expires"), f("tenant")})
		if err != nil {
			return p.show(r, adminForm{err: err, values: map[string]string{"user": f("user"), "plan": f("plan"), "expires": f("expires"), "tenant": f("tenant"), "scopes": scopes}})
		}
		return p.hand(w, r, name, given, false)
	case "rotate":
		grace, err := time.ParseDuration(f("grace"))
		if err != nil || grace < 0 || grace > 31*24*time.Hour {
			return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "«" + short(f("grace"), 20) + "» no es una duración", Hint: "elija una de la lista"}
		}
		given, err := p.a.rotateKeys(r.Context(), p.s, f("user"), grace, f("expires"))
		if err != nil {
			return nil, err
		}
		return p.hand(w, r, name, given, true)
	case "revoke":
		return p.gone(w, r, p.s.DropKey(r.Context(), f("id")), name, "clave", f("id"))
	case "remove":
		if f("sure") != "yes" {
			return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "falta confirmar que se borra", Hint: "marque la casilla: no se puede deshacer"}
		}
		return p.gone(w, r, p.s.DropUser(r.Context(), f("user")), name, "persona", f("user"))
	}
	return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "no se sabe qué hacer con esas claves", Hint: "vuelva a «/admin»"}
}

// add gives a key. The first of all lets run the server, or nobody could from here.
func (p adminPages) add(ctx context.Context, by string, w keyWanted) (givenKey, error) {
	if w.scopes == "" {
		return givenKey{}, &digesto.Error{Code: digesto.CodeUsage, Message: "la clave no permite nada", Hint: "marque algún permiso"}
	}
	if by == localUser && !slices.Contains(strings.Split(w.scopes, ","), scopeAdmin) {
		return givenKey{}, &digesto.Error{Code: digesto.CodeUsage, Message: "la primera clave tiene que poder administrar", Hint: "marque ese permiso: desde que hay una clave, estar en esta máquina ya no basta"}
	}
	return p.a.addKey(ctx, p.s, w)
}

// hand shows a new key, once. Who made the first one, or renews the one they came in
// with, stays in.
func (p adminPages) hand(w http.ResponseWriter, r *http.Request, by string, k givenKey, rotated bool) (any, error) {
	p.told(by, "gives a key", k.User+" "+k.ID)
	v := struct {
		Key        givenKey
		Scopes     []string
		Ends, Note string
		Rotated    bool
	}{Key: k, Scopes: titlesOf(k.Scopes), Ends: "No caduca.", Rotated: rotated}
	if k.Expires != nil {
		v.Ends = "Caduca el " + dayOf(*k.Expires) + "."
	}
	if by == localUser || rotated && by == k.User && slices.Contains(k.Scopes, scopeAdmin) {
		if err := p.enter(w, r, k.Key); err != nil {
			return nil, err
		}
		v.Note = "Con ella sigue usted dentro de Administración, doce horas."
	}
	return written("given", "Clave nueva", 0, v)
}

// gone goes back to the page when something was taken out.
func (p adminPages) gone(w http.ResponseWriter, r *http.Request, err error, by, what, id string) (any, error) {
	if err != nil {
		return nil, err
	}
	p.told(by, "takes out: "+what, id)
	http.Redirect(w, r, "/admin?hecho="+what+"#claves", http.StatusSeeOther)
	return nil, nil
}

// told writes down who did what; never a key.
func (p adminPages) told(by, did, to string) {
	p.w.log.Info("admin", "by", by, "did", did, "to", to)
}

// door is where who has a key comes in.
func (p adminPages) door(back string, wrong error) (any, error) {
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
	if p.gate != nil {
		v.Provider = "/entrar?" + url.Values{"back": {v.Back}}.Encode()
	}
	return written("enter", "Administración", status, v)
}

// come begins a session, or shows the door again with what is wrong.
func (p adminPages) come(w http.ResponseWriter, r *http.Request) (any, error) {
	f, err := formValues(r)
	if err != nil {
		return nil, err
	}
	if err := p.enter(w, r, f("key")); err != nil {
		return p.door(f("back"), err)
	}
	back := server.LocalPath(f("back"))
	http.Redirect(w, r, back, http.StatusSeeOther)
	return nil, nil
}

// leave ends the session.
func (p adminPages) leave(w http.ResponseWriter, r *http.Request) (any, error) {
	p.cookies.Drop(w, adminCookie, "/")
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil, nil
}
