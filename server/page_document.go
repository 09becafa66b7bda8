package server

import (
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"digesto"
	"digesto/server/view"
	"digesto/server/wire"
	"digesto/store"
)

// Bounds of the texts that people bring: in memory alone, and gone after a while.
const (
	maxDocument  = 4 << 20 // bytes of a file
	maxDocuments = 64
	documentLife = 2 * time.Hour
)

// upload is a text that someone brought.
type upload struct {
	id, user, name, text string
	at                   time.Time
}

// documents are those at hand, the newest last. Nothing of them is ever written to a disk.
type documents struct {
	mu   sync.Mutex
	list []*upload
}

func (d *documents) put(x *upload) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.list = slices.DeleteFunc(d.list, func(o *upload) bool { return x.at.Sub(o.at) > documentLife })
	d.list = append(d.list, x)
	d.list = d.list[max(0, len(d.list)-maxDocuments):]
}

func (d *documents) get(id, user string, now time.Time) (*upload, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, x := range d.list {
		if x.id == id && x.user == user && now.Sub(x.at) <= documentLife {
			return x, true
		}
	}
	return nil, false
}

func (d *documents) drop(id, user string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.list = slices.DeleteFunc(d.list, func(x *upload) bool { return x.id == id && x.user == user })
}

func (s *Server) documentRoutes(mux *table) {
	mux.HandleFunc("GET /documento", s.pageBring)
	mux.HandleFunc("POST /documento", s.postDocument)
	mux.HandleFunc("GET /documento/{id}", s.pageDocument)
	mux.HandleFunc("POST /documento/{id}", s.askDocument)
}

func (s *Server) pageBring(w http.ResponseWriter, r *http.Request) {
	s.page(w, r, http.StatusOK, "document", "Su documento", view.Document{Gone: r.FormValue("borrado") != ""})
}

// postDocument takes a text or a file and goes to its page.
func (s *Server) postDocument(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxDocument+64<<10)
	u, err := s.opt.Who(r)
	if err == nil {
		err = s.counted(w, r)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	x := &upload{id: store.NewID(), user: u.ID, at: s.opt.Clock()}
	if x.name, x.text, err = s.brought(r); err != nil {
		p := wire.ProblemOf(r.Context(), err)
		s.page(w, r, p.Status, "document", "Su documento", view.Document{Error: strings.TrimSpace(closedSentence(p.Detail) + " " + closedSentence(p.Hint)), Text: x.text})
		return
	}
	s.documents.put(x)
	http.Redirect(w, r, "/documento/"+url.PathEscape(x.id), http.StatusSeeOther)
}

func closedSentence(s string) string {
	if s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

// brought reads the field or the file of the form.
func (s *Server) brought(r *http.Request) (name, text string, err error) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == "multipart/form-data" {
		err = r.ParseMultipartForm(maxDocument)
	} else {
		err = r.ParseForm()
	}
	var big *http.MaxBytesError
	switch {
	case errors.As(err, &big):
		return "", "", &digesto.Error{Code: digesto.CodeTooLarge, Message: "El documento es demasiado grande", Hint: "Traiga uno de menos de 4 MB."}
	case err != nil:
		return "", "", wire.Invalid("No se ha podido leer lo que ha traído", "Vuelva a intentarlo o pegue el texto.")
	}
	name, text = "Texto pegado", strings.ToValidUTF8(r.FormValue("text"), "")
	if r.MultipartForm != nil && len(r.MultipartForm.File["file"]) > 0 && r.MultipartForm.File["file"][0].Size > 0 {
		h := r.MultipartForm.File["file"][0]
		if name, text, err = s.fileText(r.Context(), h.Filename, h.Open); err != nil {
			return name, "", err
		}
	}
	if strings.TrimSpace(text) == "" {
		return name, "", wire.Invalid("No hay ningún texto que leer", "Pegue el texto, o elija un archivo que lo tenga.")
	}
	return name, text, nil
}

func (s *Server) fileText(ctx context.Context, name string, open func() (multipart.File, error)) (string, string, error) {
	f, err := open()
	if err != nil {
		return name, "", err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return name, "", err
	}
	if s.opt.Read != nil {
		text, err := s.opt.Read(ctx, name, data)
		return name, text, err
	}
	if !utf8.Valid(data) {
		return name, "", wire.Invalid("Ese archivo no es de texto", "Pegue su texto.")
	}
	return name, string(data), nil
}

// mine finds the document of a request among those of who asks.
func (s *Server) mine(r *http.Request) (*upload, error) {
	u, err := s.opt.Who(r)
	if err != nil {
		return nil, err
	}
	if x, ok := s.documents.get(r.PathValue("id"), u.ID, s.opt.Clock()); ok {
		return x, nil
	}
	return nil, &digesto.Error{Code: digesto.CodeNotFound, Message: "Ese documento ya no está", Hint: "No se guarda: vive en la memoria un rato y desaparece. Tráigalo otra vez."}
}

func (s *Server) pageDocument(w http.ResponseWriter, r *http.Request) {
	x, err := s.mine(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.showDocument(w, r, x, digesto.Question{}, nil)
}

func (s *Server) showDocument(w http.ResponseWriter, r *http.Request, x *upload, q digesto.Question, answer *digesto.Answer) {
	law, done, err := s.textView()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	s.page(w, r, http.StatusOK, "document", x.name, s.site.Document(law.Snapshot, x.id, x.name, x.text, q, answer))
}

// askDocument answers a question from the text brought and from the law, or forgets the text.
func (s *Server) askDocument(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, s.opt.MaxBody)
	x, err := s.mine(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if r.PostFormValue("do") == "borrar" {
		s.documents.drop(x.id, x.user)
		http.Redirect(w, r, "/documento?borrado=1", http.StatusSeeOther)
		return
	}
	q := digesto.Question{Text: strings.TrimSpace(strings.ToValidUTF8(r.PostFormValue("question"), "")), Pack: r.PostFormValue("pack")}
	if q.Text == "" {
		s.showDocument(w, r, x, q, nil)
		return
	}
	if err := s.admit(w, r, &q); err != nil {
		s.fail(w, r, err)
		return
	}
	ctx, cancel := s.working(r)
	defer cancel()
	ans, err := s.opt.Engine.Ask(ctx, q, func(digesto.Event) {})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.recent.put(q, ans)
	s.showDocument(w, r, x, q, &ans)
}
