package server

import (
	"container/list"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"digesto"
	"digesto/corpus"
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

// pageView is a page of the document in the margin.
type pageView struct {
	N              int
	URL, Alt, Open string // the picture, what it shows, a page of its own
}

// pageViews are the pages that the citations of one text stand on; the quotations
// are named by where they stand in the stored text, never sent by the browser.
func (s *Server) pageViews(n digesto.Norm, u digesto.Unit, cites []digesto.Citation) (out []pageView) {
	if s.opt.Facsimiles == nil || n.Format != "pdf" || !s.opt.Facsimiles.Has(n.Source) {
		return nil
	}
	places := map[int][]string{}
	var pages []int
	for _, c := range cites {
		if c.Page == nil || c.Ref == nil {
			continue
		}
		if places[*c.Page] == nil {
			pages = append(pages, *c.Page)
		}
		places[*c.Page] = append(places[*c.Page], strconv.Itoa(c.Ref.Start)+"-"+strconv.Itoa(c.Ref.End))
	}
	for _, p := range pages {
		q := url.Values{"version": {cites[0].Ref.Version}, "at": {strings.Join(places[p], ",")}}
		number := strconv.Itoa(p)
		picture := unitURL(n.ID, u.ID) + "/paginas/" + number + "?" + q.Encode()
		out = append(out, pageView{p, picture, "Página " + number + " de " + n.Source + ", con la cita resaltada", picture + "&" + sheetParam})
	}
	return out
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
		s.fail(w, r, invalid("el número de página no es válido", "las páginas se cuentan desde 1"))
		return
	}
	quotes, err := quotesAt(snap, n, u, at, r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if r.URL.Query().Has("hoja") {
		s.getSheet(w, r, n, u, page)
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

// sheetParam asks for a page of a document as a page of ours.
const sheetParam = "hoja=1"

// sheetPage is a page of a document to be read: larger, and with its neighbours.
type sheetPage struct {
	Title, Norm, NormURL, Unit, UnitURL string
	Picture, Alt, Prev, Next            string
	N, Size                             int
	Sizes                               []sheetSize
}

type sheetSize struct {
	Name, URL string
	Shown     bool
}

func (s *Server) getSheet(w http.ResponseWriter, r *http.Request, n digesto.Norm, u digesto.Unit, page int) {
	q := url.Values{}
	for _, k := range []string{"version", "at"} {
		if v := r.FormValue(k); v != "" {
			q.Set(k, v)
		}
	}
	at := func(page int) string { return unitURL(n.ID, u.ID) + "/paginas/" + strconv.Itoa(page) + "?" }
	p := sheetPage{Norm: normName(n), NormURL: normURL(n.ID), Unit: strings.TrimSuffix(u.Label+". "+corpus.HeadingOf(u.Rubric), ". "), UnitURL: unitURL(n.ID, u.ID), N: page, Size: 1,
		Picture: at(page) + q.Encode(), Alt: "Página " + strconv.Itoa(page) + " de " + n.Source}
	if k, err := strconv.Atoi(r.FormValue("hoja")); err == nil && k > 0 && k <= len(sheetSizes) {
		p.Size = k
	}
	p.Title = "Página " + strconv.Itoa(page) + " del documento"
	for i, name := range sheetSizes {
		q.Set("hoja", strconv.Itoa(i+1))
		p.Sizes = append(p.Sizes, sheetSize{name, at(page) + q.Encode(), i+1 == p.Size})
	}
	q.Set("hoja", strconv.Itoa(p.Size))
	if page > 1 {
		p.Prev = at(page-1) + q.Encode()
	}
	p.Next = at(page+1) + q.Encode()
	s.page(w, r, http.StatusOK, "sheet", p.Title, p)
}

// sheetSizes are how large a page may be shown.
var sheetSizes = []string{"Entera", "Grande", "Muy grande"}

// quotesAt gives the texts at the places asked for.
func quotesAt(snap *corpus.Snapshot, n digesto.Norm, u digesto.Unit, at digesto.Date, r *http.Request) (out []string, err error) {
	if r.FormValue("at") == "" {
		return nil, nil
	}
	v, err := pickVersion(snap, n, u, at, r.FormValue("version"))
	if err != nil {
		return nil, err
	}
	text := []rune(v.Text)
	for place := range strings.SplitSeq(r.FormValue("at"), ",") {
		a, b, _ := strings.Cut(place, "-")
		from, err1 := strconv.Atoi(a)
		to, err2 := strconv.Atoi(b)
		if err1 != nil || err2 != nil || from < 0 || to > len(text) || from >= to || len(out) >= 20 {
			return nil, invalid("el lugar de la cita no es válido", "escríbalo como PRINCIPIO-FIN, en caracteres del texto de esa versión")
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
