package server

import (
	"container/list"
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/server/view"
	"digesto/server/wire"
)

// Facsimiles draws pages of the documents that law was read from.
type Facsimiles interface {
	Has(source string) bool
	// Page gives a page (from 1) as PNG with quotations marked on it.
	Page(ctx context.Context, source string, page int, quotes []string) ([]byte, error)
}

// pictureBytes is how much of drawn pages is kept.
const pictureBytes = 24 << 20

// pictures keeps the pages drawn last, in memory and bounded.
type pictures struct {
	mu    sync.Mutex
	size  int
	order list.List // of drawn, newest first
	byKey map[string]*list.Element
}

type drawn struct {
	key string
	png []byte
}

func (p *pictures) get(key string) ([]byte, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, ok := p.byKey[key]
	if !ok {
		return nil, false
	}
	p.order.MoveToFront(e)
	return e.Value.(drawn).png, true
}

func (p *pictures) put(key string, png []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byKey == nil {
		p.byKey = map[string]*list.Element{}
	}
	if p.byKey[key] != nil || len(png) > pictureBytes/4 {
		return
	}
	p.byKey[key] = p.order.PushFront(drawn{key, png})
	for p.size += len(png); p.size > pictureBytes; {
		last := p.order.Back()
		d := p.order.Remove(last).(drawn)
		delete(p.byKey, d.key)
		p.size -= len(d.png)
	}
}

// getFacsimile serves a page of the document of a unit: ?version= ?at=START-END,…
// mark quotations, in code points of that version.
func (s *Server) getFacsimile(w http.ResponseWriter, r *http.Request) {
	key := r.URL.RequestURI()
	if png, ok := s.pictures.get(key); ok {
		sendPicture(w, r, png)
		return
	}
	snap, n, u, at, done, err := s.unitOf(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	page, err := strconv.Atoi(r.PathValue("page"))
	if err != nil || page < 1 || page > 100_000 {
		s.fail(w, r, wire.Invalid("el número de página no es válido", "las páginas se cuentan desde 1"))
		return
	}
	quotes, err := quotesAt(snap, n, u, at, r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if r.URL.Query().Has("hoja") {
		p := view.SheetOf(n, u, page, r.FormValue)
		s.page(w, r, http.StatusOK, "sheet", p.Title, p)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 20*time.Second)
	defer cancel()
	png, err := s.opt.Facsimiles.Page(ctx, n.Source, page, quotes)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.pictures.put(key, png)
	sendPicture(w, r, png)
}

// quotesAt gives the texts at the places asked for.
func quotesAt(snap *corpus.Snapshot, n digesto.Norm, u digesto.Unit, at digesto.Date, r *http.Request) (out []string, err error) {
	if r.FormValue("at") == "" {
		return nil, nil
	}
	v, err := view.PickVersion(snap, n, u, at, r.FormValue("version"))
	if err != nil {
		return nil, err
	}
	text := []rune(v.Text)
	for place := range strings.SplitSeq(r.FormValue("at"), ",") {
		a, b, _ := strings.Cut(place, "-")
		from, err1 := strconv.Atoi(a)
		to, err2 := strconv.Atoi(b)
		if err1 != nil || err2 != nil || from < 0 || to > len(text) || from >= to || len(out) >= 20 {
			return nil, wire.Invalid("el lugar de la cita no es válido", "escríbalo como PRINCIPIO-FIN, en caracteres del texto de esa versión")
		}
		out = append(out, string(text[from:to]))
	}
	return out, nil
}

func sendPicture(w http.ResponseWriter, _ *http.Request, png []byte) {
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "private, max-age=3600")
	_, _ = w.Write(png)
}
