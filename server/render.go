package server

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"

	"digesto"
	"digesto/server/view"
	"digesto/server/wire"
	"digesto/text"
)

//go:embed web
var web embed.FS

// static holds the files pages load, named with a mark of their content so
// that browsers may keep them.
type static struct {
	files map[string][]byte
	small map[string][]byte // the same by gzip
	marks map[string]string
}

func loadStatic() (*static, error) {
	s := &static{files: map[string][]byte{}, small: map[string][]byte{}, marks: map[string]string{}}
	err := fs.WalkDir(web, "web/static", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := web.ReadFile(p)
		sum := sha256.Sum256(data)
		s.small[path.Base(p)] = squeeze(data)
		s.files[path.Base(p)], s.marks[path.Base(p)] = data, hex.EncodeToString(sum[:4])
		return err
	})
	return s, err
}

func squeeze(data []byte) []byte {
	var buf bytes.Buffer
	w, _ := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	_, _ = w.Write(data) // into memory: no error
	_ = w.Close()
	return buf.Bytes()
}

// url is where a file is served.
func (s *static) url(name string) string { return "/static/" + name + "?v=" + s.marks[name] }

// asset serves a file of the pages.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	if data, ok := s.static.files[name]; ok {
		s.static.serve(w, r, name, data)
		return
	}
	s.notFound(w, r)
}

func (s *static) serve(w http.ResponseWriter, r *http.Request, name string, data []byte) {
	w.Header().Set("Content-Type", or(path.Ext(name) == ".webmanifest", "application/manifest+json", mime.TypeByExtension(path.Ext(name))))
	w.Header().Set("ETag", `"`+s.marks[name]+`"`)
	w.Header().Set("Cache-Control", or(r.FormValue("v") == s.marks[name], "public, max-age=31536000, immutable", "no-cache"))
	if strings.Contains(r.Header.Get("If-None-Match"), s.marks[name]) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Vary", "Accept-Encoding")
	if takesGzip(r) && len(s.small[name]) < len(data) {
		w.Header().Set("Content-Encoding", "gzip")
		data = s.small[name]
	}
	_, _ = w.Write(data)
}

// loadTemplates parses each page together with the layout.
func (s *Server) loadTemplates() (map[string]*template.Template, error) {
	out := map[string]*template.Template{}
	base, err := template.New("").Funcs(template.FuncMap{"asset": s.static.url, "date": view.DateShort, "upper": view.UpperFirst}).ParseFS(web, "web/templates/layout.html")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"home", "answer", "refusal", "clarify", "norms", "norm", "unit", "corpus", "coverage", "error", "page", "help", "file", "conversations", "conversation", "analytics", "document", "api", "sheet"} {
		t, err := base.Clone()
		if err == nil {
			t, err = t.ParseFS(web, "web/templates/"+name+".html")
		}
		if err != nil {
			return nil, err
		}
		out[name] = t
	}
	return out, nil
}

// layout is what every page shows around its body.
type layout struct {
	Title, Theme, Nav, Path string
	Links, Foot             []menuLink
	Keeps                   bool // conversations
	Login                   *loginView
	Day, Address            string // of the day, and where the page is found again, for paper
	Body                    any
}

// loginView says who is in, or where to come in.
type loginView struct {
	Enter, Name string
	In          bool
}

// menuLink is an entry of the menu that the wiring adds.
type menuLink struct {
	Title, URL string
	Current    bool
}

// links are the pages of the wiring that want to stand in the menu.
func (s *Server) links(req *http.Request) []menuLink {
	var out []menuLink
	for _, r := range s.opt.Routes {
		if r.Menu != "" && (!r.Admin || s.admin(req) == nil) {
			url := strings.TrimPrefix(r.Pattern, "GET ")
			out = append(out, menuLink{r.Menu, url, url == req.URL.Path})
		}
	}
	return out
}

// foot are the pages of the wiring that stand at the foot of every page.
func (s *Server) foot() []menuLink {
	var out []menuLink
	for _, r := range s.opt.Routes {
		if r.Foot != "" {
			out = append(out, menuLink{Title: r.Foot, URL: strings.TrimPrefix(r.Pattern, "GET ")})
		}
	}
	return out
}

// page writes a page. A template that fails writes nothing half done.
func (s *Server) page(w http.ResponseWriter, r *http.Request, status int, name, title string, body any) {
	l := layout{Title: title, Theme: theme(r), Nav: navOf(name), Path: r.URL.RequestURI(), Links: s.links(r), Foot: s.foot(), Keeps: s.opt.Store != nil, Body: body}
	if r.Method != http.MethodGet {
		l.Path = "/"
	}
	if l.Day = view.DateShort(s.now()); l.Nav != "ask" && r.Method == http.MethodGet { // answers name their own address
		l.Address = wire.BaseOf(r) + l.Path
	}
	if s.opt.Signed != nil {
		v := loginView{Enter: "/entrar?" + url.Values{"back": {l.Path}}.Encode()}
		v.Name, v.In = s.opt.Signed(r)
		l.Login = &v
	}
	var buf bytes.Buffer
	if err := s.tpl[name].ExecuteTemplate(&buf, "layout", l); err != nil {
		s.opt.Log.Error("template failed", "page", name, "error", err)
		http.Error(w, "No se ha podido componer la página.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Vary", "Accept-Encoding")
	if buf.Len() < squeezed || !takesGzip(r) {
		w.WriteHeader(status)
		_, _ = w.Write(buf.Bytes())
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	w.WriteHeader(status)
	z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
	_, _ = z.Write(text.Masked(buf.Bytes(), false)) // the recorder cannot look into it; a reader who left is no error of ours
	_ = z.Close()
}

// squeezed is from how many bytes on a page is sent by gzip: shorter ones gain nothing worth the work.
const squeezed = 8 << 10

func takesGzip(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
}

func navOf(page string) string {
	switch page {
	case "home", "answer", "refusal", "clarify":
		return "ask"
	case "norms", "norm", "unit":
		return "norms"
	case "corpus", "coverage":
		return "corpus"
	case "conversations", "conversation":
		return "conversations"
	}
	return ""
}

// theme is the look chosen by the reader: "", "light" or "dark".
func theme(r *http.Request) string {
	c, err := r.Cookie("theme")
	if err != nil || c.Value != "light" && c.Value != "dark" {
		return ""
	}
	return c.Value
}

// postPreferences keeps the look in a cookie and goes back.
func (s *Server) postPreferences(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, s.opt.MaxBody)
	c := &http.Cookie{Name: "theme", Path: "/", MaxAge: 365 * 24 * 3600, SameSite: http.SameSiteLaxMode}
	switch v := r.PostFormValue("theme"); v {
	case "light", "dark":
		c.Value = v
	default:
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
	http.Redirect(w, r, LocalPath(r.PostFormValue("back")), http.StatusSeeOther)
}

// LocalPath lets only an address of this server through.
func LocalPath(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(s, "/") || strings.HasPrefix(s, "//") || strings.ContainsAny(s, "\\\r\n") {
		return "/"
	}
	return s
}

func (s *Server) now() digesto.Date { return s.site.Today() }
